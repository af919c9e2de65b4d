//! All published results as one document: HTML that needs no other file, to be read on a screen or printed.

mod html;
mod section;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;
use std::path::Path;

use html::{Links, escape, id, inline, markdown, table};

use super::claim::Finding;
use super::definition::{Definition, Size};
use super::overview::tally;
use super::paper::Paper;
use super::report::duration;
use super::result::Published;

/// The experiment on what each idea adds, which has a section of its own.
const IDEAS: &str = "ours/ideas";

/// An experiment with what is published of it.
struct Entry<'a> {
    definition: &'a Definition,
    published: Option<Published>,
    findings: Vec<Finding>,
}

/// The document.
struct Document<'a> {
    results: &'a Path,
    entries: Vec<Entry<'a>>,
    /// The machines that results name, by the letters that the text gives them.
    machines: BTreeMap<String, char>,
    /// Pictures so far.
    figures: usize,
}

/// The document as HTML, from the results in a folder.
pub fn write(library: &[Definition], results: &Path) -> Result<String, String> {
    if !results.is_dir() {
        return Err(format!("{}: expected a folder of results", results.display()));
    }
    let mut entries = Vec::new();
    for definition in library {
        let published = Published::read(results, &definition.name)?;
        let findings = definition.findings(published.as_ref());
        entries.push(Entry { definition, published, findings });
    }
    if entries.iter().all(|entry| entry.published.is_none()) {
        return Err(format!("{}: expected results of experiments, found none", results.display()));
    }
    let machines = machines(&entries);
    Document { results, entries, machines, figures: 0 }.html()
}

/// A letter for each machine, in the order of their names.
fn machines(entries: &[Entry<'_>]) -> BTreeMap<String, char> {
    let names = entries.iter().filter_map(Entry::machine);
    let names: std::collections::BTreeSet<String> = names.collect();
    names.into_iter().zip('A'..='Z').collect()
}

impl Entry<'_> {
    fn id(&self) -> String {
        id("experiment", &self.definition.name)
    }

    fn machine(&self) -> Option<String> {
        Some(self.published.as_ref()?.provenance.as_ref()?.machine.as_ref()?.to_string())
    }

    fn is_of(&self, paper: Paper) -> bool {
        let is_apart = self.definition.name == IDEAS && self.published.is_some();
        self.definition.paper() == Some(paper) && !is_apart
    }
}

impl Document<'_> {
    fn html(mut self) -> Result<String, String> {
        let mut body = format!("<h1>{}</h1>\n{}{}", text::TITLE, self.abstract_(), self.contents());
        body.push_str(&self.methods());
        for paper in Paper::ALL {
            body.push_str(&self.paper(paper)?);
        }
        body.push_str(&self.ideas()?);
        body.push_str(&format!("<h2 id=\"limits\">Limits</h2>\n{}{}", prose(text::LIMITS), self.gaps()));
        body.push_str(&self.repeat());
        body.push_str(&references());
        Ok(format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             {body}</body>\n</html>\n",
            text::TITLE,
            include_str!("style.css")
        ))
    }

    fn abstract_(&self) -> String {
        let all: Vec<&Finding> = self.entries.iter().flat_map(|entry| &entry.findings).collect();
        let of_papers: Vec<&Finding> = self
            .entries
            .iter()
            .filter(|entry| !entry.definition.name.starts_with("ours/"))
            .flat_map(|entry| &entry.findings)
            .collect();
        let run = self.entries.iter().filter(|entry| entry.published.is_some()).count();
        format!(
            "<p class=\"byline\">The Sumito developers, version {}</p>\n<section class=\"abstract\" id=\"abstract\">\n\
             <h4>Abstract</h4>\n<p>Five documents on playing Abalone (2002 to 2023) report experiments with programs of their own. We rebuilt \
             these programs on one board, wrote down what each document claims together with a check that a program can make, and ran \
             {run} experiments. Of the documents there are {} Together with our own measurements there are {} Every number, the \
             threshold behind each verdict and the command that gives the same again are below.</p>\n</section>\n",
            env!("CARGO_PKG_VERSION"),
            escape(&tally(&of_papers)),
            escape(&tally(&all)),
        )
    }

    fn contents(&self) -> String {
        let mut items = vec![("methods".to_string(), "Methods".to_string(), String::new())];
        for paper in Paper::ALL {
            let entry = |entry: &&Entry<'_>| {
                format!("<li><a href=\"#{}\">{}</a></li>", entry.id(), inline(&entry.definition.title))
            };
            let ours = self.entries.iter().filter(|entry| entry.is_of(paper));
            let inner: String = ours.collect::<Vec<_>>().iter().map(entry).collect();
            if !inner.is_empty() {
                let name = format!("{}: {}", paper.authors, paper.title);
                items.push((id("document", paper.key), escape(&name), format!("<ul>{inner}</ul>")));
            }
        }
        if self.ideas_entry().is_some() {
            items.push(("ideas".to_string(), "What each idea is worth".to_string(), String::new()));
        }
        for (id, name) in [("limits", "Limits"), ("repeat", "How to repeat it"), ("references", "References")]
        {
            items.push((id.to_string(), name.to_string(), String::new()));
        }
        let item = |(id, name, inner): &(String, String, String)| {
            format!("<li><a href=\"#{id}\">{name}</a>{inner}</li>\n")
        };
        format!(
            "<nav>\n<h4>Contents</h4>\n<ol>\n{}</ol>\n</nav>\n",
            items.iter().map(item).collect::<String>()
        )
    }

    fn methods(&self) -> String {
        let machine = |(name, letter): (&String, &char)| format!("<li>{letter}: {}</li>\n", escape(name));
        let list: String = self.machines.iter().map(machine).collect();
        let silent = self.entries.iter().filter(|e| e.published.is_some() && e.machine().is_none()).count();
        let mut machines = String::new();
        if !list.is_empty() {
            machines.push_str(&format!("<p>The experiments ran on:</p>\n<ul>\n{list}</ul>\n"));
        }
        if silent > 0 {
            machines.push_str(&format!(
                "<p>{silent} results are of earlier versions, which did not write down their machine.</p>\n"
            ));
        }
        format!(
            "<h2 class=\"part\" id=\"methods\">Methods</h2>\n<h3>Rules of play</h3>\n{}<h3>Statistics</h3>\n{}<h3>Verdicts</h3>\n{}\
             <h3>Machines</h3>\n{machines}",
            text::rules(),
            prose(text::STATISTICS),
            prose(text::VERDICTS),
        )
    }

    fn ideas_entry(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.definition.name == IDEAS && entry.published.is_some())
    }

    /// What this version of the results lacks.
    fn gaps(&self) -> String {
        let names = |is_in: &dyn Fn(&Entry<'_>) -> bool| -> Vec<String> {
            self.entries
                .iter()
                .filter(|entry| is_in(entry))
                .map(|entry| escape(&entry.definition.name))
                .collect()
        };
        let open = names(&|entry| entry.definition.can_run() && entry.published.is_none());
        let is_quick =
            |entry: &Entry<'_>| entry.published.as_ref().is_some_and(|one| one.size == Size::Quick);
        let quick = names(&is_quick);
        let mut text = String::new();
        if !open.is_empty() {
            text.push_str(&format!("<p>Not run yet: {}.</p>\n", open.join(", ")));
        }
        if !quick.is_empty() {
            text.push_str(&format!(
                "<p>Quick runs, which show the form of the result only: {}.</p>\n",
                quick.join(", ")
            ));
        }
        text
    }

    fn repeat(&self) -> String {
        let mut rows = Vec::new();
        for entry in &self.entries {
            let Some(published) = &entry.published else { continue };
            let made_by = published.provenance.as_ref();
            let unknown = || "-".to_string();
            let letter = entry.machine().and_then(|name| self.machines.get(&name));
            let cells = [
                made_by.map_or_else(unknown, |one| one.commit.clone()),
                made_by.map_or_else(unknown, |one| one.bench.to_string()),
                made_by.map_or_else(unknown, |one| one.network.clone()),
                published.date.clone().unwrap_or_else(unknown),
                letter.map_or_else(unknown, char::to_string),
                duration(published.seconds),
            ];
            let command = format!("<code>{}</code>", escape(&published.again()));
            rows.push(std::iter::once(command).chain(cells.iter().map(|cell| escape(cell))).collect());
        }
        let head = ["command", "commit", "bench", "network", "date", "machine", "time"];
        format!(
            "<h2 class=\"part\" id=\"repeat\">How to repeat it</h2>\n<p>Each command gives the same counts again; the commit, the number of \
             nodes of <code>sumito bench</code> and the fingerprint of the network say which program it was, the letter which machine. A dash stands \
             where a result of an earlier version does not say. Every row and value is in <code>data.csv</code> and <code>result.json</code> of \
             the experiment's folder, and <code>sumito lab paper</code> makes this document from them.</p>\n{}",
            table("repeat", &head, &rows)
        )
    }
}

fn references() -> String {
    let papers = Paper::ALL.iter().filter(|paper| paper.key != "ours");
    let item = |paper: &Paper| {
        let Paper { authors, title, published, .. } = paper;
        format!("<li>{}. <em>{}</em>. {}.</li>\n", escape(authors), escape(title), escape(published))
    };
    let list: String = papers.map(item).collect();
    format!("<h2 id=\"references\">References</h2>\n<ol>\n{list}</ol>\n")
}

/// A text of our own, without pictures.
fn prose(text: &str) -> String {
    let mut links = Links { picture: &mut |_| Ok(String::new()), anchor: &|_| None };
    markdown(text, &mut links).unwrap_or_default()
}

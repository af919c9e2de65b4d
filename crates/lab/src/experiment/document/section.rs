//! A document's section: each experiment with its claims, numbers, pictures and reasons.

use std::fs;

use super::super::claim::{ClaimVerdict, Finding};
use super::super::paper::Paper;
use super::super::report;
use super::html::{Links, escape, id, inline, markdown, table};
use super::{Document, Entry};

impl Document<'_> {
    /// The section of a document, if it has any experiment.
    pub(super) fn paper(&mut self, paper: Paper) -> Result<String, String> {
        let ours: Vec<usize> = (0..self.entries.len()).filter(|&at| self.entries[at].is_of(paper)).collect();
        if ours.is_empty() {
            return Ok(String::new());
        }
        let mut text = format!(
            "<h2 class=\"part\" id=\"{}\">{}: {}</h2>\n",
            id("document", paper.key),
            escape(paper.authors),
            escape(paper.title)
        );
        for at in ours {
            text.push_str(&self.experiment(at)?);
        }
        Ok(text)
    }

    /// The section on what each idea adds, if that was measured.
    pub(super) fn ideas(&mut self) -> Result<String, String> {
        let Some(at) = self.ideas_entry() else { return Ok(String::new()) };
        let head = "<h2 class=\"part\" id=\"ideas\">What each idea is worth</h2>\n";
        Ok(head.to_string() + &self.experiment(at)?)
    }

    fn experiment(&mut self, at: usize) -> Result<String, String> {
        let Entry { definition, published, findings } = &self.entries[at];
        let values = published.as_ref().map(|published| published.values.clone()).unwrap_or_default();
        let run = match published {
            Some(published) => format!(", {} run", published.size),
            None if definition.can_run() => ", not run".to_string(),
            None => String::new(),
        };
        let mut text = format!(
            "<h3 id=\"{}\">{}</h3>\n<p class=\"source\">{}; <code>{}</code>{run}</p>\n<p>{}</p>\n",
            self.entries[at].id(),
            inline(&definition.title),
            inline(&definition.place),
            escape(&definition.name),
            inline(&values.fill(&definition.about)),
        );
        if !findings.is_empty() {
            text.push_str(&claims(findings));
        }
        if published.is_none() {
            return Ok(text);
        }
        let (name, discussion) = (definition.name.clone(), values.fill(definition.discussion.trim()));
        let path = self.results.join(&name).join("report.md");
        let report = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        let numbers = report::numbers_of(&report)
            .ok_or_else(|| format!("{}: expected a report with a section of numbers", path.display()))?;
        text.push_str(&format!("<div class=\"numbers\">\n{}</div>\n", self.markdown(&name, numbers)?));
        text.push_str(&self.markdown(&name, &discussion)?);
        Ok(text)
    }

    /// Markdown of an experiment, with its pictures and links to other experiments.
    fn markdown(&mut self, name: &str, source: &str) -> Result<String, String> {
        let folder = self.results.join(name);
        let paper = name.split('/').next().unwrap_or_default();
        let known: Vec<String> = self.entries.iter().map(Entry::id).collect();
        let anchor = |link: &str| {
            let other = link.strip_prefix("../")?.strip_suffix("/report.md")?;
            Some(id("experiment", &format!("{paper}/{other}"))).filter(|id| known.contains(id))
        };
        let definition = self.entries.iter().map(|entry| entry.definition).find(|one| one.name == name);
        let figures = &mut self.figures;
        let mut picture = |file: &str| {
            let path = folder.join(file);
            let svg = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            let shape =
                inner(&svg).ok_or_else(|| format!("{}: expected a picture as SVG", path.display()))?;
            *figures += 1;
            let file = file.trim_end_matches(".svg");
            let title = definition.and_then(|one| one.picture(file)).unwrap_or(file);
            Ok(figure(*figures, name, title, &shape))
        };
        let html = markdown(source, &mut Links { picture: &mut picture, anchor: &anchor })?;
        // A picture is no part of a paragraph.
        Ok(html.replace("<p><figure", "<figure").replace("</figure>\n</p>", "</figure>\n"))
    }
}

/// An SVG picture without what only a file of its own needs, and with a size that follows the page. Nothing that acts or that lies
/// elsewhere is let in.
fn inner(svg: &str) -> Option<String> {
    let rest = svg.trim().strip_prefix("<svg")?;
    let (head, body) = rest.split_once('>')?;
    let view = head.split("viewBox=\"").nth(1)?.split('"').next()?;
    let width = view.split_whitespace().nth(2)?.parse::<f64>().ok()?;
    let lower = body.to_lowercase();
    if !lower.ends_with("</svg>")
        || ["<script", "href", " on", "<foreign", "url("]
            .iter()
            .any(|bad| lower.match_indices(bad).any(|(at, _)| is_in_tag(&lower, at)))
    {
        return None;
    }
    // As wide as on a screen, but never wider than the page.
    Some(format!("<svg viewBox=\"{}\" width=\"{width}\" role=\"img\"%LABEL%>{body}", escape(view)))
}

/// Whether a place in a text lies within a tag.
fn is_in_tag(text: &str, at: usize) -> bool {
    let (open, close) = (text[..=at].rfind('<'), text[..at].rfind('>'));
    open.is_some_and(|open| close.is_none_or(|close| close < open))
}

fn figure(number: usize, experiment: &str, title: &str, svg: &str) -> String {
    let caption = format!("Figure {number}: {title} ({experiment})");
    let svg = svg.replacen("%LABEL%", &format!(" aria-label=\"{}\"", escape(&caption)), 1);
    let tall = if is_tall(&svg) { " class=\"tall\"" } else { "" };
    format!(
        "<figure id=\"figure-{number}\"{tall}>\n{svg}\n<figcaption>{}</figcaption>\n</figure>\n",
        escape(&caption)
    )
}

/// Whether a picture is one of many rows, which need the room of a page.
fn is_tall(svg: &str) -> bool {
    let view = svg.split("viewBox=\"").nth(1).and_then(|rest| rest.split('"').next());
    let height = view.and_then(|view| view.split_whitespace().nth(3)?.parse::<f64>().ok());
    height.is_some_and(|height| height > TALL)
}

/// From this height on, in pixels, a picture may fill a page.
const TALL: f64 = 520.0;

/// The claims of an experiment with thresholds and verdicts.
fn claims(findings: &[Finding]) -> String {
    let row = |finding: &Finding| {
        let sign = match finding.verdict {
            ClaimVerdict::Confirmed => "✓ ",
            ClaimVerdict::NotConfirmed => "✗ ",
            ClaimVerdict::Undecided => "? ",
            ClaimVerdict::Unchecked | ClaimVerdict::Open => "– ",
        };
        let checks: Vec<String> = finding
            .checks
            .iter()
            .map(|check| escape(&format!("{} {}", check.value, check.threshold)))
            .collect();
        vec![
            inline(&finding.says),
            inline(&finding.paper),
            checks.join("<br>"),
            inline(&finding.ours),
            format!("<span class=\"verdict\">{sign}</span>{}", inline(&finding.outcome())),
        ]
    };
    let rows: Vec<Vec<String>> = findings.iter().map(row).collect();
    table("claims", &["claim", "paper", "threshold", "ours", "verdict"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_may_neither_act_nor_lead_elsewhere() {
        let svg = |body: &str| format!("<svg width=\"9\" viewBox=\"0 0 9 9\" xmlns=\"x\">{body}</svg>\n");
        assert!(inner(&svg("<text>score on href</text>")).is_some());
        for bad in ["<script>1</script>", "<a href='x'/>", "<g onload='x'/>", "<image xlink:href='x'/>"] {
            assert_eq!(inner(&svg(bad)), None, "{bad}");
        }
        assert_eq!(inner("<html>"), None);
    }

    #[test]
    fn a_picture_follows_the_page_and_has_a_name() {
        let svg =
            inner("<svg width=\"900\" height=\"480\" viewBox=\"0 0 900 480\" xmlns=\"http://x\">a</svg>")
                .expect("SVG");
        let found = figure(3, "a/b", "nodes", &svg);
        let shape = "<svg viewBox=\"0 0 900 480\" width=\"900\" role=\"img\" aria-label=\"Figure 3: nodes (a/b)\">a</svg>";
        assert_eq!(
            found,
            format!(
                "<figure id=\"figure-3\">\n{shape}\n<figcaption>Figure 3: nodes (a/b)</figcaption>\n</figure>\n"
            )
        );
    }
}

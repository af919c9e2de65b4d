//! The report of an experiment: our numbers beside the paper's, what they say about its claims, and why.

use super::claim::Finding;
use super::definition::{Definition, Size};
use super::lab::Measured;
use super::result::Published;
use super::table::ReportTable;
use crate::run::Provenance;

const NUMBERS: &str = "## Numbers\n";
const WHY: &str = "## Why\n";
const AGAIN: &str = "## Again\n";

/// The report as Markdown.
pub(super) fn write(definition: &Definition, published: &Published, measured: &[Measured]) -> String {
    around(definition, published, &numbers(measured))
}

/// A report with its numbers as they are, and what the definition now says about them. None if it is no report.
pub(super) fn rewrite(definition: &Definition, published: &Published, old: &str) -> Option<String> {
    numbers_of(old).map(|numbers| around(definition, published, numbers))
}

/// What a report says between its claims and its reasons: tables and pictures.
pub(super) fn numbers_of(report: &str) -> Option<&str> {
    let (_, rest) = report.split_once(NUMBERS)?;
    let end = rest.find(WHY).or_else(|| rest.find(AGAIN))?;
    Some(&rest[..end])
}

/// What was measured: tables and pictures.
fn numbers(measured: &[Measured]) -> String {
    let mut text = "\n".to_string();
    for table in measured.iter().flat_map(|one| &one.tables).filter(|table| !table.rows.is_empty()) {
        text.push_str(&table.markdown());
        text.push('\n');
    }
    if measured.iter().any(|one| one.data.head.contains(&"winner".to_string())) {
        text.push_str("Scores count a draw as half a win; intervals are 95 % (of pairs where there are ten or more, else Wilson's).\n\n");
    }
    for (name, _) in measured.iter().flat_map(|one| &one.plots) {
        text.push_str(&format!("![{name}]({name}.svg)\n\n"));
    }
    text
}

/// What the definition says before and after the numbers.
fn around(definition: &Definition, published: &Published, numbers: &str) -> String {
    let about = published.values.fill(&definition.about);
    let mut text = format!("# {}\n\n{}\n\n{about}\n\n", definition.title, source(definition));
    if published.size == Size::Quick {
        text.push_str(
            "**A quick run**: it shows the form of the result; the full run has the numbers to rely on.\n\n",
        );
    }
    if !definition.claims.is_empty() {
        text.push_str("## Claims\n\n");
        text.push_str(&claims(&published.findings(definition)).markdown());
        text.push('\n');
    }
    text.push_str(NUMBERS);
    text.push_str(numbers);
    if !definition.discussion.trim().is_empty() {
        text.push_str(WHY);
        text.push('\n');
        text.push_str(published.values.fill(definition.discussion.trim()).as_str());
        text.push_str("\n\n");
    }
    text.push_str(&repeat(definition, published));
    text
}

fn source(definition: &Definition) -> String {
    match definition.paper() {
        Some(paper) => format!("{}, *{}*, {}.", paper.authors, paper.title, definition.place),
        None => format!("{}.", definition.place),
    }
}

/// A table of claims.
pub(super) fn claims(findings: &[Finding]) -> ReportTable {
    let mut table = ReportTable::new("", &["claim", "paper", "threshold", "ours", "verdict"], 5);
    for finding in findings {
        let Finding { says, paper, ours, .. } = finding;
        table.rows.push(vec![
            says.clone(),
            paper.clone(),
            finding.threshold(),
            ours.clone(),
            finding.outcome(),
        ]);
    }
    table
}

/// How to get the same again.
fn repeat(definition: &Definition, published: &Published) -> String {
    let again = if definition.is_timed() {
        "Times (of processors, unless they are called wall; as exact as the two shortest repeats agree, a single one to a \
         tenth) and games in which time is limited depend on the machine; every other count comes out the same again."
    } else {
        "Nothing in it depends on time: the same command gives the same counts again."
    };
    format!(
        "{AGAIN}\n```sh\n{}\n```\n\nSeed {}, version {}{}, {} on {}{}. {again} Every row is in [data.csv](data.csv), every \
         value in [result.json](result.json).\n",
        published.again(),
        published.seed,
        published.version,
        published.provenance.as_ref().map_or(String::new(), program),
        duration(published.seconds),
        threads(published.threads),
        circumstances(published),
    )
}

fn program(Provenance { commit, bench, network, .. }: &Provenance) -> String {
    format!(" (commit {commit}, bench {bench}, network {network})")
}

/// The machine and the day, where the result says them.
fn circumstances(published: &Published) -> String {
    let machine = published.provenance.as_ref().and_then(|made_by| made_by.machine.as_ref());
    let machine = machine.map_or(String::new(), |machine| format!(" ({machine})"));
    let date = published.date.as_ref().map_or(String::new(), |date| format!(", {date}"));
    format!("{machine}{date}")
}

pub(super) fn threads(threads: usize) -> String {
    if threads == 1 { "one thread".to_string() } else { format!("{threads} threads") }
}

/// So many seconds, for people.
pub(super) fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{} s", seconds.max(1)),
        120..7200 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

//! The overview of all claims: what each paper says, what we measured, and the verdict.

use std::path::Path;

use super::claim::{ClaimVerdict, Finding};
use super::definition::Definition;
use super::paper::Paper;
use super::report::duration;
use super::result::Published;
use super::table::ReportTable;
use super::values::Values;

const HEAD: &str = "# The papers' experiments, run again

Every claim of the five documents that a program can check, what the paper says, what we measured, and the verdict. A claim is
*confirmed* if our numbers agree with it beyond their 95 % intervals (two measured numbers beyond that of their difference), *not
confirmed* if they contradict it beyond them, and *undecided* otherwise; where it can be said, with the number of games that would
decide it. The threshold is what our value had to be, with the number behind each name. Counts such as nodes are exact for the positions searched and
have no interval; times are as exact as their two shortest repeats agree. Each link leads to the report, with tables, pictures, the reasons, and the command that gives
the same again.

This file is made from the results: `sumito lab overview > experiments/README.md`. `sumito lab list` shows what can be run, and
`sumito lab run NAME` runs it.

";

/// The overview as Markdown, from the results in a folder. `link` is the way to them from where it is kept.
pub fn write(library: &[Definition], results: &Path, link: &str) -> Result<String, String> {
    let mut found = Vec::new();
    for definition in library {
        let published = Published::read(results, &definition.name)?;
        let findings = definition.findings(published.as_ref());
        found.push((definition, published, findings));
    }
    let all: Vec<&Finding> = found.iter().flat_map(|(_, _, findings)| findings).collect();
    let mut text = format!("{HEAD}{}\n", tally(&all));
    for paper in Paper::ALL {
        let ours: Vec<_> =
            found.iter().filter(|(definition, ..)| definition.paper() == Some(paper)).collect();
        if ours.is_empty() {
            continue;
        }
        text.push_str(&format!("\n## {}: {}\n\n", paper.authors, paper.title));
        let mut table =
            ReportTable::new("", &["where", "claim", "paper", "threshold", "ours", "verdict", "run"], 7);
        for (definition, published, findings) in ours {
            let run = published.as_ref().map_or("-".to_string(), |published| {
                format!("{}, {}", published.size, duration(published.seconds))
            });
            let place = match published {
                Some(_) => format!("[{}]({link}/{}/report.md)", definition.place, definition.name),
                None => definition.place.clone(),
            };
            for finding in findings {
                let Finding { says, paper, ours, .. } = finding;
                let row = [&place, says, paper, &finding.threshold(), ours, &finding.outcome(), &run];
                table.rows.push(row.map(String::clone).to_vec());
            }
            if findings.is_empty() {
                let (empty, about) = (String::new(), Values::default().fill(&definition.about));
                let row = [&place, &about, &empty, &empty, &empty, &empty, &run];
                table.rows.push(row.map(String::clone).to_vec());
            }
        }
        text.push_str(&table.markdown());
    }
    Ok(text)
}

/// How many claims have which verdict.
pub(super) fn tally(findings: &[&Finding]) -> String {
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let verdicts = [
        ClaimVerdict::Confirmed,
        ClaimVerdict::NotConfirmed,
        ClaimVerdict::Undecided,
        ClaimVerdict::Unchecked,
        ClaimVerdict::Open,
    ];
    let parts: Vec<String> = verdicts
        .into_iter()
        .filter(|&verdict| count(verdict) > 0)
        .map(|verdict| format!("{} {verdict}", count(verdict)))
        .collect();
    format!("{} claims: {}.", findings.len(), parts.join(", "))
}

//! The overview of all claims: what each paper says, what we measured, and the verdict.

use std::path::Path;

use super::claim::{Claim, ClaimVerdict, Finding};
use super::definition::Definition;
use super::paper::Paper;
use super::report::duration;
use super::result::Published;
use super::table::ReportTable;

const HEAD: &str = "# The papers' experiments, run again

Every claim of the five documents that a program can check, what the paper says, what we measured, and the verdict. A claim is
*confirmed* if our numbers agree with it beyond their 95 % intervals (two measured numbers beyond that of their difference), *not
confirmed* if they contradict it beyond them, and *undecided* otherwise. Counts such as nodes are exact for the positions searched and
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
        let findings = match &published {
            Some(published) => published.findings(definition),
            None => definition.claims.iter().map(Claim::open).collect(),
        };
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
        let mut table = ReportTable::new("", &["where", "claim", "paper", "ours", "verdict", "run"], 6);
        for (definition, published, findings) in ours {
            let run = published.as_ref().map_or("-".to_string(), |published| {
                format!("{}, {}", published.size, duration(published.seconds))
            });
            let place = match published {
                Some(_) => format!("[{}]({link}/{}/report.md)", definition.place, definition.name),
                None => definition.place.clone(),
            };
            for Finding { says, paper, ours, verdict } in findings {
                let verdict = format!("**{verdict}**");
                table.rows.push(vec![
                    place.clone(),
                    says.clone(),
                    paper.clone(),
                    ours.clone(),
                    verdict,
                    run.clone(),
                ]);
            }
            if findings.is_empty() {
                let empty = String::new();
                table.rows.push(vec![
                    place,
                    definition.about.clone(),
                    empty.clone(),
                    empty.clone(),
                    empty,
                    run,
                ]);
            }
        }
        text.push_str(&table.markdown());
    }
    Ok(text)
}

/// How many claims have which verdict.
fn tally(findings: &[&Finding]) -> String {
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

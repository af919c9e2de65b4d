//! `sumito lab show`: the claims of an experiment, what was measured, and the thresholds behind the verdicts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, Result};
use serde_json::{Value, json};
use sumito_lab::experiment::{CheckFinding, Definition, Finding, Published, find, library, read};

use crate::files::{print, print_json};

/// Show an experiment's claims: the paper's numbers, our values with their intervals, thresholds and verdicts
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito lab show aba-pro/table-1
  sumito lab show verloop --json                  all experiments of a paper")]
pub(crate) struct Args {
    /// A name as `sumito lab list` shows it, a paper's folder, or a file of one's own
    #[arg(value_name = "NAME")]
    name: String,
    /// The folder of results
    #[arg(long, default_value = "experiments/results", value_name = "DIR")]
    results: PathBuf,
    /// Print JSON: experiments with name, title, where, result, and claims with their checks
    #[arg(long)]
    json: bool,
}

/// The width of the text.
const WIDTH: usize = 100;
/// Where the text after a word such as `paper` begins.
const INDENT: usize = 13;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut shown = Vec::new();
    for definition in definitions(&args.name)? {
        let published = Published::read(&args.results, &definition.name).map_err(Error::msg)?;
        let findings = definition.findings(published.as_ref());
        shown.push((definition, published, findings));
    }
    if args.json {
        print_json(
            &shown
                .iter()
                .map(|(one, published, found)| as_json(one, published.as_ref(), found))
                .collect::<Vec<_>>(),
        )?;
    } else {
        let texts = shown.iter().map(|(one, published, found)| as_text(one, published.as_ref(), found));
        print(&texts.collect::<Vec<_>>().join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a name stands for.
fn definitions(name: &str) -> Result<Vec<Definition>> {
    if name.ends_with(".toml") {
        return Ok(vec![read(Path::new(name))?]);
    }
    let prefix = format!("{}/", name.trim_end_matches('/'));
    let of_paper: Vec<Definition> =
        library()?.into_iter().filter(|one| one.name.starts_with(&prefix)).collect();
    Ok(if of_paper.is_empty() { vec![find(name)?] } else { of_paper })
}

fn as_text(definition: &Definition, published: Option<&Published>, findings: &[Finding]) -> String {
    let run = published.map_or("no result yet".to_string(), |published| format!("{} run", published.size));
    let mut text = wrapped(&format!("{}: {}", definition.name, definition.title), 0);
    text.push_str(&wrapped(&format!("{}; {run}", definition.place), 0));
    for (number, finding) in findings.iter().enumerate() {
        text.push('\n');
        text.push_str(&wrapped(&format!("{:>2}. {}", number + 1, finding.says), 4));
        let mut line = |word: &str, content: &str| {
            if !content.is_empty() {
                text.push_str(&wrapped(&format!("    {word:<9}{content}"), INDENT));
            }
        };
        line("paper", &finding.paper);
        line(if finding.checks.is_empty() { "why not" } else { "ours" }, &finding.ours);
        for check in &finding.checks {
            line("check", &check_text(check));
        }
        line("verdict", &finding.outcome().replace('*', ""));
    }
    text
}

/// A value, the threshold, what was measured, and what follows: `d-2.score above 50: 61.0 (52.3 to 69.1), holds`.
fn check_text(check: &CheckFinding) -> String {
    let ours = check.ours.map_or("not measured".to_string(), |value| value.range());
    let holds = match check.holds {
        _ if check.ours.is_none() => "",
        Some(true) => ", holds",
        Some(false) => ", fails",
        None => ", open",
    };
    format!("{} {}: {ours}{holds}", check.value, check.threshold)
}

/// Words in lines of limited width, of which all but the first begin with so many spaces. Those at the start stay.
fn wrapped(text: &str, indent: usize) -> String {
    let start = text.len() - text.trim_start().len();
    let (mut out, mut line) = (String::new(), text[..start].to_string());
    let mut is_empty = true;
    for word in text[start..].split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            (line, is_empty) = (" ".repeat(indent), true);
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    out + line.trim_end() + "\n"
}

fn as_json(definition: &Definition, published: Option<&Published>, findings: &[Finding]) -> Value {
    let claim = |finding: &Finding| {
        json!({
            "says": finding.says,
            "paper": finding.paper,
            "ours": finding.ours,
            "threshold": finding.threshold(),
            "verdict": finding.verdict,
            "needs": finding.needs(),
            "checks": finding.checks,
        })
    };
    json!({
        "name": definition.name,
        "title": definition.title,
        "where": definition.place,
        "result": published.map(|published| published.size),
        "claims": findings.iter().map(claim).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_at_most_as_wide_as_they_may_be() {
        let text = wrapped(&format!("    paper    {}", "some words ".repeat(30).trim()), 13);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        assert!(text.starts_with("    paper    some words"), "{text}");
        assert!(
            text.lines().skip(1).all(|line| line.starts_with("             ") && !line.ends_with(' ')),
            "{text}"
        );
        assert_eq!(text.split_whitespace().count(), 61);
    }
}

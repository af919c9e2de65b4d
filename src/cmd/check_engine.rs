//! `sumito check-engine`: does an engine keep to the protocol?

use std::process::ExitCode;
use std::time::Duration;

use comfy_table::{Cell, Color, ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};
use serde_json::json;
use sumito_agents::check::{Check, Waits, run as run_checks};
use sumito_agents::external::split_words;

use crate::files::{print, print_json};
use crate::interrupt::end_on_interrupt;

/// Check whether an engine keeps to the protocol.
///
/// The engine is started several times, plays from all phases of the game, is given nonsense, and is ended.
/// Exits with 1 if a check fails.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The engine's command with its arguments, after our own options, or all of it in quotes
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// How late an answer may be, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    grace: u64,
    /// How long to wait for an answer that has no time of its own, in milliseconds; a search without one counts as
    /// hanging after twice as long, and no other is tried
    #[arg(long, value_name = "MS", default_value_t = 5000)]
    patience: u64,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let command = match &args.command[..] {
        [line] => split_words(line).map_err(anyhow::Error::msg)?,
        words => words.to_vec(),
    };
    anyhow::ensure!(!command.is_empty(), "expected the command of an engine");
    let waits = Waits::patient(Duration::from_millis(args.grace), Duration::from_millis(args.patience));
    end_on_interrupt()?;
    let checks = run_checks(&command, waits, |_| {});
    if args.json {
        print_json(&to_json(&command, &checks))?;
    } else {
        print(&format!("{}\n{}\n", table(&checks), summary(&checks)))?;
    }
    let has_failed = checks.iter().any(|check| check.passed == Some(false));
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn to_json(command: &[String], checks: &[Check]) -> serde_json::Value {
    let checks: Vec<_> = checks
        .iter()
        .map(|check| json!({ "name": check.name, "passed": check.passed, "detail": check.detail }))
        .collect();
    json!({ "command": command, "checks": checks })
}

fn table(checks: &[Check]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["check", "result", "seen"]);
    for check in checks {
        let (word, color) = match check.passed {
            Some(true) => ("pass", Color::Green),
            Some(false) => ("FAIL", Color::Red),
            None => ("skip", Color::Yellow),
        };
        table.add_row([Cell::new(check.name), Cell::new(word).fg(color), Cell::new(&check.detail)]);
    }
    table
}

fn summary(checks: &[Check]) -> String {
    let count = |passed| checks.iter().filter(|check| check.passed == passed).count();
    let (passed, failed, skipped) = (count(Some(true)), count(Some(false)), count(None));
    format!("{passed} passed, {failed} failed, {skipped} skipped")
}

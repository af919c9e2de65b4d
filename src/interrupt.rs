//! Long work that the keyboard can stop: Ctrl-C, the exit code, and the command that goes on.

use std::process::ExitCode;

use anyhow::{Context, Result};
use sumito_agents::Stop;

use crate::files::{print, print_json};

/// The exit code of a program that was interrupted from the keyboard.
pub(crate) const INTERRUPTED: u8 = 130;

/// Requested by the first Ctrl-C, which so ends the work in good order; a second one ends the program.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::default();
    let requested = stop.clone();
    ctrlc::set_handler(move || {
        if requested.is_requested() {
            end();
        }
        requested.request();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// A Ctrl-C ends the program, and with it the external engines, which it would not reach by itself.
pub(crate) fn end_on_interrupt() -> Result<()> {
    ctrlc::set_handler(end).context("cannot listen for Ctrl-C")
}

fn end() {
    sumito_agents::external::end_all();
    std::process::exit(INTERRUPTED.into());
}

/// Prints what came out, as JSON or as text. Work that was stopped says after how much of it, and how to go on.
pub(crate) fn conclude(
    report: &impl serde::Serialize,
    json: bool,
    text: impl FnOnce() -> Result<String>,
    stopped_after: Option<String>,
) -> Result<ExitCode> {
    if json {
        print_json(report)?;
    } else {
        print(&text()?)?;
    }
    let Some(part) = stopped_after else { return Ok(ExitCode::SUCCESS) };
    tell!("Stopped after {part}. Go on with:\n  {}", command_line());
    Ok(ExitCode::from(INTERRUPTED))
}

/// How many threads to use when nobody says: one less than there are processors.
pub(crate) fn free_processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1)
}

/// The command that was given, fit for a shell.
pub(crate) fn command_line() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@+%".contains(c);
    let quoted = |arg: String| {
        if !arg.is_empty() && arg.chars().all(plain) {
            arg
        } else {
            format!("'{}'", arg.replace('\'', r"'\''"))
        }
    };
    std::env::args_os().map(|arg| quoted(arg.to_string_lossy().into_owned())).collect::<Vec<_>>().join(" ")
}

//! Long work that the keyboard can stop: Ctrl-C, the exit code, and the command that goes on.

use anyhow::{Context, Result};
use sumito_agents::Stop;

/// The exit code of a program that was interrupted from the keyboard.
pub(crate) const INTERRUPTED: u8 = 130;

/// The first Ctrl-C ends the work in good order, a second one the program.
pub(crate) fn stop_on_interrupt(stop: &Stop) -> Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.is_requested() {
            end();
        }
        stop.request();
    })
    .context("cannot listen for Ctrl-C")
}

/// A Ctrl-C ends the program, and with it the external engines, which it would not reach by itself.
pub(crate) fn end_on_interrupt() -> Result<()> {
    ctrlc::set_handler(end).context("cannot listen for Ctrl-C")
}

fn end() {
    sumito_agents::external::end_all();
    std::process::exit(INTERRUPTED.into());
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

//! Does an engine keep to the protocol? A suite of checks against the command of any engine, each of them a
//! line in a table.
//!
//! An engine that leaves one search without an answer would most likely do so in all of them, and each costs the whole
//! patience twice. So the checks that need a search are not run after that.

mod checks;
mod extensions;
mod positions;
mod session;

use std::time::Duration;

use session::Session;

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was asked for.
    pub name: &'static str,
    /// Whether the engine did it; `None` if the check does not apply or was not run.
    pub passed: Option<bool>,
    /// What was seen.
    pub detail: String,
}

/// How long the checks wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// How late an answer to `stop` or to the end of a time may be.
    pub grace: Duration,
    /// How long the handshake and `isready` may take.
    pub start: Duration,
    /// How long an answer may take beyond the search's own time, and once more after `stop`, until the search counts as
    /// hanging.
    pub search: Duration,
    /// How long the process may take to end after `quit`.
    pub quit: Duration,
}

impl Waits {
    /// The same patience with the start, searches and the end.
    pub fn patient(grace: Duration, patience: Duration) -> Waits {
        Waits { grace, start: patience, search: patience, quit: patience }
    }
}

impl Default for Waits {
    fn default() -> Waits {
        Waits::patient(Duration::from_millis(100), Duration::from_secs(5))
    }
}

/// Runs all checks against an engine's command, program and arguments, and shows each one when it is done.
pub fn run(command: &[String], waits: Waits, mut done: impl FnMut(&Check)) -> Vec<Check> {
    let mut session = Session::new(command, waits);
    let mut table = Vec::new();
    let mut has_started = true;
    for &Task { name, searches, check } in [checks::ALL, extensions::ALL, checks::LAST].into_iter().flatten()
    {
        let verdict = match () {
            () if !has_started => Ok(Verdict::skipped("no handshake")),
            () if searches && session.hangs => {
                Ok(Verdict::skipped("not run: an earlier search was not answered"))
            }
            () => check(&mut session),
        };
        // A failure leaves the engine in a state that the next check should not suffer from.
        if verdict.is_err() {
            session.restart();
        }
        has_started &= !(table.is_empty() && verdict.is_err());
        let check = match verdict {
            Ok(Verdict { applies, detail }) => Check { name, passed: applies.then_some(true), detail },
            Err(detail) => Check { name, passed: Some(false), detail },
        };
        done(&check);
        table.push(check);
    }
    table
}

/// A check to do.
struct Task {
    name: &'static str,
    /// Whether it makes no sense with an engine that hangs in searches.
    searches: bool,
    /// Says what was seen, or what is wrong.
    check: fn(&mut Session) -> Result<Verdict, String>,
}

impl Task {
    const fn new(name: &'static str, check: fn(&mut Session) -> Result<Verdict, String>) -> Task {
        Task { name, searches: false, check }
    }

    const fn search(name: &'static str, check: fn(&mut Session) -> Result<Verdict, String>) -> Task {
        Task { name, searches: true, check }
    }
}

/// A check that did not fail.
struct Verdict {
    applies: bool,
    detail: String,
}

impl Verdict {
    fn passed(detail: impl Into<String>) -> Verdict {
        Verdict { applies: true, detail: detail.into() }
    }

    fn skipped(detail: impl Into<String>) -> Verdict {
        Verdict { applies: false, detail: detail.into() }
    }
}

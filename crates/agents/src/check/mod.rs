//! Does an engine keep to the protocol? A suite of checks against the command of any engine, each of them a
//! line in a table.

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
    /// Whether the engine did it; `None` if the check does not apply.
    pub passed: Option<bool>,
    /// What was seen.
    pub detail: String,
}

/// How long the checks wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// How late an answer to `stop` or to the end of a time may be.
    pub grace: Duration,
    /// How long anything may take that has no limit of its own.
    pub patience: Duration,
}

impl Default for Waits {
    fn default() -> Waits {
        Waits { grace: Duration::from_millis(100), patience: Duration::from_secs(5) }
    }
}

/// Runs all checks against an engine's command, program and arguments, and shows each one when it is done.
pub fn run(command: &[String], waits: Waits, mut done: impl FnMut(&Check)) -> Vec<Check> {
    let mut session = Session::new(command, waits);
    let mut table = Vec::new();
    let mut has_started = true;
    for (name, check) in [checks::ALL, extensions::ALL, checks::LAST].into_iter().flatten() {
        let verdict = if has_started { check(&mut session) } else { Ok(Verdict::skipped("no handshake")) };
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

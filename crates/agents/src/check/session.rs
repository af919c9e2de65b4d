//! The engine under examination, started when needed and again after a failure.

use std::time::{Duration, Instant};

use sumito_rules::{Game, Move, Notation};

use super::Waits;
use crate::agent::{AgentError, Info, Limits};
use crate::external::{Ended, Process, play};
use crate::protocol::position;

/// An engine's command and, once needed, its process.
pub(super) struct Session {
    command: Vec<String>,
    pub(super) waits: Waits,
    process: Option<Process>,
    /// What it said between `ugi` and `ugiok`.
    pub(super) introduction: Vec<String>,
    /// Whether a search was left without an answer, even after `stop`.
    pub(super) hangs: bool,
}

/// The most bytes that an engine may say between `ugi` and `ugiok`.
const LONGEST_INTRODUCTION: usize = 1 << 20;

/// A legal answer.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) chosen: Move,
    pub(super) time: Duration,
}

impl Session {
    pub(super) fn new(command: &[String], waits: Waits) -> Session {
        Session { command: command.to_vec(), waits, process: None, introduction: Vec::new(), hangs: false }
    }

    /// The process, after its handshake.
    pub(super) fn engine(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            self.process = Some(self.start()?);
        }
        self.process.as_mut().ok_or_else(|| "the engine is gone".to_string())
    }

    fn start(&mut self) -> Result<Process, String> {
        let mut process = Process::start(&self.command, self.waits.quit)?;
        process.send("ugi");
        let (mut said, mut size) = (Vec::new(), 0);
        let hello = process.wait_for(self.waits.start, |tokens| {
            let line = tokens.join(" ");
            size += line.len() + 1;
            if size > LONGEST_INTRODUCTION {
                return Some(Err(format!(
                    "expected 'ugiok' within {LONGEST_INTRODUCTION} bytes, found more"
                )));
            }
            said.push(line);
            (tokens == ["ugiok"]).then_some(Ok(()))
        });
        hello.map_err(gone)?.ok_or_else(|| format!("no 'ugiok' within {:?}", self.waits.start))??;
        self.introduction = said;
        Ok(process)
    }

    /// Ends the process, without asking it: whatever it does is no longer of interest. The next check starts another one.
    pub(super) fn restart(&mut self) {
        self.process.iter_mut().for_each(Process::end);
        self.process = None;
    }

    /// The process, no longer ours: the next check starts another one.
    pub(super) fn take(&mut self) -> Result<Process, String> {
        self.engine()?;
        self.process.take().ok_or_else(|| "the engine is gone".to_string())
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), String> {
        self.engine()?.send(line);
        Ok(())
    }

    /// The first line for which `wanted` gives something, and how long it took; `None` if it takes too long.
    pub(super) fn hear<T>(
        &mut self,
        patience: Duration,
        wanted: impl FnMut(&[&str]) -> Option<T>,
    ) -> Result<Option<(T, Duration)>, String> {
        let start = Instant::now();
        let heard = self.engine()?.wait_for(patience, wanted).map_err(gone)?;
        Ok(heard.map(|heard| (heard, start.elapsed())))
    }

    /// Sends `isready` and waits for the answer, passing over everything before it.
    pub(super) fn ready(&mut self) -> Result<Duration, String> {
        let patience = self.waits.start;
        self.send("isready")?;
        let ready = self.hear(patience, |tokens| (tokens == ["readyok"]).then_some(()))?;
        ready.map(|(_, time)| time).ok_or_else(|| format!("no 'readyok' within {patience:?}"))
    }

    /// Asks for a move in a game. Fails if the answer does not come before `limit`, or is no legal move.
    pub(super) fn ask(&mut self, game: &Game, limits: &Limits, limit: Duration) -> Result<Answer, String> {
        self.ask_and_hear(game, limits, limit, &mut |_| {})
    }

    /// The same, and hears what the engine says while it thinks.
    pub(super) fn ask_and_hear(
        &mut self,
        game: &Game,
        limits: &Limits,
        limit: Duration,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Answer, String> {
        let patience = self.waits.search;
        self.send(&position::write(game))?;
        self.ready()?;
        let start = Instant::now();
        let waits = (Some(limit + patience), patience);
        let line = play(self.engine()?, game.position(), limits, waits, report);
        self.hangs |= matches!(line, Err(AgentError::TimedOut(_)));
        let line = line.map_err(|why| why.to_string())?;
        let time = start.elapsed();
        let (chosen, text) = read(game, &line)?;
        Ok(Answer { text, chosen, time })
    }
}

/// The move of a `bestmove` line of exactly two words.
pub(super) fn read(game: &Game, line: &str) -> Result<(Move, String), String> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    let ["bestmove", text] = tokens[..] else {
        return Err(format!("expected 'bestmove' and one move, found '{line}'"));
    };
    let chosen = Notation::AbaPro.parse(game.position(), text);
    let chosen = chosen.map_err(|_| format!("'{text}' is not legal after '{}'", brief(game)))?;
    Ok((chosen, text.to_string()))
}

/// The end of a process as a sentence.
fn gone(Ended(why): Ended) -> String {
    format!("the engine ended: {why}")
}

/// The `position` line of a game, without the middle of a long one.
fn brief(game: &Game) -> String {
    let line = position::write(game);
    if line.len() <= 120 { line } else { format!("{} ... {}", &line[..80], &line[line.len() - 30..]) }
}

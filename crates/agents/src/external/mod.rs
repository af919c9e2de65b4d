//! An engine of anyone's making as an agent: a process that speaks UGI.
//!
//! The spec is `ugi:COMMAND`, with the command split as a shell does, or `ugi[Name=Value,...]:COMMAND` to set
//! options of the engine; a value with a comma stands in quotes.
//!
//! Whatever the process does, the agent answers in time: it waits for the limit of the move and a little
//! longer, then ends the process with all its children. A process that ended is started again with the next game.
//! The engine's `Rules` option, if it has one, is set to the rules of the game.

mod engine;
mod group;
mod process;
mod spec;

use std::time::Duration;

use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Limits, Listener};
use crate::entry::Entry;
use crate::options::process;

pub(crate) use engine::{Engine, play};
pub use group::end_all;
pub(crate) use process::{Ended, Process};
pub(crate) use spec::is_spec;
pub use spec::{EngineSpec, split_words};

/// The option that stands for the command.
pub(crate) const COMMAND: &str = "command";

/// The entry of external engines. It is not among those of [`entries`](crate::registry::entries), since its
/// name alone builds nothing.
pub static ENTRY: Entry = Entry {
    name: "ugi",
    summary: "any engine that speaks UGI: ugi:COMMAND or ugi[Name=Value,...]:COMMAND",
    source: "",
    options: &[process(COMMAND, "the engine's program and its arguments").hidden()],
    build: |name, _| {
        let engine = External::start(name, EngineSpec::parse(name)?, Patience::default());
        Ok(Box::new(engine?))
    },
};

/// How long to wait for an engine that should answer at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the start of the process and of a game.
    pub start: Duration,
    /// For a move, beyond its limit.
    pub answer: Duration,
    /// For the end of the process after `quit`.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(30),
            answer: Duration::from_secs(5),
            quit: Duration::from_secs(1),
        }
    }
}

/// An engine in a process of its own.
pub struct External {
    name: String,
    spec: EngineSpec,
    patience: Patience,
    /// The engine, or what went wrong with it.
    engine: Result<Engine, AgentError>,
}

impl External {
    /// Starts the engine and sets its options, or says in a sentence why that is not possible.
    pub fn start(name: &str, spec: EngineSpec, patience: Patience) -> Result<External, String> {
        let engine = Ok(Engine::start(&spec, patience)?);
        Ok(External { name: name.to_string(), spec, patience, engine })
    }

    /// An engine that says these lines whatever it hears, and then ends: what the fuzzer puts in its place.
    #[cfg(fuzzing)]
    pub fn scripted(spec: EngineSpec, said: Vec<u8>) -> Result<External, String> {
        let patience = Patience::default();
        let engine = Ok(Engine::meet(Process::scripted(said), &spec, patience)?);
        // It cannot be started again.
        let spec = EngineSpec { command: Vec::new(), ..spec };
        Ok(External { name: "scripted".to_string(), spec, patience, engine })
    }

    fn begin(&mut self, rules: &Rules) -> Result<(), AgentError> {
        if self.engine.is_err() {
            self.engine = Ok(Engine::start(&self.spec, self.patience).map_err(AgentError::Crashed)?);
        }
        self.engine.as_mut().map_err(|why| why.clone())?.new_game(rules)
    }
}

impl Agent for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, rules: &Rules, _: Option<u64>) {
        // An engine that died between two games is worth a second attempt.
        for _ in 0..2 {
            match self.begin(rules) {
                Ok(()) => return,
                Err(why) => self.engine = Err(why),
            }
        }
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        if game.outcome().is_some() {
            return Err(AgentError::NoMove);
        }
        let engine = self.engine.as_mut().map_err(|why| why.clone())?;
        let answer = engine.choose(game, limits, report);
        if let Err(why @ (AgentError::Crashed(_) | AgentError::TimedOut(_))) = &answer {
            self.engine = Err(why.clone());
        }
        answer
    }
}

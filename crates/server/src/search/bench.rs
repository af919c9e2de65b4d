//! What a search thread has at hand: an engine for studies, and the agents that it used last. All of them stay
//! between searches, since making one takes memory and time.

use sumito_agents::{Agent, registry};
use sumito_engine::{Engine, Options};
use sumito_rules::Rules;

use crate::view::seat::Spec;

/// Agents that are kept.
const KEPT: usize = 3;

/// A thread's engine and agents.
pub(crate) struct Bench {
    hash: usize,
    engine: Option<Engine>,
    /// The last used at the end: the spec, the game that it played in, and the agent.
    agents: Vec<(String, u64, Box<dyn Agent>)>,
}

impl Bench {
    pub(crate) fn new(hash: usize) -> Bench {
        Bench { hash, engine: None, agents: Vec::new() }
    }

    /// The engine for studies, to be given back. What it knows of other positions does no harm.
    pub(crate) fn take_engine(&mut self) -> Engine {
        let hash = self.hash;
        self.engine.take().unwrap_or_else(|| Engine::new(Options { hash, threads: 1, ..Options::default() }))
    }

    pub(crate) fn give_back(&mut self, engine: Engine) {
        self.engine = Some(engine);
    }

    /// An agent that plays in this game, which is known by any number.
    pub(crate) fn agent(&mut self, spec: &Spec, game: u64, rules: &Rules) -> Result<&mut dyn Agent, String> {
        let text = spec.thrifty();
        let found = self.agents.iter().position(|(known, ..)| *known == text);
        let mut entry = match found {
            Some(at) => self.agents.remove(at),
            None => {
                let agent = registry::build(&text).map_err(|error| error.to_string())?;
                (text, u64::MAX, agent)
            }
        };
        if entry.1 != game {
            entry.2.new_game(rules);
            entry.1 = game;
        }
        if self.agents.len() >= KEPT {
            self.agents.remove(0);
        }
        self.agents.push(entry);
        Ok(self.agents.last_mut().expect("just pushed").2.as_mut())
    }
}

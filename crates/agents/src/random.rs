//! A player that chooses any legal move with equal chance.

use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Info, Limits};
use crate::entry::Entry;
use crate::seed::{GameRng, SEED};

pub(crate) static ENTRY: Entry = Entry {
    name: "random",
    summary: "any legal move, with equal chance",
    source: "",
    options: &[SEED],
    build: |name, options| Ok(Box::new(Random { name: name.to_string(), rng: GameRng::new(options.seed()) })),
};

struct Random {
    name: String,
    rng: GameRng,
}

impl Agent for Random {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
        self.rng.pick(&game.legal_moves()).ok_or(AgentError::NoMove)
    }
}

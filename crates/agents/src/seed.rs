//! The option `seed`, and the random numbers that follow from it in every game.

use std::ops::{Deref, DerefMut};

use sumito_engine::Rng;

use crate::options::{OptionSpec, Options, int};

/// The seed of an agent that makes random choices.
pub(crate) const SEED: OptionSpec = int("seed", 1, (0, i64::MAX), "seed of the random choices");

/// What an agent's spec says about its seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    pub(crate) value: u64,
    /// Whether the spec gives it, so that it holds for every game.
    pub(crate) is_given: bool,
}

impl Seed {
    /// The seed in a game that comes with one.
    pub(crate) fn in_game(self, game: u64) -> u64 {
        if self.is_given { self.value } else { game }
    }
}

impl Options {
    /// The seed that its `seed` says, to be used for every game if it was given.
    pub(crate) fn seed(&self) -> Seed {
        let is_given = self.given().any(|(option, _)| option.name == SEED.name);
        Seed { value: self.int(SEED.name) as u64, is_given }
    }
}

/// The random numbers of an agent, which begin anew with every game that comes with a seed.
pub(crate) struct GameRng {
    seed: Seed,
    rng: Rng,
}

impl GameRng {
    pub(crate) fn new(seed: Seed) -> GameRng {
        GameRng { seed, rng: Rng::new(seed.value) }
    }

    /// A game begins. Without a seed of its own the numbers go on.
    pub(crate) fn begin(&mut self, game: Option<u64>) {
        if let Some(game) = game {
            self.rng = Rng::new(self.seed.in_game(game));
        }
    }
}

impl Deref for GameRng {
    type Target = Rng;

    fn deref(&self) -> &Rng {
        &self.rng
    }
}

impl DerefMut for GameRng {
    fn deref_mut(&mut self) -> &mut Rng {
        &mut self.rng
    }
}

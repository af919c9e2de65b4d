//! A player that chooses any legal move with equal chance, and the generator behind every random choice.

use std::ops::{Deref, DerefMut};

use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Info, Limits};
use crate::options::{OptionSpec, int};
use crate::registry::Entry;

/// SplitMix64: small, fast, and the same everywhere for the same seed.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// One of the items, if there is one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "random",
    summary: "any legal move, with equal chance",
    source: "",
    options: &[SEED],
    build: |spec, options| Ok(Box::new(Random { name: spec.to_string(), rng: GameRng::new(options.seed()) })),
};

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

//! How long a search may last, and the flags by which it hears from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sumito_rules::{ByColor, Move};

use crate::pause::Pause;

/// How long a player may think about one move. What is absent does not limit it, and what a player does not know it
/// passes over: the agents of the papers know neither `moves` nor `lines`, an external engine knows no `pause`.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Both players' clocks.
    pub clock: Option<ByColor<Clock>>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Think until stopped, whatever the time.
    pub infinite: bool,
    /// Look only for a win in at most so many own moves, and end when one is proved.
    pub mate: Option<u32>,
    /// How many best lines to find (multi-PV); none counts as one.
    pub lines: usize,
    /// The moves to choose among; all if empty.
    pub moves: Vec<Move>,
    /// The other side is still thinking: no time counts until it has moved.
    pub ponder: Option<Ponder>,
    /// Kept back of every time, for the way of the answer.
    pub overhead: Duration,
    /// Set from outside to make the player answer at once.
    pub stop: Stop,
    /// Holds the player up from outside; no time counts meanwhile.
    pub pause: Pause,
}

impl Limits {
    /// Whether the other side is still thinking.
    pub fn is_pondering(&self) -> bool {
        self.ponder.as_ref().is_some_and(Ponder::is_on)
    }
}

/// A player's remaining time and what each move adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A flag that ends a search from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// Another flag that ends it as well.
    other: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// Asks for an answer as soon as possible.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Takes the request back, for the next search.
    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub fn is_requested(&self) -> bool {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_set(&self.flag) || self.other.as_ref().is_some_and(is_set)
    }

    /// A flag that is set when this one or another one is.
    pub(crate) fn or(&self, other: &Stop) -> Stop {
        Stop { flag: Arc::clone(&self.flag), other: Some(Arc::clone(&other.flag)) }
    }
}

/// A flag that says that the other side is still thinking, until it has made the expected move.
#[derive(Clone, Debug, Default)]
pub struct Ponder {
    is_over: Arc<AtomicBool>,
}

impl Ponder {
    /// The other side made the expected move (ponderhit): from now on the time counts.
    pub fn hit(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether the other side is still thinking.
    pub fn is_on(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }
}

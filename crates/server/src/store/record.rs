//! How somebody has done.

use sumito_rules::{Color, Move};

/// Games that were won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) won: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
}

/// Games against one opponent.
#[derive(Clone, Debug)]
pub(crate) struct Against {
    /// Somebody with an account; nobody if they have none, or none any more.
    pub(crate) name: Option<String>,
    /// An agent's spec.
    pub(crate) agent: Option<String>,
    pub(crate) score: Score,
}

/// An opening that somebody has played.
#[derive(Clone, Debug)]
pub(crate) struct FavouriteOpening {
    /// Their side.
    pub(crate) color: Color,
    pub(crate) layout: String,
    pub(crate) start: String,
    /// As they were played in the first of these games.
    pub(crate) moves: Vec<Move>,
    pub(crate) score: Score,
}

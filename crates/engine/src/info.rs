//! What a search tells about itself while it goes on.

use std::time::Duration;

use sumito_rules::Move;

use crate::score::Score;
use crate::wdl::Wdl;

/// What a search has found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Plies searched completely.
    pub depth: u32,
    /// Plies of the longest line looked at; 0 if not known.
    pub seldepth: u32,
    /// How many of the lines found are better than this one: 0 for the best.
    pub rank: usize,
    /// Positions looked at so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The value of the position for the side to move.
    pub score: Option<Score>,
    /// What that is worth: the chances of a win, a draw and a loss.
    pub wdl: Option<Wdl>,
    /// How full the transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The line that is expected, the best move first.
    pub line: Vec<Move>,
}

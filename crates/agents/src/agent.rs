//! What a player is: something that, given a game and limits, chooses a move.

use std::time::Duration;

pub use sumito_engine::{Clock, Info, Limits, Pause, Ponder, Score, Stop};
use sumito_rules::{Color, Game, Move, Position, Rules};

use crate::options::Options;

/// A player of any kind.
pub trait Agent: Send {
    /// The spec string that builds this agent, for tables and records.
    fn name(&self) -> &str;

    /// A new game begins: forget what belongs to the last one. Random choices follow from the game's seed, unless the
    /// spec gives one, so that the same seed gives the same game; without either they go on.
    fn new_game(&mut self, _rules: &Rules, _seed: Option<u64>) {}

    /// Goes on with other options under another name (the spec that now builds it), without losing what it knows about the game. False if that
    /// is not possible, and it has to be built anew.
    fn adopt(&mut self, _name: &str, _options: &Options) -> bool {
        false
    }

    /// Chooses a legal move in a game that is not over, within the limits, and tells `report` about the
    /// search as it goes on.
    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError>;
}

/// Who hears about a search as it goes on.
pub type Listener<'a> = &'a mut dyn FnMut(&Info);

/// A static evaluation: the value of a position for a player, whoever is to move.
pub type Evaluation = Box<dyn Fn(&Position, Color) -> f64 + Send>;

/// A static evaluation's name, and what makes it.
pub type Named = (&'static str, fn() -> Evaluation);

/// Why an agent has no move to play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// The position has no legal move, or the game is over.
    #[error("there is no legal move")]
    NoMove,
    /// The agent's process ended.
    #[error("the engine ended: {0}")]
    Crashed(String),
    /// The agent did not answer in time.
    #[error("the engine did not answer within {0:?}")]
    TimedOut(Duration),
    /// The agent answered something that is no legal move.
    #[error("the engine answered an illegal move: {0}")]
    Illegal(String),
    /// The person at the board gave up.
    #[error("resigned")]
    Resigned,
}

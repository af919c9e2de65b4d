//! What a player is: something that, given a game and limits, chooses a move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sumito_engine::{Pause, Wdl};
use sumito_rules::{ByColor, Color, Game, Move, Position, Rules};

use crate::options::Options;
use crate::spec::AgentSpec;

/// A player of any kind.
pub trait Agent: Send {
    /// The spec string that builds this agent, for tables and records.
    fn name(&self) -> &str;

    /// A new game begins: forget what belongs to the last one. Random choices follow from the game's seed, unless the
    /// spec gives one, so that the same seed gives the same game; without either they go on.
    fn new_game(&mut self, _rules: &Rules, _seed: Option<u64>) {}

    /// Goes on with other options under another name, without losing what it knows about the game. False if that
    /// is not possible, and it has to be built anew.
    fn adopt(&mut self, _spec: &AgentSpec, _options: &Options) -> bool {
        false
    }

    /// Chooses a legal move in a game that is not over, within the limits, and tells `report` about the
    /// search as it goes on.
    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError>;
}

/// A static evaluation: the value of a position for a player, whoever is to move.
pub type Evaluation = Box<dyn Fn(&Position, Color) -> f64 + Send>;

/// A static evaluation's name, and what makes it.
pub type Named = (&'static str, fn() -> Evaluation);

/// How long an agent may think about one move. What is absent does not limit it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Both players' clocks.
    pub clock: Option<ByColor<Clock>>,
    /// Nodes to look at.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Think until stopped.
    pub infinite: bool,
    /// Look for a win in at most so many own moves.
    pub mate: Option<u32>,
    /// The moves to choose among; all if empty. The agents of the papers do not know this limit.
    pub moves: Vec<Move>,
    /// The other side is still thinking: no time counts until this flag is taken back.
    pub ponder: Option<Stop>,
    /// Set from outside to make the agent answer at once.
    pub stop: Stop,
    /// Holds the agent up from outside; no time counts meanwhile. An external engine does not know it.
    pub pause: Pause,
}

impl Limits {
    /// Whether the other side is still thinking.
    pub fn is_pondering(&self) -> bool {
        self.ponder.as_ref().is_some_and(Stop::is_requested)
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

/// A flag that tells an agent in another thread to stop thinking; also the one that says how long to ponder.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for a move now.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a move was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The same flag, for a search of another kind.
    pub fn flag(&self) -> sumito_engine::Stop {
        sumito_engine::Stop::from(Arc::clone(&self.0))
    }

    /// Takes the request back, for the next move.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// What an agent tells about its search.
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
    /// The value of the position for the side to move, in the agent's own unit.
    pub score: Option<Score>,
    /// What that is worth: the chances of a win, a draw and a loss.
    pub wdl: Option<Wdl>,
    /// How full the agent's table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The line that the agent expects, its own move first.
    pub line: Vec<Move>,
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// In the agent's own unit; larger is better.
    Value(f64),
    /// The game is won in so many moves of the winner; negative if it is the other side that wins.
    Win(i32),
}

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

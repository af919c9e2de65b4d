//! What a game is besides its moves: where it comes from, how much time its players have, how it ended.

use serde::{Deserialize, Serialize};
use sumito_rules::{Color, Layout, Outcome, Position};
use utoipa::ToSchema;

use super::error::word;

/// Where a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    /// Played here, by at least one person.
    Play,
    /// Played here, by two agents.
    Watch,
    /// Read from a file.
    Import,
}

impl Source {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Source::Play => "play",
            Source::Watch => "watch",
            Source::Import => "import",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Source> {
        [Source::Play, Source::Watch, Source::Import].into_iter().find(|source| source.name() == name)
    }
}

/// The time that players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockSetting {
    /// So much for each move.
    Move { ms: u64 },
    /// So much for the game, and what each move adds.
    Game { base_ms: u64, increment_ms: u64 },
}

/// From so much time for a move on, a game is played by correspondence: its clock goes on while no server runs.
pub(crate) const DAY: u64 = 24 * 60 * 60 * 1000;

impl ClockSetting {
    /// The time for a move in a game by correspondence.
    pub(crate) fn slow(self) -> Option<u64> {
        match self {
            ClockSetting::Move { ms } if ms >= DAY => Some(ms),
            _ => None,
        }
    }
}

/// The word for the reason of a game that ended, and of which only the result is known.
pub(crate) const UNKNOWN: &str = "unknown";

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameEnding {
    /// Nobody for a draw.
    pub(crate) winner: Option<Color>,
    /// A word such as `ejections`.
    pub(crate) reason: String,
    /// In plain words.
    pub(crate) text: String,
}

impl From<Outcome> for GameEnding {
    fn from(outcome: Outcome) -> GameEnding {
        GameEnding { winner: outcome.winner, reason: word(&outcome.reason), text: outcome.reason.to_string() }
    }
}

impl GameEnding {
    /// The result as it is kept: `black`, `white` or `draw`.
    pub(crate) fn result(&self) -> String {
        self.winner.map_or_else(|| "draw".to_string(), |color| word(&color))
    }
}

/// The side that a result names, and none for a draw.
pub(crate) fn winner(result: &str) -> Option<Option<Color>> {
    match result {
        "draw" => Some(None),
        name => color(name).map(Some),
    }
}

/// The side with this name.
pub(crate) fn color(name: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| word(color) == name)
}

/// How far a game's review is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReviewStage {
    /// Nobody asked for one.
    None,
    /// It waits for a thread.
    Queued,
    /// It is being made.
    Running,
    /// It is there.
    Done,
}

/// The layout that a position is, if it is one.
pub(crate) fn layout_of(position: &Position) -> Option<String> {
    let found = Layout::all().iter().find(|layout| layout.position().same_board(position));
    found.map(|layout| layout.name.to_string())
}

//! Games as clients see them, whole and in a line of a list.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sumito_rules::Color;
use utoipa::ToSchema;

use crate::error::{AppError, within};
use crate::view::position::{MoveView, Pair, PositionView};
use crate::view::rules::RulesView;
use crate::view::score::{ScoreView, WdlView};
use crate::view::seat::Seat;
use crate::view::words::{ColorWord, ReasonWord, ResultWord};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum ClockView {
    /// So much for each move.
    Move { ms: u64 },
    /// So much for the game, and what each move adds.
    Game { base_ms: u64, increment_ms: u64 },
}

/// The longest time of a clock: a day.
const LONGEST: u64 = 24 * 3600 * 1000;

impl ClockView {
    pub(crate) fn checked(self) -> Result<ClockView, AppError> {
        match self {
            ClockView::Move { ms } => within("clock.ms", ms, 100, LONGEST)?,
            ClockView::Game { base_ms, increment_ms } => {
                within("clock.base_ms", base_ms, 1000, LONGEST)?;
                within("clock.increment_ms", increment_ms, 0, LONGEST)?;
            }
        }
        Ok(self)
    }
}

/// What is left on the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ClocksView {
    pub(crate) black_ms: u64,
    pub(crate) white_ms: u64,
    /// Whose clock runs.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) running: Option<Color>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayedMove {
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// The time it took.
    pub(crate) ms: Option<u64>,
    /// What the agent that played it thought, for itself.
    #[schema(value_type = Option<ScoreView>)]
    pub(crate) score: Option<serde_json::Value>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) comment: Option<String>,
    pub(crate) glyph: Option<String>,
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

/// A whole game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameView {
    pub(crate) id: String,
    /// Milliseconds since 1970.
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) start_fen: String,
    pub(crate) rules: RulesView,
    pub(crate) black: Seat,
    pub(crate) white: Seat,
    pub(crate) clock: Option<ClockView>,
    pub(crate) clocks: Option<ClocksView>,
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) position: PositionView,
    pub(crate) paused: bool,
    /// The least time between two moves of agents.
    pub(crate) delay_ms: u64,
    /// The time of agents for a move, without a clock.
    pub(crate) think_ms: u64,
    /// The side whose agent is at work.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) thinking: Option<Color>,
    /// Who has offered a draw.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) offer: Option<Color>,
    pub(crate) watchers: usize,
    pub(crate) review: ReviewStage,
    pub(crate) tags: BTreeMap<String, String>,
    /// The rematch.
    pub(crate) next: Option<String>,
    pub(crate) has_variations: bool,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameSummary {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) black: Seat,
    pub(crate) white: Seat,
    /// `black`, `white` or `draw`; nothing while it runs, or if it is not known.
    #[schema(value_type = Option<ResultWord>)]
    pub(crate) result: Option<String>,
    #[schema(value_type = Option<ReasonWord>)]
    pub(crate) reason: Option<String>,
    pub(crate) plies: u32,
    pub(crate) score: Pair,
    /// The last position.
    pub(crate) fen: String,
    pub(crate) review: ReviewStage,
    /// Where the position that was looked for occurs first.
    pub(crate) ply: Option<u32>,
    /// Whether its row in the database cannot be read: it has no position, and can only be deleted.
    pub(crate) damaged: bool,
}

/// A game that was begun, and the right to play in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct NewGame {
    /// Send it as `Authorization: Bearer KEY`.
    pub(crate) key: String,
    pub(crate) game: GameView,
}

/// A move that is in the database.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveAck {
    /// Moves played now.
    pub(crate) ply: usize,
    #[serde(rename = "move")]
    pub(crate) view: MoveView,
    pub(crate) position: PositionView,
    pub(crate) clocks: Option<ClocksView>,
}

/// What would be a good move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Hint {
    #[serde(rename = "move")]
    pub(crate) view: MoveView,
    pub(crate) score: Option<ScoreView>,
    pub(crate) wdl: Option<WdlView>,
    pub(crate) line: Vec<String>,
}

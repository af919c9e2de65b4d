//! Games as clients see them, whole and in a line of a list.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sumito_rules::{Color, Notation, fen};
use utoipa::ToSchema;

use super::pair::PairView;
use super::position::{self, MoveView, Pair, PositionView};
use super::rules::RulesView;
use super::score::{ScoreView, WdlView};
use super::words::{ColorWord, ReasonWord, ResultWord};
use crate::domain::error::{AppError, within};
use crate::domain::game::{ClockSetting, DAY, ReviewStage, Source};
use crate::domain::keys::{Credentials, Speaker};
use crate::domain::seat::Seat;
use crate::live::{Audience, LiveGame, LiveTable};
use crate::store::ListedGame;

/// The time that players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum ClockView {
    /// So much for each move.
    Move { ms: u64 },
    /// So much for the game, and what each move adds.
    Game { base_ms: u64, increment_ms: u64 },
}

/// The longest time of a clock for the game: a day; and of one for each move: two weeks.
const LONGEST: u64 = DAY;
const LONGEST_MOVE: u64 = 14 * DAY;

impl ClockView {
    pub(crate) fn checked(self) -> Result<ClockView, AppError> {
        match self {
            ClockView::Move { ms } => within("clock.ms", ms, 100, LONGEST_MOVE)?,
            ClockView::Game { base_ms, increment_ms } => {
                within("clock.base_ms", base_ms, 1000, LONGEST)?;
                within("clock.increment_ms", increment_ms, 0, LONGEST)?;
            }
        }
        Ok(self)
    }
}

impl From<ClockView> for ClockSetting {
    fn from(clock: ClockView) -> ClockSetting {
        match clock {
            ClockView::Move { ms } => ClockSetting::Move { ms },
            ClockView::Game { base_ms, increment_ms } => ClockSetting::Game { base_ms, increment_ms },
        }
    }
}

impl From<ClockSetting> for ClockView {
    fn from(clock: ClockSetting) -> ClockView {
        match clock {
            ClockSetting::Move { ms } => ClockView::Move { ms },
            ClockSetting::Game { base_ms, increment_ms } => ClockView::Game { base_ms, increment_ms },
        }
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

impl ClocksView {
    fn new(table: &LiveTable) -> Option<ClocksView> {
        let (left, running) = table.clocks(Instant::now())?;
        Some(ClocksView { black_ms: left.black, white_ms: left.white, running })
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayedMove {
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// The time it took.
    pub(crate) ms: Option<u64>,
    /// What the agent that played it thought, for itself.
    pub(crate) score: Option<ScoreView>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) comment: Option<String>,
    pub(crate) glyph: Option<String>,
}

impl PlayedMove {
    pub(crate) fn new(table: &LiveTable, ply: usize) -> PlayedMove {
        let (position, known) = (&table.game().positions()[ply], table.note(ply));
        let said = table.annotation(ply);
        PlayedMove {
            text: Notation::AbaPro.write(position, table.game().moves()[ply]),
            ms: known.and_then(|known| known.ms).map(|ms| ms.max(0) as u64),
            score: known.and_then(|known| known.value).map(ScoreView::from),
            depth: known.and_then(|known| known.depth).map(|depth| depth as u32),
            nodes: known.and_then(|known| known.nodes).map(|nodes| nodes as u64),
            comment: said.and_then(|said| said.comment.clone()),
            glyph: said.and_then(|said| said.glyph.clone()),
        }
    }
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
    /// Whether it changes the ratings of its players.
    pub(crate) rated: bool,
    /// The id of the tournament that it belongs to.
    pub(crate) tournament: Option<String>,
    pub(crate) clock: Option<ClockView>,
    pub(crate) clocks: Option<ClocksView>,
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) position: PositionView,
    pub(crate) paused: bool,
    /// The least time between two moves of agents.
    pub(crate) delay_ms: u64,
    /// The time of Black's agent for a move, without a clock.
    pub(crate) think_ms: u64,
    /// The same of White's.
    pub(crate) white_think_ms: u64,
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
    /// How it stands between two persons with a key each; null in any other game.
    pub(crate) pair: Option<PairView>,
    pub(crate) has_variations: bool,
}

impl GameView {
    pub(crate) fn new(table: &LiveTable, audience: Audience) -> GameView {
        let plies = table.game().moves().len();
        GameView {
            id: table.id.clone(),
            created: table.created,
            updated: table.updated,
            source: table.source,
            layout: table.layout.clone(),
            start_fen: fen::write(table.game().start()),
            rules: RulesView::from(table.game().rules()),
            black: table.seats.black.clone(),
            white: table.seats.white.clone(),
            rated: table.rated,
            tournament: table.tournament.clone(),
            clock: table.clock.map(ClockView::from),
            clocks: ClocksView::new(table),
            moves: (0..plies).map(|ply| PlayedMove::new(table, ply)).collect(),
            position: PositionView::of(table, plies),
            paused: table.paused,
            delay_ms: table.delay_ms,
            think_ms: table.think_ms.black,
            white_think_ms: table.think_ms.white,
            thinking: table.thinking(),
            offer: table.game().draw_offer(),
            watchers: audience.watchers,
            review: table.review.stage,
            tags: table.tags.clone(),
            next: table.next.clone(),
            pair: PairView::new(table, audience),
            has_variations: table.has_variations(),
        }
    }
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

impl From<ListedGame> for GameSummary {
    fn from(game: ListedGame) -> GameSummary {
        let position = game.position;
        GameSummary {
            id: game.id,
            created: game.created,
            updated: game.updated,
            source: game.source,
            layout: game.layout,
            black: game.seats.black,
            white: game.seats.white,
            result: game.result,
            reason: game.reason,
            plies: game.plies,
            score: position.as_ref().map(position::score).unwrap_or_default(),
            fen: game.fen,
            review: if game.reviewed { ReviewStage::Done } else { ReviewStage::None },
            ply: game.at,
            damaged: position.is_none(),
        }
    }
}

/// A game that was begun, and the right to play in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct NewGame {
    /// Send it as `Authorization: Bearer KEY`; null if it is not known to whoever asks, whose account has the seat.
    pub(crate) key: Option<String>,
    /// The seat that one has; null if it is for all persons in the game.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) color: Option<Color>,
    pub(crate) game: GameView,
}

impl NewGame {
    /// A game for whoever has this key, or this account.
    pub(crate) fn new(
        table: &LiveTable,
        audience: Audience,
        (who, key): (&Credentials, Option<String>),
    ) -> NewGame {
        let with = Credentials { key: key.clone(), person: who.person };
        let color = match table.keys.speaker(&with) {
            Ok(Speaker::Seat(color)) => Some(color),
            _ => None,
        };
        NewGame { key, color, game: GameView::new(table, audience) }
    }

    /// A game that has just begun, as an answer.
    pub(crate) async fn answer(
        live: &LiveGame,
        own: (&Credentials, Option<String>),
    ) -> (StatusCode, Json<NewGame>) {
        let game = NewGame::new(&*live.lock().await, live.audience(), own);
        (StatusCode::CREATED, Json(game))
    }
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

impl MoveAck {
    /// The last move of a game.
    pub(crate) fn last(table: &LiveTable) -> MoveAck {
        let ply = table.game().moves().len();
        let position = PositionView::of(table, ply);
        let view = position.last.clone().expect("a game with a move");
        MoveAck { ply, view, position, clocks: ClocksView::new(table) }
    }
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

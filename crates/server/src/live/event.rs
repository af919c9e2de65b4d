//! What is told to everyone who watches a game.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use sumito_agents::Info;
use sumito_rules::{Color, Position};
use utoipa::ToSchema;

use crate::view::game::{ClocksView, GameView, PlayedMove, ReviewStage};
use crate::view::position::{MoveView, PositionView};
use crate::view::score::{ScoreView, WdlView, for_black, speed};
use crate::view::words::ColorWord;

/// A message.
#[derive(Serialize, ToSchema)]
#[schema(as = LiveEvent)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Event<'a> {
    /// The whole game: first, and after every change that is not a move.
    Game {
        #[schema(value_type = GameView)]
        game: &'a GameView,
    },
    /// A move.
    Move {
        ply: usize,
        #[serde(rename = "move")]
        #[schema(value_type = MoveView)]
        view: &'a MoveView,
        #[schema(value_type = PlayedMove)]
        played: &'a PlayedMove,
        #[schema(value_type = PositionView)]
        position: &'a PositionView,
        clocks: Option<ClocksView>,
        #[schema(value_type = Option<ColorWord>)]
        thinking: Option<Color>,
    },
    /// What an agent thinks.
    Thinking {
        ply: usize,
        #[schema(value_type = ColorWord)]
        side: Color,
        depth: u32,
        seldepth: u32,
        nodes: u64,
        nps: u64,
        time_ms: u64,
        score: Option<ScoreView>,
        wdl: Option<WdlView>,
        black: Option<f64>,
        line: Vec<String>,
    },
    /// The game is no more.
    Deleted,
    /// How far the review is.
    Review { done: usize, whole: usize, state: ReviewStage },
}

impl Event<'_> {
    pub(crate) fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("plain data").into()
    }

    /// What an agent reports about a position.
    pub(crate) fn thinking(ply: usize, position: &Position, info: &Info) -> Event<'static> {
        let side = position.turn();
        Event::Thinking {
            ply,
            side,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: speed(info),
            time_ms: info.time.as_millis() as u64,
            score: info.score.map(ScoreView::of_agent),
            wdl: info.wdl.map(WdlView::from),
            black: info.wdl.map(|wdl| for_black(wdl, side)),
            line: sumito_engine::analysis::report::written(
                position,
                &info.line,
                sumito_rules::Notation::AbaPro,
            ),
        }
    }
}

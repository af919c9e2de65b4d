//! What is told to everyone who watches a game.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use sumito_engine::analysis::report::written;
use sumito_rules::{ByColor, Color, Notation};
use utoipa::ToSchema;

use super::chat::ChatLineView;
use super::game::{ClocksView, GameView, MoveAck, PlayedMove};
use super::pair::{AbsentView, Presence, absent, people};
use super::position::{MoveView, PositionView};
use super::score::{ScoreView, WdlView, among_people, for_black, speed};
use super::words::ColorWord;
use crate::domain::game::ReviewStage;
use crate::live::Event;

/// A message.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum LiveEvent<'a> {
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
    /// Somebody came or left, in a game between two persons with a key each.
    People { black: Presence, white: Presence, spectators: usize, absent: Option<AbsentView> },
    /// Somebody has said something where whoever listens may hear it.
    Chat {
        #[schema(value_type = ChatLineView)]
        line: &'a ChatLineView,
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

/// An event as a message.
pub(crate) fn render(event: &Event<'_>) -> Utf8Bytes {
    match *event {
        Event::Game { table, audience } => LiveEvent::Game { game: &GameView::new(table, audience) }.text(),
        Event::People { table, audience } => {
            let ByColor { black, white } = people(table, audience).unwrap_or_default();
            let (spectators, absent) = (audience.spectators, absent(table, audience));
            LiveEvent::People { black, white, spectators, absent }.text()
        }
        Event::Chat { line } => LiveEvent::Chat { line: &ChatLineView::from(line) }.text(),
        Event::Move { table } => {
            let MoveAck { ply, view, position, clocks } = &MoveAck::last(table);
            let (played, thinking) = (&PlayedMove::new(table, ply - 1), table.thinking());
            LiveEvent::Move { ply: *ply, view, played, position, clocks: *clocks, thinking }.text()
        }
        Event::Thinking { ply, position, info } => {
            let (side, wdl) = (position.turn(), among_people(info, position));
            let event = LiveEvent::Thinking {
                ply,
                side,
                depth: info.depth,
                seldepth: info.seldepth,
                nodes: info.nodes,
                nps: speed(info),
                time_ms: info.time.as_millis() as u64,
                score: info.score.map(ScoreView::of_agent),
                wdl: wdl.map(WdlView::from),
                black: wdl.map(|wdl| for_black(wdl, side)),
                line: written(position, &info.line, Notation::AbaPro),
            };
            event.text()
        }
        Event::Deleted => LiveEvent::Deleted.text(),
        Event::Review { done, whole, state } => LiveEvent::Review { done, whole, state }.text(),
    }
}

impl LiveEvent<'_> {
    fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("plain data").into()
    }
}

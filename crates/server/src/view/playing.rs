//! The games that somebody plays.

use serde::Serialize;
use sumito_rules::Color;
use utoipa::ToSchema;

use super::game::{ClockView, GameSummary};
use super::words::ColorWord;
use crate::store::PlayingGame;

/// A game that one plays.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlayingView {
    game: GameSummary,
    /// One's own side.
    #[schema(value_type = ColorWord)]
    color: Color,
    /// Whether one is to move.
    turn: bool,
    clock: Option<ClockView>,
    /// When the time of the side to move is up, in milliseconds since 1970; null where no calendar decides.
    due: Option<i64>,
}

impl From<PlayingGame> for PlayingView {
    fn from(playing: PlayingGame) -> PlayingView {
        let PlayingGame { game, color, clock, due } = playing;
        let turn = game.position.is_some_and(|position| position.turn() == color);
        PlayingView { game: game.into(), color, turn, clock: clock.map(ClockView::from), due }
    }
}

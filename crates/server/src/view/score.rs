//! Values of positions for the side to move, and what they are worth.

use serde::Serialize;
use sumito_agents::{Info, Score};
use sumito_engine::analysis::report::{ScoreReport, WdlReport};
use sumito_engine::{Wdl, WdlModel};
use sumito_rules::{Color, Position};
use utoipa::ToSchema;

use crate::domain::value::Value;

/// A value for the side to move. One of the fields is there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ScoreView {
    /// How far it is ahead: with +1.00 and all marbles on the board, a side makes three quarters of the points among people.
    Lead(f64),
    /// It wins in so many of its moves.
    WinIn(u32),
    /// The other side wins in so many of its moves.
    LossIn(u32),
    /// The rules' limit decides the game: `win` or `loss`.
    #[schema(value_type = String)]
    AtCap(&'static str),
    /// In the agent's own unit.
    Value(f64),
}

impl From<Value> for ScoreView {
    fn from(value: Value) -> ScoreView {
        match value {
            Value::Marbles(value) => ScoreReport::from(Score::Marbles((100.0 * value).round() as i32)).into(),
            Value::WinIn(moves) => ScoreView::WinIn(moves),
            Value::LossIn(moves) => ScoreView::LossIn(moves),
            Value::AtCap(side) => ScoreView::AtCap(side),
            Value::Own(value) => ScoreView::Value(value),
        }
    }
}

impl From<ScoreReport> for ScoreView {
    fn from(score: ScoreReport) -> ScoreView {
        match score {
            ScoreReport::Lead(value) => ScoreView::Lead(value),
            ScoreReport::WinIn(moves) => ScoreView::WinIn(moves),
            ScoreReport::LossIn(moves) => ScoreView::LossIn(moves),
            ScoreReport::AtCap(side) => ScoreView::AtCap(side),
        }
    }
}

impl ScoreView {
    /// The value that an agent tells.
    pub(crate) fn of_agent(score: Score) -> ScoreView {
        Value::of_agent(score).into()
    }
}

/// The chances of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct WdlView {
    pub(crate) win: f64,
    pub(crate) draw: f64,
    pub(crate) loss: f64,
}

impl From<Wdl> for WdlView {
    fn from(wdl: Wdl) -> WdlView {
        let WdlReport { win, draw, loss } = wdl.into();
        WdlView { win, draw, loss }
    }
}

/// What an agent's report promises the side to move in a game between people. An agent that knows no chances promises
/// none; the flagship's own are those of its own games.
pub(crate) fn among_people(info: &Info, position: &Position) -> Option<Wdl> {
    let wdl = info.wdl?;
    Some(info.score.map_or(wdl, |score| WdlModel::PEOPLE.worth(score, WdlModel::gone(position))))
}

/// The result that Black can expect, from the chances of the side to move.
pub(crate) fn for_black(wdl: Wdl, turn: Color) -> f64 {
    let expected = wdl.expected();
    let black = if turn == Color::Black { expected } else { 1.0 - expected };
    (black * 1e4).round() / 1e4
}

/// Nodes a second.
pub(crate) fn speed(info: &Info) -> u64 {
    (info.nodes as f64 / info.time.as_secs_f64().max(0.001)) as u64
}

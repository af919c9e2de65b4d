//! What a position is worth to the side to move, as agents say it.

use sumito_agents::Score;
use sumito_engine::analysis::report::ScoreReport;

/// A value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// Marbles ahead, as the engine counts them. What is shown is another unit.
    Marbles(f64),
    /// It wins in so many of its moves.
    WinIn(u32),
    /// The other side wins in so many of its moves.
    LossIn(u32),
    /// The rules' limit decides the game: `win` or `loss`.
    AtCap(&'static str),
    /// In the agent's own unit.
    Own(f64),
}

impl Value {
    /// The value that an agent tells.
    pub(crate) fn of_agent(score: Score) -> Value {
        match score {
            // The engine's own report knows the values that mean a limit of the rules.
            Score::Marbles(value) | Score::Win(value) => match ScoreReport::from(score) {
                ScoreReport::Lead(_) => Value::Marbles(f64::from(value) / 100.0),
                ScoreReport::WinIn(moves) => Value::WinIn(moves),
                ScoreReport::LossIn(moves) => Value::LossIn(moves),
                ScoreReport::AtCap(side) => Value::AtCap(side),
            },
            Score::Value(value) if value.is_finite() => Value::Own(value),
            Score::Value(value) => Value::Own(if value > 0.0 { f64::MAX } else { f64::MIN }),
        }
    }
}

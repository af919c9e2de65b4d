//! Values, chances and moves as people read them.

use sumito_engine::Score;
use sumito_engine::Wdl;
use sumito_engine::analysis::report::ScoreReport;
use sumito_rules::{Color, Move, Notation, Position};

/// A value: `+1.25`, `win in 3`, `loss in 2`.
pub(super) fn score(score: Score) -> String {
    match score.into() {
        ScoreReport::Lead(lead) => format!("{lead:+.2}"),
        ScoreReport::WinIn(moves) => format!("win in {moves}"),
        ScoreReport::LossIn(moves) => format!("loss in {moves}"),
        ScoreReport::AtCap(what) => format!("{what} at the limit"),
    }
}

/// A value as game records have it: `+1.25`, `+W3`, `-W2`.
pub(super) fn short_score(score: Score) -> String {
    match score.into() {
        ScoreReport::Lead(lead) => format!("{lead:+.2}"),
        ScoreReport::WinIn(moves) => format!("+W{moves}"),
        ScoreReport::LossIn(moves) => format!("-W{moves}"),
        ScoreReport::AtCap(what) => if what == "win" { "+W" } else { "-W" }.to_string(),
    }
}

/// Chances in percent, such as `52 / 20 / 28`. They add up to a hundred.
pub(super) fn wdl(wdl: Wdl) -> String {
    let win = (wdl.win * 100.0).round();
    let loss = (wdl.loss * 100.0).round().min(100.0 - win);
    format!("{win:.0} / {:.0} / {loss:.0}", 100.0 - win - loss)
}

/// A part in percent with one digit.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1}", part * 100.0)
}

/// `12. a1b2` or `12... i5h5`.
pub(super) fn numbered(position: &Position, m: Move, notation: Notation) -> String {
    let dots = if position.turn() == Color::Black { "." } else { "..." };
    format!("{}{dots} {}", position.move_number(), notation.write(position, m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_marbles_or_the_way_to_the_end() {
        let texts = [Score::Marbles(-34), Score::Win(3), Score::Win(-2), Score::Marbles(19_990)].map(score);
        assert_eq!(texts, ["-0.10", "win in 3", "loss in 2", "win at the limit"]);
        let short =
            [Score::Marbles(337), Score::Win(3), Score::Win(-2), Score::Marbles(-19_990)].map(short_score);
        assert_eq!(short, ["+1.00", "+W3", "-W2", "-W"]);
    }

    #[test]
    fn chances_add_up_to_a_hundred() {
        assert_eq!(wdl(Wdl { win: 0.335, draw: 0.33, loss: 0.335 }), "34 / 32 / 34");
        assert_eq!(wdl(Wdl { win: 0.995, draw: 0.0, loss: 0.005 }), "100 / 0 / 0");
    }
}

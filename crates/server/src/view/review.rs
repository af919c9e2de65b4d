//! A review as it is sent. The engine makes it and the database keeps it as text, so that these types only describe it.

use serde::Serialize;
use sumito_engine::WdlModel;
use sumito_engine::network::Network;
use utoipa::ToSchema;

use super::score::{ScoreView, WdlView};
use super::words::{ColorWord, JudgementWord, ReasonWord};

/// A review of a game.
#[derive(ToSchema)]
#[schema(as = Review)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ReviewView {
    /// Whether the whole game was reviewed.
    complete: bool,
    /// The plies before the first position here.
    first: usize,
    /// The positions, one more than the moves.
    positions: Vec<ReviewedPosition>,
    moves: Vec<ReviewedMove>,
    sides: BothTallies,
}

/// What a review was made with: other networks and models judge otherwise.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewBasis {
    /// The network's fingerprint.
    network: String,
    /// Of the model of people's chances: the value for an even chance to win, and what each marble gone adds.
    even: [f64; 2],
    /// How fast the chances grow, in the same way.
    spread: [f64; 2],
}

impl ReviewBasis {
    /// What reviews are made with today, and so all that are sent: older ones are made again.
    pub(crate) fn today() -> ReviewBasis {
        let WdlModel { even, spread } = WdlModel::PEOPLE;
        ReviewBasis { network: format!("{:016x}", Network::shipped().fingerprint()), even, spread }
    }
}

/// A position of a reviewed game.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ReviewedPosition {
    fen: String,
    turn: ColorWord,
    /// How the game ended, if it has.
    outcome: Option<ReviewedOutcome>,
    /// The best move; none if the game is over.
    best: Option<String>,
    /// The result that Black can expect.
    black: f64,
    /// Plies searched completely.
    depth: u32,
    /// The longest line looked at.
    seldepth: u32,
    nodes: u64,
    seconds: f64,
    /// The lines, the best one first.
    lines: Vec<ReviewedLine>,
}

/// How a reviewed game ended.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ReviewedOutcome {
    /// Nobody for a draw.
    winner: Option<ColorWord>,
    reason: ReasonWord,
}

/// A line of a reviewed position.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ReviewedLine {
    /// Its place among the lines, from 1.
    rank: usize,
    depth: u32,
    score: ScoreView,
    wdl: WdlView,
    /// The result that the side to move can expect.
    expected: f64,
    moves: Vec<String>,
}

/// A move of a reviewed game.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ReviewedMove {
    /// Its place in the game, from 1.
    ply: usize,
    /// Its number, as games are numbered: one for both players' first.
    number: u16,
    mover: ColorWord,
    #[schema(rename = "move")]
    played: String,
    /// The best move, and what it leads to.
    best: String,
    line: Vec<String>,
    /// The move's value for its player, and the best one's.
    score: ScoreView,
    best_score: ScoreView,
    /// The result that the player can expect after the move, and after the best one.
    expected: f64,
    best_expected: f64,
    /// The difference.
    loss: f64,
    judgement: JudgementWord,
    /// The mark behind the move: empty, `?!`, `?` or `??`.
    mark: String,
}

/// The moves of both sides summed up.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct BothTallies {
    black: ReviewedTally,
    white: ReviewedTally,
}

/// One side's moves summed up.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
#[schema(as = Tally)]
pub(crate) struct ReviewedTally {
    moves: usize,
    /// In percent.
    accuracy: f64,
    /// The mean loss.
    loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use serde_json::Value;
    use sumito_engine::{Engine, EngineOptions, Limits};
    use sumito_rules::{Game, Layout, Notation, Rules};
    use utoipa::PartialSchema;

    /// The names of the fields that a type describes, and of those that a review has.
    fn names<T: PartialSchema>(found: &Value) -> [BTreeSet<String>; 2] {
        let schema = serde_json::to_value(T::schema()).expect("plain data");
        [&schema["properties"], found]
            .map(|object| object.as_object().expect("an object").keys().cloned().collect())
    }

    /// What is told of a review is what it is kept under.
    #[test]
    fn a_review_names_what_it_was_made_with() {
        let ReviewBasis { network, even, spread } = ReviewBasis::today();
        let basis = format!("network {network}, chances {even:?} {spread:?}, marks ");
        assert!(sumito_engine::analysis::BASIS.starts_with(&basis), "{basis}");
    }

    #[test]
    fn a_review_has_just_the_fields_that_are_described() {
        let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
        let m = game.legal_moves()[0];
        game.play(m).expect("legal");
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let review = Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() }).review(
            &game,
            &limits,
            &mut |_| (),
        );
        let review = serde_json::to_value(review.report(Notation::AbaPro)).expect("plain data");
        let position = &review["positions"][0];
        for [described, found] in [
            names::<ReviewView>(&review),
            names::<ReviewedPosition>(position),
            names::<ReviewedLine>(&position["lines"][0]),
            names::<ReviewedMove>(&review["moves"][0]),
            names::<BothTallies>(&review["sides"]),
            names::<ReviewedTally>(&review["sides"]["black"]),
        ] {
            assert_eq!(described, found);
        }
    }
}

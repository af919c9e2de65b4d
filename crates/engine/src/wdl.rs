//! What a score is worth in games: the chances of a win, a draw and a loss, by models fitted to games.

use sumito_rules::{Color, Position};

use crate::score::Score;

/// The chances of the side to move; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// That it wins.
    pub win: f64,
    /// That nobody does.
    pub draw: f64,
    /// That it loses.
    pub loss: f64,
}

/// The constants of the model. A side with the score s wins with the chance σ((s − a) / b) and loses with
/// σ((−s − a) / b), so a is the score at which every other game is won, and b how fast the chance rises there. Both
/// are straight lines over the marbles that are gone from the board, of both sides together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The score for an even chance of winning with all 28 marbles on the board, and what each one gone adds.
    pub even: [f64; 2],
    /// The spread with all 28 marbles on the board, and what each one gone adds.
    pub spread: [f64; 2],
}

impl WdlModel {
    /// Of the engine's own games: what it decides with, and tells programs. Fitted to 78,504 positions of 664 games with 1,000
    /// nodes a move; on 8,551 positions of other games it has a log-loss of 0.484, and a model that does not look at the
    /// position one of 1.012 (`experiments/logs/chances`; a test holds it to its data and to the shipped network).
    pub const SELF_PLAY: WdlModel = WdlModel { even: [366.2, 39.25], spread: [118.0, 18.06] };

    /// Of people's games, which are decided far more often: what people are told. Fitted to 155,704 positions of recorded games,
    /// searched with 2,000 nodes each; on 16,147 positions of other games it has a log-loss of 0.433, and one that does not look
    /// at the position 0.738.
    pub const PEOPLE: WdlModel = WdlModel { even: [13.4, 1.38], spread: [306.6, -5.98] };

    /// How many marbles are gone from the board.
    pub fn gone(position: &Position) -> usize {
        let left = Color::ALL.map(|color| position.marbles(color).len()).into_iter().sum::<usize>();
        28_usize.saturating_sub(left)
    }

    /// The chances of the side to move with a score in hundredths of a marble.
    pub fn chances(&self, score: f64, gone: usize) -> Wdl {
        let line = |[start, slope]: [f64; 2]| start + slope * gone as f64;
        // Below these the chances would not add up, or not rise with the score.
        let (even, spread) = (line(self.even).max(0.0), line(self.spread).max(1.0));
        let chance = |score: f64| 1.0 / (1.0 + ((even - score) / spread).exp());
        let (win, loss) = (chance(score), chance(-score));
        Wdl { win, draw: (1.0 - win - loss).max(0.0), loss }
    }

    /// The score, in hundredths of a marble, with which a side can expect three quarters of the points while all marbles are on
    /// the board. Shown scores are counted in this unit, so that +1.00 means the same with every network.
    pub fn unit(&self) -> f64 {
        // σ((s − a) / b) − σ((−s − a) / b) = 1/2, solved for the exponential of s / b.
        let k = (self.even[0].max(0.0) / self.spread[0]).exp();
        let sum = 1.0 + k * k;
        self.spread[0] * ((sum + (sum * sum + 12.0 * k * k).sqrt()) / (2.0 * k)).ln()
    }

    /// The chances of the side to move with this score.
    pub fn worth(&self, score: Score, gone: usize) -> Wdl {
        match score {
            Score::Marbles(score) => self.chances(f64::from(score), gone),
            // Another player's unit is taken for the marble.
            Score::Value(value) => self.chances(100.0 * value, gone),
            Score::Win(moves) if moves > 0 => Wdl { win: 1.0, draw: 0.0, loss: 0.0 },
            Score::Win(_) => Wdl { win: 0.0, draw: 0.0, loss: 1.0 },
        }
    }
}

impl Wdl {
    /// The points to expect: a win is one, a draw half of one.
    pub fn expected(&self) -> f64 {
        self.win + self.draw / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::fen;

    /// All 28 marbles, 22 and 17.
    fn positions() -> [Position; 3] {
        [
            "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1",
            "5/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/1S1s1 3 3 b 0 1",
            "5/sssSSS/1ss1SS1/8/9/8/1SS1ss1/2S3/1S1s1 6 5 b 0 1",
        ]
        .map(|text| fen::parse(text).expect("a FEN"))
    }

    const MODELS: [WdlModel; 2] = [WdlModel::SELF_PLAY, WdlModel::PEOPLE];

    #[test]
    fn the_chances_add_up_and_none_is_negative() {
        let scores = || (-3000..=3000).step_by(20).map(Score::Marbles).chain([-2, -1, 1, 2].map(Score::Win));
        for (model, gone, score) in each(scores) {
            let Wdl { win, draw, loss } = model.worth(score, gone);
            assert!((win + draw + loss - 1.0).abs() < 1e-9, "{score:?}");
            assert!(win >= 0.0 && draw >= 0.0 && loss >= 0.0, "{score:?}");
        }
    }

    #[test]
    fn the_opponent_sees_the_chances_exchanged() {
        for (model, gone, score) in each(|| (0..=3000).step_by(20)) {
            let [ours, theirs] = [score, -score].map(|score| model.worth(Score::Marbles(score), gone));
            assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
            assert!((ours.expected() + theirs.expected() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_better_score_wins_more_and_loses_less() {
        for (model, gone, score) in each(|| (-1000..1000).step_by(10)) {
            let [worse, better] = [score, score + 10].map(|score| model.worth(Score::Marbles(score), gone));
            assert!(better.win > worse.win && better.loss < worse.loss, "{score}");
            assert!(better.expected() > worse.expected(), "{score}");
        }
    }

    #[test]
    fn a_forced_end_is_certain() {
        for model in MODELS {
            assert_eq!(model.worth(Score::Win(3), 0), Wdl { win: 1.0, draw: 0.0, loss: 0.0 });
            assert_eq!(model.worth(Score::Win(-3), 0), Wdl { win: 0.0, draw: 0.0, loss: 1.0 });
        }
    }

    #[test]
    fn the_unit_is_worth_three_quarters_of_a_game() {
        for model in MODELS {
            assert!((model.chances(model.unit(), 0).expected() - 0.75).abs() < 1e-9, "{model:?}");
        }
    }

    /// Every model with some numbers of marbles gone, and these.
    fn each<T, I: Iterator<Item = T>>(all: impl Fn() -> I) -> Vec<(WdlModel, usize, T)> {
        let places = MODELS.into_iter().flat_map(|model| [0, 6, 11].map(|gone| (model, gone)));
        places.flat_map(|(model, gone)| all().map(move |one| (model, gone, one))).collect()
    }

    #[test]
    fn the_marbles_gone_are_counted_on_the_board() {
        assert_eq!(positions().map(|position| WdlModel::gone(&position)), [0, 6, 11]);
    }
}

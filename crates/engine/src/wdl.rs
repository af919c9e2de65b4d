//! What a score is worth in games: the chances of a win, a draw and a loss, by a model fitted to self-play.

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
    /// The model that scores are printed with.
    pub const FITTED: WdlModel = WdlModel { even: [60.0, 0.0], spread: [150.0, 0.0] };

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
}

impl Wdl {
    /// The chances of the side to move in a position with this score.
    pub fn new(score: Score, position: &Position) -> Wdl {
        match score {
            Score::Marbles(score) => WdlModel::FITTED.chances(f64::from(score), WdlModel::gone(position)),
            // Another player's unit is taken for the marble.
            Score::Value(value) => WdlModel::FITTED.chances(100.0 * value, WdlModel::gone(position)),
            Score::Win(moves) if moves > 0 => Wdl { win: 1.0, draw: 0.0, loss: 0.0 },
            Score::Win(_) => Wdl { win: 0.0, draw: 0.0, loss: 1.0 },
        }
    }

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

    #[test]
    fn the_chances_add_up_and_none_is_negative() {
        for position in positions() {
            for score in (-3000..=3000).step_by(20).map(Score::Marbles).chain([-2, -1, 1, 2].map(Score::Win))
            {
                let Wdl { win, draw, loss } = Wdl::new(score, &position);
                assert!((win + draw + loss - 1.0).abs() < 1e-9, "{score:?}");
                assert!(win >= 0.0 && draw >= 0.0 && loss >= 0.0, "{score:?}");
            }
        }
    }

    #[test]
    fn the_opponent_sees_the_chances_exchanged() {
        for position in positions() {
            for score in (0..=3000).step_by(20) {
                let (ours, theirs) =
                    (Wdl::new(Score::Marbles(score), &position), Wdl::new(Score::Marbles(-score), &position));
                assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
                assert!((ours.expected() + theirs.expected() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_better_score_wins_more_and_loses_less() {
        for position in positions() {
            let wdl = |score| Wdl::new(Score::Marbles(score), &position);
            for score in (-2000..2000).step_by(10) {
                let (worse, better) = (wdl(score), wdl(score + 10));
                assert!(better.win > worse.win && better.loss < worse.loss, "{score}");
                assert!(better.expected() > worse.expected(), "{score}");
            }
        }
    }

    #[test]
    fn a_forced_end_is_certain() {
        let position = positions()[0];
        assert_eq!(Wdl::new(Score::Win(3), &position), Wdl { win: 1.0, draw: 0.0, loss: 0.0 });
        assert_eq!(Wdl::new(Score::Win(-3), &position), Wdl { win: 0.0, draw: 0.0, loss: 1.0 });
    }

    #[test]
    fn the_marbles_gone_are_counted_on_the_board() {
        assert_eq!(positions().map(|position| WdlModel::gone(&position)), [0, 6, 11]);
    }
}

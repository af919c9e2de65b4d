//! How bad a move was, by the winning chance that it lost.

/// From this loss on a move is an inaccuracy. The three bounds are chosen by how often people's moves fall between them, by
/// [`WdlModel::PEOPLE`](crate::WdlModel::PEOPLE): of 262,032 moves in recorded games 8.7 % are inaccuracies, 4.8 % mistakes and
/// 1.1 % blunders (`data/chances/losses.tsv`), about four, two and one in two games of a player with forty moves.
pub const INACCURACY: f64 = 0.05;
/// From this loss on it is a mistake: ten of them cost a whole game.
pub const MISTAKE: f64 = 0.10;
/// From this loss on it is a blunder: it costs as much as two mistakes.
pub const BLUNDER: f64 = 0.20;

/// How fast a move's accuracy falls with its loss: a mistake of the least kind has 67 %, the least blunder 45 %.
const DECAY: f64 = 4.0;

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Judgement {
    /// The best move, or one that is about as good.
    Good,
    /// It lost at least [`INACCURACY`].
    Inaccuracy,
    /// It lost at least [`MISTAKE`].
    Mistake,
    /// It lost at least [`BLUNDER`].
    Blunder,
}

impl Judgement {
    /// The judgement on a move that lost so much winning chance, of 1 for a whole game.
    pub fn of(loss: f64) -> Judgement {
        match loss {
            BLUNDER.. => Judgement::Blunder,
            MISTAKE.. => Judgement::Mistake,
            INACCURACY.. => Judgement::Inaccuracy,
            _ => Judgement::Good,
        }
    }

    /// As people write it behind a move: nothing, `?!`, `?` or `??`.
    pub const fn mark(self) -> &'static str {
        match self {
            Judgement::Good => "",
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// The mark's number in game records.
    pub const fn glyph(self) -> Option<u8> {
        match self {
            Judgement::Good => None,
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder => Some(4),
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// A move's accuracy in percent, from the winning chance that it lost: 100 for no loss, towards 0 for a whole game.
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-DECAY * loss.max(0.0)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_threshold_belongs_to_the_worse_judgement() {
        let judged = [0.0, 0.0499, INACCURACY, 0.0999, MISTAKE, 0.1999, BLUNDER, 1.0].map(Judgement::of);
        use Judgement::{Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(judged, [Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
    }

    #[test]
    fn accuracy_falls_from_a_hundred() {
        assert_eq!(accuracy(0.0), 100.0);
        assert_eq!(accuracy(-0.1), 100.0);
        assert!(accuracy(BLUNDER) < 50.0 && accuracy(MISTAKE) > 60.0 && accuracy(1.0) < 2.0);
    }
}

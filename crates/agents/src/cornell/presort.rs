//! The order in which the search tries moves: a weighted sum of three heuristics (section 2.3).

use sumito_rules::{Bitboard, MAX_MARBLES, Move, Position};

use super::heuristics::{border, centre};

/// The weights of the three heuristics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights {
    /// Of the sum of distances to the centre.
    pub(super) centre: f64,
    /// Of the number of marbles on the border.
    pub(super) border: f64,
    /// Of a push: counted as 1 if the move pushes, else as -1.
    pub(super) push: f64,
}

impl Weights {
    /// From the grid of section 3.2: the signs that make sense, and a push above everything else.
    pub(super) const DEFAULT: Weights = Weights { centre: -1.0, border: -1.0, push: 100.0 };

    /// The value of a move with these traits to the side that made it.
    #[inline]
    pub(super) fn value(&self, traits: Traits) -> f64 {
        let push = if traits.pushes { self.push } else { -self.push };
        self.centre * f64::from(traits.centre) + self.border * f64::from(traits.border) + push
    }

    /// The value of a side's marbles, without a move.
    pub(super) fn of_marbles(&self, marbles: Bitboard) -> f64 {
        self.centre * centre(marbles) as f64 + self.border * border(marbles) as f64
    }
}

/// All that presorting sees of a move: so little that a table can hold every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits {
    centre: u8,
    border: u8,
    pushes: bool,
}

const CENTRES: usize = 4 * MAX_MARBLES + 1;
const BORDERS: usize = MAX_MARBLES + 1;

impl Traits {
    /// How many traits there are.
    pub(super) const COUNT: usize = CENTRES * BORDERS * 2;

    /// What a legal move shows: the mover's marbles after it, and whether it pushes.
    #[inline]
    pub(super) fn of(position: &Position, m: Move) -> Traits {
        let from = m.cells();
        let to = from.shift(m.direction());
        let marbles = position.own() ^ from ^ to;
        Traits {
            centre: centre(marbles) as u8,
            border: border(marbles) as u8,
            pushes: !(to & position.enemy()).is_empty(),
        }
    }

    /// What a legal move shows of the other side: its marbles after the move, and whether it was pushed.
    #[inline]
    pub(super) fn of_enemy(position: &Position, m: Move) -> Traits {
        let pushes = !(m.cells().shift(m.direction()) & position.enemy()).is_empty();
        let enemy = if pushes { position.play_unchecked(m).own() } else { position.enemy() };
        Traits { centre: centre(enemy) as u8, border: border(enemy) as u8, pushes }
    }

    /// Whether the move pushes.
    #[inline]
    pub(super) fn pushes(self) -> bool {
        self.pushes
    }

    /// A number below [`Traits::COUNT`].
    #[inline]
    pub(super) fn index(self) -> usize {
        (usize::from(self.centre) * BORDERS + usize::from(self.border)) * 2 + usize::from(self.pushes)
    }

    /// The traits with this index.
    pub(super) fn from_index(index: usize) -> Traits {
        let (both, pushes) = (index / 2, index % 2 == 1);
        Traits { centre: (both / BORDERS) as u8, border: (both % BORDERS) as u8, pushes }
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Notation, fen};

    use super::*;
    use crate::testing;

    const ODD: Weights = Weights { centre: 0.5, border: 3.0, push: 20.0 };

    fn judge(text: &str, m: &str) -> (f64, f64) {
        let position = fen::parse(text).expect("a FEN");
        let traits = Traits::of(&position, Notation::AbaPro.parse(&position, m).expect("a legal move"));
        (Weights::DEFAULT.value(traits), ODD.value(traits))
    }

    #[test]
    fn a_quiet_move_is_judged_as_computed_by_hand() {
        // Black A1, B2 to B2, C3: distances 3 + 2, nothing on the border, no push.
        // -1 * 5 - 1 * 0 - 100 = -105; 0.5 * 5 + 3 * 0 - 20 = -17.5.
        assert_eq!(judge("5/6/7/8/9/8/7/1S4/S4 0 0 b 0 1", "a1b2"), (-105.0, -17.5));
    }

    #[test]
    fn a_push_is_judged_as_computed_by_hand() {
        // Black A1, B2 push the white C3: distances 3 + 2, no border, push. -5 + 100 = 95; 2.5 + 20 = 22.5.
        assert_eq!(judge("5/6/7/8/9/8/2s4/1S4/S4 0 0 b 0 1", "a1b2"), (95.0, 22.5));
    }

    #[test]
    fn an_ejection_is_judged_as_computed_by_hand() {
        // White C3, B2 push A1 off and come to B2, A1: distances 3 + 4, one on the border, push; the black
        // marble on E5 does not count. -7 - 1 + 100 = 92; 3.5 + 3 + 20 = 26.5.
        assert_eq!(judge("5/6/7/8/4S4/8/2s4/1s4/S4 0 0 w 0 1", "c3b2"), (92.0, 26.5));
    }

    #[test]
    fn a_broadside_move_is_judged_as_computed_by_hand() {
        // Black E5, E6 go north-west to F5, F6: distances 1 + 1, and A1 stays: 4, on the border.
        // -6 - 1 - 100 = -107; 3 + 3 - 20 = -14.
        assert_eq!(judge("5/6/7/8/4SS3/8/7/6/S4 0 0 b 0 1", "e5e6f5"), (-107.0, -14.0));
    }

    #[test]
    fn traits_are_those_of_the_position_after_the_move() {
        for position in testing::positions() {
            for m in &position.legal_moves() {
                let traits = Traits::of(&position, m);
                let after = position.play_unchecked(m).marbles(position.turn());
                assert_eq!(usize::from(traits.centre), centre(after));
                assert_eq!(usize::from(traits.border), border(after));
                assert_eq!(traits.pushes, position.pushed(m) > 0);
            }
        }
    }

    #[test]
    fn traits_and_indices_are_one_to_one() {
        for index in 0..Traits::COUNT {
            assert_eq!(Traits::from_index(index).index(), index);
        }
    }
}

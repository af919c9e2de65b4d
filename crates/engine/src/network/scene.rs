//! What the network sees of a position: the marbles, how many were pushed off, and how soon a cap ends the game.

use sumito_rules::{Bitboard, ByColor, Position};

/// All that inputs are made of. Two scenes differ in few cells if one move lies between them, which is how an
/// accumulator is kept up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The marbles of both players.
    pub marbles: ByColor<Bitboard>,
    /// How many marbles each player has pushed off.
    pub score: ByColor<u8>,
    /// How near the cap is: 0 if it is far or there is none, to [`Scene::CLOCKS`].
    pub clock: u8,
}

impl Scene {
    /// How many steps a cap comes nearer in.
    pub const CLOCKS: u8 = 7;
    /// More marbles than this are never pushed off: the game is over.
    pub const MAX_SCORE: u8 = 6;

    /// The scene of a position with so many plies left until a cap ends the game, if one does.
    #[inline]
    pub fn new(position: &Position, plies_left: Option<u32>) -> Scene {
        use sumito_rules::Color::{Black, White};
        let score = |color| position.score(color).min(Scene::MAX_SCORE);
        Scene {
            marbles: ByColor::new(position.marbles(Black), position.marbles(White)),
            score: ByColor::new(score(Black), score(White)),
            clock: plies_left.map_or(0, Scene::clock_of),
        }
    }

    /// How near a cap is with so many plies left: 0 with more than 256, 1 with more than 128, and so on, as each
    /// step halves what is left; 7 with four or fewer.
    #[inline]
    pub fn clock_of(plies_left: u32) -> u8 {
        (8 - plies_left.saturating_sub(1).max(1).ilog2().min(8)).min(Scene::CLOCKS.into()) as u8
    }

    /// How many cells hold something else.
    #[inline]
    pub(super) fn distance(&self, other: &Scene) -> usize {
        (self.marbles.black ^ other.marbles.black).len() + (self.marbles.white ^ other.marbles.white).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_steps_when_half_of_the_plies_are_gone() {
        let clocks = [1000, 257, 256, 129, 128, 65, 64, 33, 32, 16, 8, 4, 3, 2, 1, 0].map(Scene::clock_of);
        assert_eq!(clocks, [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 7, 7, 7]);
    }
}

//! What a network sees of a board: the seven heuristics of section 2.3 for both sides, and what section 1 and section 5 of
//! the report wish for.

use std::ops::Deref;

use sumito_rules::{Bitboard, Cell, Color, MAX_MARBLES, Position};

use super::heuristics::{border, centre, compactness, near, protected, pushes, threatened};

/// The most inputs that a network has.
pub const MAX_INPUTS: usize = 2 * MAX_SIDE;

/// The heuristics of section 2.3.
const HEURISTICS: usize = 7;
/// With the pushes, and the marbles at home and abroad.
const MAX_SIDE: usize = HEURISTICS + 1 + 2;
/// Pairs among 14 marbles.
const PAIRS: usize = MAX_MARBLES * (MAX_MARBLES - 1) / 2;
/// What each heuristic is divided by where inputs are scaled, in the order of [`heuristics`]. Centre: every marble on the rim.
/// Compactness: every pair six steps apart, which marbles spread over the rim come near to. Protected: the
/// most that 14 marbles allow. The rest: every marble counts.
const SCALE: [usize; HEURISTICS] =
    [4 * MAX_MARBLES, MAX_MARBLES, 6 * PAIRS, 4, MAX_MARBLES, MAX_MARBLES, MAX_MARBLES];

/// Which inputs a network has: none of these is the 14 counts as the text of Lee and Noh (section 2.3) has them. A step of a weight
/// grows with its input, so that their learning rates (section 3.1.1: 0.05 to 0.0005) mean something else with each scale; which
/// one a network learns with is a setting of `sumito learn`, which says what was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Each input divided by about the most that it can be, a reading of ours: an input of hundreds drives the sigmoids to
    /// their ends.
    pub scaled: bool,
    /// Also the number of pushes that each side has (section 5 suspects that the network lacks them).
    pub pushes: bool,
    /// Also how many marbles each side has on its own half of the board and on the other's: the "subjective" encoding that
    /// section 1 wishes for. Black's half is the rows A to D, White's F to I.
    pub sides: bool,
}

/// The inputs of a network: those of the player judged, then the same for the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    values: [f64; MAX_INPUTS],
    len: usize,
}

impl Deref for Features {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.values[..self.len]
    }
}

impl Encoding {
    /// The 14 inputs scaled to about [0, 1], which a network's file of version 1 has.
    pub const SCALED: Encoding = Encoding { scaled: true, pushes: false, sides: false };

    /// How many inputs there are.
    pub const fn inputs(self) -> usize {
        2 * self.side()
    }

    const fn side(self) -> usize {
        HEURISTICS + self.pushes as usize + 2 * self.sides as usize
    }

    /// The inputs for a position as a player sees it, whoever is to move. For each side: closeness to the centre, number on
    /// the border, compactness, protected pieces, threatened pieces, number near the centre, number in between; then its
    /// pushes, and its marbles at home and abroad.
    pub fn features(self, position: &Position, color: Color) -> Features {
        let len = self.inputs();
        let mut values = [0.0; MAX_INPUTS];
        let (own, other) = values[..len].split_at_mut(self.side());
        self.see(position, color, own);
        self.see(position, !color, other);
        Features { values, len }
    }

    /// What an input may come to: what it is divided by if inputs are scaled.
    pub(super) fn scale(self, input: usize) -> f64 {
        SCALE.get(input % self.side()).copied().unwrap_or(MAX_MARBLES) as f64
    }

    fn see(self, position: &Position, color: Color, inputs: &mut [f64]) {
        let (own, enemy) = (position.marbles(color), position.marbles(!color));
        let counts = heuristics(own, enemy).into_iter();
        let pushes = self.pushes.then(|| pushes(own, enemy)).into_iter();
        let sides = self.sides.then(|| [color, !color].map(|half| (own & HALVES[half as usize]).len()));
        let all = counts.chain(pushes).chain(sides.into_iter().flatten());
        for (i, (input, count)) in inputs.iter_mut().zip(all).enumerate() {
            *input = if self.scaled { count as f64 / self.scale(i) } else { count as f64 };
        }
    }
}

fn heuristics(own: Bitboard, enemy: Bitboard) -> [usize; HEURISTICS] {
    let (near, border) = (near(own), border(own));
    let between = own.len() - near - border;
    [centre(own), border, compactness(own), protected(own), threatened(own, enemy), near, between]
}

/// The half of the board that is Black's, and White's.
const HALVES: [Bitboard; 2] = [half(true), half(false)];

const fn half(lower: bool) -> Bitboard {
    let (mut bits, mut i) = (0u64, 0);
    while i < Cell::COUNT {
        let row = Cell::ALL[i].row();
        if lower && row < MIDDLE || !lower && row > MIDDLE {
            bits |= 1 << Cell::ALL[i].index();
        }
        i += 1;
    }
    Bitboard::from_bits(bits)
}

/// Row E.
const MIDDLE: u8 = Cell::ALL[Cell::COUNT / 2].row();

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, fen};

    use super::*;
    use crate::testing;

    /// Every way to see a board.
    fn encodings() -> impl Iterator<Item = Encoding> {
        (0..8).map(|bits| Encoding { scaled: bits & 1 > 0, pushes: bits & 2 > 0, sides: bits & 4 > 0 })
    }

    /// The seven heuristics.
    fn raw(position: &Position, color: Color) -> [usize; HEURISTICS] {
        let inputs = Encoding::default().features(position, color);
        std::array::from_fn(|i| inputs[i] as usize)
    }

    #[test]
    fn the_standard_start_is_judged_as_counted_by_hand() {
        // Black: A1-A5 at distance 4; B1 and B6 at 4, B2-B5 at 3; C3-C5 at 2. Sum 20 + 8 + 12 + 6 = 46.
        // Border A1-A5, B1, B6 = 7. Near the centre C3-C5 = 3. In between B2-B5 = 4.
        // Protected: of B2-B5 those with C above on both sides, B3 (C3, C4) and B4 (C4, C5) = 2.
        // No enemy is in touch: threatened 0.
        // Compactness by cuts. Rows 5, 6, 3: 5*9 + 11*3 = 78. Numbers (1: A, B; 2: A, B; 3: A, B, C; 4 and
        // 5 the same; 6: B) 2, 2, 3, 3, 3, 1: 2*12 + 4*10 + 7*7 + 10*4 + 13*1 = 166. Third coordinate, number
        // minus row (A1-A5: 0-4, B1-B6: -1-4, C3-C5: 0-2): 1, 3, 3, 3, 2, 2: 1*13 + 4*10 + 7*7 + 10*4 + 12*2
        // = 166. Half of 78 + 166 + 166 is 205.
        let start = Layout::named("standard").expect("a layout").position();
        assert_eq!(raw(&start, Color::Black), [46, 7, 205, 2, 0, 3, 4]);
        assert_eq!(raw(&start, Color::White), [46, 7, 205, 2, 0, 3, 4]);
    }

    #[test]
    fn a_full_hexagon_is_judged_as_counted_by_hand() {
        // Black on E5 and its six neighbours: distances 0 + 6*1; pairs: centre to ring 6*1, neighbours on the
        // ring 6*1, next but one 6*2, opposite 3*2, in all 30; E5 is protected; all seven are near the centre.
        // White on E7 touches E6 only: E6 has 3 friends, not threatened; E7 has one enemy and no friend,
        // threatened, 2 from the centre, so near it.
        let position = fen::parse("5/6/7/3SS3/3SSSs2/3SS3/7/6/5 0 0 b 0 1").expect("a FEN");
        assert_eq!(raw(&position, Color::Black), [6, 0, 30, 1, 0, 7, 0]);
        assert_eq!(raw(&position, Color::White), [2, 0, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn a_scattered_board_is_judged_as_counted_by_hand() {
        // Black A1, A2, I9: all on the rim, 4 each, 12. A1-A2 1, A1-I9 8, A2-I9 8 (eight rows): 17.
        // White B2 (3 from the centre, in between) and B3 (3): 6, 1 apart.
        // A1 touches A2 and B2, one of each: not threatened. A2 touches A1, B2, B3: threatened. I9: alone.
        // B2 touches A1, A2 and B3: threatened. B3 touches A2 and B2 (A3 is empty): not.
        let position = fen::parse("4S/6/7/8/9/8/7/1ss3/SS3 0 0 w 0 1").expect("a FEN");
        assert_eq!(raw(&position, Color::Black), [12, 3, 17, 0, 1, 0, 0]);
        assert_eq!(raw(&position, Color::White), [6, 0, 1, 0, 1, 0, 2]);
    }

    #[test]
    fn the_other_side_sees_the_halves_exchanged() {
        for encoding in encodings() {
            for position in testing::positions() {
                let mut inputs = encoding.features(&position, Color::Black).to_vec();
                inputs.rotate_left(encoding.side());
                assert_eq!(inputs[..], encoding.features(&position, Color::White)[..]);
            }
        }
    }

    #[test]
    fn scaled_inputs_are_the_raw_ones_divided_by_the_most_that_they_can_be() {
        for encoding in encodings().filter(|encoding| encoding.scaled) {
            for position in testing::positions() {
                let scaled = encoding.features(&position, Color::Black);
                let raw = Encoding { scaled: false, ..encoding }.features(&position, Color::Black);
                let expected: Vec<f64> =
                    raw.iter().enumerate().map(|(i, count)| count / encoding.scale(i)).collect();
                assert_eq!(scaled[..], expected[..]);
            }
        }
    }

    #[test]
    fn scaled_inputs_lie_in_the_unit_interval() {
        for encoding in encodings().filter(|encoding| encoding.scaled) {
            for position in testing::positions() {
                let inputs = encoding.features(&position, position.turn());
                assert!(inputs.iter().all(|input| (0.0..=1.0).contains(input)), "{inputs:?}");
            }
        }
    }

    #[test]
    fn the_most_spread_and_the_most_protected_marbles_stay_in_the_unit_interval() {
        let text = "S2SS/S4S/7/2sss2S/S1ssss2S/S1ssss2/2sss2/S4S/S1S1S 0 0 b 0 1";
        let position = fen::parse(text).expect("a FEN");
        let [spread, protected] = [raw(&position, Color::Black)[2], raw(&position, Color::White)[3]];
        // 510 was the best of 300 climbs from random placements.
        assert_eq!((spread, protected), (510, 4));
        let inputs = Encoding::SCALED.features(&position, Color::Black);
        assert!(inputs.iter().all(|input| (0.0..=1.0).contains(input)));
    }

    #[test]
    fn pushes_and_sides_follow_the_heuristics_of_each_side() {
        // Black A1, B2 push C3 or, from C3, nothing; White C3 alone pushes nothing. Black's two are at home, White's one abroad.
        let position = fen::parse("5/6/7/8/9/8/2s4/1S4/S4 0 0 b 0 1").expect("a FEN");
        let encoding = Encoding { pushes: true, sides: true, ..Encoding::default() };
        let inputs = encoding.features(&position, Color::Black);
        assert_eq!(
            (inputs.len(), &inputs[7..10], &inputs[17..]),
            (20, &[1.0, 2.0, 0.0][..], &[0.0, 0.0, 1.0][..])
        );
    }

    #[test]
    fn a_marble_in_the_middle_row_is_on_nobodys_half() {
        let position = fen::parse("5/6/7/8/S3S4/8/7/6/4s 0 0 b 0 1").expect("a FEN");
        let encoding = Encoding { sides: true, ..Encoding::default() };
        assert_eq!(encoding.features(&position, Color::Black)[7..9], [0.0, 0.0]);
    }
}

//! What the agents see of a board (section 2.3): sums and counts over a side's marbles, and the network's
//! inputs made of them.

use sumito_rules::{Bitboard, Cell, Color, Direction, MAX_MARBLES, Position};

/// How many inputs the network has.
pub const INPUTS: usize = 2 * SIDE;
/// The network's inputs: seven numbers for the player judged, then the same seven for the other.
pub type Inputs = [f64; INPUTS];

/// Heuristics for each side.
const SIDE: usize = 7;
/// Pairs among 14 marbles.
const PAIRS: usize = MAX_MARBLES * (MAX_MARBLES - 1) / 2;
/// What each heuristic is divided by, in the order of [`side`]. Centre: every marble on the rim.
/// Compactness: every pair six steps apart, which marbles spread over the rim come near to. Protected: the
/// most that 14 marbles allow. The rest: every marble counts.
const SCALE: [usize; SIDE] =
    [4 * MAX_MARBLES, MAX_MARBLES, 6 * PAIRS, 4, MAX_MARBLES, MAX_MARBLES, MAX_MARBLES];

/// The network's inputs for a position as a player sees it, whoever is to move. For each side: closeness to
/// the centre, number on the border, compactness, protected pieces, threatened pieces, number near the
/// centre, number in between.
pub fn features(position: &Position, color: Color) -> Inputs {
    let (own, enemy) = (position.marbles(color), position.marbles(!color));
    let mut inputs = [0.0; INPUTS];
    inputs[..SIDE].copy_from_slice(&side(own, enemy));
    inputs[SIDE..].copy_from_slice(&side(enemy, own));
    inputs
}

fn side(own: Bitboard, enemy: Bitboard) -> [f64; SIDE] {
    let near = (own & DISCS[2]).len();
    let border = border(own);
    let between = own.len() - near - border;
    let raw = [centre(own), border, compactness(own), protected(own), threatened(own, enemy), near, between];
    std::array::from_fn(|i| raw[i] as f64 / SCALE[i] as f64)
}

/// Sum of the marbles' distances to the centre.
pub(super) fn centre(marbles: Bitboard) -> usize {
    // A marble d steps from the centre is outside d of the discs.
    DISCS.iter().map(|&disc| (marbles - disc).len()).sum()
}

/// Number of marbles at the edge of the board.
pub(super) fn border(marbles: Bitboard) -> usize {
    (marbles & Bitboard::RIM).len()
}

/// Sum of the distances between each two of the marbles.
fn compactness(marbles: Bitboard) -> usize {
    // The distance of two cells is half the sum of their three coordinates' differences, and a difference is
    // the number of cuts between them: each cut counts the pairs that it separates.
    let all = marbles.len();
    let separated = |side: &Bitboard| {
        let below = (marbles & *side).len();
        below * (all - below)
    };
    CUTS.iter().map(separated).sum::<usize>() / 2
}

/// Number of marbles with six friendly neighbours.
fn protected(own: Bitboard) -> usize {
    Direction::ALL.into_iter().fold(own, |left, d| left & own.before(d)).len()
}

/// Number of marbles with more enemy than friendly neighbours.
fn threatened(own: Bitboard, enemy: Bitboard) -> usize {
    let outnumbered = |cell: &Cell| {
        let around = NEIGHBOURS[cell.index()];
        (around & enemy).len() > (around & own).len()
    };
    own.iter().filter(outnumbered).count()
}

/// The cells within 0, 1, 2 and 3 steps of the centre.
const DISCS: [Bitboard; 4] = [disc(0), disc(1), disc(2), disc(3)];
/// For each of the three coordinates, the cells below each of the eight cuts between its nine values.
const CUTS: [Bitboard; 24] = cuts();
/// The cells around each cell, by index.
const NEIGHBOURS: [Bitboard; Cell::COUNT] = neighbours();

const fn disc(radius: u8) -> Bitboard {
    let (mut bits, mut distance) = (0, 0);
    while distance <= radius {
        bits |= Bitboard::ring(distance).bits();
        distance += 1;
    }
    Bitboard::from_bits(bits)
}

const fn cuts() -> [Bitboard; 24] {
    let mut bits = [0u64; 24];
    let mut i = 0;
    while i < Cell::COUNT {
        let cell = Cell::ALL[i];
        let coordinates = [cell.row(), cell.number(), cell.row() + 5 - cell.number()];
        let mut cut = 0;
        while cut < 24 {
            if coordinates[cut / 8] as usize <= cut % 8 + 1 {
                bits[cut] |= 1 << cell.index();
            }
            cut += 1;
        }
        i += 1;
    }
    sets(bits)
}

const fn neighbours() -> [Bitboard; Cell::COUNT] {
    let mut bits = [0u64; Cell::COUNT];
    let mut i = 0;
    while i < Cell::COUNT {
        let mut d = 0;
        while d < 6 {
            if let Some(next) = Cell::ALL[i].step(Direction::ALL[d]) {
                bits[Cell::ALL[i].index()] |= 1 << next.index();
            }
            d += 1;
        }
        i += 1;
    }
    sets(bits)
}

const fn sets<const N: usize>(bits: [u64; N]) -> [Bitboard; N] {
    let mut sets = [Bitboard::EMPTY; N];
    let mut i = 0;
    while i < N {
        sets[i] = Bitboard::from_bits(bits[i]);
        i += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, fen};

    use super::*;
    use crate::testing;

    /// The seven heuristics before scaling.
    fn raw(position: &Position, color: Color) -> [usize; SIDE] {
        let inputs = features(position, color);
        std::array::from_fn(|i| (inputs[i] * SCALE[i] as f64).round() as usize)
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
    fn the_sums_over_sets_equal_sums_over_cells() {
        for position in testing::positions() {
            for color in Color::ALL {
                let cells: Vec<Cell> = position.marbles(color).iter().collect();
                let rings: usize = cells.iter().map(|cell| cell.ring() as usize).sum();
                let pairs: usize =
                    cells.iter().flat_map(|a| cells.iter().map(|b| a.distance(*b) as usize)).sum();
                assert_eq!([rings, pairs / 2], [raw(&position, color)[0], raw(&position, color)[2]]);
            }
        }
    }

    #[test]
    fn the_other_side_sees_the_halves_exchanged() {
        for position in testing::positions() {
            let mut inputs = features(&position, Color::Black);
            inputs.rotate_left(SIDE);
            assert_eq!(inputs, features(&position, Color::White));
        }
    }

    #[test]
    fn inputs_lie_in_the_unit_interval() {
        for position in testing::positions() {
            let inputs = features(&position, position.turn());
            assert!(inputs.iter().all(|input| (0.0..=1.0).contains(input)), "{inputs:?}");
        }
    }

    #[test]
    fn the_most_spread_and_the_most_protected_marbles_stay_in_the_unit_interval() {
        let text = "S2SS/S4S/7/2sss2S/S1ssss2S/S1ssss2/2sss2/S4S/S1S1S 0 0 b 0 1";
        let position = fen::parse(text).expect("a FEN");
        let [spread, protected] = [raw(&position, Color::Black)[2], raw(&position, Color::White)[3]];
        // 510 was the best of 300 climbs from random placements.
        assert_eq!((spread, protected), (510, 4));
        assert!(features(&position, Color::Black).iter().all(|input| (0.0..=1.0).contains(input)));
    }
}

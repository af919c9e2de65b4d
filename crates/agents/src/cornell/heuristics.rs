//! What is counted on a board (section 2.3): sums and counts over a side's marbles.

use sumito_rules::{Bitboard, Cell, Direction};

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
pub(super) fn compactness(marbles: Bitboard) -> usize {
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
pub(super) fn protected(own: Bitboard) -> usize {
    Direction::ALL.into_iter().fold(own, |left, d| left & own.before(d)).len()
}

/// Number of marbles with more enemy than friendly neighbours.
pub(super) fn threatened(own: Bitboard, enemy: Bitboard) -> usize {
    let outnumbered = |cell: &Cell| {
        let around = NEIGHBOURS[cell.index()];
        (around & enemy).len() > (around & own).len()
    };
    own.iter().filter(outnumbered).count()
}

/// Number of moves with which a side could push now, were it its turn (section 5 wants the network to see pushes).
pub(super) fn pushes(own: Bitboard, enemy: Bitboard) -> usize {
    let of_direction = |d: Direction| {
        // A marble that gives way has neither colour behind it; two give way if the second of them does.
        let one = enemy - own.before(d) - enemy.before(d);
        let two = enemy & one.before(d);
        let (second, third) = (own.shift(d), own.shift(d).shift(d));
        let pair = own & one.before(d) & second;
        let three = own & (one | two).before(d) & second & third;
        pair.len() + three.len()
    };
    Direction::ALL.into_iter().map(of_direction).sum()
}

/// Number of marbles within 2 steps of the centre.
pub(super) fn near(marbles: Bitboard) -> usize {
    (marbles & DISCS[2]).len()
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
    use sumito_rules::Color;

    use super::*;
    use crate::testing;

    #[test]
    fn the_sums_over_sets_equal_sums_over_cells() {
        for position in testing::positions() {
            for color in Color::ALL {
                let marbles = position.marbles(color);
                let cells: Vec<Cell> = marbles.iter().collect();
                let rings: usize = cells.iter().map(|cell| cell.ring() as usize).sum();
                let pairs: usize =
                    cells.iter().flat_map(|a| cells.iter().map(|b| a.distance(*b) as usize)).sum();
                assert_eq!([rings, pairs / 2], [centre(marbles), compactness(marbles)]);
            }
        }
    }

    #[test]
    fn pushes_are_the_legal_moves_that_push() {
        let mut seen = 0;
        for position in testing::positions() {
            let moves = position.legal_moves();
            let pushing = moves.iter().filter(|m| position.pushed(**m) > 0).count();
            assert_eq!(pushes(position.own(), position.enemy()), pushing, "{position:?}");
            seen += pushing;
        }
        assert!(seen > 20, "only {seen} pushes in all positions");
    }
}

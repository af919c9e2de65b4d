//! The three move orderings of section 5.1.3.

use std::sync::LazyLock;

use sumito_engine::Rng;
use sumito_rules::{Cell, Direction, Move, MoveList, Position};

/// In which order moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// Capturing, then attacking, then other moves; more marbles first within each.
    Full,
    /// More marbles first.
    Simple,
    /// By chance.
    Random,
}

/// The seven classes of full ordering: 3 and 2 marbles capturing, 3 and 2 attacking, 3, 2 and 1 moving.
#[inline]
pub(super) fn class(position: &Position, m: Move) -> u32 {
    let fewer = 3 - m.count() as u32;
    let ahead = if m.is_broadside() { None } else { m.head().step(m.direction()) };
    if !ahead.is_some_and(|cell| position.enemy().contains(cell)) {
        4 + fewer
    } else if position.ejects(m) {
        fewer
    } else {
        2 + fewer
    }
}

/// The legal moves of a position in the order in which to try them.
pub(super) struct Ordered {
    moves: MoveList,
    /// The place in the order, above bit 16; the index of the move below.
    keys: [u32; MoveList::CAPACITY],
}

impl Ordered {
    pub(super) fn new(position: &Position, ordering: Ordering, rng: &mut Rng) -> Ordered {
        let moves = position.legal_moves();
        let mut keys = [0; MoveList::CAPACITY];
        let places = &*PLACES;
        for ((key, &m), index) in keys.iter_mut().zip(moves.iter()).zip(0..) {
            let class = match ordering {
                Ordering::Full => class(position, m),
                Ordering::Simple => 3 - m.count() as u32,
                Ordering::Random => 0,
            };
            *key = class << 28 | u32::from(places[usize::from(m.bits())]) << 16 | index;
        }
        let used = &mut keys[..moves.len()];
        match ordering {
            Ordering::Random => rng.shuffle(used),
            _ => used.sort_unstable(),
        }
        Ordered { moves, keys }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> {
        self.keys[..self.moves.len()].iter().map(|key| self.moves[(key & 0xffff) as usize])
    }
}

/// The order within a class, by the move's bits. The document leaves it open; this is the program's. Lines
/// come column by column, single marbles row by row, from the upper left.
static PLACES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut moves: Vec<Move> = Move::all().collect();
    moves.sort_by_cached_key(|&m| place(m));
    let mut places = vec![0; Move::TABLE];
    for (m, place) in moves.into_iter().zip(0..) {
        places[usize::from(m.bits())] = place;
    }
    places
});

/// Fills the table of the order within a class now, so that it costs no time of the first move.
pub(super) fn prepare() {
    LazyLock::force(&PLACES);
}

/// The program's order of directions.
const DIRECTIONS: [Direction; 6] = [
    Direction::NorthWest,
    Direction::West,
    Direction::SouthWest,
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
];
/// The program's order of lines, each seen from its lower end: down-left, down-right, right.
const LINES: [Direction; 3] = [Direction::NorthEast, Direction::NorthWest, Direction::East];

fn place(m: Move) -> (u8, u8, Option<usize>, Option<usize>) {
    let axis = m.line().axis();
    let (low, high) = (m.tail().min(m.head()), m.tail().max(m.head()));
    let upper_left = if axis == Direction::East { low } else { high };
    let column = |cell: Cell| cell.number() - cell.row().saturating_sub(4).max(1);
    let (column, row) = (column(upper_left), 9 - upper_left.row());
    let direction = DIRECTIONS.iter().position(|&d| d == m.direction());
    match m.count() {
        1 => (row, column, None, direction),
        _ => (column, row, LINES.iter().position(|&line| line == axis), direction),
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Notation, fen};

    use super::*;
    use crate::testing::positions;

    fn ordered(position: &Position, ordering: Ordering) -> Vec<Move> {
        Ordered::new(position, ordering, &mut Rng::new(1)).iter().collect()
    }

    #[test]
    fn every_ordering_gives_each_legal_move_once() {
        for position in positions() {
            let mut all: Vec<u16> = position.legal_moves().iter().map(|m| m.bits()).collect();
            all.sort_unstable();
            for ordering in [Ordering::Full, Ordering::Simple, Ordering::Random] {
                let mut bits: Vec<u16> = ordered(&position, ordering).iter().map(|m| m.bits()).collect();
                bits.sort_unstable();
                assert_eq!(bits, all, "{ordering:?}");
            }
        }
    }

    #[test]
    fn full_ordering_puts_captures_before_attacks_before_moves_and_more_marbles_first() {
        for position in positions() {
            let rank = |m: &Move| {
                let strength =
                    if position.ejects(*m) { 0 } else { 1 + usize::from(position.pushed(*m) == 0) };
                (strength, 3 - m.count())
            };
            assert!(ordered(&position, Ordering::Full).iter().map(rank).is_sorted());
        }
    }

    #[test]
    fn simple_ordering_looks_at_the_number_of_marbles_alone() {
        for position in positions() {
            let moves = ordered(&position, Ordering::Simple);
            assert!(moves.iter().map(|m| 3 - m.count()).is_sorted());
        }
    }

    #[test]
    fn within_a_class_columns_come_from_the_left_and_single_marbles_from_the_top() {
        // Pairs on E1-E2 and H4-H5: both begin in the first column, H is above E. Each goes NW, W, SW, NE, E,
        // SE where it can; then the single marbles follow, H4 first.
        let position = fen::parse("5/SS4/7/8/SS7/8/7/6/5").expect("a FEN");
        let moves = ordered(&position, Ordering::Simple);
        let texts: Vec<String> = moves.iter().map(|&m| Notation::AbaPro.write(&position, m)).collect();
        let expected = "h4h5g3 h4h5i5 h4h5 h4h5g4 e1e2f2 e1e2 e1e2d1 h4g3";
        assert_eq!(texts[..8].join(" "), expected);
    }
}

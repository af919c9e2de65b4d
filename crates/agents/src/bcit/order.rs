//! The order in which moves are searched (section 3.2.1): those that move more own marbles first, and otherwise
//! as the document's state space generator finds them.

use std::cmp::Reverse;
use std::sync::LazyLock;

use sumito_rules::{Cell, Direction, Move, Position};

/// All 1,734 moves in a fixed order. The legal moves of a position are put in this order without sorting: each
/// sets the bit of its rank, and the bits are then read from the first to the last.
#[derive(Debug)]
pub(super) struct Order {
    /// The rank by the move's bits.
    ranks: Box<[u16; Move::TABLE]>,
    /// The move by its rank.
    moves: Box<[Move]>,
}

/// Words that hold one bit for each of the 1,734 moves.
const WORDS: usize = 1734usize.div_ceil(64);

/// The order of generation.
static GENERATED: LazyLock<Order> = LazyLock::new(|| Order::by(generation));
/// More own marbles first, else the order of generation.
static MOST_FIRST: LazyLock<Order> = LazyLock::new(|| Order::by(|m| (Reverse(m.count()), generation(m))));

/// The document's clockwise numbering of the directions, from the left.
const DIRECTIONS: [Direction; 6] = [
    Direction::West,
    Direction::NorthWest,
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
    Direction::SouthWest,
];

impl Order {
    /// The order of the document, or that of generation alone.
    pub(super) fn new(most_first: bool) -> &'static Order {
        if most_first { &MOST_FIRST } else { &GENERATED }
    }

    fn by<K: Ord>(key: impl Fn(Move) -> K) -> Order {
        let mut moves: Box<[Move]> = Move::all().collect();
        moves.sort_by_key(|&m| key(m));
        let mut ranks = Box::new([0; Move::TABLE]);
        for (m, rank) in moves.iter().zip(0..) {
            ranks[m.bits() as usize] = rank;
        }
        Order { ranks, moves }
    }

    /// The legal moves of a position in this order.
    #[inline]
    pub(super) fn moves(&self, position: &Position) -> Moves<'_> {
        let mut words = [0; WORDS];
        position.for_each_move(|m| {
            let rank = self.ranks[m.bits() as usize];
            words[rank as usize / 64] |= 1 << (rank % 64);
        });
        Moves { order: self, words, at: 0 }
    }
}

/// What the generator counts through, outermost first (section 1.5.2): the cell from row I to A and from left to
/// right, in line or two or three sideways, the direction.
fn generation(m: Move) -> (Reverse<u8>, u8, usize, Option<usize>) {
    let cell = anchor(m);
    let kind = if m.is_broadside() { m.count() } else { 1 };
    let direction = DIRECTIONS.iter().position(|&d| d == m.direction());
    (Reverse(cell.row()), cell.number(), kind, direction)
}

/// The marble by which an action names a move: the rearmost in line; sideways the end from which the line leads
/// 60 or 120 degrees clockwise from the way it moves.
fn anchor(m: Move) -> Cell {
    let clockwise = [m.direction().turned(5), m.direction().turned(4)];
    if !m.is_broadside() || clockwise.contains(&m.line()) { m.tail() } else { m.head() }
}

/// The legal moves of a position, in order.
pub(super) struct Moves<'a> {
    order: &'a Order,
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Moves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while self.at < WORDS {
            let word = self.words[self.at];
            if word != 0 {
                self.words[self.at] &= word - 1;
                return Some(self.order.moves[64 * self.at + word.trailing_zeros() as usize]);
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, Notation};

    use super::*;
    use crate::testing;

    fn in_order(position: &Position, most_first: bool) -> Vec<String> {
        let moves = Order::new(most_first).moves(position);
        moves.map(|m| Notation::Bcit.write(position, m)).collect()
    }

    #[test]
    fn every_legal_move_comes_once() {
        for position in testing::positions() {
            let mut legal: Vec<u16> = position.legal_moves().iter().map(|m| m.bits()).collect();
            legal.sort_unstable();
            for most_first in [false, true] {
                let mut moves: Vec<u16> = Order::new(most_first).moves(&position).map(Move::bits).collect();
                moves.sort_unstable();
                assert_eq!(moves, legal);
            }
        }
    }

    #[test]
    fn generation_goes_from_row_i_down_and_clockwise_from_the_left() {
        let start = Layout::named("standard").expect("a layout").position();
        let expected = "i-C3-9 i-C3-11 i-C3-1 i-C3-3 s-C3-C4-11 s-C3-C4-1 s-C3-C5-11 s-C3-C5-1 i-C4-9 i-C4-11 i-C4-1 i-C4-3";
        assert_eq!(in_order(&start, false)[..12].join(" "), expected);
    }

    #[test]
    fn moves_of_more_own_marbles_come_first_and_keep_their_order_otherwise() {
        for position in testing::positions() {
            let mut sorted: Vec<Move> = Order::new(false).moves(&position).collect();
            sorted.sort_by_key(|m| Reverse(m.count()));
            assert!(Order::new(true).moves(&position).eq(sorted));
        }
    }

    #[test]
    fn an_action_of_cell_kind_and_direction_names_one_legal_move() {
        for position in testing::positions() {
            let mut keys: Vec<_> = Order::new(false).moves(&position).map(generation).collect();
            let count = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), count);
        }
    }
}

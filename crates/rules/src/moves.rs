//! A move: one to three marbles in a line and a direction, in 16 bits, and a list of them.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Deref;

use crate::bitboard::Bitboard;
use crate::cell::{Cell, Direction};

/// A move, independent of any position: which cells the moving marbles stand on, and where they go.
///
/// Each move has exactly one value. In line, `tail` is the rearmost marble; sideways (*broadside*) it is
/// the lower end of the line, by row and then number. There are 1,734 moves that keep the own marbles on
/// the board.
///
/// ```
/// use sumito_rules::{Direction, Move};
/// let (a1, c3) = ("a1".parse()?, "c3".parse()?);
/// let m = Move::broadside(c3, a1, Direction::East).expect("three marbles, sideways");
/// assert_eq!((m.tail(), m.count(), m.head()), (a1, 3, c3));
/// assert_eq!(Move::from_bits(m.bits()), Some(m));
/// # Ok::<(), sumito_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

// Bits 0-5: the tail's index; 6-8: the direction; 9-10: how many marbles, 1 to 3, so that the whole is
// never zero; 11-12: 0 in line, else 1 + the axis of the line.
const DIRECTION: u32 = 6;
const COUNT: u32 = 9;
const AXIS: u32 = 11;

impl Move {
    /// One more than the highest value of [`Move::bits`]: the size of a table indexed by moves.
    pub const TABLE: usize = 1 << 13;

    /// A move in line: the rearmost marble, the direction, and how many own marbles move (1 to 3).
    ///
    /// `None` if the marbles would stand on or move to a place off the board.
    pub const fn inline(tail: Cell, direction: Direction, count: usize) -> Option<Move> {
        let fits = 1 <= count && count <= 3 && tail.steps(direction, count).is_some();
        if fits { Some(Move::pack_inline(tail, direction, count as u16)) } else { None }
    }

    /// A move sideways: the two ends of a line of two or three, in either order, and the direction.
    ///
    /// `None` if the ends are not one or two steps apart in a line, if the direction is that of the line,
    /// or if the marbles would leave the board.
    pub fn broadside(end: Cell, other: Cell, direction: Direction) -> Option<Move> {
        let (low, high) = (end.min(other), end.max(other));
        let (axis, steps) = low.line_to(high)?;
        let fits = steps <= 2
            && !axis.is_parallel(direction)
            && low.step(direction).is_some()
            && high.step(direction).is_some();
        fits.then(|| Move::pack_broadside(low, axis, direction, steps as u16 + 1))
    }

    #[inline(always)]
    pub(crate) const fn pack_inline(tail: Cell, direction: Direction, count: u16) -> Move {
        Move::pack(tail, direction, count, 0)
    }

    #[inline(always)]
    pub(crate) const fn pack_broadside(
        tail: Cell,
        axis: Direction,
        direction: Direction,
        count: u16,
    ) -> Move {
        Move::pack(tail, direction, count, axis as u16 + 1)
    }

    #[inline(always)]
    const fn pack(tail: Cell, direction: Direction, count: u16, axis: u16) -> Move {
        let bits = tail.index() as u16 | (direction as u16) << DIRECTION | count << COUNT | axis << AXIS;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move has at least one marble"),
        }
    }

    /// The move with these bits, if there is one.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let tail = Cell::from_index((bits & 63) as usize)?;
        let direction = Direction::from_index((bits >> DIRECTION & 7) as usize)?;
        let count = (bits >> COUNT & 3) as usize;
        match bits >> AXIS {
            0 => Move::inline(tail, direction, count),
            axis @ 1..=3 if count >= 2 => {
                let axis = Direction::AXES[axis as usize - 1];
                Move::broadside(tail, tail.steps(axis, count - 1)?, direction)
            }
            _ => None,
        }
    }

    /// The move as a number below [`Move::TABLE`], never zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// In line: the rearmost marble. Sideways: the lower end.
    #[inline]
    pub fn tail(self) -> Cell {
        Cell::from_index((self.bits() & 63) as usize).expect("a move is made from a cell")
    }

    /// Where the marbles go.
    #[inline]
    pub fn direction(self) -> Direction {
        Direction::from_index((self.bits() >> DIRECTION & 7) as usize)
            .expect("a move is made from a direction")
    }

    /// How many own marbles move, 1 to 3.
    #[inline]
    pub const fn count(self) -> usize {
        (self.bits() >> COUNT & 3) as usize
    }

    /// Whether the marbles move sideways.
    #[inline]
    pub const fn is_broadside(self) -> bool {
        self.bits() >> AXIS != 0
    }

    /// The way from the tail to the head: the direction itself in line.
    #[inline]
    pub fn line(self) -> Direction {
        match self.bits() >> AXIS & 3 {
            0 => self.direction(),
            axis => Direction::AXES[axis as usize - 1],
        }
    }

    /// In line: the foremost own marble. Sideways: the higher end.
    pub fn head(self) -> Cell {
        self.tail().steps(self.line(), self.count() - 1).expect("a move's marbles are on the board")
    }

    /// The cells of the own marbles that move.
    #[inline]
    pub fn cells(self) -> Bitboard {
        let (tail, line) = (Bitboard::from(self.tail()), self.line());
        match self.count() {
            1 => tail,
            2 => tail | tail.shift(line),
            _ => tail | tail.shift(line) | tail.shift(line).shift(line),
        }
    }

    /// Every move that keeps the own marbles on the board, by bits.
    pub fn all() -> impl Iterator<Item = Move> {
        (0..Move::TABLE as u16).filter_map(Move::from_bits)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}-{:?}>{}", self.tail(), self.head(), self.direction())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.bits())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Move {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u16::deserialize(deserializer)?;
        Move::from_bits(bits)
            .ok_or_else(|| serde::de::Error::custom(format!("expected a move, found {bits}")))
    }
}

/// The moves of one position, kept on the stack.
///
/// ```
/// use sumito_rules::Layout;
/// let start = Layout::named("standard").expect("a layout").position();
/// let moves = start.legal_moves();
/// assert_eq!(moves.len(), 44);
/// let sideways = moves.iter().filter(|m| m.is_broadside()).count();
/// assert!(0 < sideways && sideways < moves.len());
/// ```
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// Enough for any 14 marbles: at most one move in line for each marble and direction (84), and four
    /// directions for each of at most 29 pairs and no more triples (232). 29 is the most neighbouring
    /// pairs that 14 cells of a hexagonal grid can have.
    pub const CAPACITY: usize = 320;

    /// An empty list.
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::pack_inline(Cell::CENTRE, Direction::East, 1); Self::CAPACITY], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }

    /// Adds a move of the centre as a move of each of these cells. Four are written at a time, whether there are so many or not: what
    /// is too much is written over, and a branch that is hard to guess costs more.
    #[inline(always)]
    pub(crate) fn push_all(&mut self, tails: Bitboard, model: Move) {
        let (mut rest, end) = (tails.bits(), self.len + tails.len());
        loop {
            for place in &mut self.moves[self.len..][..4] {
                *place = Move(model.0 | rest.trailing_zeros() as u16);
                rest &= rest.wrapping_sub(1);
            }
            self.len += 4;
            if self.len >= end {
                break;
            }
        }
        self.len = end;
    }

    /// Takes all moves out.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_312_single_462_inline_and_960_broadside_moves() {
        let singles = Move::all().filter(|m| m.count() == 1).count();
        let broadside = Move::all().filter(|m| m.is_broadside()).count();
        assert_eq!((singles, broadside, Move::all().count()), (312, 960, 1734));
    }

    #[test]
    fn bits_and_moves_are_one_to_one() {
        for bits in 0..=u16::MAX {
            if let Some(m) = Move::from_bits(bits) {
                assert_eq!(m.bits(), bits);
            }
        }
    }

    #[test]
    fn an_optional_move_is_no_larger_than_a_move() {
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}

//! A set of cells in one word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::cell::{Cell, Direction};

/// A set of cells, with the operators of a set: `|`, `&`, `^`, `-` and `!`.
///
/// ```
/// use sumito_rules::{Bitboard, Cell, Direction};
/// let centre = Bitboard::from(Cell::CENTRE);
/// let around: Bitboard = Direction::ALL.into_iter().map(|d| centre.shift(d)).collect();
/// assert_eq!(around.len(), 6);
/// assert!((around - Bitboard::RIM) == around && !around.contains(Cell::CENTRE));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u64);

const MASK: u64 = (1 << 61) - 1;

/// For each direction, the cells that a step in it can reach.
const REACHED: [u64; 6] = reached_table();

impl Bitboard {
    /// No cell.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 61 cells.
    pub const ALL: Bitboard = Bitboard(MASK);
    /// The 24 cells at the edge.
    pub const RIM: Bitboard = Bitboard::ring(4);

    /// The set with these bits; bits past the 61st are dropped.
    #[inline]
    pub const fn from_bits(bits: u64) -> Bitboard {
        Bitboard(bits & MASK)
    }

    /// One bit for each cell, at the cell's index.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The cells at this distance from the centre.
    pub const fn ring(distance: u8) -> Bitboard {
        let (mut bits, mut i) = (0, 0);
        while i < 61 {
            if Cell::ALL[i].ring() == distance {
                bits |= 1 << Cell::ALL[i].index();
            }
            i += 1;
        }
        Bitboard(bits)
    }

    /// Whether the set has this cell.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// Whether the set has every cell of the other.
    #[inline]
    pub const fn contains_all(self, other: Bitboard) -> bool {
        other.0 & !self.0 == 0
    }

    /// How many cells the set has.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no cell.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a cell.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    /// Removes a cell.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.index());
    }

    /// Every cell moved one step; those that would leave the board are gone.
    #[inline(always)]
    #[must_use]
    pub const fn shift(self, direction: Direction) -> Bitboard {
        let k = direction.stride();
        Bitboard((self.0 << k | self.0 >> (61 - k)) & REACHED[direction as usize])
    }

    /// The cells from which a step in the direction leads into the set.
    #[inline(always)]
    #[must_use]
    pub const fn before(self, direction: Direction) -> Bitboard {
        self.shift(direction.opposite())
    }

    /// The cells next to a cell of the set.
    #[must_use]
    pub fn neighbours(self) -> Bitboard {
        Direction::ALL.into_iter().map(|d| self.shift(d)).collect()
    }

    /// The cells, by index.
    #[inline]
    pub fn iter(self) -> Iter {
        Iter(self.0)
    }

    /// The cells by row, then number: the order in which people list them.
    pub fn sorted(self) -> impl Iterator<Item = Cell> {
        Cell::ALL.into_iter().filter(move |&cell| self.contains(cell))
    }
}

const fn reached_table() -> [u64; 6] {
    let mut table = [0; 6];
    let mut d = 0;
    while d < 6 {
        let mut i = 0;
        while i < 61 {
            if let Some(cell) = Cell::ALL[i].step(Direction::ALL[d]) {
                table[d] |= 1 << cell.index();
            }
            i += 1;
        }
        d += 1;
    }
    table
}

/// The cells of a [`Bitboard`].
#[derive(Clone, Debug)]
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let cell = Cell::from_index(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for Bitboard {
    type Item = Cell;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl From<Cell> for Bitboard {
    #[inline]
    fn from(cell: Cell) -> Bitboard {
        Bitboard(1 << cell.index())
    }
}

impl FromIterator<Cell> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Bitboard {
        cells.into_iter().map(Bitboard::from).collect()
    }
}

impl FromIterator<Bitboard> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Bitboard>>(sets: I) -> Bitboard {
        sets.into_iter().fold(Bitboard::EMPTY, |all, set| all | set)
    }
}

/// The binary operator and its assigning form, on the underlying words.
macro_rules! operator {
    ($trait:ident, $name:ident, $assign_trait:ident, $assign:ident, $f:expr) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $name(self, other: Bitboard) -> Bitboard {
                let f: fn(u64, u64) -> u64 = $f;
                Bitboard(f(self.0, other.0))
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Bitboard) {
                *self = self.$name(other);
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & MASK)
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the board, so that a failing test shows the set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (1..=9u8).rev() {
            write!(f, "\n{:width$}", "", width = row.abs_diff(5) as usize)?;
            for cell in Cell::ALL.into_iter().filter(|c| c.row() == row) {
                write!(f, "{} ", if self.contains(cell) { '#' } else { '.' })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_a_set_moves_each_cell() {
        for d in Direction::ALL {
            for cell in Cell::ALL {
                let moved: Bitboard = cell.step(d).into_iter().collect();
                assert_eq!(Bitboard::from(cell).shift(d), moved);
            }
        }
    }

    #[test]
    fn the_complement_holds_the_other_cells() {
        assert_eq!(!Bitboard::RIM | Bitboard::RIM, Bitboard::ALL);
        assert_eq!((!Bitboard::RIM).len(), 37);
        assert_eq!(!Bitboard::ALL, Bitboard::EMPTY);
    }
}

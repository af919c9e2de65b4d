//! The twelve symmetries of the board: six turns, and six turns after a reflection.

use crate::bitboard::Bitboard;
use crate::cell::{Cell, Direction};
use crate::moves::Move;
use crate::position::Position;

/// A map of the board onto itself that keeps neighbours neighbours.
///
/// ```
/// use sumito_rules::{Cell, Symmetry};
/// let quarter: Cell = "a1".parse()?;
/// let images: std::collections::BTreeSet<Cell> = Symmetry::ALL.iter().map(|s| s.cell(quarter)).collect();
/// assert_eq!(images.len(), 6); // the six corners
/// # Ok::<(), sumito_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

/// The image of each cell, by symmetry and index.
const IMAGES: [[u8; 61]; 12] = images_table();

impl Symmetry {
    /// All twelve, the identity first.
    pub const ALL: [Symmetry; 12] = {
        let mut all = [Symmetry(0); 12];
        let mut i = 0;
        while i < 12 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };
    /// Everything stays where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// Whether left and right are exchanged.
    const fn reflects(self) -> bool {
        self.0 >= 6
    }

    const fn sixths(self) -> usize {
        self.0 as usize % 6
    }

    /// The symmetry that takes everything back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        // A reflection, turned or not, is its own inverse.
        if self.reflects() { self } else { Symmetry((6 - self.0) % 6) }
    }

    /// Its place in [`Symmetry::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Where a cell goes.
    #[inline]
    pub const fn cell(self, cell: Cell) -> Cell {
        Cell::from_index(IMAGES[self.0 as usize][cell.index()] as usize).expect("the table holds cells")
    }

    /// Where a direction goes.
    pub const fn direction(self, direction: Direction) -> Direction {
        // The reflection exchanges row and number, and so East with North-West.
        let reflected =
            if self.reflects() { Direction::ALL[(8 - direction as usize) % 6] } else { direction };
        reflected.turned(self.sixths())
    }

    /// Where a set of cells goes.
    pub fn bitboard(self, set: Bitboard) -> Bitboard {
        set.iter().map(|cell| self.cell(cell)).collect()
    }

    /// Where a position goes; counters and scores stay.
    pub fn position(self, position: &Position) -> Position {
        position.mapped(|set| self.bitboard(set))
    }

    /// Where a move goes.
    pub fn apply(self, m: Move) -> Move {
        let direction = self.direction(m.direction());
        let moved = if m.is_broadside() {
            Move::broadside(self.cell(m.tail()), self.cell(m.head()), direction)
        } else {
            Move::inline(self.cell(m.tail()), direction, m.count())
        };
        moved.expect("a symmetry maps moves to moves")
    }
}

const fn images_table() -> [[u8; 61]; 12] {
    let mut images = [[0; 61]; 12];
    let mut s = 0;
    while s < 12 {
        let mut i = 0;
        while i < 61 {
            let cell = Cell::ALL[i];
            let reflected = if s >= 6 { Cell::new(cell.number(), cell.row()) } else { Some(cell) };
            let mut index = match reflected {
                Some(cell) => cell.index(),
                None => panic!("the board is symmetric"),
            };
            let mut sixths = s % 6;
            while sixths > 0 {
                // A turn by 60 degrees, see the introduction of `cell`.
                index = index * 14 % 61;
                sixths -= 1;
            }
            images[s][cell.index()] = index as u8;
            i += 1;
        }
        s += 1;
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_steps_and_are_undone_by_their_inverse() {
        for s in Symmetry::ALL {
            for cell in Cell::ALL {
                assert_eq!(s.inverse().cell(s.cell(cell)), cell);
                for d in Direction::ALL {
                    assert_eq!(cell.step(d).map(|c| s.cell(c)), s.cell(cell).step(s.direction(d)));
                }
            }
        }
    }

    #[test]
    fn the_twelve_are_all_different() {
        let cells: Bitboard = ["a1", "a2", "b3"].iter().map(|c| c.parse::<Cell>().expect("a cell")).collect();
        let images: std::collections::HashSet<u64> =
            Symmetry::ALL.iter().map(|s| s.bitboard(cells).bits()).collect();
        assert_eq!(images.len(), 12);
    }
}

//! Where the marbles of both sides lie as a whole: centres of mass, and how far the marbles are from them.

#![allow(clippy::needless_range_loop)] // an axis indexes several tables at once

use sumito_rules::{Bitboard, Cell};

/// The cells of the nine rows, of the nine numbers, and of the nine diagonals between them.
const LINES: [[Bitboard; 9]; 3] = lines_table();

const fn lines_table() -> [[Bitboard; 9]; 3] {
    let mut lines = [[Bitboard::EMPTY; 9]; 3];
    let mut i = 0;
    while i < 61 {
        let cell = Cell::ALL[i];
        let (row, number) = (cell.row() as usize, cell.number() as usize);
        lines[0][row - 1].insert(cell);
        lines[1][number - 1].insert(cell);
        lines[2][row + 4 - number].insert(cell);
        i += 1;
    }
    lines
}

/// The fixed point of places.
const UNIT: i32 = 64;

/// The shape of one side.
pub(super) struct Shape {
    /// How far the marbles are in all from the reference point, in sixteenths of a step. The reference point is
    /// the mean of both centres of mass and, with a third of their weight, the centre of the board (after
    /// ABA-PRO, Aichholzer et al. 2002).
    pub(super) distance: i16,
    /// The sum of squared distances from the own centre of mass, in quarters.
    pub(super) spread: i16,
    /// The sum of squared distances from the enemy's centre of mass, in quarters.
    pub(super) reach: i16,
    /// The distance of the centre of mass from the board's centre, in sixteenths.
    pub(super) offset: i16,
}

/// One side's marbles by lines.
struct Lines {
    marbles: i32,
    /// How many are on each line of each axis.
    counts: [[i32; 9]; 3],
    /// The sum of places along each axis, seen from the middle line.
    sums: [i32; 3],
    /// The sum of the squared places along all axes.
    squares: i32,
    /// The centre of mass, in [`UNIT`]s.
    centre: [i32; 3],
}

impl Lines {
    #[inline(always)]
    fn new(set: Bitboard) -> Lines {
        let marbles = set.len() as i32;
        let (mut counts, mut sums, mut squares) = ([[0; 9]; 3], [0; 3], 0);
        for axis in 0..3 {
            for line in 0..9 {
                let count = (set & LINES[axis][line]).len() as i32;
                let place = line as i32 - 4;
                counts[axis][line] = count;
                sums[axis] += count * place;
                squares += count * place * place;
            }
        }
        let share = UNIT * 1024 / marbles.max(1);
        Lines { marbles, counts, sums, squares, centre: sums.map(|sum| sum * share / 1024) }
    }

    /// How far the marbles are in all from a point, in [`UNIT`]s.
    #[inline(always)]
    fn distance(&self, point: [i32; 3]) -> i32 {
        let mut sum = 0;
        for axis in 0..3 {
            for line in 0..9 {
                sum += self.counts[axis][line] * ((line as i32 - 4) * UNIT - point[axis]).abs();
            }
        }
        // A distance on the hexagon is half the sum of the distances along the three axes.
        sum / 2
    }

    /// The sum of squared distances from a point, twice, in squares of [`UNIT`].
    #[inline(always)]
    fn squares(&self, point: [i32; 3]) -> i32 {
        let mut sum = UNIT * UNIT * self.squares;
        for axis in 0..3 {
            sum += point[axis] * (self.marbles * point[axis] - 2 * UNIT * self.sums[axis]);
        }
        sum
    }

    #[inline(always)]
    fn shape(&self, enemy: &Lines, reference: [i32; 3]) -> Shape {
        const QUARTERS: i32 = 2 * UNIT * UNIT / 4;
        let offset = self.centre.into_iter().map(i32::abs).max().unwrap_or(0);
        Shape {
            distance: (self.distance(reference) / (UNIT / 16)) as i16,
            spread: (self.squares(self.centre) / QUARTERS) as i16,
            reach: (self.squares(enemy.centre) / QUARTERS) as i16,
            offset: (offset / (UNIT / 16)) as i16,
        }
    }
}

/// The shapes of both sides, the own one first.
#[inline(always)]
pub(super) fn shapes(own: Bitboard, enemy: Bitboard) -> [Shape; 2] {
    let (own, enemy) = (Lines::new(own), Lines::new(enemy));
    let mut reference = [0; 3];
    for axis in 0..3 {
        reference[axis] = 3 * (own.centre[axis] + enemy.centre[axis]) / 7;
    }
    [own.shape(&enemy, reference), enemy.shape(&own, reference)]
}

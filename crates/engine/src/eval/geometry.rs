//! Where the marbles of both sides lie as a whole: centres of mass, and how far the marbles are from them.

use sumito_rules::{Bitboard, Cell};

/// The fixed point of places.
const UNIT: i32 = 64;

/// The place of a cell along an axis, 0 to 8: its row, its number, and the diagonal between them.
const fn place(cell: Cell, axis: usize) -> usize {
    let (row, number) = (cell.row() as usize, cell.number() as usize);
    match axis {
        0 => row - 1,
        1 => number - 1,
        _ => row + 4 - number,
    }
}

/// For each axis, the cells whose place has a binary digit, so that a few intersections give the sum of places.
const DIGITS: [[Bitboard; 4]; 3] = digits_table();

const fn digits_table() -> [[Bitboard; 4]; 3] {
    let mut table = [[Bitboard::EMPTY; 4]; 3];
    let mut i = 0;
    while i < 3 * 4 * 61 {
        let (axis, digit, cell) = (i / 61 / 4, i / 61 % 4, Cell::ALL[i % 61]);
        if place(cell, axis) >> digit & 1 != 0 {
            table[axis][digit].insert(cell);
        }
        i += 1;
    }
    table
}

/// For each axis and place, the cells up to there, and those of them whose distance from there has a binary digit.
static BELOW: [[[Bitboard; 4]; 8]; 3] = below_table();

const fn below_table() -> [[[Bitboard; 4]; 8]; 3] {
    let mut table = [[[Bitboard::EMPTY; 4]; 8]; 3];
    let mut i = 0;
    while i < 3 * 8 * 61 {
        let (axis, line, cell) = (i / 61 / 8, i / 61 % 8, Cell::ALL[i % 61]);
        let place = place(cell, axis);
        let mut digit = 0;
        while place <= line && digit < 4 {
            if digit == 0 || (line - place) >> (digit - 1) & 1 != 0 {
                table[axis][line][digit].insert(cell);
            }
            digit += 1;
        }
        i += 1;
    }
    table
}

/// The cells by the binary digits of their squared distance from the centre.
const SQUARES: [Bitboard; 5] = squares_table();

const fn squares_table() -> [Bitboard; 5] {
    let mut table = [Bitboard::EMPTY; 5];
    let mut i = 0;
    while i < 5 * 61 {
        let (digit, cell) = (i / 61, Cell::ALL[i % 61]);
        let (row, number) = (cell.row() as i32 - 5, cell.number() as i32 - 5);
        if (row * row + number * number - row * number) >> digit & 1 != 0 {
            table[digit].insert(cell);
        }
        i += 1;
    }
    table
}

/// The sum of the numbers whose binary digits these sets are, over a set.
#[inline(always)]
fn sum<const N: usize>(set: Bitboard, digits: &[Bitboard; N]) -> i32 {
    let mut sum = 0;
    for (i, &digit) in digits.iter().enumerate() {
        sum += ((set & digit).len() as i32) << i;
    }
    sum
}

/// The shape of one side.
pub(super) struct Shape {
    /// How far the marbles are in all from the reference point, in sixteenths of a step. The reference point is
    /// the mean of both centres of mass and, with a third of their weight, the centre of the board (after
    /// ABA-PRO, Aichholzer et al. 2002).
    pub(super) distance: i16,
    /// The sum of squared distances from the own centre of mass, in quarters.
    pub(super) spread: i16,
    /// The distance of the centre of mass from the board's centre, in sixteenths.
    pub(super) offset: i16,
}

/// One side's marbles as a whole.
struct Mass {
    set: Bitboard,
    marbles: i32,
    /// The sums of places along the axes, from the middle.
    sums: [i32; 3],
    /// The sum of squared distances from the board's centre.
    squares: i32,
    /// The centre of mass, in [`UNIT`]s from the middle.
    centre: [i32; 3],
}

impl Mass {
    #[inline(always)]
    fn new(set: Bitboard) -> Mass {
        let marbles = set.len() as i32;
        let (rows, numbers) = (sum(set, &DIGITS[0]) - 4 * marbles, sum(set, &DIGITS[1]) - 4 * marbles);
        let sums = [rows, numbers, rows - numbers];
        let share = SHARES[marbles as usize & 63];
        let centre = sums.map(|sum| sum * share / 1024);
        Mass { set, marbles, sums, squares: sum(set, &SQUARES), centre }
    }

    /// How far the marbles are in all from a point, in [`UNIT`]s. A distance on the hexagon is half the sum of
    /// the distances along the three axes.
    #[inline(always)]
    fn distance(&self, point: [i32; 3]) -> i32 {
        let mut all = 0;
        for axis in 0..3 {
            // The reference point is never as far out as the last line.
            let from = (point[axis] + 4 * UNIT) as usize;
            let (line, rest) = (from / UNIT as usize % 8, (from % UNIT as usize) as i32);
            let [cells, digits @ ..] = &BELOW[axis][line];
            let lower = rest * (self.set & *cells).len() as i32 + UNIT * sum(self.set, digits);
            all += UNIT * self.sums[axis] - self.marbles * point[axis] + 2 * lower;
        }
        all / 2
    }

    /// The sum of squared distances from the centre of mass, in quarters.
    #[inline(always)]
    fn spread(&self) -> i32 {
        let lever: i32 = self.sums.into_iter().zip(self.centre).map(|(sum, centre)| sum * centre).sum();
        4 * self.squares - lever / (UNIT / 2)
    }

    #[inline(always)]
    fn shape(&self, reference: [i32; 3]) -> Shape {
        let offset = self.centre.into_iter().map(i32::abs).max().unwrap_or(0);
        Shape {
            distance: (self.distance(reference) / (UNIT / 16)) as i16,
            spread: self.spread() as i16,
            offset: (offset / (UNIT / 16)) as i16,
        }
    }
}

/// What one marble of so many adds to the centre of mass by a step, in [`UNIT`]s times 1,024.
static SHARES: [i32; 64] = {
    let mut table = [UNIT * 1024; 64];
    let mut marbles = 2;
    while marbles < 64 {
        table[marbles] /= marbles as i32;
        marbles += 1;
    }
    table
};

/// The shapes of both sides, the own one first.
#[inline(always)]
pub(super) fn shapes(own: Bitboard, enemy: Bitboard) -> [Shape; 2] {
    let (own, enemy) = (Mass::new(own), Mass::new(enemy));
    let reference = std::array::from_fn(|axis| 3 * (own.centre[axis] + enemy.centre[axis]) / 7);
    [own.shape(reference), enemy.shape(reference)]
}

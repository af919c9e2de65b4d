//! The 61 cells and the six directions.
//!
//! ```text
//!     I          o o o o o            5 6 7 8 9
//!     H         o o o o o o
//!     G        . . o o o . .             NW   NE
//!     F       . . . . . . . .              \ /
//!     E      . . . . . . . . .         W -- + -- E
//!     D       . . . . . . . .  9           / \
//!     C        . . @ @ @ . .  8          SW   SE
//!     B         @ @ @ @ @ @  7
//!     A          @ @ @ @ @  6
//!                 1 2 3 4 5
//! ```
//!
//! A cell has a row (A to I, here 1 to 9) and a number (its NW-SE diagonal, 1 to 9); it exists if the
//! two differ by at most four. Its index is `(number - 5) + 13 (row - 5)` modulo 61: a bijection under
//! which a step in any direction adds a constant, so a set of cells moves by one rotation of 61 bits.
//! Turning the board by 60 degrees multiplies the index by 14, a sixth root of unity modulo 61.

use std::fmt;
use std::str::FromStr;

use crate::cursor::Cursor;
use crate::error::ParseError;

/// A cell of the board.
///
/// ```
/// use sumito_rules::{Cell, Direction};
/// let cell: Cell = "a1".parse()?;
/// assert_eq!(cell.step(Direction::NorthEast), Some("b2".parse()?));
/// assert_eq!(cell.step(Direction::West), None);
/// # Ok::<(), sumito_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(u8);

/// Says "no such cell" in [`NEXT`].
const NONE: u8 = u8::MAX;

/// The cell one step away, by direction and index.
const NEXT: [[u8; 61]; 6] = next_table();
/// Row (1 to 9) and number (1 to 9) by index.
const PLACE: [(u8, u8); 61] = place_table();

impl Cell {
    /// How many cells there are.
    pub const COUNT: usize = 61;
    /// E5, the middle of the board.
    pub const CENTRE: Cell = Cell(0);
    /// Every cell, A1 first, row by row.
    pub const ALL: [Cell; 61] = all_cells();

    /// The cell with this row and number, both 1 to 9, if it is on the board.
    #[inline]
    pub const fn new(row: u8, number: u8) -> Option<Cell> {
        if row < 1 || row > 9 || number < 1 || number > 9 || row.abs_diff(number) > 4 {
            return None;
        }
        Some(Cell(index_of(row as i32, number as i32)))
    }

    /// The cell with this index, 0 to 60.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Cell> {
        if index < 61 { Some(Cell(index as u8)) } else { None }
    }

    /// The cell's index, 0 to 60, in the order of the module's introduction.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 1 for A to 9 for I.
    #[inline]
    pub const fn row(self) -> u8 {
        PLACE[self.0 as usize].0
    }

    /// The number, 1 to 9.
    #[inline]
    pub const fn number(self) -> u8 {
        PLACE[self.0 as usize].1
    }

    /// The neighbour in a direction, unless that is off the board.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Cell> {
        let next = NEXT[direction as usize][self.0 as usize];
        if next == NONE { None } else { Some(Cell(next)) }
    }

    /// The cell `steps` steps away in a direction, unless that is off the board.
    #[inline]
    pub const fn steps(self, direction: Direction, steps: usize) -> Option<Cell> {
        let (mut cell, mut left) = (self, steps);
        while left > 0 {
            let Some(next) = cell.step(direction) else { return None };
            cell = next;
            left -= 1;
        }
        Some(cell)
    }

    /// How many single steps lie between two cells.
    pub const fn distance(self, other: Cell) -> u8 {
        let rows = self.row() as i32 - other.row() as i32;
        let numbers = self.number() as i32 - other.number() as i32;
        // In cube coordinates the three differences are `rows`, `numbers` and their difference.
        let (a, b, c) = (rows.abs(), numbers.abs(), (rows - numbers).abs());
        let ab = if a > b { a } else { b };
        (if ab > c { ab } else { c }) as u8
    }

    /// 0 for the centre to 4 for the rim.
    pub const fn ring(self) -> u8 {
        self.distance(Cell::CENTRE)
    }

    /// The direction and the number of steps (at least one) that lead straight to another cell.
    pub fn line_to(self, other: Cell) -> Option<(Direction, usize)> {
        let steps = self.distance(other);
        Direction::ALL
            .into_iter()
            .find(|&d| steps > 0 && self.steps(d, steps.into()) == Some(other))
            .map(|d| (d, steps.into()))
    }

    /// The direction to a neighbour.
    pub fn direction_to(self, neighbour: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&d| self.step(d) == Some(neighbour))
    }

    /// The row's letter, `a` to `i`.
    pub const fn letter(self) -> char {
        (b'a' + self.row() - 1) as char
    }

    /// Reads a cell such as `a1` or `A1` where a parser is in its text.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Cell, ParseError> {
        let before = cursor.clone();
        let Some(letter @ ('a'..='i' | 'A'..='I')) = cursor.peek() else {
            return Err(cursor.error("a cell's row (a to i)"));
        };
        cursor.next();
        let Some(digit @ '1'..='9') = cursor.peek() else {
            return Err(cursor.error(format!("a cell's number (1 to 9) after '{letter}'")));
        };
        cursor.next();
        let row = letter.to_ascii_lowercase() as u8 - b'a' + 1;
        Cell::new(row, digit as u8 - b'0').ok_or_else(|| {
            before.error_at("a cell of the board (a1-a5 to e1-e9 to i5-i9)", format!("'{letter}{digit}'"))
        })
    }
}

impl Ord for Cell {
    /// By row, then by number: the order in which people list cells.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.row(), self.number()).cmp(&(other.row(), other.number()))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter(), self.number())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter().to_ascii_uppercase(), self.number())
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cell, ParseError> {
        let mut cursor = Cursor::new(text);
        let cell = Cell::read(&mut cursor)?;
        cursor.end()?;
        Ok(cell)
    }
}

#[cfg(feature = "serde")]
crate::error::serde_as_text!(Cell);

/// One of the six ways to step.
///
/// ```
/// use sumito_rules::{Cell, Direction};
/// let e5: Cell = "e5".parse()?;
/// assert_eq!(e5.step(Direction::NorthEast), Some("f6".parse()?));
/// assert_eq!(e5.direction_to("e4".parse()?), Some(Direction::West));
/// assert_eq!(Direction::from_hour(1), Some(Direction::NorthEast));
/// # Ok::<(), sumito_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Direction {
    /// Along the row, to a higher number.
    East,
    /// Up, to a higher number.
    NorthEast,
    /// Up, along the number.
    NorthWest,
    /// Along the row, to a lower number.
    West,
    /// Down, to a lower number.
    SouthWest,
    /// Down, along the number.
    SouthEast,
}

impl Direction {
    /// All six, counter-clockwise from East: each is 60 degrees from the next.
    pub const ALL: [Direction; 6] = [
        Direction::East,
        Direction::NorthEast,
        Direction::NorthWest,
        Direction::West,
        Direction::SouthWest,
        Direction::SouthEast,
    ];
    /// The three that lead from the lower to the higher end of a line: one for each axis.
    pub const AXES: [Direction; 3] = [Direction::East, Direction::NorthEast, Direction::NorthWest];

    /// The direction with this index, 0 to 5, in the order of [`Direction::ALL`].
    pub const fn from_index(index: usize) -> Option<Direction> {
        if index < 6 { Some(Direction::ALL[index]) } else { None }
    }

    /// 0 for East, then counter-clockwise.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The way back.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        self.turned(3)
    }

    /// The direction `sixths` times 60 degrees further counter-clockwise.
    #[must_use]
    pub const fn turned(self, sixths: usize) -> Direction {
        Direction::ALL[(self as usize + sixths) % 6]
    }

    /// Whether both lie on one axis.
    pub const fn is_parallel(self, other: Direction) -> bool {
        self as usize % 3 == other as usize % 3
    }

    /// The direction among [`Direction::AXES`] on this axis.
    #[must_use]
    pub const fn axis(self) -> Direction {
        Direction::ALL[self as usize % 3]
    }

    /// The hour to which the direction points on a clock face: 3 for East, 1 for North-East.
    pub const fn hour(self) -> u8 {
        [3, 1, 11, 9, 7, 5][self as usize]
    }

    /// The direction that points to this hour.
    pub fn from_hour(hour: u8) -> Option<Direction> {
        Direction::ALL.into_iter().find(|d| d.hour() == hour)
    }

    /// What a step adds to the row and to the number.
    pub const fn delta(self) -> (i8, i8) {
        [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)][self as usize]
    }

    /// What a step adds to a cell's index, modulo 61.
    #[inline(always)]
    pub(crate) const fn stride(self) -> u32 {
        STRIDES[self as usize]
    }
}

/// Looked up, not computed: moves made sideways would spend a tenth of a search on it.
const STRIDES: [u32; 6] = {
    let mut strides = [0; 6];
    let mut d = 0;
    while d < 6 {
        let (row, number) = Direction::ALL[d].delta();
        strides[d] = (number as i32 + 13 * row as i32).rem_euclid(61) as u32;
        d += 1;
    }
    strides
};

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["E", "NE", "NW", "W", "SW", "SE"][self.index()])
    }
}

const fn index_of(row: i32, number: i32) -> u8 {
    ((number - 5) + 13 * (row - 5)).rem_euclid(61) as u8
}

const fn all_cells() -> [Cell; 61] {
    let mut cells = [Cell(0); 61];
    let (mut filled, mut row) = (0, 1);
    while row <= 9 {
        let mut number = 1;
        while number <= 9 {
            if let Some(cell) = Cell::new(row, number) {
                cells[filled] = cell;
                filled += 1;
            }
            number += 1;
        }
        row += 1;
    }
    cells
}

const fn place_table() -> [(u8, u8); 61] {
    let mut places = [(0, 0); 61];
    let mut row = 1;
    while row <= 9 {
        let mut number = 1;
        while number <= 9 {
            if let Some(cell) = Cell::new(row, number) {
                places[cell.0 as usize] = (row, number);
            }
            number += 1;
        }
        row += 1;
    }
    places
}

const fn next_table() -> [[u8; 61]; 6] {
    let mut next = [[NONE; 61]; 6];
    let mut d = 0;
    while d < 6 {
        let (rows, numbers) = Direction::ALL[d].delta();
        let mut i = 0;
        while i < 61 {
            let (row, number) = PLACE[i];
            if let Some(cell) = Cell::new((row as i8 + rows) as u8, (number as i8 + numbers) as u8) {
                next[d][i] = cell.0;
            }
            i += 1;
        }
        d += 1;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_own_index() {
        let mut seen = [false; 61];
        for cell in Cell::ALL {
            assert!(!std::mem::replace(&mut seen[cell.index()], true));
            assert_eq!(Cell::new(cell.row(), cell.number()), Some(cell));
        }
    }

    #[test]
    fn a_step_adds_its_stride_and_goes_back() {
        for cell in Cell::ALL {
            for d in Direction::ALL {
                if let Some(next) = cell.step(d) {
                    assert_eq!(next.index(), (cell.index() + d.stride() as usize) % 61);
                    assert_eq!(next.step(d.opposite()), Some(cell));
                    assert_eq!(cell.distance(next), 1);
                }
            }
        }
    }

    #[test]
    fn the_rings_hold_1_6_12_18_24_cells() {
        let mut rings = [0; 5];
        Cell::ALL.iter().for_each(|c| rings[c.ring() as usize] += 1);
        assert_eq!(rings, [1, 6, 12, 18, 24]);
    }

    #[test]
    fn off_board_cells_are_refused() {
        for text in ["a6", "a0", "i4", "j1", "e10", "f1", "", "e", "é5"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }
}

//! The straight lines of three, four and five cells, and what can lie on them: each cell is empty, own or the
//! enemy's, and every content of every line but the empty one is an input.

use sumito_rules::{Bitboard, Cell, Direction};

/// All lines of one length.
pub(super) struct Lines {
    length: usize,
    /// The indices of each line's cells; those past the length are not used.
    cells: &'static [[u8; 5]],
    /// For each cell, the lines through it, one bit each.
    through: &'static [[u64; 3]; Cell::COUNT],
}

/// The lines of 3, 4 and 5 cells.
pub(super) static LINES: [Lines; 3] = [
    Lines { length: 3, cells: &CELLS3, through: &THROUGH3 },
    Lines { length: 4, cells: &CELLS4, through: &THROUGH4 },
    Lines { length: 5, cells: &CELLS5, through: &THROUGH5 },
];

static CELLS3: [[u8; 5]; 129] = cells_table(3);
static CELLS4: [[u8; 5]; 102] = cells_table(4);
static CELLS5: [[u8; 5]; 75] = cells_table(5);
static THROUGH3: [[u64; 3]; Cell::COUNT] = through_table(&cells_table::<129>(3), 3);
static THROUGH4: [[u64; 3]; Cell::COUNT] = through_table(&cells_table::<102>(4), 4);
static THROUGH5: [[u64; 3]; Cell::COUNT] = through_table(&cells_table::<75>(5), 5);

impl Lines {
    /// How many lines there are.
    pub(super) const fn count(&self) -> usize {
        self.cells.len()
    }

    /// How many inputs they make: three to the power of the length less one for each line.
    pub(super) const fn inputs(&self) -> usize {
        self.count() * (3usize.pow(self.length as u32) - 1)
    }

    /// The input that is on for a line, unless the line is empty. Its cells are ternary digits, the first the
    /// lowest: 0 for empty, 1 for own, 2 for the enemy's.
    #[inline]
    pub(super) fn input(&self, line: usize, own: Bitboard, enemy: Bitboard) -> Option<usize> {
        let (own, enemy) = (own.bits(), enemy.bits());
        let mut content = 0;
        for &cell in self.cells[line][..self.length].iter().rev() {
            content = 3 * content + (own >> cell & 1) as usize + 2 * (enemy >> cell & 1) as usize;
        }
        content.checked_sub(1).map(|input| line * (3usize.pow(self.length as u32) - 1) + input)
    }

    /// Visits each line that holds one of the cells.
    #[inline]
    pub(super) fn through(&self, cells: Bitboard, mut visit: impl FnMut(usize)) {
        let mut lines = [0; 3];
        for cell in cells {
            (0..3).for_each(|i| lines[i] |= self.through[cell.index()][i]);
        }
        for (i, mut word) in lines.into_iter().enumerate() {
            while word != 0 {
                visit(64 * i + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }
}

/// Axis by axis, and along each by the line's first cell, row by row.
const fn cells_table<const N: usize>(length: usize) -> [[u8; 5]; N] {
    let mut table = [[0; 5]; N];
    let (mut axis, mut line) = (0, 0);
    while axis < 3 {
        let mut first = 0;
        while first < Cell::COUNT {
            let (cell, axis) = (Cell::ALL[first], Direction::AXES[axis]);
            if cell.steps(axis, length - 1).is_some() {
                let mut i = 0;
                while i < length {
                    if let Some(next) = cell.steps(axis, i) {
                        table[line][i] = next.index() as u8;
                    }
                    i += 1;
                }
                line += 1;
            }
            first += 1;
        }
        axis += 1;
    }
    assert!(line == N, "as many lines as the board has");
    table
}

const fn through_table<const N: usize>(cells: &[[u8; 5]; N], length: usize) -> [[u64; 3]; Cell::COUNT] {
    let mut table = [[0; 3]; Cell::COUNT];
    let mut line = 0;
    while line < N {
        let mut i = 0;
        while i < length {
            table[cells[line][i] as usize][line / 64] |= 1 << (line % 64);
            i += 1;
        }
        line += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_through_a_cell_are_those_that_hold_it() {
        for lines in &LINES {
            for cell in Cell::ALL {
                let mut found = Vec::new();
                lines.through(Bitboard::from(cell), |line| found.push(line));
                let holds = |line: &usize| lines.cells[*line][..lines.length].contains(&(cell.index() as u8));
                assert_eq!(found, (0..lines.count()).filter(holds).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn an_input_tells_its_line_and_content() {
        let cells = LINES[0].cells[5].map(|cell| Cell::from_index(cell.into()).unwrap());
        let (own, enemy) = (Bitboard::from(cells[0]), Bitboard::from(cells[2]));
        assert_eq!(LINES[0].input(5, own, enemy), Some(5 * 26 + 1 + 2 * 9 - 1));
        assert_eq!(LINES[0].input(5, enemy, own), Some(5 * 26 + 2 + 9 - 1));
        assert_eq!(LINES[0].input(5, Bitboard::EMPTY, !(own | enemy)), Some(5 * 26 + 2 * 3 - 1));
        assert_eq!(LINES[0].input(5, Bitboard::EMPTY, Bitboard::EMPTY), None);
    }
}

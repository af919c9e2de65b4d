//! The position maps of the five authors, and what their heuristics count about neighbours, all by sets of cells.

use sumito_rules::{Bitboard, Cell, Direction};

/// A number from 0 to 15 for each cell.
#[derive(Debug)]
pub(super) struct Map {
    /// By the cell's index.
    values: [u8; Cell::COUNT],
    /// The cells whose number has bit 0, 1, 2, 3: four popcounts add up any set of cells.
    planes: [Bitboard; 4],
}

impl Map {
    /// From the numbers as the document prints them: row I first, each row from left to right.
    const fn printed(numbers: [u8; Cell::COUNT]) -> Map {
        let mut values = [0; Cell::COUNT];
        let (mut i, mut row) = (0, 9);
        while row >= 1 {
            let mut number = 1;
            while number <= 9 {
                if let Some(cell) = Cell::new(row, number) {
                    values[cell.index()] = numbers[i];
                    i += 1;
                }
                number += 1;
            }
            row -= 1;
        }
        Map::new(values)
    }

    /// From the numbers of the rings, the rim first, except for some cells, given by row, number and value.
    const fn rings(rings: [u8; 5], except: &[(u8, u8, u8)]) -> Map {
        let mut values = [0; Cell::COUNT];
        let mut i = 0;
        while i < Cell::COUNT {
            let cell = Cell::ALL[i];
            values[cell.index()] = rings[4 - cell.ring() as usize];
            let mut j = 0;
            while j < except.len() {
                if cell.row() == except[j].0 && cell.number() == except[j].1 {
                    values[cell.index()] = except[j].2;
                }
                j += 1;
            }
            i += 1;
        }
        Map::new(values)
    }

    /// How many neighbours each cell has.
    const fn degrees() -> Map {
        let mut values = [0; Cell::COUNT];
        let mut i = 0;
        while i < 6 * Cell::COUNT {
            let cell = Cell::ALL[i / 6];
            if cell.step(Direction::ALL[i % 6]).is_some() {
                values[cell.index()] += 1;
            }
            i += 1;
        }
        Map::new(values)
    }

    const fn new(values: [u8; Cell::COUNT]) -> Map {
        let mut planes = [Bitboard::EMPTY; 4];
        let mut i = 0;
        while i < 4 * Cell::COUNT {
            let (cell, bit) = (Cell::ALL[i / 4], i % 4);
            assert!(values[cell.index()] < 16, "four planes hold numbers up to 15");
            if values[cell.index()] >> bit & 1 == 1 {
                planes[bit].insert(cell);
            }
            i += 1;
        }
        Map { values, planes }
    }

    /// The number of a cell.
    #[inline]
    pub(super) const fn at(&self, cell: Cell) -> i32 {
        self.values[cell.index()] as i32
    }

    /// The sum over a set of cells.
    #[inline]
    pub(super) fn sum(&self, set: Bitboard) -> i32 {
        let [ones, twos, fours, eights] = self.planes.map(|plane| (set & plane).len() as i32);
        ones + 2 * twos + 4 * fours + 8 * eights
    }
}

/// Jason's map (figure 11) and Rongyi's (figure 12), which are the same.
#[rustfmt::skip]
pub(super) static CENTRE: Map = Map::printed([
                1, 1, 1, 1, 1,
              1, 2, 2, 2, 2, 1,
            1, 2, 3, 3, 3, 2, 1,
          1, 2, 3, 4, 4, 3, 2, 1,
        1, 2, 3, 4, 5, 4, 3, 2, 1,
          1, 2, 3, 4, 4, 3, 2, 1,
            1, 2, 3, 3, 3, 2, 1,
              1, 2, 2, 2, 2, 1,
                1, 1, 1, 1, 1,
]);

/// David's map (figure 13).
#[rustfmt::skip]
pub(super) static DAVID: Map = Map::printed([
                    1, 1, 1, 1, 1,
                 1, 5, 5, 5, 5, 1,
              1, 5, 8, 8, 8, 5, 1,
           1, 5, 8, 10, 10, 8, 5, 1,
        1, 5, 8, 10, 13, 10, 8, 5, 1,
           1, 5, 8, 10, 10, 8, 5, 1,
              1, 5, 8, 8, 8, 5, 1,
                 1, 5, 5, 5, 5, 1,
                    1, 1, 1, 1, 1,
]);

/// Sam's map for a side's own marbles (figure 14).
#[rustfmt::skip]
pub(super) static SAM: Map = Map::printed([
                    1, 2, 2, 2, 1,
                 2, 4, 4, 4, 4, 2,
              2, 4, 7, 7, 7, 4, 2,
           2, 4, 7, 10, 10, 7, 4, 2,
        1, 4, 7, 10, 15, 10, 7, 4, 1,
           2, 4, 7, 10, 10, 7, 4, 2,
              2, 4, 7, 7, 7, 4, 2,
                 2, 4, 4, 4, 4, 2,
                    1, 2, 2, 2, 1,
]);

/// Sam's map for the enemy's marbles (figure 15). F7 has 2 where symmetry would give it 3; both the document
/// and the program have it so.
#[rustfmt::skip]
pub(super) static SAM_PUSH: Map = Map::printed([
                15, 10, 10, 10, 15,
               10, 7, 7, 7, 7, 10,
              10, 7, 3, 3, 3, 7, 10,
             10, 7, 3, 2, 2, 2, 7, 10,
            15, 7, 3, 2, 1, 2, 3, 7, 15,
             10, 7, 3, 2, 2, 3, 7, 10,
              10, 7, 3, 3, 3, 7, 10,
               10, 7, 7, 7, 7, 10,
                15, 10, 10, 10, 15,
]);

/// Jeff's map (figure 16).
#[rustfmt::skip]
pub(super) static JEFF: Map = Map::printed([
                 1, 1, 1, 1, 1,
               1, 2, 2, 2, 2, 1,
             1, 2, 5, 5, 5, 2, 1,
           1, 2, 5, 8, 8, 5, 2, 1,
        1, 2, 5, 8, 10, 8, 5, 2, 1,
           1, 2, 5, 8, 8, 5, 2, 1,
             1, 2, 5, 5, 5, 2, 1,
               1, 2, 2, 2, 2, 1,
                 1, 1, 1, 1, 1,
]);

/// The competition program's map for Black on the Standard layout and the German Daisy.
pub(super) static MAGIC_BLACK: Map = Map::rings([1, 2, 5, 8, 9], &[]);

/// The competition program's map for Black on the Belgian Daisy; F7, E7, C5 and D6 stand out.
pub(super) static MAGIC_BELGIAN: Map =
    Map::rings([1, 2, 4, 6, 7], &[(6, 7, 5), (5, 7, 5), (3, 5, 5), (4, 6, 6)]);

/// How many neighbours on the board each cell has: what Jeff's program counted for cohesion.
pub(super) static DEGREE: Map = Map::degrees();

/// A set of cells moved one step in each direction: where its members are neighbours.
pub(super) struct Around([Bitboard; 6]);

impl Around {
    #[inline]
    pub(super) fn new(set: Bitboard) -> Around {
        Around([
            set.shift(Direction::East),
            set.shift(Direction::NorthEast),
            set.shift(Direction::NorthWest),
            set.shift(Direction::West),
            set.shift(Direction::SouthWest),
            set.shift(Direction::SouthEast),
        ])
    }

    /// The cells with six neighbours in the set.
    #[inline]
    pub(super) fn all_six(&self) -> Bitboard {
        let [a, b, c, d, e, f] = self.0;
        a & b & c & d & e & f
    }

    /// How many neighbours in the set the given cells have, all together.
    #[inline]
    pub(super) fn total(&self, cells: Bitboard) -> i32 {
        let [ones, twos, fours] = self.counts(cells);
        ones + 2 * twos + 4 * fours
    }

    /// The same with each cell's number halved and rounded down.
    #[inline]
    pub(super) fn halves(&self, cells: Bitboard) -> i32 {
        let [_, twos, fours] = self.counts(cells);
        twos + 2 * fours
    }

    /// How many of the cells lie between two members of the set, once for each axis.
    #[inline]
    pub(super) fn between(&self, cells: Bitboard) -> i32 {
        let [a, b, c, d, e, f] = self.0;
        ((cells & a & d).len() + (cells & b & e).len() + (cells & c & f).len()) as i32
    }

    /// For how many of the cells the number of neighbours in the set has bit 0, 1, 2: the six sets are added
    /// up in all cells at once, like numbers on paper.
    #[inline]
    fn counts(&self, cells: Bitboard) -> [i32; 3] {
        let [a, b, c, d, e, f] = self.0;
        let (low, low_carry) = add(a, b, c);
        let (high, high_carry) = add(d, e, f);
        let (twos, fours) = add(low_carry, high_carry, low & high);
        [low ^ high, twos, fours].map(|bit| (cells & bit).len() as i32)
    }

    /// Each cell's number of neighbours in the set, given by the cell.
    pub(super) fn of(&self, cell: Cell) -> i32 {
        self.0.iter().filter(|set| set.contains(cell)).count() as i32
    }
}

/// Adds three bits in every cell: the sum's lower bit and the carry.
#[inline]
fn add(a: Bitboard, b: Bitboard, c: Bitboard) -> (Bitboard, Bitboard) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Cell {
        text.parse().expect("a cell")
    }

    #[test]
    fn a_printed_map_begins_at_i5_and_ends_at_a5() {
        assert_eq!(
            ["i5", "i6", "e1", "f7", "d6", "a5"].map(|c| SAM_PUSH.at(cell(c))),
            [15, 10, 15, 2, 3, 15]
        );
    }

    #[test]
    fn sums_by_planes_are_sums_of_cells() {
        for map in [&CENTRE, &DAVID, &SAM, &SAM_PUSH, &JEFF, &MAGIC_BLACK, &MAGIC_BELGIAN, &DEGREE] {
            for set in [Bitboard::ALL, Bitboard::RIM, Bitboard::from_bits(0x1234_5678_9abc_def0)] {
                assert_eq!(map.sum(set), set.iter().map(|cell| map.at(cell)).sum::<i32>());
            }
        }
    }

    #[test]
    fn neighbours_counted_in_all_cells_at_once_are_those_of_each_cell() {
        let set = Bitboard::from_bits(0x1234_5678_9abc_def0);
        let around = Around::new(set);
        let counts = || set.iter().map(|cell| (Bitboard::from(cell).neighbours() & set).len() as i32);
        assert!(set.iter().map(|cell| around.of(cell)).eq(counts()));
        assert_eq!(around.total(set), counts().sum::<i32>());
        assert_eq!(around.halves(set), counts().map(|n| n / 2).sum::<i32>());
    }

    #[test]
    fn the_magic_map_has_its_four_special_cells() {
        assert_eq!(["f7", "e7", "c5", "d6", "e3"].map(|c| MAGIC_BELGIAN.at(cell(c))), [5, 5, 5, 6, 4]);
    }
}

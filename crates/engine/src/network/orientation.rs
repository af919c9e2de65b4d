//! In which of its twelve forms a player sees the board. A network that does not have to know every pattern in twelve
//! forms has room for more of them: the board is turned and reflected so that the player's own marbles lie, on the whole,
//! in one certain direction from the centre.

use sumito_rules::{Bitboard, Cell, Direction, Symmetry};

/// The form in which a player with these marbles sees the board: their sum, each taken as the way from the centre to it,
/// then lies within one certain twelfth of all directions.
#[inline]
pub(super) fn orientation(own: Bitboard) -> Symmetry {
    ORIENTATIONS[sector(sum(own))]
}

/// Where the cell with an index goes, by symmetry. There are entries for all six bits, so that none needs to be checked.
pub(super) static TURNED: [[u8; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut s = 0;
    while s < 12 {
        let mut i = 0;
        while i < Cell::COUNT {
            let cell = Cell::ALL[i];
            table[s][cell.index()] = Symmetry::ALL[s].cell(cell).index() as u8;
            i += 1;
        }
        s += 1;
    }
    table
};

/// Steps to the East and to the North-West.
type Vector = (i32, i32);

/// The cells whose number (row) less one has a certain bit.
const NUMBERS: [Bitboard; 4] = with_bit(false);
const ROWS: [Bitboard; 4] = with_bit(true);

const fn with_bit(rows: bool) -> [Bitboard; 4] {
    let mut sets = [Bitboard::EMPTY; 4];
    let mut i = 0;
    while i < Cell::COUNT {
        let cell = Cell::ALL[i];
        let place = if rows { cell.row() } else { cell.number() } - 1;
        let mut bit = 0;
        while bit < 4 {
            if place >> bit & 1 != 0 {
                sets[bit].insert(cell);
            }
            bit += 1;
        }
        i += 1;
    }
    sets
}

/// The sum of the ways from the centre, which has number and row 5.
#[inline]
fn sum(own: Bitboard) -> Vector {
    let along = |bits: &[Bitboard; 4]| -> i32 {
        let weighted = bits.iter().enumerate().map(|(bit, &set)| (own & set).len() << bit);
        weighted.sum::<usize>() as i32 - 4 * own.len() as i32
    };
    (along(&NUMBERS), along(&ROWS))
}

/// On which side of each of the six lines through the centre that divide the directions into twelfths a vector lies.
#[inline]
const fn sector((east, north_west): Vector) -> usize {
    let (x, y) = (east, north_west);
    (x > 0) as usize
        | ((y > 0) as usize) << 1
        | ((x > y) as usize) << 2
        | ((x > 2 * y) as usize) << 3
        | ((y > 2 * x) as usize) << 4
        | ((x + y > 0) as usize) << 5
}

/// A vector inside of the twelfth in which everyone is to see their own marbles.
const WANTED: Vector = (3, 1);

/// By sector, the symmetry that takes it to the wanted one. A vector on a line belongs to the sector beside it; only
/// the centre belongs to none, and stays.
static ORIENTATIONS: [Symmetry; 64] = {
    let mut table = [Symmetry::IDENTITY; 64];
    let mut s = 0;
    while s < 12 {
        let symmetry = Symmetry::ALL[s];
        table[sector(image(symmetry.inverse(), WANTED))] = symmetry;
        s += 1;
    }
    table
};

/// Where a vector goes.
const fn image(symmetry: Symmetry, (east, north_west): Vector) -> Vector {
    let (row, number) = symmetry.direction(Direction::East).delta();
    let (other_row, other_number) = symmetry.direction(Direction::NorthWest).delta();
    (
        east * number as i32 + north_west * other_number as i32,
        east * row as i32 + north_west * other_row as i32,
    )
}

/// Whether the sum of these marbles lies on one of the lines, or in the centre.
#[cfg(test)]
pub(super) fn is_on_a_line(own: Bitboard) -> bool {
    let (x, y) = sum(own);
    [x, y, x - y, x - 2 * y, y - 2 * x, x + y].contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn the_sum_is_that_of_the_cells() {
        for layout in Layout::all() {
            let own = layout.position().own();
            let places = own.iter().map(|cell| (i32::from(cell.number()) - 5, i32::from(cell.row()) - 5));
            assert_eq!(sum(own), places.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1)));
        }
    }

    #[test]
    fn all_twelve_forms_of_a_board_are_seen_as_one() {
        // Off the lines, where one of two forms may be seen.
        let own: Bitboard =
            Cell::ALL.into_iter().filter(|cell| [3, 8, 9, 17, 40].contains(&cell.index())).collect();
        assert!(!is_on_a_line(own));
        for symmetry in Symmetry::ALL {
            let turned = symmetry.bitboard(own);
            assert_eq!(orientation(turned).bitboard(turned), orientation(own).bitboard(own));
        }
    }

    #[test]
    fn a_sum_ends_in_the_wanted_twelfth_or_on_its_edge() {
        for cells in Cell::ALL.windows(5) {
            let own: Bitboard = cells.iter().copied().collect();
            let (x, y) = sum(orientation(own).bitboard(own));
            assert!(y >= 0 && x >= 2 * y, "{own:?}: {x}, {y}");
        }
    }

    #[test]
    fn nothing_is_turned_around_a_sum_in_the_centre() {
        assert_eq!(orientation(Bitboard::ALL), Symmetry::IDENTITY);
        assert_eq!(orientation(Bitboard::EMPTY), Symmetry::IDENTITY);
    }
}

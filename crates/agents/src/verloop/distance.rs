//! Distances of a side's marbles: to the middle (5.4), to the reference point of Aba-Pro's evaluation
//! (6.5), and along paths around the enemy.

use sumito_rules::{Bitboard, Cell, Position};

/// What an ejected marble adds to a sum of distances in the source paper's evaluation: the rim's distance.
pub(super) const EJECTED: i32 = 4;
/// What a marble adds that the enemy cuts off from its goal: one more than the board is wide.
const CUT_OFF: i32 = 9;

/// The cells at each distance from the middle or further.
const BEYOND: [Bitboard; 4] = [beyond(1), beyond(2), beyond(3), beyond(4)];
/// The distance between any two cells, by index.
static BETWEEN: [[u8; Cell::COUNT]; Cell::COUNT] = between();
/// Each cell's number and row, from 0, as the two halves of a word: sums of both in one addition.
static PLACES: [u32; Cell::COUNT] = places();

const fn beyond(ring: u8) -> Bitboard {
    let mut bits = 0;
    let mut r = ring;
    while r <= 4 {
        bits |= Bitboard::ring(r).bits();
        r += 1;
    }
    Bitboard::from_bits(bits)
}

const fn between() -> [[u8; Cell::COUNT]; Cell::COUNT] {
    let mut table = [[0; Cell::COUNT]; Cell::COUNT];
    let mut i = 0;
    while i < Cell::COUNT * Cell::COUNT {
        let (a, b) = (Cell::ALL[i / Cell::COUNT], Cell::ALL[i % Cell::COUNT]);
        table[a.index()][b.index()] = a.distance(b);
        i += 1;
    }
    table
}

const fn places() -> [u32; Cell::COUNT] {
    let mut table = [0; Cell::COUNT];
    let mut i = 0;
    while i < Cell::COUNT {
        let cell = Cell::ALL[i];
        table[cell.index()] = cell.number() as u32 | (cell.row() as u32) << 16;
        i += 1;
    }
    table
}

/// The sum of the marbles' distances to the middle.
#[inline(always)]
pub(super) fn to_middle(own: Bitboard) -> i32 {
    BEYOND.into_iter().map(|set| (own & set).len() as i32).sum()
}

/// The sum of the marbles' distances to a cell.
pub(super) fn to_cell(own: Bitboard, goal: Cell) -> i32 {
    let row = &BETWEEN[goal.index()];
    own.iter().map(|cell| i32::from(row[cell.index()])).sum()
}

/// The sum of the shortest ways to a cell around the enemy's marbles. Own marbles are no obstacle, because a
/// line moves as one; the goal may be occupied.
pub(super) fn along_paths(own: Bitboard, enemy: Bitboard, goal: Cell) -> i32 {
    let mut reached = Bitboard::from(goal);
    let mut left = own - reached;
    let mut sum = 0;
    for steps in 1..CUT_OFF {
        if left.is_empty() {
            break;
        }
        reached |= reached.neighbours() - enemy;
        sum += steps * (left & reached).len() as i32;
        left -= reached;
    }
    sum + CUT_OFF * left.len() as i32
}

/// Aba-Pro's reference point as the thesis computes it (6.5): the mean of both sides' centres of mass and
/// of the middle, which weighs `middle`; the centres of mass and the result are rounded to cells.
pub(super) fn reference(position: &Position, middle: f64) -> Cell {
    let centres = sumito_rules::Color::ALL.map(|color| centre_of_mass(position.marbles(color)));
    let sum = |f: fn(Cell) -> u8| centres.iter().map(|&cell| f64::from(f(cell)) - 5.0).sum::<f64>();
    nearest(sum(Cell::number) / (2.0 + middle), sum(Cell::row) / (2.0 + middle))
}

fn centre_of_mass(marbles: Bitboard) -> Cell {
    let sums: u32 = marbles.iter().map(|cell| PLACES[cell.index()]).sum();
    let mean = |sum: u32| f64::from(sum) / marbles.len().max(1) as f64 - 5.0;
    if marbles.is_empty() { Cell::CENTRE } else { nearest(mean(sums & 0xffff), mean(sums >> 16)) }
}

/// The cell nearest to a point given by number and row relative to the middle. In the cube coordinates
/// q = number, s = -row, r = row - number each is rounded, and the one that was rounded most follows from the
/// others. The nudge decides ties as the program does.
fn nearest(number: f64, row: f64) -> Cell {
    let exact = [number + 1e-6, row - number + 2e-6, -row - 3e-6];
    let rounded = exact.map(f64::round);
    let [dq, dr, ds] = [0, 1, 2].map(|i| (rounded[i] - exact[i]).abs());
    let [q, r, s] = rounded;
    let (q, s) = if dq > dr && dq > ds {
        (-r - s, s)
    } else if dr > ds {
        (q, s)
    } else {
        (q, -q - r)
    };
    Cell::new((5.0 - s) as u8, (5.0 + q) as u8).unwrap_or(Cell::CENTRE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{ByColor, Color, Layout};

    fn cell(text: &str) -> Cell {
        text.parse().expect("a cell")
    }

    fn set(cells: &str) -> Bitboard {
        cells.split_whitespace().map(cell).collect()
    }

    #[test]
    fn the_distance_to_the_middle_is_the_sum_of_the_rings() {
        assert_eq!(to_middle(set("e5 e6 e7 e8 e9")), 1 + 2 + 3 + 4);
        assert_eq!(to_middle(Bitboard::ALL), to_cell(Bitboard::ALL, Cell::CENTRE));
    }

    #[test]
    fn a_point_is_rounded_to_its_nearest_cell_and_ties_go_where_the_nudge_says() {
        assert_eq!(nearest(0.4, 0.2), cell("e5"));
        assert_eq!(nearest(0.9, 0.1), cell("e6"));
        // Halfway between E5 and E6: q 0.500001 becomes 1, r -0.499998 becomes 0, s stays 0 and is closest to
        // its cell; q moved by 0.499999, r by 0.499998, so q follows from the others: E5.
        assert_eq!(nearest(0.5, 0.0), cell("e5"));
    }

    #[test]
    fn the_reference_lies_between_the_sides_and_is_drawn_to_the_middle() {
        // Black at E1 (-4), White at E7 (+2): (-4 + 2) / (7/3) = -0.86, so E4; the sides alone give -1, E4;
        // with White at E2 (-3): -7 / (7/3) = -3, so E2, and without the middle -3.5, E1 or E2.
        let position = |white: &str| {
            sumito_rules::Position::new(ByColor::new(set("e1"), set(white)), Color::Black)
                .expect("a position")
        };
        assert_eq!(reference(&position("e7"), 1.0 / 3.0), cell("e4"));
        assert_eq!(reference(&position("e2"), 1.0 / 3.0), cell("e2"));
    }

    #[test]
    fn the_reference_of_a_symmetric_start_is_the_middle() {
        for layout in ["standard", "belgian-daisy"] {
            let position = Layout::named(layout).expect("a layout").position();
            assert_eq!(reference(&position, 1.0 / 3.0), Cell::CENTRE, "{layout}");
        }
    }

    #[test]
    fn a_path_leads_around_the_enemy_and_through_own_marbles() {
        let goal = Cell::CENTRE;
        assert_eq!(along_paths(set("e7 e8"), Bitboard::EMPTY, goal), 2 + 3);
        // E6 blocks the straight way of E7, but F7-F6 and D6-D5 are as short as two steps can not be: three.
        assert_eq!(along_paths(set("e7"), set("e6"), goal), 3);
        // The corner A1 with its three neighbours taken.
        assert_eq!(along_paths(set("a1"), set("a2 b1 b2"), goal), CUT_OFF);
        // A marble on the goal has arrived.
        assert_eq!(along_paths(set("e5"), Bitboard::EMPTY, goal), 0);
    }
}

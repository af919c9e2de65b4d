//! Distances of a side's marbles: to the middle (5.4), to the reference point of Aba-Pro's evaluation
//! (6.5), and along paths around the enemy.

use std::sync::LazyLock;

use sumito_rules::{Bitboard, Cell, Color, Position};

/// What an ejected marble adds to a sum of distances in the source paper's evaluation: the rim's distance.
pub(super) const EJECTED: i32 = 4;
/// What a marble adds that the enemy cuts off from its goal: one more than the board is wide.
const CUT_OFF: i32 = 9;

/// The cells at each distance from the middle or further.
pub(super) const BEYOND: [Bitboard; 4] = [beyond(1), beyond(2), beyond(3), beyond(4)];
/// The binary digits of each cell's distance to a goal: the cells whose distance has that digit.
static TO_GOAL: [[Bitboard; 4]; Cell::COUNT] = to_goal();
/// The binary digits of a cell's row, and of its number, both from 0.
const ROWS: [Bitboard; 4] = digits(places(true));
const NUMBERS: [Bitboard; 4] = digits(places(false));

const fn beyond(ring: u8) -> Bitboard {
    let mut bits = 0;
    let mut r = ring;
    while r <= 4 {
        bits |= Bitboard::ring(r).bits();
        r += 1;
    }
    Bitboard::from_bits(bits)
}

const fn to_goal() -> [[Bitboard; 4]; Cell::COUNT] {
    let mut table = [[Bitboard::EMPTY; 4]; Cell::COUNT];
    let mut goal = 0;
    while goal < Cell::COUNT {
        let (mut distances, mut i) = ([0; Cell::COUNT], 0);
        while i < Cell::COUNT {
            distances[Cell::ALL[i].index()] = Cell::ALL[i].distance(Cell::ALL[goal]);
            i += 1;
        }
        table[Cell::ALL[goal].index()] = digits(distances);
        goal += 1;
    }
    table
}

/// Each cell's row or number, from 0, by index.
const fn places(rows: bool) -> [u8; Cell::COUNT] {
    let (mut table, mut i) = ([0; Cell::COUNT], 0);
    while i < Cell::COUNT {
        let cell = Cell::ALL[i];
        table[cell.index()] = if rows { cell.row() } else { cell.number() } - 1;
        i += 1;
    }
    table
}

/// The cells whose value has each of the four binary digits.
const fn digits(values: [u8; Cell::COUNT]) -> [Bitboard; 4] {
    let (mut bits, mut i) = ([0; 4], 0);
    while i < Cell::COUNT {
        let mut digit = 0;
        while digit < 4 {
            bits[digit] |= ((values[i] >> digit & 1) as u64) << i;
            digit += 1;
        }
        i += 1;
    }
    let [one, two, four, eight] = bits;
    [
        Bitboard::from_bits(one),
        Bitboard::from_bits(two),
        Bitboard::from_bits(four),
        Bitboard::from_bits(eight),
    ]
}

/// The sum over a set of what the digits say of each cell.
#[inline(always)]
fn total(set: Bitboard, digits: &[Bitboard; 4]) -> usize {
    let [one, two, four, eight] = digits.map(|digit| (set & digit).len());
    one + 2 * two + 4 * four + 8 * eight
}

/// The sum of the marbles' distances to the middle.
#[inline(always)]
pub(super) fn to_middle(own: Bitboard) -> i32 {
    BEYOND.into_iter().map(|set| (own & set).len() as i32).sum()
}

/// The sum of the marbles' distances to a cell.
#[inline(always)]
pub(super) fn to_cell(own: Bitboard, goal: Cell) -> i32 {
    total(own, &TO_GOAL[goal.index()]) as i32
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

/// The most marbles of a side whose centre of mass is in a table: those of a game.
const TABLED: usize = 14;

/// Aba-Pro's reference point as the thesis computes it (6.5): the mean of both sides' centres of mass and of the
/// middle; the centres of mass and the result are rounded to cells. Both steps are read from tables, so that the
/// evaluation costs as little as that of the source paper, of bitboards and whole numbers, does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reference {
    /// By the sums of both centres' rows and numbers, from 0 each.
    cells: [Cell; 17 * 17],
    centres: &'static [Cell],
}

impl Reference {
    /// `middle` is the weight of the board's middle, that of either centre of mass being 1.
    pub(super) fn new(middle: f64) -> Reference {
        let point = |sum: usize| (sum as f64 - 8.0) / (2.0 + middle);
        let cells = std::array::from_fn(|i| nearest(point(i % 17), point(i / 17)));
        Reference { cells, centres: &CENTRES }
    }

    #[inline]
    pub(super) fn of(&self, position: &Position) -> Cell {
        let [one, other] = Color::ALL.map(|color| self.centre_of_mass(position.marbles(color)));
        let sum = |f: fn(Cell) -> u8| usize::from(f(one) + f(other)) - 2;
        self.cells[17 * sum(Cell::row) + sum(Cell::number)]
    }

    #[inline]
    fn centre_of_mass(&self, marbles: Bitboard) -> Cell {
        let (count, rows, numbers) = (marbles.len(), total(marbles, &ROWS), total(marbles, &NUMBERS));
        match count {
            0 => Cell::CENTRE,
            1..=TABLED => self.centres[first_of(count) + rows * (8 * count + 1) + numbers],
            _ => centre(count, rows, numbers),
        }
    }
}

/// The cell nearest to the centre of mass of so many marbles with these sums of rows and numbers, from 0 each: the
/// table of all.
static CENTRES: LazyLock<Vec<Cell>> = LazyLock::new(|| {
    let sums = |count: usize| (0..=8 * count).flat_map(move |rows| (0..=8 * count).map(move |n| (rows, n)));
    (1..=TABLED).flat_map(|count| sums(count).map(move |(rows, n)| centre(count, rows, n))).collect()
});

/// Where in the table the centres of so many marbles begin: after the sum of (8k + 1)^2 for all fewer, k.
#[inline(always)]
const fn first_of(count: usize) -> usize {
    let k = count - 1;
    64 * k * (k + 1) * (2 * k + 1) / 6 + 8 * k * (k + 1) + k
}

fn centre(count: usize, rows: usize, numbers: usize) -> Cell {
    let mean = |sum: usize| sum as f64 / count as f64 - 4.0;
    nearest(mean(numbers), mean(rows))
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
    use sumito_rules::{ByColor, Layout};

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
        assert_eq!(Reference::new(1.0 / 3.0).of(&position("e7")), cell("e4"));
        assert_eq!(Reference::new(1.0 / 3.0).of(&position("e2")), cell("e2"));
    }

    #[test]
    fn the_reference_of_a_symmetric_start_is_the_middle() {
        for layout in ["standard", "belgian-daisy"] {
            let position = Layout::named(layout).expect("a layout").position();
            assert_eq!(Reference::new(1.0 / 3.0).of(&position), Cell::CENTRE, "{layout}");
        }
    }

    /// The reference point by its definition, marble by marble.
    fn by_definition(position: &Position, middle: f64) -> Cell {
        let centres = Color::ALL.map(|color| {
            let marbles = position.marbles(color);
            let mean = |f: fn(Cell) -> u8| {
                let sum: u32 = marbles.iter().map(|cell| u32::from(f(cell))).sum();
                f64::from(sum) / marbles.len() as f64 - 5.0
            };
            nearest(mean(Cell::number), mean(Cell::row))
        });
        let sum = |f: fn(Cell) -> u8| centres.iter().map(|&cell| f64::from(f(cell)) - 5.0).sum::<f64>();
        nearest(sum(Cell::number) / (2.0 + middle), sum(Cell::row) / (2.0 + middle))
    }

    #[test]
    fn the_tables_give_the_reference_point_and_the_distances_of_their_definitions() {
        let mut rng = sumito_engine::Rng::new(65);
        for middle in [0.0, 1.0 / 3.0, 1.0] {
            let reference = Reference::new(middle);
            for layout in ["standard", "belgian-daisy", "german-daisy"] {
                let mut position = Layout::named(layout).expect("a layout").position();
                for _ in 0..300 {
                    let goal = by_definition(&position, middle);
                    assert_eq!(reference.of(&position), goal, "{position:?}");
                    for color in Color::ALL {
                        let marbles = position.marbles(color);
                        let sum: i32 = marbles.iter().map(|cell| i32::from(cell.distance(goal))).sum();
                        assert_eq!(to_cell(marbles, goal), sum, "{position:?}");
                    }
                    let moves = position.legal_moves();
                    position = position.play_unchecked(rng.pick(&moves).expect("a move"));
                }
            }
        }
    }

    #[test]
    fn a_centre_of_mass_that_is_in_no_table_is_computed() {
        assert_eq!(Reference::new(0.0).centre_of_mass(Bitboard::ALL), Cell::CENTRE);
        assert_eq!(Reference::new(0.0).centre_of_mass(Bitboard::EMPTY), Cell::CENTRE);
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

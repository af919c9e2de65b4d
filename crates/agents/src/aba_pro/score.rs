//! The geometric score: how close both sides' marbles stand to a common reference point. In fixed point, by
//! popcounts alone, so that it costs the same for every position.
//!
//! The distance along the lines of movement is half the sum of the distances along the board's three axes.
//! So the sum over a set of marbles falls apart into three sums of |x - R| over one coordinate each, and such
//! a sum needs only the marbles up to R, their number, and the totals of x over them and over all.

use sumito_rules::{Bitboard, Cell, Color, MAX_MARBLES, Position};

/// One cell's length: 7 times the least common multiple of 9 to 14, so that with the default centre weight R is
/// exact for as many marbles as a game that goes on can have.
pub(super) const UNIT: i32 = 7 * 180_180;

/// The scale of a score function whose two constants the document leaves open.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    /// What one marble weighs in R, by how many marbles of its colour there are.
    share: [i32; MAX_MARBLES + 1],
    /// The centre's weight in R, for rounding.
    centre: f64,
    round: bool,
    /// The distance of a marble that was pushed off.
    lost: i32,
}

/// One of the three coordinates of a cell, 0 to 8, as sets of cells.
struct Axis {
    /// The cells whose coordinate has a given binary digit.
    digit: [Bitboard; 4],
    /// The cells whose coordinate is at most this.
    up_to: [Bitboard; 9],
}

/// The row, the number, and their difference.
const AXES: [Axis; 3] = [axis(0), axis(1), axis(2)];

const fn coordinate(cell: Cell, axis: usize) -> u8 {
    match axis {
        0 => cell.row() - 1,
        1 => cell.number() - 1,
        _ => cell.row() + 4 - cell.number(),
    }
}

const fn axis(which: usize) -> Axis {
    let (mut digit, mut up_to) = ([0; 4], [0; 9]);
    let mut i = 0;
    while i < Cell::COUNT {
        let (x, bit) = (coordinate(Cell::ALL[i], which) as usize, 1u64 << Cell::ALL[i].index());
        let mut k = 0;
        while k < 9 {
            if k < 4 && x >> k & 1 == 1 {
                digit[k] |= bit;
            }
            if x <= k {
                up_to[k] |= bit;
            }
            k += 1;
        }
        i += 1;
    }
    Axis { digit: boards(digit), up_to: boards(up_to) }
}

const fn boards<const N: usize>(bits: [u64; N]) -> [Bitboard; N] {
    let mut boards = [Bitboard::EMPTY; N];
    let mut i = 0;
    while i < N {
        boards[i] = Bitboard::from_bits(bits[i]);
        i += 1;
    }
    boards
}

impl Axis {
    /// The sum of the coordinate over a set.
    #[inline(always)]
    fn total(&self, set: Bitboard) -> i32 {
        let [one, two, four, eight] = self.digit.map(|digit| (set & digit).len() as i32);
        one + 2 * two + 4 * four + 8 * eight
    }

    /// The sum of |x - r| over a set, given the set's [`Axis::total`].
    #[inline(always)]
    fn spread(&self, set: Bitboard, total: i32, r: i32) -> i32 {
        let below = set & self.up_to[(r / UNIT).clamp(0, 8) as usize];
        let turned = below.len() as i32 * r - self.total(below) * UNIT;
        total * UNIT - set.len() as i32 * r + 2 * turned
    }
}

/// The middle of every axis.
const MIDDLE: i32 = 4;

impl Geometry {
    /// `centre` is the weight of the board's centre in R, that of either centre of mass being 1; `lost` the
    /// distance of a marble that was pushed off.
    pub(super) fn new(centre: f64, round: bool, lost: f64) -> Geometry {
        let share = std::array::from_fn(|marbles| match marbles {
            0 => 0,
            _ => (f64::from(UNIT) / (marbles as f64 * (2.0 + centre))).round() as i32,
        });
        Geometry { share, centre, round, lost: (lost * f64::from(UNIT)).round() as i32 }
    }

    /// The score for a player, in [`UNIT`]s: the enemy's sum of distances to R minus the own.
    #[inline]
    pub(super) fn evaluate(&self, position: &Position, color: Color) -> i32 {
        let (own, enemy) = (position.marbles(color), position.marbles(!color));
        let (own_totals, enemy_totals) = (totals(own), totals(enemy));
        let r = self.reference((own, own_totals), (enemy, enemy_totals));
        let spread = |set: Bitboard, totals: [i32; 3]| {
            let along = |i: usize| AXES[i].spread(set, totals[i], r[i]);
            (along(0) + along(1) + along(2)) / 2
        };
        let pushed_off = i32::from(position.score(color)) - i32::from(position.score(!color));
        spread(enemy, enemy_totals) - spread(own, own_totals) + self.lost * pushed_off
    }

    /// R along the three axes: the weighted mean of both centres of mass and the board's centre. Linear in
    /// whole numbers, so a turned or mirrored position has exactly the same score.
    #[inline(always)]
    fn reference(&self, own: (Bitboard, [i32; 3]), enemy: (Bitboard, [i32; 3])) -> [i32; 3] {
        if self.round {
            return self.rounded_reference(own, enemy);
        }
        let (own_count, enemy_count) = (own.0.len(), enemy.0.len());
        let along = |i: usize| {
            (own.1[i] - MIDDLE * own_count as i32) * self.share[own_count]
                + (enemy.1[i] - MIDDLE * enemy_count as i32) * self.share[enemy_count]
        };
        let (row, number) = (along(0), along(1));
        [row, number, row - number].map(|r| r + MIDDLE * UNIT)
    }

    /// R as Verloop's reimplementation has it: both centres of mass and R rounded to the nearest cell.
    fn rounded_reference(&self, own: (Bitboard, [i32; 3]), enemy: (Bitboard, [i32; 3])) -> [i32; 3] {
        let mass = |(set, totals): (Bitboard, [i32; 3])| {
            let count = set.len() as i32;
            nearest([totals[0] - MIDDLE * count, totals[1] - MIDDLE * count], f64::from(count.max(1)))
        };
        let (own, enemy) = (mass(own), mass(enemy));
        let [row, number] = nearest([own[0] + enemy[0], own[1] + enemy[1]], 2.0 + self.centre);
        [row, number, row - number].map(|r| (r + MIDDLE) * UNIT)
    }
}

#[inline(always)]
fn totals(set: Bitboard) -> [i32; 3] {
    let (row, number) = (AXES[0].total(set), AXES[1].total(set));
    [row, number, row - number + MIDDLE * set.len() as i32]
}

/// The cell (row and number from the centre) nearest to a point. Rounds three coordinates with sum 0, then
/// mends the one that was furthest off; Verloop's tiny offsets decide between equally near cells.
fn nearest([row, number]: [i32; 2], divisor: f64) -> [i32; 2] {
    let exact = [(number, 1e-6), (row - number, 2e-6), (-row, -3e-6)]
        .map(|(sum, nudge)| f64::from(sum) / divisor + nudge);
    let [q, r, s] = exact.map(|x| (x + 0.5).floor());
    let [dq, dr, ds] = [q - exact[0], r - exact[1], s - exact[2]].map(f64::abs);
    let (number, row) = if dq > dr && dq > ds {
        (-r - s, -s)
    } else if dr > ds {
        (q, -s)
    } else {
        (q, q + r)
    };
    [row as i32, number as i32]
}

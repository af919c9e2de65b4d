//! What happens along lines, for both sides and both ways of each axis at once: four lanes of one loop, which the
//! compiler turns into vector instructions where there are any (four times as fast as one set after the other).

use sumito_rules::{Bitboard, Direction};

/// Own marbles and the enemy's, seen forwards by either side, then backwards by either side.
pub(super) const LANES: usize = 4;

/// A value for each lane.
pub(super) type Lane = [u64; LANES];

/// The lanes of the side to move, and those of the other.
pub(super) const SIDES: [[usize; 2]; 2] = [[0, 2], [1, 3]];

const MASK: u64 = Bitboard::ALL.bits();

/// How a set is moved along an axis, and what lies at the ends, for each lane.
struct Axis {
    /// Forwards: the rotation, and the cells that a step can reach.
    left: Lane,
    right: Lane,
    reached: Lane,
    /// The same backwards. The rotation is the other way round.
    reached_back: Lane,
    /// The cells from which a step leaves the board.
    exit: Lane,
    /// The cells inside the rim from which a step leads on to it.
    rimward: Lane,
}

const AXES: [Axis; 3] =
    [axis(Direction::East, 1), axis(Direction::NorthEast, 14), axis(Direction::NorthWest, 13)];

/// The axis of a direction, with what a step adds to a cell's index.
const fn axis(direction: Direction, stride: u64) -> Axis {
    let back = direction.opposite();
    let (reached, reached_back) = (Bitboard::ALL.shift(direction).bits(), Bitboard::ALL.shift(back).bits());
    let rim = Bitboard::RIM;
    let (exit, exit_back) = (!reached_back & MASK, !reached & MASK);
    let (toward, toward_back) =
        (rim.shift(back).bits() & !rim.bits(), rim.shift(direction).bits() & !rim.bits());
    Axis {
        left: [stride, stride, 61 - stride, 61 - stride],
        right: [61 - stride, 61 - stride, stride, stride],
        reached: [reached, reached, reached_back, reached_back],
        reached_back: [reached_back, reached_back, reached, reached],
        exit: [exit, exit, exit_back, exit_back],
        rimward: [toward, toward, toward_back, toward_back],
    }
}

/// What the lanes found: sets, and numbers of cases.
#[derive(Default)]
pub(super) struct Found {
    /// Own marbles beside each cell on this lane's way of the three axes: the number's binary digits.
    pub(super) ones: Lane,
    pub(super) twos: Lane,
    /// Own marbles with two own ones behind them; with three; enemy marbles between own
    /// ones, one and two of them; empty cells between own marbles. Alike on both lanes of a side.
    pub(super) triples: Lane,
    pub(super) quads: Lane,
    pub(super) splits: Lane,
    pub(super) wide_splits: Lane,
    pub(super) gaps: Lane,
    /// Pushes of one by two, of one by three, of two by three.
    pub(super) push21: Lane,
    pub(super) push31: Lane,
    pub(super) push32: Lane,
    /// Pushes that an own marble beyond blocks.
    pub(super) blocked: Lane,
    /// Pushes that eject.
    pub(super) ejections: Lane,
    /// Ways off the board of an enemy marble: with one own marble behind it and no second, and with two own
    /// marbles one step away.
    pub(super) half: Lane,
    pub(super) far: Lane,
    /// The enemy marbles that some push moves; moves on to the rim; ejects.
    pub(super) pushed: Lane,
    pub(super) to_rim: Lane,
    pub(super) victims: Lane,
    /// The enemy rim marbles with an own one behind them on a way off the board.
    pub(super) aimed: Lane,
}

/// Looks along all lines. `own` and `enemy` are those of the side to move.
#[inline(always)]
pub(super) fn look(own: Bitboard, enemy: Bitboard) -> Found {
    let (own, enemy) = (own.bits(), enemy.bits());
    let (marbles, others) = ([own, enemy, own, enemy], [enemy, own, enemy, own]);
    let empty = !(own | enemy) & MASK;
    let mut found = Found::default();
    for lane in 0..LANES {
        let (own, enemy) = (marbles[lane], others[lane]);
        let mut near = [0; 3];
        for (axis, near) in AXES.iter().zip(&mut near) {
            let (left, right) = (axis.left[lane], axis.right[lane]);
            let shift = |set: u64| (set << left | set >> right) & axis.reached[lane];
            let before = |set: u64| (set << right | set >> left) & axis.reached_back[lane];
            let count = |set: u64| u64::from(set.count_ones());
            // Cells with one, two, three own marbles behind them.
            let one = shift(own);
            let two = shift(own & one);
            let three = shift(own & two);
            let ahead = before(own);
            *near = one;

            let both = one & ahead;
            found.triples[lane] += count(own & two);
            found.quads[lane] += count(own & three);
            found.splits[lane] += count(enemy & both);
            found.wide_splits[lane] += count(shift(enemy & one) & enemy & ahead);
            found.gaps[lane] += count(empty & both);

            // The last of the marbles that can be pushed: single, or the farther of two.
            let exit = axis.exit[lane];
            let last = enemy & (before(empty) | exit);
            let single = two & last;
            let first = three & enemy & before(last);
            let moved = single | shift(first);
            found.push21[lane] += count(single & !three);
            found.push31[lane] += count(single & three);
            found.push32[lane] += count(first);
            found.blocked[lane] += count(enemy & two & ahead);
            found.ejections[lane] += count(moved & exit);
            found.pushed[lane] |= moved | first;
            found.to_rim[lane] |= moved & axis.rimward[lane];
            found.victims[lane] |= moved & exit;
            let edge = enemy & exit;
            found.aimed[lane] |= edge & one;
            found.half[lane] += count(edge & one & !two);
            found.far[lane] += count(edge & shift(empty & two));
        }
        let [a, b, c] = near;
        found.ones[lane] = a ^ b ^ c;
        found.twos[lane] = a & b | c & (a ^ b);
    }
    found
}

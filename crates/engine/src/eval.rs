//! The hand-written evaluation: sums over sets of marbles, each term for both sides, in hundredths of a marble.

use sumito_rules::{Bitboard, ByColor, Cell, Color, Direction, Position};

use crate::score::Value;

/// A term's value for one side: how often it applies, and what it is worth in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is called.
    pub name: &'static str,
    /// What Black gets for it.
    pub black: i32,
    /// What White gets for it.
    pub white: i32,
}

/// What pushing off the next marble is worth, by how many a side has pushed off already.
const MARBLE: [Value; 7] = [0, 420, 860, 1330, 1840, 2400, 3200];
/// What a step nearer to the reference point is worth, for each marble.
const STEP: Value = 50;
/// Two own marbles side by side.
const PAIR: Value = 7;
/// Three own marbles in a row.
const TRIPLE: Value = 3;
/// An enemy marble between two own ones.
const SPLIT: Value = 6;
/// A push that ejects, for the side that is to move and for the other.
const THREAT: [Value; 2] = [60, 45];
/// An own rim marble beside an enemy one.
const EXPOSED: Value = 14;
/// The right to move.
const TEMPO: Value = 12;

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

/// How far each side's marbles are in all from the reference point: the mean of both centres of mass and, with a
/// third of their weight, the centre of the board (after ABA-PRO, Aichholzer et al. 2002). In steps times
/// [`UNIT`].
#[inline(always)]
fn distances(position: &Position) -> ByColor<Value> {
    let marbles = ByColor::new(position.marbles(Color::Black), position.marbles(Color::White));
    let share = marbles.map(|set| 3 * UNIT / (set.len().max(1) as Value));
    let mut sums = ByColor::new(0, 0);
    for lines in &LINES {
        let counts = marbles.map(|set| {
            let mut counts = [0; 9];
            (0..9).for_each(|i| counts[i] = (set & lines[i]).len() as Value);
            counts
        });
        // Seen from the middle line, so that the board's centre adds nothing.
        let moment = |counts: &[Value; 9]| (0..9).map(|i| counts[i] * (i as Value - 4)).sum::<Value>();
        let middle = (moment(&counts.black) * share.black + moment(&counts.white) * share.white) / 7;
        let off = |counts: &[Value; 9]| {
            (0..9).map(|i| counts[i] * ((i as Value - 4) * UNIT - middle).abs()).sum::<Value>()
        };
        sums.black += off(&counts.black);
        sums.white += off(&counts.white);
    }
    // A distance on the hexagon is half the sum of the distances along the three axes.
    sums.map(|sum| sum / 2)
}

/// The fixed point of distances.
const UNIT: Value = 64;

/// The value of a position for the side to move.
#[inline]
pub(crate) fn evaluate(position: &Position) -> Value {
    let (us, them) = (position.turn(), !position.turn());
    let distances = distances(position);
    let sum = |color| side(position, color, distances[color]).into_iter().sum::<Value>();
    sum(us) - sum(them) + TEMPO
}

const NAMES: [&str; 6] = ["material", "centre", "cohesion", "splits", "threats", "exposure"];

/// Every term for both sides.
pub fn trace(position: &Position) -> Vec<Term> {
    let distances = distances(position);
    let (black, white) =
        (side(position, Color::Black, distances.black), side(position, Color::White, distances.white));
    let terms = NAMES.into_iter().zip(black.into_iter().zip(white));
    terms.map(|(name, (black, white))| Term { name, black, white }).collect()
}

/// The terms of one side, in the order of their names.
#[inline(always)]
fn side(position: &Position, color: Color, distance: Value) -> [Value; 6] {
    let (own, enemy) = (position.marbles(color), position.marbles(!color));
    let count = |set: Bitboard| set.len() as Value;
    let material = MARBLE[usize::from(position.score(color)).min(6)];
    let centre = -STEP * distance / UNIT;
    let (mut pairs, mut triples, mut splits) = (0, 0, 0);
    for axis in Direction::AXES {
        let behind = own.before(axis);
        let pair = own & behind;
        pairs += count(pair);
        triples += count(pair & own.shift(axis));
        splits += count(enemy & behind & own.shift(axis));
    }
    let threats =
        THREAT[usize::from(position.turn() != color)] * position.count_ejections(color).min(3) as Value;
    let exposed = count(own & Bitboard::RIM & enemy.neighbours());
    [material, centre, PAIR * pairs + TRIPLE * triples, SPLIT * splits, threats, -EXPOSED * exposed]
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{Layout, Symmetry};

    #[test]
    fn the_value_does_not_depend_on_where_the_board_is_seen_from() {
        for layout in Layout::all() {
            let position = layout.position();
            let mut next = position;
            for m in &position.legal_moves() {
                next = next.play(m).unwrap_or(next);
                for symmetry in Symmetry::ALL {
                    assert_eq!(evaluate(&symmetry.position(&next)), evaluate(&next));
                    assert_eq!(evaluate(&symmetry.position(&next).swapped()), evaluate(&next));
                }
            }
        }
    }

    #[test]
    fn the_trace_adds_up_to_the_value() {
        let position = Layout::all()[3].position();
        let sum: i32 = trace(&position).iter().map(|term| term.black - term.white).sum();
        assert_eq!(sum + TEMPO, evaluate(&position));
    }
}

//! The hand-written evaluation: terms counted over sets of marbles, each for both sides, times weights that depend
//! on how many marbles are left. It is linear in its weights, so that a tuner can fit them to games.

mod counts;
mod geometry;
mod lanes;
mod terms;

use sumito_rules::{Color, Position};

use crate::score::Value;

pub use counts::Counts;
pub use terms::{DECLARED, Declared, MATERIAL, TERMS, Weight};

/// A term's value for both sides, in hundredths of a marble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is called.
    pub name: &'static str,
    /// What Black gets for it.
    pub black: i32,
    /// What White gets for it.
    pub white: i32,
}

/// Weights have this many parts for each hundredth of a marble.
pub const SCALE: i32 = 16;
/// The last phase of a game: so many marbles are gone, or more.
pub const PHASES: usize = 10;

/// The weights by phase.
static BLENDED: [[i16; TERMS]; PHASES + 1] = blended_table();

const fn blended_table() -> [[i16; TERMS]; PHASES + 1] {
    let mut table = [[0; TERMS]; PHASES + 1];
    let mut phase = 0;
    while phase <= PHASES {
        let mut i = 0;
        while i < TERMS {
            let [early, late] = DECLARED[i].weight;
            let sum = early as i32 * (PHASES - phase) as i32 + late as i32 * phase as i32;
            table[phase][i] = (sum / PHASES as i32) as i16;
            i += 1;
        }
        phase += 1;
    }
    table
}

/// How far a game has come: how many of the 28 marbles are gone, at most [`PHASES`].
#[inline]
pub fn phase(position: &Position) -> usize {
    let left = position.own().len() + position.enemy().len();
    28usize.saturating_sub(left).min(PHASES)
}

/// How often each term applies to the side to move, and to the other.
#[inline(always)]
pub fn counts(position: &Position) -> [Counts; 2] {
    let (own, enemy) = (position.own(), position.enemy());
    let [shape, other] = geometry::shapes(own, enemy);
    let found = lanes::look(own, enemy);
    let digits = counts::digits(&found);
    let ours = counts::count::<0>(own, &digits, &shape, &found);
    [ours, counts::count::<1>(enemy, &digits, &other, &found)]
}

#[inline(always)]
fn material(position: &Position, color: Color) -> Value {
    Value::from(MATERIAL[usize::from(position.score(color)).min(6)])
}

/// The value of a position for the side to move.
#[inline]
pub fn evaluate(position: &Position) -> i32 {
    let [ours, theirs] = counts(position);
    let weights = &BLENDED[phase(position)];
    let mut sum = 0;
    for i in 0..TERMS {
        sum += i32::from(ours[i] - theirs[i]) * i32::from(weights[i]);
    }
    sum / SCALE + material(position, position.turn()) - material(position, !position.turn())
}

/// Every term for both sides.
pub fn trace(position: &Position) -> Vec<Term> {
    let weights = &BLENDED[phase(position)];
    let mut both = counts(position).map(|counts| {
        let worth = |i| (i32::from(counts[i]) * i32::from(weights[i]) + SCALE / 2).div_euclid(SCALE);
        (0..TERMS).map(worth).collect::<Vec<_>>()
    });
    if position.turn() == Color::White {
        both.reverse();
    }
    let [black, white] = both;
    let first = Term {
        name: "material",
        black: material(position, Color::Black),
        white: material(position, Color::White),
    };
    let rest = DECLARED.iter().zip(black.into_iter().zip(white));
    std::iter::once(first)
        .chain(rest.map(|(term, (black, white))| Term { name: term.name, black, white }))
        .collect()
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
                    assert_eq!(counts(&symmetry.position(&next)), counts(&next));
                    assert_eq!(evaluate(&symmetry.position(&next).swapped()), evaluate(&next));
                }
            }
        }
    }

    #[test]
    fn the_trace_adds_up_to_the_value_but_for_rounding() {
        for layout in Layout::all() {
            let position = layout.position();
            let sum: i32 = trace(&position).iter().map(|term| term.black - term.white).sum();
            assert!((sum - evaluate(&position)).abs() <= TERMS as i32, "{layout:?}");
        }
    }
}

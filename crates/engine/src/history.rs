//! What was good before: moves by themselves and as answers, and how far the evaluation was off.

use sumito_rules::{Bitboard, Color, Move, Position};

use crate::score::Value;

/// No history grows beyond this.
const LIMIT: i32 = 16_000;
/// Moves that start on the same cell in the same direction are one class: bits 0-8 of a move.
const CLASSES: usize = 1 << 9;
/// Corrections are kept for so many sets of marbles; a power of two.
const SHAPES: usize = 1 << 14;
/// A correction of one hundredth of a marble.
const GRAIN: i32 = 256;
/// No correction grows beyond this, which fits into 16 bits.
const MOST: i32 = 127 * GRAIN;

/// The last two moves on the board, as far as histories care.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    pub(crate) last: Option<Move>,
    pub(crate) before: Option<Move>,
}

pub(crate) struct History {
    /// By side and move.
    plain: Vec<[i16; Move::TABLE]>,
    /// By side, class of the enemy's last move, and class.
    answer: Vec<[i16; CLASSES]>,
    /// By side, class of the own move before, and class.
    follow: Vec<[i16; CLASSES]>,
    /// By side and the enemy's last move.
    counter: Vec<Option<Move>>,
    /// By side to move and whose marbles they are; then by those marbles.
    corrections: Vec<[i16; SHAPES]>,
}

fn class(m: Move) -> usize {
    usize::from(m.bits()) % CLASSES
}

/// The row of a continuation history.
fn row(side: Color, m: Option<Move>) -> Option<usize> {
    Some(side.index() * CLASSES + class(m?))
}

/// Moves a value towards its limit; the nearer it is, the less.
fn nudge(slot: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*slot);
    *slot = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// The rows of the continuation histories that matter in a node, and the plain one.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    plain: &'a [i16; Move::TABLE],
    answer: &'a [i16; CLASSES],
    follow: &'a [i16; CLASSES],
}

impl Rows<'_> {
    /// How well a move did before, up to three times [`LIMIT`].
    #[inline]
    pub(crate) fn score(&self, m: Move) -> i32 {
        let class = class(m);
        i32::from(self.plain[usize::from(m.bits()) % Move::TABLE])
            + i32::from(self.answer[class])
            + i32::from(self.follow[class])
    }
}

static BLANK: [i16; CLASSES] = [0; CLASSES];

impl History {
    pub(crate) fn new() -> History {
        History {
            plain: vec![[0; Move::TABLE]; 2],
            answer: vec![[0; CLASSES]; 2 * CLASSES],
            follow: vec![[0; CLASSES]; 2 * CLASSES],
            counter: vec![None; 2 * Move::TABLE],
            corrections: vec![[0; SHAPES]; 4],
        }
    }

    pub(crate) fn rows(&self, side: Color, context: Context) -> Rows<'_> {
        Rows {
            plain: &self.plain[side.index()],
            answer: row(side, context.last).map_or(&BLANK, |row| &self.answer[row]),
            follow: row(side, context.before).map_or(&BLANK, |row| &self.follow[row]),
        }
    }

    /// A move has proved good, or bad if the bonus is below zero.
    pub(crate) fn update(&mut self, side: Color, context: Context, m: Move, bonus: i32) {
        self.update_plain(side, m, bonus);
        if let Some(row) = row(side, context.last) {
            nudge(&mut self.answer[row][class(m)], bonus, LIMIT);
        }
        if let Some(row) = row(side, context.before) {
            nudge(&mut self.follow[row][class(m)], bonus, LIMIT);
        }
    }

    /// The same, whatever moves were played before it.
    pub(crate) fn update_plain(&mut self, side: Color, m: Move, bonus: i32) {
        nudge(&mut self.plain[side.index()][usize::from(m.bits())], bonus, LIMIT);
    }

    pub(crate) fn counter(&self, side: Color, last: Option<Move>) -> Option<Move> {
        self.counter[side.index() * Move::TABLE + usize::from(last?.bits())]
    }

    pub(crate) fn set_counter(&mut self, side: Color, last: Option<Move>, answer: Move) {
        if let Some(last) = last {
            self.counter[side.index() * Move::TABLE + usize::from(last.bits())] = Some(answer);
        }
    }

    /// How far the static value of positions with these marbles was off, on the average of late.
    pub(crate) fn correction(&self, position: &Position) -> Value {
        let sum: i32 =
            places(position).map(|(table, shape)| self.corrections[table][shape].into()).iter().sum();
        sum / GRAIN
    }

    /// The search has found another value than the static one.
    pub(crate) fn correct(&mut self, position: &Position, difference: Value, depth: i32) {
        let bonus = (difference * depth * GRAIN / 64).clamp(-MOST / 4, MOST / 4);
        for (table, shape) in places(position) {
            nudge(&mut self.corrections[table][shape], bonus, MOST);
        }
    }
}

fn places(position: &Position) -> [(usize, usize); 2] {
    let shape = |set: Bitboard| (set.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize;
    let side = 2 * position.turn().index();
    [(side, shape(position.own())), (side + 1, shape(position.enemy()))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn a_history_stays_within_its_limit() {
        let mut history = History::new();
        let m = Move::all().next().expect("a move");
        let context = Context { last: Some(m), before: Some(m) };
        (0..1000).for_each(|_| history.update(Color::White, context, m, 3000));
        let score = history.rows(Color::White, context).score(m);
        assert!(score > 3 * LIMIT * 9 / 10 && score <= 3 * LIMIT, "{score}");
        assert_eq!(history.rows(Color::Black, context).score(m), 0);
    }

    #[test]
    fn a_correction_goes_towards_the_difference() {
        let mut history = History::new();
        let position = Layout::all()[0].position();
        (0..1000).for_each(|_| history.correct(&position, 50, 8));
        assert!(history.correction(&position) > 20);
        (0..1000).for_each(|_| history.correct(&position, 10_000, 30));
        assert_eq!(history.correction(&position), 2 * MOST / GRAIN);
        assert_eq!(history.correction(&position.with_turn(Color::White)), 0);
    }
}

//! Move ordering (2.5.1): which heuristic sorts the moves at which ply, and the sorting itself.

use std::ops::RangeInclusive;

use sumito_rules::{Bitboard, Color, Move};

/// A move and the number that it is sorted by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) m: Move,
    pub(super) score: i32,
}

/// The score of a move about which iteration sorting knows nothing.
pub(super) const UNKNOWN: i32 = i32::MIN;

/// The plies at which each heuristic sorts, the root's moves being ply 1. Where several do, the later one in
/// this list has the last word, and the earlier ones order what it leaves equal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) evaluate: Plies,
    pub(super) history: Plies,
    pub(super) marble: Plies,
    pub(super) iteration: Plies,
}

/// Plies from one to another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plies(RangeInclusive<u32>);

impl Plies {
    /// The deepest ply that a plan can name.
    pub(super) const LAST: u32 = 50;

    pub(super) const fn new(first: u32, last: u32) -> Plies {
        Plies(first..=last)
    }

    pub(super) const fn none() -> Plies {
        Plies::new(1, 0)
    }

    #[inline]
    pub(super) fn contains(&self, ply: u32) -> bool {
        self.0.contains(&ply)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Highest score first; equal ones stay in their order.
pub(super) fn by_score(moves: &mut [Scored]) {
    moves.sort_by_key(|scored| std::cmp::Reverse(scored.score));
}

/// The place of a move in marble ordering: 0 for five marbles in line to 6 for a single one.
#[inline]
pub(super) fn marble_class(enemy: Bitboard, m: Move) -> usize {
    match (m.is_broadside(), m.count()) {
        (_, 1) => 6,
        (true, 2) => 5,
        (true, _) => 3,
        (false, own) => [4, 2, 1, 0][own - 2 + pushed(enemy, m)],
    }
}

/// How many of the enemy's marbles a legal move in line pushes.
#[inline]
fn pushed(enemy: Bitboard, m: Move) -> usize {
    let first = m.tail().steps(m.direction(), m.count()).filter(|&cell| enemy.contains(cell));
    let second = first.and_then(|cell| cell.step(m.direction())).filter(|&cell| enemy.contains(cell));
    usize::from(first.is_some()) + usize::from(second.is_some())
}

/// How many cutoffs each move of each side has caused (Schaeffer's history heuristic).
#[derive(Clone, Debug)]
pub(super) struct History {
    kills: Vec<u32>,
    /// A cutoff counts as the square of the remaining depth, as in the program, instead of as one.
    square: bool,
}

impl History {
    pub(super) fn new(square: bool) -> History {
        History { kills: vec![0; 2 * Move::TABLE], square }
    }

    pub(super) fn clear(&mut self) {
        self.kills.fill(0);
    }

    #[inline]
    fn index(color: Color, m: Move) -> usize {
        color.index() * Move::TABLE + usize::from(m.bits())
    }

    #[inline]
    pub(super) fn credit(&mut self, color: Color, m: Move, rest: u32) {
        let kills = &mut self.kills[History::index(color, m)];
        *kills = kills.saturating_add(if self.square { rest * rest } else { 1 });
    }

    #[inline]
    pub(super) fn of(&self, color: Color, m: Move) -> i32 {
        self.kills[History::index(color, m)].min(i32::MAX as u32) as i32
    }
}

/// Lists that sorting fills again and again instead of allocating.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    known: Vec<(i32, usize)>,
    sorted: Vec<Scored>,
}

impl Sorter {
    /// Marble ordering, in linear time.
    pub(super) fn by_marbles(&mut self, enemy: Bitboard, moves: &mut [Scored]) {
        let mut starts = [0; 8];
        for scored in moves.iter_mut() {
            let class = marble_class(enemy, scored.m);
            scored.score = class as i32;
            starts[class + 1] += 1;
        }
        (1..8).for_each(|class| starts[class] += starts[class - 1]);
        self.sorted.clear();
        self.sorted.extend_from_slice(moves);
        for &scored in &self.sorted {
            let place = &mut starts[scored.score as usize];
            moves[*place] = scored;
            *place += 1;
        }
    }

    /// Iteration sorting: of the moves with a known score the best third goes to the front, the worst sixth
    /// to the back, and the others are sorted among the places that they hold.
    pub(super) fn by_iteration(&mut self, moves: &mut [Scored], program: bool) {
        self.known.clear();
        let known = moves.iter().enumerate().filter(|(_, scored)| scored.score != UNKNOWN);
        self.known.extend(known.map(|(i, scored)| (scored.score, i)));
        self.known.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        let (front, back) = (self.known.len() / 3, self.known.len() * 5 / 6);
        self.sorted.clear();
        self.sorted.extend(self.known.iter().map(|&(_, i)| moves[i]));
        // What stays between front and back closes ranks, in the old order.
        for &(_, i) in self.known[..front].iter().chain(&self.known[back..]) {
            moves[i].score = TAKEN;
        }
        let mut kept = 0;
        for i in 0..moves.len() {
            if moves[i].score != TAKEN {
                moves.swap(kept, i);
                kept += 1;
            }
        }
        let (total, worst) = (moves.len(), self.sorted.len() - back);
        moves.copy_within(0..total - front - worst, front);
        moves[..front].copy_from_slice(&self.sorted[..front]);
        moves[total - worst..].copy_from_slice(&self.sorted[back..]);
        // The program takes the thirds and sixths of all moves for those of the known ones: where not all are
        // known, some moves are then searched twice and others not at all.
        let middle = if program { total / 3..total * 5 / 6 } else { front..total - worst };
        let places = moves[middle].iter_mut().filter(|scored| scored.score != UNKNOWN);
        for (place, scored) in places.zip(&self.sorted[front..]) {
            *place = *scored;
        }
    }
}

/// Marks a move that is on its way to the front or the back.
const TAKEN: i32 = i32::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::fen;

    fn scored(scores: &[i32]) -> Vec<Scored> {
        Move::all().zip(scores).map(|(m, &score)| Scored { m, score }).collect()
    }

    fn iterate(scores: &[i32], program: bool) -> Vec<i32> {
        let mut moves = scored(scores);
        Sorter::default().by_iteration(&mut moves, program);
        moves.iter().map(|scored| scored.score).collect()
    }

    #[test]
    fn iteration_sorting_moves_a_third_up_a_sixth_down_and_sorts_the_rest_in_place() {
        const X: i32 = UNKNOWN;
        // Known: 5 1 4 6 2 3. Best third 6 5, worst sixth 1, the others 4 2 3 sorted where they stand.
        let sorted = iterate(&[X, 5, 1, X, 4, 6, X, 2, 3, X], false);
        assert_eq!(sorted, [6, 5, X, X, 4, X, 3, 2, X, 1]);
    }

    #[test]
    fn iteration_sorting_without_known_moves_changes_nothing() {
        assert_eq!(iterate(&[UNKNOWN; 5], false), [UNKNOWN; 5]);
        assert_eq!(iterate(&[UNKNOWN; 5], true), [UNKNOWN; 5]);
    }

    #[test]
    fn iteration_sorting_with_all_moves_known_sorts_them() {
        for program in [false, true] {
            assert_eq!(iterate(&[3, 1, 4, 15, 9, 2, 6], program), [15, 9, 6, 4, 3, 2, 1]);
        }
    }

    #[test]
    fn the_programs_iteration_sorting_repeats_moves_and_drops_others() {
        const X: i32 = UNKNOWN;
        // Front 6 5, back 1; then places 3 to 7 of ten are rewritten from 4 on although 4 may stand before
        // them.
        let sorted = iterate(&[4, 5, 1, X, X, 6, X, 2, 3, X], true);
        assert_eq!(sorted, [6, 5, 4, X, X, X, 4, 3, X, 1]);
    }

    #[test]
    fn marble_ordering_goes_by_marbles_moved_and_in_line_before_broadside() {
        // Black E1-E3 against E4, E5: five marbles in line; and whatever else there is.
        let position = fen::parse("5/6/7/8/SSSss4/8/7/6/5 0 0 b 0 1").expect("a FEN");
        let mut moves: Vec<Scored> = position.legal_moves().iter().map(|&m| Scored { m, score: 0 }).collect();
        let count = moves.len();
        Sorter::default().by_marbles(position.enemy(), &mut moves);
        let classes: Vec<usize> =
            moves.iter().map(|scored| marble_class(position.enemy(), scored.m)).collect();
        assert!(classes.is_sorted() && classes[0] == 0 && classes[count - 1] == 6, "{classes:?}");
        // Broadside: from E1 only NE and SE stay on the board, so the triple and E1-E2 have two moves,
        // E2-E3 four.
        let of = |class| classes.iter().filter(|&&c| c == class).count();
        assert_eq!((of(0), of(3), of(5)), (1, 2, 6));
    }
}

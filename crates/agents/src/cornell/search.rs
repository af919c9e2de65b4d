//! Alpha-beta over presorted moves, on the difference of ejected marbles (sections 2.3 and 3.2).

use std::ops::Range;

use sumito_rules::{Move, Position};

use super::presort::{Traits, Weights};
use super::pruning::{Pruning, View};
use crate::watch::Watch;

/// More than any difference of ejected marbles.
const INFINITE: i32 = 100;

/// One search for a move, perhaps to several depths.
pub(super) struct Search<'a> {
    weights: Weights,
    /// Of the cutoffs.
    view: View,
    /// So many ejected marbles end the game.
    to_win: u8,
    pruning: &'a mut Pruning,
    watch: Watch,
    plies: u32,
    /// The children of all nodes on the way from the root, one node's after the other's.
    children: Vec<Child>,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    value: f64,
    /// Its value to the cutoffs.
    judged: f64,
    m: Move,
    ejects: bool,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    /// The first in presorted order among the best moves.
    pub(super) m: Move,
    /// Ejected marbles, own minus the enemy's, at the end of the line.
    pub(super) value: i32,
    /// Whether every move was searched before time was up.
    pub(super) complete: bool,
}

impl<'a> Search<'a> {
    /// A search under these weights, cutoffs and limits, in a game that so many ejections end.
    pub(super) fn new(
        (weights, view): (Weights, View),
        to_win: u8,
        pruning: &'a mut Pruning,
        watch: Watch,
    ) -> Search<'a> {
        Search { weights, view, to_win, pruning, watch, plies: 0, children: Vec::new() }
    }

    /// The clock and the nodes so far.
    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Searches to a depth of at least one ply. When time runs out, the best of the moves that were
    /// finished, or else the first. None if there is no legal move.
    pub(super) fn best(&mut self, position: &Position, plies: u32) -> Option<Best> {
        self.plies = plies;
        self.children.clear();
        let range = self.expand(position, 1);
        let mut best = Best { m: self.children.get(range.start)?.m, value: -INFINITE, complete: true };
        for i in range {
            let child = self.children[i];
            let value = self.value_after(position, child, 1, best.value, INFINITE);
            if self.watch.expired() {
                return Some(Best { complete: false, ..best });
            }
            if value > best.value {
                best = Best { m: child.m, value, ..best };
            }
        }
        Some(best)
    }

    /// The value for the side to move of a position that `ply` moves led to; nothing useful once the watch
    /// has expired.
    fn negamax(&mut self, position: &Position, ply: u32, alpha: i32, beta: i32) -> i32 {
        let over = position.score(!position.turn()) >= self.to_win;
        if self.watch.tick() || over {
            return lead(position);
        }
        let top = self.children.len();
        let range = self.expand(position, ply + 1);
        let mut best = if range.is_empty() { lead(position) } else { -INFINITE };
        for i in range {
            let child = self.children[i];
            best = best.max(self.value_after(position, child, ply + 1, alpha.max(best), beta));
            if best >= beta || self.watch.expired() {
                break;
            }
        }
        self.children.truncate(top);
        best
    }

    /// What a move, the `ply`th from the root, is worth to who makes it.
    #[inline]
    fn value_after(&mut self, position: &Position, child: Child, ply: u32, alpha: i32, beta: i32) -> i32 {
        if ply == self.plies {
            self.watch.tick();
            return lead(position) + i32::from(child.ejects);
        }
        -self.negamax(&position.play_unchecked(child.m), ply, -beta, -alpha)
    }

    /// Generates and sorts the moves of a position; the `ply`th from the root will be one of those in the
    /// range returned.
    fn expand(&mut self, position: &Position, ply: u32) -> Range<usize> {
        let top = self.children.len();
        position.for_each_move(|m| {
            let traits = Traits::of(position, m);
            let value = self.weights.value(traits);
            let judged = if self.pruning.is_off() {
                value
            } else {
                let judged = self.view.of(position, m, traits, ply);
                self.pruning.see(judged);
                judged.value(&self.weights)
            };
            let ejects = traits.pushes() && position.ejects(m);
            self.children.push(Child { value, judged, m, ejects });
        });
        self.children[top..].sort_by(|a, b| b.value.total_cmp(&a.value));
        self.prune(top, ply);
        top..self.children.len()
    }

    /// Leaves out the last node's children, from `top` on, that the cutoffs do not hold worth a search; all stay if none is.
    #[inline]
    fn prune(&mut self, top: usize, ply: u32) {
        let Some(band) = self.pruning.band(ply) else { return };
        let mut kept = top;
        for i in top..self.children.len() {
            if band.holds(self.children[i].judged) {
                self.children.swap(kept, i);
                kept += 1;
            }
        }
        if kept > top {
            self.children.truncate(kept);
        }
    }
}

/// Ejected marbles, those of the side to move minus the other's.
fn lead(position: &Position) -> i32 {
    let turn = position.turn();
    i32::from(position.score(turn)) - i32::from(position.score(!turn))
}

#[cfg(test)]
mod tests;

//! Alpha-beta search of one level at a time, with the root's moves shared out among threads (section 3.2).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use sumito_rules::{Color, Game, Move, Position};

use super::eval::Heuristic;
use super::order::Order;
use super::table::Table;
use crate::watch::Watch;

/// More than any value.
const INFINITE: i32 = i32::MAX;
/// The value of having no legal move: less than any heuristic's.
const LOST: i32 = -1_000_000_000;
/// How many plies the quiescence search adds at most.
const QUIESCENCE: i32 = 2;

/// The first level that is worth more than one thread: those before it take less time than starting a thread.
const PARALLEL: i32 = 3;

/// What stays the same throughout the search for a move.
pub(super) struct Setup<'a> {
    pub(super) heuristic: &'a Heuristic,
    pub(super) order: &'static Order,
    pub(super) table: Option<&'a Table>,
    pub(super) quiescence: bool,
    root: Position,
    marbles_to_win: u8,
    /// The ply at which the game ends by the move limit.
    end: u32,
}

/// What the search of one level found.
pub(super) struct Level {
    /// The best of the moves that were finished, and its value for the side to move at the root.
    pub(super) best: Option<(Move, i32)>,
    /// Whether all moves were finished.
    pub(super) complete: bool,
    /// Whether a line was cut off by the level rather than by the end of the game.
    pub(super) cut: bool,
}

impl<'a> Setup<'a> {
    pub(super) fn new(
        game: &Game,
        heuristic: &'a Heuristic,
        order: &'static Order,
        table: Option<&'a Table>,
        quiescence: bool,
    ) -> Setup<'a> {
        let (root, rules) = (*game.position(), game.rules());
        let left = rules.ply_cap.map(|cap| cap.saturating_sub(game.moves().len() as u32));
        let end = left.map_or(u32::MAX, |left| left + u32::from(root.ply()));
        Setup { heuristic, order, table, quiescence, root, marbles_to_win: rules.marbles_to_win, end }
    }

    /// The moves of the root, in order.
    pub(super) fn root_moves(&self) -> Vec<Move> {
        self.order.moves(&self.root).collect()
    }

    /// Searches the moves to a level, one thread for each watch. Each thread takes the next move when it is done
    /// with one, and starts with the best value known by then. A later move must be strictly better.
    pub(super) fn search(&self, moves: &[Move], level: i32, watches: &mut [Watch]) -> Level {
        let tasks = Tasks { moves, level, next: AtomicUsize::new(0), best: Mutex::new(None) };
        let (first, others) = watches.split_first_mut().expect("a search has a thread");
        let others = if level < PARALLEL { &mut [] } else { others };
        let cut = thread::scope(|scope| {
            let tasks = &tasks;
            let others: Vec<_> = others
                .iter_mut()
                .map(|watch| scope.spawn(move || Worker::new(self, watch).work(tasks)))
                .collect();
            let cut = Worker::new(self, first).work(tasks);
            others.into_iter().fold(cut, |cut, thread| cut | thread.join().expect("a worker does not panic"))
        });
        let complete = watches.iter().all(|watch| !watch.expired());
        Level { best: tasks.best(), complete, cut }
    }

    fn is_over(&self, position: &Position) -> bool {
        u32::from(position.ply()) >= self.end
            || Color::ALL.into_iter().any(|color| position.score(color) >= self.marbles_to_win)
    }

    /// Whether marbles were pushed off since the root: the authors' sign that a position is not quiet.
    fn is_noisy(&self, position: &Position) -> bool {
        Color::ALL.into_iter().any(|color| position.score(color) != self.root.score(color))
    }

    /// A value for the searching player as one for the side to move.
    #[inline]
    fn for_mover(&self, position: &Position, value: impl Fn(&Position, Color) -> i32) -> i32 {
        let player = self.root.turn();
        let value = value(position, player);
        if position.turn() == player { value } else { -value }
    }
}

/// The root's moves, shared out among the threads.
struct Tasks<'a> {
    moves: &'a [Move],
    level: i32,
    next: AtomicUsize,
    best: Mutex<Option<(Move, i32)>>,
}

impl Tasks<'_> {
    fn next(&self) -> Option<Move> {
        self.moves.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    fn best(&self) -> Option<(Move, i32)> {
        *self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, m: Move, value: i32) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if best.is_none_or(|(_, so_far)| value > so_far) {
            *best = Some((m, value));
        }
    }
}

/// One thread of a search.
struct Worker<'a> {
    setup: &'a Setup<'a>,
    watch: &'a mut Watch,
    cut: bool,
}

impl<'a> Worker<'a> {
    fn new(setup: &'a Setup<'a>, watch: &'a mut Watch) -> Worker<'a> {
        Worker { setup, watch, cut: false }
    }

    /// Takes moves until none is left or time is up. True if a line was cut off by the level.
    fn work(mut self, tasks: &Tasks<'_>) -> bool {
        while let Some(m) = tasks.next() {
            let alpha = tasks.best().map_or(-INFINITE, |(_, value)| value);
            let child = self.setup.root.play_unchecked(m);
            let value = -self.value(&child, tasks.level - 1, -INFINITE, -alpha);
            if self.watch.expired() {
                break;
            }
            tasks.finish(m, value);
        }
        self.cut
    }

    /// The value of a position for its side to move, `level` plies ahead; outside of the window, a bound of it.
    /// Meaningless once the watch has expired.
    fn value(&mut self, position: &Position, level: i32, alpha: i32, beta: i32) -> i32 {
        if self.watch.tick() {
            return 0;
        }
        let setup = self.setup;
        if setup.is_over(position) {
            return setup.for_mover(position, |p, player| setup.heuristic.final_value(p, player));
        }
        if let Some(value) = self.known(position, level, alpha, beta) {
            return value;
        }
        let goes_on = level > 0 || setup.quiescence && level > -QUIESCENCE && setup.is_noisy(position);
        if !goes_on {
            self.cut = true;
            return setup.for_mover(position, |p, player| setup.heuristic.value(p, player));
        }
        let value = self.best_value(position, level, alpha, beta);
        if !self.watch.expired() {
            self.keep(position, level, value, alpha, beta);
        }
        value
    }

    fn best_value(&mut self, position: &Position, level: i32, mut alpha: i32, beta: i32) -> i32 {
        let mut best = LOST;
        for m in self.setup.order.moves(position) {
            let value = -self.value(&position.play_unchecked(m), level - 1, -beta, -alpha);
            best = best.max(value);
            if best >= beta || self.watch.expired() {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }

    /// What the table knows. Not near the move limit: how many plies are left is no part of its key.
    fn known(&mut self, position: &Position, level: i32, alpha: i32, beta: i32) -> Option<i32> {
        let table = self.setup.table.filter(|table| level > 0 || table.is_trusting())?;
        if self.reaches_limit(position, level) {
            return None;
        }
        let value = table.get(position.hash(), level, alpha, beta);
        self.cut |= value.is_some();
        value
    }

    fn keep(&self, position: &Position, level: i32, value: i32, alpha: i32, beta: i32) {
        let table = self.setup.table.filter(|_| level > 0 && !self.reaches_limit(position, level));
        if let Some(table) = table {
            table.put(position.hash(), level, value, alpha, beta);
        }
    }

    fn reaches_limit(&self, position: &Position, level: i32) -> bool {
        u32::from(position.ply()) + (level + QUIESCENCE) as u32 >= self.setup.end
    }
}

//! Negamax, and where each idea takes hold of it.

use sumito_rules::{Game, Move, MoveList, Position};

use super::eval::UNIT;
use super::order::{Favourites, Order, Sorted};
use super::{MAX_DEPTH, PlainIdeas};
use crate::agent::{Evaluation, Score};
use crate::watch::Watch;

const WIN: i32 = 1_000_000_000;
const INFINITY: i32 = WIN + 1;
/// Static values stay below this, wins above.
const WON: i32 = WIN - 1000;
/// The deepest ply, quiescence included.
const PLIES: usize = MAX_DEPTH as usize + 32;
/// A pass is searched so many plies less deep.
const NULL_REDUCTION: u32 = 2;
/// So many moves of a node are searched at full depth.
const FULL_DEPTH_MOVES: usize = 4;
/// The table has two to this power entries.
const TABLE_BITS: u32 = 18;

/// Whether a value is that of a game that is won or lost.
pub(super) fn is_decided(value: i32) -> bool {
    value.abs() >= WON
}

/// A value for the side to move as others understand it.
pub(super) fn to_score(value: i32) -> Score {
    let plies = WIN - value.abs();
    match is_decided(value) {
        true if value > 0 => Score::Win((plies + 1) / 2),
        true => Score::Win(-(plies + 1) / 2),
        false => Score::Value(f64::from(value) / f64::from(UNIT)),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    depth: u32,
    value: i32,
    bound: Bound,
    best: Option<Move>,
}

/// What is kept from depth to depth.
pub(super) struct Memory {
    table: Vec<Option<Slot>>,
    favourites: Favourites,
}

impl Memory {
    pub(super) fn new(ideas: &PlainIdeas) -> Memory {
        let slots = if ideas.table { 1 << TABLE_BITS } else { 0 };
        Memory { table: vec![None; slots], favourites: Favourites::new(ideas, PLIES + 1) }
    }

    pub(super) fn forget(&mut self) {
        self.table.fill(None);
        self.favourites.forget();
    }

    fn get(&self, hash: u64) -> Option<Slot> {
        let slot = self.table.get(hash as usize & ((1 << TABLE_BITS) - 1))?;
        slot.filter(|slot| slot.hash == hash)
    }

    fn put(&mut self, slot: Slot) {
        if let Some(place) = self.table.get_mut(slot.hash as usize & ((1 << TABLE_BITS) - 1)) {
            *place = Some(slot);
        }
    }
}

/// One search from one position.
pub(super) struct Searcher<'a> {
    ideas: &'a PlainIdeas,
    evaluate: &'a Evaluation,
    memory: &'a mut Memory,
    watch: &'a mut Watch,
    marbles_to_win: u8,
    best: Option<Move>,
}

/// The window for a value.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const WHOLE: Window = Window { alpha: -INFINITY, beta: INFINITY };

    fn around(value: i32, half: i32) -> Window {
        Window { alpha: value - half, beta: value + half }
    }

    /// The same for the other side.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        game: &Game,
        ideas: &'a PlainIdeas,
        evaluate: &'a Evaluation,
        memory: &'a mut Memory,
        watch: &'a mut Watch,
    ) -> Searcher<'a> {
        let marbles_to_win = game.rules().marbles_to_win;
        Searcher { ideas, evaluate, memory, watch, marbles_to_win, best: None }
    }

    /// The best move and its value, to a depth; `last` is the value of the depth before. `None` if the search must stop.
    pub(super) fn run(&mut self, root: &Position, depth: u32, last: Option<i32>) -> Option<(Move, i32)> {
        let guess = last.filter(|&value| self.ideas.aspiration && !is_decided(value));
        let window = guess.map_or(Window::WHOLE, |value| Window::around(value, self.ideas.window));
        let mut value = self.node(root, depth, 0, window, false)?;
        if value <= window.alpha || value >= window.beta {
            value = self.node(root, depth, 0, Window::WHOLE, false)?;
        }
        self.best.map(|m| (m, value))
    }

    /// The value of a position for the side to move.
    fn node(
        &mut self,
        position: &Position,
        depth: u32,
        ply: usize,
        mut window: Window,
        passed: bool,
    ) -> Option<i32> {
        if self.watch.tick() {
            return None;
        }
        if position.score(!position.turn()) >= self.marbles_to_win {
            return Some(ply as i32 - WIN);
        }
        if depth == 0 || ply >= PLIES {
            return if self.ideas.quiescence {
                self.quiesce(position, ply, window)
            } else {
                Some(self.value(position))
            };
        }
        let known = self.memory.get(position.hash()).filter(|_| ply > 0);
        if let Some(value) = known.and_then(|slot| slot.decides(depth, window)) {
            return Some(value);
        }
        if self.ideas.node_windows && ply > 0 {
            let value = self.value(position);
            // A value as good as alpha or beta is all that the parent asks for.
            let narrow = Window::around(value, self.ideas.window * depth as i32);
            window = Window { alpha: window.alpha.max(narrow.alpha), beta: window.beta.min(narrow.beta) };
            if window.alpha >= window.beta {
                return Some(value);
            }
        }
        if self.ideas.null_move && !passed && depth > NULL_REDUCTION && ply > 0 {
            let zero = Window { alpha: -window.beta, beta: 1 - window.beta };
            let other = position.with_turn(!position.turn());
            let value = -self.node(&other, depth - 1 - NULL_REDUCTION, ply + 1, zero, true)?;
            if value >= window.beta && !is_decided(value) {
                return Some(value);
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(ply as i32 - WIN);
        }
        let sorted = self.sort(position, &moves, (depth, ply), known.and_then(|slot| slot.best));
        self.moves(position, &sorted, depth, ply, window)
    }

    /// The best of a node's moves.
    fn moves(
        &mut self,
        position: &Position,
        sorted: &[Sorted],
        depth: u32,
        ply: usize,
        window: Window,
    ) -> Option<i32> {
        let Window { mut alpha, beta } = window;
        let (mut best, mut best_move) = (-INFINITY, None);
        let reach = self.ideas.funnel.filter(|_| depth > 1).map(|width| width * (depth - 1) as i32);
        for (count, &(m, score)) in sorted.iter().enumerate() {
            // The funnel: in the order of score, what follows is out of reach as well.
            if reach.is_some_and(|reach| score.saturating_add(reach) <= alpha) && best_move.is_some() {
                break;
            }
            let value = self.child(&position.play_unchecked(m), depth, ply, Window { alpha, beta }, count)?;
            if value > best {
                (best, best_move) = (value, Some(m));
                alpha = if self.ideas.alpha_beta { alpha.max(value) } else { alpha };
            }
            if alpha >= beta {
                self.memory.favourites.reward(position.turn(), m, depth, ply);
                break;
            }
        }
        if ply == 0 && (best > window.alpha || self.best.is_none()) {
            self.best = best_move;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= window.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        // A win counts its plies from the root, which another path has not.
        if self.ideas.table && !is_decided(best) {
            self.memory.put(Slot { hash: position.hash(), depth, value: best, bound, best: best_move });
        }
        Some(best)
    }

    /// The value of a move for the mover: the child's, with the whole window or step by step.
    fn child(
        &mut self,
        child: &Position,
        depth: u32,
        ply: usize,
        window: Window,
        count: usize,
    ) -> Option<i32> {
        let Window { alpha, .. } = window;
        let is_zero = self.ideas.zero_window;
        let is_reduced = self.ideas.reductions && count >= FULL_DEPTH_MOVES && depth > 2;
        let zero = Window { alpha, beta: alpha + 1 };
        let mut search = |less: u32, window: Window| {
            self.node(child, depth - 1 - less, ply + 1, window.turned(), false).map(|value| -value)
        };
        if count == 0 || alpha == -INFINITY {
            return search(0, window);
        }
        if is_reduced {
            let value = search(1, if is_zero { zero } else { window })?;
            if value <= alpha {
                return Some(value);
            }
        }
        if is_zero {
            let value = search(0, zero)?;
            if value <= alpha || value >= window.beta {
                return Some(value);
            }
        }
        search(0, window)
    }

    /// Ejections only, as long as they gain; not to play one is worth the static value (stand pat).
    fn quiesce(&mut self, position: &Position, ply: usize, window: Window) -> Option<i32> {
        let Window { mut alpha, beta } = window;
        let mut best = self.value(position);
        if ply >= PLIES || self.ideas.alpha_beta && best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);
        for &m in position.legal_moves().iter().filter(|&&m| position.ejects(m)) {
            if self.watch.tick() {
                return None;
            }
            let next = position.play_unchecked(m);
            let value = if next.score(position.turn()) >= self.marbles_to_win {
                WIN - (ply as i32 + 1)
            } else {
                -self.quiesce(&next, ply + 1, Window { alpha, beta }.turned())?
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if self.ideas.alpha_beta && alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    fn sort(
        &self,
        position: &Position,
        moves: &MoveList,
        (depth, ply): (u32, usize),
        first: Option<Move>,
    ) -> Vec<Sorted> {
        let order = Order { ideas: self.ideas, favourites: &self.memory.favourites, position, ply, first };
        // One ply before the leaves the static value is the value: to ask for it twice gains nothing.
        let presorts = self.ideas.presorting && depth > 1;
        order.sort(moves, &|m| if presorts { -self.value(&position.play_unchecked(m)) } else { 0 })
    }

    /// The static value for the side to move.
    fn value(&self, position: &Position) -> i32 {
        let value = (self.evaluate)(position, position.turn()) * f64::from(UNIT);
        (value.round() as i32).clamp(1 - WON, WON - 1)
    }
}

impl Slot {
    /// The value, if it is deep enough and settles the window.
    fn decides(&self, depth: u32, window: Window) -> Option<i32> {
        let is_settled = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= window.beta,
            Bound::Upper => self.value <= window.alpha,
        };
        (self.depth >= depth && is_settled).then_some(self.value)
    }
}

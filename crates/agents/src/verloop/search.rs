//! Alpha-beta (2.2) with everything that the thesis hangs on it: iterative deepening, the table, the
//! orderings, quiescence and aspiration windows. Positions are copied, so a search can be abandoned at any
//! node.

use sumito_rules::{Color, Game, Move, Position};

use crate::watch::Watch;

use super::config::{Aspiration, Config};
use super::eval::{Evaluator, WIN};
use super::order::{History, Scored, Sorter, UNKNOWN, by_score};
use super::table::{Bound, Known, Table};

/// Beyond every value.
pub(super) const INFINITY: i32 = WIN + 1;
/// In the hash while White is the searching side: values are for the searcher, and with `consider=self` or
/// the program's evaluation the two sides' views differ by more than the sign.
const WHITE_SEARCHES: u64 = 0x9e6c_63d0_876a_46ad;

/// A move at the root and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) m: Move,
    pub(super) value: i32,
}

/// What the agent keeps from one search to the next.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) table: Option<Table>,
    pub(super) history: History,
    pub(super) sorter: Sorter,
    /// One list of moves for each ply.
    pub(super) lists: Vec<Vec<Scored>>,
    pub(super) hashes: Vec<u64>,
    /// What the last depth looked at, ply by ply.
    pub(super) plies: Vec<Ply>,
}

/// What a search looked at on one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// Positions whose moves were searched.
    pub positions: u64,
    /// Moves searched in all of them, repeated ones that superko forbids not among them.
    pub moves: u64,
}

/// One search, from one root.
pub(super) struct Search<'a> {
    config: &'a Config,
    evaluator: Evaluator,
    memory: &'a mut Memory,
    pub(super) watch: Watch,
    root: Position,
    side: Color,
    salt: u64,
    /// The boards after each move of the game and of the line that is looked at, for superko.
    record: Vec<u64>,
    /// The best of the root moves that the search got through before it was stopped.
    pub(super) partial: Option<Found>,
}

/// The board alone, whoever is to move.
fn board(position: &Position) -> u64 {
    position.with_turn(Color::Black).hash()
}

/// A node on the way down: the position, how it came about, and where it is.
#[derive(Clone, Copy)]
struct Node<'p> {
    position: &'p Position,
    /// The move that led here.
    from: Move,
    ejected: bool,
    rest: u32,
    /// 0 at the root.
    ply: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(config: &'a Config, memory: &'a mut Memory, watch: Watch, game: &Game) -> Search<'a> {
        let (root, side) = (*game.position(), game.turn());
        let evaluator = Evaluator { to_win: game.rules().marbles_to_win, ..config.evaluator };
        memory.history.clear();
        let record =
            if config.superko { game.positions()[1..].iter().map(board).collect() } else { Vec::new() };
        let salt = if side == Color::White { WHITE_SEARCHES } else { 0 };
        Search { config, evaluator, memory, watch, root, side, salt, record, partial: None }
    }

    /// The best move at a depth, unless the search was stopped. Of equal moves the first in order is best.
    /// `guess` is the value at the last depth, for the aspiration window.
    pub(super) fn best(&mut self, depth: u32, guess: Option<i32>) -> Option<Found> {
        self.memory.plies.clear();
        self.memory.plies.resize(depth as usize, Ply::default());
        let Some(guess) = guess.filter(|_| self.config.aspiration == Aspiration::Deepening) else {
            return self.root(depth, -INFINITY, INFINITY);
        };
        let mut width = self.config.window;
        let (mut alpha, mut beta) = (guess.saturating_sub(width), guess.saturating_add(width));
        loop {
            let found = self.root(depth, alpha.max(-INFINITY), beta.min(INFINITY))?;
            // Outside the window the value is only a bound: search again, wider on that side (4.4).
            width = width.saturating_mul(4);
            if found.value <= alpha && alpha > -INFINITY {
                alpha = guess.saturating_sub(width);
            } else if found.value >= beta && beta < INFINITY {
                beta = guess.saturating_add(width);
            } else {
                return Some(found);
            }
        }
    }

    fn root(&mut self, depth: u32, mut alpha: i32, beta: i32) -> Option<Found> {
        let root = self.root;
        let moves = self.ordered(&root, 0);
        self.memory.plies[0].positions += 1;
        let mut best: Option<Found> = None;
        for scored in &moves {
            let Some(value) = self.child(&root, scored.m, depth, 0, alpha, beta) else { continue };
            if self.watch.expired() {
                break;
            }
            if best.is_none_or(|best| value > best.value) {
                best = Some(Found { m: scored.m, value });
                self.partial = best;
                alpha = alpha.max(value);
            }
            if alpha >= beta {
                break;
            }
        }
        self.memory.lists[0] = moves;
        best.filter(|_| !self.watch.expired())
    }

    /// The value of a move for the side that makes it; none if superko forbids it.
    fn child(
        &mut self,
        parent: &Position,
        m: Move,
        rest: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let position = parent.play_unchecked(m);
        if self.config.superko {
            if self.is_repeated(&position) {
                return None;
            }
            self.record.push(board(&position));
        }
        self.memory.plies[ply].moves += 1;
        let ejected = position.quiet() == 0;
        let node = Node { position: &position, from: m, ejected, rest: rest - 1, ply: ply + 1 };
        let value = -self.node(node, -beta, -alpha);
        if self.config.superko {
            self.record.pop();
        }
        Some(value)
    }

    /// Whether the board is on record. An ejection makes all earlier boards unreachable.
    fn is_repeated(&self, position: &Position) -> bool {
        let board = board(position);
        let since = self.record.len().saturating_sub(usize::from(position.quiet()));
        self.record[since..].contains(&board)
    }

    /// The value of a node for its side to move. Means nothing once the watch has expired.
    fn node(&mut self, node: Node<'_>, mut alpha: i32, mut beta: i32) -> i32 {
        if self.watch.tick() {
            return 0;
        }
        if node.rest == 0 {
            return self.leaf(&node, alpha, beta);
        }
        // The program looks for the end of the game at leaves alone.
        if !self.config.program && node.ejected && self.evaluator.winner(node.position).is_some() {
            return self.signed(node.position, self.evaluator.value(node.position, self.side));
        }
        let mut window = (alpha, beta);
        let hash = self.hash(node.position, node.position.turn());
        if let Some(known) = self.known(hash).filter(|known| known.depth >= node.rest) {
            match known.bound {
                Bound::Exact => return known.value,
                Bound::Lower => alpha = alpha.max(known.value),
                Bound::Upper => beta = beta.min(known.value),
            }
            if alpha >= beta {
                return known.value;
            }
        }
        if self.config.aspiration == Aspiration::Node {
            window = match self.narrowed(&node, alpha, beta) {
                Ok(narrow) => narrow,
                Err(value) => return value,
            };
            (alpha, beta) = window;
        }
        let best = self.expand(&node, alpha, beta);
        if !self.watch.expired() {
            self.store(hash, node.rest, best, window);
        }
        best
    }

    /// The best value of a node's moves.
    fn expand(&mut self, node: &Node<'_>, mut alpha: i32, beta: i32) -> i32 {
        let moves = self.ordered(node.position, node.ply);
        self.memory.plies[node.ply].positions += 1;
        let mut best = -INFINITY;
        for scored in &moves {
            let Some(value) = self.child(node.position, scored.m, node.rest, node.ply, alpha, beta) else {
                continue;
            };
            if self.watch.expired() {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                self.credit(node, scored.m);
                break;
            }
        }
        self.memory.lists[node.ply] = moves;
        // Without a legal move the game is lost.
        best.max(-WIN)
    }

    /// Notes that a move cut off a node. The program credits an opponent's cutoff to the move before it.
    fn credit(&mut self, node: &Node<'_>, m: Move) {
        let turn = node.position.turn();
        if self.config.program && turn != self.side {
            self.memory.history.credit(self.side, node.from, node.rest);
        } else {
            self.memory.history.credit(turn, m, node.rest);
        }
    }

    /// The source paper's window (4.4) around the node's static value; the value itself where that leaves
    /// nothing.
    fn narrowed(&mut self, node: &Node<'_>, alpha: i32, beta: i32) -> Result<(i32, i32), i32> {
        let estimate = self.static_value(node.position);
        let growth = f64::from(node.rest).powf(self.config.window_power);
        let width = (f64::from(self.config.window) * growth).min(f64::from(WIN)) as i32;
        let (low, high) = ((estimate - width).max(-WIN), (estimate + width).min(WIN));
        if low >= beta {
            return Err(low);
        }
        if high <= alpha {
            return Err(high);
        }
        Ok((alpha.max(low), beta.min(high)))
    }

    fn leaf(&mut self, node: &Node<'_>, alpha: i32, beta: i32) -> i32 {
        if self.config.quiescence && node.ejected {
            self.quiescence(node.position, alpha, beta)
        } else {
            self.static_value(node.position)
        }
    }

    /// Ejections only, or none of them, for as long as there are any (2.5.2).
    fn quiescence(&mut self, position: &Position, mut alpha: i32, beta: i32) -> i32 {
        let value = self.evaluator.value(position, self.side);
        let mut best = self.signed(position, value);
        if best >= beta || self.evaluator.winner(position).is_some() {
            return best;
        }
        alpha = alpha.max(best);
        for m in position.legal_moves().iter().copied().filter(|&m| position.ejects(m)) {
            if self.watch.tick() {
                break;
            }
            let value = -self.quiescence(&position.play_unchecked(m), -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// A value for the searcher as one for the side to move.
    #[inline]
    fn signed(&self, position: &Position, value: i32) -> i32 {
        if position.turn() == self.side { value } else { -value }
    }

    /// The static value for the side to move, through the table if there is one.
    fn static_value(&mut self, position: &Position) -> i32 {
        // The program takes whatever the table has, the text what is as good as exact.
        let known = self.known_leaf(position);
        if let Some(known) = known.filter(|known| self.config.program || known.bound == Bound::Exact) {
            return known.value;
        }
        let value = self.evaluator.value(position, self.side);
        let value = self.signed(position, value);
        let (hash, stored) = (self.hash(position, self.leaf_team(position)), self.turned(position, value));
        if let Some(table) = &mut self.memory.table {
            table.put(hash, Known { value: stored, depth: 0, bound: Bound::Exact });
        }
        value
    }

    /// What the table knows about a position as a leaf, for the side to move.
    #[inline]
    fn known_leaf(&mut self, position: &Position) -> Option<Known> {
        self.memory.table.as_ref()?;
        let known = self.known(self.hash(position, self.leaf_team(position)))?;
        Some(Known { value: self.turned(position, known.value), ..known })
    }

    /// The side whose value a leaf's entry holds: the side to move, but in the program the searcher.
    #[inline]
    fn leaf_team(&self, position: &Position) -> Color {
        if self.config.program { self.side } else { position.turn() }
    }

    /// A value for the side to move as one for the leaf's team, and back.
    #[inline]
    fn turned(&self, position: &Position, value: i32) -> i32 {
        if self.config.program { self.signed(position, value) } else { value }
    }

    #[inline]
    fn hash(&self, position: &Position, team: Color) -> u64 {
        position.with_turn(team).hash() ^ self.salt
    }

    #[inline]
    fn known(&mut self, hash: u64) -> Option<Known> {
        self.memory.table.as_mut()?.get(hash)
    }

    fn store(&mut self, hash: u64, depth: u32, value: i32, (alpha, beta): (i32, i32)) {
        let Some(table) = &mut self.memory.table else { return };
        let bound = if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        table.put(hash, Known { value, depth, bound });
    }
}

/// Move ordering.
impl Search<'_> {
    /// The moves at a node, sorted as the plan says for its ply.
    fn ordered(&mut self, position: &Position, ply: usize) -> Vec<Scored> {
        if self.memory.lists.len() <= ply {
            self.memory.lists.resize_with(ply + 1, Vec::new);
        }
        let mut moves = std::mem::take(&mut self.memory.lists[ply]);
        moves.clear();
        position.for_each_move(|m| moves.push(Scored { m, score: 0 }));
        let (plan, ply) = (&self.config.plan, ply as u32 + 1);
        if plan.evaluate.contains(ply) {
            self.evaluate(position, &mut moves);
            by_score(&mut moves);
            // So many evaluations are worth a look at the clock, except at the root: the first depth is
            // finished in any case.
            if ply > 1 {
                self.watch.look();
            }
        }
        if plan.history.contains(ply) {
            let (history, turn) = (&self.memory.history, position.turn());
            moves.iter_mut().for_each(|scored| scored.score = history.of(turn, scored.m));
            by_score(&mut moves);
        }
        if plan.marble.contains(ply) {
            self.memory.sorter.by_marbles(position.enemy(), &mut moves);
        }
        if plan.iteration.contains(ply) {
            self.look_up(position, &mut moves);
            self.memory.sorter.by_iteration(&mut moves, self.config.program);
        }
        moves
    }

    /// Scores moves by the values of what they lead to: those in the table, else the static ones.
    fn evaluate(&mut self, position: &Position, moves: &mut [Scored]) {
        for scored in moves {
            let next = position.play_unchecked(scored.m);
            let value = match self.known_leaf(&next) {
                Some(known) => known.value,
                None => self.static_value(&next),
            };
            scored.score = self.preference(&next, value);
        }
    }

    /// Scores moves by what the table knows of the positions that they lead to. All hashes come first: then
    /// the processor can wait for many entries at once, which is most of what this costs.
    fn look_up(&mut self, position: &Position, moves: &mut [Scored]) {
        let mut hashes = std::mem::take(&mut self.memory.hashes);
        hashes.clear();
        hashes.extend(moves.iter().map(|scored| {
            let next = position.play_unchecked(scored.m);
            self.hash(&next, self.leaf_team(&next))
        }));
        // A leaf's entry is the side to move's, but in the program the searcher's, who is also the one to
        // please.
        let sign = if self.config.program { 1 } else { -1 };
        for (scored, &hash) in moves.iter_mut().zip(&hashes) {
            scored.score = self.known(hash).map_or(UNKNOWN, |known| sign * known.value);
        }
        self.memory.hashes = hashes;
    }

    /// How much the one who moved likes a position that is worth `value` to the side to move. The program
    /// asks how much the searcher likes it, at the opponent's plies as well.
    #[inline]
    fn preference(&self, next: &Position, value: i32) -> i32 {
        if self.config.program { self.signed(next, value) } else { -value }
    }
}

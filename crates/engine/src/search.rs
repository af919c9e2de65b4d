//! The search: iterative deepening, principal variation search and quiescence, one worker for each thread.

use sumito_rules::{AtCap, Color, Game, Move, Position, Repetition};

use crate::engine::{Info, Limits, Stop};
use crate::eval::evaluate;
use crate::order::{Favourites, History, Kind, Picker};
use crate::score::{CAP_WIN, INFINITY, MAX_PLY, Score, Value, WIN, WON, from_table, to_table};
use crate::table::{Bound, Entry, Table};
use crate::time::Budget;

/// What all workers of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) age: u8,
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Budget,
    pub(crate) game: &'a Game,
    pub(crate) finished: &'a Stop,
}

/// One thread's memory, kept from search to search.
pub(crate) struct Worker {
    history: History,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    evals: [Value; MAX_PLY + 2],
    /// The hashes of the game's positions and of the line that is looked at.
    path: Vec<u64>,
    /// The principal variation from each ply on.
    lines: Vec<Vec<Move>>,
    nodes: u64,
    seldepth: usize,
    stopped: bool,
}

/// Where a node is, and what was played to get there.
#[derive(Clone, Copy)]
struct Node {
    ply: usize,
    last: Option<Move>,
    /// A node that is expected to fail high.
    cut: bool,
}

/// A move that is about to be searched.
#[derive(Clone, Copy)]
struct Attempt {
    /// Its place among the moves, from 1.
    count: i32,
    kind: Kind,
    rank: i32,
    /// Whether the mover's static value has grown since its last turn.
    improving: bool,
}

impl Attempt {
    /// How much less deep than the first move it is looked at.
    fn reduction<const PV: bool>(self, depth: i32, cut: bool) -> i32 {
        if depth < 2 || self.count <= 2 || self.kind == Kind::Ejection {
            return 0;
        }
        let base = REDUCTIONS[depth.min(63) as usize][self.count.min(63) as usize];
        let more = i32::from(!self.improving) + i32::from(!cut && !PV);
        let less = i32::from(PV) + i32::from(self.kind == Kind::Push) + (self.rank / 6000).clamp(-2, 2);
        (base + more - less).clamp(0, depth - 1)
    }
}

impl Worker {
    pub(crate) fn new() -> Worker {
        Worker {
            history: History::new(),
            killers: [[None; 2]; MAX_PLY + 2],
            evals: [0; MAX_PLY + 2],
            path: Vec::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            seldepth: 0,
            stopped: false,
        }
    }

    /// Searches deeper and deeper; the best move of the last finished iteration.
    pub(crate) fn run(
        &mut self,
        shared: &Shared<'_>,
        number: u32,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Move> {
        self.nodes = 0;
        self.stopped = false;
        self.killers = [[None; 2]; MAX_PLY + 2];
        self.path = shared.game.positions().iter().map(Position::hash).collect();
        let most = shared.limits.depth.unwrap_or(MAX_PLY as u32 - 1).min(MAX_PLY as u32 - 1);
        let (mut best, mut value, mut unrest) = (None, 0, 1.0);
        // Helpers start deeper by turns, so that the threads do not all do the same.
        for depth in 1 + number % 2..=most {
            self.seldepth = 0;
            let Some(found) = self.aspire(shared, depth as i32, value) else { break };
            value = found;
            let line = self.lines[0].clone();
            let first = line.first().copied();
            unrest = if best.is_some() && first != best { 1.8 } else { f64::max(unrest * 0.8, 0.7) };
            best = first.or(best);
            report(&Info {
                depth,
                seldepth: self.seldepth as u32,
                rank: 1,
                score: Score::new(value),
                nodes: self.nodes,
                time: shared.budget.start.elapsed(),
                hashfull: shared.table.fullness(shared.age),
                line,
            });
            let decided =
                value.abs() >= WON && depth as Value >= WIN - value.abs() && shared.limits.depth.is_none();
            if decided || number == 0 && !shared.budget.goes_on(unrest) {
                break;
            }
        }
        best.or_else(|| self.lines[0].first().copied())
    }

    /// One iteration, in a window around the last value that opens as needed.
    fn aspire(&mut self, shared: &Shared<'_>, depth: i32, guess: Value) -> Option<Value> {
        let root = *shared.game.position();
        let mut width = 24;
        let (mut alpha, mut beta) =
            if depth >= 5 { (guess - width, guess + width) } else { (-INFINITY, INFINITY) };
        loop {
            let node = Node { ply: 0, last: shared.game.moves().last().copied(), cut: false };
            let value =
                self.search::<true>(shared, &root, alpha.max(-INFINITY), beta.min(INFINITY), depth, node);
            if self.stopped {
                return None;
            }
            width *= 3;
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = value - width;
            } else if value >= beta {
                beta = value + width;
            } else {
                return Some(value);
            }
        }
    }

    fn must_stop(&mut self, shared: &Shared<'_>) -> bool {
        let over = shared.limits.nodes.is_some_and(|most| self.nodes >= most);
        let look = self.nodes.is_multiple_of(1024);
        self.stopped |= over
            || look
                && (shared.limits.stop.is_requested()
                    || shared.finished.is_requested()
                    || shared.budget.is_over());
        self.stopped
    }

    /// The value of a position in which the game is over by the rules, for the side to move.
    fn ended(&self, shared: &Shared<'_>, position: &Position, ply: usize) -> Option<Value> {
        let rules = shared.game.rules();
        let side = position.turn();
        if position.score(!side) >= rules.marbles_to_win {
            return Some(-(WIN - ply as Value));
        }
        if ply == 0 {
            return None;
        }
        if rules.repetition != Repetition::Off && self.is_repeated(position) {
            return Some(0);
        }
        let plies = shared.game.moves().len() + ply;
        let capped = rules.ply_cap.is_some_and(|cap| plies as u32 >= cap)
            || rules.quiet_cap.is_some_and(|cap| u32::from(position.quiet()) >= cap);
        capped.then(|| {
            let lead = i32::from(position.score(side)) - i32::from(position.score(!side));
            if rules.at_cap == AtCap::Draw { 0 } else { lead.signum() * (CAP_WIN - ply as Value) }
        })
    }

    /// Whether the position has come up before since the last ejection.
    fn is_repeated(&self, position: &Position) -> bool {
        let hash = position.hash();
        let back = usize::from(position.quiet());
        self.path.iter().rev().take(back).skip(3).step_by(2).any(|&earlier| earlier == hash)
    }

    /// The value of a position, searched `depth` plies deep, exact inside the window.
    fn search<const PV: bool>(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        node: Node,
    ) -> Value {
        let Node { ply, last, cut } = node;
        self.lines[ply].clear();
        // Step 1. The end of the game, of the depth, of the time.
        if let Some(value) = self.ended(shared, position, ply) {
            return value;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(shared, position, alpha, beta, ply);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.must_stop(shared) {
            return 0;
        }
        // Step 2. A win in fewer plies is known already.
        alpha = alpha.max(-(WIN - ply as Value));
        beta = beta.min(WIN - ply as Value - 1);
        if alpha >= beta {
            return alpha;
        }
        // Step 3. The table.
        let known = shared.table.get(position.hash());
        if let Some(entry) = known.filter(|entry| !PV && entry.depth >= depth) {
            let value = from_table(entry.value, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if decides {
                return value;
            }
        }
        // Step 4. The static value, and whether things are getting better.
        let eval = known.map_or_else(|| evaluate(position), |entry| entry.eval);
        self.evals[ply] = eval;
        let improving = ply >= 2 && eval > self.evals[ply - 2];
        let mut depth = depth;
        if !PV {
            // Step 5. Reverse futility: so far ahead that a few plies will not change it.
            if depth <= 6 && eval - 60 * (depth - i32::from(improving)) >= beta && beta > -WON && eval < WON {
                return eval;
            }
            // Step 6. Null move: if passing is good enough, so is the best move.
            if depth >= 3
                && eval >= beta
                && last.is_some()
                && beta > -WON
                && let Some(value) = self.null_move(shared, position, beta, depth, ply, eval)
            {
                return value;
            }
        }
        // Step 7. Without a move from the table, look less deep: the next visit has one.
        if depth >= 5 && known.is_none_or(|entry| entry.best.is_none()) && (PV || cut) {
            depth -= 1;
        }
        // Step 8. The moves, best first.
        let side = position.turn();
        let favourites = Favourites {
            table: known.and_then(|entry| entry.best),
            killers: self.killers[ply],
            counter: self.history.counter(side, last),
        };
        let picker = Picker::new(position, &favourites, &self.history);
        if picker.len() == 0 {
            return -(WIN - ply as Value);
        }
        let (mut best, mut best_move, mut bound) = (-INFINITY, None, Bound::Upper);
        let mut tried = [favourites.table; 32];
        let mut count = 0;
        self.path.push(position.hash());
        for ranked in picker {
            let m = ranked.m;
            count += 1;
            let quiet = ranked.kind == Kind::Quiet;
            // Step 9. Late quiet moves at low depth are left out.
            if !PV && best > -WON && ranked.kind != Kind::Ejection && depth <= 5 {
                let most = (4 + depth * depth * 2) / (2 - i32::from(improving));
                if count > most.max(3) {
                    continue;
                }
                if quiet && eval + 60 + 70 * depth <= alpha && depth <= 3 {
                    continue;
                }
            }
            let next = position.play_unchecked(m);
            let child = Node { ply: ply + 1, last: Some(m), cut: !cut };
            let attempt = Attempt { count, kind: ranked.kind, rank: ranked.rank, improving };
            let value = self.visit::<PV>(shared, &next, (alpha, beta), depth, child, attempt);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    bound = Bound::Exact;
                    self.keep_line(ply, m);
                }
                if value >= beta {
                    bound = Bound::Lower;
                    self.reward(position, m, &tried[..(count as usize - 1).min(32)], depth, node);
                    break;
                }
            }
            if (count as usize) <= 32 {
                tried[count as usize - 1] = Some(m);
            }
        }
        self.path.pop();
        if self.stopped {
            return if ply == 0 { best.max(alpha) } else { 0 };
        }
        let value = to_table(best, ply);
        shared.table.put(position.hash(), Entry { best: best_move, value, eval, depth, bound }, shared.age);
        best
    }

    /// Searches a child: the first move with the whole window, later ones with an empty window first, and late
    /// ones less deep at that.
    fn visit<const PV: bool>(
        &mut self,
        shared: &Shared<'_>,
        next: &Position,
        (alpha, beta): (Value, Value),
        depth: i32,
        child: Node,
        attempt: Attempt,
    ) -> Value {
        if attempt.count == 1 {
            let child = Node { cut: if PV { false } else { child.cut }, ..child };
            return -self.search::<PV>(shared, next, -beta, -alpha, depth - 1, child);
        }
        let reduction = attempt.reduction::<PV>(depth, child.cut);
        let narrow = Node { cut: true, ..child };
        let mut value =
            -self.search::<false>(shared, next, -alpha - 1, -alpha, depth - 1 - reduction, narrow);
        if value > alpha && reduction > 0 && !self.stopped {
            value = -self.search::<false>(shared, next, -alpha - 1, -alpha, depth - 1, child);
        }
        if PV && value > alpha && value < beta && !self.stopped {
            value =
                -self.search::<true>(shared, next, -beta, -alpha, depth - 1, Node { cut: false, ..child });
        }
        value
    }

    fn null_move(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
        eval: Value,
    ) -> Option<Value> {
        let reduction = 3 + depth / 4 + ((eval - beta) / 120).clamp(0, 3);
        let next = position.with_turn(!position.turn());
        self.path.push(position.hash());
        let node = Node { ply: ply + 1, last: None, cut: false };
        let value = -self.search::<false>(shared, &next, -beta, -beta + 1, depth - 1 - reduction, node);
        self.path.pop();
        (value >= beta && !self.stopped).then_some(if value >= WON { beta } else { value })
    }

    /// Only ejections, until nothing more is to be won.
    fn quiesce(
        &mut self,
        shared: &Shared<'_>,
        position: &Position,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.must_stop(shared) {
            return 0;
        }
        let rules = shared.game.rules();
        let side = position.turn();
        if position.score(!side) >= rules.marbles_to_win {
            return -(WIN - ply as Value);
        }
        let mut best = evaluate(position);
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = [None; 24];
        let mut count = 0;
        position.for_each_ejection(|m| {
            if count < moves.len() {
                moves[count] = Some(m);
                count += 1;
            }
        });
        if count > 0 && position.score(side) + 1 >= rules.marbles_to_win {
            return WIN - ply as Value - 1;
        }
        for m in moves.into_iter().flatten() {
            let value = -self.quiesce(shared, &position.play_unchecked(m), -beta, -alpha, ply + 1);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    fn keep_line(&mut self, ply: usize, m: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        if let Some(rest) = after.first() {
            line.extend(rest.iter().take(MAX_PLY - 1));
        }
    }

    /// A move that refutes: it goes up in the history, those tried before it go down.
    fn reward(&mut self, position: &Position, m: Move, tried: &[Option<Move>], depth: i32, node: Node) {
        let side: Color = position.turn();
        let bonus = (depth * depth * 16 + 32 * depth).min(2000);
        self.history.update(side, m, bonus);
        for other in tried.iter().flatten().filter(|other| **other != m) {
            self.history.update(side, *other, -bonus);
        }
        let killers = &mut self.killers[node.ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        self.history.set_counter(side, node.last, m);
    }
}

/// How much less deep a move is searched, by depth and by its place among the moves.
static REDUCTIONS: std::sync::LazyLock<[[i32; 64]; 64]> = std::sync::LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, slot) in row.iter_mut().enumerate().skip(1) {
            *slot = (0.6 + (depth as f64).ln() * (count as f64).ln() / 1.9) as i32;
        }
    }
    table
});

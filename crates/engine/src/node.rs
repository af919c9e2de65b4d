//! The search of one node: principal variation search (PVS), and quiescence search below it. The steps go by the names
//! that engine authors know; the numbers in them are in `params.rs`.

use sumito_rules::{Bitboard, Move, Position};

use crate::ideas::Idea;
use crate::params::Params;
use crate::picker::{Kind, Picked, Picker, kind};
use crate::score::{INFINITY, MAX_PLY, Value, WIN, WON, from_table, to_table};
use crate::search::{Shared, Worker};
use crate::table::{Bound, Entry};

/// How many moves that did not refute are remembered, to lower their history.
const TRIED: usize = 32;

/// What the moves of a node have in common.
#[derive(Clone, Copy)]
struct Node {
    ply: usize,
    depth: i32,
    /// Expected to fail high (cut node).
    cut: bool,
    /// The static value, without what was learned.
    raw: Value,
    /// The static value with what was learned, or the table's value if that says more.
    guess: Value,
    /// Whether the mover's static value has grown since its last turn.
    improving: bool,
}

/// A move that is about to be searched.
#[derive(Clone, Copy)]
struct Attempt {
    picked: Picked,
    /// Its place among the moves, from 1.
    count: usize,
    /// Plies to look deeper than usual.
    extension: i32,
    /// Whether it refuted before, here or as an answer to the same move.
    favourite: bool,
}

impl Worker {
    /// The value of a position, searched `depth` plies deep, exact inside the window.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn search<const PV: bool>(
        &mut self,
        shared: &Shared,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if PV {
            self.lines[ply].clear();
        }
        // Step 1. The end of the game, of the depth, of the time.
        if let Some(value) = self.ended(shared, position, ply) {
            return value;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(shared, position, (alpha, beta), None, ply, 0);
        }
        let ideas = self.ideas;
        if self.count_node(shared, ply) {
            return 0;
        }
        // Step 2. Mate-distance pruning: a win in fewer plies is known already.
        if ideas.has(Idea::MateDistance) {
            alpha = alpha.max(-(WIN - ply as Value));
            beta = beta.min(WIN - ply as Value - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        // Step 3. Transposition table cutoff.
        let excluded = self.frames[ply].excluded;
        let known =
            shared.table.get(position.hash()).filter(|_| excluded.is_none() && ideas.has(Idea::Table));
        if let Some(entry) = known.filter(|entry| !PV && entry.depth >= depth) {
            let value = from_table(entry.value, ply);
            if entry.bound.decides(value, alpha, beta) {
                return value;
            }
        }
        // Step 4. Static evaluation, corrected by what was learned (correction history), and whether it is improving.
        let raw = match known {
            Some(entry) => entry.eval,
            None if excluded.is_some() => 0,
            None => self.evaluate(shared, position, ply),
        };
        let eval = if excluded.is_some() { self.frames[ply].eval } else { self.corrected(position, raw) };
        self.frames[ply].eval = eval;
        if known.is_none() && excluded.is_none() {
            self.judge_last_move(!position.turn(), ply);
        }
        self.frames[ply + 1].killers = [None; 2];
        let improving = ply >= 2 && eval > self.frames[ply - 2].eval;
        let guess = known.map_or(eval, |entry| entry.refine(eval));
        if !PV && excluded.is_none() {
            if let Some(value) =
                self.prune(shared, position, (alpha, beta), Node { ply, depth, cut, raw, guess, improving })
            {
                return value;
            }
            if self.stopped {
                return 0;
            }
        }
        // Step 8. Internal iterative reduction (IIR): without a move from the table, look less deep; the next visit has one.
        if ideas.has(Idea::InternalReduction)
            && depth >= self.params.iir_depth
            && excluded.is_none()
            && known.is_none_or(|entry| entry.best.is_none())
        {
            depth -= i32::from(PV || cut);
        }
        // Step 9. The moves, best first (move ordering, see `picker.rs`).
        let node = Node { ply, depth, cut, raw, guess, improving };
        let side = position.turn();
        let context = self.context(shared, ply);
        let [first, second] = if ideas.has(Idea::Killers) { self.frames[ply].killers } else { [None; 2] };
        let counter = self.history.counter(side, context.last).filter(|_| ideas.has(Idea::CounterMove));
        let favourites = [first, second, counter];
        let push_bonus = if ideas.has(Idea::PushesFirst) { self.params.push_bonus } else { 0 };
        let table_move = if ply == 0 { self.root_best } else { None }.or(known.and_then(|entry| entry.best));
        let mut picker = Picker::new(table_move, favourites);
        let (mut best, mut best_move, mut bound) = (-INFINITY, None, Bound::Upper);
        let mut tried = [None; TRIED];
        let mut count = 0;
        self.path.push(position.hash());
        loop {
            let rows = self.history.rows(side, context);
            let Some(picked) = picker.next(position, &mut self.moves[ply], &rows, push_bonus) else { break };
            let m = picked.m;
            if excluded == Some(m) || ply == 0 && !self.roots.contains(&m) {
                continue;
            }
            count += 1;
            // Step 10. Late-move pruning (LMP), futility pruning and history pruning: late and hopeless moves at low depth
            // are left out.
            if ply > 0 && best > -WON && picked.kind != Kind::Ejection {
                if self.is_late::<PV>(&node, count) {
                    break;
                }
                if !PV && self.is_futile(&node, &picked, eval, alpha) {
                    continue;
                }
            }
            // Step 11. Singular extension: a move from the table that is better than all others is looked at more deeply.
            let mut extension = 0;
            if ply > 0
                && ideas.has(Idea::Singular)
                && Some(m) == table_move
                && excluded.is_none()
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = known
            {
                match self.singular(shared, position, &entry, &node, beta) {
                    Ok(plies) => extension = plies,
                    Err(value) => {
                        best = value;
                        break;
                    }
                }
            }
            if self.stopped {
                break;
            }
            let before = self.nodes;
            self.frames[ply].m = Some(m);
            let next = position.play_unchecked(m);
            shared.table.prefetch(next.hash());
            let attempt = Attempt { picked, count, extension, favourite: favourites.contains(&Some(m)) };
            let value = self.visit::<PV>(shared, &next, (alpha, beta), &node, attempt);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    alpha = value;
                    bound = Bound::Exact;
                    if PV {
                        self.keep_line(ply, m);
                    }
                    if ply == 0 {
                        self.best_nodes = self.nodes - before;
                    }
                }
                if value >= beta {
                    bound = Bound::Lower;
                    self.reward(side, context, (m, &tried[..(count - 1).min(TRIED)]), depth, ply);
                    break;
                }
            }
            if count <= TRIED {
                tried[count - 1] = Some(m);
            }
        }
        self.path.pop();
        if self.stopped {
            return 0;
        }
        if count == 0 {
            return if excluded.is_some() { alpha } else { -(WIN - ply as Value) };
        }
        if excluded.is_none() && bound == Bound::Upper {
            self.reward_last_move(shared, !side, depth, ply);
        }
        if excluded.is_none() && !(ply == 0 && self.roots.len() < shared.game.legal_moves().len()) {
            let value = to_table(best, ply);
            shared.table.put(
                position.hash(),
                Entry { best: best_move, value, eval: raw, depth, bound },
                shared.age,
            );
            self.learn(position, (best, best_move, bound), eval, depth);
        }
        best
    }

    /// The static value with what was learned about such positions.
    fn corrected(&self, position: &Position, raw: Value) -> Value {
        if !self.ideas.has(Idea::Correction) {
            return raw.clamp(-MOST_STATIC, MOST_STATIC);
        }
        let correction = self.history.correction(position) * self.params.correction / 100;
        (raw + correction).clamp(-MOST_STATIC, MOST_STATIC)
    }

    /// The static value was off; remember by how much, if the position is quiet enough to tell.
    fn learn(
        &mut self,
        position: &Position,
        (best, m, bound): (Value, Option<Move>, Bound),
        eval: Value,
        depth: i32,
    ) {
        let is_quiet = m.is_none_or(|m| kind(position, m) != Kind::Ejection);
        if is_quiet && bound.corrects(best, eval) && best.abs() < MOST_STATIC {
            self.history.correct(position, best - eval, depth);
        }
    }

    /// Steps 5 to 7: ways to see without looking at the moves that the node fails.
    fn prune(
        &mut self,
        shared: &Shared,
        position: &Position,
        (alpha, beta): (Value, Value),
        node: Node,
    ) -> Option<Value> {
        let Node { ply, depth, raw, guess, improving, .. } = node;
        if beta.abs() >= WON {
            return None;
        }
        // Step 5. Reverse futility pruning (RFP): so far ahead that a few plies will not change it.
        let ideas = self.ideas;
        if ideas.has(Idea::ReverseFutility)
            && depth <= self.params.rfp_depth
            && guess - self.params.rfp_margin * (depth - i32::from(improving)) >= beta
        {
            return Some(i32::midpoint(guess, beta));
        }
        // Step 6. Razoring: so far behind that only ejections can help.
        if ideas.has(Idea::Razoring)
            && depth <= self.params.razor_depth
            && guess + self.params.razor_margin * depth <= alpha
        {
            let value = self.quiesce(shared, position, (alpha, alpha + 1), Some(raw), ply, 0);
            if value <= alpha {
                return Some(value);
            }
        }
        // Step 7. Null-move pruning: if passing is good enough, so is the best move.
        let passed = ply > 0 && self.frames[ply - 1].m.is_none() && !shared.game.moves().is_empty();
        let may_pass = ideas.has(Idea::NullMove) && !passed && ply > 0 && ply >= self.no_pass_before;
        if depth >= 3 && guess >= beta && may_pass {
            return self.null_move(shared, position, beta, node);
        }
        None
    }

    fn null_move(&mut self, shared: &Shared, position: &Position, beta: Value, node: Node) -> Option<Value> {
        let Node { ply, depth, .. } = node;
        let ahead = node.guess - beta;
        let reduction = self.params.null_base + depth / 4 + (ahead / self.params.null_slope).clamp(0, 3);
        let next = position.with_turn(!position.turn());
        self.frames[ply].m = None;
        self.path.push(position.hash());
        let value =
            -self.search::<false>(shared, &next, -beta, -beta + 1, depth - 1 - reduction, ply + 1, !node.cut);
        self.path.pop();
        if self.stopped || value < beta {
            return None;
        }
        let value = if value >= WON { beta } else { value };
        // Verification: with few marbles left, or much at stake, having to move may be a burden (zugzwang): look again
        // without passing.
        let is_thin = position.own().len() as i32 <= self.params.null_thin;
        if self.no_pass_before > 0 || !is_thin && depth < self.params.null_verify {
            return Some(value);
        }
        self.no_pass_before = ply + ((depth - reduction).max(0) as usize * 3 / 4).max(1);
        let again = self.search::<false>(shared, position, beta - 1, beta, depth - reduction, ply, false);
        self.no_pass_before = 0;
        (again >= beta && !self.stopped).then_some(value)
    }

    /// Late-move pruning: whether enough moves have been tried at this depth. On the principal variation it takes more of them, and only the
    /// first iterations, which should be over soon, leave any out.
    fn is_late<const PV: bool>(&self, node: &Node, count: usize) -> bool {
        let Params { lmp_base, lmp_pv, lmp_pv_until, lmp_slope, lmp_depth, .. } = self.params;
        let base = if PV { lmp_pv } else { lmp_base };
        let most = (base + node.depth * node.depth * lmp_slope / 100) / (2 - i32::from(PV || node.improving));
        self.ideas.has(Idea::LatePruning)
            && node.depth <= lmp_depth
            && count as i32 > most.max(3)
            && (!PV || self.root_depth <= lmp_pv_until)
    }

    /// Futility and history pruning: whether a move cannot be expected to reach alpha.
    fn is_futile(&self, node: &Node, picked: &Picked, eval: Value, alpha: Value) -> bool {
        let Node { depth, .. } = *node;
        let hopeless = self.ideas.has(Idea::Futility)
            && picked.kind == Kind::Quiet
            && depth <= self.params.fut_depth
            && eval + self.params.fut_base + self.params.fut_slope * depth <= alpha;
        hopeless
            || self.ideas.has(Idea::HistoryPruning)
                && depth <= self.params.hist_depth
                && picked.history < -self.params.hist_margin * depth
    }

    /// Singular extension: how much deeper the table's move deserves to be looked at, because the others are worse by a
    /// margin (twice as much by a wide one); or, if even the others refute, the value of the node (multi-cut). Where
    /// neither holds, a move that is expected to refute is looked at less deeply (negative extension).
    fn singular(
        &mut self,
        shared: &Shared,
        position: &Position,
        entry: &Entry,
        node: &Node,
        beta: Value,
    ) -> Result<i32, Value> {
        let Node { ply, depth, cut, .. } = *node;
        let known = from_table(entry.value, ply);
        if depth < self.params.sing_depth
            || entry.depth < depth - 3
            || entry.bound == Bound::Upper
            || known.abs() >= WON
        {
            return Ok(0);
        }
        let margin = known - self.params.sing_margin * depth / 10;
        self.frames[ply].excluded = entry.best;
        self.path.pop();
        let value = self.search::<false>(shared, position, margin - 1, margin, (depth - 1) / 2, ply, cut);
        self.path.push(position.hash());
        self.frames[ply].excluded = None;
        if value < margin {
            return Ok(1 + i32::from(value < margin - self.params.sing_double));
        }
        if margin >= beta {
            return Err(margin);
        }
        Ok(if known >= beta {
            -2
        } else if cut {
            -1
        } else {
            0
        })
    }

    /// Step 12. Searches a child: the first move with the whole window, later ones with an empty window first (zero-window
    /// search), and late ones less deep at that (late-move reductions, LMR).
    fn visit<const PV: bool>(
        &mut self,
        shared: &Shared,
        next: &Position,
        (alpha, beta): (Value, Value),
        node: &Node,
        attempt: Attempt,
    ) -> Value {
        let (ply, depth) = (node.ply + 1, node.depth - 1 + attempt.extension);
        if attempt.count == 1 {
            let cut = !PV && !node.cut;
            return -self.search::<PV>(shared, next, -beta, -alpha, depth, ply, cut);
        }
        let reduction = self.reduction::<PV>(node, &attempt).clamp(0, depth.max(0));
        if !self.ideas.has(Idea::ZeroWindow) {
            let value = -self.search::<PV>(shared, next, -beta, -alpha, depth - reduction, ply, !node.cut);
            if value <= alpha || reduction == 0 || self.stopped {
                return value;
            }
            return -self.search::<PV>(shared, next, -beta, -alpha, depth, ply, !node.cut);
        }
        let mut value = -self.search::<false>(shared, next, -alpha - 1, -alpha, depth - reduction, ply, true);
        if value > alpha && reduction > 0 && !self.stopped {
            value = -self.search::<false>(shared, next, -alpha - 1, -alpha, depth, ply, !node.cut);
        }
        if PV && value > alpha && value < beta && !self.stopped {
            value = -self.search::<true>(shared, next, -beta, -alpha, depth, ply, false);
        }
        value
    }

    /// Late-move reductions (LMR): how many plies less deep than the first move this one is looked at.
    fn reduction<const PV: bool>(&self, node: &Node, attempt: &Attempt) -> i32 {
        let is_off = !self.ideas.has(Idea::LateReductions);
        if is_off || node.depth < 2 || attempt.count <= 2 || attempt.picked.kind == Kind::Ejection {
            return 0;
        }
        let params = &self.params;
        let base = self.reductions[node.depth.min(63) as usize][attempt.count.min(63)];
        let more = params.lmr_worse * i32::from(!node.improving) + params.lmr_cut * i32::from(node.cut);
        let less = 100 * i32::from(PV)
            + params.lmr_push * i32::from(attempt.picked.kind == Kind::Push)
            + params.lmr_favourite * i32::from(attempt.favourite)
            + (100 * attempt.picked.history / params.lmr_history).clamp(-200, 200);
        (base + more - less) / 100
    }

    /// Quiescence search: only ejections, and at first pushes that threaten one, until nothing more is to be won; not to
    /// play any of them is worth the static value (stand pat). `raw` is the static
    /// value, if it is known already.
    fn quiesce(
        &mut self,
        shared: &Shared,
        position: &Position,
        (mut alpha, beta): (Value, Value),
        raw: Option<Value>,
        ply: usize,
        below: i32,
    ) -> Value {
        if self.count_node(shared, ply) {
            return 0;
        }
        let rules = shared.game.rules();
        let side = position.turn();
        if position.score(!side) >= rules.marbles_to_win {
            return -(WIN - ply as Value);
        }
        let raw = raw.unwrap_or_else(|| self.evaluate(shared, position, ply));
        let mut best = self.corrected(position, raw);
        if best >= beta || ply >= MAX_PLY || !self.ideas.has(Idea::Quiescence) {
            return best;
        }
        alpha = alpha.max(best);
        self.moves[ply].make_forcing(position, below < self.params.qs_push);
        let wins = position.score(side) + 1 >= rules.marbles_to_win;
        for place in 0.. {
            let Some(m) = self.moves[ply].get(place) else { break };
            let ejects = kind(position, m) == Kind::Ejection;
            if wins && ejects {
                return WIN - ply as Value - 1;
            }
            if !ejects && !threatens(position, m) {
                continue;
            }
            let next = position.play_unchecked(m);
            let value = -self.quiesce(shared, &next, (-beta, -alpha), None, ply + 1, below + 1);
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
}

/// Whether a push brings an enemy marble to the rim, from where the next push may take it off.
fn threatens(position: &Position, m: Move) -> bool {
    let pushed = position.pushed(m);
    m.tail().steps(m.direction(), m.count() + pushed).is_some_and(|cell| Bitboard::RIM.contains(cell))
}

/// Static values stay below every win.
const MOST_STATIC: Value = 15_000;

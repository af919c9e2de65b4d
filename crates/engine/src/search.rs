//! Iterative deepening: one worker for each thread (lazy SMP), each with its own memory, all with one transposition table.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sumito_rules::{AtCap, Color, Game, Move, Position, Repetition};

use crate::eval::evaluate;
use crate::history::{Context, History};
use crate::ideas::{Idea, Ideas};
use crate::info::Info;
use crate::limits::{Limits, Stop};
use crate::network::{Accumulators, Network};
use crate::options::EngineOptions;
use crate::params::Params;
use crate::picker::Moves;
use crate::reductions::reductions;
use crate::score::{CAP_WIN, INFINITY, MAX_PLY, Score, Value, WIN, WON};
use crate::table::TranspositionTable;
use crate::time::Budget;
use crate::wdl::WdlModel;

/// What all workers of a search share.
pub(crate) struct Shared {
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) age: u8,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) game: Game,
    /// Set when the answer is given.
    pub(crate) finished: Stop,
    /// Nodes of the proof before the search, and of all threads but the first.
    pub(crate) helped: AtomicU64,
    /// The deepest iteration that any thread has completed.
    pub(crate) deepest: Deepest,
}

/// What the first thread to complete an iteration found; the others take it over and go on from there.
#[derive(Default)]
pub(crate) struct Deepest {
    depth: AtomicU32,
    lines: Mutex<Vec<Line>>,
}

impl Deepest {
    /// Whether a thread has completed an iteration as deep as this.
    #[inline]
    fn reaches(&self, depth: u32) -> bool {
        self.depth.load(Relaxed) >= depth
    }

    /// Keeps the lines of an iteration, if they are the deepest.
    fn offer(&self, depth: u32, found: &[Line]) {
        let mut lines = self.lines();
        if !self.reaches(depth) {
            *lines = found.to_vec();
            self.depth.store(depth, Relaxed);
        }
    }

    /// The deepest iteration and its lines.
    fn take(&self) -> (u32, Vec<Line>) {
        let lines = self.lines();
        (self.depth.load(Relaxed), lines.clone())
    }

    fn lines(&self) -> MutexGuard<'_, Vec<Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The most that a move goes up or down in the history by its static value.
const MOST_GAIN: i32 = 1500;

/// Nodes between two looks at the clock.
const LOOK: u64 = 512;

/// What is known about a node on the line that is looked at.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    /// The static value, corrected.
    pub(crate) eval: Value,
    /// The move that is being tried; none for a pass.
    pub(crate) m: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    /// A move that is left out, to see how good the others are (singular extension).
    pub(crate) excluded: Option<Move>,
}

/// One thread's memory, kept from search to search.
pub(crate) struct Worker {
    pub(crate) params: Params,
    pub(crate) ideas: Ideas,
    pub(crate) reductions: Vec<[i32; 64]>,
    pub(crate) history: History,
    pub(crate) frames: Vec<Frame>,
    pub(crate) moves: Vec<Moves>,
    /// The hashes of the game's positions before this one, and of the line that is looked at.
    pub(crate) path: Vec<u64>,
    /// The principal variation from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    /// The moves that may be played at the root.
    pub(crate) roots: Vec<Move>,
    pub(crate) root_best: Option<Move>,
    pub(crate) root_depth: i32,
    /// No null move before this ply: one is being verified.
    pub(crate) no_pass_before: usize,
    contempt: Value,
    pub(crate) nodes: u64,
    /// Nodes below the best root move, in this iteration.
    pub(crate) best_nodes: u64,
    pub(crate) seldepth: usize,
    pub(crate) stopped: bool,
    is_main: bool,
    network: Option<(Arc<Network>, Accumulators)>,
}

/// One of the best lines of an iteration.
#[derive(Clone)]
pub(crate) struct Line {
    value: Value,
    moves: Vec<Move>,
}

impl Worker {
    pub(crate) fn new(options: &EngineOptions) -> Worker {
        let params = options.params;
        Worker {
            params,
            ideas: options.ideas,
            reductions: reductions(&params),
            history: History::new(),
            frames: vec![Frame::default(); MAX_PLY + 4],
            moves: (0..MAX_PLY + 2).map(|_| Moves::new()).collect(),
            path: Vec::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            roots: Vec::new(),
            root_best: None,
            root_depth: 0,
            no_pass_before: 0,
            contempt: options.contempt,
            nodes: 0,
            best_nodes: 0,
            seldepth: 0,
            stopped: false,
            is_main: true,
            network: options
                .network
                .as_ref()
                .map(|network| (Arc::clone(network), Accumulators::new(network, MAX_PLY + 2))),
        }
    }

    /// Iterative deepening: searches deeper and deeper; the best move found.
    pub(crate) fn run(
        &mut self,
        shared: &Shared,
        number: u32,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Move> {
        self.prepare(shared, number);
        let limits = &shared.limits;
        let all = self.roots.clone();
        let most = limits.depth.unwrap_or(MAX_PLY as u32 - 1).min(MAX_PLY as u32 - 1);
        let mut found: Vec<Line> = Vec::new();
        let mut unrest = 1.0;
        let mut depth = 0;
        while depth < most {
            // Every other helper leaves out even depths, so that the threads do not all do the same.
            let skips = number % 2 == 1 && depth % 2 == 1 && depth + 1 < most;
            depth += 1 + u32::from(skips);
            self.seldepth = 0;
            let before = self.nodes;
            let mut lines = Vec::new();
            self.roots.clone_from(&all);
            for rank in 0..limits.lines.clamp(1, all.len().max(1)) {
                let old = found.get(rank).cloned();
                self.root_best = old.as_ref().and_then(|line| line.moves.first().copied());
                let Some(line) = self.aspire(shared, depth as i32, old.map_or(0, |line| line.value)) else {
                    break;
                };
                self.roots.retain(|m| line.moves.first() != Some(m));
                lines.push(line);
            }
            lines.sort_by_key(|line| -line.value);
            if !self.stopped {
                shared.deepest.offer(depth, &lines);
            } else if shared.deepest.reaches(depth) && !self.must_stop(shared) {
                self.stopped = false;
                (depth, lines) = shared.deepest.take();
            } else {
                // The first line of an iteration that was cut off starts with the old best move or a better one.
                if let Some(&better) = self.lines[0].first().filter(|_| lines.is_empty()) {
                    return Some(better);
                }
                break;
            }
            let best = |lines: &[Line]| lines.first().and_then(|line| line.moves.first().copied());
            let changed = !found.is_empty() && best(&lines) != best(&found);
            let fell = found.first().map_or(0, |old| old.value) - lines.first().map_or(0, |new| new.value);
            unrest = if changed { 1.8 } else { f64::max(unrest * 0.8, 0.7) };
            let calm = 1.5 - (self.best_nodes as f64 / (self.nodes - before).max(1) as f64).min(1.0);
            let wanted = unrest * calm * (1.0 + f64::from(fell.clamp(0, 100)) / 100.0);
            found = lines;
            self.tell(shared, depth, &found, report);
            let value = found.first()?.value;
            let decided = value.abs() >= WON && depth as Value >= WIN - value.abs() && limits.depth.is_none();
            let solved = limits
                .mate
                .is_some_and(|moves| value >= WON.max(WIN - 2 * moves.clamp(1, WIN as u32) as Value + 1));
            let forced = all.len() == 1 && limits.clock.is_some() && !limits.infinite;
            if decided || solved || forced || self.is_main && !shared.budget.goes_on(wanted) {
                break;
            }
        }
        found.first().and_then(|line| line.moves.first().copied())
    }

    fn prepare(&mut self, shared: &Shared, number: u32) {
        self.is_main = number == 0;
        self.nodes = 0;
        self.stopped = false;
        self.frames.fill(Frame::default());
        self.lines[0].clear();
        let positions = shared.game.positions();
        self.path = positions[..positions.len() - 1].iter().map(Position::hash).collect();
        let chosen = &shared.limits.moves;
        let legal = shared.game.legal_moves();
        self.roots = legal.iter().copied().filter(|m| chosen.is_empty() || chosen.contains(m)).collect();
    }

    fn tell(&self, shared: &Shared, depth: u32, lines: &[Line], report: &mut dyn FnMut(&Info)) {
        for (line, rank) in lines.iter().zip(0..) {
            let score = Score::new(line.value);
            report(&Info {
                depth,
                seldepth: self.seldepth as u32,
                rank,
                nodes: self.nodes + shared.helped.load(Relaxed),
                time: shared.budget.elapsed(),
                score: Some(score),
                wdl: Some(WdlModel::SELF_PLAY.worth(score, WdlModel::gone(shared.game.position()))),
                hashfull: Some(shared.table.fullness(shared.age)),
                line: line.moves.clone(),
            });
        }
    }

    /// One iteration in an aspiration window: around the last value, and wider as needed.
    fn aspire(&mut self, shared: &Shared, depth: i32, guess: Value) -> Option<Line> {
        let root = *shared.game.position();
        let mut width = self.params.window;
        let (mut alpha, mut beta) = if depth >= 5 && self.ideas.has(Idea::Aspiration) {
            (guess - width, guess + width)
        } else {
            (-INFINITY, INFINITY)
        };
        self.root_depth = depth;
        let mut less = 0;
        loop {
            let (low, high) = (alpha.max(-INFINITY), beta.min(INFINITY));
            let value = self.search::<true>(shared, &root, low, high, (depth - less).max(1), 0, false);
            if self.stopped {
                return None;
            }
            width *= 3;
            if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = value - width;
                less = 0;
            } else if value >= beta {
                beta = value + width;
                self.root_best = self.lines[0].first().copied().or(self.root_best);
                less = (less + 1).min(3);
            } else {
                return Some(Line { value, moves: self.lines[0].clone() });
            }
        }
    }

    /// Counts a node, and says whether the search must stop.
    #[inline]
    pub(crate) fn count_node(&mut self, shared: &Shared, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(LOOK) {
            if !self.is_main {
                shared.helped.fetch_add(LOOK, Relaxed);
            }
            self.stopped |= shared.deepest.reaches(self.root_depth as u32) || self.must_stop(shared);
        }
        self.stopped |= self.has_no_nodes_left(shared);
        self.stopped
    }

    /// Whether the search is over, by its time or from outside.
    fn must_stop(&self, shared: &Shared) -> bool {
        if self.is_main {
            shared.budget.pause();
        }
        shared.limits.stop.is_requested()
            || shared.finished.is_requested()
            || self.is_main && shared.budget.is_over()
            || self.has_no_nodes_left(shared)
    }

    #[inline]
    fn has_no_nodes_left(&self, shared: &Shared) -> bool {
        self.is_main
            && shared.limits.nodes.is_some_and(|most| self.nodes + shared.helped.load(Relaxed) >= most)
    }

    /// The moves before this ply.
    pub(crate) fn context(&self, shared: &Shared, ply: usize) -> Context {
        let played = shared.game.moves();
        let back = |plies: usize| match ply.checked_sub(plies) {
            Some(ply) => self.frames[ply].m,
            None => played.len().checked_sub(plies - ply).map(|i| played[i]),
        };
        Context { last: back(1), before: back(2) }
    }

    /// The static value of the position at a ply, for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, shared: &Shared, position: &Position, ply: usize) -> Value {
        let Some((network, accumulators)) = &mut self.network else { return evaluate(position) };
        let played = (shared.game.moves().len() + ply) as u32;
        let left = shared.game.rules().ply_cap.map(|cap| cap.saturating_sub(played));
        accumulators.evaluate(network, ply, position, left)
    }

    /// What a draw is worth to the side to move.
    pub(crate) fn draw(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) { -self.contempt } else { self.contempt }
    }

    /// The value of a position in which the game is over by the rules, for the side to move.
    pub(crate) fn ended(&self, shared: &Shared, position: &Position, ply: usize) -> Option<Value> {
        let rules = shared.game.rules();
        let side = position.turn();
        if position.score(!side) >= rules.marbles_to_win {
            return Some(-(WIN - ply as Value));
        }
        if ply == 0 {
            return None;
        }
        if rules.repetition != Repetition::Off && self.is_repeated(position) {
            return Some(self.draw(ply));
        }
        let plies = shared.game.moves().len() + ply;
        let capped = rules.ply_cap.is_some_and(|cap| plies as u32 >= cap)
            || rules.quiet_cap.is_some_and(|cap| u32::from(position.quiet()) >= cap);
        capped.then(|| {
            let lead = i32::from(position.score(side)) - i32::from(position.score(!side));
            match rules.at_cap {
                AtCap::Ejections if lead != 0 => lead.signum() * (CAP_WIN - ply as Value),
                _ => self.draw(ply),
            }
        })
    }

    /// Whether the position has come up before since the last ejection: on the line, or in the game.
    fn is_repeated(&self, position: &Position) -> bool {
        let hash = position.hash();
        let back = usize::from(position.quiet());
        self.path.iter().rev().take(back).skip(3).step_by(2).any(|&earlier| earlier == hash)
    }

    pub(crate) fn keep_line(&mut self, ply: usize, m: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        if let Some(rest) = after.first() {
            line.extend(rest);
        }
    }

    /// A move that refutes (beta cutoff): it goes up in the history, those tried before it go down (history malus), and it
    /// becomes a killer and the counter-move of the move before.
    pub(crate) fn reward(
        &mut self,
        side: Color,
        context: Context,
        (m, tried): (Move, &[Option<Move>]),
        depth: i32,
        ply: usize,
    ) {
        if self.ideas.has(Idea::History) {
            let bonus = bonus(depth);
            self.history.update(side, context, m, bonus);
            for &other in tried.iter().flatten().filter(|other| **other != m) {
                self.history.update(side, context, other, -bonus);
            }
        }
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        self.history.set_counter(side, context.last, m);
    }

    /// Every answer to the move that led here fails: it goes up in the history.
    pub(crate) fn reward_last_move(&mut self, shared: &Shared, mover: Color, depth: i32, ply: usize) {
        let Some(before) = ply.checked_sub(1).filter(|_| self.ideas.has(Idea::History)) else { return };
        if let Some(m) = self.frames[before].m {
            let bonus = bonus(depth) * self.params.last_bonus / 100;
            self.history.update(mover, self.context(shared, before), m, bonus);
        }
    }

    /// At the first look at a position, the move that led here goes up or down in the history with its player's
    /// static value.
    pub(crate) fn judge_last_move(&mut self, mover: Color, ply: usize) {
        let Some(before) = ply.checked_sub(1).filter(|_| self.ideas.has(Idea::History)) else { return };
        if let Some(m) = self.frames[before].m {
            let gain = -self.frames[ply].eval - self.frames[before].eval;
            let bonus = (gain * self.params.gain_bonus / 10).clamp(-MOST_GAIN, MOST_GAIN);
            self.history.update_plain(mover, m, bonus);
        }
    }
}

/// What a move gains in the history for a cutoff at a depth.
fn bonus(depth: i32) -> i32 {
    (depth * depth * 16 + 32 * depth).min(2000)
}

//! The agent of Verloop's *A Critical Review: Exploring Optimization Strategies in Board Game Abalone for
//! Alpha-Beta Search* (2021), which rebuilds Papadopoulos et al. (2012), the "source paper".
//!
//! Implemented: alpha-beta, iterative deepening and the table (2.2 to 2.4, 4.5, 4.6), combined and advanced
//! combined move ordering (2.5.1), quiescence (2.5.2), both aspiration windows (2.5.3, 4.4), the metrics of
//! chapter 4 and those that chapter 5 proposes, and Aba-Pro's evaluation (6.5). The weights are those of the
//! published runs.
//!
//! Where the text is open:
//! * The searcher's values are used at every node, so `consider=self` (6.3) is no zero-sum game.
//! * A won game ends the line, and all wins are worth the same; no legal move is a loss.
//! * A timed search deepens step by step, whatever `ordering` says, and drops the depth that it cannot
//!   finish.
//! * History counts cutoffs for each move of each side; iteration sorting takes any entry, bounds included.
//! * Entries of at least the depth that is needed are taken from the table, as usual; a leaf takes any
//!   exact one. The table holds both sides' boards together in its four million entries, lasts for a game,
//!   and takes no part in quiescence.
//! * Three in line earn a bonus of one point in the source paper's coherence; which size, it does not say.
//! * A marble cannot escape (5.2) if it can be pushed off at once, and again after any move of its owner.
//! * A triangulation is a triangle with sides of three cells: then the perfect ones are the three sets of 14
//!   cells with the same parities of row and number, just as many as the thesis says there are.
//! * A position is desired (5.1) by the enemy if one of its marbles stands next to it and further from the
//!   middle. With `desired=on` formation breaks and triangulations count nowhere else; the published runs do
//!   not have it, so it is off.
//! * Paths to the middle (5.4) lead around enemy marbles only; a marble that is cut off counts nine.
//! * Quiescence looks at ejecting moves, or stands pat.
//! * The source paper's window sizes are unknown: `window` times the remaining depth to `window-power`. At
//!   the default, depth 4 with node windows still beat depth 3 without (14 wins, 5 losses, 1 draw), which is
//!   how the paper says to narrow them. A node whose window leaves nothing returns the near edge of it. The
//!   root is searched with the full window.
//!
//! `compat=program` follows the thesis' program where it departs from the text: moves are sorted for the
//! searcher at the opponent's plies too, only White's formation breaks and dangers are counted when both
//! sides are considered, immediate danger ignores where a push leads, the opponent's cutoffs are credited
//! to the move before, iteration sorting may repeat and drop moves, leaves take any entry of the table, and
//! lines run on past the end of the game. The runs of chapter 6 also need `superko=on` and
//! `history=square`.

mod config;
mod distance;
mod eval;
mod metrics;
mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;

use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Info, Limits, Listener, Named, Score};
use crate::entry::Entry;
use crate::options::Options;
use crate::watch::Watch;

use config::{Aspiration, Config, OPTIONS};
use eval::WIN;
use order::{History, Sorter};
pub use search::Ply;
use search::{Found, Memory, Search};
use table::Table;

pub(crate) static ENTRY: Entry = Entry {
    name: "verloop",
    summary: "alpha-beta with (advanced) combined move ordering and six metrics",
    source: "Verloop 2021, after Papadopoulos et al. 2012",
    options: OPTIONS,
    build: |name, options| Ok(Box::new(Verloop::new(name, options)?)),
};

/// The static evaluation with the published weights.
pub(crate) static EVALUATIONS: &[Named] = &[("verloop", || {
    let evaluator = config::evaluator(&Options::defaults(OPTIONS));
    Box::new(move |position, color| f64::from(evaluator.value(position, color)))
})];

/// The agent. The registry builds it too; by its own type it also tells what it counted.
pub struct Verloop {
    name: String,
    config: Config,
    memory: Memory,
}

impl Verloop {
    /// The agent with these options; fails where two of them contradict each other.
    pub fn new(name: &str, options: &Options) -> Result<Verloop, String> {
        let config = Config::new(options)?;
        let history = History::new(config.square);
        let sorter = Sorter::default();
        let memory =
            Memory { table: None, history, sorter, lists: Vec::new(), hashes: Vec::new(), plies: Vec::new() };
        Ok(Verloop { name: name.to_string(), config, memory })
    }

    /// What the last depth of the last move looked at, ply by ply, the root first: the branching factors of the
    /// thesis' figure 6.2.
    pub fn plies(&self) -> &[Ply] {
        &self.memory.plies
    }

    /// Makes the table, if there is to be one and there is none yet.
    fn prepare(&mut self) {
        if let (None, Some(bits)) = (&self.memory.table, self.config.table) {
            self.memory.table = Some(Table::new(bits, self.config.replacement));
        }
    }

    /// The move to play and its value for the side to move.
    fn think(&mut self, game: &Game, limits: &Limits, report: &mut dyn FnMut(&Info)) -> Option<Found> {
        let first = *game.legal_moves().first()?;
        self.prepare();
        let config = &self.config;
        let watch = Watch::new(limits, config.time, game.turn());
        let deepens = config.deepening
            || config.aspiration == Aspiration::Deepening
            || watch.is_timed()
            || limits.infinite;
        let last = limits.depth.map_or(config.depth, |depth| depth.clamp(1, config.depth));
        let mut search = Search::new(config, &mut self.memory, watch, game);
        let mut best: Option<Found> = None;
        for depth in if deepens { 1 } else { last }..=last {
            let Some(found) = search.best(depth, best.map(|best| best.value)) else { break };
            best = Some(found);
            report(&info(&search.watch, depth, found));
            // Deeper down a decided game stays decided.
            if found.value.abs() == WIN {
                break;
            }
        }
        // Superko can forbid every move, and time can run out before the first: any legal move will do.
        best.or(search.partial).or(Some(Found { m: first, value: -WIN }))
    }
}

fn info(watch: &Watch, depth: u32, found: Found) -> Info {
    let moves = depth.div_ceil(2) as i32;
    let score = match found.value {
        WIN => Score::Win(moves),
        value if value == -WIN => Score::Win(-moves),
        value => Score::Value(f64::from(value)),
    };
    Info {
        depth,
        nodes: watch.nodes(),
        time: watch.elapsed(),
        score: Some(score),
        line: vec![found.m],
        ..Info::default()
    }
}

impl Agent for Verloop {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, _: Option<u64>) {
        // Clearing a new table as well makes it real memory now and not during the first move.
        self.prepare();
        if let Some(table) = &mut self.memory.table {
            table.clear();
        }
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        self.think(game, limits, report).map(|found| found.m).ok_or(AgentError::NoMove)
    }
}

//! The plainest search there is, minimax with ABA-PRO's score, and every idea of the literature as a switch: what does a single
//! one add, all else being equal?
//!
//! Without a switch it looks at every line to the same depth (Aichholzer, Aurenhammer and Werner 2002, "Minimax strategy"). With a limit on time
//! or nodes it searches 1 ply, 2 plies and so on, and plays the best move of the last depth that was completed. Ideas that narrow a window
//! need one: they say so if `alpha-beta` is off. The ideas, and who has them:
//!
//! | switch | idea | source |
//! | --- | --- | --- |
//! | `alpha-beta` | alpha-beta pruning | all five documents |
//! | `presorting` | moves by the static value of what they lead to | Aichholzer et al. 2002, "Alpha-beta pruning" |
//! | `funnel` | moves out of reach of alpha by their static value are left out; `width` for each ply left | Aichholzer et al. 2002, "Heuristic alpha-beta pruning" |
//! | `marbles-first` | moves of more marbles first | Verloop 2021, 2.4; Chen et al. 2019, 3.2.1 |
//! | `forcing-first` | ejections, then pushes, then the others | Detry et al. 2023, 5.1.3 |
//! | `history` | moves that cut before come first | Verloop 2021, 2.4 |
//! | `killers` | two moves that cut at the same ply come first | Chorus 2009, cited by Verloop and Detry et al. |
//! | `table` | transposition table: bounds, and its move first | Verloop 2021, 2.3; Detry et al. 2023, 5.1.2 |
//! | `quiescence` | below the last ply ejections are searched on | Verloop 2021, 2.5.2 |
//! | `node-windows` | at every node a window around its static value | Verloop 2021, 4.4 |
//! | `aspiration` | a window around the last depth's value | Verloop 2021, 2.5.3 |
//! | `zero-window` | all moves but the first with an empty window first (PVS) | ours |
//! | `null-move` | if passing is good enough, so is the best move | ours |
//! | `late-move-reductions` | late moves less deep at first (LMR) | ours |
//! | `eval` | another static evaluation | each document's own, ours by hand and by network |

mod eval;
mod order;
mod search;
#[cfg(test)]
mod tests;

use sumito_rules::{Game, Move};

use crate::agent::{Agent, AgentError, Evaluation, Info, Limits, Listener};
use crate::entry::Entry;
use crate::options::{OptionSpec, Options, choice, flag, float, int};
use crate::watch::Watch;
use search::{Memory, Searcher, to_score};

pub(crate) static ENTRY: Entry = Entry {
    name: "plain",
    summary: "minimax with ABA-PRO's score, and single ideas to add to it",
    source: "",
    options: OPTIONS,
    build: |name, options| Ok(Box::new(Plain::new(name, options)?)),
};

const MAX_DEPTH: u32 = 30;

#[rustfmt::skip]
static OPTIONS: &[OptionSpec] = &[
    int("depth", 3, (1, MAX_DEPTH as i64), "plies to search; with another limit, the most"),
    choice("eval", eval::NAMES, "the static evaluation"),
    flag("alpha-beta", false, "alpha-beta pruning"),
    flag("presorting", false, "moves by the static value of what they lead to"),
    flag("funnel", false, "leave out moves whose static value is out of reach of alpha"),
    float("width", 0.25, (0.0, 20.0), "width of the funnel for each ply left, in units of the evaluation"),
    flag("marbles-first", false, "moves of more marbles first"),
    flag("forcing-first", false, "ejections first, then pushes"),
    flag("history", false, "moves that cut before come first"),
    flag("killers", false, "two moves that cut at the same ply come first"),
    flag("table", false, "transposition table"),
    flag("quiescence", false, "search ejections on below the last ply"),
    flag("node-windows", false, "a window around every node's static value"),
    flag("aspiration", false, "a window around the last depth's value"),
    float("window", 4.0, (0.0, 1000.0), "half the width of either kind of window, in units of the evaluation"),
    flag("zero-window", false, "all moves but the first with an empty window first"),
    flag("null-move", false, "leave out what is good enough after a pass"),
    flag("late-move-reductions", false, "late moves less deep at first"),
];

/// Switches that mean nothing without a window to narrow.
const NEED_ALPHA_BETA: [&str; 11] = [
    "presorting",
    "funnel",
    "marbles-first",
    "forcing-first",
    "history",
    "killers",
    "node-windows",
    "aspiration",
    "zero-window",
    "null-move",
    "late-move-reductions",
];

/// Which ideas are on.
#[derive(Clone, Copy, Debug)]
struct PlainIdeas {
    alpha_beta: bool,
    presorting: bool,
    /// The funnel's width for each ply left.
    funnel: Option<i32>,
    marbles_first: bool,
    forcing_first: bool,
    history: bool,
    killers: bool,
    table: bool,
    quiescence: bool,
    node_windows: bool,
    aspiration: bool,
    /// Half the width of a window.
    window: i32,
    zero_window: bool,
    null_move: bool,
    reductions: bool,
}

impl PlainIdeas {
    fn new(options: &Options) -> Result<PlainIdeas, String> {
        let alpha_beta = options.flag("alpha-beta");
        if let Some(name) = NEED_ALPHA_BETA.into_iter().find(|name| options.flag(name) && !alpha_beta) {
            return Err(format!("{name} needs alpha-beta=on: minimax has no window"));
        }
        let scaled = |name: &str| (options.float(name) * f64::from(eval::UNIT)).round() as i32;
        Ok(PlainIdeas {
            alpha_beta,
            presorting: options.flag("presorting") || options.flag("funnel"),
            funnel: options.flag("funnel").then(|| scaled("width")),
            marbles_first: options.flag("marbles-first"),
            forcing_first: options.flag("forcing-first"),
            history: options.flag("history"),
            killers: options.flag("killers"),
            table: options.flag("table"),
            quiescence: options.flag("quiescence"),
            node_windows: options.flag("node-windows"),
            aspiration: options.flag("aspiration"),
            window: scaled("window"),
            zero_window: options.flag("zero-window"),
            null_move: options.flag("null-move"),
            reductions: options.flag("late-move-reductions"),
        })
    }
}

struct Plain {
    name: String,
    depth: u32,
    ideas: PlainIdeas,
    evaluate: Evaluation,
    memory: Memory,
}

impl Plain {
    fn new(name: &str, options: &Options) -> Result<Plain, String> {
        let ideas = PlainIdeas::new(options)?;
        Ok(Plain {
            name: name.to_string(),
            depth: options.int("depth") as u32,
            ideas,
            evaluate: eval::evaluation(options.text("eval")),
            memory: Memory::new(&ideas),
        })
    }
}

impl Agent for Plain {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let mut best = *game.legal_moves().first().ok_or(AgentError::NoMove)?;
        let mut watch = Watch::new(limits, None, game.turn());
        let most = if watch.is_timed() || limits.infinite { MAX_DEPTH } else { self.depth };
        let most = limits.depth.map_or(most, |depth| depth.clamp(1, MAX_DEPTH));
        // What was seen before belongs to other plies: each move is searched from scratch.
        self.memory.forget();
        let mut last = None;
        for depth in 1..=most {
            let mut searcher = Searcher::new(game, &self.ideas, &self.evaluate, &mut self.memory, &mut watch);
            let Some((m, value)) = searcher.run(game.position(), depth, last) else { break };
            (best, last) = (m, Some(value));
            let (nodes, time) = (watch.nodes(), watch.elapsed());
            report(&Info {
                depth,
                nodes,
                time,
                score: Some(to_score(value)),
                line: vec![m],
                ..Info::default()
            });
            if search::is_decided(value) {
                break;
            }
        }
        Ok(best)
    }
}

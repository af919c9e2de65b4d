//! The agent's options, and what they come to.

use std::time::Duration;

use crate::options::{OptionSpec, Options, choice, flag, float, int, memory, range, time};

use super::distance::Reference;
use super::eval::{Coherence, Distance, Evaluator, Weights};
use super::order::{Plan, Plies};
use super::table::Replacement;

const WEIGHT: (i64, i64) = (-10_000, 10_000);
const AUTO: &[&str] = &["auto", "on", "off"];

#[rustfmt::skip]
pub(super) static OPTIONS: &[OptionSpec] = &[
    int("depth", 4, (1, Plies::LAST as i64), "plies to search; with a time, the most"),
    time("time", "time for a move (the thesis: 15s, with depth=50)"),
    choice("ordering", &["acmo", "none", "cmo", "cmo+tt", "cmo+id+tt"], "heuristics of table 6.1"),
    range("sort-evaluate", Plies::LAST, "plies with evaluate sorting, such as 1-2, or off (default: as ordering says)"),
    range("sort-history", Plies::LAST, "plies with history sorting (default: as ordering says)"),
    range("sort-marble", Plies::LAST, "plies with marble ordering (default: as ordering says)"),
    range("sort-iteration", Plies::LAST, "plies with iteration sorting (default: as ordering says)"),
    choice("history", &["one", "square"], "what a cutoff counts in the history: one, or the square of the remaining depth"),
    choice("table", AUTO, "transposition table (auto: as ordering says)"),
    memory("table-bits", 22, (8, 26), 20, "the table has two to this power entries of 16 bytes"),
    choice("replacement", &["new", "used"], "which board stays in the table: the newer, or one that was of use"),
    choice("deepening", AUTO, "iterative deepening (auto: as ordering says; always on when the search is timed)"),
    flag("quiescence", false, "search on, ejections only, after an ejection into a leaf"),
    choice("aspiration", &["off", "node", "deepening"], "windows: none, the source paper's at each node, or around the last depth's value"),
    int("window", 100, (1, 100_000), "half the width of an aspiration window"),
    float("window-power", 0.5, (0.0, 3.0), "node windows grow with the remaining depth to this power"),
    flag("superko", false, "a move that recreates an earlier board does not exist, as in the thesis' games"),
    choice("compat", &["text", "program"], "follow the thesis, or its program where the two differ"),
    choice("eval", &["source", "aba-pro"], "the source paper's evaluation, or Aba-Pro's as rebuilt in 6.5"),
    choice("consider", &["both", "self"], "whose marbles are looked at (6.3)"),
    int("marbles", 800, WEIGHT, "weight of marbles conquered"),
    int("coherence", 3, WEIGHT, "weight of coherence"),
    choice("coherence-by", &["star", "source", "proposed"], "coherence as run, as in the source paper, as proposed (5.3)"),
    int("distance", 8, WEIGHT, "weight of the distance to the middle (a penalty)"),
    choice("distance-by", &["plain", "weighted", "path", "weighted-path"], "distance to the middle or to Aba-Pro's point, as the crow flies or around the enemy (5.4)"),
    int("formation", 10, WEIGHT, "weight of formation breaks"),
    choice("formation-by", &["marble", "axis"], "formation breaks count for each marble or for each of its axes (5.1)"),
    int("single", 30, WEIGHT, "weight of single capturing danger (a penalty)"),
    int("double", 50, WEIGHT, "weight of double capturing danger (a penalty)"),
    int("immediate", 0, WEIGHT, "weight of immediate capturing danger (a penalty, 5.2)"),
    int("trapped", 0, WEIGHT, "weight of marbles in immediate danger that cannot escape (a penalty, 5.2)"),
    int("triangulation", 0, WEIGHT, "weight of triangulations (5.1)"),
    flag("desired", false, "formation breaks and triangulations count only on cells that the enemy wants (5.1)"),
    float("aba-middle", 1.0 / 3.0, (0.0, 1.0), "weight of the middle in Aba-Pro's point, a centre of mass being 1"),
    int("aba-ejected", 100, (0, 10_000), "distance of an ejected marble in Aba-Pro's evaluation"),
];

/// Which aspiration windows to use (2.5.3, 4.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aspiration {
    /// None.
    Off,
    /// The source paper's: at each node around its static value, without a second search.
    Node,
    /// The usual: around the value of the last depth, with a second search if the value falls outside.
    Deepening,
}

/// The options in the form that the search reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Config {
    pub(super) depth: u32,
    pub(super) time: Option<Duration>,
    pub(super) plan: Plan,
    pub(super) square: bool,
    /// The table's bits, if there is a table.
    pub(super) table: Option<u32>,
    pub(super) replacement: Replacement,
    pub(super) deepening: bool,
    pub(super) quiescence: bool,
    pub(super) aspiration: Aspiration,
    pub(super) window: i32,
    pub(super) window_power: f64,
    pub(super) superko: bool,
    pub(super) program: bool,
    pub(super) evaluator: Evaluator,
}

/// The heuristics of one row of table 6.1: their plies, the table and iterative deepening. The runs went four
/// plies deep; the last ranges go on below, as in the timed runs and in the source paper's figure 2.2.
fn ordering(name: &str) -> (Plan, bool, bool) {
    let combined = |iteration| Plan {
        evaluate: Plies::new(1, 2),
        history: Plies::new(3, 3),
        marble: Plies::new(4, Plies::LAST),
        iteration,
    };
    let nothing = Plan {
        evaluate: Plies::none(),
        history: Plies::none(),
        marble: Plies::none(),
        iteration: Plies::none(),
    };
    match name {
        "none" => (nothing, false, true),
        "cmo" => (combined(Plies::none()), false, false),
        "cmo+tt" => (combined(Plies::none()), true, false),
        "cmo+id+tt" => (combined(Plies::none()), true, true),
        _ => (combined(Plies::new(3, Plies::LAST)), true, true),
    }
}

impl Config {
    /// Reads the options; fails where two contradict each other.
    pub(super) fn new(options: &Options) -> Result<Config, String> {
        let (plan, table, deepening) = ordering(options.text("ordering"));
        let auto = |name: &str, otherwise: bool| match options.text(name) {
            "auto" => otherwise,
            word => word == "on",
        };
        let plan = adjusted(plan, options);
        let table = auto("table", table);
        if !plan.iteration.is_empty() && !table {
            return Err("iteration sorting needs the table (table=on, or sort-iteration=off)".to_string());
        }
        Ok(Config {
            depth: options.int("depth") as u32,
            time: options.time("time"),
            plan,
            square: options.text("history") == "square",
            table: table.then(|| options.int("table-bits") as u32),
            replacement: if options.text("replacement") == "new" {
                Replacement::New
            } else {
                Replacement::Used
            },
            deepening: auto("deepening", deepening),
            quiescence: options.flag("quiescence"),
            aspiration: match options.text("aspiration") {
                "node" => Aspiration::Node,
                "deepening" => Aspiration::Deepening,
                _ => Aspiration::Off,
            },
            window: options.int("window") as i32,
            window_power: options.float("window-power"),
            superko: options.flag("superko"),
            program: options.text("compat") == "program",
            evaluator: evaluator(options),
        })
    }
}

/// The plan with the ranges that were given one by one.
fn adjusted(mut plan: Plan, options: &Options) -> Plan {
    let ranges = [
        ("sort-evaluate", &mut plan.evaluate),
        ("sort-history", &mut plan.history),
        ("sort-marble", &mut plan.marble),
        ("sort-iteration", &mut plan.iteration),
    ];
    for (name, plies) in ranges {
        if let Some(range) = options.range(name) {
            *plies = Plies::new(*range.start(), *range.end());
        }
    }
    plan
}

/// The evaluation that the options describe.
pub(super) fn evaluator(options: &Options) -> Evaluator {
    let weight = |name: &str| options.int(name) as i32;
    let distance = options.text("distance-by");
    Evaluator {
        aba_pro: options.text("eval") == "aba-pro",
        weights: Weights {
            marbles: weight("marbles"),
            coherence: weight("coherence"),
            distance: weight("distance"),
            formation: weight("formation"),
            single: weight("single"),
            double: weight("double"),
            immediate: weight("immediate"),
            trapped: weight("trapped"),
            triangulation: weight("triangulation"),
        },
        coherence: match options.text("coherence-by") {
            "source" => Coherence::Source,
            "proposed" => Coherence::Proposed,
            _ => Coherence::Star,
        },
        distance: Distance { weighted: distance.starts_with("weighted"), path: distance.ends_with("path") },
        by_axis: options.text("formation-by") == "axis",
        both: options.text("consider") == "both",
        program: options.text("compat") == "program",
        desired: options.flag("desired"),
        reference: Reference::new(options.float("aba-middle")),
        ejected: weight("aba-ejected"),
        to_win: 6,
    }
}

//! ABA-PRO: Aichholzer, Aurenhammer and Werner, *Algorithmic Fun: Abalone* (2002). A single geometric score, and
//! alpha-beta that a funnel narrows to where the score can still matter.
//!
//! Implemented: "Geometric score function", "Minimax strategy", "Alpha-beta pruning" with and without presorting,
//! "Heuristic alpha-beta pruning", and the counts behind table 1 ([`analyse`]). The document has no numbers, so:
//!
//! * **R** is the mean of both centres of mass, weight 1 each, and the board's centre, weight `centre`: 1/3, as in
//!   Verloop's reimplementation (2021, section 6.5). It stays between the cells. `round=on` rounds both centres of
//!   mass and R to cells, as Verloop does.
//! * **Lost marbles** count as `lost` cells from R: 8, the least whole number at which marbles are not given up for
//!   position. Against 10 at depth 4, 60 games each, 8 won 9 and lost none with 20 marbles more, 7 had 15 marbles
//!   less. A small constant also keeps the score as smooth as the funnel needs it. Verloop has 100.
//! * **The funnel**: a move is skipped if its static score plus w does not exceed the best value of the mover so
//!   far, alpha. For the minimizer that is the mirror image, so the tree is cut at the top and at the bottom. Alpha
//!   comes from leaves, so nothing is skipped before one was reached. w is `width` cells for each ply that is left,
//!   rounded to whole cells: the original's cutoffs are whole numbers and close in on zero with depth (Lee and Noh,
//!   section 3.3). `sides=both` reads the symmetry as one of each position: a move whose score minus w reaches
//!   beta then refutes it. The score after a move does not know the reply yet, so this needs more width: of 24
//!   opening positions at depth 5 it gets 8 values wrong at width 3, the default with as many leaves none.
//! * **The width** is the narrowest that passes the document's own rule: d + 1 with the funnel is superior to
//!   presorted alpha-beta at d. Of 0.1, 0.15, 0.2, 0.25, 0.5 and 1 it is 0.25: narrower ones score below 50 %
//!   at d = 4, and 0.25 above it in 400 games there (in the first 80 it did not). Fitted on 2026-11-18 to the games of `sumito lab run aba-pro/choice`, whose openings no
//!   other experiment has; a test of the laboratory holds the default to the published result.
//! * **The end of the game** is a win past every score, the sooner the better; having no move is a loss.
//! * **`endgame`** turns the funnel off once a side has pushed off so many marbles. Lee and Noh (section 4) report
//!   the criticism that ABA-PRO fails to do so; hence the default never does.
//! * **`depth`** is the program's level: 7 is the one that the world champion could not beat ("Performance and
//!   strength").
//!
//! Without limits it searches `depth` plies at once, as the original does; with a limit on time or nodes it
//! searches 1 ply, 2 plies and so on, and plays the best move of the last search that was completed.

mod score;
mod search;
#[cfg(test)]
mod tests;

use std::time::Duration;

use sumito_rules::{Game, Move, Position};

use crate::agent::{Agent, AgentError, Info, Limits, Listener, Named, Score};

use crate::entry::Entry;
use crate::options::{OptionSpec, Options, choice, flag, float, int, time};
use crate::watch::Watch;
use score::{Geometry, UNIT};
use search::{MAX_DEPTH, Searcher};
pub use search::{Search, SearchStats};

/// The widest funnel, in cells for each ply.
const MAX_WIDTH: f64 = 20.0;

/// What can be chosen about score and search. The defaults are the agent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How the tree is searched.
    pub search: Search,
    /// The funnel's width in cells for each ply that is left, 0 to 20.
    pub width: f64,
    /// Whether the funnel also cuts moves that are too good for the side to move, not only those too bad.
    pub both_sides: bool,
    /// The funnel is off once a side has pushed off so many marbles.
    pub endgame: u8,
    /// The weight of the board's centre in R, that of either centre of mass being 1.
    pub centre: f64,
    /// Whether the centres of mass and R are rounded to cells.
    pub round: bool,
    /// The distance of a marble that was pushed off, in cells, 0 to 100.
    pub lost: f64,
    /// Who pushes off so many marbles wins.
    pub marbles_to_win: u8,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            search: Search::Heuristic,
            width: 0.25,
            both_sides: false,
            endgame: 6,
            centre: 1.0 / 3.0,
            round: false,
            lost: 8.0,
            marbles_to_win: 6,
        }
    }
}

impl Settings {
    /// What the options of the agent say.
    pub fn new(options: &Options) -> Settings {
        Settings {
            search: match options.text("search") {
                "presorted" => Search::Presorted,
                "alphabeta" => Search::AlphaBeta,
                "minimax" => Search::Minimax,
                _ => Search::Heuristic,
            },
            width: options.float("width"),
            both_sides: options.text("sides") == "both",
            endgame: options.int("endgame") as u8,
            centre: options.float("centre"),
            round: options.flag("round"),
            lost: options.float("lost"),
            ..Settings::default()
        }
    }

    fn geometry(&self) -> Geometry {
        Geometry::new(self.centre, self.round, self.lost)
    }
}

/// What [`analyse`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Analysis {
    /// The best move, unless there is none.
    pub best: Option<Move>,
    /// The value of the position for the side to move, in cells.
    pub score: Option<Score>,
    /// What the search looked at.
    pub stats: SearchStats,
}

/// Searches a position to a fixed depth, 1 to 12, without any other limit, and counts.
pub fn analyse(position: &Position, depth: u32, settings: &Settings) -> Analysis {
    let geometry = settings.geometry();
    let mut watch = Watch::new(&Limits::default(), None, position.turn());
    let mut searcher = Searcher::new(position, settings, &geometry, &mut watch);
    let found = searcher.run(position, depth);
    Analysis {
        best: found.map(|(m, _)| m),
        score: found.map(|(_, value)| search::to_score(value)),
        stats: searcher.stats,
    }
}

/// The score of this module by name, in cells.
pub(crate) static EVALUATIONS: &[Named] = &[("aba-pro", || {
    let geometry = Settings::default().geometry();
    Box::new(move |position, color| f64::from(geometry.evaluate(position, color)) / f64::from(UNIT))
})];

pub(crate) static ENTRY: Entry = Entry {
    name: "aba-pro",
    summary: "a geometric score and alpha-beta inside a funnel",
    source: "Aichholzer, Aurenhammer and Werner 2002, Algorithmic Fun: Abalone",
    options: OPTIONS,
    build: |name, options| Ok(Box::new(AbaPro::new(name, options))),
};

static OPTIONS: &[OptionSpec] = &[
    choice("search", &["heuristic", "presorted", "alphabeta", "minimax"], "how the tree is searched"),
    int("depth", 7, (1, MAX_DEPTH as i64), "plies to look ahead, the program's level"),
    time("time", "time for a move"),
    float("width", 0.25, (0.0, MAX_WIDTH), "width of the funnel, in cells for each ply left"),
    choice("sides", &["mover", "both"], "whether the funnel cuts moves that are too good for the mover, too"),
    int("endgame", 6, (0, 6), "funnel off once a side has pushed off so many marbles; 6 = never"),
    float("centre", 1.0 / 3.0, (0.0, 1.0), "weight of the board's centre in the reference point"),
    flag("round", false, "round the reference point to a cell, as Verloop 2021 does"),
    float("lost", 8.0, (0.0, 100.0), "distance of a marble that was pushed off; Verloop 2021: 100"),
];

struct AbaPro {
    name: String,
    settings: Settings,
    geometry: Geometry,
    depth: u32,
    time: Option<Duration>,
}

impl AbaPro {
    fn new(name: &str, options: &Options) -> AbaPro {
        let settings = Settings::new(options);
        let (depth, time) = (options.int("depth") as u32, options.time("time"));
        AbaPro { name: name.to_string(), settings, geometry: settings.geometry(), depth, time }
    }
}

impl Agent for AbaPro {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let position = game.position();
        let mut best = *game.legal_moves().first().ok_or(AgentError::NoMove)?;
        let settings = Settings { marbles_to_win: game.rules().marbles_to_win, ..self.settings };
        let mut watch = Watch::new(limits, self.time, position.turn());
        let depth = limits.depth.map_or(self.depth, |depth| depth.clamp(1, self.depth));
        let first = if watch.is_timed() || limits.infinite { 1 } else { depth };
        for depth in first..=depth {
            let mut searcher = Searcher::new(position, &settings, &self.geometry, &mut watch);
            let Some((m, value)) = searcher.run(position, depth) else {
                // An unfinished search is better than none.
                return Ok(searcher.choice.filter(|_| depth == first).map_or(best, |(m, _)| m));
            };
            best = m;
            let (nodes, time) = (watch.nodes(), watch.elapsed());
            report(&Info {
                depth,
                nodes,
                time,
                score: Some(search::to_score(value)),
                line: vec![m],
                ..Info::default()
            });
        }
        Ok(best)
    }
}

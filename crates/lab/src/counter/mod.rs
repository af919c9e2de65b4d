//! One search of one position by one agent, and everything that can be counted of it.

mod stopwatch;

use serde::{Deserialize, Serialize};
use sumito_agents::{Agent, AgentSpec, Info, Limits, Score, SpecError, Stop, aba_pro, maastricht, verloop};
use sumito_rules::{Game, Notation, Position, Rules};

use crate::opening::Opening;
use stopwatch::Stopwatch;

/// Searches that are made one after the other by one agent, which may remember what it saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountUnit {
    /// The agent's spec.
    pub agent: String,
    /// How deep it searches.
    pub depth: u32,
    /// The positions.
    pub positions: Vec<Opening>,
    /// Whether times are taken.
    pub timed: bool,
    /// Threads that do nothing but keep the processors busy meanwhile.
    pub load: usize,
}

/// What a search looked at, and how long it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchCounts {
    /// Positions looked at, as the agent counts them.
    pub nodes: u64,
    /// Time by the clock, in microseconds, where time is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// Time of processors, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The move found, in Aba-Pro notation.
    pub best: String,
    /// The value for the side to move, unless it is a win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Positions at the end of the tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<u64>,
    /// Positions whose moves were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interior: Option<u64>,
    /// Moves searched in all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// Static evaluations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// The same for building the whole tree, as document 001 does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<u64>,
    /// Positions whose moves were searched and these moves, ply by ply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plies: Vec<(u64, u64)>,
}

impl SearchCounts {
    /// A count or a mean by its name, at this depth. Unknown names and counts that the agent does not make are none.
    pub(crate) fn measure(&self, name: &str, depth: u32) -> Option<f64> {
        let ratio = |a: u64, b: u64| a as f64 / b.max(1) as f64;
        Some(match name {
            "nodes" => self.nodes as f64,
            "seconds" => self.cpu_us? as f64 / 1e6,
            "ms" => self.cpu_us? as f64 / 1e3,
            "speed" => ratio(self.nodes, self.cpu_us?) * 1e6,
            "wall-ms" => self.wall_us? as f64 / 1e3,
            "wall-seconds" => self.wall_us? as f64 / 1e6,
            "leaves" => self.leaves? as f64,
            "evaluations" => self.evaluations? as f64,
            "tree" => self.tree? as f64,
            "moves" => ratio(self.moves?, self.interior?),
            // The branching of an even tree with as many leaves, or where these are not known, nodes.
            "branching" => {
                (self.leaves.unwrap_or(self.nodes).max(1) as f64).powf(1.0 / f64::from(depth.max(1)))
            }
            name => {
                let ply: usize = name.strip_prefix("ply-")?.parse().ok()?;
                let &(positions, moves) = self.plies.get(ply.checked_sub(1)?)?;
                (positions > 0).then(|| ratio(moves, positions))?
            }
        })
    }
}

/// The searches of a unit, unless they were stopped.
pub(crate) fn search(unit: &CountUnit, stop: &Stop) -> Result<Option<Vec<SearchCounts>>, String> {
    let mut counter = SearchCounter::new(&unit.agent)?;
    let mut all = Vec::with_capacity(unit.positions.len());
    for (number, position) in unit.positions.iter().enumerate() {
        let game = position.game(Rules::OFFICIAL).map_err(|why| why.to_string())?;
        if number == 0 {
            counter.new_game(&game);
        }
        let Some(counts) = counter.count(&game, unit.depth, unit.timed, stop)? else { return Ok(None) };
        all.push(counts);
    }
    Ok(Some(all))
}

/// The names that [`SearchCounts::measure`] knows, apart from `ply-N`, and those of them that are times.
pub(crate) const MEASURES: [&str; 11] = [
    "nodes",
    "seconds",
    "ms",
    "speed",
    "wall-ms",
    "wall-seconds",
    "leaves",
    "evaluations",
    "tree",
    "moves",
    "branching",
];
pub(crate) const TIMES: [&str; 5] = ["seconds", "ms", "speed", "wall-ms", "wall-seconds"];

/// An agent whose searches are counted. Those whose papers count more than nodes are asked for it.
pub(crate) enum SearchCounter {
    AbaPro(aba_pro::Settings),
    Maastricht(Box<maastricht::Settings>, u64),
    Verloop(Box<verloop::Verloop>),
    Any(Box<dyn Agent>),
}

impl SearchCounter {
    pub(crate) fn new(spec: &str) -> Result<SearchCounter, String> {
        let spec: AgentSpec = spec.parse().map_err(|why: SpecError| why.to_string())?;
        let (entry, options) = spec.resolve().map_err(|why| why.to_string())?;
        Ok(match entry.name {
            "aba-pro" => SearchCounter::AbaPro(aba_pro::Settings::new(&options)),
            "maastricht" => {
                let settings = maastricht::Settings::from_options(&options)?;
                SearchCounter::Maastricht(Box::new(settings), options.int("seed") as u64)
            }
            "verloop" => SearchCounter::Verloop(Box::new(verloop::Verloop::new(spec.as_str(), &options)?)),
            _ => SearchCounter::Any(spec.build().map_err(|why| why.to_string())?),
        })
    }

    /// A new game begins, or positions that have nothing to do with the last ones.
    pub(crate) fn new_game(&mut self, game: &Game) {
        match self {
            SearchCounter::AbaPro(_) | SearchCounter::Maastricht(..) => {}
            SearchCounter::Verloop(agent) => agent.new_game(game.rules(), None),
            SearchCounter::Any(agent) => agent.new_game(game.rules(), None),
        }
    }

    /// Searches the position of a game to a depth, and tells how long that took if `timed`. What is stopped on the way
    /// has no counts.
    pub(crate) fn count(
        &mut self,
        game: &Game,
        depth: u32,
        timed: bool,
        stop: &Stop,
    ) -> Result<Option<SearchCounts>, String> {
        let watch = Stopwatch::start();
        let (mut counts, root) = self.search(game, depth, stop)?;
        if timed {
            (counts.wall_us, counts.cpu_us) = (Some(watch.wall()), Some(watch.cpu()));
        }
        // What the paper counts besides the search takes no part in its time.
        if let SearchCounter::Maastricht(settings, _) = self {
            counts.tree = Some(maastricht::tree_evaluations(root, depth, settings.table));
        }
        Ok(Some(counts).filter(|_| !stop.is_requested()))
    }

    fn search<'g>(
        &mut self,
        game: &'g Game,
        depth: u32,
        stop: &Stop,
    ) -> Result<(SearchCounts, &'g Position), String> {
        let position = game.position();
        let counts = match self {
            SearchCounter::AbaPro(settings) => {
                let found = aba_pro::analyse(position, depth, settings);
                let stats = found.stats;
                SearchCounts {
                    nodes: stats.interior + stats.leaves,
                    best: found.best.map(|m| Notation::AbaPro.write(position, m)).unwrap_or_default(),
                    value: found.score.and_then(Score::value),
                    leaves: Some(stats.leaves),
                    interior: Some(stats.interior),
                    moves: Some(stats.moves),
                    ..SearchCounts::default()
                }
            }
            SearchCounter::Maastricht(settings, seed) => {
                let found = maastricht::search(position, depth, settings, *seed).ok_or("there is no move")?;
                SearchCounts {
                    nodes: found.investigated,
                    best: Notation::AbaPro.write(position, found.best),
                    value: Some(found.value),
                    evaluations: Some(found.evaluations),
                    ..SearchCounts::default()
                }
            }
            SearchCounter::Verloop(agent) => {
                let mut counts = choose(agent.as_mut(), game, depth, stop)?;
                counts.plies = agent.plies().iter().map(|ply| (ply.positions, ply.moves)).collect();
                counts
            }
            SearchCounter::Any(agent) => choose(agent.as_mut(), game, depth, stop)?,
        };
        Ok((counts, position))
    }
}

/// Lets an agent choose a move, and keeps what it says last.
fn choose(agent: &mut dyn Agent, game: &Game, depth: u32, stop: &Stop) -> Result<SearchCounts, String> {
    let limits = Limits { depth: Some(depth), stop: stop.clone(), ..Limits::default() };
    let mut last = None::<Info>;
    let m = agent.choose(game, &limits, &mut |info| {
        if info.rank == 0 {
            last = Some(info.clone());
        }
    });
    let m = m.map_err(|why| why.to_string())?;
    Ok(SearchCounts {
        nodes: last.as_ref().map_or(0, |info| info.nodes),
        best: Notation::AbaPro.write(game.position(), m),
        value: last.and_then(|info| info.score).and_then(Score::value),
        ..SearchCounts::default()
    })
}

#[cfg(test)]
mod tests {
    use sumito_rules::Layout;

    use super::*;

    fn count(spec: &str, depth: u32) -> SearchCounts {
        let start = Layout::named("standard").expect("a layout").position();
        let mut counter = SearchCounter::new(spec).expect("an agent");
        let game = Game::new(Rules::OFFICIAL, start);
        counter.count(&game, depth, false, &Stop::default()).expect("no failure").expect("not stopped")
    }

    #[test]
    fn minimax_searches_every_move_of_every_position() {
        let counts = count("aba-pro:search=minimax", 2);
        // 44 moves, each with 44 replies from the mirrored side.
        assert_eq!((counts.interior, counts.moves, counts.leaves), (Some(45), Some(44 * 45), Some(44 * 44)));
        assert_eq!((counts.measure("moves", 2), counts.measure("branching", 2)), (Some(44.0), Some(44.0)));
    }

    #[test]
    fn agents_are_asked_for_what_their_papers_count() {
        let maastricht = count("maastricht:search=minimax,table=off", 2);
        assert_eq!(maastricht.measure("nodes", 2), Some((44 + 44 * 44) as f64));
        assert_eq!(maastricht.measure("tree", 2), Some((44 + 44 * 44) as f64));
        let verloop = count("verloop:ordering=none", 2);
        assert_eq!(verloop.measure("ply-1", 2), Some(44.0));
        assert_eq!((verloop.measure("ply-3", 2), verloop.measure("tree", 2)), (None, None));
        assert!(count("cornell", 2).nodes > 44);
    }
}

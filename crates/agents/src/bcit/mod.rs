//! The agent of *Project Abalone* by Chen, Jia, Lu, Tadey and Wasty (BCIT): alpha-beta search level by level with
//! five heuristics to choose from.
//!
//! Implemented are section 2 (the order of generation), 3.1 (Jason's heuristic), 3.2 (node ordering, threads, and
//! the table and the quiescence search that the authors dropped) and 6 (the other four heuristics). What the text
//! leaves open is read as the authors' program has it:
//!
//! * Black maximises, White minimises: here each side maximises its own value, which is the same search.
//! * Levels 1, 2, 3, ... are searched in turn. An unfinished level is thrown away, unless it is the first: then the
//!   best of its finished moves is played. No level begins if ten times the last one's time would be too long, or
//!   if the last one saw every line to the end of the game.
//! * The time is 5 s when nothing else limits the search. The program keeps 100 ms of it back; here the common
//!   margin of all agents applies.
//! * A node is over at six ejections or at the rules' ply limit, and gets the plain heuristic; David's alone gives
//!   32,767 for a win. No heuristic looks for a side without a move: that is less than any value.
//! * Only Black's very first move is random: the root's moves are shuffled, so it is any of the best ones.
//! * The document runs four threads; the default here is one, for the same answer each time and for equal terms in
//!   matches that share a machine. With more, the thread that finishes first decides between equal moves.
//! * Jason's factor 1.2 multiplies the position of enemy marbles alone, where section 3.1.2 writes it. The program
//!   multiplies the sum of an enemy marble's position, neighbours and bonuses, without the fraction
//!   (`compat=program`).
//! * Sam's constants (section 6.3.2), 100 + the map and 50 + the allies, are added for each marble, as the text prints
//!   them: then the enemy's position weighs more than the own one, which is what he says he wanted. With
//!   `constants=factors` they multiply, which puts piece, position and clustering in the order that he gives. The
//!   push map counts for the searching player only.
//! * Jeff's knockout is worth 50, his two weights are 1 (his program's values); `map` and `cohesion` change them.
//! * The table starts empty at each move, because two heuristics depend on who searches. `table=on` is exact: it
//!   answers for the same level only, and near the ply limit not at all. `table=program` has the authors' error of
//!   taking a bound for a value.
//!
//! `compat=program` takes every heuristic as its author's program had it when the report was written, slips that
//! decide its value included. `magic` is Jason's as it played in the competition.

mod eval;
mod maps;
mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::time::Duration;

use sumito_rules::{Color, Game, Move, Position, Rules};

use self::eval::{Author, UNIT, Version};
use self::order::Order;
use self::search::{Level, Setup};
use self::table::Table;
use crate::agent::{Agent, AgentError, Evaluation, Info, Limits, Listener, Named, Score};
use crate::entry::Entry;
use crate::options::{OptionSpec, Options, choice, flag, float, int, memory, threads, time};
use crate::seed::{GameRng, SEED};
use crate::watch::Watch;

pub(crate) static ENTRY: Entry = Entry {
    name: "bcit",
    summary: "alpha-beta with one of five heuristics, more marbles first, on any number of threads",
    source: "Chen, Jia, Lu, Tadey, Wasty, Project Abalone (BCIT)",
    options: &OPTIONS,
    build: |name, options| Ok(Box::new(Bcit::new(name, options)?)),
};

/// The depth that means no limit.
const DEEPEST: i64 = 64;
/// The time for a move when nothing else limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

static OPTIONS: [OptionSpec; 20] = [
    choice("heuristic", &["jason", "rongyi", "david", "sam", "jeff"], "whose heuristic"),
    choice("compat", &["text", "program"], "the heuristic as in the document, or as in its author's program"),
    flag("magic", false, "jason: as in the competition, with map and factor by layout and colour"),
    int("map", -1, (-1, 100), "weight of the position map; -1 = the heuristic's own"),
    int("bonus", -1, (-1, 100), "jason: points for a six-star and a spy; -1 = the heuristic's own"),
    flag("spy", true, "jason: whether a spy counts"),
    int("extra", -1, (-1, 1000), "jason: points of an own marble over an enemy's; -1 = the heuristic's own"),
    float(
        "factor",
        -1.0,
        (-1.0, 10.0),
        "jason: what multiplies the enemy's position; -1 = the heuristic's own",
    ),
    choice(
        "constants",
        &["added", "factors"],
        "sam: whether 100 and 50 are added to map and allies, or multiply",
    ),
    int("cohesion", -1, (-1, 100), "jeff: weight of the neighbours; -1 = the heuristic's own"),
    int("depth", DEEPEST, (1, DEEPEST), "plies to look ahead at most; 64 = no limit"),
    time("time", "time for each move; 5s if nothing else limits the search"),
    flag("ordering", true, "search moves of more own marbles first"),
    threads(64, "threads that share the root's moves; the document has 4"),
    choice("firstmove", &["shuffle", "normal"], "order of the root's moves at Black's first move"),
    choice(
        "table",
        &["off", "on", "program"],
        "transposition table: none, an exact one, or the authors' own",
    ),
    memory("slots", 20, (4, 28), 20, "the table has two to this many slots of 16 bytes; the authors' 28"),
    flag("quiescence", false, "up to two plies more while marbles were lost since the root"),
    int("stop", 10, (0, 1000), "no new level if this many times the last one's time is not left"),
    SEED,
];

/// The static evaluations, for the greedy player.
pub(crate) static EVALUATIONS: &[Named] = &[
    ("bcit-jason", || evaluation(Author::Jason)),
    ("bcit-rongyi", || evaluation(Author::Rongyi)),
    ("bcit-david", || evaluation(Author::David)),
    ("bcit-sam", || evaluation(Author::Sam)),
    ("bcit-jeff", || evaluation(Author::Jeff)),
];

fn evaluation(author: Author) -> Evaluation {
    let version = Version::document(author);
    Box::new(move |position: &Position, player: Color| {
        f64::from(version.heuristic(position, player).value(position, player)) / f64::from(UNIT)
    })
}

struct Bcit {
    name: String,
    version: Version,
    depth: u32,
    time: Option<Duration>,
    order: &'static Order,
    threads: usize,
    shuffles: bool,
    table: Option<Table>,
    quiescence: bool,
    /// How many times the last level's time must be left to begin another.
    stop: u32,
    rng: GameRng,
}

impl Bcit {
    fn new(name: &str, options: &Options) -> Result<Bcit, String> {
        let table = match options.text("table") {
            "off" => None,
            kind => Some(Table::new(options.int("slots") as u32, kind == "program")),
        };
        Ok(Bcit {
            name: name.to_string(),
            version: version(options)?,
            depth: options.int("depth") as u32,
            time: options.time("time"),
            order: Order::new(options.flag("ordering")),
            threads: options.int("threads") as usize,
            shuffles: options.text("firstmove") == "shuffle",
            table,
            quiescence: options.flag("quiescence"),
            stop: options.int("stop") as u32,
            rng: GameRng::new(options.seed()),
        })
    }

    /// A watch for each thread. They share the nodes, so that no number of threads looks at more than allowed.
    fn watches(&self, limits: &Limits, turn: Color) -> Vec<Watch> {
        let unlimited = limits.move_time.is_none()
            && limits.clock.is_none()
            && limits.nodes.is_none()
            && limits.depth.is_none()
            && self.depth == DEEPEST as u32;
        let own = self.time.or(unlimited.then_some(DEFAULT_TIME));
        let threads = self.threads as u64;
        (0..threads)
            .map(|i| {
                let nodes = limits.nodes.map(|nodes| (nodes + i) / threads);
                Watch::new(&Limits { nodes, ..limits.clone() }, own, turn)
            })
            .collect()
    }

    /// Searches level after level, and answers with the best move of the last complete one.
    fn deepen(
        &self,
        setup: &Setup<'_>,
        moves: &[Move],
        limits: &Limits,
        mut watches: Vec<Watch>,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError> {
        let mut answer = *moves.first().ok_or(AgentError::NoMove)?;
        let deepest = limits.depth.unwrap_or(u32::MAX).min(self.depth).max(1);
        for level in 1..=deepest {
            let begun = watches[0].elapsed();
            let Level { best, complete, cut } = setup.search(moves, level as i32, &mut watches);
            let Some((m, value)) = best.filter(|_| complete || level == 1) else { break };
            answer = m;
            if !complete {
                break;
            }
            let time = watches[0].elapsed();
            let nodes = watches.iter().map(Watch::nodes).sum();
            let score = Some(Score::Value(f64::from(value) / f64::from(UNIT)));
            report(&Info { depth: level, nodes, time, score, line: vec![m], ..Info::default() });
            if !cut || watches[0].look() || !self.has_time(&watches[0], time - begun) {
                break;
            }
        }
        Ok(answer)
    }

    /// Whether the last level leaves time for another.
    fn has_time(&self, watch: &Watch, last: Duration) -> bool {
        watch.left().is_none_or(|left| left >= last.saturating_mul(self.stop))
    }
}

/// Which heuristic the options ask for.
fn version(options: &Options) -> Result<Version, String> {
    let author = match options.text("heuristic") {
        "rongyi" => Author::Rongyi,
        "david" => Author::David,
        "sam" => Author::Sam,
        "jeff" => Author::Jeff,
        _ => Author::Jason,
    };
    let given = |name| Some(options.int(name) as i32).filter(|&n| n >= 0);
    let version = Version {
        author,
        program: options.text("compat") == "program",
        magic: options.flag("magic"),
        bonus: given("bonus"),
        map: given("map"),
        extra: given("extra"),
        factor: Some(options.float("factor")).filter(|&factor| factor >= 0.0),
        spy: options.flag("spy"),
        factors: options.text("constants") == "factors",
        cohesion: given("cohesion"),
    };
    let is_jasons = version.magic
        || !version.spy
        || version.factor.is_some()
        || version.bonus.is_some()
        || version.extra.is_some();
    if is_jasons && author != Author::Jason {
        return Err("magic, bonus, spy, extra and factor are options of heuristic=jason".to_string());
    }
    if version.factors && (author != Author::Sam || version.program) {
        return Err("constants is an option of heuristic=sam as in the text".to_string());
    }
    if version.cohesion.is_some() && (author != Author::Jeff || version.program) {
        return Err("cohesion is an option of heuristic=jeff as in the text".to_string());
    }
    Ok(version)
}

impl Agent for Bcit {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        if game.outcome().is_some() {
            return Err(AgentError::NoMove);
        }
        let watches = self.watches(limits, game.turn());
        if let Some(table) = &mut self.table {
            table.forget();
        }
        let heuristic = self.version.heuristic(game.start(), game.turn());
        let setup = Setup::new(game, &heuristic, self.order, self.table.as_ref(), self.quiescence);
        let mut moves = setup.root_moves();
        if self.shuffles && game.position().ply() == 0 {
            self.rng.shuffle(&mut moves);
        }
        self.deepen(&setup, &moves, limits, watches, report)
    }
}

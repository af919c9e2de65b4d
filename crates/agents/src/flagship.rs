//! The flagship engine as an agent: `sumito`.

use std::time::Duration;

use sumito_engine::{Engine, EngineOptions, Idea, Ideas, Level, Param, Params, network};
use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Limits, Listener};
use crate::entry::Entry;
use crate::options::{OptionSpec, Options, file, flag, int, lines, memory, threads};

pub(crate) static ENTRY: Entry = Entry {
    name: "sumito",
    summary: "the flagship: principal variation search with a learned evaluation",
    source: "",
    options: &OPTIONS,
    build: |name, options| Ok(Box::new(Flagship::new(name, options)?)),
};

const OWN: [OptionSpec; 9] = [
    memory("hash", 64, (1, 65_536), 16, "size of the table in megabytes").labelled("Hash"),
    threads(256, "threads that search").labelled("Threads"),
    lines("multipv", 256, "how many of the best lines are told").labelled("MultiPV"),
    int("level", 0, (0, Level::MOST as i64), "how well it plays, from 1 for a beginner; 0 for full strength")
        .labelled("Level"),
    int("nodes", 0, (0, i64::MAX), "positions to look at for a move at most; 0 for no such limit")
        .labelled("Nodes"),
    int("seed", 0, (0, i64::MAX), "makes a level play other games").labelled("Seed"),
    // No loss against itself, and no clear gain against a weaker player yet: experiments/logs/strength.
    int("contempt", 50, (-1000, 1000), "how much a draw is disliked, in hundredths of a marble")
        .labelled("Contempt"),
    int("overhead", 3, (0, 10_000), "milliseconds kept back of every time").labelled("MoveOverhead"),
    file(
        "net",
        &["hand"],
        "file of another network to judge positions; `hand` for the hand-written evaluation",
    )
    .labelled("Net"),
];

const HIDDEN: usize = Params::ALL.len() + Idea::ALL.len();

/// The options, and after them the engine's tunable numbers and the switches of its ideas.
static OPTIONS: [OptionSpec; OWN.len() + HIDDEN] = {
    let mut specs = [OWN[0]; OWN.len() + HIDDEN];
    let mut i = 0;
    while i < specs.len() {
        let param = i.wrapping_sub(OWN.len());
        specs[i] = if i < OWN.len() {
            OWN[i]
        } else if param < Params::ALL.len() {
            tunable(Params::ALL[param])
        } else {
            flag(Idea::ALL[param - Params::ALL.len()].name(), true, "an idea of the search").hidden()
        };
        i += 1;
    }
    specs
};

const fn tunable(param: Param) -> OptionSpec {
    let range = (param.min as i64, param.max as i64);
    int(param.name, param.default as i64, range, "a tunable number of the engine").hidden()
}

fn params(options: &Options) -> Params {
    let mut params = Params::default();
    for param in Params::ALL {
        let value = options.int(param.name) as i32;
        *params.get_mut(param.name).expect("the table has its own names") = value;
    }
    params
}

fn ideas(options: &Options) -> Ideas {
    Idea::ALL.iter().fold(Ideas::NONE, |ideas, &idea| ideas.with(idea, options.flag(idea.name())))
}

/// The longest win to look for, in moves: longer lines are not searched.
const LONGEST_WIN: u32 = 64;

/// What the engine is made with.
fn engine_options(options: &Options) -> Result<EngineOptions, String> {
    Ok(EngineOptions {
        hash: options.int("hash") as usize,
        threads: options.int("threads") as usize,
        contempt: options.int("contempt") as i32,
        params: params(options),
        ideas: ideas(options),
        network: network::named(options.text("net"), std::fs::read).map_err(|why| why.to_string())?,
    })
}

struct Flagship {
    name: String,
    options: Options,
    /// The seed of the game, where it is played at a level.
    seed: u64,
    engine: Engine,
}

/// Options that can change without another engine. Others would make the values in its table wrong, or its size.
const LIGHT: [&str; 4] = ["multipv", "nodes", "seed", "overhead"];

/// The level it plays at, unless with full strength.
fn level(options: &Options) -> Option<Level> {
    Level::new(options.int("level") as u8)
}

impl Flagship {
    fn new(name: &str, options: &Options) -> Result<Flagship, String> {
        let make = if level(options).is_some() { Level::engine } else { Engine::new };
        let engine = make(engine_options(options)?);
        let seed = options.seed().value;
        Ok(Flagship { name: name.to_string(), options: options.clone(), seed, engine })
    }

    fn limits(&self, limits: &Limits) -> Limits {
        let own = Some(self.options.int("nodes") as u64).filter(|&nodes| nodes > 0);
        Limits {
            nodes: limits.nodes.into_iter().chain(own).min(),
            mate: limits.mate.map(|moves| moves.min(LONGEST_WIN)),
            lines: limits.lines.max(self.options.int("multipv") as usize),
            overhead: Duration::from_millis(self.options.int("overhead") as u64),
            ..limits.clone()
        }
    }
}

impl Agent for Flagship {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.engine.new_game();
        let own = self.options.seed();
        self.seed = seed.map_or(own.value, |seed| own.in_game(seed));
    }

    fn adopt(&mut self, name: &str, options: &Options) -> bool {
        let changes: Vec<&str> = self.options.changes(options).collect();
        let fits = changes.iter().all(|name| LIGHT.contains(name));
        if fits {
            (self.name, self.options) = (name.to_string(), options.clone());
        }
        if fits && changes.contains(&"seed") {
            self.seed = options.seed().value;
        }
        fits
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let limits = self.limits(limits);
        let chosen = match level(&self.options) {
            Some(level) => level.choose(&mut self.engine, (game, self.seed), &limits, report),
            None => self.engine.go(game, &limits, report),
        };
        chosen.ok_or(AgentError::NoMove)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::resolve;

    #[test]
    fn every_tunable_number_is_a_hidden_option_with_its_own_range() {
        for param in Params::ALL {
            let (_, options) = resolve(&format!("sumito:{}={}", param.name, param.max)).expect("a spec");
            let found = *params(&options).get_mut(param.name).expect("a name of the table");
            assert_eq!(found, param.max, "{}", param.name);
            assert!(resolve(&format!("sumito:{}={}", param.name, param.max + 1)).is_err(), "{}", param.name);
            let spec = ENTRY.options.iter().find(|spec| spec.name == param.name).expect("an option");
            assert!(spec.is_hidden, "{}", param.name);
        }
    }

    #[test]
    fn every_idea_has_a_switch_of_its_own() {
        for &idea in Idea::ALL {
            let (_, options) = resolve(&format!("sumito:{}=off", idea.name())).expect("a spec");
            assert_eq!(ideas(&options), Ideas::ALL.with(idea, false), "{idea:?}");
        }
        let (_, options) = resolve("sumito").expect("a spec");
        assert_eq!(ideas(&options), Ideas::ALL);
    }

    #[test]
    fn its_own_nodes_limit_a_move_and_never_raise_another_limit() {
        let nodes = |spec: &str, limit: Option<u64>| {
            let mut agent = crate::build(spec).expect("an agent");
            let game = Game::new(Rules::OFFICIAL, sumito_rules::Layout::all()[0].position());
            let (mut seen, limits) = (0, Limits { nodes: limit, ..Limits::default() });
            agent.choose(&game, &limits, &mut |info| seen = info.nodes).expect("a move");
            seen
        };
        assert_eq!(nodes("sumito:nodes=2000", None), nodes("sumito", Some(2000)));
        assert_eq!(nodes("sumito:nodes=2000", Some(900)), nodes("sumito", Some(900)));
        assert_eq!(nodes("sumito:nodes=900", Some(2000)), nodes("sumito", Some(900)));
    }

    #[test]
    fn tunable_numbers_that_are_not_set_have_their_defaults() {
        let (_, options) = resolve("sumito").expect("a spec");
        assert_eq!(params(&options), Params::default());
    }
}

//! The flagship engine as an agent: `sumito`.

use std::time::Duration;

use sumito_engine::{Engine, Limits as EngineLimits, Options as EngineOptions, Score as EngineScore};
use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Info, Limits, Score};
use crate::options::{Options, int};
use crate::registry::Entry;

pub(crate) static ENTRY: Entry = Entry {
    name: "sumito",
    summary: "the flagship: principal variation search with a hand-written evaluation",
    source: "",
    options: &[
        int("hash", 64, (1, 65_536), "size of the table in megabytes"),
        int("threads", 1, (1, 256), "threads that search"),
        int("overhead", 3, (0, 10_000), "milliseconds kept back of every time"),
    ],
    build: |spec, options| Ok(Box::new(Flagship::new(spec, options))),
};

struct Flagship {
    name: String,
    engine: Engine,
    overhead: Duration,
}

impl Flagship {
    fn new(spec: &str, options: &Options) -> Flagship {
        let (hash, threads) = (options.int("hash") as usize, options.int("threads") as usize);
        Flagship {
            name: spec.to_string(),
            engine: Engine::new(EngineOptions { hash, threads, ..EngineOptions::default() }),
            overhead: Duration::from_millis(options.int("overhead") as u64),
        }
    }
}

impl Agent for Flagship {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules) {
        self.engine.new_game();
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError> {
        let clock = limits.clock.map(|clock| (clock[game.turn()].left, clock[game.turn()].increment));
        let limits = EngineLimits {
            move_time: limits.move_time.filter(|_| !limits.infinite),
            clock: clock.filter(|_| !limits.infinite),
            nodes: limits.nodes,
            depth: limits.depth,
            overhead: self.overhead,
            stop: limits.stop.flag(),
            ..EngineLimits::default()
        };
        let tell = &mut |info: &sumito_engine::Info| {
            report(&Info {
                depth: info.depth,
                nodes: info.nodes,
                time: info.time,
                score: Some(match info.score {
                    EngineScore::Marbles(value) => Score::Value(f64::from(value) / 100.0),
                    EngineScore::Win(moves) => Score::Win(moves),
                }),
                line: info.line.clone(),
            });
        };
        self.engine.go(game, &limits, tell).ok_or(AgentError::NoMove)
    }
}

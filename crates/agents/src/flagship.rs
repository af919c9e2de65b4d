//! The flagship engine as an agent: `sumito`.

use std::sync::Arc;
use std::time::Duration;

use sumito_engine::network::Network;
use sumito_engine::{
    Engine, Limits as EngineLimits, Options as EngineOptions, Param, Params, Score as EngineScore, Wdl,
};
use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Info, Limits, Score, Stop};
use crate::options::{OptionSpec, Options, int, text};
use crate::registry::Entry;

pub(crate) static ENTRY: Entry = Entry {
    name: "sumito",
    summary: "the flagship: principal variation search with a hand-written evaluation",
    source: "",
    options: &OPTIONS,
    build: |spec, options| Ok(Box::new(Flagship::new(spec, options)?)),
};

const OWN: [OptionSpec; 4] = [
    int("hash", 64, (1, 65_536), "size of the table in megabytes"),
    int("threads", 1, (1, 256), "threads that search"),
    int("overhead", 3, (0, 10_000), "milliseconds kept back of every time"),
    text("net", "file of the network that judges positions; `hand` for the hand-written evaluation"),
];

/// The options, and after them the engine's tunable numbers.
static OPTIONS: [OptionSpec; OWN.len() + Params::ALL.len()] = {
    let mut specs = [OWN[0]; OWN.len() + Params::ALL.len()];
    let mut i = 0;
    while i < specs.len() {
        specs[i] = if i < OWN.len() { OWN[i] } else { tunable(Params::ALL[i - OWN.len()]) };
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

struct Flagship {
    name: String,
    engine: Engine,
    overhead: Duration,
}

impl Flagship {
    fn new(spec: &str, options: &Options) -> Result<Flagship, String> {
        let (hash, threads) = (options.int("hash") as usize, options.int("threads") as usize);
        let overhead = Duration::from_millis(options.int("overhead") as u64);
        let network = network(options.text("net"))?;
        let engine = Engine::new(EngineOptions {
            hash,
            threads,
            params: params(options),
            network,
            ..EngineOptions::default()
        });
        Ok(Flagship { name: spec.to_string(), engine, overhead })
    }
}

/// The network that an option names.
fn network(file: &str) -> Result<Option<Arc<Network>>, String> {
    if file.is_empty() || file == "hand" {
        return Ok(None);
    }
    let bytes = std::fs::read(file).map_err(|why| format!("the network {file} cannot be read: {why}"))?;
    let network = Network::from_bytes(&bytes).map_err(|why| format!("the network {file}: {why}"))?;
    Ok(Some(Arc::new(network)))
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
            mate: limits.mate,
            moves: limits.moves.clone(),
            ponder: limits.ponder.as_ref().map(Stop::flag),
            ..EngineLimits::default()
        };
        let tell = &mut |info: &sumito_engine::Info| {
            report(&Info {
                depth: info.depth,
                seldepth: info.seldepth,
                rank: info.rank.saturating_sub(1),
                nodes: info.nodes,
                time: info.time,
                score: Some(match info.score {
                    EngineScore::Marbles(value) => Score::Value(f64::from(value) / 100.0),
                    EngineScore::Win(moves) => Score::Win(moves),
                }),
                wdl: Some(Wdl::new(info.score, game.position())),
                hashfull: Some(info.hashfull),
                line: info.line.clone(),
            });
        };
        self.engine.go(game, &limits, tell).ok_or(AgentError::NoMove)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::parse;

    #[test]
    fn every_tunable_number_is_a_hidden_option_with_its_own_range() {
        for param in Params::ALL {
            let (_, options) = parse(&format!("sumito:{}={}", param.name, param.max)).expect("a spec");
            let found = *params(&options).get_mut(param.name).expect("a name of the table");
            assert_eq!(found, param.max, "{}", param.name);
            assert!(parse(&format!("sumito:{}={}", param.name, param.max + 1)).is_err(), "{}", param.name);
            let spec = ENTRY.options.iter().find(|spec| spec.name == param.name).expect("an option");
            assert!(spec.is_hidden, "{}", param.name);
        }
    }

    #[test]
    fn tunable_numbers_that_are_not_set_have_their_defaults() {
        let (_, options) = parse("sumito").expect("a spec");
        assert_eq!(params(&options), Params::default());
    }
}

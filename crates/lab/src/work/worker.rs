//! Does units, the same way wherever it is.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use sumito_agents::{Agent, AgentError, Info, Limits, Stop};
use sumito_engine::network::Network;
use sumito_rules::{ByColor, Color, Game, Move};

use super::{PairUnit, SelfPlayUnit, Unit, UnitOutcome, WorkError};
use crate::config::{Player, is_seeded};
use crate::counter::{CountUnit, SearchCounts, search};
use crate::data::chances::Weigher;
use crate::data::selfplay::SelfPlay;
use crate::referee::{GameRecord, Referee, RefereeSeat, real_time};
use crate::schedule::seeds;

/// Builds an agent from its spec, or says in a sentence why it cannot.
pub type Factory<'a> = &'a (dyn Fn(&str) -> Result<Box<dyn Agent>, String> + Sync);

/// The factory that knows every agent of the registry.
pub fn registered(spec: &str) -> Result<Box<dyn Agent>, String> {
    sumito_agents::build(spec).map_err(|why| why.to_string())
}

/// The networks that are at hand besides the shipped one.
#[derive(Clone, Default)]
pub struct Networks(Vec<Arc<Network>>);

impl Networks {
    /// One network.
    pub fn with(network: Arc<Network>) -> Networks {
        Networks(vec![network])
    }

    /// What settings call a network, or the hand-written evaluation.
    pub fn name(network: Option<&Arc<Network>>) -> String {
        network.map_or("hand".to_string(), |network| format!("network {:016x}", network.fingerprint()))
    }

    fn find(&self, name: &str) -> Result<Option<Arc<Network>>, WorkError> {
        let shipped = Network::shipped();
        let mut known = self.0.iter().chain([&shipped]).map(Some).chain([None]);
        let found = known.find(|&network| Networks::name(network) == name);
        let unknown = || WorkError(format!("expected a network that is here, found '{name}'"));
        found.map(Option::<&Arc<Network>>::cloned).ok_or_else(unknown)
    }
}

/// Does one unit after the other, and keeps what several of them need.
pub struct UnitWorker<'a> {
    build: Factory<'a>,
    networks: &'a Networks,
    is_timeless: bool,
    /// Agents that may play several games, by the player's name and spec.
    agents: HashMap<(String, String), Box<dyn Agent>>,
    self_play: Option<SelfPlay>,
    weigher: Option<Weigher>,
}

/// More players than this are not kept.
const MOST_AGENTS: usize = 64;

impl<'a> UnitWorker<'a> {
    /// A worker with these agents and networks. One without time plays with clocks that stand still.
    pub fn new(build: Factory<'a>, networks: &'a Networks, is_timeless: bool) -> UnitWorker<'a> {
        UnitWorker { build, networks, is_timeless, agents: HashMap::new(), self_play: None, weigher: None }
    }

    /// Does a unit; no outcome if it was stopped.
    pub fn perform(&mut self, unit: &Unit, stop: &Stop) -> Result<Option<UnitOutcome>, WorkError> {
        if stop.is_requested() {
            return Ok(None);
        }
        Ok(match unit {
            Unit::Pair(unit) => self.pair(unit, stop)?.map(UnitOutcome::Games),
            Unit::SelfPlay(unit) => self.self_play(unit, stop)?,
            Unit::Review(unit) => {
                let weigher = self.weigher.get_or_insert_with(Weigher::new);
                weigher.weigh(unit, stop).map_err(WorkError)?.map(UnitOutcome::Moves)
            }
            Unit::Count(unit) => count(unit, stop).map_err(WorkError)?.map(UnitOutcome::Counts),
        })
    }

    fn self_play(&mut self, unit: &SelfPlayUnit, stop: &Stop) -> Result<Option<UnitOutcome>, WorkError> {
        let there = self.self_play.take().filter(|player| player.settings() == &unit.settings);
        let player = match there {
            Some(player) => player,
            None => {
                let network = self.networks.find(&unit.settings.judge)?;
                SelfPlay::new(&unit.settings, network.as_ref()).map_err(|why| WorkError(why.to_string()))?
            }
        };
        let player = self.self_play.insert(player);
        let games = (unit.first..unit.first + unit.games).map(|number| player.play(number, stop));
        Ok(games.collect::<Option<Vec<_>>>().map(UnitOutcome::SelfPlay))
    }

    fn pair(&mut self, unit: &PairUnit, stop: &Stop) -> Result<Option<Vec<GameRecord>>, WorkError> {
        let games = unit.games.iter().map(|&game| self.game(unit, game, stop).transpose());
        // The first game that was stopped ends the unit.
        games
            .map_while(|game| game)
            .collect::<Result<Vec<_>, _>>()
            .map(|games| Some(games).filter(|games| games.len() == unit.games.len()))
    }

    /// Plays the first or the second game of a pair; none if it was broken off.
    fn game(&mut self, unit: &PairUnit, game: usize, stop: &Stop) -> Result<Option<GameRecord>, WorkError> {
        let index = 2 * unit.number + game;
        let seeds = seeds(unit.seed, index);
        let first = if game == 0 { Color::Black } else { Color::White };
        let player = |color: Color| &unit.players[usize::from(color != first)];
        let (b, w) = (player(Color::Black), player(Color::White));
        let mut black = self.agent(b, unit.is_match)?;
        let mut white = self.agent(w, unit.is_match)?;
        let seats = ByColor::new(
            RefereeSeat { name: &b.name, agent: &mut *black, limit: b.limit, seed: seeds.black },
            RefereeSeat { name: &w.name, agent: &mut *white, limit: w.limit, seed: seeds.white },
        );
        let (real, still) = (real_time(), || Duration::ZERO);
        let referee =
            Referee { conduct: &unit.conduct, now: if self.is_timeless { &still } else { &real }, stop };
        let result = referee.play(index, &unit.opening, seats).map_err(|why| WorkError(why.to_string()))?;
        // A player that failed may be in any state: the next game gets a new one.
        if unit.is_match && result.as_ref().is_some_and(|result| result.fault.is_none()) {
            self.keep(b, black);
            self.keep(w, white);
        }
        Ok(result)
    }

    fn keep(&mut self, player: &Player, agent: Box<dyn Agent>) {
        if self.agents.len() < MOST_AGENTS {
            self.agents.insert((player.name.clone(), player.spec.clone()), agent);
        }
    }

    /// The player's agent for a game: a new one if it makes random choices, else the one that is there.
    fn agent(&mut self, player: &Player, is_match: bool) -> Result<Box<dyn Agent>, WorkError> {
        let there = self.agents.remove(&(player.name.clone(), player.spec.clone()));
        let there = there.filter(|_| !is_seeded(&player.spec));
        match there.map_or_else(|| (self.build)(&player.spec), Ok) {
            Err(why) if is_match => Ok(Box::new(Absent { name: player.spec.clone(), why })),
            built => built.map_err(WorkError),
        }
    }
}

/// The searches of a unit, with the load that it asks for.
fn count(unit: &CountUnit, stop: &Stop) -> Result<Option<Vec<SearchCounts>>, String> {
    let over = Stop::default();
    std::thread::scope(|scope| {
        for _ in 0..unit.load {
            scope.spawn(|| {
                while !over.is_requested() {
                    std::hint::spin_loop();
                }
            });
        }
        let counts = search(unit, stop);
        over.request();
        counts
    })
}

/// A player that could not be built for a game, such as an engine that does not start again, and loses it.
struct Absent {
    name: String,
    why: String,
}

impl Agent for Absent {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, _: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
        Err(AgentError::Crashed(self.why.clone()))
    }
}

//! The runner: plays the games of a match on several threads, keeps them on disk, and resumes where it stopped.
//!
//! Each worker builds agents of its own. One that makes random choices is built for each game, and plays it with the
//! seed that the schedule gives it, so that a game does not depend on what was played before it, by which thread,
//! or in which run of the program.

mod collect;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

use sumito_agents::{Agent, AgentError, Info, Limits, Stop};
use sumito_rules::{ByColor, Color, Game, Move};

use crate::config::{ConfigError, MatchConfig, is_seeded};
use crate::opening::OpeningError;
use crate::referee::{GameResult, Referee, Seat, real_time};
use crate::schedule::Fixture;
use crate::tally::{Report, Tally};
use collect::Collector;
use store::Store;
pub use store::StoreError;
pub(crate) use store::{at, difference, for_each_line, pretty, replace};

/// Builds an agent from its spec, or says in a sentence why it cannot.
pub type Factory<'a> = &'a (dyn Fn(&str) -> Result<Box<dyn Agent>, String> + Sync);

/// The factory that knows every agent of the registry.
pub fn registered(spec: &str) -> Result<Box<dyn Agent>, String> {
    sumito_agents::registry::build(spec).map_err(|why| why.to_string())
}

/// A match to run.
pub struct Runner<'a> {
    /// What to play.
    pub config: &'a MatchConfig,
    /// How many games at a time.
    pub threads: usize,
    /// Where to keep games and results, if anywhere.
    pub dir: Option<&'a Path>,
    /// Who builds the players.
    pub build: Factory<'a>,
    /// Set from outside to end the match; games in progress are broken off and played again on resuming.
    pub stop: &'a Stop,
}

/// How far a match is, after each game.
pub struct Progress<'a> {
    /// The game that ended.
    pub game: &'a GameResult,
    /// Whether it was found on disk rather than played.
    pub resumed: bool,
    /// Games ended so far.
    pub ended: usize,
    /// Games of the whole schedule.
    pub scheduled: usize,
    /// The sums so far.
    pub tally: &'a Tally,
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// It makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A player cannot be built.
    #[error("{0}")]
    Player(String),
    /// An opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// It cannot be kept on disk.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How often the runner looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(50);

impl Runner<'_> {
    /// Plays what is left of the match, and writes the results even if it was stopped.
    pub fn run(&self, on_game: &mut dyn FnMut(&Progress<'_>)) -> Result<Report, MatchError> {
        self.config.check()?;
        for player in &self.config.players {
            (self.build)(&player.spec).map_err(MatchError::Player)?;
        }
        let fixtures = self.config.schedule();
        let mut collector = Collector::new(self.config, &fixtures);
        let mut store = match self.dir {
            None => None,
            Some(dir) => Some(Store::open(dir, self.config, |game| collector.resume(game, on_game))?),
        };
        let outcome = self.play_rest(&fixtures, &mut collector, &mut store, on_game);
        let report = collector.report();
        if let Some(store) = store {
            store.write_results(&report)?;
        }
        outcome.map(|()| report)
    }

    /// Plays the games that have not ended yet, until all have, the test is decided or somebody stops it.
    fn play_rest(
        &self,
        fixtures: &[Fixture],
        collector: &mut Collector<'_>,
        store: &mut Option<Store>,
        on_game: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<(), MatchError> {
        let pending: Vec<Fixture> =
            fixtures.iter().filter(|fixture| !collector.has(fixture.index)).copied().collect();
        if collector.is_decided() || self.stop.is_requested() {
            return Ok(());
        }
        let (next, halt) = (AtomicUsize::new(0), Stop::default());
        // Without room between them, so that workers are never ahead of what is kept on disk by more than a
        // game each.
        let (sender, receiver) = mpsc::sync_channel(0);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, pending.len().max(1)) {
                let (sender, pending, next, halt) = (sender.clone(), &pending, &next, &halt);
                scope.spawn(move || Worker::new(self, halt).work(pending, next, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            loop {
                if self.stop.is_requested() || collector.is_decided() || outcome.is_err() {
                    halt.request();
                }
                match receiver.recv_timeout(LOOK) {
                    Ok(Ok(game)) => {
                        let kept = store.as_mut().map_or(Ok(()), |store| store.append(&game));
                        outcome = outcome.and(kept.map_err(MatchError::from));
                        collector.take(game, false, on_game);
                    }
                    Ok(Err(error)) => outcome = outcome.and(Err(error)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return outcome,
                }
            }
        })
    }
}

/// A thread that plays games, and its agents.
struct Worker<'a> {
    runner: &'a Runner<'a>,
    halt: &'a Stop,
    /// Agents that may play several games, by the player's number.
    agents: HashMap<usize, Box<dyn Agent>>,
}

impl<'a> Worker<'a> {
    fn new(runner: &'a Runner<'a>, halt: &'a Stop) -> Worker<'a> {
        Worker { runner, halt, agents: HashMap::new() }
    }

    fn work(
        &mut self,
        pending: &[Fixture],
        next: &AtomicUsize,
        results: &SyncSender<Result<GameResult, MatchError>>,
    ) {
        while !self.halt.is_requested() {
            let Some(fixture) = pending.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let Some(result) = self.play(fixture).transpose() else { return };
            let failed = result.is_err();
            // Nobody listens any more only if the runner's thread has panicked.
            if results.send(result).is_err() || failed {
                return;
            }
        }
    }

    /// Plays a game; `None` if it was broken off.
    fn play(&mut self, fixture: &Fixture) -> Result<Option<GameResult>, MatchError> {
        let config = self.runner.config;
        let (mut black, mut white) = (self.agent(fixture, Color::Black), self.agent(fixture, Color::White));
        let seat = |color: Color| &config.players[fixture.players[color]];
        let (b, w) = (seat(Color::Black), seat(Color::White));
        let seats = ByColor::new(
            Seat { name: &b.name, agent: &mut *black, limit: b.limit, seed: fixture.seeds.black },
            Seat { name: &w.name, agent: &mut *white, limit: w.limit, seed: fixture.seeds.white },
        );
        let referee = Referee { conduct: &config.conduct, now: &real_time(), stop: self.halt };
        let result = referee.play(fixture.index, &config.openings[fixture.opening], seats)?;
        // A player that failed may be in any state: the next game gets a new one.
        if result.as_ref().is_some_and(|result| result.fault.is_none()) {
            self.agents.insert(fixture.players.black, black);
            self.agents.insert(fixture.players.white, white);
        }
        Ok(result)
    }

    /// The player's agent for a game: a new one if it makes random choices, else the one that is there. All
    /// could be built when the match began; one that no longer can, such as an engine that does not start
    /// again, is absent.
    fn agent(&mut self, fixture: &Fixture, color: Color) -> Box<dyn Agent> {
        let number = fixture.players[color];
        let spec = &self.runner.config.players[number].spec;
        let there = self.agents.remove(&number);
        let there = there.filter(|_| !is_seeded(spec));
        there
            .map_or_else(|| (self.runner.build)(spec), Ok)
            .unwrap_or_else(|why| Box::new(Absent { name: spec.clone(), why }))
    }
}

/// A player that could not be built for a game, and loses it.
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

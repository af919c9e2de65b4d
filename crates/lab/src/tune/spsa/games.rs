//! Plays the pairs of games that a tuning asks for, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sumito_agents::Stop;
use sumito_rules::{ByColor, Color};

use super::{Config, PairResult, Probe, spec_with};
use crate::config::seeded;
use crate::referee::{GameResult, Referee, Seat, real_time};
use crate::runner::{Factory, MatchError};
use crate::schedule::{Fixture, Format, Plan as Schedule, schedule};

/// Who plays the games of a tuning.
pub struct Games<'a> {
    config: &'a Config,
    fixtures: Vec<Fixture>,
    threads: usize,
    build: Factory<'a>,
    stop: &'a Stop,
}

/// The player whose values are moved with the signs, by its number in the schedule.
const PLUS: usize = 0;

impl<'a> Games<'a> {
    /// Games of a tuning on so many threads, broken off when `stop` is requested.
    pub fn new(config: &'a Config, threads: usize, build: Factory<'a>, stop: &'a Stop) -> Games<'a> {
        let fixtures = schedule(&Schedule {
            players: 2,
            format: Format::RoundRobin,
            openings: config.openings.len(),
            pairs: config.plan.all_pairs(),
            seed: config.plan.seed,
        });
        Games { config, fixtures, threads, build, stop }
    }

    /// Plays pairs; `None` if they were broken off. Calls `on_game` after every game.
    pub fn play(
        &self,
        probes: &[Probe],
        on_game: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<PairResult>>, MatchError> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let ended = Mutex::new(Vec::new());
        let work = || {
            while !failed.load(Ordering::Relaxed) && !self.stop.is_requested() {
                let game = next.fetch_add(1, Ordering::Relaxed);
                let Some(probe) = probes.get(game / 2) else { return };
                let result = self.play_one(probe, game % 2);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                ended.lock().expect("no worker panics with the lock").push((game / 2, result));
                on_game();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, 2 * probes.len().max(1)) {
                scope.spawn(work);
            }
        });
        let mut results = vec![PairResult::default(); probes.len()];
        for (probe, result) in ended.into_inner().expect("no worker panics with the lock") {
            let Some(result) = result? else { return Ok(None) };
            results[probe].games += result.games;
            results[probe].faults += result.faults;
        }
        let complete = results.iter().all(|result| result.games.games() == 2);
        Ok(complete.then_some(results))
    }

    /// Plays the first or second game of a pair, with new agents: nothing is left over from other values.
    fn play_one(&self, probe: &Probe, game: usize) -> Result<Option<PairResult>, MatchError> {
        let Config { agent, plan, limit, conduct, openings } = self.config;
        let fixture = &self.fixtures[2 * probe.pair + game];
        let values = |color: Color| if fixture.players[color] == PLUS { &probe.plus } else { &probe.minus };
        let spec = |color| spec_with(agent, &plan.params, values(color));
        let specs = ByColor::new(spec(Color::Black), spec(Color::White));
        let build = |color: Color| {
            let spec = seeded(&specs[color], fixture.seeds[color]);
            (self.build)(spec.as_ref().unwrap_or(&specs[color])).map_err(MatchError::Player)
        };
        let (mut black, mut white) = (build(Color::Black)?, build(Color::White)?);
        let seats = ByColor::new(
            Seat { name: &specs.black, agent: &mut *black, limit: *limit },
            Seat { name: &specs.white, agent: &mut *white, limit: *limit },
        );
        let referee = Referee { conduct, now: &real_time(), stop: self.stop };
        let result = referee.play(fixture.index, &openings[fixture.opening], seats)?;
        Ok(result.map(|result| summary(&result, fixture)))
    }
}

fn summary(result: &GameResult, fixture: &Fixture) -> PairResult {
    let plus = if fixture.players.black == PLUS { Color::Black } else { Color::White };
    let mut sum = PairResult { faults: u64::from(result.fault.is_some()), ..PairResult::default() };
    sum.games.add(result.ending(plus));
    sum
}

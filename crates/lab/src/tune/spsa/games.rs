//! The games of a tuning: each pair on an opening of its own.

use sumito_agents::Stop;

use super::{Config, PairResult, Probe};
use crate::runner::MatchError;
use crate::schedule::{Extent, Fixture, Format, Plan as Schedule, schedule};
use crate::stats::Wdl;
use crate::tune::games::{Ended, Games as Played, Pair};
use crate::tune::param::spec_with;
use crate::work::Executor;

/// Who plays the games of a tuning.
pub struct Games<'a> {
    config: &'a Config,
    fixtures: Vec<Fixture>,
    played: Played<'a>,
}

impl<'a> Games<'a> {
    /// Games of a tuning, broken off when `stop` is requested.
    pub fn new(config: &'a Config, executor: &'a dyn Executor, stop: &'a Stop) -> Games<'a> {
        let Config { plan, limit, conduct, openings, .. } = config;
        let fixtures = schedule(&Schedule {
            players: 2,
            format: Format::RoundRobin,
            extents: vec![Extent { pairs: plan.all_pairs(), openings: openings.len() }],
            seed: plan.seed,
        });
        let (limit, seed) = (*limit, plan.seed);
        Games { config, fixtures, played: Played { limit, conduct, openings, seed, executor, stop } }
    }

    /// Plays pairs; `None` if they were broken off. Calls `on_games` with how many more games have ended.
    pub fn play(
        &self,
        probes: &[Probe],
        on_games: &mut dyn FnMut(usize),
    ) -> Result<Option<Vec<PairResult>>, MatchError> {
        let pairs: Vec<Pair> = probes.iter().map(|probe| self.pair(probe)).collect();
        let played = self.played.play(&pairs, on_games)?;
        Ok(played.map(|pairs| pairs.into_iter().map(sum).collect()))
    }

    fn pair(&self, probe: &Probe) -> Pair {
        let spec = |values: &[f64]| spec_with(&self.config.agent, &self.config.plan.params, values);
        let opening = self.fixtures[2 * probe.pair].opening;
        Pair { number: probe.pair, opening, specs: [spec(&probe.plus), spec(&probe.minus)] }
    }
}

fn sum(games: [Ended; 2]) -> PairResult {
    let mut sum = PairResult { games: Wdl::default(), faults: 0 };
    for game in games {
        sum.games.add(game.ending);
        sum.faults += u64::from(game.is_fault);
    }
    sum
}

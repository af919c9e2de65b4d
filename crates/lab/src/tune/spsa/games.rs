//! The games of a tuning: each pair on an opening of its own.

use sumito_agents::Stop;

use super::{PairResult, Probe, SpsaConfig};
use crate::runner::MatchError;
use crate::schedule::{Extent, Fixture, Format, SchedulePlan, schedule};
use crate::stats::WdlCount;
use crate::tune::games::{EndedGame, PairGames, TunePair};
use crate::tune::param::spec_with;
use crate::work::Executor;

/// Who plays the games of a tuning.
pub struct SpsaGames<'a> {
    config: &'a SpsaConfig,
    fixtures: Vec<Fixture>,
    played: PairGames<'a>,
}

impl<'a> SpsaGames<'a> {
    /// Games of a tuning, broken off when `stop` is requested.
    pub fn new(config: &'a SpsaConfig, executor: &'a dyn Executor, stop: &'a Stop) -> SpsaGames<'a> {
        let SpsaConfig { plan, limit, conduct, openings, .. } = config;
        let fixtures = schedule(&SchedulePlan {
            players: 2,
            format: Format::RoundRobin,
            extents: vec![Extent { pairs: plan.all_pairs(), openings: openings.len() }],
            seed: plan.seed,
        });
        let (limit, seed) = (*limit, plan.seed);
        SpsaGames { config, fixtures, played: PairGames { limit, conduct, openings, seed, executor, stop } }
    }

    /// Plays pairs; `None` if they were broken off. Calls `on_games` with how many more games have ended.
    pub fn play(
        &self,
        probes: &[Probe],
        on_games: &mut dyn FnMut(usize),
    ) -> Result<Option<Vec<PairResult>>, MatchError> {
        let pairs: Vec<TunePair> = probes.iter().map(|probe| self.pair(probe)).collect();
        let played = self.played.play(&pairs, on_games)?;
        Ok(played.map(|pairs| pairs.into_iter().map(sum).collect()))
    }

    fn pair(&self, probe: &Probe) -> TunePair {
        let spec = |values: &[f64]| spec_with(&self.config.agent, &self.config.plan.params, values);
        let opening = self.fixtures[2 * probe.pair].opening;
        TunePair { number: probe.pair, opening, specs: [spec(&probe.plus), spec(&probe.minus)] }
    }
}

fn sum(games: [EndedGame; 2]) -> PairResult {
    let mut sum = PairResult { games: WdlCount::default(), faults: 0 };
    for game in games {
        sum.games.add(game.ending);
        sum.faults += u64::from(game.is_fault);
    }
    sum
}

//! The games of an evolution: the members with their weights as agents, against the coach or each other.

use sumito_agents::Stop;
use sumito_engine::Rng;

use super::{Bout, EvolveConfig, EvolveStage, GameSums};
use crate::runner::MatchError;
use crate::tune::games::{PairGames, TunePair};
use crate::tune::param::spec_with;
use crate::work::Executor;

/// Who plays the games of an evolution.
pub struct EvolveGames<'a> {
    config: &'a EvolveConfig,
    /// The openings in their order by lot.
    order: Vec<usize>,
    executor: &'a dyn Executor,
    stop: &'a Stop,
}

impl<'a> EvolveGames<'a> {
    /// Games of an evolution, broken off when `stop` is requested.
    pub fn new(config: &'a EvolveConfig, executor: &'a dyn Executor, stop: &'a Stop) -> EvolveGames<'a> {
        let mut order: Vec<usize> = (0..config.openings.len()).collect();
        Rng::new(config.plan.seed).shuffle(&mut order);
        EvolveGames { config, order, executor, stop }
    }

    /// Plays the bouts of a step; `None` if they were broken off. Calls `on_games` with how many more games have ended.
    pub fn play(
        &self,
        stage: EvolveStage,
        bouts: &[Bout],
        on_games: &mut dyn FnMut(usize),
    ) -> Result<Option<Vec<GameSums>>, MatchError> {
        let EvolveConfig { plan, limit, final_limit, conduct, openings, .. } = self.config;
        let limit = if stage == EvolveStage::Final { *final_limit } else { *limit };
        let (executor, stop) = (self.executor, self.stop);
        let games = PairGames { limit, conduct, openings, seed: plan.seed, executor, stop };
        let pairs: Vec<TunePair> = bouts.iter().map(|bout| self.pair(bout)).collect();
        let played = games.play(&pairs, on_games)?;
        let sum = |games: [_; 2]| {
            let mut record = GameSums::default();
            games.into_iter().for_each(|game| record.add(game, plan.scoring, conduct.rules.marbles_to_win));
            record
        };
        Ok(played.map(|pairs| pairs.into_iter().map(sum).collect()))
    }

    fn pair(&self, bout: &Bout) -> TunePair {
        let EvolveConfig { agent, coach, plan, .. } = self.config;
        let spec = |values: &Vec<f64>| spec_with(agent, &plan.weights, values);
        let second = bout.second.as_ref().map_or_else(|| coach.clone(), spec);
        let opening = self.order[bout.round % self.order.len()];
        TunePair { number: bout.number, opening, specs: [spec(&bout.first), second] }
    }
}

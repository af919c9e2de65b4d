//! What decides a tuning, and whether it can be run.

use serde::Serialize;

use super::SpsaPlan;
use crate::limit::LimitSpec;
use crate::opening::{self, Opening};
use crate::referee::Conduct;
use crate::runner::MatchError;
use crate::tune::param::spec_with;
use crate::work::Factory;

/// Everything that decides how a tuning goes. Two tunings with equal configurations are the same tuning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpsaConfig {
    /// The spec of the agent, start values included.
    pub agent: String,
    /// The numbers, and how they are moved.
    #[serde(flatten)]
    pub plan: SpsaPlan,
    /// How long the agent may think.
    pub limit: LimitSpec,
    /// How games are judged.
    pub conduct: Conduct,
    /// The openings, each for a pair of games in turn.
    pub openings: Vec<Opening>,
}

/// Why a tuning cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// There is nothing to tune.
    #[error("expected at least one parameter, one iteration and one pair of games in each")]
    Nothing,
    /// The learning rate makes no sense.
    #[error("expected a learning rate above 0 and at most 1, found {0}")]
    Rate(f64),
    /// Games cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
}

impl SpsaConfig {
    /// Refuses what cannot be run, before anything is written.
    pub fn check(&self, build: Factory<'_>) -> Result<(), SpsaError> {
        let plan = &self.plan;
        if plan.params.is_empty() || plan.all_pairs() == 0 {
            return Err(SpsaError::Nothing);
        }
        if !(plan.rate > 0.0 && plan.rate <= 1.0) {
            return Err(SpsaError::Rate(plan.rate));
        }
        opening::check(&self.openings, self.conduct.rules).map_err(MatchError::from)?;
        let start: Vec<f64> = plan.params.iter().map(|param| param.start).collect();
        build(&spec_with(&self.agent, &plan.params, &start)).map_err(MatchError::Player)?;
        Ok(())
    }
}

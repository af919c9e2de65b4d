//! What decides an evolution, and whether it can be run.

use serde::Serialize;

use super::EvolvePlan;
use crate::limit::LimitSpec;
use crate::opening::{self, Opening};
use crate::referee::Conduct;
use crate::runner::MatchError;
use crate::tune::param::{TunedParam, spec_with};
use crate::work::Factory;

/// Everything that decides how an evolution goes. Two with equal configurations are the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvolveConfig {
    /// The spec of the agent, with values for all its weights.
    pub agent: String,
    /// The spec of the coach, against whom fitness is measured.
    pub coach: String,
    /// The weights, and how they evolve.
    #[serde(flatten)]
    pub plan: EvolvePlan,
    /// How long everybody may think.
    pub limit: LimitSpec,
    /// How long in the final.
    pub final_limit: LimitSpec,
    /// How games are judged.
    pub conduct: Conduct,
    /// The openings, one for each round in turn.
    pub openings: Vec<Opening>,
}

/// Why an evolution cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum EvolveError {
    /// A number of the plan makes no sense.
    #[error("{name}: expected {expected}, found {found}")]
    Plan {
        /// Which number.
        name: &'static str,
        /// What makes sense.
        expected: String,
        /// What was found.
        found: String,
    },
    /// Games cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
}

/// More members, generations or pairs than anybody can wait for; products of them stay far from overflow.
const MOST: usize = 100_000;

impl EvolvePlan {
    /// Refuses numbers that make no sense.
    pub fn check(&self) -> Result<(), EvolveError> {
        let refuse = |name, expected: String, found: String| Err(EvolveError::Plan { name, expected, found });
        if self.weights.is_empty() {
            return refuse("weights", "at least one".to_string(), "none".to_string());
        }
        let counts = [
            ("island", self.island, 4, MOST),
            ("generations", self.generations, 1, MOST),
            ("pairs", self.pairs, 1, MOST),
            ("survivors", self.survivors, 1, self.island.saturating_sub(1)),
            ("rounds", self.rounds, 0, MOST),
            ("round-openings", self.round_openings, 1, MOST),
            ("group", self.group, 2, if self.rounds > 0 { (2 * self.island).isqrt() } else { MOST }),
            ("final-pairs", self.final_pairs, 1, MOST),
        ];
        for (name, found, least, most) in counts {
            if !(least..=most).contains(&found) {
                return refuse(name, format!("a whole number from {least} to {most}"), found.to_string());
            }
        }
        let parts =
            [("mutation", self.mutation, 0.0), ("reach", self.reach, 0.0), ("spread", self.spread, 0.001)];
        for (name, found, least) in parts {
            if !(least..=1.0).contains(&found) {
                return refuse(name, format!("a number from {least} to 1"), found.to_string());
            }
        }
        Ok(())
    }
}

impl EvolveConfig {
    /// Refuses what cannot be run, before anything is written.
    pub fn check(&self, build: Factory<'_>) -> Result<(), EvolveError> {
        self.plan.check()?;
        opening::check(&self.openings, self.conduct.rules).map_err(MatchError::from)?;
        build(&self.coach).map_err(MatchError::Player)?;
        let ends: [fn(&TunedParam) -> f64; 3] =
            [|weight| weight.start, |weight| weight.min, |weight| weight.max];
        for end in ends {
            let values: Vec<f64> = self.plan.weights.iter().map(end).collect();
            build(&spec_with(&self.agent, &self.plan.weights, &values)).map_err(MatchError::Player)?;
        }
        Ok(())
    }
}

//! SPSA over matches (Spall 1992, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation"): every pair of games moves all numbers at once, each up or down by chance, lets the
//! agent with these values play the one with the opposite values, and shifts all numbers a little to the winner.
//!
//! The gains are those that engine testers settled on. With N pairs in all, pair k (from 1) has for every number
//!
//! * the perturbation c_k = step (N / k)^0.101,
//! * the learning rate R_k = rate ((A + N) / (A + k))^0.602 (k / N)^0.202 with A a tenth of N,
//!
//! and moves it by R_k c_k (wins - losses) in the direction it was perturbed. So `step` and `rate` are those of the
//! last pair. Pairs of one iteration start from the same values, each with a perturbation of its own: they can
//! be played on any number of threads with the same result.

mod config;
mod games;
mod report;
mod store;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use sumito_engine::Rng;

use crate::stats::WdlCount;
use crate::tune::param::TunedParam;
pub use config::{SpsaConfig, SpsaError};
pub use games::SpsaGames;
pub use report::{Moved, SpsaReport};
pub use store::SpsaLine;

/// What falls with the pairs as (A + k) to this power: the learning rate.
const ALPHA: f64 = 0.602;
/// What falls with the pairs as k to this power: the perturbation.
const GAMMA: f64 = 0.101;
/// A, as a part of all pairs: keeps the first shifts from being wild.
const STABILITY: f64 = 0.1;

/// What decides a tuning, apart from the games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpsaPlan {
    /// The numbers to tune.
    pub params: Vec<TunedParam>,
    /// How often the values change.
    pub iterations: usize,
    /// Pairs of games in each iteration.
    pub pairs: usize,
    /// The learning rate at the end: the part of a perturbation by which a won game shifts a number.
    pub rate: f64,
    /// The seed of the perturbations.
    pub seed: u64,
}

impl SpsaPlan {
    /// Pairs in all.
    pub fn all_pairs(&self) -> usize {
        self.iterations * self.pairs
    }

    /// How many steps a pair perturbs by, and its learning rate.
    fn gains(&self, pair: usize) -> (f64, f64) {
        let (all, k) = (self.all_pairs() as f64, (pair + 1) as f64);
        let stability = STABILITY * all;
        let rate =
            self.rate * ((stability + all) / (stability + k)).powf(ALPHA) * (k / all).powf(2.0 * GAMMA);
        ((all / k).powf(GAMMA), rate)
    }

    /// The random numbers of a pair: nothing has to be kept between pairs.
    fn rng(&self, pair: usize) -> Rng {
        Rng::new(self.seed ^ Rng::new(pair as u64).next_u64())
    }

    /// For every number, whether a pair perturbs it upward.
    fn signs(&self, rng: &mut Rng) -> Vec<f64> {
        self.params.iter().map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
    }
}

/// A pair of games to play: the agent with one set of values against the one with the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Its place among all pairs, from 0.
    pub pair: usize,
    /// The values moved with the signs, as the agent gets them.
    pub plus: Vec<f64>,
    /// The values moved against them.
    pub minus: Vec<f64>,
}

/// How a pair ended for the values that were moved with the signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// Its games.
    #[serde(flatten)]
    pub games: WdlCount,
    /// Games that a player lost by its time, an illegal move or a breakdown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faults: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A tuning in progress.
#[derive(Clone, Debug)]
pub struct Spsa<'a> {
    plan: &'a SpsaPlan,
    values: Vec<f64>,
    history: Vec<Vec<f64>>,
    games: WdlCount,
    faults: u64,
}

impl<'a> Spsa<'a> {
    /// At the start values.
    pub fn new(plan: &'a SpsaPlan) -> Spsa<'a> {
        let values: Vec<f64> = plan.params.iter().map(|param| param.start).collect();
        Spsa { plan, history: vec![values.clone()], values, games: WdlCount::default(), faults: 0 }
    }

    /// What it follows.
    pub fn plan(&self) -> &'a SpsaPlan {
        self.plan
    }

    /// The values so far, fractions of whole numbers included.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values at the start and after every iteration.
    pub fn history(&self) -> &[Vec<f64>] {
        &self.history
    }

    /// Iterations so far.
    pub fn iterations(&self) -> usize {
        self.history.len() - 1
    }

    /// All games so far, for the values that were moved with the signs. Near even, since signs are chance.
    pub fn games(&self) -> WdlCount {
        self.games
    }

    /// Games that did not end on the board.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Whether all iterations are done.
    pub fn is_finished(&self) -> bool {
        self.iterations() >= self.plan.iterations
    }

    /// The pairs of the next iteration.
    pub fn probes(&self) -> Vec<Probe> {
        let first = self.iterations() * self.plan.pairs;
        (first..first + self.plan.pairs).map(|pair| self.probe(pair)).collect()
    }

    /// Whole numbers are rounded up or down by chance, so that on average nothing is lost between them; both sides
    /// by the same chance, so that they do not differ by rounding alone.
    fn probe(&self, pair: usize) -> Probe {
        let (steps, _) = self.plan.gains(pair);
        let mut rng = self.plan.rng(pair);
        let signs = self.plan.signs(&mut rng);
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for ((param, value), sign) in self.plan.params.iter().zip(&self.values).zip(signs) {
            let (shift, chance) = (sign * steps * param.step, rng.unit());
            plus.push(param.playable(value + shift, chance));
            minus.push(param.playable(value - shift, chance));
        }
        Probe { pair, plus, minus }
    }

    /// Moves the values by the results of an iteration, one for each of its pairs.
    pub fn learn(&mut self, results: &[PairResult]) {
        let first = self.iterations() * self.plan.pairs;
        for (pair, result) in (first..).zip(results) {
            let (steps, rate) = self.plan.gains(pair);
            let lead = result.games.wins as f64 - result.games.losses as f64;
            let signs = self.plan.signs(&mut self.plan.rng(pair));
            for ((param, value), sign) in self.plan.params.iter().zip(&mut self.values).zip(signs) {
                *value = (*value + rate * steps * param.step * lead * sign).clamp(param.min, param.max);
            }
            self.games += result.games;
            self.faults += result.faults;
        }
        self.history.push(self.values.clone());
    }
}

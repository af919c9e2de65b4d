//! What a run made.

use serde::Serialize;

use super::model::Model;
use super::run::{Goal, State, sigmoid};
use super::samples::{Sample, Samples};
use crate::train::Epoch;

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Whether all epochs are over.
    pub finished: bool,
    /// Positions learned from.
    pub positions: usize,
    /// Positions of other games, kept for validation.
    pub validation: usize,
    /// The epochs.
    pub epochs: Vec<Epoch>,
    /// The scale at which the search's scores foretell the results best, in hundredths of a marble.
    pub score_scale: f64,
    /// How well results are foretold: the mean surprise over the positions kept for validation (without such, over
    /// those learned from) of the engine's weights, of the new ones, and of the search's scores.
    pub results: Foretold,
    /// The numbers, as tables of the engine's source.
    pub source: String,
}

/// The mean surprise by the results, in nats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Foretold {
    /// With the engine's weights, at the scale that suits them best.
    pub engine: f64,
    /// With the new weights.
    pub tuned: f64,
    /// With the search's scores.
    pub search: f64,
}

impl Report {
    pub(super) fn new(state: &State, samples: &Samples, goal: &Goal) -> Report {
        let part = if samples.validation.is_empty() { &samples.train } else { &samples.validation };
        let mean = |sum: f64| sum / part.len().max(1) as f64;
        let engine = Model::engine();
        let phases = engine.phases();
        let values: Vec<f64> = part.iter().map(|sample| engine.value(&phases, sample)).collect();
        let results = || part.iter().map(Sample::result);
        let scale = best_scale(values.iter().copied().zip(results())).unwrap_or(goal.scale);
        let surprise = |(value, result): (f64, f64)| {
            let chance = sigmoid(value).clamp(1e-12, 1.0 - 1e-12);
            -result * chance.ln() - (1.0 - result) * (1.0 - chance).ln()
        };
        let scores = part.iter().map(|sample| sample.score() / goal.score_scale);
        Report {
            finished: state.history.len() >= state.settings.epochs,
            positions: samples.train.len(),
            validation: samples.validation.len(),
            epochs: state.history.clone(),
            score_scale: goal.score_scale,
            results: Foretold {
                engine: mean(values.iter().map(|value| value / scale).zip(results()).map(surprise).sum()),
                tuned: Goal { lambda: 1.0, ..*goal }.loss(&state.model, part).unwrap_or(0.0),
                search: mean(scores.zip(results()).map(surprise).sum()),
            },
            source: state.model.source(),
        }
    }
}

/// The scale at which scores foretell results best; none if they do not foretell them at all.
pub(super) fn result_scale(samples: &[Sample]) -> Option<f64> {
    best_scale(samples.iter().map(|sample| (sample.score(), sample.result())))
}

/// The scale under which the chances of values have the least relative entropy to the results, by Newton's method on
/// its inverse.
fn best_scale(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let mut factor = 1.0 / 400.0;
    for _ in 0..20 {
        let (mut slope, mut bend) = (0.0, 1e-9);
        for (value, result) in pairs.clone() {
            let chance = sigmoid(value * factor);
            slope += (chance - result) * value;
            bend += chance * (1.0 - chance) * value * value;
        }
        // A step is never longer than the factor itself: far off, the parabola is no good guide.
        let step: f64 = slope / bend;
        factor -= step.clamp(-factor, factor / 2.0);
    }
    (factor > 1e-5 && factor < 1.0).then_some(1.0 / factor)
}

//! What a run made.

use serde::Serialize;

use super::model::TexelModel;
use super::run::{TexelGoal, TexelState, sigmoid};
use super::samples::{TexelSample, TexelSamples};
use crate::data::best_scale;
use crate::train::Epoch;

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TexelReport {
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

impl TexelReport {
    pub(super) fn new(state: &TexelState, samples: &TexelSamples, goal: &TexelGoal) -> TexelReport {
        let part = if samples.validation.is_empty() { &samples.train } else { &samples.validation };
        let mean = |sum: f64| sum / part.len().max(1) as f64;
        let engine = TexelModel::engine();
        let phases = engine.phases();
        let values: Vec<f64> = part.iter().map(|sample| engine.value(&phases, sample)).collect();
        let results = || part.iter().map(TexelSample::result);
        let scale = best_scale(values.iter().copied().zip(results())).unwrap_or(goal.scale);
        let surprise = |(value, result): (f64, f64)| {
            let chance = sigmoid(value).clamp(1e-12, 1.0 - 1e-12);
            -result * chance.ln() - (1.0 - result) * (1.0 - chance).ln()
        };
        let scores = part.iter().map(|sample| sample.score() / goal.score_scale);
        TexelReport {
            finished: state.history.len() >= state.settings.epochs,
            positions: samples.train.len(),
            validation: samples.validation.len(),
            epochs: state.history.clone(),
            score_scale: goal.score_scale,
            results: Foretold {
                engine: mean(values.iter().map(|value| value / scale).zip(results()).map(surprise).sum()),
                tuned: TexelGoal { lambda: 1.0, ..*goal }.loss(&state.model, part).unwrap_or(0.0),
                search: mean(scores.zip(results()).map(surprise).sum()),
            },
            source: state.model.source(),
        }
    }
}

/// The scale at which scores foretell results best; none if they do not foretell them at all.
pub(super) fn result_scale(samples: &[TexelSample]) -> Option<f64> {
    best_scale(samples.iter().map(|sample| (sample.score(), sample.result())))
}

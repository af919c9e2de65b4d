//! What a training run made: its losses, what rounding for the engine costs, and what the network says of a lead.

use serde::Serialize;
use sumito_engine::network::{Network, NetworkError};
use sumito_rules::{Color, Symmetry};

use super::checkpoint::Epoch;
use super::gradient::Scratch;
use super::model::Model;
use super::samples::{TrainSample, TrainSamples};
use super::settings::TrainSettings;
use crate::data::best_scale;

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainReport {
    /// Whether all epochs are over.
    pub finished: bool,
    /// Positions learned from.
    pub positions: usize,
    /// Positions of other games, kept for validation.
    pub validation: usize,
    /// The epochs.
    pub epochs: Vec<Epoch>,
    /// What rounding costs.
    pub rounding: Rounding,
    /// The scale at which the search's scores foretell the results best, in hundredths of a marble; none if they do
    /// not foretell them at all.
    pub result_scale: Option<f64>,
    /// What the network says, by the lead of the side to move.
    pub leads: Vec<Lead>,
}

/// The network as it was trained beside the network as the engine computes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rounding {
    /// The mean loss as trained.
    pub trained_loss: f64,
    /// The mean loss as computed by the engine.
    pub engine_loss: f64,
    /// How far values are apart on average, in hundredths of a marble.
    pub mean_difference: f64,
    /// How far they are apart at most.
    pub max_difference: f64,
}

/// Positions with the same lead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lead {
    /// Marbles pushed off by the side to move less those by the other side.
    pub lead: i32,
    /// How many positions.
    pub positions: usize,
    /// The mean of the search's scores, in hundredths of a marble.
    pub score: f64,
    /// The mean of the network's values.
    pub value: f64,
    /// The mean result of the side to move, 0 to 1.
    pub result: f64,
}

/// So many positions say enough.
const ENOUGH: usize = 200_000;

impl TrainReport {
    /// Looks at the positions kept for validation, or without any at those learned from.
    pub(super) fn new(
        settings: &TrainSettings,
        samples: &TrainSamples,
        model: &Model,
        epochs: &[Epoch],
        finished: bool,
    ) -> Result<TrainReport, NetworkError> {
        let part = if samples.validation.is_empty() { &samples.train } else { &samples.validation };
        let part = &part[..part.len().min(ENOUGH)];
        let network = Network::new(&model.quantised(settings.scale)?)?;
        let mut scratch = Scratch::new(model.shape.width);
        let mut sums =
            Rounding { trained_loss: 0.0, engine_loss: 0.0, mean_difference: 0.0, max_difference: 0.0 };
        let mut leads = vec![(0usize, [0.0; 3]); 13];
        for sample in part {
            let scene = sample.scene(Symmetry::IDENTITY, settings.cap);
            let output = scratch.output(model, &scene);
            let value = network.output(&network.refresh(&scene), Color::Black);
            let (goal, scale) = (sample.goal(), settings.scale as f32);
            sums.trained_loss += f64::from(settings.loss.of(output, goal).0);
            sums.engine_loss += f64::from(settings.loss.of(value as f32 / scale, goal).0);
            let difference = f64::from(output * scale - value as f32).abs();
            sums.mean_difference += difference;
            sums.max_difference = sums.max_difference.max(difference);
            let [own, enemy] = sample.pushed();
            let (count, means) = &mut leads[usize::from(6 + own - enemy)];
            *count += 1;
            let terms = [f64::from(sample.score()), f64::from(value), f64::from(sample.result())];
            (0..3).for_each(|i| means[i] += terms[i]);
        }
        let count = part.len().max(1) as f64;
        let mean = |sum: f64| sum / count;
        let lead = |(lead, (positions, sums)): (i32, (usize, [f64; 3]))| {
            let [score, value, result] = sums.map(|sum| sum / positions as f64);
            Lead { lead, positions, score, value, result }
        };
        Ok(TrainReport {
            finished,
            positions: samples.train.len(),
            validation: samples.validation.len(),
            epochs: epochs.to_vec(),
            rounding: Rounding {
                trained_loss: mean(sums.trained_loss),
                engine_loss: mean(sums.engine_loss),
                mean_difference: mean(sums.mean_difference),
                max_difference: sums.max_difference,
            },
            result_scale: result_scale(part),
            leads: (-6..).zip(leads).filter(|(_, (count, _))| *count > 0).map(lead).collect(),
        })
    }
}

/// The scale at which scores foretell results best; none if they do not foretell them at all.
fn result_scale(samples: &[TrainSample]) -> Option<f64> {
    best_scale(samples.iter().map(|sample| (f64::from(sample.score()), f64::from(sample.result()))))
}

#[cfg(test)]
mod tests {
    use super::super::gradient::sigmoid;
    use super::super::samples::tests::toy;
    use super::*;
    use crate::data::record::tests::records;
    use crate::stats::Ending;
    use sumito_engine::Rng;

    #[test]
    fn the_scale_of_results_is_found() {
        let mut rng = Rng::new(4);
        let mut records = records(30_000, 9);
        for record in &mut records {
            record.score = rng.below(2000) as i16 - 1000;
            let chance = f64::from(sigmoid(f32::from(record.score) / 250.0));
            record.ending = if rng.unit() < chance { Ending::Win } else { Ending::Loss };
        }
        let samples: Vec<TrainSample> = records.iter().map(|record| TrainSample::new(record, 0.5)).collect();
        let found = result_scale(&samples).unwrap();
        assert!((235.0..265.0).contains(&found), "{found}");
        assert_eq!(result_scale(&[]), Some(400.0));
    }

    #[test]
    fn rounding_changes_values_by_little() {
        let settings = TrainSettings { width: 32, ..TrainSettings::default() };
        let model = Model::new(super::super::model::NetworkShape::new(&settings), 2);
        let report = TrainReport::new(&settings, &toy(3000), &model, &[], true).unwrap();
        assert!(
            report.rounding.mean_difference < 20.0 && report.rounding.mean_difference > 0.0,
            "{report:?}"
        );
        assert!(report.rounding.max_difference >= report.rounding.mean_difference);
        let counted: usize = report.leads.iter().map(|lead| lead.positions).sum();
        assert_eq!(counted, report.validation);
    }
}

//! A run: epochs of batches, validation after each epoch, and everything kept on disk.

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use sumito_agents::Stop;
use sumito_engine::Rng;

use super::model::{NUMBERS, Slopes, TexelModel};
use super::report::{TexelReport, result_scale};
use super::samples::{TexelSample, TexelSamples};
use super::settings::TexelSettings;
use super::store::TexelFolder;
use crate::train::{Epoch, TrainError};

/// All that a run needs.
pub struct TexelTuner<'a> {
    /// What to do.
    pub settings: &'a TexelSettings,
    /// What to learn from.
    pub samples: &'a TexelSamples,
    /// Where everything is kept, and where a run goes on that was stopped.
    pub dir: &'a Path,
    /// Ends the run in good order, after the epoch that is going on.
    pub stop: &'a Stop,
}

/// Everything that changes while a run goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TexelState {
    pub(super) settings: TexelSettings,
    /// A number that names the data.
    pub(super) data: u64,
    pub(super) model: TexelModel,
    /// Adam's means of slopes and of their squares.
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
    pub(super) history: Vec<Epoch>,
}

impl TexelState {
    fn new(settings: &TexelSettings, data: u64) -> TexelState {
        TexelState {
            settings: settings.clone(),
            data,
            model: if settings.fresh { TexelModel::fresh() } else { TexelModel::engine() },
            mean: vec![0.0; NUMBERS],
            square: vec![0.0; NUMBERS],
            steps: 0,
            history: Vec::new(),
        }
    }

    /// One step of Adam (Kingma and Ba 2014). `units` are the sizes by which the numbers are measured, so that a
    /// step moves every number by the same part of its term's weight in the value.
    fn step(&mut self, slopes: &[f64], units: &[f64], rate: f64) {
        const MEMORY: [f64; 2] = [0.9, 0.999];
        self.steps += 1;
        let fading = MEMORY.map(|memory| 1.0 - memory.powi(self.steps));
        for i in 0..NUMBERS {
            let slope = slopes[i] * units[i] + self.settings.decay * self.model.0[i] / units[i];
            self.mean[i] += (1.0 - MEMORY[0]) * (slope - self.mean[i]);
            self.square[i] += (1.0 - MEMORY[1]) * (slope * slope - self.square[i]);
            let size = (self.square[i] / fading[1]).sqrt() + 1e-12;
            self.model.0[i] -= rate * units[i] * self.mean[i] / fading[0] / size;
        }
    }
}

pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What is learned: a mixture of the result and of the score's chance, and how a value becomes a chance.
#[derive(Clone, Copy)]
pub(super) struct TexelGoal {
    pub(super) lambda: f64,
    pub(super) scale: f64,
    /// The scale at which the search's scores foretell the results best.
    pub(super) score_scale: f64,
}

impl TexelGoal {
    fn wanted(&self, sample: &TexelSample) -> f64 {
        self.lambda * sample.result() + (1.0 - self.lambda) * sigmoid(sample.score() / self.score_scale)
    }

    /// The chance that a value stands for, the one that is wanted, and the surprise.
    pub(super) fn compare(&self, value: f64, sample: &TexelSample) -> (f64, f64, f64) {
        let (chance, wanted) = (sigmoid(value / self.scale), self.wanted(sample));
        let [yes, no] = [chance, 1.0 - chance].map(|chance| chance.max(1e-12).ln());
        (chance, wanted, -wanted * yes - (1.0 - wanted) * no)
    }

    /// The mean surprise of a model over some positions; none without any.
    pub(super) fn loss(&self, model: &TexelModel, samples: &[TexelSample]) -> Option<f64> {
        let phases = model.phases();
        let sum: f64 =
            samples.iter().map(|sample| self.compare(model.value(&phases, sample), sample).2).sum();
        (!samples.is_empty()).then(|| sum / samples.len() as f64)
    }
}

impl TexelTuner<'_> {
    /// Tunes, or goes on, until the last epoch is over or a stop is requested. Tells of every epoch.
    pub fn run(&self, report: &mut dyn FnMut(&Epoch)) -> Result<TexelReport, TrainError> {
        let settings = self.settings;
        settings.check().map_err(TrainError::Settings)?;
        if self.samples.train.is_empty() {
            return Err(TrainError::NoPositions);
        }
        let data = self.samples.fingerprint();
        let (store, found) = TexelFolder::open(self.dir, settings, data)?;
        let mut state = found.unwrap_or_else(|| TexelState::new(settings, data));
        let score_scale = result_scale(&self.samples.train).unwrap_or(settings.scale);
        let goal = TexelGoal { lambda: settings.lambda, scale: settings.scale, score_scale };
        let units = self.units();
        while state.history.len() < settings.epochs && !self.stop.is_requested() {
            let epoch = self.epoch(&mut state, &goal, &units);
            report(&epoch);
            state.history.push(epoch);
            store.keep(&state)?;
        }
        let result = TexelReport::new(&state, self.samples, &goal);
        store.keep_report(&result)?;
        Ok(result)
    }

    fn epoch(&self, state: &mut TexelState, goal: &TexelGoal, units: &[f64]) -> Epoch {
        let (settings, train, start) = (self.settings, &self.samples.train, Instant::now());
        let number = state.history.len();
        let mut order: Vec<u32> = (0..train.len() as u32).collect();
        Rng::new(settings.seed ^ (number as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)).shuffle(&mut order);
        let (mut sum, mut rate, mut done) = (0.0, settings.rate, 0);
        for batch in order.chunks(settings.batch) {
            let (phases, mut slopes) = (state.model.phases(), Slopes::new());
            for &index in batch {
                let sample = &train[index as usize];
                let (chance, wanted, loss) = goal.compare(state.model.value(&phases, sample), sample);
                slopes.add(sample, (chance - wanted) / settings.scale / batch.len() as f64);
                sum += loss;
            }
            rate = settings
                .rate_at((number as f64 + f64::from(done) / train.len() as f64) / settings.epochs as f64);
            done += batch.len() as u32;
            state.step(&slopes.numbers(), units, rate);
        }
        Epoch {
            epoch: number + 1,
            train: sum / train.len() as f64,
            validation: goal.loss(&state.model, &self.samples.validation),
            rate,
            speed: train.len() as f64 / start.elapsed().as_secs_f64().max(1e-9),
        }
    }

    /// For each number, the change of it that moves values by one scale on average.
    fn units(&self) -> Vec<f64> {
        // Some thousand positions are enough to see how large the counts are.
        let some = &self.samples.train[..self.samples.train.len().min(20_000)];
        let mut squares = vec![0.0; NUMBERS];
        for sample in some {
            let mut slopes = Slopes::new();
            slopes.add(sample, 1.0);
            squares.iter_mut().zip(slopes.numbers()).for_each(|(square, slope)| *square += slope * slope);
        }
        let unit = |square: f64| self.settings.scale / (square / some.len() as f64).sqrt().max(1e-3);
        squares.into_iter().map(unit).collect()
    }
}

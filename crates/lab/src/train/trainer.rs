//! A training run: epochs of batches on all threads, validation after each epoch, and everything kept on disk.

use std::path::Path;
use std::time::Instant;

use sumito_agents::Stop;
use sumito_engine::Rng;
use sumito_engine::network::Weights;
use sumito_rules::Symmetry;

use super::adam::Adam;
use super::checkpoint::{Epoch, TrainState};
use super::gradient::Scratch;
use super::model::{Model, NetworkShape};
use super::report::TrainReport;
use super::samples::{TrainSample, TrainSamples};
use super::settings::TrainSettings;
use super::store::{TrainError, TrainFolder};

/// All that a training run needs.
pub struct Trainer<'a> {
    /// What to do.
    pub settings: &'a TrainSettings,
    /// What to learn from.
    pub samples: &'a TrainSamples,
    /// The network that the first weights come from; the settings must name it.
    pub start: Option<&'a Weights>,
    /// How many threads. The same number gives the same network.
    pub threads: usize,
    /// Where everything is kept, and where a run goes on that was stopped.
    pub dir: &'a Path,
    /// Ends the run in good order.
    pub stop: &'a Stop,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct TrainProgress<'a> {
    /// Positions learned from, counted anew in each epoch.
    pub positions: u64,
    /// The same over the whole run when it is over.
    pub whole: u64,
    /// The mean loss of this epoch so far.
    pub loss: f64,
    /// The epochs that are over.
    pub history: &'a [Epoch],
    /// Whether an earlier run made what is there so far.
    pub resumed: bool,
}

impl Trainer<'_> {
    /// Trains, or goes on, until the last epoch is over or a stop is requested.
    pub fn run(&self, report: &mut dyn FnMut(&TrainProgress<'_>)) -> Result<TrainReport, TrainError> {
        self.settings.check().map_err(TrainError::Settings)?;
        if self.samples.train.is_empty() {
            return Err(TrainError::NoPositions);
        }
        let first = self.first_model().map_err(TrainError::Settings)?;
        let data = self.samples.fingerprint();
        let (store, found) = TrainFolder::open(self.dir, self.settings, data)?;
        let mut run = found.unwrap_or_else(|| Run::new(first, data));
        run.threads = (0..self.threads.max(1)).map(|_| Thread::new(&run.model.shape)).collect();
        report(&run.progress(self, run.state.epoch + run.state.batch > 0));
        while run.state.epoch < self.settings.epochs && !self.stop.is_requested() {
            if self.epoch(&mut run, report) {
                store.keep_epoch(&run, self.settings)?;
            }
        }
        store.keep(&run, self.settings)?;
        let finished = run.state.epoch >= self.settings.epochs;
        let result = TrainReport::new(self.settings, self.samples, &run.model, &run.state.history, finished)?;
        store.keep_report(&result)?;
        Ok(result)
    }

    /// The network before training.
    fn first_model(&self) -> Result<Model, String> {
        let TrainSettings { seed, scale, .. } = *self.settings;
        let shape = NetworkShape::new(self.settings);
        let named = self.start.map(Weights::fingerprint);
        if named != self.settings.start {
            return Err(format!("expected a start from {:?}, found {named:?}", self.settings.start));
        }
        match self.start {
            Some(start) => Model::started(shape, seed, start, scale),
            None => Ok(Model::new(shape, seed)),
        }
    }

    /// One epoch, or what is left of it; whether it came to its end.
    fn epoch(&self, run: &mut Run, report: &mut dyn FnMut(&TrainProgress<'_>)) -> bool {
        let (settings, train) = (self.settings, &self.samples.train);
        let order = order(train.len(), settings.seed, run.state.epoch);
        let batches = train.len().div_ceil(settings.batch);
        while run.state.batch < batches {
            if self.stop.is_requested() {
                return false;
            }
            let start = Instant::now();
            let first = run.state.batch * settings.batch;
            let batch = &order[first..(first + settings.batch).min(train.len())];
            let loss = run.gradient(self, batch) + f64::from_bits(run.state.loss);
            let done =
                (run.state.epoch * batches + run.state.batch) as f64 / (settings.epochs * batches) as f64;
            run.step(settings, batch.len(), settings.rate_at(done));
            run.state.batch += 1;
            run.state.loss = loss.to_bits();
            run.state.seconds += start.elapsed().as_secs_f64();
            report(&run.progress(self, false));
        }
        self.finish_epoch(run, batches);
        true
    }

    fn finish_epoch(&self, run: &mut Run, batches: usize) {
        let count = self.samples.train.len() as f64;
        let state = &mut run.state;
        let done = ((state.epoch + 1) * batches) as f64 / (self.settings.epochs * batches) as f64;
        let validation = mean_loss(self.settings, &run.model, &self.samples.validation, self.threads);
        state.history.push(Epoch {
            epoch: state.epoch + 1,
            train: f64::from_bits(state.loss) / count,
            validation,
            rate: self.settings.rate_at(done),
            speed: count / state.seconds.max(1e-9),
        });
        (state.epoch, state.batch, state.loss, state.seconds) = (state.epoch + 1, 0, 0f64.to_bits(), 0.0);
    }
}

/// What changes while a run goes on.
pub(super) struct Run {
    pub(super) state: TrainState,
    pub(super) model: Model,
    pub(super) adam: Adam,
    threads: Vec<Thread>,
}

/// What one thread has to itself.
struct Thread {
    scratch: Scratch,
    gradient: Vec<f32>,
}

impl Thread {
    fn new(shape: &NetworkShape) -> Thread {
        Thread { scratch: Scratch::new(shape.width), gradient: vec![0.0; shape.size()] }
    }

    /// Adds the gradient of some positions, and returns the sum of their losses.
    fn work(&mut self, trainer: &Trainer<'_>, model: &Model, epoch: usize, batch: &[u32]) -> f64 {
        let settings = trainer.settings;
        let mut sum = 0.0;
        for &index in batch {
            let sample = &trainer.samples.train[index as usize];
            let scene = sample.scene(symmetry(settings, epoch, index), settings.cap);
            let loss = self.scratch.learn(model, &scene, sample.goal(), settings.loss, &mut self.gradient);
            sum += f64::from(loss);
        }
        sum
    }
}

impl Run {
    fn new(model: Model, data: u64) -> Run {
        let adam = Adam::new(&model.shape);
        Run::from_parts(TrainState { data, ..TrainState::default() }, model, adam)
    }

    pub(super) fn from_parts(state: TrainState, model: Model, adam: Adam) -> Run {
        Run { state, model, adam, threads: Vec::new() }
    }

    /// The threads share a batch; each adds up a gradient of its own, so that their order does not matter.
    fn gradient(&mut self, trainer: &Trainer<'_>, batch: &[u32]) -> f64 {
        let (model, epoch) = (&self.model, self.state.epoch);
        let share = batch.len().div_ceil(self.threads.len()).max(1);
        let mut parts = batch.chunks(share).zip(&mut self.threads);
        std::thread::scope(|scope| {
            let own = parts.next();
            let others: Vec<_> = parts
                .map(|(part, thread)| scope.spawn(|| thread.work(trainer, model, epoch, part)))
                .collect();
            let first = own.map_or(0.0, |(part, thread)| thread.work(trainer, model, epoch, part));
            first + others.into_iter().map(|thread| thread.join().expect("a thread that ends")).sum::<f64>()
        })
    }

    fn step(&mut self, settings: &TrainSettings, positions: usize, rate: f64) {
        let mut gradients: Vec<Vec<f32>> =
            self.threads.iter_mut().map(|thread| std::mem::take(&mut thread.gradient)).collect();
        self.adam.step(&mut self.model, &mut gradients, positions, rate as f32, settings.decay as f32);
        self.threads.iter_mut().zip(gradients).for_each(|(thread, gradient)| thread.gradient = gradient);
        self.state.steps = self.adam.steps;
    }

    fn progress(&self, trainer: &Trainer<'_>, resumed: bool) -> TrainProgress<'_> {
        let count = trainer.samples.train.len();
        let positions = (self.state.batch * trainer.settings.batch).min(count);
        TrainProgress {
            positions: (self.state.epoch * count + positions) as u64,
            whole: (trainer.settings.epochs * count) as u64,
            loss: f64::from_bits(self.state.loss) / positions.max(1) as f64,
            history: &self.state.history,
            resumed,
        }
    }
}

/// The order of positions in an epoch.
fn order(count: usize, seed: u64, epoch: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    Rng::new(seed ^ (epoch as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)).shuffle(&mut order);
    order
}

/// The symmetry under which a position is seen in an epoch.
fn symmetry(settings: &TrainSettings, epoch: usize, index: u32) -> Symmetry {
    if !settings.symmetries {
        return Symmetry::IDENTITY;
    }
    let mut rng = Rng::new(settings.seed.rotate_left(40) ^ (epoch as u64) << 32 ^ u64::from(index));
    Symmetry::ALL[rng.below(12)]
}

/// The mean loss over some positions as they are; none without any.
fn mean_loss(
    settings: &TrainSettings,
    model: &Model,
    samples: &[TrainSample],
    threads: usize,
) -> Option<f64> {
    // In parts of the same size whatever the number of threads, so that the sum is the same too.
    const PART: usize = 4096;
    let sum_of = |part: &[TrainSample], scratch: &mut Scratch| -> f64 {
        let losses = part.iter().map(|sample| {
            let output = scratch.output(model, &sample.scene(Symmetry::IDENTITY, settings.cap));
            f64::from(settings.loss.of(output, sample.goal()).0)
        });
        losses.sum()
    };
    let parts: Vec<&[TrainSample]> = samples.chunks(PART).collect();
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    let work = |parts: &[&[TrainSample]]| -> Vec<f64> {
        let mut scratch = Scratch::new(model.shape.width);
        parts.iter().map(|part| sum_of(part, &mut scratch)).collect()
    };
    let work = &work;
    let sums = std::thread::scope(|scope| {
        let threads: Vec<_> = parts.chunks(share).map(|parts| scope.spawn(move || work(parts))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends")).collect::<Vec<_>>()
    });
    (!samples.is_empty()).then(|| sums.into_iter().sum::<f64>() / samples.len() as f64)
}

//! Positions in memory: those to learn from, and those of other games to see what was learned.

use std::path::PathBuf;

use sumito_engine::Rng;

use super::{DataError, DataRecord, read_each};

/// A position as somebody learns from it.
pub trait Learned: Sized {
    /// What decides how.
    type Settings;

    /// The part of the games that is kept for validation.
    fn validation(settings: &Self::Settings) -> f64;

    /// The positions of a game that are wanted.
    fn from_game(game: &[DataRecord], settings: &Self::Settings) -> Vec<Self>;

    /// A number that tells positions apart.
    fn word(&self) -> u64;
}

/// The positions of some files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples<S> {
    /// Those to learn from.
    pub train: Vec<S>,
    /// Those of other games, to see what was learned.
    pub validation: Vec<S>,
}

impl<S> Default for Samples<S> {
    fn default() -> Samples<S> {
        Samples { train: Vec::new(), validation: Vec::new() }
    }
}

impl<S: Learned> Samples<S> {
    /// Reads the positions of files that the settings want. Tells how many of all bytes were read.
    pub fn read(
        paths: &[PathBuf],
        settings: &S::Settings,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Samples<S>, DataError> {
        let mut samples = Samples::default();
        read_each(paths, progress, |records, seed| samples.add(records, seed, settings))?;
        Ok(samples)
    }

    /// Adds the records of a file that was made with a seed. Which games are kept for validation depends on that
    /// seed and their numbers alone, so that every run on the same data is validated on the same games.
    pub fn add(&mut self, records: &[DataRecord], seed: u64, settings: &S::Settings) {
        for game in records.chunk_by(|one, other| one.game == other.game) {
            let mut rng = Rng::new(seed.rotate_left(32) ^ u64::from(game[0].game));
            let is_kept = rng.unit() < S::validation(settings);
            let part = if is_kept { &mut self.validation } else { &mut self.train };
            part.extend(S::from_game(game, settings));
        }
    }

    /// A number that other data would hardly have.
    pub fn fingerprint(&self) -> u64 {
        let mut rng = Rng::new(self.train.len() as u64);
        let all = self.train.iter().chain(&self.validation);
        all.fold(self.validation.len() as u64, |sum, sample| {
            (sum ^ sample.word()).wrapping_mul(rng.next_u64() | 1)
        })
    }
}

/// The scale under which the chances of values have the least relative entropy to the results (0 to 1), by Newton's method
/// on its inverse; none if they do not foretell them at all.
pub(crate) fn best_scale(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let mut factor = 1.0 / 400.0;
    for _ in 0..30 {
        let (mut slope, mut bend) = (0.0, 1e-9);
        for (value, result) in pairs.clone() {
            let chance = 1.0 / (1.0 + (-value * factor).exp());
            slope += (chance - result) * value;
            bend += chance * (1.0 - chance) * value * value;
        }
        // A step is never longer than the factor itself: far off, the parabola is no good guide.
        let step: f64 = slope / bend;
        factor -= step.clamp(-factor, factor / 2.0);
    }
    (factor > 1e-5 && factor < 1.0).then_some(1.0 / factor)
}

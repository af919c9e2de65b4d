//! The positions as the regression sees them: what the terms count, and how it ended.

use std::path::PathBuf;

use sumito_agents::Rng;
use sumito_engine::eval::{self, TERMS};

use super::settings::Settings;
use crate::data::{DataError, Record, read_each};

/// A position: by how much each term counts more for the side to move than for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub(super) counts: [i16; TERMS],
    /// How many marbles are gone, as the evaluation's phase.
    pub(super) phase: u8,
    /// Marbles that the side to move and the other side have pushed off.
    pub(super) pushed: [u8; 2],
    /// Half points of the side to move in its game.
    points: u8,
    score: i16,
}

impl From<&Record> for Sample {
    fn from(record: &Record) -> Sample {
        let position = &record.position;
        let [ours, theirs] = eval::counts(position);
        let turn = position.turn();
        Sample {
            counts: std::array::from_fn(|i| ours[i] - theirs[i]),
            phase: eval::phase(position) as u8,
            pushed: [turn, !turn].map(|color| position.score(color)),
            points: record.ending as u8,
            score: record.score,
        }
    }
}

impl Sample {
    /// The score of the search for the side to move, in hundredths of a marble.
    pub fn score(&self) -> f64 {
        f64::from(self.score)
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f64 {
        f64::from(self.points) / 2.0
    }
}

/// The positions of some files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// Those to learn from.
    pub train: Vec<Sample>,
    /// Those of other games, to see what was learned.
    pub validation: Vec<Sample>,
}

impl Samples {
    /// Reads the positions of files that the settings want. Tells how many of all bytes were read.
    pub fn read(
        paths: &[PathBuf],
        settings: &Settings,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Samples, DataError> {
        let mut samples = Samples::default();
        read_each(paths, progress, |records, seed| samples.add(records, seed, settings))?;
        Ok(samples)
    }

    /// Adds the records of a file that was made with a seed. Which games are kept for validation depends on that
    /// seed and their numbers alone.
    pub fn add(&mut self, records: &[Record], seed: u64, settings: &Settings) {
        for game in records.chunk_by(|one, other| one.game == other.game) {
            let mut rng = Rng::new(seed.rotate_left(32) ^ u64::from(game[0].game));
            let part = if rng.unit() < settings.validation { &mut self.validation } else { &mut self.train };
            let wanted = |record: &&Record| record.position.quiet() <= settings.max_quiet;
            part.extend(game.iter().filter(wanted).map(Sample::from));
        }
    }

    /// A number that other data would hardly have, nor the same data with other terms.
    pub fn fingerprint(&self) -> u64 {
        let mut rng = Rng::new(self.train.len() as u64);
        let mut sum = self.validation.len() as u64;
        for sample in self.train.iter().chain(&self.validation) {
            let word = sample.counts.iter().fold(sample.score as u64, |word, &count| {
                word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(count as u16)
            });
            sum = (sum ^ word ^ u64::from(sample.points)).wrapping_mul(rng.next_u64() | 1);
        }
        sum
    }
}

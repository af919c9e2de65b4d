//! The positions as the regression sees them: what the terms count, and how it ended.

use sumito_engine::eval::{self, TERMS};

use super::settings::TexelSettings;
use crate::data::{DataRecord, Learned};

/// A position: by how much each term counts more for the side to move than for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelSample {
    pub(super) counts: [i16; TERMS],
    /// How many marbles are gone, as the evaluation's phase.
    pub(super) phase: u8,
    /// Marbles that the side to move and the other side have pushed off.
    pub(super) pushed: [u8; 2],
    /// Half points of the side to move in its game.
    points: u8,
    score: i16,
}

impl From<&DataRecord> for TexelSample {
    fn from(record: &DataRecord) -> TexelSample {
        let position = &record.position;
        let [ours, theirs] = eval::counts(position);
        let turn = position.turn();
        TexelSample {
            counts: std::array::from_fn(|i| ours[i] - theirs[i]),
            phase: eval::phase(position) as u8,
            pushed: [turn, !turn].map(|color| position.score(color)),
            points: record.ending as u8,
            score: record.score,
        }
    }
}

impl TexelSample {
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
pub type TexelSamples = crate::data::Samples<TexelSample>;

impl Learned for TexelSample {
    type Settings = TexelSettings;

    fn validation(settings: &TexelSettings) -> f64 {
        settings.validation
    }

    fn from_game(game: &[DataRecord], settings: &TexelSettings) -> Vec<TexelSample> {
        game.iter()
            .filter(|record| record.position.quiet() <= settings.max_quiet)
            .map(TexelSample::from)
            .collect()
    }

    /// Other terms make other positions of the same data.
    fn word(&self) -> u64 {
        let word = self.counts.iter().fold(self.score as u64, |word, &count| {
            word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(count as u16)
        });
        word ^ u64::from(self.points)
    }
}

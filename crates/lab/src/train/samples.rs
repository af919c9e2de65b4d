//! The positions that are learned from, in memory, and which of them are kept for validation.

use std::path::PathBuf;

use sumito_agents::Rng;
use sumito_engine::network::Scene;
use sumito_rules::{Bitboard, ByColor, Symmetry};

use super::settings::Settings;
use crate::data::{DataError, Record, read_each};

/// A position as the side to move sees it, in 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    own: Bitboard,
    enemy: Bitboard,
    score: i16,
    ply: u16,
    /// Marbles that the side to move and the other side have pushed off.
    pushed: [u8; 2],
    /// Half points of the side to move in its game.
    points: u8,
}

impl From<&Record> for Sample {
    fn from(record: &Record) -> Sample {
        let position = &record.position;
        let turn = position.turn();
        Sample {
            own: position.own(),
            enemy: position.enemy(),
            score: record.score,
            ply: position.ply(),
            pushed: [turn, !turn].map(|color| position.score(color).min(Scene::MAX_SCORE)),
            points: record.ending as u8,
        }
    }
}

impl Sample {
    /// The scene, in which the side to move is always Black.
    #[inline]
    pub fn scene(&self, symmetry: Symmetry, cap: Option<u32>) -> Scene {
        let turned = |set| if symmetry == Symmetry::IDENTITY { set } else { symmetry.bitboard(set) };
        Scene {
            marbles: ByColor::new(turned(self.own), turned(self.enemy)),
            score: ByColor::new(self.pushed[0], self.pushed[1]),
            clock: cap.map_or(0, |cap| Scene::clock_of(cap.saturating_sub(self.ply.into()))),
        }
    }

    /// The score for the side to move, in hundredths of a marble.
    pub fn score(&self) -> i16 {
        self.score
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.points) / 2.0
    }

    /// Marbles that the side to move and the other side have pushed off.
    pub fn pushed(&self) -> [u8; 2] {
        self.pushed
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
    /// seed and their numbers alone, so that every run on the same data is validated on the same games.
    pub fn add(&mut self, records: &[Record], seed: u64, settings: &Settings) {
        let wanted = |record: &&Record| settings.max_quiet.is_none_or(|most| record.position.quiet() <= most);
        for game in records.chunk_by(|one, other| one.game == other.game) {
            let mut rng = Rng::new(seed.rotate_left(32) ^ u64::from(game[0].game));
            let part = if rng.unit() < settings.validation { &mut self.validation } else { &mut self.train };
            part.extend(game.iter().filter(wanted).map(Sample::from));
        }
    }

    /// A number that other data would hardly have.
    pub fn fingerprint(&self) -> u64 {
        let mut rng = Rng::new(self.train.len() as u64);
        let mut sum = self.validation.len() as u64;
        for sample in self.train.iter().chain(&self.validation) {
            let word = sample.own.bits() ^ sample.enemy.bits().rotate_left(29) ^ sample.score as u64;
            sum = (sum ^ word).wrapping_mul(rng.next_u64() | 1);
        }
        sum
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::record::tests::records;

    /// Samples of random walks; their scores follow the lead and a few cells, so that there is something to learn.
    pub(in super::super) fn toy(count: usize) -> Samples {
        let mut records = records(count, 21);
        for record in &mut records {
            let position = &record.position;
            let near = |set: Bitboard| (set - Bitboard::RIM).len() as i16;
            record.score = 60 * (near(position.own()) - near(position.enemy()));
        }
        let mut samples = Samples::default();
        samples.add(&records, 1, &Settings { validation: 0.1, ..Settings::default() });
        samples
    }

    #[test]
    fn a_sample_fits_into_24_bytes_and_is_seen_by_the_side_to_move() {
        assert_eq!(size_of::<Sample>(), 24);
        for record in records(300, 3) {
            let (sample, position) = (Sample::from(&record), record.position);
            let scene = sample.scene(Symmetry::IDENTITY, None);
            assert_eq!((scene.marbles.black, scene.marbles.white), (position.own(), position.enemy()));
            assert_eq!(scene.score.black, position.score(position.turn()));
            assert_eq!(sample.result(), record.ending as u8 as f32 / 2.0);
        }
    }

    #[test]
    fn a_game_is_either_learned_from_or_kept_for_validation() {
        let records = records(20_000, 8);
        let mut samples = Samples::default();
        // In two parts, as a reader gives them.
        let settings = Settings { validation: 0.2, ..Settings::default() };
        samples.add(&records[..7001], 4, &settings);
        samples.add(&records[7001..], 4, &settings);
        let kept = samples.validation.len() as f64 / 20_000.0;
        assert!((0.12..0.28).contains(&kept), "{kept}");
        assert_eq!(samples.train.len() + samples.validation.len(), 20_000);
        // Both parts keep the order, so each must be the games of the other left out.
        let mut rest = [samples.train.iter().peekable(), samples.validation.iter().peekable()];
        for game in records.chunk_by(|one, other| one.game == other.game) {
            let first = Sample::from(&game[0]);
            let part = rest.iter_mut().find_map(|part| (part.peek() == Some(&&first)).then_some(part));
            let part = part.expect("the game is next in one of the parts");
            assert!(game.iter().all(|record| part.next() == Some(&Sample::from(record))));
        }
    }

    #[test]
    fn positions_of_flat_games_can_be_left_out() {
        let records = records(500, 2);
        let mut samples = Samples::default();
        let settings = Settings { max_quiet: Some(20), validation: 0.0, ..Settings::default() };
        samples.add(&records, 4, &settings);
        let wanted = records.iter().filter(|record| record.position.quiet() <= 20).count();
        assert!(samples.train.len() == wanted && wanted < 500);
    }

    #[test]
    fn other_data_has_another_fingerprint() {
        let samples = toy(500);
        let mut other = samples.clone();
        other.train[17].score += 1;
        assert_ne!(samples.fingerprint(), other.fingerprint());
        assert_eq!(samples.fingerprint(), toy(500).fingerprint());
    }
}

//! The positions that are learned from, in memory, and which of them are kept for validation.

use sumito_engine::network::Scene;
use sumito_rules::{Bitboard, ByColor, Symmetry};

use super::gradient::sigmoid;
use super::settings::TrainSettings;
use crate::data::{DataRecord, Learned};

/// A position as the side to move sees it, in 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainSample {
    own: Bitboard,
    enemy: Bitboard,
    score: i16,
    ply: u16,
    /// The chance to be learned, [`GOAL`] for 1.
    goal: u16,
    /// Marbles that the side to move and the other side have pushed off, in four bits each.
    pushed: u8,
    /// Half points of the side to move in its game.
    points: u8,
}

const GOAL: f32 = u16::MAX as f32;

impl TrainSample {
    pub(super) fn new(record: &DataRecord, goal: f32) -> TrainSample {
        let position = &record.position;
        let [own, enemy] =
            [position.turn(), !position.turn()].map(|color| position.score(color).min(Scene::MAX_SCORE));
        TrainSample {
            own: position.own(),
            enemy: position.enemy(),
            score: record.score,
            ply: position.ply(),
            goal: (goal * GOAL).round() as u16,
            pushed: own << 4 | enemy,
            points: record.ending as u8,
        }
    }

    /// The scene, in which the side to move is always Black.
    #[inline]
    pub fn scene(&self, symmetry: Symmetry, cap: Option<u32>) -> Scene {
        let turned = |set| if symmetry == Symmetry::IDENTITY { set } else { symmetry.bitboard(set) };
        Scene {
            marbles: ByColor::new(turned(self.own), turned(self.enemy)),
            score: ByColor::new(self.pushed >> 4, self.pushed & 15),
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
        [self.pushed >> 4, self.pushed & 15]
    }

    /// The chance that the network should see for the side to move, 0 to 1.
    pub fn goal(&self) -> f32 {
        f32::from(self.goal) / GOAL
    }
}

/// The positions of some files.
pub type TrainSamples = crate::data::Samples<TrainSample>;

impl Learned for TrainSample {
    type Settings = TrainSettings;

    fn validation(settings: &TrainSettings) -> f64 {
        settings.validation
    }

    fn from_game(game: &[DataRecord], settings: &TrainSettings) -> Vec<TrainSample> {
        let wanted =
            |record: &DataRecord| settings.max_quiet.is_none_or(|most| record.position.quiet() <= most);
        let goals = game.iter().zip(goals(game, settings)).filter(|(record, _)| wanted(record));
        goals.map(|(record, goal)| TrainSample::new(record, goal)).collect()
    }

    fn word(&self) -> u64 {
        self.own.bits() ^ self.enemy.bits().rotate_left(29) ^ self.score as u64
    }
}

/// The chance to be learned at each position of a game, for the side to move: that of its own score, and in part of the
/// scores that came after it, which have seen further; mixed with the result.
fn goals(game: &[DataRecord], settings: &TrainSettings) -> Vec<f32> {
    let (lambda, part) = (settings.lambda as f32, settings.score_part as f32);
    let mut next: Option<(&DataRecord, f32)> = None;
    let mut goals: Vec<f32> = game
        .iter()
        .rev()
        .map(|record| {
            let own = sigmoid(f32::from(record.score) / settings.scale as f32);
            let chance = next.map_or(own, |(later, chance)| {
                let plies = later.position.ply().saturating_sub(record.position.ply());
                let same = later.position.turn() == record.position.turn();
                let passed_on = lambda.powi(plies.into());
                (1.0 - passed_on) * own + passed_on * if same { chance } else { 1.0 - chance }
            });
            next = Some((record, chance));
            part * chance + (1.0 - part) * f32::from(record.ending as u8) / 2.0
        })
        .collect();
    goals.reverse();
    goals
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::record::tests::records;

    /// Samples of random walks; their scores follow the lead and a few cells, so that there is something to learn.
    pub(in super::super) fn toy(count: usize) -> TrainSamples {
        let mut records = records(count, 21);
        for record in &mut records {
            let position = &record.position;
            let near = |set: Bitboard| (set - Bitboard::RIM).len() as i16;
            record.score = 60 * (near(position.own()) - near(position.enemy()));
        }
        let mut samples = TrainSamples::default();
        samples.add(&records, 1, &TrainSettings { validation: 0.1, lambda: 0.0, ..TrainSettings::default() });
        samples
    }

    #[test]
    fn a_sample_fits_into_24_bytes_and_is_seen_by_the_side_to_move() {
        assert_eq!(size_of::<TrainSample>(), 24);
        for record in records(300, 3) {
            let (sample, position) = (TrainSample::new(&record, 0.25), record.position);
            let scene = sample.scene(Symmetry::IDENTITY, None);
            assert_eq!((scene.marbles.black, scene.marbles.white), (position.own(), position.enemy()));
            assert_eq!(scene.score.black, position.score(position.turn()));
            assert_eq!(sample.result(), record.ending as u8 as f32 / 2.0);
            assert!((sample.goal() - 0.25).abs() < 1e-4);
        }
    }

    #[test]
    fn a_game_is_either_learned_from_or_kept_for_validation() {
        let records = records(20_000, 8);
        let mut samples = TrainSamples::default();
        // In two parts, as a reader gives them.
        let settings = TrainSettings { validation: 0.2, ..TrainSettings::default() };
        samples.add(&records[..7001], 4, &settings);
        samples.add(&records[7001..], 4, &settings);
        let kept = samples.validation.len() as f64 / 20_000.0;
        assert!((0.12..0.28).contains(&kept), "{kept}");
        assert_eq!(samples.train.len() + samples.validation.len(), 20_000);
        // Both parts keep the order, so each must be the games of the other left out.
        let mut rest = [samples.train.iter().peekable(), samples.validation.iter().peekable()];
        for game in records.chunk_by(|one, other| one.game == other.game) {
            let is_of = |sample: &TrainSample, record: &DataRecord| {
                (sample.own, sample.enemy) == (record.position.own(), record.position.enemy())
            };
            let part = rest
                .iter_mut()
                .find_map(|part| part.peek().is_some_and(|next| is_of(next, &game[0])).then_some(part));
            let part = part.expect("the game is next in one of the parts");
            assert!(game.iter().all(|record| part.next().is_some_and(|sample| is_of(sample, record))));
        }
    }

    #[test]
    fn what_is_learned_looks_ahead_in_the_game_and_at_its_result() {
        let all = records(400, 5);
        let game = all.chunk_by(|one, other| one.game == other.game).max_by_key(|game| game.len()).unwrap();
        let settings = |lambda, score_part| TrainSettings { lambda, score_part, ..TrainSettings::default() };
        let own: Vec<f32> = game.iter().map(|record| sigmoid(f32::from(record.score) / 400.0)).collect();
        assert_eq!(goals(game, &settings(0.0, 1.0)), own);
        assert_eq!(goals(game, &settings(0.5, 0.0))[0], f32::from(game[0].ending as u8) / 2.0);
        // The last position has nothing after it, the one before it has only that.
        let ahead = goals(game, &settings(0.5, 1.0));
        let [.., before, last] = game else { panic!("a game of two positions or more") };
        let passed_on = 0.5f32.powi((last.position.ply() - before.position.ply()).into());
        let same = before.position.turn() == last.position.turn();
        let end = own.len() - 1;
        let seen = if same { own[end] } else { 1.0 - own[end] };
        assert_eq!(ahead[end], own[end]);
        assert!((ahead[end - 1] - (1.0 - passed_on) * own[end - 1] - passed_on * seen).abs() < 1e-6);
    }

    #[test]
    fn positions_of_flat_games_can_be_left_out() {
        let records = records(500, 2);
        let mut samples = TrainSamples::default();
        let settings = TrainSettings { max_quiet: Some(20), validation: 0.0, ..TrainSettings::default() };
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

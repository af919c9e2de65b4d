//! What a training run is to do. The same settings and the same data give the same network on one thread.

use serde::{Deserialize, Serialize};
#[cfg(doc)]
use sumito_engine::network::Weights;
use sumito_engine::network::{Inputs, MAX_WIDTH, SCORES};

/// All that decides a training run, except for its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The groups of inputs, such as `cells+scores`.
    pub inputs: String,
    /// Values in each player's half of the accumulator.
    pub width: usize,
    /// How outputs are chosen by the marbles pushed off.
    pub buckets: Buckets,
    /// How often each position is used.
    pub epochs: usize,
    /// Positions for each step of the weights.
    pub batch: usize,
    /// The size of a step at the start.
    pub rate: f64,
    /// The size of a step at the end, as a part of that at the start.
    pub final_rate: f64,
    /// How it gets there.
    pub schedule: Schedule,
    /// The part of each step by which weights shrink.
    pub decay: f64,
    /// The part of the search's score in the target; the rest is the game's result.
    pub score_part: f64,
    /// How much of a position's score comes from the scores of the plies after it: the part that each ply passes on.
    pub lambda: f64,
    /// The score at which the winning chance is 73 %, in hundredths of a marble; also the unit of the output.
    pub scale: u32,
    /// What is made small.
    pub loss: Loss,
    /// Each time a position is used it is turned and reflected at random.
    pub symmetries: bool,
    /// The ply at which the games' cap lies, for the clock's inputs.
    pub cap: Option<u32>,
    /// Positions with more plies since the last ejection are left out: games that go flat say little.
    pub max_quiet: Option<u16>,
    /// The part of the games that is kept for validation.
    pub validation: f64,
    /// Seed of the first weights, the order of positions, and the symmetries.
    pub seed: u64,
    /// The network that the first weights come from, by [`Weights::fingerprint`]; none if they are random.
    #[serde(default)]
    pub start: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            inputs: "cells+turned".to_string(),
            width: 128,
            buckets: Buckets::Sum,
            epochs: 20,
            batch: 512,
            rate: 0.002,
            final_rate: 0.01,
            schedule: Schedule::Cosine,
            decay: 0.01,
            score_part: 1.0,
            lambda: 0.75,
            scale: 400,
            loss: Loss::Squares,
            symmetries: true,
            cap: None,
            max_quiet: None,
            validation: 0.05,
            seed: 1,
            start: None,
        }
    }
}

/// How outputs are chosen by the marbles pushed off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Buckets {
    /// One output for all.
    One,
    /// Six, one for each two marbles that both sides have pushed off together.
    Sum,
    /// Thirty-six, one for each pair of scores from none to five.
    Pairs,
}

impl Buckets {
    /// The bucket by the marbles that the side to move and the other side have pushed off.
    pub fn table(self) -> [[u8; SCORES]; SCORES] {
        std::array::from_fn(|own| std::array::from_fn(|enemy| self.bucket(own, enemy) as u8))
    }

    fn bucket(self, own: usize, enemy: usize) -> usize {
        match self {
            Buckets::One => 0,
            Buckets::Sum => (own + enemy).min(11) / 2,
            Buckets::Pairs => 6 * own.min(5) + enemy.min(5),
        }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        match self {
            Buckets::One => 1,
            Buckets::Sum => 6,
            Buckets::Pairs => 36,
        }
    }
}

/// How the size of steps falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Along half a cosine.
    Cosine,
    /// In four steps of the same factor, after each fifth of the run.
    Steps,
}

/// What is made small, for a predicted and a wanted chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The squared difference of the chances.
    Squares,
    /// The relative entropy, which does not go flat where chances are near 0 or 1.
    Entropy,
}

impl Settings {
    /// The inputs, or what is wrong with their names.
    pub fn parsed_inputs(&self) -> Result<Inputs, String> {
        self.inputs.parse()
    }

    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let inputs = self.parsed_inputs().map_err(|why| format!("inputs: {why}"))?;
        let expected =
            |what: &str, found: &dyn std::fmt::Display| Err(format!("expected {what}, found {found}"));
        let positive = |number: f64| number > 0.0 && number.is_finite();
        match self {
            _ if self.width == 0 || self.width > MAX_WIDTH || !self.width.is_multiple_of(16) => {
                expected(&format!("a width that is a multiple of 16 up to {MAX_WIDTH}"), &self.width)
            }
            _ if self.epochs == 0 => expected("at least one epoch", &0),
            _ if self.batch == 0 => expected("a batch of at least one position", &0),
            _ if !positive(self.rate) => expected("a rate above 0", &self.rate),
            _ if !(positive(self.final_rate) && self.final_rate <= 1.0) => {
                expected("a final rate that is a part of the first, above 0 to 1", &self.final_rate)
            }
            _ if !(0.0..1.0).contains(&self.decay) => expected("a decay from 0 to below 1", &self.decay),
            _ if !(0.0..=1.0).contains(&self.score_part) => {
                expected("a part of the score from 0 to 1", &self.score_part)
            }
            _ if !(0.0..1.0).contains(&self.lambda) => expected("a lambda from 0 to below 1", &self.lambda),
            _ if !(1..=10_000).contains(&self.scale) => expected("a scale from 1 to 10000", &self.scale),
            _ if !(0.0..=0.5).contains(&self.validation) => {
                expected("a part for validation from 0 to 0.5", &self.validation)
            }
            _ if inputs.to_string().contains("clock") && self.cap.is_none() => {
                expected("the ply of the cap for the clock's inputs", &"none")
            }
            _ => Ok(()),
        }
    }

    /// The size of a step, with this part of the run done.
    pub(super) fn rate_at(&self, done: f64) -> f64 {
        let part = match self.schedule {
            Schedule::Cosine => {
                let falling = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
                self.final_rate + (1.0 - self.final_rate) * falling
            }
            Schedule::Steps => self.final_rate.powf((done * 5.0).floor().min(4.0) / 4.0),
        };
        self.rate * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_sense_are_refused_with_what_was_expected() {
        let base = Settings::default;
        assert_eq!(base().check(), Ok(()));
        for (settings, words) in [
            (Settings { width: 100, ..base() }, "a multiple of 16 up to 1024, found 100"),
            (Settings { inputs: "cell".to_string(), ..base() }, "found 'cell'"),
            (Settings { inputs: "clock".to_string(), ..base() }, "ply of the cap"),
            (Settings { epochs: 0, ..base() }, "one epoch"),
            (Settings { rate: f64::NAN, ..base() }, "rate"),
            (Settings { score_part: 1.1, ..base() }, "found 1.1"),
            (Settings { lambda: 1.0, ..base() }, "lambda"),
            (Settings { validation: 1.0, ..base() }, "validation"),
        ] {
            let why = settings.check().expect_err("no sense");
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn both_schedules_fall_from_the_first_to_the_final_rate() {
        for schedule in [Schedule::Cosine, Schedule::Steps] {
            let settings = Settings { schedule, ..Settings::default() };
            let rates: Vec<f64> = (0..=20).map(|i| settings.rate_at(f64::from(i) / 20.0)).collect();
            assert!((rates[0] - 2e-3).abs() < 1e-12 && (rates[20] - 2e-5).abs() < 1e-12, "{rates:?}");
            assert!(rates.windows(2).all(|pair| pair[1] <= pair[0]));
        }
    }

    #[test]
    fn every_bucket_is_used_and_none_beyond_the_count() {
        for buckets in [Buckets::One, Buckets::Sum, Buckets::Pairs] {
            let mut used: Vec<u8> = buckets.table().into_iter().flatten().collect();
            used.sort_unstable();
            used.dedup();
            assert_eq!(used, (0..buckets.count() as u8).collect::<Vec<_>>());
        }
    }
}

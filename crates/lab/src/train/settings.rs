//! What a training run is to do. The same settings and the same data give the same network on one thread.

use serde::{Deserialize, Serialize};
#[cfg(doc)]
use sumito_engine::network::Weights;
use sumito_engine::network::{Inputs, MAX_WIDTH, SCORES};

use crate::settings::{check, settings};

settings! {
    /// All that decides a training run, except for its data.
    pub struct TrainSettings {
        /// What the network sees: cells, and with + any of lines3, lines4, lines5 (what lies on each row of so many
        /// cells), scores (marbles pushed off), clock (plies left until --cap) and turned (the board is turned so that all
        /// its forms look alike).
        inputs: String = "cells+turned".to_string(), "GROUPS";
        /// Values in each player's half of the first layer, a multiple of 16.
        width: usize = 128, "N";
        /// Outputs by the marbles pushed off so far.
        buckets: Buckets = Buckets::Sum, "WHICH", (value_enum);
        /// How often each position is used.
        epochs: usize = 20, "N";
        /// Positions for each step of the weights.
        batch: usize = 512, "N";
        /// The size of a step at the start.
        rate: f64 = 0.002, "RATE";
        /// The size of a step at the end, as a part of that at the start.
        final_rate: f64 = 0.01, "PART";
        /// How it gets there.
        schedule: RateSchedule = RateSchedule::Cosine, "HOW", (value_enum);
        /// The part of each step by which weights shrink.
        decay: f64 = 0.01, "PART";
        /// The part of the search's score in what is learned; the rest is the game's result.
        score_part: f64 = 1.0, "PART";
        /// The part of a score that comes from the plies after it in the game: each ply passes on so much of the next.
        lambda: f64 = 0.75, "PART";
        /// The score that stands for a winning chance of 73 %, in hundredths of a marble; also the unit of the output.
        scale: u32 = 400, "SCORE";
        /// What is made small: the squared error of chances, or their relative entropy.
        loss: Loss = Loss::Squares, "WHICH", (value_enum);
        /// Whether positions are turned and reflected at random, each time they are used.
        symmetries: bool = true, (long = "no-symmetries", action = clap::ArgAction::SetFalse,
            help = "Use positions as they are instead of turned and reflected at random");
        /// The ply at which the games' cap lies, for the inputs of the clock.
        cap: Option<u32> = None, (long, value_name = "PLY");
        /// Leave out positions with more plies since the last ejection: games that go flat say little.
        max_quiet: Option<u16> = None, (long, value_name = "PLIES");
        /// The part of the games that is not learned from but kept for validation.
        validation: f64 = 0.05, "PART";
        /// Seed of the first weights, the order of positions and their symmetries.
        seed: u64 = 1, "S";
        /// The network that the first weights come from, by [`Weights::fingerprint`]; none if they are random.
        #[serde(default)]
        start: Option<String> = None, (skip);
    }
}

/// How outputs are chosen by the marbles pushed off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum RateSchedule {
    /// Along half a cosine.
    Cosine,
    /// In four steps of the same factor, after each fifth of the run.
    Steps,
}

/// What is made small, for a predicted and a wanted chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The squared difference of the chances.
    Squares,
    /// The relative entropy, which does not go flat where chances are near 0 or 1.
    Entropy,
}

impl TrainSettings {
    /// The inputs, or what is wrong with their names.
    pub fn parsed_inputs(&self) -> Result<Inputs, String> {
        self.inputs.parse()
    }

    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let inputs = self.parsed_inputs().map_err(|why| format!("inputs: {why}"))?;
        let positive = |number: f64| number > 0.0 && number.is_finite();
        let is_width = (1..=MAX_WIDTH).contains(&self.width) && self.width.is_multiple_of(16);
        let has_cap = self.cap.is_some() || !inputs.to_string().contains("clock");
        check(&[
            (is_width, &format!("a width that is a multiple of 16 up to {MAX_WIDTH}"), &self.width),
            (self.epochs > 0, "at least one epoch", &self.epochs),
            (self.batch > 0, "a batch of at least one position", &self.batch),
            (positive(self.rate), "a rate above 0", &self.rate),
            (
                positive(self.final_rate) && self.final_rate <= 1.0,
                "a final rate that is a part of the first, above 0 to 1",
                &self.final_rate,
            ),
            ((0.0..1.0).contains(&self.decay), "a decay from 0 to below 1", &self.decay),
            ((0.0..=1.0).contains(&self.score_part), "a part of the score from 0 to 1", &self.score_part),
            ((0.0..1.0).contains(&self.lambda), "a lambda from 0 to below 1", &self.lambda),
            ((1..=10_000).contains(&self.scale), "a scale from 1 to 10000", &self.scale),
            ((0.0..=0.5).contains(&self.validation), "a part for validation from 0 to 0.5", &self.validation),
            (has_cap, "the ply of the cap for the clock's inputs", &"none"),
        ])
    }

    /// The size of a step, with this part of the run done.
    pub(super) fn rate_at(&self, done: f64) -> f64 {
        let part = match self.schedule {
            RateSchedule::Cosine => {
                let falling = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
                self.final_rate + (1.0 - self.final_rate) * falling
            }
            RateSchedule::Steps => self.final_rate.powf((done * 5.0).floor().min(4.0) / 4.0),
        };
        self.rate * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_sense_are_refused_with_what_was_expected() {
        let base = TrainSettings::default;
        assert_eq!(base().check(), Ok(()));
        for (settings, words) in [
            (TrainSettings { width: 100, ..base() }, "a multiple of 16 up to 1024, found 100"),
            (TrainSettings { inputs: "cell".to_string(), ..base() }, "found 'cell'"),
            (TrainSettings { inputs: "clock".to_string(), ..base() }, "ply of the cap"),
            (TrainSettings { epochs: 0, ..base() }, "one epoch"),
            (TrainSettings { rate: f64::NAN, ..base() }, "rate"),
            (TrainSettings { score_part: 1.1, ..base() }, "found 1.1"),
            (TrainSettings { lambda: 1.0, ..base() }, "lambda"),
            (TrainSettings { validation: 1.0, ..base() }, "validation"),
        ] {
            let why = settings.check().expect_err("no sense");
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn both_schedules_fall_from_the_first_to_the_final_rate() {
        for schedule in [RateSchedule::Cosine, RateSchedule::Steps] {
            let settings = TrainSettings { schedule, ..TrainSettings::default() };
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

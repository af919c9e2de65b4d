//! What decides a Texel tuning, apart from the data.

use serde::{Deserialize, Serialize};

/// The settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How often each position is used.
    pub epochs: usize,
    /// Positions for each step of the weights.
    pub batch: usize,
    /// The size of the first steps; it falls along half a cosine to a hundredth.
    pub rate: f64,
    /// The part of the game's result in what is learned; the rest is the search's score.
    pub lambda: f64,
    /// The value that stands for a winning chance of 73 %, in hundredths of a marble.
    pub scale: f64,
    /// How strongly weights are pulled to nothing.
    pub decay: f64,
    /// Whether to start with all weights at nothing instead of the engine's.
    pub fresh: bool,
    /// Positions with more plies since the last ejection are left out.
    pub max_quiet: u16,
    /// The part of the games that is kept for validation.
    pub validation: f64,
    /// Decides the order of positions.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 40,
            batch: 8192,
            rate: 0.02,
            lambda: 0.6,
            scale: 208.0,
            decay: 1e-5,
            fresh: false,
            max_quiet: 100,
            validation: 0.1,
            seed: 1,
        }
    }
}

impl Settings {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let expected =
            |what: &str, found: &dyn std::fmt::Display| Err(format!("expected {what}, found {found}"));
        match self {
            _ if self.epochs == 0 => expected("at least one epoch", &0),
            _ if self.batch == 0 => expected("a batch of at least one position", &0),
            _ if !(self.rate > 0.0 && self.rate <= 1.0) => expected("a rate above 0, at most 1", &self.rate),
            _ if !(0.0..=1.0).contains(&self.lambda) => {
                expected("a part of the result from 0 to 1", &self.lambda)
            }
            _ if !(1.0..=10_000.0).contains(&self.scale) => expected("a scale from 1 to 10000", &self.scale),
            _ if !(0.0..1.0).contains(&self.decay) => expected("a decay from 0 to below 1", &self.decay),
            _ if !(0.0..=0.5).contains(&self.validation) => {
                expected("a part for validation from 0 to 0.5", &self.validation)
            }
            _ => Ok(()),
        }
    }

    /// The size of a step, with this part of the run done.
    pub(super) fn rate_at(&self, done: f64) -> f64 {
        self.rate * (0.01 + 0.99 * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0)
    }
}

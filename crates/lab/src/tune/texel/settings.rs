//! What decides a Texel tuning, apart from the data.

use crate::settings::{check, settings};

settings! {
    /// The settings of a run.
    pub struct TexelSettings {
        /// How often each position is used.
        epochs: usize = 40, "N";
        /// Positions for each step of the weights.
        batch: usize = 8192, "N";
        /// The size of a step at the start; it falls along half a cosine to a hundredth.
        rate: f64 = 0.02, "RATE";
        /// The part of the game's result in what is learned; the rest is the search's score.
        lambda: f64 = 0.6, "PART";
        /// The value that stands for a winning chance of 73 %, in hundredths of a marble: the unit of all weights.
        scale: f64 = 208.0, "VALUE";
        /// How strongly weights are pulled to nothing.
        decay: f64 = 1e-5, "PART";
        /// Start with all weights at nothing instead of the engine's.
        fresh: bool = false, (long);
        /// Leave out positions with more plies since the last ejection.
        max_quiet: u16 = 100, "PLIES";
        /// The part of the games that is not learned from but kept for validation.
        validation: f64 = 0.1, "PART";
        /// Seed of the order of positions.
        seed: u64 = 1, "S";
    }
}

impl TexelSettings {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        check(&[
            (self.epochs > 0, "at least one epoch", &self.epochs),
            (self.batch > 0, "a batch of at least one position", &self.batch),
            (self.rate > 0.0 && self.rate <= 1.0, "a rate above 0, at most 1", &self.rate),
            ((0.0..=1.0).contains(&self.lambda), "a part of the result from 0 to 1", &self.lambda),
            ((1.0..=10_000.0).contains(&self.scale), "a scale from 1 to 10000", &self.scale),
            ((0.0..1.0).contains(&self.decay), "a decay from 0 to below 1", &self.decay),
            ((0.0..=0.5).contains(&self.validation), "a part for validation from 0 to 0.5", &self.validation),
        ])
    }

    /// The size of a step, with this part of the run done.
    pub(super) fn rate_at(&self, done: f64) -> f64 {
        self.rate * (0.01 + 0.99 * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0)
    }
}

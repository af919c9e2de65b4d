//! Texel tuning of the hand-written evaluation: a logistic regression of results and of the search's scores on the
//! counts of all terms, by Adam over batches. The evaluation is linear in its weights, so there is one best answer.
//!
//! [`TexelSamples`] holds the counts of the positions, [`TexelSettings`] says what to do, [`TexelTuner`] does it and keeps it in a
//! folder, and [`TexelReport`] tells what came out. The same settings and data give the same weights, also if the run was
//! interrupted in between.

mod model;
mod report;
mod run;
mod samples;
mod settings;
mod store;
#[cfg(test)]
mod tests;

pub use crate::train::TrainError;
pub use model::TexelModel;
pub use report::TexelReport;
pub use run::TexelTuner;
pub use samples::{TexelSample, TexelSamples};
pub use settings::TexelSettings;

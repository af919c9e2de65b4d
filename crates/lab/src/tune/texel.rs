//! Texel tuning of the hand-written evaluation: a logistic regression of results and of the search's scores on the
//! counts of all terms, by Adam over batches. The evaluation is linear in its weights, so there is one best answer.
//!
//! [`Samples`] holds the counts of the positions, [`Settings`] says what to do, [`Tuner`] does it and keeps it in a
//! folder, and [`Report`] tells what came out. The same settings and data give the same weights, also if the run was
//! interrupted in between.

mod model;
mod report;
mod run;
mod samples;
mod settings;
mod store;
#[cfg(test)]
mod tests;

pub use model::Model;
pub use report::Report;
pub use run::Tuner;
pub use samples::{Sample, Samples};
pub use settings::Settings;
pub use store::TexelError;

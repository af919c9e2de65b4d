//! The trainer of the flagship's network: a sparse first layer, all cores, no framework.
//!
//! [`TrainSamples`] holds the positions, [`TrainSettings`] says what to do, [`Trainer`] does it and keeps it in a folder, and
//! [`TrainReport`] tells what came out. On one thread, or on the same number of them, the same settings and data give the
//! same network bit for bit, also if the run was interrupted in between.

mod adam;
mod checkpoint;
mod gradient;
mod model;
mod plot;
mod report;
mod samples;
mod settings;
mod store;
mod trainer;

pub use checkpoint::Epoch;
#[cfg(fuzzing)]
pub use checkpoint::reread_checkpoint;
pub use model::{Model, NetworkShape};
pub use report::{Lead, Rounding, TrainReport};
pub use samples::{TrainSample, TrainSamples};
pub use settings::{Buckets, Loss, RateSchedule, TrainSettings};
pub use store::TrainError;
pub(crate) use store::keep_losses;
pub use trainer::{TrainProgress, Trainer};

#[cfg(test)]
mod tests;

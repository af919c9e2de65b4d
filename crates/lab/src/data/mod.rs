//! Training data: positions of self-play with the search's score and the game's result.
//!
//! [`record`] and [`file`](mod@file) say how it lies on disk, [`settings`] how it is made, [`starts`] and [`selfplay`] play a
//! game, [`summary`] counts what a file holds, and [`chances`] fits the model of
//! winning chances to it.

pub mod chances;
pub mod file;
pub mod plot;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod settings;
pub mod starts;
pub mod summary;

pub use file::{DataError, DataWriter, Reader, read_all, read_each};
pub use record::DataRecord;
pub(crate) use samples::best_scale;
pub use samples::{Learned, Samples};
pub use settings::{DataSettings, Decided, Keep, LEAST_NODES};
pub use summary::Summary;

//! Tuning in steps: ask for games, learn from all of them at once, keep what was learned, until it is over or somebody
//! stops it.
//!
//! The results of a step's games are kept in the run folder, and resuming learns from them again: so a tuning that was
//! interrupted has exactly the numbers of one that was not. The numbers of each line are for readers, and a check.

use std::path::Path;

use serde::Serialize;

use crate::run::{Journal, RunError, RunKind};
use crate::runner::MatchError;

/// A tuning that learns in steps, such as SPSA or an evolution.
pub trait Stepwise {
    /// Everything that decides how it goes.
    type Config: Serialize;
    /// What came of a pair of games.
    type Result;
    /// A step on disk.
    type Line: Serialize;
    /// What it is called, and the names of its files.
    const KIND: RunKind;

    /// Whether there is no step left.
    fn is_finished(&self) -> bool;

    /// Learns from the results of a step, one for each of its pairs, and says what is kept of it.
    fn take_step(&mut self, results: Vec<Self::Result>) -> Self::Line;

    /// Learns again from a step on disk, or says why it is not the next one.
    fn relearn(&mut self, line: &str) -> Result<(), String>;
}

/// The folder of a tuning, open for writing.
#[derive(Debug)]
pub struct TuneFolder(Journal);

impl TuneFolder {
    /// Creates the folder, or opens it to resume and learns from the steps that are there.
    pub fn open<T: Stepwise>(dir: &Path, config: &T::Config, tuning: &mut T) -> Result<TuneFolder, RunError> {
        Journal::open(dir, T::KIND, config, |line| tuning.relearn(line)).map(TuneFolder)
    }

    /// Writes another file of the folder, whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        self.0.folder().replace(name, text)
    }
}

/// Why a tuning that is under way cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Games cannot be played.
    #[error(transparent)]
    Games(#[from] MatchError),
    /// It cannot be kept on disk.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A tuning to run.
pub struct Tuner<'a, T> {
    /// Where it is.
    pub tuning: &'a mut T,
    /// Where every step is kept, if anywhere.
    pub folder: Option<&'a mut TuneFolder>,
}

impl<T: Stepwise> Tuner<'_, T> {
    /// Runs what is left. `play` plays the games of the next step, and has no results if it was stopped; `on_step` hears
    /// of every step.
    pub fn run(
        &mut self,
        mut play: impl FnMut(&T) -> Result<Option<Vec<T::Result>>, MatchError>,
        mut on_step: impl FnMut(&T),
    ) -> Result<(), TuneError> {
        while !self.tuning.is_finished() {
            let Some(results) = play(self.tuning)? else { return Ok(()) };
            let line = self.tuning.take_step(results);
            if let Some(folder) = &mut self.folder {
                folder.0.append(&line)?;
            }
            on_step(self.tuning);
        }
        Ok(())
    }
}

/// Whether numbers are those that were kept: they are read back as written only to the last bit but one.
pub(super) fn are_kept(numbers: &[f64], kept: &[f64]) -> bool {
    let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    numbers.len() == kept.len() && numbers.iter().zip(kept).all(near)
}

//! The steps of a tuning with a bar that says where it is.

use std::cell::RefCell;

use sumito_lab::runner::MatchError;
use sumito_lab::tune::steps::{Stepwise, TuneError, TuneFolder, Tuner};

use crate::progress::Progress;

/// How far a tuning is, counted in games.
pub(crate) struct TuneProgress<T> {
    done: u64,
    all: u64,
    /// Where it is, in a line.
    state: fn(&T) -> String,
}

impl<T: Stepwise> TuneProgress<T> {
    /// So many games of all are played, by earlier runs.
    pub(crate) fn new(done: u64, all: u64, state: fn(&T) -> String) -> TuneProgress<T> {
        TuneProgress { done, all, state }
    }

    /// Runs what is left of it. `play` plays the games of a step, and tells how many more have ended.
    pub(crate) fn run(
        self,
        tuning: &mut T,
        folder: &mut TuneFolder,
        play: impl Fn(&T, &mut dyn FnMut(usize)) -> Result<Option<Vec<T::Result>>, MatchError>,
    ) -> Result<(), TuneError> {
        let TuneProgress { mut done, all, state } = self;
        let bar = Progress::long("games");
        let now = RefCell::new(state(tuning));
        let report = |done| bar.report(done, all, || now.borrow().clone());
        report(done);
        let mut on_games = |games: usize| {
            done += games as u64;
            report(done);
        };
        let mut tuner = Tuner { tuning, folder: Some(folder) };
        tuner.run(|tuning| play(tuning, &mut on_games), |tuning| *now.borrow_mut() = state(tuning))
    }
}

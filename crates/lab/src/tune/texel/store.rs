//! A run on disk: `texel.json` says what it is, `checkpoint.json` how far, `loss.csv` and `loss.svg` how it went,
//! `weights.rs` what it made, and `report.json` what that is worth.

use std::path::Path;

use super::report::Report;
use super::run::State;
use super::settings::Settings;
use crate::run::{Kind, RunError, RunFolder, pretty};
use crate::train::keep_losses;

/// Why a run ended early or never began.
#[derive(Debug, thiserror::Error)]
pub enum TexelError {
    /// Settings without sense.
    #[error("{0}")]
    Settings(String),
    /// No data.
    #[error("expected positions to learn from, found none")]
    NoPositions,
    /// It cannot be kept on disk.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The folder of a run.
pub(super) struct Store(RunFolder);

const KIND: Kind =
    Kind { what: "a tuning", settings: "texel.json", progress: "checkpoint.json", repeats_settings: true };

impl Store {
    /// Creates the folder, or opens it to go on with the run that is there.
    pub(super) fn open(
        dir: &Path,
        settings: &Settings,
        data: u64,
    ) -> Result<(Store, Option<State>), RunError> {
        let folder = RunFolder::open(dir, KIND)?;
        let broken = |why| folder.broken(format!("expected a checkpoint of a tuning: {why}"));
        let bytes = folder.checkpoint()?;
        let state: Option<State> =
            bytes.map(|bytes| serde_json::from_slice(&bytes).map_err(broken)).transpose()?;
        if let Some(state) = &state {
            folder.compare(&state.settings, settings)?;
            if state.data != data {
                return Err(folder.other("positions".to_string()));
            }
        }
        folder.begin(settings)?;
        Ok((Store(folder), state))
    }

    /// Keeps where the run is after an epoch.
    pub(super) fn keep(&self, state: &State) -> Result<(), RunError> {
        let text = serde_json::to_string(state).expect("a state is plain data");
        self.0.replace("checkpoint.json", text)?;
        self.0.replace("weights.rs", state.model.source())?;
        keep_losses(&self.0, &state.history)
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &Report) -> Result<(), RunError> {
        self.0.replace("report.json", pretty(report))
    }
}

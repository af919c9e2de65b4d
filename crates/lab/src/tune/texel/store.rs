//! A run on disk: `texel.json` says what it is, `checkpoint.json` how far, `loss.csv` and `loss.svg` how it went,
//! `weights.rs` what it made, and `report.json` what that is worth.

use std::path::Path;

use super::report::TexelReport;
use super::run::TexelState;
use super::settings::TexelSettings;
use crate::run::{RunError, RunFolder, RunKind, pretty};
use crate::train::keep_losses;

/// The folder of a run.
pub(super) struct TexelFolder(RunFolder);

const KIND: RunKind =
    RunKind { what: "a tuning", settings: "texel.json", progress: "checkpoint.json", repeats_settings: true };

impl TexelFolder {
    /// Creates the folder, or opens it to go on with the run that is there.
    pub(super) fn open(
        dir: &Path,
        settings: &TexelSettings,
        data: u64,
    ) -> Result<(TexelFolder, Option<TexelState>), RunError> {
        let folder = RunFolder::open(dir, KIND)?;
        let broken = |why| folder.broken(format!("expected a checkpoint of a tuning: {why}"));
        let bytes = folder.checkpoint()?;
        let state: Option<TexelState> =
            bytes.map(|bytes| serde_json::from_slice(&bytes).map_err(broken)).transpose()?;
        if let Some(state) = &state {
            folder.compare_fit(&state.settings, settings, state.data == data)?;
        }
        folder.begin(settings)?;
        Ok((TexelFolder(folder), state))
    }

    /// Keeps where the run is after an epoch.
    pub(super) fn keep(&self, state: &TexelState) -> Result<(), RunError> {
        let text = serde_json::to_string(state).expect("a state is plain data");
        self.0.replace("checkpoint.json", text)?;
        self.0.replace("weights.rs", state.model.source())?;
        keep_losses(&self.0, &state.history)
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &TexelReport) -> Result<(), RunError> {
        self.0.replace("report.json", pretty(report))
    }
}

//! A training run on disk: `train.json` says what it is, `checkpoint` how far it is, `loss.csv` and `loss.svg` how it
//! went, `network.net` is what it made so far, and `report.json` what that is worth.

use std::path::Path;

use sumito_engine::network::NetworkError;

use super::checkpoint::{self, Epoch};
use super::plot;
use super::report::TrainReport;
use super::settings::TrainSettings;
use super::trainer::Run;
use crate::run::{RunError, RunFolder, RunKind, pretty};

/// Why a training run or a fit ended early or never began.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Settings without sense.
    #[error("{0}")]
    Settings(String),
    /// No data.
    #[error("expected positions to learn from, found none")]
    NoPositions,
    /// It cannot be kept on disk.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The network cannot be rounded for the engine.
    #[error("{0}")]
    Network(#[from] NetworkError),
}

/// The folder of a run.
pub(super) struct TrainFolder(RunFolder);

const KIND: RunKind = RunKind {
    what: "a training run",
    settings: "train.json",
    progress: "checkpoint",
    repeats_settings: true,
};

impl TrainFolder {
    /// Creates the folder, or opens it to go on with the run that is there.
    pub(super) fn open(
        dir: &Path,
        settings: &TrainSettings,
        data: u64,
    ) -> Result<(TrainFolder, Option<Run>), RunError> {
        let folder = RunFolder::open(dir, KIND)?;
        let run = match folder.checkpoint()? {
            None => None,
            Some(bytes) => {
                let (found, state, model, adam) =
                    checkpoint::from_bytes(&bytes).map_err(|why| folder.broken(why))?;
                folder.compare_fit(&found, settings, state.data == data)?;
                Some(Run::from_parts(state, model, adam))
            }
        };
        folder.begin(settings)?;
        Ok((TrainFolder(folder), run))
    }

    /// Keeps where the run is.
    pub(super) fn keep(&self, run: &Run, settings: &TrainSettings) -> Result<(), TrainError> {
        self.0.replace("checkpoint", checkpoint::to_bytes(&run.state, settings, &run.model, &run.adam))?;
        Ok(self.0.replace("network.net", run.model.quantised(settings.scale)?.to_bytes())?)
    }

    /// Keeps where the run is after an epoch, and how it went so far.
    pub(super) fn keep_epoch(&self, run: &Run, settings: &TrainSettings) -> Result<(), TrainError> {
        self.keep(run, settings)?;
        Ok(keep_losses(&self.0, &run.state.history)?)
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &TrainReport) -> Result<(), RunError> {
        self.0.replace("report.json", pretty(report))
    }
}

/// Keeps the losses as a table and as a picture.
pub(crate) fn keep_losses(folder: &RunFolder, history: &[Epoch]) -> Result<(), RunError> {
    folder.replace("loss.csv", csv(history))?;
    folder.replace("loss.svg", plot::losses(history))
}

fn csv(history: &[Epoch]) -> String {
    let mut text = String::from("epoch,train,validation,rate,positions_per_second\n");
    for Epoch { epoch, train, validation, rate, speed } in history {
        let validation = validation.map_or(String::new(), |loss| loss.to_string());
        text.push_str(&format!("{epoch},{train},{validation},{rate},{speed:.0}\n"));
    }
    text
}

//! A training run on disk: `train.json` says what it is, `checkpoint` how far it is, `loss.csv` and `loss.svg` how it
//! went, `network.net` is what it made so far, and `report.json` what that is worth.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sumito_engine::network::NetworkError;

use super::adam::Adam;
use super::checkpoint::{self, Epoch, State};
use super::model::Model;
use super::plot;
use super::report::Report;
use super::settings::Settings;
use super::trainer::Run;

/// Why a training run ended early or never began.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Settings without sense.
    #[error("{0}")]
    Settings(String),
    /// No data.
    #[error("expected positions to learn from, found none")]
    NoPositions,
    /// Reading or writing failed.
    #[error("{}: {why}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        why: io::Error,
    },
    /// The folder belongs to another run.
    #[error("{} holds another training run (its {fields} differ): choose another folder, or repeat its settings to resume it", dir.display())]
    OtherRun {
        /// The folder.
        dir: PathBuf,
        /// What differs.
        fields: String,
    },
    /// A checkpoint that cannot be gone on from.
    #[error("{}: {why}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody else is writing there.
    #[error("{}: another process is training there", .0.display())]
    Locked(PathBuf),
    /// The network cannot be rounded for the engine.
    #[error("{0}")]
    Network(#[from] NetworkError),
}

/// Ties an input or output error to its path.
fn at(path: &Path) -> impl Fn(io::Error) -> TrainError {
    move |why| TrainError::Io { path: path.to_path_buf(), why }
}

/// The folder of a run. As long as it is open nobody else can train there.
pub(super) struct Store {
    dir: PathBuf,
    _lock: File,
}

impl Store {
    /// Creates the folder, or opens it to go on with the run that is there.
    pub(super) fn open(
        dir: &Path,
        settings: &Settings,
        data: u64,
    ) -> Result<(Store, Option<Run>), TrainError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join("train.json");
        let mut options = OpenOptions::new();
        let mut lock =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(at(&path))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => TrainError::Locked(dir.to_path_buf()),
            TryLockError::Error(why) => at(&path)(why),
        })?;
        let found = Store::resume(dir, settings, data)?;
        if found.is_none() {
            let text = serde_json::to_string_pretty(settings).expect("settings are plain data");
            lock.set_len(0).and_then(|()| writeln!(lock, "{text}")).map_err(at(&path))?;
        }
        Ok((Store { dir: dir.to_path_buf(), _lock: lock }, found))
    }

    fn resume(dir: &Path, settings: &Settings, data: u64) -> Result<Option<Run>, TrainError> {
        let path = dir.join("checkpoint");
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(at(&path))?,
        };
        let (found, state, model, adam) = checkpoint::from_bytes(&bytes)
            .map_err(|why| TrainError::Checkpoint { path: path.clone(), why })?;
        let mut fields = found.difference(settings);
        if state.data != data {
            fields.push("positions".to_string());
        }
        if !fields.is_empty() {
            return Err(TrainError::OtherRun { dir: dir.to_path_buf(), fields: fields.join(", ") });
        }
        Ok(Some(Run::from_parts(state, model, adam)))
    }

    /// Keeps where the run is.
    pub(super) fn keep(
        &self,
        state: &State,
        settings: &Settings,
        model: &Model,
        adam: &Adam,
    ) -> Result<(), TrainError> {
        self.replace("checkpoint", &checkpoint::to_bytes(state, settings, model, adam))?;
        self.replace("network.net", &model.quantised(settings.scale)?.to_bytes())
    }

    /// Keeps where the run is after an epoch, and how it went so far.
    pub(super) fn keep_epoch(
        &self,
        state: &State,
        settings: &Settings,
        model: &Model,
        adam: &Adam,
    ) -> Result<(), TrainError> {
        self.keep(state, settings, model, adam)?;
        self.replace("loss.csv", csv(&state.history).as_bytes())?;
        self.replace("loss.svg", plot::losses(&state.history).as_bytes())
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &Report) -> Result<(), TrainError> {
        let text = serde_json::to_string_pretty(report).expect("a report is plain data");
        self.replace("report.json", format!("{text}\n").as_bytes())
    }

    /// Writes a file that is whole at any time.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        let (path, new) = (self.dir.join(name), self.dir.join(format!(".{name}.new")));
        fs::write(&new, bytes).and_then(|()| fs::rename(&new, &path)).map_err(at(&path))
    }
}

/// The losses as a table.
pub(crate) fn csv(history: &[Epoch]) -> String {
    let mut text = String::from("epoch,train,validation,rate,positions_per_second\n");
    for Epoch { epoch, train, validation, rate, speed } in history {
        let validation = validation.map_or(String::new(), |loss| loss.to_string());
        text.push_str(&format!("{epoch},{train},{validation},{rate},{speed:.0}\n"));
    }
    text
}

//! A run on disk: `checkpoint.json` says what it is and how far, `loss.csv` and `loss.svg` how it went, `weights.rs` what
//! it made, and `report.json` what that is worth.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::report::Report;
use super::run::State;
use super::settings::Settings;
use crate::train::{csv, losses};

/// Why a run ended early or never began.
#[derive(Debug, thiserror::Error)]
pub enum TexelError {
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
    #[error("{} holds another tuning (its {fields} differ): choose another folder, or repeat its settings to resume it", dir.display())]
    OtherRun {
        /// The folder.
        dir: PathBuf,
        /// What differs.
        fields: String,
    },
    /// A checkpoint that cannot be gone on from.
    #[error("{}: expected a checkpoint of a tuning: {why}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: serde_json::Error,
    },
    /// Somebody else is writing there.
    #[error("{}: another process is tuning there", .0.display())]
    Locked(PathBuf),
}

/// Ties an input or output error to its path.
fn at(path: &Path) -> impl Fn(io::Error) -> TexelError {
    move |why| TexelError::Io { path: path.to_path_buf(), why }
}

/// The folder of a run. As long as it is open nobody else can tune there.
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
    ) -> Result<(Store, Option<State>), TexelError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(".lock");
        let lock =
            OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(at(&path))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => TexelError::Locked(dir.to_path_buf()),
            TryLockError::Error(why) => at(&path)(why),
        })?;
        let path = dir.join("checkpoint.json");
        let state: Option<State> = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            bytes => Some(
                serde_json::from_slice(&bytes.map_err(at(&path))?)
                    .map_err(|why| TexelError::Checkpoint { path: path.clone(), why })?,
            ),
        };
        if let Some(state) = &state {
            let mut fields = state.settings.difference(settings);
            if state.data != data {
                fields.push("positions".to_string());
            }
            if !fields.is_empty() {
                return Err(TexelError::OtherRun { dir: dir.to_path_buf(), fields: fields.join(", ") });
            }
        }
        Ok((Store { dir: dir.to_path_buf(), _lock: lock }, state))
    }

    /// Keeps where the run is after an epoch.
    pub(super) fn keep(&self, state: &State) -> Result<(), TexelError> {
        let text = serde_json::to_string(state).expect("a state is plain data");
        self.replace("checkpoint.json", &text)?;
        self.replace("weights.rs", &state.model.source())?;
        self.replace("loss.csv", &csv(&state.history))?;
        self.replace("loss.svg", &losses(&state.history))
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &Report) -> Result<(), TexelError> {
        let text = serde_json::to_string_pretty(report).expect("a report is plain data");
        self.replace("report.json", &format!("{text}\n"))
    }

    /// Writes a file that is whole at any time.
    fn replace(&self, name: &str, text: &str) -> Result<(), TexelError> {
        let (path, new) = (self.dir.join(name), self.dir.join(format!(".{name}.new")));
        fs::write(&new, text).and_then(|()| fs::rename(&new, &path)).map_err(at(&path))
    }
}

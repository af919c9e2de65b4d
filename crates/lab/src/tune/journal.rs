//! Long work on disk: one file says what it is, another grows by a line with each step. Resuming reads the lines
//! again, and whoever wrote them learns from them as it did the first time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::runner::{StoreError, at, difference, for_each_line, pretty, replace};

/// What the work is called, and its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// What it is, for errors.
    pub(crate) what: &'static str,
    /// The file with everything that decides it.
    pub(crate) config: &'static str,
    /// The file with a line for each step.
    pub(crate) lines: &'static str,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It belongs to other work.
    #[error("{} holds another {what} (its {fields} differ): choose another folder, or repeat its settings to resume it", dir.display())]
    Other {
        /// The folder.
        dir: PathBuf,
        /// What the work is called.
        what: &'static str,
        /// What differs.
        fields: String,
    },
    /// There are steps, but nothing says of what.
    #[error("{} has {lines} but no {config}: expected the folder of {article} {what}, or an empty one", dir.display())]
    NoConfig {
        /// The folder.
        dir: PathBuf,
        /// The file with the steps.
        lines: &'static str,
        /// The file that is not there.
        config: &'static str,
        /// `a` or `an`.
        article: &'static str,
        /// What the work is called.
        what: &'static str,
    },
    /// Somebody else is writing there.
    #[error("{}: another process is running this {what}", dir.display())]
    Locked {
        /// The folder.
        dir: PathBuf,
        /// What the work is called.
        what: &'static str,
    },
}

/// A folder open for writing. As long as it is open nobody else can write there.
#[derive(Debug)]
pub struct Journal {
    dir: PathBuf,
    path: PathBuf,
    lines: File,
}

impl Journal {
    /// Creates the folder, or opens it to resume and hands over the lines that are there.
    pub(crate) fn open(
        dir: &Path,
        names: Names,
        config: &impl Serialize,
        mut relearn: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Journal, JournalError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(names.lines);
        check_config(dir, names, config, !path.exists())?;
        let mut options = OpenOptions::new();
        let lines = options.read(true).append(true).create(true).open(&path).map_err(at(&path))?;
        lines.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked { dir: dir.to_path_buf(), what: names.what },
            TryLockError::Error(why) => at(&path)(why).into(),
        })?;
        let whole = for_each_line(&path, |_, text| relearn(text))?;
        lines.set_len(whole).map_err(at(&path))?;
        Ok(Journal { dir: dir.to_path_buf(), path, lines })
    }

    /// Adds a line, in one write so that an interruption leaves at most a half last line.
    pub(crate) fn append(&mut self, line: &impl Serialize) -> Result<(), StoreError> {
        let mut text = serde_json::to_string(line).expect("plain data");
        text.push('\n');
        self.lines.write_all(text.as_bytes()).map_err(at(&self.path))
    }

    /// Writes another file of the folder, whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        replace(&self.dir.join(name), text)
    }
}

/// Writes what the work is, or compares it with what is there.
fn check_config(dir: &Path, names: Names, config: &impl Serialize, is_new: bool) -> Result<(), JournalError> {
    let (path, text) = (dir.join(names.config), pretty(config) + "\n");
    let (dir, what) = (dir.to_path_buf(), names.what);
    match fs::read_to_string(&path) {
        Ok(there) if there == text => Ok(()),
        Ok(there) => Err(JournalError::Other { dir, what, fields: difference(&there, &text) }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_new => Ok(replace(&path, &text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            Err(JournalError::NoConfig { dir, lines: names.lines, config: names.config, article, what })
        }
        Err(error) => Err(at(&path)(error).into()),
    }
}

//! A run on disk, whatever it does: a folder with its settings, a lock, where it comes from, and files that are whole at
//! any time. What a run has done lies in one more file: lines that grow (a journal) or a checkpoint.

mod date;
mod error;
mod journal;
mod machine;
mod provenance;
#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use date::today;
pub use error::RunError;
pub(crate) use error::at;
pub(crate) use journal::{Journal, for_each_line};
pub use machine::Machine;
pub use provenance::Provenance;

/// What is run in a folder, and the names of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunKind {
    /// What it is called, with its article: "a match".
    pub(crate) what: &'static str,
    /// The file with everything that decides it.
    pub(crate) settings: &'static str,
    /// The file that says how far it is.
    pub(crate) progress: &'static str,
    /// Whether that file has the settings too. Its reader compares them; the first file is for people then.
    pub(crate) repeats_settings: bool,
}

/// The folder of a run, open for writing. As long as it is open nobody else can write there.
#[derive(Debug)]
pub(crate) struct RunFolder {
    dir: PathBuf,
    kind: RunKind,
    _lock: File,
}

/// The name of the file that is locked: no reader is in its way.
const LOCK: &str = ".lock";
/// The programs that worked on the run, one after the other.
const PROVENANCE: &str = "provenance.json";

impl RunFolder {
    /// Creates the folder if it is not there, and keeps everybody else out.
    pub(crate) fn open(dir: &Path, kind: RunKind) -> Result<RunFolder, RunError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(LOCK);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path).map_err(at(&path))?;
        lock(&file, &path, dir)?;
        Ok(RunFolder { dir: dir.to_path_buf(), kind, _lock: file })
    }

    /// Writes what the run is, or compares it with what is there. Before it has done anything it may become another.
    pub(crate) fn begin(&self, settings: &impl Serialize) -> Result<(), RunError> {
        let has_progress = self.path(self.kind.progress).exists();
        match self.settings()? {
            Some(there) if has_progress => self.compare(&there, settings)?,
            None if has_progress && !self.kind.repeats_settings => return Err(self.without_settings()),
            _ => self.write_settings(settings)?,
        }
        sign(&self.path(PROVENANCE))
    }

    /// The settings that are there.
    pub(crate) fn settings(&self) -> Result<Option<Value>, RunError> {
        let text = self.read(self.kind.settings)?;
        // What is no JSON is not what we want, and compared as such.
        Ok(text.map(|text| serde_json::from_slice(&text).unwrap_or(Value::Null)))
    }

    /// Refuses settings that are not those of the run, and names what differs.
    pub(crate) fn compare(&self, there: &impl Serialize, own: &impl Serialize) -> Result<(), RunError> {
        let fields = difference(there, own);
        if fields.is_empty() { Ok(()) } else { Err(self.other(fields.join(", "))) }
    }

    /// The same for something that is fitted to positions, which must be the same too.
    pub(crate) fn compare_fit(
        &self,
        there: &impl Serialize,
        own: &impl Serialize,
        is_same_data: bool,
    ) -> Result<(), RunError> {
        self.compare(there, own)?;
        if is_same_data { Ok(()) } else { Err(self.other("positions".to_string())) }
    }

    /// The run that is there is another one: these of its settings differ.
    fn other(&self, fields: String) -> RunError {
        RunError::Other { dir: self.dir.clone(), what: self.kind.what, fields }
    }

    pub(crate) fn write_settings(&self, settings: &impl Serialize) -> Result<(), RunError> {
        self.replace(self.kind.settings, pretty(settings))
    }

    fn without_settings(&self) -> RunError {
        let RunKind { what, settings, progress, .. } = self.kind;
        RunError::NoSettings { dir: self.dir.clone(), what, settings, progress }
    }

    /// Where a file of the folder is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Reads a file of the folder, if it is there.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        read(&self.path(name))
    }

    /// Where the run is, as it was kept last.
    pub(crate) fn checkpoint(&self) -> Result<Option<Vec<u8>>, RunError> {
        self.read(self.kind.progress)
    }

    /// The checkpoint cannot be gone on from.
    pub(crate) fn broken(&self, why: String) -> RunError {
        RunError::Broken { path: self.path(self.kind.progress), why }
    }

    /// Writes a file of the folder, whole or not at all.
    pub(crate) fn replace(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), RunError> {
        replace(&self.path(name), bytes)
    }
}

/// Keeps everybody else from a file, or says whose folder it is that is in use.
pub(crate) fn lock(file: &File, path: &Path, whose: &Path) -> Result<(), RunError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => RunError::Locked(whose.to_path_buf()),
        TryLockError::Error(why) => at(path)(why),
    })
}

/// Adds this program to those that worked on a run, if it is not the last of them.
pub(crate) fn sign(path: &Path) -> Result<(), RunError> {
    let there = read(path)?;
    let mut all: Vec<Provenance> =
        there.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    if all.last() == Some(Provenance::of_this_program()) {
        return Ok(());
    }
    all.push(Provenance::of_this_program().clone());
    replace(path, pretty(&all))
}

/// Reads a file, if it is there.
fn read(path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some).map_err(at(path)),
    }
}

/// Writes a file so that a reader finds either the old or the new one, whole.
pub(crate) fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), RunError> {
    let draft = path.with_added_extension("part");
    fs::write(&draft, bytes).map_err(at(&draft))?;
    fs::rename(&draft, path).map_err(at(path))
}

/// A value as JSON for people, with a newline at the end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data") + "\n"
}

/// The names of the settings that differ, in their order. One that is not there counts as null, so that settings can be
/// added.
pub(crate) fn difference(there: &impl Serialize, own: &impl Serialize) -> Vec<String> {
    let [there_text, own_text] = [pretty(there), pretty(own)];
    let [there, own] = [fields(&there_text), fields(&own_text)];
    let mut names: Vec<&str> = Vec::new();
    for name in keys(&own_text).chain(keys(&there_text)) {
        let value = |fields: &Map<String, Value>| fields.get(name).cloned().unwrap_or_default();
        if !names.contains(&name) && value(&there) != value(&own) {
            names.push(name);
        }
    }
    names.into_iter().map(str::to_string).collect()
}

fn fields(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// The names of an object's fields in their order, which a parsed object has lost.
fn keys(pretty: &str) -> impl Iterator<Item = &str> {
    pretty.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next())
}

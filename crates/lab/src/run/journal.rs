//! A run that grows by a line with each step. Resuming reads the lines again, and whoever wrote them learns from them as
//! it did the first time.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{RunError, RunFolder, RunKind, at};

/// The folder of such a run.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: RunFolder,
    path: PathBuf,
    lines: File,
}

impl Journal {
    /// Creates the folder, or opens it to resume and hands over the lines that are there.
    pub(crate) fn open(
        dir: &Path,
        kind: RunKind,
        settings: &impl Serialize,
        relearn: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Journal, RunError> {
        let folder = RunFolder::open(dir, kind)?;
        folder.begin(settings)?;
        Journal::read(folder, relearn)
    }

    /// The lines of a folder whose settings are as they should be.
    pub(crate) fn read(
        folder: RunFolder,
        mut relearn: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<Journal, RunError> {
        let path = folder.path(folder.kind.progress);
        let mut options = OpenOptions::new();
        let lines = options.read(true).append(true).create(true).open(&path).map_err(at(&path))?;
        let whole = for_each_line(&path, |_, text| relearn(text))?;
        lines.set_len(whole).map_err(at(&path))?;
        Ok(Journal { folder, path, lines })
    }

    /// Adds a line, in one write so that an interruption leaves at most a half last line.
    pub(crate) fn append(&mut self, line: &impl Serialize) -> Result<(), RunError> {
        let mut text = serde_json::to_string(line).expect("plain data");
        text.push('\n');
        self.lines.write_all(text.as_bytes()).map_err(at(&self.path))
    }

    /// The folder, for its other files.
    pub(crate) fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// The file with the lines.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Calls `f` with place and text of every line, and returns where the last whole line ends. A last line without its
/// newline was interrupted: it counts as not written.
pub(crate) fn for_each_line(
    path: &Path,
    mut f: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<u64, RunError> {
    let mut reader = BufReader::new(File::open(path).map_err(at(path))?);
    let (mut bytes, mut start) = (Vec::new(), 0);
    for line in 1.. {
        bytes.clear();
        reader.read_until(b'\n', &mut bytes).map_err(at(path))?;
        let Some(body) = bytes.strip_suffix(b"\n") else { break };
        let error = |why| RunError::Line { path: path.to_path_buf(), line, why };
        let text = std::str::from_utf8(body).map_err(|why| error(why.to_string()))?;
        f(start, text).map_err(error)?;
        start += bytes.len() as u64;
    }
    Ok(start)
}

//! A match on disk: `match.json` says what it is, `games.jsonl` grows by one line a game, and the results are
//! written when it ends or is interrupted.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::apgn;
use crate::config::MatchConfig;
use crate::csv;
use crate::referee::GameResult;
use crate::tally::Report;

/// Why a match cannot be kept in a folder.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{}: {why}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        why: io::Error,
    },
    /// The folder belongs to another match.
    #[error("{} holds another match (its {fields} differ): choose another folder, or repeat its settings to resume it", dir.display())]
    OtherMatch {
        /// The folder.
        dir: PathBuf,
        /// What differs.
        fields: String,
    },
    /// There are games without a `match.json`.
    #[error("{} has games.jsonl but no match.json: expected the folder of a match, or an empty one", .0.display())]
    NoConfig(PathBuf),
    /// A line that is no game of this match.
    #[error("{} line {line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody else is writing there.
    #[error("{}: another process is playing this match", .0.display())]
    Locked(PathBuf),
}

/// Ties an input or output error to its path.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |why| StoreError::Io { path: path.to_path_buf(), why }
}

/// The folder of a match, open for writing. As long as it is open nobody else can write there.
#[derive(Debug)]
pub(super) struct Store {
    dir: PathBuf,
    games: File,
}

impl Store {
    /// Creates the folder or opens it to resume, and hands over the games that are there.
    pub(super) fn open(
        dir: &Path,
        config: &MatchConfig,
        mut found: impl FnMut(GameResult) -> Result<(), String>,
    ) -> Result<Store, StoreError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join("games.jsonl");
        let is_new = !path.exists();
        check_config(dir, config, is_new)?;
        let mut options = OpenOptions::new();
        let games = options.read(true).append(true).create(true).open(&path).map_err(at(&path))?;
        games.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StoreError::Locked(dir.to_path_buf()),
            TryLockError::Error(why) => at(&path)(why),
        })?;
        let mut seen = HashSet::new();
        let whole = for_each_line(&path, |_, text| {
            let result: GameResult = serde_json::from_str(text).map_err(|why| why.to_string())?;
            if !seen.insert(result.index) {
                return Err(format!("game {} comes up again", result.index));
            }
            found(result)
        })?;
        games.set_len(whole).map_err(at(&path))?;
        Ok(Store { dir: dir.to_path_buf(), games })
    }

    /// Adds a game, in one write so that an interruption leaves at most a half last line.
    pub(super) fn append(&mut self, result: &GameResult) -> Result<(), StoreError> {
        let mut line = serde_json::to_string(result).expect("a result is plain data");
        line.push('\n');
        self.games.write_all(line.as_bytes()).map_err(at(&self.dir.join("games.jsonl")))
    }

    /// Writes `results.json`, `results.csv` and `games.apgn`.
    pub(super) fn write_results(&self, report: &Report) -> Result<(), StoreError> {
        replace(&self.dir.join("results.json"), &(pretty(report) + "\n"))?;
        replace(&self.dir.join("results.csv"), &csv::write(report))?;
        self.write_apgn()
    }

    /// All games in the order of the schedule. They are read one by one, since a long match may not fit into
    /// memory.
    fn write_apgn(&self) -> Result<(), StoreError> {
        let (source, target) = (self.dir.join("games.jsonl"), self.dir.join("games.apgn"));
        let mut places = BTreeMap::new();
        for_each_line(&source, |start, text| {
            #[derive(serde::Deserialize)]
            struct Key {
                index: usize,
            }
            let key: Key = serde_json::from_str(text).map_err(|why| why.to_string())?;
            places.insert(key.index, (start, text.len()));
            Ok(())
        })?;
        let mut games = File::open(&source).map_err(at(&source))?;
        let mut apgn = BufWriter::new(File::create(&target).map_err(at(&target))?);
        for (start, length) in places.into_values() {
            let mut line = vec![0; length];
            games.seek(SeekFrom::Start(start)).map_err(at(&source))?;
            games.read_exact(&mut line).map_err(at(&source))?;
            let result: GameResult =
                serde_json::from_slice(&line).map_err(io::Error::from).map_err(at(&source))?;
            apgn.write_all(apgn::write(&result).as_bytes()).map_err(at(&target))?;
        }
        apgn.flush().map_err(at(&target))
    }
}

/// Calls `f` with place and text of every line, and returns where the last whole line ends. A last line
/// without its newline was interrupted: its game counts as not played.
pub(crate) fn for_each_line(
    path: &Path,
    mut f: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<u64, StoreError> {
    let mut reader = BufReader::new(File::open(path).map_err(at(path))?);
    let (mut bytes, mut start) = (Vec::new(), 0);
    for line in 1.. {
        bytes.clear();
        reader.read_until(b'\n', &mut bytes).map_err(at(path))?;
        let Some(body) = bytes.strip_suffix(b"\n") else { break };
        let error = |why| StoreError::Line { path: path.to_path_buf(), line, why };
        let text = std::str::from_utf8(body).map_err(|why| error(why.to_string()))?;
        f(start, text).map_err(error)?;
        start += bytes.len() as u64;
    }
    Ok(start)
}

/// Writes `match.json`, or compares it with the one that is there.
fn check_config(dir: &Path, config: &MatchConfig, is_new: bool) -> Result<(), StoreError> {
    let path = dir.join("match.json");
    let text = pretty(config) + "\n";
    match fs::read_to_string(&path) {
        // Texts are compared, not values: a number is read back as written only to the last bit but one.
        Ok(there) if there == text => Ok(()),
        Ok(there) => {
            Err(StoreError::OtherMatch { dir: dir.to_path_buf(), fields: difference(&there, &text) })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_new => replace(&path, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreError::NoConfig(dir.to_path_buf())),
        Err(error) => Err(at(&path)(error)),
    }
}

/// The names of the top fields that differ.
pub(crate) fn difference(one: &str, other: &str) -> String {
    let read = |text| match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (one, other) = (read(one), read(other));
    let names: Vec<&str> =
        other.keys().filter(|name| one.get(*name) != other.get(*name)).map(String::as_str).collect();
    if names.is_empty() { "details".to_string() } else { names.join(", ") }
}

pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

/// Writes a file so that a reader finds either the old or the new one, whole.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), StoreError> {
    let draft = path.with_extension("part");
    fs::write(&draft, text).map_err(at(&draft))?;
    fs::rename(&draft, path).map_err(at(path))
}

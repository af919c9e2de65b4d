//! A tuning on disk: `tune.json` says what it is, `iterations.jsonl` grows by one line an iteration.
//!
//! The results of all pairs are kept, and resuming learns from them anew: so it has exactly the values that an
//! uninterrupted run has. The values of each line are there for readers and as a check.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Config, PairResult, Spsa, TuneError};
use crate::runner::{StoreError, at, difference, for_each_line, pretty, replace};

/// The folder of a tuning, open for writing. As long as it is open nobody else can write there.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    lines: File,
}

/// An iteration on disk.
#[derive(Serialize, Deserialize)]
struct Line {
    iteration: usize,
    pairs: Vec<PairResult>,
    values: Vec<f64>,
}

const CONFIG: &str = "tune.json";
const LINES: &str = "iterations.jsonl";

impl Store {
    /// Creates the folder, or opens it to resume and learns from the iterations that are there.
    pub fn open(dir: &Path, config: &Config, spsa: &mut Spsa<'_>) -> Result<Store, TuneError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(LINES);
        check_config(dir, config, !path.exists())?;
        let mut options = OpenOptions::new();
        let lines = options.read(true).append(true).create(true).open(&path).map_err(at(&path))?;
        lines.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => TuneError::Locked(dir.to_path_buf()),
            TryLockError::Error(why) => at(&path)(why).into(),
        })?;
        let whole = for_each_line(&path, |_, text| relearn(spsa, text))?;
        lines.set_len(whole).map_err(at(&path))?;
        Ok(Store { dir: dir.to_path_buf(), lines })
    }

    /// Keeps the iteration that was just learned from, in one write so that an interruption leaves at most a half
    /// last line.
    pub(super) fn append(&mut self, spsa: &Spsa<'_>, pairs: Vec<PairResult>) -> Result<(), StoreError> {
        let line = Line { iteration: spsa.iterations(), pairs, values: spsa.values().to_vec() };
        let mut text = serde_json::to_string(&line).expect("plain data");
        text.push('\n');
        self.lines.write_all(text.as_bytes()).map_err(at(&self.dir.join(LINES)))
    }

    /// Writes another file of the folder, whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), StoreError> {
        replace(&self.dir.join(name), text)
    }
}

fn relearn(spsa: &mut Spsa<'_>, text: &str) -> Result<(), String> {
    let line: Line = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let (expected, pairs) = (spsa.iterations() + 1, spsa.plan().pairs);
    if spsa.is_finished() || line.iteration != expected || line.pairs.len() != pairs {
        let Line { iteration, pairs: found, .. } = line;
        return Err(format!(
            "expected iteration {expected} of {} with {pairs} pairs, found iteration {iteration} with {}",
            spsa.plan().iterations,
            found.len()
        ));
    }
    spsa.learn(&line.pairs);
    // Numbers are read back as written only to the last bit but one.
    let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    if line.values.len() != spsa.values().len() || !spsa.values().iter().zip(&line.values).all(near) {
        return Err("its values do not follow from its results: another version of the tuner wrote it".into());
    }
    Ok(())
}

/// Writes `tune.json`, or compares it with the one that is there.
fn check_config(dir: &Path, config: &Config, is_new: bool) -> Result<(), TuneError> {
    let path = dir.join(CONFIG);
    let text = pretty(config) + "\n";
    match fs::read_to_string(&path) {
        Ok(there) if there == text => Ok(()),
        Ok(there) => Err(TuneError::Other { dir: dir.to_path_buf(), fields: difference(&there, &text) }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_new => Ok(replace(&path, &text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(TuneError::NoConfig(dir.to_path_buf())),
        Err(error) => Err(at(&path)(error).into()),
    }
}

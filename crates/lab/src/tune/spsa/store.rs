//! A tuning on disk: `tune.json` says what it is, `iterations.jsonl` grows by one line an iteration.
//!
//! The results of all pairs are kept, and resuming learns from them anew: so it has exactly the values that an
//! uninterrupted run has. The values of each line are there for readers and as a check.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{PairResult, Spsa, SpsaConfig};
use crate::run::{Journal, Kind, RunError};

/// The folder of a tuning, open for writing.
#[derive(Debug)]
pub struct SpsaFolder(Journal);

/// An iteration on disk.
#[derive(Serialize, Deserialize)]
struct Line {
    iteration: usize,
    pairs: Vec<PairResult>,
    values: Vec<f64>,
}

const KIND: Kind =
    Kind { what: "a tuning", settings: "tune.json", progress: "iterations.jsonl", repeats_settings: false };

impl SpsaFolder {
    /// Creates the folder, or opens it to resume and learns from the iterations that are there.
    pub fn open(dir: &Path, config: &SpsaConfig, spsa: &mut Spsa<'_>) -> Result<SpsaFolder, RunError> {
        Journal::open(dir, KIND, config, |text| relearn(spsa, text)).map(SpsaFolder)
    }

    /// Keeps the iteration that was just learned from.
    pub(super) fn append(&mut self, spsa: &Spsa<'_>, pairs: Vec<PairResult>) -> Result<(), RunError> {
        self.0.append(&Line { iteration: spsa.iterations(), pairs, values: spsa.values().to_vec() })
    }

    /// Writes another file of the folder, whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        self.0.folder().replace(name, text)
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

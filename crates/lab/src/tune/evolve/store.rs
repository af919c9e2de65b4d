//! An evolution on disk: `evolve.json` says what it is, `steps.jsonl` grows by one line with each generation, round of
//! tournaments and the final.
//!
//! The results of all pairs are kept, and resuming learns from them anew: so it has exactly the members that an
//! uninterrupted run has. The best weights of each line are there for readers and as a check.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Evolution, EvolveConfig, GameSums, Stage};
use crate::run::{Journal, Kind, RunError};

/// The folder of an evolution, open for writing.
#[derive(Debug)]
pub struct EvolveFolder(Journal);

/// A step on disk. A result is wins, draws, losses, twelfths of a point, games nobody won on the board, faults.
#[derive(Serialize, Deserialize)]
struct Line {
    stage: Stage,
    best: Vec<f64>,
    results: Vec<GameSums>,
}

const KIND: Kind =
    Kind { what: "an evolution", settings: "evolve.json", progress: "steps.jsonl", repeats_settings: false };

impl EvolveFolder {
    /// Creates the folder, or opens it to resume and learns from the steps that are there.
    pub fn open(
        dir: &Path,
        config: &EvolveConfig,
        evolution: &mut Evolution<'_>,
    ) -> Result<EvolveFolder, RunError> {
        Journal::open(dir, KIND, config, |text| relearn(evolution, text)).map(EvolveFolder)
    }

    /// Keeps the step that was just learned from.
    pub(super) fn append(
        &mut self,
        stage: Stage,
        evolution: &Evolution<'_>,
        results: Vec<GameSums>,
    ) -> Result<(), RunError> {
        self.0.append(&Line { stage, best: evolution.best(), results })
    }

    /// Writes another file of the folder, whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), RunError> {
        self.0.folder().replace(name, text)
    }
}

fn relearn(evolution: &mut Evolution<'_>, text: &str) -> Result<(), String> {
    let line: Line = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let (stage, bouts) = (evolution.stage(), evolution.plan().bouts_in(evolution.stage()));
    if stage == Stage::Over || line.stage != stage || line.results.len() != bouts {
        let (found, results) = (line.stage, line.results.len());
        return Err(format!("expected {stage:?} with {bouts} results, found {found:?} with {results}"));
    }
    if line.results.iter().any(|result| result.games() != 2 || result.twelfths > 24) {
        return Err("expected results of two games each".to_string());
    }
    evolution.learn(&line.results);
    let best = evolution.best();
    // Numbers are read back as written only to the last bit but one.
    let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    if line.best.len() != best.len() || !best.iter().zip(&line.best).all(near) {
        return Err("its best weights do not follow from its results: another version wrote it".into());
    }
    Ok(())
}

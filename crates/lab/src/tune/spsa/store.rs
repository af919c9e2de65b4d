//! A tuning on disk: `tune.json` says what it is, `iterations.jsonl` grows by one line an iteration.

use serde::{Deserialize, Serialize};

use super::{PairResult, Spsa, SpsaConfig};
use crate::run::RunKind;
use crate::tune::steps::{Stepwise, are_kept};

/// An iteration on disk.
#[derive(Debug, Serialize, Deserialize)]
pub struct SpsaLine {
    iteration: usize,
    pairs: Vec<PairResult>,
    values: Vec<f64>,
}

impl Stepwise for Spsa<'_> {
    type Config = SpsaConfig;
    type Result = PairResult;
    type Line = SpsaLine;
    const KIND: RunKind = RunKind {
        what: "a tuning",
        settings: "tune.json",
        progress: "iterations.jsonl",
        repeats_settings: false,
    };

    fn is_finished(&self) -> bool {
        Spsa::is_finished(self)
    }

    fn take_step(&mut self, pairs: Vec<PairResult>) -> SpsaLine {
        self.learn(&pairs);
        SpsaLine { iteration: self.iterations(), pairs, values: self.values().to_vec() }
    }

    fn relearn(&mut self, line: &str) -> Result<(), String> {
        let line: SpsaLine = serde_json::from_str(line).map_err(|why| why.to_string())?;
        let (expected, pairs) = (self.iterations() + 1, self.plan().pairs);
        if self.is_finished() || line.iteration != expected || line.pairs.len() != pairs {
            let SpsaLine { iteration, pairs: found, .. } = line;
            return Err(format!(
                "expected iteration {expected} of {} with {pairs} pairs, found iteration {iteration} with {}",
                self.plan().iterations,
                found.len()
            ));
        }
        self.learn(&line.pairs);
        if !are_kept(self.values(), &line.values) {
            let why = "its values do not follow from its results: another version of the tuner wrote it";
            return Err(why.to_string());
        }
        Ok(())
    }
}

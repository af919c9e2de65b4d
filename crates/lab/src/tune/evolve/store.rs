//! An evolution on disk: `evolve.json` says what it is, `steps.jsonl` grows by one line with each generation, round of
//! tournaments and the final.

use serde::{Deserialize, Serialize};

use super::{Evolution, EvolveConfig, EvolveStage, GameSums};
use crate::run::RunKind;
use crate::tune::steps::{Stepwise, are_kept};

/// A step on disk. A result is wins, draws, losses, twelfths of a point, games nobody won on the board, faults.
#[derive(Debug, Serialize, Deserialize)]
pub struct EvolveLine {
    stage: EvolveStage,
    best: Vec<f64>,
    results: Vec<GameSums>,
}

impl Stepwise for Evolution<'_> {
    type Config = EvolveConfig;
    type Result = GameSums;
    type Line = EvolveLine;
    const KIND: RunKind = RunKind {
        what: "an evolution",
        settings: "evolve.json",
        progress: "steps.jsonl",
        repeats_settings: false,
    };

    fn is_finished(&self) -> bool {
        Evolution::is_finished(self)
    }

    fn take_step(&mut self, results: Vec<GameSums>) -> EvolveLine {
        let stage = self.stage();
        self.learn(&results);
        EvolveLine { stage, best: self.best(), results }
    }

    fn relearn(&mut self, line: &str) -> Result<(), String> {
        let line: EvolveLine = serde_json::from_str(line).map_err(|why| why.to_string())?;
        let (stage, bouts) = (self.stage(), self.plan().bouts_in(self.stage()));
        if stage == EvolveStage::Over || line.stage != stage || line.results.len() != bouts {
            let (found, results) = (line.stage, line.results.len());
            return Err(format!("expected {stage:?} with {bouts} results, found {found:?} with {results}"));
        }
        if line.results.iter().any(|result| result.games() != 2 || result.twelfths > 24) {
            return Err("expected results of two games each".to_string());
        }
        self.learn(&line.results);
        if !are_kept(&self.best(), &line.best) {
            return Err("its best weights do not follow from its results: another version wrote it".into());
        }
        Ok(())
    }
}

//! What a tuning has found so far: as data, and as a picture.

use serde::Serialize;

use super::{Spsa, SpsaConfig};
use crate::stats::WdlCount;
use crate::tune::param::{spec_with, table_lines};
use crate::tune::plot::{Curve, Plot};

/// Where a tuning is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpsaReport {
    /// Whether all iterations are done.
    pub finished: bool,
    /// Iterations done.
    pub iterations: usize,
    /// Iterations of the whole tuning.
    pub scheduled: usize,
    /// The games, for the values that were moved with the signs.
    pub games: WdlCount,
    /// Games that a player lost by its time, an illegal move or a breakdown.
    pub faults: u64,
    /// The numbers.
    pub params: Vec<Moved>,
    /// The agent with the values found.
    pub spec: String,
    /// The lines of the engine's table with the values found.
    pub table: Vec<String>,
}

/// Where a number came from and where it is now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moved {
    /// Its name.
    pub name: String,
    /// The start value.
    pub start: f64,
    /// The value now, the fraction of a whole number included.
    pub now: f64,
    /// The value now as the agent gets it.
    pub text: String,
    /// The change in steps.
    pub steps: f64,
}

impl SpsaReport {
    /// Sums up a tuning.
    pub fn new(config: &SpsaConfig, spsa: &Spsa<'_>) -> SpsaReport {
        let params = &spsa.plan().params;
        let moved = params.iter().zip(spsa.values()).map(|(param, &now)| Moved {
            name: param.name.clone(),
            start: param.start,
            now,
            text: param.text(now),
            steps: (now - param.start) / param.step,
        });
        SpsaReport {
            finished: spsa.is_finished(),
            iterations: spsa.iterations(),
            scheduled: spsa.plan().iterations,
            games: spsa.games(),
            faults: spsa.faults(),
            params: moved.collect(),
            spec: spec_with(&config.agent, params, spsa.values()),
            table: table_lines(&config.agent, params, spsa.values()),
        }
    }
}

impl Spsa<'_> {
    /// The values over the iterations as an SVG picture, each as a part of its range.
    pub fn picture(&self, config: &SpsaConfig) -> String {
        let curves = self.plan().params.iter().enumerate().map(|(i, param)| Curve {
            name: format!("{}: {} to {}", param.name, param.text(param.start), param.text(self.values()[i])),
            values: self
                .history()
                .iter()
                .map(|values| 100.0 * (values[i] - param.min) / (param.max - param.min))
                .collect(),
        });
        let plot = Plot {
            title: format!("SPSA of {} at {}", config.agent, config.limit),
            x: "iteration".to_string(),
            y: "% of the range".to_string(),
            curves: curves.collect(),
        };
        plot.svg()
    }
}

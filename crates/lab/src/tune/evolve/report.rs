//! What an evolution has found so far: as data, as a table, and as a picture.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Evolution, EvolveConfig, EvolveStage, EvolveStep, GameSums, ISLANDS, StepPart};
use crate::stats::WdlCount;
use crate::tune::param::spec_with;
use crate::tune::plot::{Curve, Plot};

/// Where an evolution is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvolveReport {
    /// Whether it is over.
    pub finished: bool,
    /// Steps done: generations, rounds of tournaments, the final.
    pub steps: usize,
    /// Steps of the whole evolution.
    pub scheduled: usize,
    /// Games played.
    pub games: u64,
    /// The part of them that was drawn.
    pub drawn: f64,
    /// The part of them that nobody won on the board.
    pub undecided: f64,
    /// Games that a player lost by its time, an illegal move or a breakdown.
    pub faults: u64,
    /// The coach.
    pub coach: String,
    /// The final's games of the best against the coach; they chose it, and so flatter it.
    pub final_games: Option<WdlCount>,
    /// The score of these.
    pub final_score: Option<f64>,
    /// The weights.
    pub weights: Vec<EvolvedWeight>,
    /// The agent with the best weights.
    pub spec: String,
}

/// What became of a weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvolvedWeight {
    /// Its name.
    pub name: String,
    /// The least it could be.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// The agent's own value.
    pub own: f64,
    /// The best set's, as text in the spec.
    pub best: String,
}

impl EvolveReport {
    /// Sums up an evolution.
    pub fn new(config: &EvolveConfig, evolution: &Evolution<'_>) -> EvolveReport {
        let (plan, best, games) = (evolution.plan(), evolution.best(), evolution.games());
        let champion: Option<GameSums> = evolution.champion();
        let weights = plan.weights.iter().zip(&best).map(|(weight, &value)| EvolvedWeight {
            name: weight.name.clone(),
            min: weight.min,
            max: weight.max,
            own: weight.start,
            best: weight.text(value),
        });
        EvolveReport {
            finished: evolution.is_finished(),
            steps: evolution.history().len(),
            scheduled: plan.generations + plan.rounds + 1,
            games: games.games(),
            drawn: games.drawn(),
            undecided: games.undecided(),
            faults: games.faults,
            coach: config.coach.clone(),
            final_games: champion.map(|record| record.games),
            final_score: champion.map(GameSums::score),
            weights: weights.collect(),
            spec: spec_with(&config.agent, &plan.weights, &best),
        }
    }
}

impl EvolveStep {
    /// The step's name in tables.
    pub fn name(&self) -> String {
        match self.stage {
            EvolveStage::Islands(done) => format!("generation {}", done + 1),
            EvolveStage::Tournament(done) => format!("tournament {}", done + 1),
            EvolveStage::Final | EvolveStage::Over => "final".to_string(),
        }
    }
}

impl Evolution<'_> {
    /// A line for each step: fitness on the islands, and the games that nobody won.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "step,games,rank_best,rank_stayed,rank_mean,pie_best,pie_stayed,pie_mean,all_best,all_mean,drawn,undecided\n",
        );
        for step in &self.history {
            let parts = match &step.parts[..] {
                [rank, pie] => format!("{},{},,", cells(rank), cells(pie)),
                [all] => format!(",,,,,,{:.4},{:.4}", all.best, all.mean),
                _ => ",,,,,,,".to_string(),
            };
            let (games, drawn, undecided) = (step.games.games(), step.games.drawn(), step.games.undecided());
            writeln!(text, "{},{games},{parts},{drawn:.4},{undecided:.4}", step.name())
                .expect("a string takes any text");
        }
        text
    }

    /// Fitness and games without a winner over the steps, as an SVG picture.
    pub fn picture(&self, config: &EvolveConfig) -> String {
        let mut curves = Vec::new();
        let kinds: [(&str, Fitness); 3] = [
            ("best", |part| Some(part.best)),
            ("those who stayed", |part| part.stayed),
            ("mean", |part| Some(part.mean)),
        ];
        for (i, island) in ISLANDS.iter().enumerate() {
            for (kind, value) in kinds {
                let name = format!("{} island: {kind}", island.name());
                curves.push(self.curve(&name, |step| island_part(step, i).and_then(value)));
            }
        }
        let winners =
            |step: &EvolveStep| matches!(step.stage, EvolveStage::Tournament(_)).then(|| step.parts[0].mean);
        curves.push(self.curve("tournaments: winners", winners));
        curves.push(self.curve("games drawn", |step| Some(step.games.drawn())));
        curves.push(self.curve("games nobody won on the board", |step| Some(step.games.undecided())));
        let plot = Plot {
            title: format!("evolution of {} at {}", config.coach, config.limit),
            x: "generation, then tournament and final".to_string(),
            y: "%".to_string(),
            curves,
        };
        plot.svg()
    }

    fn curve(&self, name: &str, value: impl Fn(&EvolveStep) -> Option<f64>) -> Curve {
        let values = self.history.iter().map(|step| value(step).map_or(f64::NAN, |value| 100.0 * value));
        Curve { name: name.to_string(), values: values.collect() }
    }
}

fn island_part(step: &EvolveStep, island: usize) -> Option<StepPart> {
    matches!(step.stage, EvolveStage::Islands(_)).then(|| step.parts.get(island).copied())?
}

/// One of the numbers that a step brought an island.
type Fitness = fn(StepPart) -> Option<f64>;

/// Best, those who stayed, and mean, as cells of a table.
fn cells(part: &StepPart) -> String {
    let stayed = part.stayed.map_or(String::new(), |score| format!("{score:.4}"));
    format!("{:.4},{stayed},{:.4}", part.best, part.mean)
}

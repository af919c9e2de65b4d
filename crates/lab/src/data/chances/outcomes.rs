//! How positions ended, by score and marbles gone: all that a model of winning chances is fitted to.

use serde::Serialize;
use sumito_engine::{Wdl, WdlModel};

use crate::stats::Ending;

/// Scores are counted in steps of this many hundredths of a marble.
pub(super) const STEP: i32 = 20;
/// The largest score that is counted; what is beyond counts as this.
const MOST: i32 = 5000;
/// The most marbles that can be gone while a game goes on, and one more.
pub(super) const GONE: usize = 12;
/// How many different scores are counted.
const SCORES: usize = (2 * MOST / STEP) as usize + 1;

/// How positions ended, by score and marbles gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// For each number of marbles gone and each score: positions lost, drawn, won.
    counts: Vec<[f64; 3]>,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        Outcomes { counts: vec![[0.0; 3]; GONE * SCORES] }
    }
}

impl Outcomes {
    /// Counts a position.
    pub fn add(&mut self, score: i32, gone: usize, ending: Ending) {
        let place = ((score.clamp(-MOST, MOST) + MOST + STEP / 2) / STEP) as usize;
        self.counts[gone.min(GONE - 1) * SCORES + place][ending.half_points()] += 1.0;
    }

    /// Adds a place: a score, marbles gone, and how many positions were lost, drawn and won; whether there is such a place.
    pub(super) fn add_place(&mut self, score: i32, gone: usize, counts: [u32; 3]) -> bool {
        let is_place =
            score.unsigned_abs() <= MOST.unsigned_abs() && (score + MOST) % STEP == 0 && gone < GONE;
        if is_place {
            let sums = &mut self.counts[gone * SCORES + ((score + MOST) / STEP) as usize];
            (0..3).for_each(|i| sums[i] += f64::from(counts[i]));
        }
        is_place
    }

    /// Whether a position ended like this.
    pub(super) fn has(&self, ending: Ending) -> bool {
        self.counts.iter().any(|counts| counts[ending.half_points()] > 0.0)
    }

    /// Every place that has positions: score, marbles gone, and how they ended.
    pub(super) fn places(&self) -> impl Iterator<Item = (f64, usize, [f64; 3])> {
        let place = |(index, &counts): (usize, &[f64; 3])| {
            let score = (index % SCORES) as i32 * STEP - MOST;
            (f64::from(score), index / SCORES, counts)
        };
        self.counts.iter().enumerate().map(place).filter(|(_, _, counts)| counts.iter().sum::<f64>() > 0.0)
    }

    /// How many positions were counted.
    pub fn positions(&self) -> f64 {
        self.counts.iter().flatten().sum()
    }

    /// The mean of what a model is surprised, in nats for each position.
    pub fn log_loss(&self, model: &WdlModel) -> f64 {
        let loss = |(score, gone, counts): (f64, usize, [f64; 3])| {
            let chances = likely(model.chances(score, gone));
            counts.iter().zip(chances).map(|(count, chance)| -count * chance.ln()).sum::<f64>()
        };
        self.places().map(loss).sum::<f64>() / self.positions().max(1.0)
    }

    /// The loss of a model that knows only how many games are won, drawn and lost.
    pub fn blind_loss(&self) -> f64 {
        let all = self.positions().max(1.0);
        let sums = self.counts.iter().fold([0.0; 3], |sums, counts| [0, 1, 2].map(|i| sums[i] + counts[i]));
        sums.iter().filter(|&&sum| sum > 0.0).map(|sum| -sum / all * (sum / all).ln()).sum()
    }

    /// What a model promises against what happened, in ten equal ranges of expected points.
    pub fn calibration(&self, model: &WdlModel) -> Vec<Bin> {
        let mut bins = vec![Bin::default(); 10];
        for (score, gone, counts) in self.places() {
            let wdl = model.chances(score, gone);
            let bin = &mut bins[((wdl.expected() * 10.0) as usize).min(9)];
            let positions = counts.iter().sum::<f64>();
            bin.positions += positions;
            let promised = [wdl.loss, wdl.draw, wdl.win];
            (0..3).for_each(|i| bin.promised[i] += promised[i] * positions);
            (0..3).for_each(|i| bin.happened[i] += counts[i]);
        }
        bins.retain(|bin| bin.positions > 0.0);
        for bin in &mut bins {
            bin.promised = bin.promised.map(|sum| sum / bin.positions);
            bin.happened = bin.happened.map(|sum| sum / bin.positions);
        }
        bins
    }
}

/// Loss, draw and win, none of them impossible: a model without draws must still be able to meet one.
pub(super) fn likely(wdl: Wdl) -> [f64; 3] {
    [wdl.loss, wdl.draw, wdl.win].map(|chance| chance.max(1e-9))
}

/// Positions of similar promise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// How many.
    pub positions: f64,
    /// The model's chances of a loss, a draw and a win, on average.
    pub promised: [f64; 3],
    /// How they ended.
    pub happened: [f64; 3],
}

impl Bin {
    /// The points that were promised, and those that were made.
    pub fn points(&self) -> (f64, f64) {
        let points = |[_, draw, win]: [f64; 3]| win + draw / 2.0;
        (points(self.promised), points(self.happened))
    }
}

//! Fits the model of winning chances to the results of self-play, by maximum likelihood, and compares what it
//! promises with what happened.

use serde::Serialize;
use sumito_engine::{Wdl, WdlModel};

use super::record::DataRecord;
use crate::stats::Ending;

/// Scores are counted in steps of this many hundredths of a marble.
const STEP: i32 = 10;
/// The largest score that is counted; what is beyond counts as this.
const MOST: i32 = 5000;
/// The most marbles that can be gone while a game goes on, and one more.
const GONE: usize = 12;
/// One game in so many is held back to measure the fit.
const HELD_BACK: u32 = 10;

/// How positions ended, by score and marbles gone.
#[derive(Clone)]
pub struct Outcomes {
    /// For each number of marbles gone and each score: positions lost, drawn, won.
    counts: Vec<[f64; 3]>,
}

impl Default for Outcomes {
    fn default() -> Outcomes {
        Outcomes { counts: vec![[0.0; 3]; GONE * SCORES] }
    }
}

/// How many different scores are counted.
const SCORES: usize = (2 * MOST / STEP) as usize + 1;

impl Outcomes {
    /// Counts a position.
    pub fn add(&mut self, record: &DataRecord) {
        let gone = WdlModel::gone(&record.position).min(GONE - 1);
        let score = i32::from(record.score).clamp(-MOST, MOST);
        let place = ((score + MOST + STEP / 2) / STEP) as usize;
        self.counts[gone * SCORES + place][record.ending.half_points()] += 1.0;
    }

    /// Every place that has positions: score, marbles gone, and how they ended.
    fn places(&self) -> impl Iterator<Item = (f64, usize, [f64; 3])> {
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
fn likely(wdl: Wdl) -> [f64; 3] {
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

/// A fitted model and how good it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// See [`WdlModel::even`].
    pub even: [f64; 2],
    /// See [`WdlModel::spread`].
    pub spread: [f64; 2],
    /// Positions that the model was fitted to.
    pub positions: f64,
    /// Positions of other games, that it was measured with.
    pub held_back: f64,
    /// The mean surprise of the fitted positions.
    pub loss: f64,
    /// The mean surprise of those held back.
    pub held_back_loss: f64,
    /// The same for the model that the engine has now.
    pub current_loss: f64,
    /// The same for a model that does not look at the position.
    pub blind_loss: f64,
    /// Promise and reality of those held back.
    pub calibration: Vec<Bin>,
}

impl Fit {
    /// The model.
    pub fn model(&self) -> WdlModel {
        WdlModel { even: self.even, spread: self.spread }
    }
}

/// Positions to fit a model to, and others to measure it with.
#[derive(Clone, Default)]
pub struct ChanceSample {
    /// Positions with more plies since the last ejection do not count: a few long games that go nowhere would have
    /// as many positions as all others, and make every small lead look drawn.
    max_quiet: Option<u16>,
    fitted: Outcomes,
    held_back: Outcomes,
}

impl ChanceSample {
    /// An empty sample, for positions with at most so many plies since the last ejection.
    pub fn new(max_quiet: Option<u16>) -> ChanceSample {
        ChanceSample { max_quiet, ..ChanceSample::default() }
    }

    /// Adds records. All of a game's go the same way.
    pub fn add(&mut self, records: &[DataRecord]) {
        let counts = |record: &&DataRecord| self.max_quiet.is_none_or(|most| record.position.quiet() <= most);
        for record in records.iter().filter(counts) {
            let held_back = record.game % HELD_BACK == HELD_BACK - 1;
            if held_back { &mut self.held_back } else { &mut self.fitted }.add(record);
        }
    }

    /// Fits the model; `None` if not all three endings are among the positions, since then no model is the best.
    pub fn fit(&self) -> Option<Fit> {
        let seen =
            |ending: Ending| self.fitted.counts.iter().any(|counts| counts[ending.half_points()] > 0.0);
        if ![Ending::Loss, Ending::Draw, Ending::Win].into_iter().all(seen)
            || self.held_back.positions() == 0.0
        {
            return None;
        }
        let model = fit(&self.fitted);
        Some(Fit {
            even: model.even,
            spread: model.spread,
            positions: self.fitted.positions(),
            held_back: self.held_back.positions(),
            loss: self.fitted.log_loss(&model),
            held_back_loss: self.held_back.log_loss(&model),
            current_loss: self.held_back.log_loss(&WdlModel::FITTED),
            blind_loss: self.held_back.blind_loss(),
            calibration: self.held_back.calibration(&model),
        })
    }
}

/// How many steps are made at most; a dozen are enough in practice.
const STEPS: usize = 200;

/// Fisher scoring: Newton's method with the expected curvature, and steps that are halved until they help.
fn fit(outcomes: &Outcomes) -> WdlModel {
    let mut model = [60.0, 0.0, 150.0, 0.0];
    let mut loss = outcomes.log_loss(&model_of(model));
    for _ in 0..STEPS {
        let (gradient, curvature) = slopes(outcomes, &model_of(model));
        let Some(step) = solve(curvature, gradient) else { break };
        let shorter = (0..30).map(|halvings| 0.5_f64.powi(halvings));
        let better =
            shorter.map(|length| [0, 1, 2, 3].map(|i| model[i] + length * step[i])).find_map(|next| {
                let next_loss = outcomes.log_loss(&model_of(next));
                (is_sound(next) && next_loss < loss).then_some((next, next_loss))
            });
        let Some((next, next_loss)) = better else { break };
        let gain = loss - next_loss;
        (model, loss) = (next, next_loss);
        if gain < 1e-12 {
            break;
        }
    }
    model_of(model)
}

fn model_of([a, b, c, d]: [f64; 4]) -> WdlModel {
    WdlModel { even: [a, b], spread: [c, d] }
}

/// Whether the model is inside its bounds for all numbers of marbles that can be gone.
fn is_sound([a, b, c, d]: [f64; 4]) -> bool {
    let last = (GONE - 1) as f64;
    a > 0.0 && a + b * last > 0.0 && c > 5.0 && c + d * last > 5.0
}

/// The sum over all positions of the log-likelihood's gradient, and its expected curvature.
fn slopes(outcomes: &Outcomes, model: &WdlModel) -> ([f64; 4], [[f64; 4]; 4]) {
    let (mut gradient, mut curvature) = ([0.0; 4], [[0.0; 4]; 4]);
    for (score, gone, counts) in outcomes.places() {
        let gone_f = gone as f64;
        let even = model.even[0] + model.even[1] * gone_f;
        let spread = model.spread[0] + model.spread[1] * gone_f;
        let wdl = model.chances(score, gone);
        let positions = counts.iter().sum::<f64>();
        // How a chance σ((s − a) / b) changes with a and with b, and those with the lines that they lie on.
        let change = |score: f64, chance: f64| {
            let slope = chance * (1.0 - chance) / spread;
            let (by_even, by_spread) = (-slope, -slope * (score - even) / spread);
            [by_even, by_even * gone_f, by_spread, by_spread * gone_f]
        };
        let (win, loss) = (change(score, wdl.win), change(-score, wdl.loss));
        let draw = [0, 1, 2, 3].map(|i| -win[i] - loss[i]);
        for ((chance, count), change) in likely(wdl).into_iter().zip(counts).zip([loss, draw, win]) {
            for i in 0..4 {
                gradient[i] += count / chance * change[i];
                (0..4).for_each(|j| curvature[i][j] += positions / chance * change[i] * change[j]);
            }
        }
    }
    (gradient, curvature)
}

/// Solves a system of four equations by elimination; `None` if it has no single solution.
fn solve(mut matrix: [[f64; 4]; 4], mut right: [f64; 4]) -> Option<[f64; 4]> {
    for column in 0..4 {
        let pivot =
            (column..4).max_by(|&i, &j| matrix[i][column].abs().total_cmp(&matrix[j][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        if matrix[column][column].abs() < 1e-300 {
            return None;
        }
        for row in (0..4).filter(|&row| row != column) {
            let factor = matrix[row][column] / matrix[column][column];
            let pivot_row = matrix[column];
            (0..4).for_each(|i| matrix[row][i] -= factor * pivot_row[i]);
            right[row] -= factor * right[column];
        }
    }
    Some([0, 1, 2, 3].map(|i| right[i] / matrix[i][i]))
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::records;
    use super::*;

    /// Outcomes as a model promises them, position for position.
    fn promised(model: &WdlModel) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for gone in 0..GONE {
            for score in (-1500..=1500).step_by(STEP as usize) {
                let wdl = model.chances(f64::from(score), gone);
                let place = ((score + MOST) / STEP) as usize;
                outcomes.counts[gone * SCORES + place] = [wdl.loss, wdl.draw, wdl.win].map(|p| p * 100.0);
            }
        }
        outcomes
    }

    const MODEL: WdlModel = WdlModel { even: [180.0, -6.0], spread: [90.0, 11.0] };

    #[test]
    fn the_fit_finds_the_model_that_made_the_outcomes() {
        let found = fit(&promised(&MODEL));
        let differences = [
            found.even[0] - MODEL.even[0],
            found.even[1] - MODEL.even[1],
            found.spread[0] - MODEL.spread[0],
            found.spread[1] - MODEL.spread[1],
        ];
        assert!(differences.iter().all(|difference| difference.abs() < 1e-3), "{found:?}");
    }

    #[test]
    fn no_model_near_by_fits_better() {
        let outcomes = promised(&MODEL);
        let best = outcomes.log_loss(&MODEL);
        assert!(best < outcomes.blind_loss());
        for (even, spread) in
            [([181.0, -6.0], [90.0, 11.0]), ([180.0, -6.1], [90.0, 11.0]), ([180.0, -6.0], [91.0, 10.9])]
        {
            assert!(outcomes.log_loss(&WdlModel { even, spread }) > best);
        }
    }

    #[test]
    fn a_true_model_is_calibrated_and_a_wrong_one_is_not() {
        let outcomes = promised(&MODEL);
        let off = |model| {
            let bins = outcomes.calibration(model);
            let differences = bins.iter().map(|bin| (bin.points().0 - bin.points().1).abs());
            differences.fold(0.0, f64::max)
        };
        assert!(off(&MODEL) < 1e-9);
        assert!(off(&WdlModel { spread: [300.0, 0.0], ..MODEL }) > 0.05);
    }

    #[test]
    fn positions_of_games_that_went_flat_can_be_left_out() {
        let records = records(2000, 3);
        let mut sample = ChanceSample { max_quiet: Some(10), ..ChanceSample::default() };
        sample.add(&records);
        let wanted = records.iter().filter(|record| record.position.quiet() <= 10).count();
        assert!(wanted > 0 && wanted < records.len());
        assert_eq!(sample.fitted.positions() + sample.held_back.positions(), wanted as f64);
    }

    #[test]
    fn without_a_draw_there_is_no_fit() {
        assert_eq!(ChanceSample::default().fit(), None);
    }
}

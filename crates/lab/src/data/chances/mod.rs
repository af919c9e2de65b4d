//! Fits a model of winning chances to the results of games, by maximum likelihood, and compares what it promises with
//! what happened.

mod games;
mod outcomes;
mod reviews;

use std::fmt::Write as _;

use serde::Serialize;
use sumito_engine::WdlModel;

use super::record::DataRecord;
use crate::stats::Ending;
pub use games::{GameChances, MoveLosses};
pub use outcomes::{Bin, Outcomes};
use outcomes::{GONE, likely};
pub(crate) use reviews::Weigher;
pub use reviews::{ReviewUnit, WeighedMove};

/// One game in so many is held back to measure the fit.
const HELD_BACK: u32 = 10;

/// The first line of a table, the words for its two parts, and what a line of it is.
const HEAD: &str = "part\tgone\tscore\tlost\tdrawn\twon";
const FITTED: &str = "fitted";
const HELD: &str = "held";
const LINE: &str = "fitted or held, marbles gone, a score that is counted, and three counts";

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
    /// The same for the model that the engine has of its own games.
    pub self_play_loss: f64,
    /// The same for the one that it has of people's games.
    pub people_loss: f64,
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
    pub(crate) fitted: Outcomes,
    pub(crate) held_back: Outcomes,
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
            let outcomes = if held_back { &mut self.held_back } else { &mut self.fitted };
            outcomes.add(record.score.into(), WdlModel::gone(&record.position), record.ending);
        }
    }

    /// The sample as text, a line for each place that has positions: which part, marbles gone, score, and how many of
    /// them were lost, drawn and won. No game can be told from it.
    pub fn table(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for (part, outcomes) in [(FITTED, &self.fitted), (HELD, &self.held_back)] {
            for (score, gone, [lost, drawn, won]) in outcomes.places() {
                writeln!(text, "{part}\t{gone}\t{score}\t{lost}\t{drawn}\t{won}")
                    .expect("a string takes any text");
            }
        }
        text
    }

    /// Adds a table that [`ChanceSample::table`] made. Lines that begin with `#` are for people.
    pub fn add_table(&mut self, text: &str) -> Result<(), String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        if lines.next().is_none_or(|(_, line)| line != HEAD) {
            return Err(format!("expected a table with the columns {}", HEAD.replace('\t', ", ")));
        }
        for (number, line) in lines {
            self.add_line(line)
                .ok_or_else(|| format!("line {}: expected {LINE}, found {line:?}", number + 1))?;
        }
        Ok(())
    }

    fn add_line(&mut self, line: &str) -> Option<()> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[part, gone, score, lost, drawn, won] = fields.as_slice() else { return None };
        let outcomes = match part {
            FITTED => &mut self.fitted,
            HELD => &mut self.held_back,
            _ => return None,
        };
        let counts = [lost.parse().ok()?, drawn.parse().ok()?, won.parse().ok()?];
        outcomes.add_place(score.parse().ok()?, gone.parse().ok()?, counts).then_some(())
    }

    /// The mean surprise of a model over all positions, in nats.
    pub fn loss(&self, model: &WdlModel) -> f64 {
        let parts = [&self.fitted, &self.held_back];
        let sum: f64 = parts.map(|part| part.log_loss(model) * part.positions()).iter().sum();
        sum / parts.map(Outcomes::positions).iter().sum::<f64>().max(1.0)
    }

    /// Fits the model; `None` if not all three endings are among the positions, since then no model is the best.
    pub fn fit(&self) -> Option<Fit> {
        let all = [Ending::Loss, Ending::Draw, Ending::Win].into_iter().all(|ending| self.fitted.has(ending));
        if !all || self.held_back.positions() == 0.0 {
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
            self_play_loss: self.held_back.log_loss(&WdlModel::SELF_PLAY),
            people_loss: self.held_back.log_loss(&WdlModel::PEOPLE),
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
    use super::outcomes::STEP;
    use super::*;

    /// Outcomes as a model promises them, position for position.
    fn promised(model: &WdlModel) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for gone in 0..GONE {
            for score in (-1500..=1500).step_by(STEP as usize) {
                let wdl = model.chances(f64::from(score), gone);
                let counts = [wdl.loss, wdl.draw, wdl.win].map(|chance| (chance * 1e6).round() as u32);
                assert!(outcomes.add_place(score, gone, counts));
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
        // The counts are whole numbers.
        assert!(differences.iter().all(|difference| difference.abs() < 0.01), "{found:?}");
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
        // The outcomes are whole numbers of a million: no chance is off by more than half of one, nor points by a whole.
        assert!(off(&MODEL) < 1e-6);
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
    fn a_table_gives_the_same_sample_again() {
        let mut sample = ChanceSample::default();
        sample.add(&records(2000, 3));
        let mut read = ChanceSample::default();
        read.add_table(&format!("# For people.\n{}", sample.table())).expect("a table");
        assert_eq!((read.fitted, read.held_back), (sample.fitted, sample.held_back));
        for (line, found) in
            [("fitted\t0\t7\t1\t0\t0", "line 2"), ("kept\t0\t0\t1\t0\t0", "kept"), ("", "line 2")]
        {
            let error =
                ChanceSample::default().add_table(&format!("{HEAD}\n{line}\n")).expect_err("no such place");
            assert!(error.contains(found) && error.contains("expected"), "{error}");
        }
        assert!(ChanceSample::default().add_table("").is_err());
    }

    #[test]
    fn without_a_draw_there_is_no_fit() {
        assert_eq!(ChanceSample::default().fit(), None);
    }
}

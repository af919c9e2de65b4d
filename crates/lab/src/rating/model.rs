//! The likelihood of results under the Bradley-Terry model, and where it is greatest.

use std::collections::BTreeMap;

use crate::stats::WdlCount;

/// Elo for a step of one in the exponent of the natural logarithm: 400 / ln 10.
pub(super) const ELO: f64 = 173.717_792_761_300_73;

/// Draws that nobody played, one for every player, which keep all ratings finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VirtualDraws {
    None,
    /// Spread over those whom the player met, as its games are.
    AgainstOpponents,
    /// Against one average player.
    AgainstAverage,
}

/// The likelihood of the results. Values are natural logarithms of strength; the last may be the average
/// player of the virtual draws.
pub(super) struct RatingModel {
    size: usize,
    /// Two players, their games, and the first one's points.
    meetings: Vec<(usize, usize, f64, f64)>,
}

impl RatingModel {
    pub(super) fn new(
        n: usize,
        games: &BTreeMap<(usize, usize), WdlCount>,
        draws: VirtualDraws,
    ) -> RatingModel {
        let mut totals = vec![0.0; n];
        for (&(i, j), games) in games {
            totals[i] += games.games() as f64;
            totals[j] += games.games() as f64;
        }
        let played = games.iter().map(|(&(i, j), games)| {
            let (count, points) = (games.games() as f64, games.points());
            let share = match draws {
                VirtualDraws::AgainstOpponents => count / totals[i] + count / totals[j],
                _ => 0.0,
            };
            (i, j, count + share, points + share / 2.0)
        });
        let averages = if draws == VirtualDraws::AgainstAverage { n } else { 0 };
        let average = (0..averages).map(|i| (i, n, 1.0, 0.5));
        RatingModel { size: n + averages.min(1), meetings: played.chain(average).collect() }
    }

    fn expected(values: &[f64], i: usize, j: usize) -> f64 {
        1.0 / (1.0 + (values[j] - values[i]).exp())
    }

    /// The logarithm of the likelihood.
    fn likelihood(&self, values: &[f64]) -> f64 {
        let term = |&(i, j, games, points): &(usize, usize, f64, f64)| {
            // ln(1 / (1 + e^-d)) without overflow.
            let log = |d: f64| d.min(0.0) - (-d.abs()).exp().ln_1p();
            let d = values[i] - values[j];
            points * log(d) + (games - points) * log(-d)
        };
        self.meetings.iter().map(term).sum()
    }

    /// How the likelihood rises with each value: points made less points expected.
    fn slope(&self, values: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; self.size];
        for &(i, j, games, points) in &self.meetings {
            let surplus = points - games * RatingModel::expected(values, i, j);
            slope[i] += surplus;
            slope[j] -= surplus;
        }
        slope
    }

    /// The second derivatives with changed sign. Only differences of values matter, so it has no inverse by
    /// itself; a constant added everywhere fixes the mean and leaves the differences alone.
    pub(super) fn curvature(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let mut curvature = vec![vec![1.0 / self.size as f64; self.size]; self.size];
        for &(i, j, games, _) in &self.meetings {
            let expected = RatingModel::expected(values, i, j);
            let information = games * expected * (1.0 - expected);
            curvature[i][i] += information;
            curvature[j][j] += information;
            curvature[i][j] -= information;
            curvature[j][i] -= information;
        }
        curvature
    }

    /// The values under which the results are likeliest. The likelihood is concave, so that Newton's steps,
    /// halved where they go too far, find them.
    pub(super) fn fit(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.size];
        for _ in 0..100 {
            let (slope, inverse) = (self.slope(&values), invert(self.curvature(&values)));
            let step: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
            let moved =
                |scale: f64| values.iter().zip(&step).map(|(v, s)| v + scale * s).collect::<Vec<f64>>();
            let now = self.likelihood(&values);
            let scales = std::iter::successors(Some(1.0), |scale| Some(scale / 2.0)).take(40);
            let Some(better) = scales.map(moved).find(|values| self.likelihood(values) >= now) else { break };
            values = better;
            if step.iter().all(|s: &f64| s.abs() < 1e-10) {
                break;
            }
        }
        values
    }
}

/// The inverse of a symmetric matrix with positive eigenvalues, by Gauss and Jordan.
pub(super) fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend(unit(i));
    }
    for pivot in 0..n {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|x| *x /= scale);
        let row = matrix[pivot].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    matrix.into_iter().map(|row| row[n..].to_vec()).collect()
}

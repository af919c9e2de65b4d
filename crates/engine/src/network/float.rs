//! The network's arithmetic in `f32`, as a trainer needs it: the loops that training spends its time in, here because
//! this crate is compiled for speed.
//!
//! Rows are summed in blocks that stay in registers; the loops have lengths that the compiler knows, so that it makes
//! vectors of them. A network's width is a multiple of 16.

/// The sum of the bias and some rows of a table.
pub fn sum_rows(sums: &mut [f32], bias: &[f32], table: &[f32], rows: &[u16]) {
    if sums.len().is_multiple_of(32) {
        sum_blocks::<32>(sums, bias, table, rows);
    } else {
        sum_blocks::<16>(sums, bias, table, rows);
    }
}

/// The same, N columns at a time.
fn sum_blocks<const N: usize>(sums: &mut [f32], bias: &[f32], table: &[f32], rows: &[u16]) {
    let width = sums.len();
    for (block, sums) in sums.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let at = block * N;
        let mut total = [0.0f32; N];
        total.copy_from_slice(&bias[at..at + N]);
        for &row in rows {
            let terms = &table[usize::from(row) * width + at..][..N];
            (0..N).for_each(|i| total[i] += terms[i]);
        }
        *sums = total;
    }
}

/// The weighted sum of squared values, clipped to 0..1 before.
pub fn activate(sums: &[f32], weights: &[f32]) -> f32 {
    let mut total = [0.0f32; 16];
    for (sums, weights) in sums.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        (0..16).for_each(|i| {
            let value = sums[i].clamp(0.0, 1.0);
            total[i] += value * value * weights[i];
        });
    }
    total.into_iter().sum()
}

/// Adds the output weights' part to the gradient, and turns each sum into its own.
pub fn backward(sums: &mut [f32], weights: &[f32], gradient: &mut [f32], slope: f32) {
    let rows = weights.as_chunks::<16>().0.iter().zip(gradient.as_chunks_mut::<16>().0);
    for (sums, (weights, gradient)) in sums.as_chunks_mut::<16>().0.iter_mut().zip(rows) {
        (0..16).for_each(|i| {
            let sum = sums[i];
            let value = sum.clamp(0.0, 1.0);
            gradient[i] += slope * value * value;
            // A clipped value does not change with its sum.
            let inside = if sum > 0.0 && sum < 1.0 { 2.0 * value } else { 0.0 };
            sums[i] = slope * weights[i] * inside;
        });
    }
}

/// Adds terms to sums, one to each.
pub fn add(sums: &mut [f32], terms: &[f32]) {
    let ((sums, last_sums), (terms, last_terms)) = (sums.as_chunks_mut::<16>(), terms.as_chunks::<16>());
    for (sums, terms) in sums.iter_mut().zip(terms) {
        (0..16).for_each(|i| sums[i] += terms[i]);
    }
    last_sums.iter_mut().zip(last_terms).for_each(|(sum, term)| *sum += term);
}

/// One step of Adam with decoupled weight decay.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    rate: f32,
    correction: f32,
    keep: f32,
    part: f32,
}

impl AdamStep {
    const BETA1: f32 = 0.9;
    const BETA2: f32 = 0.999;
    const EPSILON: f32 = 1e-8;

    /// The step of this number, counted from 1, with the gradient's sum over so many positions.
    pub fn new(number: u64, positions: usize, rate: f32, decay: f32) -> AdamStep {
        let number = number.min(1_000_000) as i32;
        AdamStep {
            rate: rate / (1.0 - Self::BETA1.powi(number)),
            correction: 1.0 / (1.0 - Self::BETA2.powi(number)),
            keep: 1.0 - rate * decay,
            part: 1.0 / positions as f32,
        }
    }

    /// Changes the values, each within its limit, and the moving means of the gradient and of its square.
    pub fn apply(
        &self,
        values: &mut [f32],
        limits: &[f32],
        mean: &mut [f32],
        square: &mut [f32],
        gradient: &[f32],
    ) {
        let state = mean.iter_mut().zip(square).zip(gradient);
        for ((value, limit), ((mean, square), gradient)) in values.iter_mut().zip(limits).zip(state) {
            let gradient = gradient * self.part;
            *mean = Self::BETA1 * *mean + (1.0 - Self::BETA1) * gradient;
            *square = Self::BETA2 * *square + (1.0 - Self::BETA2) * gradient * gradient;
            let change = self.rate * *mean / ((*square * self.correction).sqrt() + Self::EPSILON);
            *value = (*value * self.keep - change).clamp(-limit, *limit);
        }
    }
}

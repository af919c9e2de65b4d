//! The optimiser: Adam with decoupled weight decay (Loshchilov and Hutter 2019), and limits for every number.

use sumito_engine::network::float::{AdamStep, add};

use super::model::{Model, NetworkShape};

/// The optimiser's memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adam {
    /// The moving mean of each gradient.
    pub(super) mean: Vec<f32>,
    /// The moving mean of its square.
    pub(super) square: Vec<f32>,
    /// Steps made.
    pub(super) steps: u64,
    /// The limit of each number.
    pub(super) limits: Vec<f32>,
}

impl Adam {
    pub(super) fn new(shape: &NetworkShape) -> Adam {
        let size = shape.size();
        Adam { mean: vec![0.0; size], square: vec![0.0; size], steps: 0, limits: limits(shape) }
    }

    /// Makes a step from the sum of the threads' gradients over so many positions, on as many threads. The
    /// gradients are zero afterwards.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [Vec<f32>],
        positions: usize,
        rate: f32,
        decay: f32,
    ) {
        self.steps += 1;
        let step = AdamStep::new(self.steps, positions, rate, decay);
        let chunk = model.values.len().div_ceil(gradients.len()).next_multiple_of(16);
        let parts = model.values.chunks_mut(chunk).zip(self.limits.chunks(chunk));
        let parts = parts.zip(self.mean.chunks_mut(chunk).zip(self.square.chunks_mut(chunk)));
        let mut columns: Vec<_> = gradients.iter_mut().map(|gradient| gradient.chunks_mut(chunk)).collect();
        std::thread::scope(|scope| {
            for ((values, limits), (mean, square)) in parts {
                let mut gradients: Vec<&mut [f32]> = columns.iter_mut().filter_map(Iterator::next).collect();
                let mut work = move || {
                    let (first, others) = gradients.split_first_mut().expect("at least one thread");
                    for other in others {
                        add(first, other);
                        other.fill(0.0);
                    }
                    step.apply(values, limits, mean, square, first);
                    first.fill(0.0);
                };
                // Another thread is not worth its start for a few numbers.
                if chunk < 1 << 16 { work() } else { drop(scope.spawn(work)) }
            }
        });
    }
}

/// The limit of each number; none for the output biases.
fn limits(shape: &NetworkShape) -> Vec<f32> {
    let mut limits = vec![f32::MAX; shape.size()];
    for (range, limit) in Model::limits(shape) {
        limits[range].fill(limit);
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::super::settings::Buckets;
    use super::*;
    use sumito_engine::network::Inputs;

    fn model(width: usize) -> Model {
        Model::new(NetworkShape { inputs: Inputs::CELLS, width, buckets: Buckets::One }, 1)
    }

    #[test]
    fn the_first_step_goes_against_the_gradient_by_the_rate() {
        let mut model = model(16);
        let shape = model.shape;
        let before = model.values.clone();
        let size = before.len();
        let mut gradients = vec![vec![2.0; size], vec![-6.0; size]];
        Adam::new(&shape).step(&mut model, &mut gradients, 2, 0.01, 0.0);
        for (old, new) in before.iter().zip(&model.values) {
            assert!((new - old - 0.01).abs() < 1e-5, "{old} {new}");
        }
        assert!(gradients.iter().flatten().all(|&gradient| gradient == 0.0));
    }

    #[test]
    fn numbers_stay_within_their_limits() {
        let mut model = model(16);
        let shape = model.shape;
        let size = model.values.len();
        let mut adam = Adam::new(&shape);
        for _ in 0..50 {
            adam.step(&mut model, &mut [vec![-1.0; size]], 1, 0.1, 0.0);
        }
        assert!(model.quantised(400).is_ok());
        for (range, limit) in Model::limits(&shape) {
            assert!(model.values[range].iter().all(|value| (value - limit).abs() < 1e-6), "{limit}");
        }
    }

    #[test]
    fn threads_make_the_same_step_as_one() {
        let (mut one, mut two) = (model(1024), model(1024));
        let shape = one.shape;
        let size = one.values.len();
        let gradient: Vec<f32> = (0..size).map(|i| (i % 7) as f32 - 3.0).collect();
        Adam::new(&shape).step(&mut one, &mut [gradient.clone()], 1, 0.01, 0.1);
        Adam::new(&shape).step(&mut two, &mut [gradient, vec![0.0; size]], 1, 0.01, 0.1);
        assert!(size > 1 << 16 && one == two);
    }
}

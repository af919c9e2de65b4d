//! What the network says of a position, and how its numbers should change. Only the rows of inputs that are on are
//! touched.

use sumito_engine::network::Scene;
use sumito_engine::network::float::{activate, add, backward, sum_rows};
use sumito_rules::Color;

use super::model::Model;
use super::settings::Loss;

/// What one thread needs to look at positions.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// The inputs that are on, for the mover and for the other side.
    active: [Vec<u16>; 2],
    /// The first layer's sums of both, one after the other.
    sums: Vec<f32>,
}

impl Scratch {
    pub(super) fn new(width: usize) -> Scratch {
        Scratch { active: [Vec::new(), Vec::new()], sums: vec![0.0; 2 * width] }
    }

    /// The output for a scene in which Black is to move.
    pub(super) fn output(&mut self, model: &Model, scene: &Scene) -> f32 {
        let shape = &model.shape;
        let (width, table) = (shape.width, &model.values[shape.input()]);
        let bias = &model.values[shape.input_bias()];
        for (half, view) in Color::ALL.into_iter().enumerate() {
            shape.inputs.active(scene, view, &mut self.active[half]);
            sum_rows(&mut self.sums[half * width..][..width], bias, table, &self.active[half]);
        }
        let bucket = bucket(model, scene);
        let weights = &model.values[shape.output()][bucket * 2 * width..][..2 * width];
        activate(&self.sums, weights) + model.values[shape.output_bias()][bucket]
    }

    /// Adds a scene's part to the gradient, and returns its loss.
    pub(super) fn learn(
        &mut self,
        model: &Model,
        scene: &Scene,
        target: f32,
        loss: Loss,
        gradient: &mut [f32],
    ) -> f32 {
        let output = self.output(model, scene);
        let (loss, slope) = loss.of(output, target);
        let shape = &model.shape;
        let (width, bucket) = (shape.width, bucket(model, scene));
        let weights = &model.values[shape.output()][bucket * 2 * width..][..2 * width];
        let start = shape.output().start + bucket * 2 * width;
        // From here on the sums hold how they should change.
        backward(&mut self.sums, weights, &mut gradient[start..][..2 * width], slope);
        gradient[shape.output_bias().start + bucket] += slope;
        for half in 0..2 {
            let change = &self.sums[half * width..][..width];
            add(&mut gradient[shape.input_bias()], change);
            for &input in &self.active[half] {
                add(&mut gradient[usize::from(input) * width..][..width], change);
            }
        }
        loss
    }
}

fn bucket(model: &Model, scene: &Scene) -> usize {
    model.table[usize::from(scene.score.black)][usize::from(scene.score.white)].into()
}

/// The chance that goes with an output.
pub(super) fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

impl Loss {
    /// The loss, and how it changes with the output.
    pub(super) fn of(self, output: f32, target: f32) -> (f32, f32) {
        let chance = sigmoid(output);
        let error = chance - target;
        match self {
            Loss::Squares => (error * error, 2.0 * error * chance * (1.0 - chance)),
            Loss::Entropy => {
                // Less the target's own entropy: no loss if they agree. The logarithms of the chances are taken
                // from the output, as the chances themselves may have been rounded to 0 or 1.
                let log = |x: f32| -(-x).exp().ln_1p();
                let own = |t: f32| if t > 0.0 { t * t.ln() } else { 0.0 };
                let cross = target * log(output) + (1.0 - target) * log(-output);
                (own(target) + own(1.0 - target) - cross, error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::NetworkShape;
    use super::super::samples::tests::toy;
    use super::super::settings::Buckets;
    use super::*;
    use sumito_rules::Symmetry;

    /// The loss by the book, in `f64`.
    fn reference(model: &Model, values: &[f64], scene: &Scene, target: f64, loss: Loss) -> f64 {
        let shape = &model.shape;
        let bucket = bucket(model, scene);
        let mut output = values[shape.output_bias().start + bucket];
        for (half, view) in Color::ALL.into_iter().enumerate() {
            let mut active = Vec::new();
            shape.inputs.active(scene, view, &mut active);
            for i in 0..shape.width {
                let on: f64 = active.iter().map(|&row| values[usize::from(row) * shape.width + i]).sum();
                let value = (values[shape.input_bias().start + i] + on).clamp(0.0, 1.0);
                output +=
                    value * value * values[shape.output().start + (2 * bucket + half) * shape.width + i];
            }
        }
        let chance = 1.0 / (1.0 + (-output).exp());
        match loss {
            Loss::Squares => (chance - target).powi(2),
            Loss::Entropy => {
                target * (target / chance).ln() + (1.0 - target) * ((1.0 - target) / (1.0 - chance)).ln()
            }
        }
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let samples = toy(60).train;
        for (inputs, loss) in [("cells", Loss::Squares), ("cells+lines3+scores", Loss::Entropy)] {
            let shape = NetworkShape { inputs: inputs.parse().unwrap(), width: 16, buckets: Buckets::Sum };
            let model = Model::new(shape, 3);
            let mut values: Vec<f64> = model.values.iter().map(|&value| value.into()).collect();
            let mut scratch = Scratch::new(shape.width);
            for sample in samples.iter().step_by(11) {
                let scene = sample.scene(Symmetry::ALL[5], None);
                let (mut gradient, target) = (vec![0.0; shape.size()], 0.3);
                let found = scratch.learn(&model, &scene, target, loss, &mut gradient);
                let expected = reference(&model, &values, &scene, target.into(), loss);
                assert!((f64::from(found) - expected).abs() < 1e-5, "{found} {expected}");
                for at in (0..shape.size()).filter(|&at| gradient[at] != 0.0 || at % 13 == 0) {
                    let (old, step) = (values[at], 1e-6);
                    let mut loss_at = |value| {
                        values[at] = value;
                        reference(&model, &values, &scene, target.into(), loss)
                    };
                    let slope = (loss_at(old + step) - loss_at(old - step)) / (2.0 * step);
                    values[at] = old;
                    let error = (slope - f64::from(gradient[at])).abs();
                    assert!(error < 1e-6 + 1e-3 * slope.abs(), "{at}: {slope} {}", gradient[at]);
                }
            }
        }
    }

    #[test]
    fn certain_outputs_have_a_finite_loss() {
        for loss in [Loss::Squares, Loss::Entropy] {
            for output in [-60.0, 60.0] {
                for target in [0.0, 0.5, 1.0] {
                    let (value, slope) = loss.of(output, target);
                    assert!(value.is_finite() && value >= 0.0 && slope.is_finite(), "{loss:?} {output}");
                }
            }
        }
    }
}

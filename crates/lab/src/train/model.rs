//! The network while it is trained: all its numbers as one list of `f32`, and how it is rounded for the engine.

use std::ops::Range;

use sumito_engine::Rng;
use sumito_engine::network::{INPUT_ONE, Inputs, NetworkError, OUTPUT_ONE, SCORES, Weights};

use super::settings::{Buckets, TrainSettings};

/// How large a network is, and where its numbers lie in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// What it sees.
    pub inputs: Inputs,
    /// Values in each player's half of the accumulator.
    pub width: usize,
    /// How outputs are chosen.
    pub buckets: Buckets,
}

impl NetworkShape {
    /// The shape that the settings ask for; they have been checked.
    pub fn new(settings: &TrainSettings) -> NetworkShape {
        let inputs = settings.parsed_inputs().expect("settings were checked");
        NetworkShape { inputs, width: settings.width, buckets: settings.buckets }
    }

    /// How many numbers there are.
    pub fn size(&self) -> usize {
        self.output_bias().end
    }

    /// The first layer's weights, one row for each input.
    pub(super) fn input(&self) -> Range<usize> {
        0..self.inputs.len() * self.width
    }

    pub(super) fn input_bias(&self) -> Range<usize> {
        let start = self.input().end;
        start..start + self.width
    }

    /// The output weights: for each bucket the mover's and then the other side's.
    pub(super) fn output(&self) -> Range<usize> {
        let start = self.input_bias().end;
        start..start + self.buckets.count() * 2 * self.width
    }

    pub(super) fn output_bias(&self) -> Range<usize> {
        let start = self.output().end;
        start..start + self.buckets.count()
    }
}

/// The greatest first-layer weight of a cell or a score, and of all lines through one point of the sum: whatever is
/// on, sums stay within the engine's 16 bits.
const MOST_CELL: f32 = 1.98;
const MOST_LINES: f32 = 60.0;
/// The greatest output weight that the engine's 127 stands for, and the greatest in training. A few large weights would
/// make the rounding of all others coarse: without the limit of training, rounding moved the values of a network of
/// width 256 by 9 hundredths of a marble.
const ENGINE_OUTPUT: f32 = 127.0 / OUTPUT_ONE as f32;
const MOST_OUTPUT: f32 = 0.3;
/// Marbles on a full board: so many cells' inputs are on.
const MARBLES: f32 = 28.0;

/// A network in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// How large it is.
    pub shape: NetworkShape,
    /// All its numbers.
    pub values: Vec<f32>,
    /// Which output is used.
    pub(super) table: [[u8; SCORES]; SCORES],
}

impl Model {
    /// A network before training. Further groups of inputs start at zero: the cells alone are a network already,
    /// and contents that never come up stay without influence.
    pub fn new(shape: NetworkShape, seed: u64) -> Model {
        let mut rng = Rng::new(seed);
        let mut values = vec![0.0; shape.size()];
        let mut fill = |range: Range<usize>, most: f32| {
            values[range].iter_mut().for_each(|value| *value = (2.0 * rng.unit() as f32 - 1.0) * most);
        };
        fill(0..Inputs::CELLS.len() * shape.width, 1.0 / MARBLES.sqrt());
        fill(shape.input_bias(), 0.1);
        // All buckets start alike: those with few positions are no worse for it.
        let first = shape.output().start..shape.output().start + 2 * shape.width;
        fill(first.clone(), 1.0 / (2.0 * shape.width as f32).sqrt());
        for bucket in 1..shape.buckets.count() {
            values.copy_within(first.clone(), first.start + bucket * 2 * shape.width);
        }
        Model { shape, values, table: shape.buckets.table() }
    }

    /// The network before training that goes on from another one: of the same inputs, turned or not, the same outputs, and
    /// at most as wide. What is wider starts without influence. `scale` is what an output of 1.0 is to be worth.
    pub(super) fn started(
        shape: NetworkShape,
        seed: u64,
        start: &Weights,
        scale: u32,
    ) -> Result<Model, String> {
        let mut model = Model::new(shape, seed);
        let (width, old) = (shape.width, start.width);
        if !start.inputs.are_numbered_as(shape.inputs) || start.buckets != model.table || old > width {
            return Err(format!(
                "expected a network to start from with inputs {}, {} outputs and at most {width} values, found {}, {} \
                 and {old}",
                shape.inputs,
                shape.buckets.count(),
                start.inputs,
                start.bucket_count(),
            ));
        }
        let worth = start.scale as f32 / scale as f32;
        let mut fill = |range: Range<usize>, numbers: &[i16], one: f32| {
            let rows = model.values[range].chunks_exact_mut(width).zip(numbers.chunks_exact(old));
            for (value, &number) in rows.flat_map(|(row, numbers)| row.iter_mut().zip(numbers)) {
                *value = f32::from(number) / one;
            }
        };
        fill(shape.input(), &start.input, INPUT_ONE as f32);
        fill(shape.input_bias(), &start.input_bias, INPUT_ONE as f32);
        fill(shape.output(), &start.output, OUTPUT_ONE as f32 / worth);
        for row in model.values[shape.output()].chunks_exact_mut(width) {
            row[old..].fill(0.0);
        }
        for (value, &number) in model.values[shape.output_bias()].iter_mut().zip(&start.output_bias) {
            *value = number as f32 * worth / (INPUT_ONE * OUTPUT_ONE) as f32;
        }
        Ok(model)
    }

    /// The limit of each number, as ranges of the list: what rounding for the engine can hold.
    pub(super) fn limits(shape: &NetworkShape) -> Vec<(Range<usize>, f32)> {
        let cells = Inputs::CELLS.len() * shape.width;
        let lines = shape.inputs.line_count().max(1) as f32;
        let further = (MOST_LINES / lines).min(MOST_CELL);
        vec![
            (0..cells, MOST_CELL),
            (cells..shape.input().end, further),
            (shape.input_bias(), MOST_CELL),
            (shape.output(), MOST_OUTPUT),
        ]
    }

    /// The network as the engine computes it; an output of 1.0 is worth `scale` hundredths of a marble.
    ///
    /// Output weights are mostly far below their limit, and rounding them is what costs most. So they are multiplied
    /// until the largest is near the limit, and the scale is divided by the same number.
    pub fn quantised(&self, scale: u32) -> Result<Weights, NetworkError> {
        let shape = &self.shape;
        let largest =
            self.values[shape.output()].iter().fold(0.0, |most: f32, weight| most.max(weight.abs()));
        let fine = ((scale as f32 * largest / ENGINE_OUTPUT).ceil() as u32).clamp(1, scale.max(1));
        let factor = scale as f32 / fine as f32;
        let round = |range: Range<usize>, one: f32| -> Vec<i32> {
            self.values[range].iter().map(|value| (value * one).round() as i32).collect()
        };
        let short = |numbers: Vec<i32>| -> Vec<i16> {
            let fit = |number: i32| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            numbers.into_iter().map(fit).collect()
        };
        let (input_one, output_one) = (INPUT_ONE as f32, OUTPUT_ONE as f32 * factor);
        let weights = Weights {
            inputs: shape.inputs,
            width: shape.width,
            scale: fine,
            buckets: self.table,
            input: short(round(shape.input(), input_one)),
            input_bias: short(round(shape.input_bias(), input_one)),
            output: short(round(shape.output(), output_one)),
            output_bias: round(shape.output_bias(), input_one * output_one),
        };
        weights.check()?;
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_engine::network::Network;
    use sumito_rules::Layout;

    #[test]
    fn numbers_at_their_limits_can_be_rounded_for_the_engine() {
        for inputs in
            ["cells", "cells+lines3", "cells+lines4+scores", "cells+lines3+lines4+lines5+scores+clock"]
        {
            let shape = NetworkShape { inputs: inputs.parse().unwrap(), width: 16, buckets: Buckets::Pairs };
            let mut model = Model::new(shape, 1);
            for sign in [1.0, -1.0] {
                for (range, limit) in Model::limits(&shape) {
                    model.values[range].fill(sign * limit);
                }
                assert_eq!(model.quantised(400).map(|weights| weights.bucket_count()), Ok(36), "{inputs}");
            }
        }
    }

    #[test]
    fn a_network_that_starts_from_another_computes_the_same_until_it_learns() {
        let shape = |inputs: &str, width| NetworkShape {
            inputs: inputs.parse().unwrap(),
            width,
            buckets: Buckets::Sum,
        };
        let start = Model::new(shape("cells", 16), 3).quantised(400).unwrap();
        let wider = Model::started(shape("cells", 48), 4, &start, 400).unwrap().quantised(400).unwrap();
        let values = |weights: &Weights| -> Vec<i32> {
            let network = Network::new(weights).unwrap();
            Layout::all().iter().map(|layout| network.evaluate(&layout.position(), None)).collect()
        };
        assert_eq!(values(&wider), values(&start));
        assert!(Model::started(shape("cells+turned", 16), 4, &start, 400).is_ok());
        for other in
            [shape("cells+scores", 16), NetworkShape { buckets: Buckets::Pairs, ..shape("cells", 16) }]
        {
            let why = Model::started(other, 4, &start, 400).unwrap_err();
            assert!(why.ends_with("found cells, 6 and 16"), "{why}");
        }
        let wide = Model::new(shape("cells", 32), 3).quantised(400).unwrap();
        assert!(Model::started(shape("cells", 16), 4, &wide, 400).unwrap_err().contains("at most 16 values"));
    }

    #[test]
    fn small_output_weights_are_rounded_finely() {
        let shape = NetworkShape { inputs: Inputs::CELLS, width: 32, buckets: Buckets::One };
        let mut model = Model::new(shape, 7);
        model.values[shape.output()].iter_mut().for_each(|weight| *weight *= 0.1);
        let weights = model.quantised(400).unwrap();
        let largest = weights.output.iter().map(|weight| weight.unsigned_abs()).max().unwrap();
        assert!((100..=127).contains(&largest), "{largest}");
        for (&fine, &value) in weights.output.iter().zip(&model.values[shape.output()]) {
            let back = f32::from(fine) / 64.0 * weights.scale as f32;
            assert!((back - 400.0 * value).abs() <= weights.scale as f32 / 127.0, "{back} {value}");
        }
    }

    #[test]
    fn the_first_weights_follow_the_seed() {
        let shape = NetworkShape { inputs: Inputs::CELLS, width: 32, buckets: Buckets::Sum };
        assert_eq!(Model::new(shape, 5), Model::new(shape, 5));
        assert_ne!(Model::new(shape, 5), Model::new(shape, 6));
        assert_eq!(Model::new(shape, 5).values.len(), 122 * 32 + 32 + 6 * 64 + 6);
    }
}

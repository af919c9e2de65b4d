//! The network of the TD-learning agent: 14 inputs, one hidden layer of sigmoids, one linear output.

use sumito_engine::Rng;

use super::heuristics::{INPUTS, Inputs};

/// Hidden nodes unless told otherwise (section 3.1.1, which also tried 32 and 64).
pub(super) const HIDDEN: usize = 16;
/// The parameters of a hidden node: its bias, then a weight for each input.
pub(super) const ROW: usize = 1 + INPUTS;

/// A value function of positions.
///
/// ```
/// use sumito_agents::cornell::{Network, features};
/// use sumito_rules::Layout;
/// let start = Layout::named("german-daisy").expect("a layout").position();
/// let inputs = features(&start, start.turn());
/// let mut network = Network::new(16, 1);
/// // One step of gradient descent towards 1.
/// let mut gradient = vec![0.0; network.parameters().len()];
/// let before = network.gradient(&inputs, &mut gradient);
/// for (parameter, slope) in network.parameters_mut().iter_mut().zip(&gradient) {
///     *parameter += 0.05 * (1.0 - before) * slope;
/// }
/// assert!((1.0 - network.value(&inputs)).abs() < (1.0 - before).abs());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    hidden: usize,
    /// For each hidden node its bias and weights, then the output's bias and its weight for each hidden node.
    parameters: Vec<f64>,
}

impl Network {
    /// The most hidden nodes that a network may have.
    pub const MAX_HIDDEN: usize = 1024;

    /// An untrained network: every parameter random in [-0.5, 0.5), the same for the same seed.
    ///
    /// # Panics
    /// If there are no hidden nodes, or more than [`Network::MAX_HIDDEN`].
    pub fn new(hidden: usize, seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let parameters = (0..Network::size(hidden)).map(|_| rng.unit() - 0.5).collect();
        Network::from_parameters(hidden, parameters)
    }

    pub(super) fn from_parameters(hidden: usize, parameters: Vec<f64>) -> Network {
        assert_eq!(parameters.len(), Network::size(hidden), "parameters of {hidden} hidden nodes");
        Network { hidden, parameters }
    }

    /// How many parameters a network with so many hidden nodes has.
    pub(super) fn size(hidden: usize) -> usize {
        assert!((1..=Network::MAX_HIDDEN).contains(&hidden), "a network cannot have {hidden} hidden nodes");
        hidden * ROW + 1 + hidden
    }

    /// How many hidden nodes there are.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Every bias and weight: for each hidden node its bias and a weight for each input, then the output's
    /// bias and a weight for each hidden node.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// The parameters, to change them in training.
    pub fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }

    /// The value of a position for the player from whose side the inputs were taken.
    pub fn value(&self, inputs: &Inputs) -> f64 {
        let (rows, output) = self.parameters.split_at(self.hidden * ROW);
        let weighted =
            rows.chunks_exact(ROW).zip(&output[1..]).map(|(row, weight)| weight * node(row, inputs));
        output[0] + weighted.sum::<f64>()
    }

    /// Writes the derivative of the value by each parameter, in the order of [`Network::parameters`], and
    /// returns the value.
    ///
    /// # Panics
    /// If `gradient` is not as long as the parameters.
    pub fn gradient(&self, inputs: &Inputs, gradient: &mut [f64]) -> f64 {
        assert_eq!(gradient.len(), self.parameters.len(), "one derivative for each parameter");
        let (rows, output) = self.parameters.split_at(self.hidden * ROW);
        let (row_slopes, output_slopes) = gradient.split_at_mut(self.hidden * ROW);
        let mut value = output[0];
        output_slopes[0] = 1.0;
        let nodes = rows.chunks_exact(ROW).zip(row_slopes.chunks_exact_mut(ROW));
        for ((row, slopes), i) in nodes.zip(1..) {
            let active = node(row, inputs);
            value += output[i] * active;
            output_slopes[i] = active;
            slopes[0] = output[i] * active * (1.0 - active);
            for (k, input) in inputs.iter().enumerate() {
                slopes[1 + k] = slopes[0] * input;
            }
        }
        value
    }
}

/// A hidden node's activation.
fn node(row: &[f64], inputs: &Inputs) -> f64 {
    let sum: f64 = row[1..].iter().zip(inputs).map(|(weight, input)| weight * input).sum();
    1.0 / (1.0 + (-(row[0] + sum)).exp())
}

#[cfg(test)]
mod tests {
    use super::super::heuristics::features;
    use super::*;
    use crate::testing;

    #[test]
    fn the_value_is_the_one_computed_by_hand() {
        // Two hidden nodes. The first sees ln 3 times the first input, which is 1: 1 / (1 + 1/3) = 3/4. The
        // second has the bias -ln 4 and no weights: 1 / (1 + 4) = 1/5. Output 0.5 + 2 * 3/4 - 10 * 1/5 = 0.
        // With the first input 0 the first node gives 1/2: 0.5 + 1 - 2 = -0.5.
        let mut parameters = vec![0.0; Network::size(2)];
        parameters[1] = 3f64.ln();
        parameters[ROW] = -4f64.ln();
        parameters[2 * ROW..].copy_from_slice(&[0.5, 2.0, -10.0]);
        let network = Network::from_parameters(2, parameters);
        let mut inputs = [0.0; INPUTS];
        assert!((network.value(&inputs) + 0.5).abs() < 1e-12);
        inputs[0] = 1.0;
        assert!(network.value(&inputs).abs() < 1e-12);
    }

    #[test]
    fn the_gradient_equals_finite_differences() {
        const STEP: f64 = 1e-5;
        for (seed, position) in testing::positions().into_iter().enumerate() {
            let mut network = Network::new(5, seed as u64);
            let inputs = features(&position, position.turn());
            let mut gradient = vec![f64::NAN; network.parameters().len()];
            network.gradient(&inputs, &mut gradient);
            for (i, slope) in gradient.into_iter().enumerate() {
                let mut moved = |by: f64| {
                    network.parameters_mut()[i] += by;
                    network.value(&inputs)
                };
                let (above, below) = (moved(STEP), moved(-2.0 * STEP));
                moved(STEP);
                let difference = (above - below) / (2.0 * STEP);
                assert!((slope - difference).abs() < 1e-8, "parameter {i}: {slope} and {difference}");
            }
        }
    }

    #[test]
    fn the_gradient_comes_with_the_value() {
        let network = Network::new(HIDDEN, 7);
        let mut gradient = vec![0.0; network.parameters().len()];
        for position in testing::positions() {
            let inputs = features(&position, position.turn());
            let value = network.gradient(&inputs, &mut gradient);
            assert!((value - network.value(&inputs)).abs() < 1e-12);
        }
    }

    #[test]
    fn a_seed_makes_one_network_and_another_seed_another() {
        assert_eq!(Network::new(16, 1), Network::new(16, 1));
        assert_ne!(Network::new(16, 1), Network::new(16, 2));
    }

    #[test]
    #[should_panic(expected = "0 hidden nodes")]
    fn a_network_without_hidden_nodes_is_refused() {
        let _ = Network::new(0, 1);
    }
}

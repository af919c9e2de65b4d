//! The network of the TD-learning agent: 14 inputs or more, one hidden layer of sigmoids, one linear output.

use sumito_engine::Rng;
use sumito_rules::{Color, Position};

use super::encoding::{Encoding, Features};

/// Hidden nodes unless told otherwise (section 3.1.1, which also tried 32 and 64).
pub(super) const HIDDEN: usize = 16;

/// A value function of positions.
///
/// ```
/// use sumito_agents::cornell::{Encoding, Network};
/// use sumito_rules::Layout;
/// let start = Layout::named("german-daisy").expect("a layout").position();
/// let mut network = Network::new(Encoding::SCALED, 16, 1);
/// let inputs = network.features(&start, start.turn());
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
    encoding: Encoding,
    hidden: usize,
    /// For each hidden node its bias and weights, then the output's bias and its weight for each hidden node.
    parameters: Vec<f64>,
}

impl Network {
    /// The most hidden nodes that a network may have.
    pub const MAX_HIDDEN: usize = 1024;

    /// An untrained network: every parameter random in [-0.5, 0.5), the same for the same seed. Where inputs are raw, their
    /// weights are divided by what the inputs may come to: with weights of a half and inputs of hundreds every sigmoid would be
    /// at its end and learn nothing. The report does not say how its weights begin; so begun, a network judges a position as its
    /// scaled twin does, and only their learning differs.
    ///
    /// # Panics
    /// If there are no hidden nodes, or more than [`Network::MAX_HIDDEN`].
    pub fn new(encoding: Encoding, hidden: usize, seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let parameters = (0..Network::size(encoding, hidden)).map(|_| rng.unit() - 0.5).collect();
        let mut network = Network::from_parameters(encoding, hidden, parameters);
        if !encoding.scaled {
            let (row, inputs) = (network.row(), hidden * network.row());
            for (i, weight) in
                network.parameters[..inputs].iter_mut().enumerate().filter(|(i, _)| i % row > 0)
            {
                *weight /= encoding.scale(i % row - 1);
            }
        }
        network
    }

    pub(super) fn from_parameters(encoding: Encoding, hidden: usize, parameters: Vec<f64>) -> Network {
        assert_eq!(parameters.len(), Network::size(encoding, hidden), "parameters of {hidden} hidden nodes");
        Network { encoding, hidden, parameters }
    }

    /// How many parameters a network with such inputs and so many hidden nodes has.
    pub(super) fn size(encoding: Encoding, hidden: usize) -> usize {
        assert!((1..=Network::MAX_HIDDEN).contains(&hidden), "a network cannot have {hidden} hidden nodes");
        hidden * (1 + encoding.inputs()) + 1 + hidden
    }

    /// Which inputs it has.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Its inputs for a position as a player sees it, whoever is to move.
    pub fn features(&self, position: &Position, color: Color) -> Features {
        self.encoding.features(position, color)
    }

    /// The value of a position for a player, whoever is to move.
    pub fn judge(&self, position: &Position, color: Color) -> f64 {
        self.value(&self.features(position, color))
    }

    /// The parameters of a hidden node: its bias, then a weight for each input.
    pub(super) fn row(&self) -> usize {
        1 + self.encoding.inputs()
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
    pub fn value(&self, inputs: &Features) -> f64 {
        let row = self.row();
        let (rows, output) = self.parameters.split_at(self.hidden * row);
        let weighted =
            rows.chunks_exact(row).zip(&output[1..]).map(|(row, weight)| weight * node(row, inputs));
        output[0] + weighted.sum::<f64>()
    }

    /// Writes the derivative of the value by each parameter, in the order of [`Network::parameters`], and
    /// returns the value.
    ///
    /// # Panics
    /// If `gradient` is not as long as the parameters.
    pub fn gradient(&self, inputs: &Features, gradient: &mut [f64]) -> f64 {
        assert_eq!(gradient.len(), self.parameters.len(), "one derivative for each parameter");
        let row = self.row();
        let (rows, output) = self.parameters.split_at(self.hidden * row);
        let (row_slopes, output_slopes) = gradient.split_at_mut(self.hidden * row);
        let mut value = output[0];
        output_slopes[0] = 1.0;
        let nodes = rows.chunks_exact(row).zip(row_slopes.chunks_exact_mut(row));
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
fn node(row: &[f64], inputs: &[f64]) -> f64 {
    let sum: f64 = row[1..].iter().zip(inputs).map(|(weight, input)| weight * input).sum();
    1.0 / (1.0 + (-(row[0] + sum)).exp())
}

#[cfg(test)]
mod tests {
    use sumito_rules::fen;

    use super::*;
    use crate::testing;

    #[test]
    fn the_value_is_the_one_computed_by_hand() {
        // Two hidden nodes. The first sees ln 3 times the first input, which is 1: 1 / (1 + 1/3) = 3/4. The
        // second has the bias -ln 4 and no weights: 1 / (1 + 4) = 1/5. Output 0.5 + 2 * 3/4 - 10 * 1/5 = 0.
        // With the first input 0 the first node gives 1/2: 0.5 + 1 - 2 = -0.5.
        // The first input is the distances to the centre: one marble one step off, and then at the centre.
        let mut parameters = vec![0.0; 2 * 15 + 3];
        parameters[1] = 3f64.ln();
        parameters[15] = -4f64.ln();
        parameters[2 * 15..].copy_from_slice(&[0.5, 2.0, -10.0]);
        let network = Network::from_parameters(Encoding::default(), 2, parameters);
        let value = |text: &str| {
            let position = fen::parse(text).expect("a FEN");
            network.judge(&position, Color::Black)
        };
        assert!(value("5/6/7/8/5S3/8/7/6/4s 0 0 b 0 1").abs() < 1e-12);
        assert!((value("5/6/7/8/4S4/8/7/6/4s 0 0 b 0 1") + 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_gradient_equals_finite_differences() {
        const STEP: f64 = 1e-5;
        for (seed, position) in testing::positions().into_iter().enumerate() {
            let mut network = Network::new(Encoding::SCALED, 5, seed as u64);
            let inputs = network.features(&position, position.turn());
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
        let network = Network::new(Encoding::default(), HIDDEN, 7);
        let mut gradient = vec![0.0; network.parameters().len()];
        for position in testing::positions() {
            let inputs = network.features(&position, position.turn());
            let value = network.gradient(&inputs, &mut gradient);
            assert!((value - network.value(&inputs)).abs() < 1e-12);
        }
    }

    #[test]
    fn a_seed_makes_one_network_and_another_seed_another() {
        let network = |seed| Network::new(Encoding::default(), 16, seed);
        assert_eq!(network(1), network(1));
        assert_ne!(network(1), network(2));
    }

    #[test]
    fn an_untrained_network_of_raw_inputs_judges_as_its_scaled_twin() {
        for (seed, position) in testing::positions().into_iter().enumerate() {
            let value = |encoding| {
                let network = Network::new(encoding, 16, seed as u64);
                network.judge(&position, Color::White)
            };
            let (raw, scaled) = (value(Encoding::default()), value(Encoding::SCALED));
            assert!((raw - scaled).abs() < 1e-12, "{raw} and {scaled}");
        }
    }

    #[test]
    #[should_panic(expected = "0 hidden nodes")]
    fn a_network_without_hidden_nodes_is_refused() {
        let _ = Network::new(Encoding::default(), 0, 1);
    }
}

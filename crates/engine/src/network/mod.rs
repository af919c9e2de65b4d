//! The learned evaluation: a small network that both players look through, kept up to date from move to move.
//!
//! Each player has a half of the accumulator: the sum of the first layer's weights of all inputs that are on in
//! that player's view. The values of both halves, the mover's first, are clipped to 0..1, squared, and summed up
//! with the weights of the output that belongs to the marbles pushed off so far.
//!
//! An accumulator remembers the [`Scene`] it describes. To evaluate another one, the differing inputs are found from
//! the two scenes' bitboards and added and subtracted, so that any accumulator can serve as the start for any
//! position: nobody has to tell the network which move was made, and no bookkeeping can go wrong.

mod accumulator;
pub mod float;
mod inputs;
mod lines;
mod named;
mod orientation;
mod scene;
mod simd;
mod weights;

pub use accumulator::{Accumulator, Accumulators};
pub use inputs::Inputs;
pub use named::{LoadError, named};
pub use scene::Scene;
pub use weights::{INPUT_ONE, MAX_WIDTH, NetworkError, OUTPUT_ONE, SCORES, Weights};

use std::sync::{Arc, LazyLock};

use sumito_rules::{Color, Position};

use crate::score::Value;
use simd::{Block, LANES, Path};

/// No evaluation is larger: what is proven by search must stay above it.
pub const MAX_VALUE: i32 = 15_000;

/// A network that is ready to compute.
#[derive(Clone, Debug)]
pub struct Network {
    inputs: Inputs,
    /// Blocks in a player's half of the accumulator.
    blocks: usize,
    scale: i64,
    buckets: [[u8; SCORES]; SCORES],
    input: Vec<Block>,
    input_bias: Vec<Block>,
    output: Vec<Block>,
    output_bias: Vec<i32>,
    path: Path,
}

/// The network that comes with the engine.
static SHIPPED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    Arc::new(Network::from_bytes(sumito_nets::SUMITO).expect("the shipped network is whole"))
});

impl Network {
    /// The network that comes with the engine.
    pub fn shipped() -> Arc<Network> {
        Arc::clone(&SHIPPED)
    }

    /// A network from the bytes of its file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::new(&Weights::from_bytes(bytes)?)
    }

    /// A network from its weights.
    pub fn new(weights: &Weights) -> Result<Network, NetworkError> {
        weights.check()?;
        let blocks = |values: &[i16]| -> Vec<Block> {
            values.as_chunks::<LANES>().0.iter().map(|&chunk| Block(chunk)).collect()
        };
        Ok(Network {
            inputs: weights.inputs,
            blocks: weights.width / LANES,
            scale: weights.scale.into(),
            buckets: weights.buckets,
            input: blocks(&weights.input),
            input_bias: blocks(&weights.input_bias),
            output: blocks(&weights.output),
            output_bias: weights.output_bias.clone(),
            path: Path::available()[0],
        })
    }

    /// A number that tells networks apart (FNV-1a over all weights).
    pub fn fingerprint(&self) -> u64 {
        let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3);
        let words =
            [&self.input, &self.input_bias, &self.output].into_iter().flatten().flat_map(|block| block.0);
        let hash = words.fold(0xcbf2_9ce4_8422_2325, |hash, word| step(hash, word as u64));
        self.output_bias.iter().fold(hash, |hash, &word| step(hash, word as u64))
    }

    /// What it sees.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// How many values each player's half of the accumulator has.
    pub fn width(&self) -> usize {
        self.blocks * LANES
    }

    /// The value of a position for the side to move, in hundredths of a marble, without anything to start from.
    /// `plies_left` says when a cap will end the game, if one will.
    pub fn evaluate(&self, position: &Position, plies_left: Option<u32>) -> Value {
        let accumulator = self.refresh(&Scene::new(position, plies_left));
        self.output(&accumulator, position.turn())
    }

    /// The value of an accumulator's scene for the side to move.
    #[inline]
    pub fn output(&self, accumulator: &Accumulator, turn: Color) -> Value {
        let bucket = self.bucket(accumulator.scene(), turn);
        let (own, enemy) = self.output_weights(bucket);
        let sum = self.path.activate(accumulator.half(turn), own)
            + self.path.activate(accumulator.half(!turn), enemy);
        self.value(bucket, sum)
    }

    /// Which output is used.
    #[inline]
    fn bucket(&self, scene: &Scene, turn: Color) -> usize {
        self.buckets[usize::from(scene.score[turn])][usize::from(scene.score[!turn])].into()
    }

    /// The weights of an output, for the mover's half and for the other one.
    #[inline]
    fn output_weights(&self, bucket: usize) -> (&[Block], &[Block]) {
        self.output[2 * bucket * self.blocks..][..2 * self.blocks].split_at(self.blocks)
    }

    /// The value that goes with an output's weighted sum.
    #[inline]
    fn value(&self, bucket: usize, sum: i64) -> Value {
        let output = sum / i64::from(INPUT_ONE) + i64::from(self.output_bias[bucket]);
        let value = output * self.scale / i64::from(INPUT_ONE * OUTPUT_ONE);
        value.clamp(-i64::from(MAX_VALUE), MAX_VALUE.into()) as Value
    }
}

#[cfg(test)]
mod tests;

//! The first layer's sums for both players, and a stack of them for the plies of a search.

use sumito_rules::{Color, Position};

use super::Network;
use super::inputs::Changes;
use super::scene::Scene;
use super::simd::Block;
use crate::score::Value;

/// From this many differing cells on, starting anew is cheaper: a board has 28 marbles at most.
const FAR: usize = 24;

/// The first layer's sums in both players' views of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator {
    /// Black's half, then White's.
    values: Vec<Block>,
    scene: Scene,
}

impl Accumulator {
    /// The scene that was summed up.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    #[inline]
    pub(super) fn half(&self, view: Color) -> &[Block] {
        let (black, white) = self.values.split_at(self.values.len() / 2);
        if view == Color::Black { black } else { white }
    }

    #[inline]
    fn half_mut(&mut self, view: Color) -> &mut [Block] {
        let middle = self.values.len() / 2;
        let (black, white) = self.values.split_at_mut(middle);
        if view == Color::Black { black } else { white }
    }
}

impl Network {
    /// The sums of a scene, from nothing.
    pub fn refresh(&self, scene: &Scene) -> Accumulator {
        let mut accumulator = self.empty();
        self.refresh_into(&mut accumulator, scene, &mut Vec::new());
        accumulator
    }

    /// Makes an accumulator describe a scene, starting from another accumulator.
    pub fn update(&self, accumulator: &mut Accumulator, from: &Accumulator, scene: &Scene) {
        self.update_into(accumulator, from, (scene, Color::Black), &mut Changes::default());
    }

    /// An accumulator of an empty board.
    fn empty(&self) -> Accumulator {
        Accumulator { values: self.input_bias.repeat(2), scene: Scene::default() }
    }

    fn refresh_into(&self, accumulator: &mut Accumulator, scene: &Scene, active: &mut Vec<u16>) {
        for view in Color::ALL {
            self.inputs.active(scene, view, active);
            self.path.update(&self.input_bias, accumulator.half_mut(view), &self.input, active, &[]);
        }
        accumulator.scene = *scene;
    }

    /// The same as [`Network::update`], and the value of the scene for the side to move.
    #[inline]
    fn update_into(
        &self,
        accumulator: &mut Accumulator,
        from: &Accumulator,
        (scene, turn): (&Scene, Color),
        changes: &mut Changes,
    ) -> Value {
        let bucket = self.bucket(scene, turn);
        let (own, enemy) = self.output_weights(bucket);
        let mut sum = 0;
        for (view, weights) in [(turn, own), (!turn, enemy)] {
            self.inputs.changes(&from.scene, scene, view, changes);
            let rows = (from.half(view), accumulator.half_mut(view));
            let inputs = (changes.added.as_slice(), changes.removed.as_slice());
            sum += self.path.step(rows, &self.input, inputs, weights);
        }
        accumulator.scene = *scene;
        self.value(bucket, sum)
    }
}

/// An accumulator for each ply of a search. Each is brought up to date only when its ply is evaluated, from one of the
/// two before it, from what it holds of another line, or from nothing, whichever is less work: where the value came from
/// the search's table, the ply before may still hold another line too.
#[derive(Clone, Debug)]
pub struct Accumulators {
    stack: Vec<Accumulator>,
    /// What a ply held until it was brought up to date from just that.
    old: Accumulator,
    changes: Box<Changes>,
    active: Vec<u16>,
}

impl Accumulators {
    /// A stack for plies from 0 to less than `plies`. It belongs to this network and to no other.
    pub fn new(network: &Network, plies: usize) -> Accumulators {
        Accumulators {
            stack: vec![network.empty(); plies],
            old: network.empty(),
            changes: Box::default(),
            active: Vec::new(),
        }
    }

    /// The value of the position at a ply for the side to move, in hundredths of a marble. `plies_left` says when a
    /// cap will end the game, if one will.
    ///
    /// # Panics
    /// If the stack has no such ply, or was made for a network of another width.
    #[inline]
    pub fn evaluate(
        &mut self,
        network: &Network,
        ply: usize,
        position: &Position,
        plies_left: Option<u32>,
    ) -> Value {
        let scene = Scene::new(position, plies_left);
        let (before, rest) = self.stack.split_at_mut(ply);
        let accumulator = &mut rest[0];
        let turn = position.turn();
        let held = accumulator.scene.distance(&scene);
        if held == 0 && accumulator.scene == scene {
            return network.output(accumulator, turn);
        }
        let nearby = before.iter().rev().take(2).map(|from| (from.scene.distance(&scene), from));
        let from = match nearby.min_by_key(|&(distance, _)| distance) {
            Some((distance, from)) if distance <= held.min(FAR) => from,
            _ if held <= FAR => {
                std::mem::swap(accumulator, &mut self.old);
                &self.old
            }
            _ => {
                network.refresh_into(accumulator, &scene, &mut self.active);
                return network.output(accumulator, turn);
            }
        };
        network.update_into(accumulator, from, (&scene, turn), &mut self.changes)
    }
}

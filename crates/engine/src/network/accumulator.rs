//! The first layer's sums for both players, and a stack of them for the plies of a search.

use sumito_rules::{Color, Position};

use super::Network;
use super::inputs::Changes;
use super::scene::Scene;
use super::simd::Block;
use crate::score::Value;

/// From this many differing cells on, starting anew is cheaper: a board has 28 marbles at most.
const FAR: usize = 16;

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
        self.update_into(accumulator, from, scene, &mut Changes::default());
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

    #[inline]
    fn update_into(
        &self,
        accumulator: &mut Accumulator,
        from: &Accumulator,
        scene: &Scene,
        changes: &mut Changes,
    ) {
        for view in Color::ALL {
            match view {
                Color::Black => self.inputs.changes(&from.scene, scene, changes),
                Color::White => self.inputs.turn_changes(&from.scene, scene, changes),
            }
            let (added, removed) = (changes.added.as_slice(), changes.removed.as_slice());
            self.path.update(from.half(view), accumulator.half_mut(view), &self.input, added, removed);
        }
        accumulator.scene = *scene;
    }
}

/// An accumulator for each ply of a search. Each is brought up to date only when its ply is evaluated, from one of the
/// two before it or from nothing, whichever is less work: where the value came from the search's table, the ply before
/// may still hold another line.
#[derive(Clone, Debug)]
pub struct Accumulators {
    stack: Vec<Accumulator>,
    changes: Box<Changes>,
    active: Vec<u16>,
}

impl Accumulators {
    /// A stack for plies from 0 to less than `plies`. It belongs to this network and to no other.
    pub fn new(network: &Network, plies: usize) -> Accumulators {
        Accumulators { stack: vec![network.empty(); plies], changes: Box::default(), active: Vec::new() }
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
        if accumulator.scene != scene {
            let nearby = before.iter().rev().take(2).map(|from| (from.scene.distance(&scene), from));
            match nearby.min_by_key(|&(distance, _)| distance) {
                Some((distance, from)) if distance < FAR => {
                    network.update_into(accumulator, from, &scene, &mut self.changes);
                }
                _ => network.refresh_into(accumulator, &scene, &mut self.active),
            }
        }
        network.output(accumulator, position.turn())
    }
}

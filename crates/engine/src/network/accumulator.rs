//! The first layer's sums for both players, and a stack of them for the plies of a search.

use sumito_rules::{ByColor, Color, Position, Symmetry};

use super::Network;
use super::inputs::Changes;
use super::scene::Scene;
use super::simd::Block;
use crate::score::Value;

/// From this many differing cells on, starting anew is cheaper: a board has 28 marbles at most.
const FAR: usize = 24;

/// The first layer's sums in one player's view of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Half {
    values: Vec<Block>,
    scene: Scene,
    /// The form in which the player sees the board.
    turn: Symmetry,
}

impl Half {
    /// How many cells hold something else in this scene; far off if it is seen in another form.
    #[inline]
    fn distance(&self, scene: &Scene, turn: Symmetry) -> usize {
        if self.turn == turn { self.scene.distance(scene) } else { usize::MAX }
    }
}

/// The first layer's sums in both players' views of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator(ByColor<Half>);

impl Accumulator {
    /// The scene that was summed up.
    pub fn scene(&self) -> &Scene {
        &self.0.black.scene
    }

    #[inline]
    pub(super) fn half(&self, view: Color) -> &[Block] {
        &self.0[view].values
    }
}

impl Network {
    /// The sums of a scene, from nothing.
    pub fn refresh(&self, scene: &Scene) -> Accumulator {
        let half = |view| {
            let mut half = self.empty();
            let turn = self.inputs.orientation(scene.marbles[view]);
            self.refresh_half(&mut half, (scene, view, turn), &mut Vec::new());
            half
        };
        Accumulator(ByColor::new(half(Color::Black), half(Color::White)))
    }

    /// One player's view of an empty board.
    fn empty(&self) -> Half {
        Half { values: self.input_bias.clone(), scene: Scene::default(), turn: Symmetry::IDENTITY }
    }

    fn refresh_half(
        &self,
        half: &mut Half,
        (scene, view, turn): (&Scene, Color, Symmetry),
        active: &mut Vec<u16>,
    ) {
        self.inputs.active(scene, view, active);
        self.path.update(&self.input_bias, &mut half.values, &self.input, active, &[]);
        (half.scene, half.turn) = (*scene, turn);
    }

    /// Makes a half describe a scene, starting from another half that sees it in the same form, and returns the weighted
    /// sum of what it gives out.
    #[inline]
    fn step(
        &self,
        half: &mut Half,
        from: &Half,
        (scene, view): (&Scene, Color),
        weights: &[Block],
        changes: &mut Changes,
    ) -> i64 {
        self.inputs.changes(&from.scene, scene, (view, from.turn), changes);
        (half.scene, half.turn) = (*scene, from.turn);
        let inputs = (changes.added.as_slice(), changes.removed.as_slice());
        self.path.step((&from.values, &mut half.values), &self.input, inputs, weights)
    }
}

/// An accumulator for each ply of a search. Each is brought up to date only when its ply is evaluated, from one of the
/// two before it, from what it holds of another line, from the last that was seen in this form, or from nothing,
/// whichever is less work: where the value came from the search's table, the ply before may still hold another line too.
#[derive(Clone, Debug)]
pub struct Accumulators {
    stack: Vec<ByColor<Half>>,
    /// What a ply held until it was brought up to date from just that.
    old: Half,
    /// For each player and form, the last that could not be brought up to date from nearby.
    seen: ByColor<Vec<Half>>,
    changes: Box<Changes>,
    active: Vec<u16>,
}

impl Accumulators {
    /// A stack for plies from 0 to less than `plies`. It belongs to this network and to no other.
    pub fn new(network: &Network, plies: usize) -> Accumulators {
        let empty = network.empty();
        let seen: Vec<Half> = Symmetry::ALL.into_iter().map(|turn| Half { turn, ..empty.clone() }).collect();
        Accumulators {
            stack: vec![ByColor::new(empty.clone(), empty.clone()); plies],
            old: empty,
            seen: ByColor::new(seen.clone(), seen),
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
        let turn = position.turn();
        let bucket = network.bucket(&scene, turn);
        let (own, enemy) = network.output_weights(bucket);
        let sum =
            self.look(network, ply, (&scene, turn), own) + self.look(network, ply, (&scene, !turn), enemy);
        network.value(bucket, sum)
    }

    /// Brings one player's half at a ply up to date, and returns the weighted sum of what it gives out.
    #[inline]
    fn look(
        &mut self,
        network: &Network,
        ply: usize,
        (scene, view): (&Scene, Color),
        weights: &[Block],
    ) -> i64 {
        let turn = network.inputs.orientation(scene.marbles[view]);
        let (before, rest) = self.stack.split_at_mut(ply);
        let half = &mut rest[0][view];
        let held = half.distance(scene, turn);
        if held == 0 && half.scene == *scene {
            return network.path.activate(&half.values, weights);
        }
        let nearby = before.iter().rev().take(2).map(|from| (from[view].distance(scene, turn), &from[view]));
        let changes = &mut self.changes;
        match nearby.min_by_key(|&(distance, _)| distance) {
            Some((distance, from)) if distance <= held.min(FAR) => {
                network.step(half, from, (scene, view), weights, changes)
            }
            _ if held <= FAR => {
                std::mem::swap(half, &mut self.old);
                network.step(half, &self.old, (scene, view), weights, changes)
            }
            _ => {
                let seen = &mut self.seen[view][turn.index()];
                let sum = if seen.scene.distance(scene) <= FAR {
                    network.step(half, seen, (scene, view), weights, changes)
                } else {
                    network.refresh_half(half, (scene, view, turn), &mut self.active);
                    network.path.activate(&half.values, weights)
                };
                seen.values.copy_from_slice(&half.values);
                seen.scene = *scene;
                sum
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ALL_INPUTS, Numbers, random_game, random_weights};
    use super::*;

    #[test]
    fn an_updated_accumulator_is_a_fresh_one() {
        let mut numbers = Numbers(1);
        for inputs in ["cells", "cells+turned", ALL_INPUTS] {
            let network = Network::new(&random_weights(inputs, 16, 4)).unwrap();
            let mut stack = Accumulators::new(&network, 250);
            for (ply, position) in random_game(&mut numbers, 200).iter().enumerate() {
                // Some plies are left out, as where the search's table knows the value.
                if numbers.below(4) > 0 {
                    stack.evaluate(&network, ply, position, Some(6));
                    let fresh = network.refresh(&Scene::new(position, Some(6)));
                    assert_eq!(stack.stack[ply], fresh.0, "{inputs}, ply {ply}");
                }
            }
        }
    }
}

//! The search against plain minimax: no order, no window, the same values.

use sumito_rules::{Color, Rules, fen};

use super::super::pruning::{Band, Cutoffs, Percentiles};
use super::*;
use crate::agent::Limits;
use crate::testing;

const TO_WIN: u8 = Rules::CORNELL.marbles_to_win;
const ODD: Weights = Weights { centre: 1.0, border: 0.001, push: -100.0 };

fn search(position: &Position, plies: u32, weights: Weights, pruning: &mut Pruning) -> Best {
    search_as(View::Mover, position, plies, weights, pruning)
}

fn search_as(view: View, position: &Position, plies: u32, weights: Weights, pruning: &mut Pruning) -> Best {
    let watch = Watch::new(&Limits::default(), None, Color::Black);
    Search::new((weights, view), TO_WIN, pruning, watch).best(position, plies).expect("a move")
}

/// A node's moves that the bands leave, in presorted order.
fn kept(view: View, position: &Position, ply: usize, weights: &Weights, bands: &[Band]) -> Vec<Move> {
    let value = |m: &Move| weights.value(Traits::of(position, *m));
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let judged = |m: &Move| view.of(position, *m, Traits::of(position, *m), ply as u32 + 1).value(weights);
    let inside = |m: &Move| (bands[ply].floor..=bands[ply].ceiling).contains(&judged(m));
    let inside: Vec<Move> = moves.iter().copied().filter(inside).collect();
    if inside.is_empty() { moves } else { inside }
}

/// Plain minimax for the side to move, on the moves that `moves` gives for a position and a ply from 0.
fn minimax(
    position: &Position,
    ply: usize,
    plies: usize,
    moves: &dyn Fn(&Position, usize) -> Vec<Move>,
) -> i32 {
    let scores = Color::ALL.map(|color| position.score(color));
    let value = match position.turn() {
        Color::Black => i32::from(scores[0]) - i32::from(scores[1]),
        Color::White => i32::from(scores[1]) - i32::from(scores[0]),
    };
    if ply == plies || scores.contains(&TO_WIN) {
        return value;
    }
    let after = |m| -minimax(&position.play_unchecked(m), ply + 1, plies, moves);
    moves(position, ply).into_iter().map(after).max().unwrap_or(value)
}

fn unordered(position: &Position, _: usize) -> Vec<Move> {
    position.legal_moves().to_vec()
}

#[test]
fn alpha_beta_has_the_value_of_minimax_at_depths_1_to_3() {
    for position in testing::positions() {
        for plies in 1..=3 {
            let value = minimax(&position, 0, plies, &unordered);
            for weights in [Weights::DEFAULT, ODD] {
                let best = search(&position, plies as u32, weights, &mut Pruning::Off);
                assert_eq!(best.value, value, "{position:?} at depth {plies}");
            }
        }
    }
}

#[test]
fn the_first_presorted_move_among_the_best_is_played() {
    for position in testing::positions() {
        let after = |m: &Move| -minimax(&position.play_unchecked(*m), 1, 2, &unordered);
        for weights in [Weights::DEFAULT, ODD] {
            let best = search(&position, 2, weights, &mut Pruning::Off);
            let sorted = kept(View::Mover, &position, 0, &weights, &[Band::ALL]);
            assert_eq!(sorted.iter().find(|m| after(m) == best.value), Some(&best.m), "{position:?}");
        }
    }
}

/// Cutoffs learned in four searches of a position.
fn learned(view: View, position: &Position, plies: u32, weights: Weights) -> (Pruning, Vec<Band>) {
    let mut pruning = Pruning::new(true);
    let cutoffs = Cutoffs { weights, percentiles: Percentiles::DEFAULT, refresh: 0, depth: plies };
    for _ in 0..4 {
        search_as(view, position, plies, weights, &mut pruning);
        pruning.end_move(&cutoffs);
    }
    let Pruning::On { bands, .. } = pruning.clone() else { panic!("four moves are enough") };
    (pruning, bands)
}

#[test]
fn alpha_beta_with_cutoffs_has_the_value_of_minimax_on_the_pruned_tree() {
    let positions = testing::positions();
    // At two plies the views differ already, and plain minimax is quick.
    for (view, plies) in [(View::Mover, 3), (View::Root, 2), (View::Marbles, 2)] {
        for weights in [Weights::DEFAULT, ODD] {
            let (mut pruning, bands) = learned(view, &positions[0], plies, weights);
            for position in &positions {
                let left = |position: &Position, ply| kept(view, position, ply, &weights, &bands);
                let value = minimax(position, 0, plies as usize, &left);
                let best = search_as(view, position, plies, weights, &mut pruning);
                assert_eq!(best.value, value, "{view:?} {position:?}");
            }
        }
    }
}

#[test]
fn a_node_without_a_child_in_the_band_keeps_all() {
    let impossible = Band { floor: 1e6, ceiling: f64::INFINITY };
    for position in testing::positions() {
        let plain = search(&position, 2, Weights::DEFAULT, &mut Pruning::Off);
        let pruned = search(
            &position,
            2,
            Weights::DEFAULT,
            &mut Pruning::On { bands: vec![impossible; 2], next: None },
        );
        assert_eq!(pruned, plain);
    }
}

#[test]
fn an_ejection_at_hand_is_taken() {
    // White C3, B2 push A1 off.
    let position = fen::parse("5/6/7/8/4S4/8/2s4/1s4/S4 0 0 w 0 1").expect("a FEN");
    let best = search(&position, 1, Weights::DEFAULT, &mut Pruning::Off);
    assert!(position.ejects(best.m) && best.value == 1);
}

#[test]
fn a_line_ends_with_the_sixth_ejection() {
    // Black can push A1, A5 and I5 off, and White can save only one of the two that are left.
    let value = |score: u8| {
        let text = format!("s4/1S4/2S4/8/9/8/2S1S2/1S2S1/s3s {score} 0 b 0 1");
        search(&fen::parse(&text).expect("a FEN"), 3, Weights::DEFAULT, &mut Pruning::Off).value
    };
    assert_eq!((value(0), value(5)), (2, 6));
}

#[test]
fn a_line_ends_when_a_side_has_no_move() {
    // Black pushes White's only marble off.
    let position = fen::parse("5/6/7/8/9/8/2S4/1S4/s4 0 0 b 0 1").expect("a FEN");
    assert_eq!(search(&position, 3, Weights::DEFAULT, &mut Pruning::Off).value, 1);
}

#[test]
fn a_root_without_a_move_has_no_best() {
    let none = fen::parse("5/6/7/8/9/8/7/6/4s 0 0 b 0 1").expect("a FEN");
    let watch = Watch::new(&Limits::default(), None, Color::Black);
    let mut pruning = Pruning::Off;
    assert_eq!(
        Search::new((Weights::DEFAULT, View::Mover), TO_WIN, &mut pruning, watch).best(&none, 3),
        None
    );
}

//! Counts that other programs confirmed, and games under every preset, kept in the project.

#![allow(clippy::unwrap_used)]

mod reference;

use std::fmt::Write;

use sumito_rules::{Game, Layout, Move, Notation, Position, Rules, Symmetry, fen, perft};

fn perft_suite() -> Vec<(String, Position, Vec<u64>)> {
    let lines = include_str!("../../../data/perft.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let counts = fields[2..].iter().map(|count| count.parse().unwrap()).collect();
            (fields[0].to_string(), fen::parse(fields[1]).unwrap(), counts)
        })
        .collect()
}

#[test]
fn perft_is_the_same_on_all_symmetries_and_with_colours_exchanged() {
    let suite = perft_suite();
    assert!(suite.len() >= 15);
    for (name, position, counts) in suite {
        for symmetry in Symmetry::ALL {
            for image in [symmetry.position(&position), symmetry.position(&position).swapped()] {
                for (depth, &count) in (1..).zip(&counts) {
                    assert_eq!(perft::count(&image, depth), count, "{name}, depth {depth}, {symmetry:?}");
                }
            }
        }
    }
}

#[test]
fn perft_agrees_with_the_second_implementation() {
    fn count(position: &Position, depth: u32) -> u64 {
        let boards = reference::successors(&reference::board(position), position.turn());
        if depth == 1 {
            return boards.len() as u64;
        }
        // Which of our moves leads to a board does not matter here: there are as many moves as boards.
        assert_eq!(boards.len(), position.legal_moves().len());
        position.legal_moves().iter().map(|&m| count(&position.play(m).unwrap(), depth - 1)).sum()
    }
    for (name, position, counts) in perft_suite() {
        for depth in 1..=2 {
            assert_eq!(count(&position, depth), counts[depth as usize - 1], "{name}, depth {depth}");
        }
    }
}

#[test]
fn the_divided_count_is_the_whole_on_any_number_of_threads() {
    for (name, position, counts) in perft_suite() {
        for threads in [1, 3] {
            let parts = perft::divide(&position, 4, threads, &|_, _| {});
            assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), counts[3], "{name}");
            assert_eq!(parts.len() as u64, counts[0], "{name}");
        }
    }
}

#[test]
fn the_split_by_kind_adds_up() {
    for (name, position, counts) in perft_suite() {
        assert_eq!(perft::split(&position, 3).total(), counts[2], "{name}");
    }
}

/// A game of random moves: what it shows must change only when the rules do.
fn playthrough(rules: Rules, layout: &str, seed: u64) -> String {
    let mut state = seed;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut game = Game::new(rules, Layout::named(layout).unwrap().position());
    let mut text = format!("{layout}, {rules:?}\n{}\n", fen::write(game.position()));
    while game.outcome().is_none() && game.moves().len() < 2000 {
        let moves = game.legal_moves();
        // Ejections are preferred, so that games are won, and now and then going back, so that some are drawn.
        let position = *game.position();
        let back = |m: &&Move| {
            let next = position.play(**m).unwrap();
            game.positions().iter().rev().skip(3).step_by(4).take(2).any(|earlier| earlier.same_board(&next))
        };
        let ejecting = moves.iter().find(|m| position.ejects(**m));
        let backward = if random(4) == 0 { moves.iter().find(back) } else { None };
        let m = *ejecting.or(backward).unwrap_or(&moves[random(moves.len())]);
        let written = Notation::AbaPro.write(&position, m);
        game.play(m).unwrap();
        writeln!(
            text,
            "{} of {}: {written} {}",
            game.moves().len(),
            moves.len(),
            fen::write(game.position())
        )
        .unwrap();
    }
    writeln!(text, "{:?}", game.outcome()).unwrap();
    text
}

#[test]
fn playthroughs_under_every_preset() {
    for (name, rules) in Rules::PRESETS {
        for (layout, seed) in [("belgian-daisy", 1), ("standard", 2), ("german-daisy", 3)] {
            insta::assert_snapshot!(format!("{name}-{layout}"), playthrough(rules, layout, seed));
        }
    }
}

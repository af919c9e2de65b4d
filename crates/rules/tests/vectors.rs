//! The rules against the vectors in `data/`: counts of leaves by kind of move, every move of some positions in four notations,
//! published numbers of moves, and positions with all their successors.

#![allow(clippy::unwrap_used)]

mod reference;
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sumito_rules::{
    Bitboard, ByColor, Cell, Color, Layout, Move, Position, PositionFormat, perft, write_marbles,
};
use table::{check_notations, position, rows};

fn data(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data").join(file)
}

fn lines(file: &str, count: usize) -> Vec<Vec<String>> {
    rows(&fs::read_to_string(data(file)).unwrap(), count)
}

#[test]
fn perft_counts_and_their_split_by_kind() {
    for line in lines("perft-kinds.tsv", 65) {
        let [name, cells, side, black, white, depth, rest @ ..] = &line[..] else { panic!("{line:?}") };
        let (start, depth) = (position(cells, side, black, white), depth.parse::<u32>().unwrap());
        let numbers: Vec<u64> = rest.iter().map(|n| n.parse().unwrap()).collect();
        assert_eq!(perft::count(&start, depth), numbers[0], "{name} {depth}");
        if depth <= 4 {
            let split = perft::split(&start, depth);
            let found = [split.single, split.inline, split.broadside, split.push, split.eject];
            assert_eq!((split.total(), &found[..]), (numbers[0], &numbers[1..]), "{name} {depth}");
        }
    }
}

#[test]
fn every_move_of_20_positions_in_four_notations_both_ways() {
    assert_eq!(check_notations(&lines("notations.tsv", 1118)), 20);
}

#[test]
fn published_move_counts_by_kind() {
    for line in lines("movecounts.tsv", 10) {
        // Two of the published boards have more marbles than a game.
        let mut marbles = ByColor::new(Bitboard::EMPTY, Bitboard::EMPTY);
        let printed = (1..=9).rev().flat_map(|row| Cell::ALL.into_iter().filter(move |c| c.row() == row));
        for (cell, letter) in printed.zip(line[2].chars()) {
            Color::from_letter(letter).into_iter().for_each(|color| marbles[color].insert(cell));
        }
        let turn = Color::from_letter(line[3].chars().next().unwrap()).unwrap();
        let start = Position::unvalidated(marbles, ByColor::default(), turn);
        let mut moves = Vec::new();
        start.for_each_move(|m| moves.push(m));
        let count = |keep: &dyn Fn(Move) -> bool| moves.iter().filter(|&&m| keep(m)).count();
        let found = [
            count(&|_| true),
            count(&|m| !m.is_broadside()),
            count(&|m| m.is_broadside()),
            count(&|m| m.count() == 1),
            count(&|m| m.count() > 1),
        ];
        for (found, published) in found.iter().zip(&line[4..9]).filter(|(_, p)| !p.is_empty()) {
            assert_eq!(&found.to_string(), published, "{}", line[0]);
        }
    }
}

/// The successors by the second implementation, as the library writes boards.
fn successors(start: &Position) -> BTreeSet<String> {
    let text = |board: &Vec<(reference::Place, bool)>| {
        let of = |black: bool| board.iter().filter(move |(_, is_black)| *is_black == black);
        let marble = |((row, number), black): &(reference::Place, bool)| {
            format!("{}{number}{}", (b'A' + *row as u8 - 1) as char, if *black { 'b' } else { 'w' })
        };
        of(true).chain(of(false)).map(marble).collect::<Vec<_>>().join(",")
    };
    reference::successors(&reference::board(start), start.turn()).iter().map(text).collect()
}

/// A position for each of some layouts, after so many random moves.
fn starts() -> Vec<Position> {
    let mut dice = 1_u64;
    let names = ["standard", "belgian-daisy", "german-daisy", "snakes", "the-wall", "alien-attack"];
    let start = |(index, name): (usize, &&str)| {
        let mut position = Layout::named(name).unwrap().position();
        for _ in 0..30 + 7 * index {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves = position.legal_moves();
            position = position.play(moves[(dice >> 33) as usize % moves.len()]).unwrap();
        }
        position
    };
    names.iter().enumerate().map(start).collect()
}

/// `STATES_UPDATE=1 cargo test -p sumito-rules --test vectors` makes the files.
#[test]
fn the_pairs_of_states_are_those_of_the_second_implementation() {
    for (index, start) in starts().iter().enumerate() {
        let (input, board) = (PositionFormat::Bcit.write(start), successors(start));
        let board: String = board.iter().map(|line| format!("{line}\n")).collect();
        for (end, text) in [("input", input.trim_end().to_string() + "\n"), ("board", board)] {
            let path = data(&format!("states/{}.{end}", index + 1));
            if std::env::var_os("STATES_UPDATE").is_some() {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &text).unwrap();
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}", path.display());
        }
    }
}

#[test]
fn the_pairs_of_states_list_the_legal_moves_successors() {
    for number in 1..=6 {
        let read = |end| fs::read_to_string(data(&format!("states/{number}.{end}"))).unwrap();
        let (input, boards) = (read("input"), read("board"));
        let start = PositionFormat::Bcit.parse(&input).unwrap();
        let ours = start.legal_moves().iter().map(|&m| write_marbles(&start.play(m).unwrap())).collect();
        assert_eq!(boards.lines().map(str::to_string).collect::<BTreeSet<_>>(), ours, "{number}");
    }
}

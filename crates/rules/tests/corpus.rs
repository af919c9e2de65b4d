//! Checks against the public corpus, if it lies beside the project (`../shared/data`): counts, notations,
//! course files and openings. Without it these tests say so and pass; `facts.rs` has vectors of its own.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sumito_rules::record::{GameResult, Reader};
use sumito_rules::{
    Bitboard, ByColor, Cell, Color, Layout, Move, Notation, Position, PositionFormat, perft, write_marbles,
};

fn corpus(file: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let text = fs::read_to_string(path).ok();
    if text.is_none() {
        eprintln!("skipped: no ../shared/data/{file}");
    }
    text
}

/// The fields of a file's lines, comments and header left out; as many of them as there must be.
fn lines(file: &str, count: usize) -> Vec<Vec<String>> {
    let Some(text) = corpus(file) else { return Vec::new() };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let lines: Vec<Vec<String>> = lines.map(|line| line.split('\t').map(str::to_string).collect()).collect();
    let header = usize::from(lines.len() == count + 1);
    assert_eq!(lines.len(), count + header, "{file}");
    lines[header..].to_vec()
}

fn position(cells: &str, side: &str, black: &str, white: &str) -> Position {
    let board = PositionFormat::Cells.parse(cells).unwrap();
    let marbles = ByColor::new(board.marbles(Color::Black), board.marbles(Color::White));
    let score = ByColor::new(black.parse().unwrap(), white.parse().unwrap());
    Position::with_score(marbles, score, Color::from_letter(side.chars().next().unwrap()).unwrap()).unwrap()
}

#[test]
fn perft_counts_and_their_split_by_kind() {
    for line in lines("perft.tsv", 65) {
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
fn every_move_of_200_positions_in_four_notations_both_ways() {
    let notations = [Notation::AbaPro, Notation::Nacre, Notation::PlayStrategy, Notation::Bcit];
    let lines = lines("notation-vectors.tsv", 11041);
    assert_eq!(lines.iter().filter(|line| line[0] == "P").count(), if lines.is_empty() { 0 } else { 200 });
    let mut at = 0;
    while at < lines.len() {
        let [_, cells, side, black, white, fen, kaa, bcit] = &lines[at][..] else { panic!("line {at}") };
        let start = position(cells, side, black, white);
        let read = PositionFormat::Fen.parse(fen).unwrap();
        assert!(read.same_board(&start));
        assert_eq!(&PositionFormat::Fen.write(&read), fen);
        assert_eq!(&PositionFormat::Kaa.write(&start), kaa);
        assert!(PositionFormat::Kaa.parse(kaa).unwrap().with_turn(start.turn()).same_board(&start));
        assert_eq!(&write_marbles(&start), bcit);
        let mut moves = BTreeSet::new();
        for line in lines[at + 1..].iter().take_while(|line| line[0] == "M") {
            for (notation, text) in notations.iter().zip(&line[1..5]) {
                let m = notation.parse(&start, text).unwrap();
                assert_eq!(&notation.write(&start, m), text);
                moves.insert(m.bits());
                let next = start.play(m).unwrap();
                assert_eq!(PositionFormat::Cells.write(&next), line[5]);
                assert_eq!(start.ejects(m), line[6] == "1");
            }
            at += 1;
        }
        assert_eq!(moves, start.legal_moves().iter().map(|m| m.bits()).collect());
        at += 1;
    }
}

#[test]
fn layouts_have_the_published_cells_and_first_moves() {
    for line in lines("layouts.tsv", 73) {
        let layout = Layout::all().iter().find(|layout| layout.cells == line[1]).expect(&line[0]);
        let start = layout.position();
        assert_eq!(start.legal_moves().len().to_string(), line[4], "{}", layout.name);
        assert_eq!(layout.agree.to_string(), line[5], "{}", layout.name);
    }
}

#[test]
fn the_course_files_list_the_same_successors() {
    for line in lines("bcit/INDEX.tsv", 57) {
        let input = corpus(&format!("bcit/{}.input", line[0])).unwrap();
        let boards = corpus(&format!("bcit/{}.board", line[0])).unwrap();
        let start = PositionFormat::Bcit.parse(&input).unwrap();
        let ours: BTreeSet<String> =
            start.legal_moves().iter().map(|&m| write_marbles(&start.play(m).unwrap())).collect();
        assert_eq!(ours, boards.lines().map(str::to_string).collect(), "{}", line[0]);
    }
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

#[test]
fn puzzles_parse_and_their_first_moves_are_legal() {
    for line in lines("puzzles.tsv", 94) {
        let start = position(&line[1], &line[2], &line[4], &line[3]);
        let token = line[8].split([' ', ',']).next().unwrap_or_default();
        if line[5].eq_ignore_ascii_case(&line[2]) && token.parse::<Cell>().is_err() && token.len() == 4 {
            assert!(Notation::Nacre.parse(&start, token).is_ok(), "{}: {token}", line[0]);
        }
    }
}

#[test]
fn openings_lead_to_the_published_positions() {
    for line in lines("openings.tsv", 15) {
        for (column, notation) in [(2, Notation::PlayStrategy), (3, Notation::AbaPro)] {
            let mut position = Layout::named("belgian-daisy").unwrap().position();
            for token in line[column].split_whitespace() {
                position = position.play(notation.parse(&position, token).unwrap()).unwrap();
            }
            assert_eq!(PositionFormat::Cells.write(&position), line[4], "{}", line[1]);
        }
    }
}

#[test]
fn the_stalemate_positions_have_no_move() {
    for line in lines("stalemate_positions.txt", 6) {
        let start = PositionFormat::Cells.parse(&line[0]).unwrap();
        assert!(start.legal_moves().is_empty() && !start.can_move());
        assert!(!start.with_turn(Color::Black).legal_moves().is_empty());
    }
}

#[test]
fn all_human_games_are_legal_and_end_with_the_recorded_score() {
    let Some(text) = corpus("games/migs-2016-2017.apgn") else { return };
    let (mut games, mut plies, mut decided) = (0, 0, 0);
    for record in Reader::new(text.as_bytes()) {
        let record = record.unwrap();
        let game = record.replay().unwrap();
        assert_eq!(Some(game.moves().len().to_string().as_str()), record.tag("Plies"));
        if let Some(winner) = game.outcome().and_then(|outcome| outcome.winner) {
            assert_eq!(record.result, GameResult::of(game.outcome()), "{:?}", record.tag("Event"));
            assert_eq!(game.position().score(winner), 6);
            decided += 1;
        }
        games += 1;
        plies += game.moves().len();
    }
    assert_eq!((games, plies, decided), (2589, 262_032, 1518));
}

#[test]
fn championship_games_and_verloops_files_replay_to_their_final_position() {
    for folder in ["games", "games/verloop2021"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
        let Ok(files) = fs::read_dir(path) else { return };
        for path in
            files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "txt"))
        {
            let text = fs::read_to_string(&path).unwrap();
            if text.contains("[Notation \"steinbeisser") {
                continue; // the one file in a notation of its own
            }
            let record = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            let game = record.replay().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let score = |color| Some(game.position().score(color).to_string());
            assert_eq!(score(Color::Black).as_deref(), record.tag("ScoreBlack"), "{}", path.display());
            assert_eq!(score(Color::White).as_deref(), record.tag("ScoreWhite"), "{}", path.display());
            if let Some(last) = record.tag("FinalPosition") {
                assert_eq!(PositionFormat::Cells.write(game.position()), last[..61], "{}", path.display());
            }
        }
    }
}

//! Checks against the public corpus, whose files are not ours to publish: notations, course files, openings, games of
//! people. Ignored unless asked for; `vectors.rs` has vectors of our own.

#![allow(clippy::unwrap_used)]

mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sumito_rules::record::{GameResult, Reader};
use sumito_rules::{Cell, Color, Layout, Notation, PositionFormat, write_marbles};
use table::{check_notations, position, rows};

fn corpus(file: &str) -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("CORPUS").map_or_else(beside, PathBuf::from).join(file)
}

fn read(file: &str) -> String {
    let path = corpus(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lines(file: &str, count: usize) -> Vec<Vec<String>> {
    rows(&read(file), count)
}

#[test]
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
fn every_move_of_200_positions_in_four_notations_both_ways() {
    assert_eq!(check_notations(&lines("notation-vectors.tsv", 11041)), 200);
}

#[test]
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
fn layouts_have_the_published_cells_and_first_moves() {
    for line in lines("layouts.tsv", 73) {
        let layout = Layout::all().iter().find(|layout| layout.cells == line[1]).expect(&line[0]);
        let start = layout.position();
        assert_eq!(start.legal_moves().len().to_string(), line[4], "{}", layout.name);
        assert_eq!(layout.agree.to_string(), line[5], "{}", layout.name);
    }
}

#[test]
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
fn the_course_files_list_the_same_successors() {
    for line in lines("bcit/INDEX.tsv", 57) {
        let input = read(&format!("bcit/{}.input", line[0]));
        let boards = read(&format!("bcit/{}.board", line[0]));
        let start = PositionFormat::Bcit.parse(&input).unwrap();
        let ours: BTreeSet<String> =
            start.legal_moves().iter().map(|&m| write_marbles(&start.play(m).unwrap())).collect();
        assert_eq!(ours, boards.lines().map(str::to_string).collect(), "{}", line[0]);
    }
}

#[test]
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
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
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
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
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
fn the_stalemate_positions_have_no_move() {
    for line in lines("stalemate_positions.txt", 6) {
        let start = PositionFormat::Cells.parse(&line[0]).unwrap();
        assert!(start.legal_moves().is_empty() && !start.can_move());
        assert!(!start.with_turn(Color::Black).legal_moves().is_empty());
    }
}

#[test]
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
fn all_human_games_are_legal_and_end_with_the_recorded_score() {
    let text = read("games/migs-2016-2017.apgn");
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
#[ignore = "needs the public corpus: ../shared/data, or the folder that CORPUS names"]
fn championship_games_and_verloops_files_replay_to_their_final_position() {
    for folder in ["games", "games/verloop2021"] {
        let files = fs::read_dir(corpus(folder)).unwrap().map(|file| file.unwrap().path());
        for path in files.filter(|path| path.extension().is_some_and(|e| e == "txt")) {
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

//! The published problems: the engine finds the first move. Read when the collection lies beside the project.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use sumito_engine::{Engine, Limits, Options, Score};
use sumito_rules::{ByColor, Color, Game, Move, Notation, Position, PositionFormat, Rules};

struct Problem {
    name: String,
    game: Game,
    /// The winning moves, or the defences that last longest.
    solutions: Vec<Move>,
    /// In how many moves of the winner it ends; below zero if the side to move loses.
    length: i32,
}

fn problems() -> Option<Vec<Problem>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/puzzles.tsv");
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().skip(1).map(|line| problem(&line.split('\t').collect::<Vec<_>>())).collect())
}

fn problem(fields: &[&str]) -> Problem {
    let turn = if fields[2] == "b" { Color::Black } else { Color::White };
    let board = PositionFormat::Cells.parse(fields[1]).unwrap();
    let marbles = ByColor::new(board.marbles(Color::Black), board.marbles(Color::White));
    // What one side has lost, the other has pushed off.
    let score = ByColor::new(fields[4].parse().unwrap(), fields[3].parse().unwrap());
    let position = Position::unvalidated(marbles, score, turn);
    let wins = fields[5].eq_ignore_ascii_case(fields[2]);
    let plies: i32 = fields[7].parse().unwrap();
    let solutions =
        fields[8].split([',', ' ']).filter_map(|text| Notation::Nacre.parse(&position, text).ok());
    Problem {
        name: fields[0].to_string(),
        game: Game::new(Rules::PLAYSTRATEGY, position),
        solutions: solutions.collect(),
        length: if wins { (plies + 1) / 2 } else { -plies / 2 },
    }
}

#[test]
fn nearly_all_published_problems_are_solved_at_a_million_nodes() {
    let Some(problems) = problems() else { return };
    let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
    let mut missed = Vec::new();
    for problem in &problems {
        let mut score = Score::Marbles(0);
        let mut engine = Engine::new(Options { hash: 8, ..Options::default() });
        let best = engine.go(&problem.game, &limits, &mut |info| score = info.score).unwrap();
        if !problem.solutions.contains(&best) {
            missed.push(&problem.name);
        }
        // A win that is told is never shorter than the shortest one there is.
        if let Score::Win(moves) = score {
            assert_eq!(moves.signum(), problem.length.signum(), "{}", problem.name);
            assert!(moves.abs() >= problem.length.abs(), "{}: {moves}", problem.name);
        }
    }
    assert_eq!(problems.len(), 94);
    assert!(missed.len() <= 4, "missed {missed:?}");
}

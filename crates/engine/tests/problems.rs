//! Problems: a forced win, its length, and the moves that begin it. Ours are in `data/problems.tsv`, made by
//! `PROBLEMS_UPDATE=1 cargo test --release -p sumito-engine --test problems`; the published ones may lie beside the project.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sumito_engine::{Engine, EngineOptions, Limits, Proof, ProofLimits, Score};
use sumito_rules::{
    Bitboard, ByColor, Cell, Color, Game, Move, Notation, Position, PositionFormat, Rules, fen,
};
use support::Dice;

struct Problem {
    name: String,
    position: Position,
    winner: Color,
    /// Moves of the winner until the end.
    moves: u32,
    /// Every winning move, or every defence that lasts longest.
    first: BTreeSet<u16>,
}

impl Problem {
    fn game(&self) -> Game {
        Game::new(Rules::OFFICIAL, self.position)
    }

    /// A line of our file: FEN, winner, moves, first moves.
    fn ours(line: &str) -> Problem {
        let [text, winner, moves, first] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = fen::parse(text).unwrap();
        let read = |token| Notation::AbaPro.parse(&position, token).unwrap().bits();
        Problem {
            name: text.to_string(),
            position,
            winner: Color::from_letter(winner.chars().next().unwrap()).unwrap(),
            moves: moves.parse().unwrap(),
            first: first.split(' ').map(read).collect(),
        }
    }

    fn line(&self) -> String {
        let first = self.first.iter().map(|&bits| Move::from_bits(bits).unwrap());
        let first: Vec<String> = first.map(|m| Notation::AbaPro.write(&self.position, m)).collect();
        format!("{}\t{}\t{}\t{}\n", self.name, self.winner.letter(), self.moves, first.join(" "))
    }

    /// A line of the published file, whose columns its first line names.
    fn published(line: &str) -> Problem {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, cells, side, lost_by_black, lost_by_white, winner, _, plies, first, ..] = fields[..]
        else {
            panic!("{line}")
        };
        let letter = |text: &str| Color::from_letter(text.chars().next().unwrap()).unwrap();
        let board = PositionFormat::Cells.parse(cells).unwrap();
        let marbles = Color::ALL.map(|color| board.marbles(color));
        // What one side has lost, the other has pushed off.
        let score = ByColor::new(lost_by_white.parse().unwrap(), lost_by_black.parse().unwrap());
        let position =
            Position::with_score(ByColor::new(marbles[0], marbles[1]), score, letter(side)).unwrap();
        let plies: u32 = plies.parse().unwrap();
        let first = first.split([',', ' ']).filter_map(|text| Notation::Nacre.parse(&position, text).ok());
        Problem {
            name: name.to_string(),
            position,
            winner: letter(winner),
            moves: plies.div_ceil(2),
            first: first.map(Move::bits).collect(),
        }
    }
}

fn ours() -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/problems.tsv");
    if std::env::var_os("PROBLEMS_UPDATE").is_some() {
        fs::write(&path, make()).unwrap();
    }
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(Problem::ours).collect()
}

fn published() -> Vec<Problem> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CORPUS").map_or_else(beside, PathBuf::from);
    let text = fs::read_to_string(folder.join("puzzles.tsv")).expect("the published problems");
    text.lines().skip(1).map(Problem::published).collect()
}

/// Whether a side wins in so many of its moves, by trying everything.
fn wins(game: &Game, attacker: Color, moves: u32) -> bool {
    support::wins(&mut game.clone(), attacker, moves, |_| true)
}

/// The moves of a position after which the win takes as long as it must: all that is wanted of a first move.
fn first_moves(game: &Game, winner: Color, moves: u32, wins: impl Fn(&Game, u32) -> bool) -> BTreeSet<u16> {
    let attacks = game.turn() == winner;
    let is_best = |m: &Move| {
        let mut next = game.clone();
        next.play(*m).unwrap();
        if attacks { wins(&next, moves - 1) } else { !wins(&next, moves - 1) }
    };
    game.legal_moves().into_iter().filter(is_best).map(Move::bits).collect()
}

fn is_proved(game: &Game, winner: Color, moves: u32) -> bool {
    if moves == 0 || game.outcome().is_some() {
        return game.outcome().is_some_and(|outcome| outcome.winner == Some(winner));
    }
    let limits =
        ProofLimits { winner: Some(winner), moves: Some(moves), memory: 1, ..ProofLimits::default() };
    matches!(Proof::search(game, &limits, &mut |_| ()), Proof::Proved(_))
}

impl Dice {
    /// A handful of marbles about a place, one or two ejections before the end.
    fn position(&mut self) -> Position {
        let mut area = Bitboard::from(Cell::ALL[self.roll(Cell::COUNT)]);
        (0..3).for_each(|_| area |= area.neighbours());
        let mut cells: Vec<Cell> = area.sorted().collect();
        let mut some = |count| {
            let mut cell = || cells.swap_remove(self.roll(cells.len()));
            (0..count).fold(Bitboard::EMPTY, |set, _| set | Bitboard::from(cell()))
        };
        let marbles = ByColor::new(some(6), some(5));
        let score = ByColor::new(4 + self.roll(2) as u8, 4 + self.roll(2) as u8);
        Position::with_score(marbles, score, Color::ALL[self.roll(2)]).unwrap()
    }
}

/// So many problems of each length, for the side that wins and for the one that loses, each with few good moves.
fn make() -> String {
    const HEAD: &str = "# Forced wins, found by chance and proved: FEN, winner, moves of the winner until the end,\n\
        # and every move that wins so soon, or loses so late.\n";
    let (mut dice, mut text, mut made) = (Dice(24), HEAD.to_string(), BTreeMap::new());
    let wanted = [(2, true, 12), (2, false, 6), (3, true, 12), (3, false, 4), (4, true, 6)];
    while wanted.iter().any(|&(moves, attacks, count)| made.get(&(moves, attacks)) < Some(&count)) {
        let game = Game::new(Rules::OFFICIAL, dice.position());
        let limits = ProofLimits { moves: Some(4), nodes: Some(20_000), memory: 1, ..ProofLimits::default() };
        let Proof::Proved(win) = Proof::search(&game, &limits, &mut |_| ()) else { continue };
        let kind = (win.moves, game.turn() == win.winner);
        let Some(&(.., count)) = wanted.iter().find(|&&(moves, attacks, _)| (moves, attacks) == kind) else {
            continue;
        };
        let made = made.entry(kind).or_insert(0);
        let first =
            first_moves(&game, win.winner, win.moves, |next, moves| is_proved(next, win.winner, moves));
        if win.shortest && first.len() <= 2 && *made < count {
            *made += 1;
            let (name, position) = (game.position().to_string(), *game.position());
            text += &Problem { name, position, winner: win.winner, moves: win.moves, first }.line();
        }
    }
    text
}

/// The proof search finds the winner, the length, and one of the first moves.
fn prove(problem: &Problem) {
    let limits = ProofLimits { nodes: Some(5_000_000), ..ProofLimits::default() };
    let proof = Proof::search(&problem.game(), &limits, &mut |_| ());
    let Proof::Proved(win) = proof else { panic!("{}: {proof:?}", problem.name) };
    assert_eq!(
        (win.winner, win.moves, win.shortest),
        (problem.winner, problem.moves, true),
        "{}",
        problem.name
    );
    assert!(problem.first.contains(&win.line[0].bits()), "{}: {:?}", problem.name, win.line);
}

/// The problems that the engine does not solve within so many nodes; it never claims a win that is not there.
fn missed(problems: &[Problem], nodes: u64) -> Vec<&str> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut missed = Vec::new();
    for problem in problems {
        let mut score = None;
        let mut engine = Engine::new(EngineOptions { hash: 8, ..EngineOptions::default() });
        let best = engine.go(&problem.game(), &limits, &mut |info| score = info.score).unwrap();
        if !problem.first.contains(&best.bits()) {
            missed.push(problem.name.as_str());
        }
        if let Some(Score::Win(moves)) = score {
            assert_eq!(moves > 0, problem.position.turn() == problem.winner, "{}", problem.name);
            assert!(moves.unsigned_abs() >= problem.moves, "{}: {moves}", problem.name);
        }
    }
    missed
}

#[test]
fn our_problems_are_proved() {
    let problems = ours();
    assert_eq!(problems.len(), 40);
    problems.iter().for_each(prove);
}

#[test]
fn plain_search_finds_the_same_lengths_and_first_moves_of_our_shorter_problems() {
    let short = ours().into_iter().filter(|problem| problem.moves == 2);
    let mut checked = 0;
    for problem in short {
        let (game, winner) = (problem.game(), problem.winner);
        assert!(wins(&game, winner, 2) && !wins(&game, winner, 1), "{}", problem.name);
        let first = first_moves(&game, winner, 2, |next, moves| wins(next, winner, moves));
        assert_eq!(first, problem.first, "{}", problem.name);
        checked += 1;
    }
    assert_eq!(checked, 18);
}

#[test]
fn the_engine_solves_our_problems() {
    assert_eq!(missed(&ours(), 300_000), [""; 0]);
}

#[test]
#[ignore = "needs the published problems: ../shared/data/puzzles.tsv, or the folder that CORPUS names"]
fn published_problems_are_proved() {
    let problems = published();
    assert_eq!(problems.len(), 94);
    problems.iter().for_each(prove);
}

#[test]
#[ignore = "needs the published problems: ../shared/data/puzzles.tsv, or the folder that CORPUS names"]
fn published_problems_are_nearly_all_solved_at_a_million_nodes() {
    let problems = published();
    let missed = missed(&problems, 1_000_000);
    assert_eq!(problems.len(), 94);
    assert!(missed.len() <= 4, "missed {missed:?}");
}

//! Tables of test vectors: lines of fields between tabs.

use std::collections::BTreeSet;

use sumito_rules::{ByColor, Color, Notation, Position, PositionFormat, write_marbles};

/// The fields of a text's lines, comments and header left out; as many lines as there must be.
pub(crate) fn rows(text: &str, count: usize) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let lines: Vec<Vec<String>> = lines.map(|line| line.split('\t').map(str::to_string).collect()).collect();
    let header = usize::from(lines.len() == count + 1);
    assert_eq!(lines.len(), count + header);
    lines[header..].to_vec()
}

pub(crate) fn position(cells: &str, side: &str, black: &str, white: &str) -> Position {
    let board = PositionFormat::Cells.parse(cells).unwrap();
    let marbles = ByColor::new(board.marbles(Color::Black), board.marbles(Color::White));
    let score = ByColor::new(black.parse().unwrap(), white.parse().unwrap());
    Position::with_score(marbles, score, Color::from_letter(side.chars().next().unwrap()).unwrap()).unwrap()
}

/// Checks positions (`P` lines) with every move (`M` lines) in four notations, both ways; how many positions there were.
pub(crate) fn check_notations(lines: &[Vec<String>]) -> usize {
    let notations = [Notation::AbaPro, Notation::Nacre, Notation::PlayStrategy, Notation::Bcit];
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
    lines.iter().filter(|line| line[0] == "P").count()
}

//! A line with a position in any format, or bytes that place marbles; then bytes that choose moves. What is played is
//! written and read again: positions in every format, moves in every notation, the game as a record.
#![no_main]

use sumito_fuzz::{Choices, fuzz_target};
use sumito_rules::record::{Reader, Record};
use sumito_rules::{
    Bitboard, ByColor, Cell, Color, Game, Notation, Position, PositionFormat, Repetition, Rules, fen,
};

/// Plies that are played at most.
const LONGEST: usize = 64;

/// A position from bytes: 28 cells, colours, scores and counters.
fn placed(choices: &mut Choices<'_>) -> Option<Position> {
    let mut marbles = ByColor::<Bitboard>::default();
    for _ in 0..28 {
        let byte = choices.byte();
        let color = if byte < 128 { Color::Black } else { Color::White };
        marbles[color].insert(Cell::ALL[usize::from(byte & 127) % 61]);
    }
    let score = ByColor::new(choices.byte() % 15, choices.byte() % 15);
    let turn = if choices.byte() % 2 == 0 { Color::Black } else { Color::White };
    let ply = choices.short() / 2 * 2 + turn.index() as u16;
    Some(Position::with_score(marbles, score, turn).ok()?.with_counters(choices.short(), ply))
}

fn check(position: &Position) {
    position.validate().expect("what is played is valid");
    assert_eq!(position.hash(), position.fresh_hash());
    assert_eq!(fen::parse(&fen::write(position)), Ok(*position));
    for format in PositionFormat::ALL {
        let text = format.write(position);
        let read = format.parse(&text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert!(Color::ALL.iter().all(|&color| read.marbles(color) == position.marbles(color)), "{text}");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..cut]);
    let read = PositionFormat::ALL.iter().find_map(|format| format.parse(&text.replace(';', "\n")).ok());
    let mut choices = Choices(if read.is_some() { &bytes[cut..] } else { bytes });
    let Some(start) = read.or_else(|| placed(&mut choices)) else { return };
    let mut game = Game::new(Rules { repetition: Repetition::Off, ..Rules::OFFICIAL }, start);
    while !choices.is_over() && game.moves().len() < LONGEST && game.outcome().is_none() {
        let (position, m) = (*game.position(), *choices.pick(&game.legal_moves()));
        for notation in Notation::ALL {
            assert_eq!(notation.parse(&position, &notation.write(&position, m)), Ok(m));
        }
        game.play(m).expect("a legal move");
        check(game.position());
    }
    for notation in Notation::ALL {
        let text = Record::from_game(&game, notation).to_string();
        let record = Reader::new(text.as_bytes()).next().expect("a record").expect("our own text");
        assert_eq!(record.replay().expect("legal moves").positions(), game.positions(), "{text}");
    }
});

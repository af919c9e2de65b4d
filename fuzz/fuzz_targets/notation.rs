//! A first line with a position, then words: each is read as a move in every notation, and the legal ones played.
#![no_main]

use sumito_fuzz::fuzz_target;
use sumito_rules::{Layout, Move, Notation, PositionFormat};

fuzz_target!(|text: &str| {
    let (first, words) = text.split_once('\n').unwrap_or(("", text));
    let start = PositionFormat::detect(first).parse(first);
    let mut position = start.unwrap_or_else(|_| Layout::all()[0].position());
    for word in words.split_whitespace() {
        for notation in Notation::ALL {
            let Ok(m) = notation.parse(&position, word) else { continue };
            assert!(position.is_legal(m) && Move::from_bits(m.bits()) == Some(m));
            assert_eq!(notation.parse(&position, &notation.write(&position, m)), Ok(m));
            position = position.play(m).expect("a parser gives legal moves");
            assert_eq!(position.hash(), position.fresh_hash());
        }
    }
});

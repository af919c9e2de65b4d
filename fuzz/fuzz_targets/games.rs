//! Any bytes: read as the games of a match (`games.jsonl`), for ratings and as records; and as openings.
#![no_main]

use sumito_fuzz::{folder, fuzz_target};
use sumito_lab::rating::{Anchor, Results};
use sumito_lab::referee::GameRecord;
use sumito_lab::{apgn, opening};
use sumito_rules::Rules;
use sumito_rules::record::Reader;

/// A letter first, and digits: what no notation writes is not read as a move either.
fn is_like_a_move(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

fuzz_target!(|bytes: &[u8]| {
    let path = folder().join("games.jsonl");
    std::fs::write(&path, bytes).expect("written");
    let mut results = Results::default();
    if results.read(&path).is_ok()
        && let Ok(ratings) = results.ratings(&Anchor::Mean)
    {
        assert!(ratings.players.iter().all(|player| player.elo.is_finite()), "{ratings:?}");
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for line in text.lines() {
        let Ok(game) = serde_json::from_str::<GameRecord>(line) else { continue };
        let written = apgn::write(&game);
        let read = Reader::new(written.as_bytes()).next().expect("a record");
        assert!(!game.moves.iter().all(|m| is_like_a_move(&m.text)) || read.is_ok(), "{written}");
    }
    for one in opening::from_text(text).into_iter().flatten() {
        assert_eq!(one.move_texts().len(), one.moves.len());
        let _ = one.game(Rules::OFFICIAL);
    }
});

//! What the tests of forced wins share: wins found by trying everything, by the rules alone, and dice.

use sumito_rules::{Color, Game, Outcome};

/// Whether a side wins in so many of its moves. `counts` says which of its wins are meant.
pub(crate) fn wins(game: &mut Game, attacker: Color, moves: u32, counts: fn(Outcome) -> bool) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner == Some(attacker) && counts(outcome);
    }
    let attacks = game.turn() == attacker;
    if attacks && moves == 0 {
        return false;
    }
    let legal = game.position().legal_moves();
    let mut wins_after = |m| {
        game.play(m).unwrap();
        let won = wins(game, attacker, moves - u32::from(attacks), counts);
        game.take_back();
        won
    };
    if attacks { legal.into_iter().any(&mut wins_after) } else { legal.into_iter().all(wins_after) }
}

/// Random numbers, the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % sides
    }
}

//! The rule-based agent of section 5.3: the first rule that has a move, and any of its moves.

use sumito_rules::{Game, Move, Position, Rules};

use super::order::class;
use crate::agent::{Agent, AgentError, Info, Limits};
use crate::entry::Entry;
use crate::options::Options;
use crate::seed::{GameRng, SEED};

pub(crate) static ENTRY: Entry = Entry {
    name: "maastricht-rules",
    summary: "the rule-based agent: eject, else push, else move three marbles, two, one",
    source: super::SOURCE,
    options: &[SEED],
    build: |name, options| Ok(Box::new(RuleBased::new(name, options))),
};

struct RuleBased {
    name: String,
    rng: GameRng,
}

impl RuleBased {
    fn new(name: &str, options: &Options) -> RuleBased {
        RuleBased { name: name.to_string(), rng: GameRng::new(options.seed()) }
    }
}

/// The rule that a move belongs to: 0 ejects, 1 pushes, then three marbles, two, one. These are the classes
/// of full move ordering, but the number of marbles that eject or push does not matter.
fn rule(position: &Position, m: Move) -> usize {
    [0, 0, 1, 1, 2, 3, 4][class(position, m) as usize]
}

/// The moves of the first rule that has any.
fn candidates(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    let first = moves.iter().map(|&m| rule(position, m)).min();
    moves.iter().copied().filter(|&m| Some(rule(position, m)) == first).collect()
}

impl Agent for RuleBased {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
        if game.outcome().is_some() {
            return Err(AgentError::NoMove);
        }
        self.rng.pick(&candidates(game.position())).ok_or(AgentError::NoMove)
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Notation, fen};

    use super::*;

    fn texts(fen: &str) -> Vec<String> {
        let position = fen::parse(fen).expect("a FEN");
        let mut texts: Vec<String> =
            candidates(&position).into_iter().map(|m| Notation::AbaPro.write(&position, m)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn an_ejection_comes_before_any_push() {
        // E7 and E8 can push E9 off; C3 and C4 can push C5.
        assert_eq!(texts("5/6/7/8/6SSs/8/2SSs2/6/5"), ["e7e8"]);
    }

    #[test]
    fn a_win_on_offer_is_taken() {
        assert_eq!(texts("S3S/6/2sss2/3ss3/4s1SSs/3ss3/7/6/S3S 5 0 b 0 1"), ["e7e8"]);
    }

    #[test]
    fn a_push_comes_before_three_marbles() {
        // C3 and C4 can push C5; G4, G5 and G6 could move.
        assert_eq!(texts("5/6/1SSS3/8/9/8/2SSs2/6/5"), ["c3c4"]);
    }

    #[test]
    fn without_a_push_three_marbles_move() {
        // G4 to G6 move in line or sideways; never two of them, nor C3 alone.
        assert_eq!(texts("5/6/1SSS3/8/9/8/2S4/6/5").len(), 6);
    }

    #[test]
    fn two_marbles_move_before_one() {
        assert_eq!(texts("5/6/1SS4/8/9/8/2S4/6/5").len(), 6);
        assert_eq!(texts("5/6/1S5/8/9/8/2S4/6/5").len(), 12);
    }
}

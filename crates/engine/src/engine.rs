//! The engine as its users see it: make one, give it a game and limits, hear what it finds.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use sumito_rules::{Game, Move, Position};

use crate::eval;
use crate::info::Info;
use crate::limits::{Limits, Stop};
use crate::options::EngineOptions;
use crate::search::{Deepest, Shared};
use crate::table::TranspositionTable;
use crate::threads::Threads;
use crate::time::Budget;

/// The engine.
pub struct Engine {
    options: EngineOptions,
    table: Arc<TranspositionTable>,
    age: u8,
    threads: Threads,
    /// How long the machine held searches up recently.
    lag: Duration,
}

impl Engine {
    /// An engine with an empty table.
    pub fn new(options: EngineOptions) -> Engine {
        Engine {
            table: Arc::new(TranspositionTable::new(options.hash)),
            age: 0,
            threads: Threads::new(&options),
            lag: Duration::ZERO,
            options,
        }
    }

    /// Forgets everything: the next search is as the first.
    pub fn new_game(&mut self) {
        self.threads = Threads::new(&self.options);
        self.table.clear();
        self.age = 0;
    }

    /// Searches for the best move of the side to move. `None` if there is none.
    pub fn go(&mut self, game: &Game, limits: &Limits, report: &mut dyn FnMut(&Info)) -> Option<Move> {
        let budget = Budget::new(limits, game.turn(), self.lag);
        let legal = game.legal_moves();
        if legal.is_empty() {
            return None;
        }
        self.age = self.age.wrapping_add(1);
        let shared = Arc::new(Shared {
            table: Arc::clone(&self.table),
            age: self.age,
            limits: limits.clone(),
            budget,
            game: game.clone(),
            finished: Stop::default(),
            helped: AtomicU64::new(0),
            deepest: Deepest::default(),
        });
        let best = self.threads.search(&shared, report);
        shared.budget.look();
        self.lag = shared.budget.lag();
        best.or_else(|| {
            // No time at all: by eye, and one that was asked for if there are such.
            let value = |m: Move| (!limits.moves.contains(&m), self.eval(&game.position().play_unchecked(m)));
            legal.iter().copied().min_by_key(|&m| value(m))
        })
    }

    /// The static value of a position for the side to move, in hundredths of a marble.
    pub fn eval(&self, position: &Position) -> i32 {
        match &self.options.network {
            Some(network) => network.evaluate(position, None),
            None => eval::evaluate(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use sumito_rules::{Layout, Notation, Rules, fen};

    fn best(fen: &str, depth: u32) -> (String, Option<Score>) {
        let game = Game::new(Rules::OFFICIAL, fen::parse(fen).expect("a FEN"));
        let mut score = None;
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let m = Engine::new(EngineOptions { hash: 4, ..EngineOptions::default() }).go(
            &game,
            &limits,
            &mut |info| score = info.score,
        );
        (Notation::AbaPro.write(game.position(), m.expect("a move")), score)
    }

    #[test]
    fn a_win_in_one_is_played_and_told() {
        assert_eq!(best("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1", 3), ("a3a4".to_string(), Some(Score::Win(1))));
    }

    #[test]
    fn the_same_search_looks_at_the_same_nodes_also_after_a_new_game() {
        let game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
        let mut engine = Engine::new(EngineOptions { hash: 4, ..EngineOptions::default() });
        let mut counts = Vec::new();
        for _ in 0..2 {
            let mut nodes = 0;
            let limits = Limits { depth: Some(7), ..Limits::default() };
            let m = engine.go(&game, &limits, &mut |info| nodes = info.nodes);
            counts.push((m, nodes));
            engine.new_game();
        }
        assert_eq!(counts[0], counts[1]);
    }

    #[test]
    fn one_node_is_enough_for_a_legal_move() {
        let game = Game::new(Rules::OFFICIAL, Layout::all()[1].position());
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let m = Engine::new(EngineOptions { hash: 1, threads: 2, ..EngineOptions::default() })
            .go(&game, &limits, &mut |_| ())
            .expect("a move");
        assert!(game.position().is_legal(m));
    }
}

//! A recorded game, searched position by position at fixed nodes.

use serde::{Deserialize, Serialize};
use sumito_agents::Stop;
use sumito_engine::{Engine, EngineOptions, Limits, Score, WdlModel};
use sumito_rules::{Color, Game, Rules};

use crate::opening::Opening;

/// A recorded game whose positions are all to be searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewUnit {
    /// The rules that it was played by.
    pub rules: Rules,
    /// Where it began, and all its moves.
    pub game: Opening,
    /// Nodes for each position.
    pub nodes: u64,
}

/// A move of a recorded game, and what it was worth to its player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeighedMove {
    /// Who played it.
    pub mover: Color,
    /// Marbles gone before it.
    pub gone: usize,
    /// What the best move was worth.
    pub best: Score,
    /// What the move was worth.
    pub played: Score,
}

/// Weighs the moves of games, each with an empty table, so that the same game gives the same answer.
pub(crate) struct Weigher(Engine);

impl Weigher {
    pub(crate) fn new() -> Weigher {
        Weigher(Engine::new(EngineOptions { hash: 8, ..EngineOptions::default() }))
    }

    /// The moves of a unit's game; none if it was stopped.
    pub(crate) fn weigh(
        &mut self,
        unit: &ReviewUnit,
        stop: &Stop,
    ) -> Result<Option<Vec<WeighedMove>>, String> {
        let mut game = Game::new(unit.rules, unit.game.start);
        let mut play = |&m| game.play(m).map_err(|why| format!("{}: {why}", unit.game.name));
        unit.game.moves.iter().try_for_each(&mut play)?;
        self.0.new_game();
        let limits = Limits { nodes: Some(unit.nodes), stop: stop.clone(), ..Limits::default() };
        let review = self.0.review(&game, &limits, &mut |_| ());
        let moves = review.positions.iter().zip(&review.moves).map(|(findings, moved)| WeighedMove {
            mover: moved.mover,
            gone: WdlModel::gone(&findings.position),
            best: moved.best_score,
            played: moved.score,
        });
        Ok((!stop.is_requested()).then(|| moves.collect()))
    }
}

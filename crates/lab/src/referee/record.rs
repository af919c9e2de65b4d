//! What is kept of a game: the players, the opening, each move with what its player said, and the end.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sumito_agents::{Info, Score};
use sumito_rules::{ByColor, Color, Outcome};

use crate::opening::Opening;
use crate::stats::Ending;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule.
    pub index: usize,
    /// The players' names.
    pub players: ByColor<String>,
    /// Where it began.
    pub opening: Opening,
    /// The players' moves, those of the opening not among them.
    pub moves: Vec<MoveRecord>,
    /// Who won, and by which rule.
    pub outcome: Outcome,
    /// How the loser failed, if it did not lose on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<PlayerFault>,
    /// The end in words.
    pub reason: String,
    /// Marbles pushed off by each player.
    pub score: ByColor<u8>,
    /// The most by which each player exceeded its time in one move, in microseconds.
    pub overstep_us: ByColor<u64>,
}

/// A move and what its player said about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move in Aba-Pro notation.
    #[serde(rename = "move")]
    pub text: String,
    /// The value of the position for the player, in its own unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Moves until the win that the player saw; negative for a loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<i32>,
    /// Plies searched completely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time used, in microseconds, by the referee's clock.
    pub time_us: u64,
}

/// How a player lost otherwise than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerFault {
    /// Its time was up.
    Time,
    /// It answered something that is no legal move.
    Illegal,
    /// It broke down.
    Crash,
    /// It did not answer.
    Stall,
}

impl PlayerFault {
    /// All of them.
    pub const ALL: [PlayerFault; 4] =
        [PlayerFault::Time, PlayerFault::Illegal, PlayerFault::Crash, PlayerFault::Stall];
}

impl MoveRecord {
    /// A move with the last that its player said, if it said anything.
    pub fn new(text: String, info: Option<&Info>, time: Duration) -> MoveRecord {
        let said = info.and_then(|info| info.score);
        MoveRecord {
            text,
            score: said.and_then(Score::value).filter(|value| value.is_finite()),
            win: said.and_then(Score::win),
            depth: info.map(|info| info.depth),
            nodes: info.map(|info| info.nodes),
            time_us: time.as_micros() as u64,
        }
    }

    /// The value for the player, a seen win above all numbers.
    pub fn value(&self) -> Option<f64> {
        self.win.map(|moves| f64::INFINITY.copysign(f64::from(moves))).or(self.score)
    }
}

impl GameRecord {
    /// How the game ended for a colour.
    pub fn ending(&self, color: Color) -> Ending {
        match self.outcome.winner {
            None => Ending::Draw,
            Some(winner) if winner == color => Ending::Win,
            Some(_) => Ending::Loss,
        }
    }

    /// The side that makes the first of `moves`.
    pub fn first_mover(&self) -> Color {
        self.opening.end().turn()
    }

    /// The moves of one player.
    pub fn moves_of(&self, color: Color) -> impl Iterator<Item = &MoveRecord> {
        let skipped = usize::from(color != self.first_mover());
        self.moves.iter().skip(skipped).step_by(2)
    }

    /// All plies, those of the opening included.
    pub fn plies(&self) -> usize {
        self.opening.moves.len() + self.moves.len()
    }
}

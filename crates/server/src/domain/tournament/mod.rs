//! A tournament: who takes part, who met whom, and what happens next. Pure: what is kept comes in, a change goes out, and whoever
//! keeps it makes the change only if the tournament is still the version that it was decided for.

pub(crate) mod change;
mod plan;
pub(crate) mod settings;
pub(crate) mod table;
#[cfg(test)]
mod tests;

use serde::Serialize;
use sumito_rules::Color;
use utoipa::ToSchema;

use super::pairing::{Entrant, Pairing, PairingResult, PlayerId, Points, Resting, Round};
use super::person::PersonId;
use settings::Settings;

pub(crate) use change::Change;
pub(crate) use plan::Next;

/// How far a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TournamentStage)]
pub(crate) enum Stage {
    /// It has not begun.
    Planned,
    Running,
    /// Games go on, and none begins.
    Paused,
    Over,
    /// Nobody came, or it was called off.
    Cancelled,
}

/// Moments, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) created: i64,
    pub(crate) starts: i64,
    pub(crate) began: Option<i64>,
    /// Since when it is paused.
    pub(crate) paused: Option<i64>,
    /// When an arena ends, or any tournament has ended.
    pub(crate) ends: Option<i64>,
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Player {
    pub(crate) number: u32,
    pub(crate) person: PersonId,
    /// Empty if the account is closed.
    pub(crate) name: String,
    pub(crate) is_bot: bool,
    /// When they joined.
    pub(crate) rating: i32,
    /// For rounds that were missed before.
    pub(crate) head_start: Points,
    /// When they joined or came back.
    pub(crate) since: i64,
    /// Whether they play on. Who has withdrawn, or did not come to a game, does not.
    pub(crate) here: bool,
    /// The round, from 0, for which they asked for half a point without a game.
    pub(crate) bye: Option<u32>,
}

/// Two who meet in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// From 0; of an arena each moment at which some were paired.
    pub(crate) round: u32,
    /// From 0.
    pub(crate) number: u32,
    pub(crate) pairing: Pairing,
    pub(crate) layout: String,
    /// None if there was nobody to play it.
    pub(crate) game: Option<String>,
    pub(crate) paired: i64,
    pub(crate) ended: Option<i64>,
}

/// A tournament.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tournament {
    /// Its number in the store.
    pub(crate) num: i64,
    pub(crate) id: String,
    /// Who made it.
    pub(crate) by: PersonId,
    pub(crate) by_name: String,
    pub(crate) settings: Settings,
    pub(crate) stage: Stage,
    /// Grows with every change, results included.
    pub(crate) version: i64,
    /// Draws its lots.
    pub(crate) seed: u64,
    pub(crate) times: Times,
    /// By number.
    pub(crate) players: Vec<Player>,
    /// By round and number.
    pub(crate) boards: Vec<Board>,
    /// Who had no opponent, by round.
    pub(crate) resting: Vec<(u32, Resting)>,
}

impl Stage {
    pub(crate) const ALL: [Stage; 5] =
        [Stage::Planned, Stage::Running, Stage::Paused, Stage::Over, Stage::Cancelled];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Stage::Planned => "planned",
            Stage::Running => "running",
            Stage::Paused => "paused",
            Stage::Over => "over",
            Stage::Cancelled => "cancelled",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// Whether nothing happens any more.
    pub(crate) const fn is_final(self) -> bool {
        matches!(self, Stage::Over | Stage::Cancelled)
    }
}

impl Player {
    pub(crate) fn id(&self) -> PlayerId {
        PlayerId(self.number)
    }

    fn entrant(&self) -> Entrant {
        Entrant { id: self.id(), rating: self.rating, head_start: self.head_start }
    }
}

impl Board {
    /// Whether it is played.
    pub(crate) fn is_open(&self) -> bool {
        self.pairing.result.is_none()
    }
}

impl Tournament {
    /// Somebody among the players.
    pub(crate) fn player_of(&self, person: PersonId) -> Option<&Player> {
        self.players.iter().find(|player| player.person == person)
    }

    /// A player by number.
    pub(crate) fn player(&self, id: PlayerId) -> &Player {
        &self.players[id.0 as usize]
    }

    /// Those who play on.
    pub(crate) fn here(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().filter(|player| player.here)
    }

    fn entrants(&self) -> Vec<Entrant> {
        self.players.iter().map(Player::entrant).collect()
    }

    /// How many rounds there are so far.
    pub(crate) fn rounds_begun(&self) -> u32 {
        let boards = self.boards.last().map(|board| board.round + 1);
        let rests = self.resting.last().map(|(round, _)| round + 1);
        boards.max(rests).unwrap_or(0)
    }

    /// The boards of a round.
    pub(crate) fn boards_of(&self, round: u32) -> &[Board] {
        let first = self.boards.partition_point(|board| board.round < round);
        let last = self.boards.partition_point(|board| board.round <= round);
        &self.boards[first..last]
    }

    /// The rounds as they are paired and counted.
    pub(crate) fn rounds(&self) -> Vec<Round> {
        let mut rounds = vec![Round::default(); self.rounds_begun() as usize];
        for board in &self.boards {
            rounds[board.round as usize].pairings.push(board.pairing);
        }
        for (round, resting) in &self.resting {
            rounds[*round as usize].resting.push(*resting);
        }
        rounds
    }

    /// The game that somebody is to play now.
    #[cfg(test)]
    pub(crate) fn open_board(&self, player: PlayerId) -> Option<&Board> {
        self.boards.iter().rev().find(|board| board.is_open() && board.pairing.color_of(player).is_some())
    }
}

/// What a game that is over means for a tournament: who loses before the second move has not played.
pub(crate) fn result_of(winner: Option<Color>, plies: usize) -> PairingResult {
    match winner {
        Some(winner) if plies < 2 => PairingResult::Forfeited(!winner),
        Some(winner) => PairingResult::Won(winner),
        None => PairingResult::Drawn,
    }
}

/// The words for results, as they are kept and sent.
const RESULTS: [(&str, PairingResult); 6] = [
    ("black", PairingResult::Won(Color::Black)),
    ("white", PairingResult::Won(Color::White)),
    ("draw", PairingResult::Drawn),
    ("black-absent", PairingResult::Forfeited(Color::Black)),
    ("white-absent", PairingResult::Forfeited(Color::White)),
    ("unplayed", PairingResult::Unplayed),
];

/// The word for a result.
pub(crate) fn result_name(result: PairingResult) -> &'static str {
    RESULTS.iter().find(|(_, known)| *known == result).map_or("unplayed", |(name, _)| name)
}

/// The result for a word.
pub(crate) fn result_named(name: &str) -> Option<PairingResult> {
    RESULTS.iter().find(|(known, _)| *known == name).map(|(_, result)| *result)
}

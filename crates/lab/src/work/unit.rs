//! Pieces of work, and what comes of them. Both are plain data that can be sent anywhere.

use serde::{Deserialize, Serialize};

use crate::config::Player;
use crate::counter::{CountUnit, SearchCounts};
use crate::data::DataSettings;
use crate::data::chances::{ReviewUnit, WeighedMove};
use crate::data::selfplay::SelfPlayGame;
use crate::opening::Opening;
use crate::referee::{Conduct, GameRecord};

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A pair of games.
    Pair(Box<PairUnit>),
    /// Games of the engine against itself.
    SelfPlay(SelfPlayUnit),
    /// Searches to count.
    Count(CountUnit),
    /// A recorded game to search through.
    Review(Box<ReviewUnit>),
}

/// Two games on one opening with colours changed, or one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairUnit {
    /// Its place among all pairs, n: its games are number 2n and 2n + 1.
    pub number: usize,
    /// Which of the two are to be played: 0, 1 or both.
    pub games: Vec<usize>,
    /// The players. The first has black in the first game.
    pub players: [Player; 2],
    /// Where both games begin.
    pub opening: Opening,
    /// How they are judged.
    pub conduct: Conduct,
    /// From this and the game's number follow the seeds of players that make random choices.
    pub seed: u64,
    /// Whether the players are those of a match: they stay for its other games, and one that can no longer be built loses.
    /// Else they are built for these games alone, and one that cannot be is an error.
    pub is_match: bool,
}

/// Games of the engine against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlayUnit {
    /// How they are played, and with which network.
    pub settings: DataSettings,
    /// The number of the first one.
    pub first: u32,
    /// How many there are.
    pub games: u32,
}

/// What came of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitOutcome {
    /// The games of a pair that were to be played.
    Games(Vec<GameRecord>),
    /// Games of self-play.
    SelfPlay(Vec<SelfPlayGame>),
    /// What each search counted.
    Counts(Vec<SearchCounts>),
    /// What the moves of a recorded game were worth.
    Moves(Vec<WeighedMove>),
}

impl UnitOutcome {
    /// The games of a pair. Whoever merges outcomes knows of which kind its units were.
    pub(crate) fn games(self) -> Vec<GameRecord> {
        if let UnitOutcome::Games(games) = self { games } else { Vec::new() }
    }

    pub(crate) fn self_play(self) -> Vec<SelfPlayGame> {
        if let UnitOutcome::SelfPlay(games) = self { games } else { Vec::new() }
    }

    pub(crate) fn counts(self) -> Vec<SearchCounts> {
        if let UnitOutcome::Counts(counts) = self { counts } else { Vec::new() }
    }

    pub(crate) fn moves(self) -> Vec<WeighedMove> {
        if let UnitOutcome::Moves(moves) = self { moves } else { Vec::new() }
    }
}

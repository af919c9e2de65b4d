//! What is kept of tournaments, besides themselves.

use crate::domain::person::PersonId;
use crate::domain::tournament::settings::Settings;
use crate::domain::tournament::{Change, Stage, Times};

/// A change of a tournament.
#[derive(Clone, Debug)]
pub(crate) enum TournamentWrite {
    /// A new one; full if so many are not over, refused if so many of whoever makes it are not.
    New { new: NewTournament, most: u64, most_of_one: u64 },
    /// This, if the tournament is still of that version; refused if not.
    Change { tournament: i64, version: i64, change: Change },
}

/// A tournament that is planned.
#[derive(Clone, Debug)]
pub(crate) struct NewTournament {
    pub(crate) id: String,
    pub(crate) by: PersonId,
    pub(crate) settings: Settings,
    pub(crate) seed: u64,
    pub(crate) created: i64,
    pub(crate) starts: i64,
}

/// A tournament in a list.
#[derive(Clone, Debug)]
pub(crate) struct ListedTournament {
    pub(crate) id: String,
    /// Who made it; empty if the account is closed.
    pub(crate) by: String,
    pub(crate) settings: Settings,
    pub(crate) stage: Stage,
    pub(crate) times: Times,
    pub(crate) players: u64,
}

/// Which tournaments are listed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TournamentList {
    /// Those that are not over, the next one first.
    Open,
    /// Those that ended before a moment, the latest first.
    Over { before: i64 },
}

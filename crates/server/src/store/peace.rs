//! What is kept for the peace of the place: blocks, reports, what moderators do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::people::PersonWrite;
use crate::domain::person::PersonId;

/// Why somebody is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReportReason {
    /// Help by a program.
    Engine,
    /// Games that are lost or won on purpose.
    Farming,
    /// Words.
    Abuse,
    Other,
}

/// Somebody tells the moderators about somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewReport {
    pub(crate) id: String,
    pub(crate) at: i64,
    pub(crate) by: PersonId,
    pub(crate) about: PersonId,
    pub(crate) game: Option<String>,
    pub(crate) reason: ReportReason,
    pub(crate) text: String,
}

/// A report in the moderators' queue. Names are those of today, empty for closed accounts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct KeptReport {
    pub(crate) id: String,
    pub(crate) at: i64,
    pub(crate) by: String,
    pub(crate) about: String,
    /// How many reports there are about them.
    pub(crate) all: i64,
    pub(crate) game: Option<String>,
    pub(crate) reason: ReportReason,
    pub(crate) text: String,
}

/// Something that a moderator or an administrator has done.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AuditLine {
    pub(crate) at: i64,
    /// Empty for the one at the machine.
    pub(crate) by: String,
    /// `mute`, `unmute`, `close`, `void`, `settle`; `start`, `pause`, `resume`, `cancel` of a tournament; `role`, `recovery`.
    pub(crate) action: String,
    pub(crate) about: String,
    /// A game's or a tournament's id, or what else belongs to it.
    pub(crate) detail: String,
}

/// What somebody does for the peace.
#[derive(Clone, Debug)]
pub(crate) enum PeaceWrite {
    /// They do not want to meet somebody; or again. Refused if they have blocked so many.
    Block {
        person: PersonId,
        other: PersonId,
        at: i64,
        most: i64,
    },
    Unblock {
        person: PersonId,
        other: PersonId,
    },
    Report(NewReport),
    /// From here on by a moderator, with a line in the log. One about whoever settles it, or a program of theirs, is refused.
    Settle {
        by: PersonId,
        report: String,
        at: i64,
    },
    /// Until when somebody says nothing; none for never mind.
    Mute {
        by: PersonId,
        about: PersonId,
        until: Option<i64>,
        at: i64,
    },
    /// Refused for the house's players.
    Close {
        by: PersonId,
        about: PersonId,
        at: i64,
    },
    /// A game's rating is taken back; refused if it was not rated, or was taken back already.
    Void {
        by: PersonId,
        game: String,
        at: i64,
    },
    /// Somebody else's tournament was directed.
    Manage {
        by: PersonId,
        maker: PersonId,
        tournament: String,
        action: &'static str,
        at: i64,
    },
    /// Whoever is at the machine changes an account.
    AtMachine {
        about: PersonId,
        change: PersonWrite,
        at: i64,
    },
}

//! Who may do what. The one table of it: every path asks here, and a test tries every cell of it over the interface.

use super::error::{AppError, Cause};
use super::person::Role;

/// Something that not everybody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Make an account.
    SignUp,
    /// Open one that there is.
    LogIn,
    /// See and change what belongs to one's own account.
    OwnAccount,
    /// Look for a game in the lobby, or take up somebody's search.
    Seek,
    /// Plan a tournament, and direct one's own.
    MakeTournament,
    /// Take part in a tournament, and withdraw.
    JoinTournament,
    /// Direct somebody else's tournament.
    ManageTournament,
    /// Make programs of one's own, and what opens their accounts.
    OwnBots,
    /// Hear of challenges and of one's games, challenge others and answer them.
    Challenge,
    /// Play by the interface for programs.
    PlayAsBot,
    /// Say something to others who look on at a game.
    TalkWatching,
    /// Tell the moderators about somebody.
    Report,
    /// See what was told about others, and do something about it.
    Moderate,
}

/// Whether a row's action is for somebody without an account, for a person, a program, a moderator, an administrator.
const TABLE: [(Action, [bool; 5]); 13] = [
    (Action::SignUp, [true, false, false, false, false]),
    (Action::LogIn, [true, false, false, false, false]),
    (Action::OwnAccount, [false, true, false, true, true]),
    (Action::Seek, [false, true, false, true, true]),
    (Action::MakeTournament, [false, true, false, true, true]),
    (Action::JoinTournament, [false, true, true, true, true]),
    (Action::ManageTournament, [false, false, false, true, true]),
    (Action::OwnBots, [false, true, false, true, true]),
    (Action::Challenge, [false, true, true, true, true]),
    (Action::PlayAsBot, [false, false, true, false, false]),
    (Action::TalkWatching, [false, true, false, true, true]),
    (Action::Report, [false, true, false, true, true]),
    (Action::Moderate, [false, false, false, true, true]),
];

impl Action {
    /// Refuses whoever may not.
    pub(crate) fn check(self, who: Option<Role>) -> Result<(), AppError> {
        if self.is_for(who) {
            return Ok(());
        }
        Err(match who {
            None => Cause::AccountMissing {}.into(),
            Some(role) => Cause::RoleForbidden { role: role.name() }.into(),
        })
    }

    /// Whether somebody with this role may do it; none is somebody without an account.
    pub(crate) fn is_for(self, who: Option<Role>) -> bool {
        let column = match who {
            None => 0,
            Some(Role::Person) => 1,
            Some(Role::Bot) => 2,
            Some(Role::Moderator) => 3,
            Some(Role::Admin) => 4,
        };
        TABLE.iter().any(|(action, who)| *action == self && who[column])
    }
}

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
}

/// Whether a row's action is for somebody without an account, for a person, a moderator, an administrator.
const TABLE: [(Action, [bool; 4]); 7] = [
    (Action::SignUp, [true, false, false, false]),
    (Action::LogIn, [true, false, false, false]),
    (Action::OwnAccount, [false, true, true, true]),
    (Action::Seek, [false, true, true, true]),
    (Action::MakeTournament, [false, true, true, true]),
    (Action::JoinTournament, [false, true, true, true]),
    (Action::ManageTournament, [false, false, true, true]),
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
            Some(Role::Moderator) => 2,
            Some(Role::Admin) => 3,
        };
        TABLE.iter().any(|(action, who)| *action == self && who[column])
    }
}

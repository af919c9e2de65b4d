//! What is kept of persons with an account, besides themselves.

use crate::domain::client::Owner;
use crate::domain::keys::KeyHash;
use crate::domain::person::{Person, PersonId, PersonName, Role};

/// Somebody logs in somewhere.
#[derive(Clone, Debug)]
pub(crate) struct NewSession {
    /// Of the token.
    pub(crate) hash: KeyHash,
    /// By which it can be told from others and ended.
    pub(crate) id: String,
    pub(crate) at: i64,
    pub(crate) owner: Owner,
    pub(crate) device: String,
}

/// Where somebody is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptSession {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) seen: i64,
    pub(crate) owner: Owner,
    pub(crate) device: String,
}

/// A session with whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) seen: i64,
    pub(crate) person: Person,
    /// What is kept of the password.
    pub(crate) password: Option<String>,
}

/// A change of an account.
#[derive(Clone, Debug)]
pub(crate) enum PersonWrite {
    /// A new one, logged in; refused if the name is taken.
    New { name: PersonName, role: Role, password: String, recovery: Vec<KeyHash>, session: NewSession },
    /// Logged in somewhere.
    LogIn { person: PersonId, session: NewSession },
    /// Still there.
    Seen { session: KeyHash, at: i64 },
    /// Logged out somewhere; refused if it is not the person's.
    LogOut { person: PersonId, session: String },
    /// Logged out everywhere but there.
    LogOutElsewhere { person: PersonId, session: String },
    /// Another password; all other sessions end.
    Password { person: PersonId, password: String, session: String },
    /// Other codes for a lost password.
    Recovery { person: PersonId, recovery: Vec<KeyHash> },
    /// A lost password is replaced with one of them, which is used up; all sessions end and a new one begins. Refused without
    /// the code.
    Recover { person: PersonId, code: KeyHash, password: String, session: NewSession },
    /// Another role, by an administrator or at the machine.
    Role { person: PersonId, role: Role },
    /// The account is closed: the name goes, and with it all that opens it. Refused for the house's players, by whom all are measured.
    Close { person: PersonId, at: i64 },
}

//! What is kept of programs' accounts and of challenges.

use crate::domain::bot::{Capabilities, Scope};
use crate::domain::canonical::Place;
use crate::domain::challenge::{Challenge, ChallengeState};
use crate::domain::kept::KeptGame;
use crate::domain::keys::KeyHash;
use crate::domain::person::{Person, PersonId, PersonName};

/// A program with an account.
#[derive(Clone, Debug)]
pub(crate) struct Bot {
    pub(crate) person: Person,
    pub(crate) accepts: Capabilities,
    /// Its agent, if its strength is known.
    pub(crate) anchor: Option<String>,
}

/// What is kept of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptToken {
    /// By which it can be told from others and revoked.
    pub(crate) id: String,
    pub(crate) note: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) created: i64,
    pub(crate) expires: Option<i64>,
    /// When it was last used, to the hour.
    pub(crate) seen: Option<i64>,
}

/// A change of a program's account.
#[derive(Clone, Debug)]
pub(crate) enum BotWrite {
    /// A new one; refused if the name is taken or its owner has so many already.
    New { name: PersonName, owner: PersonId, at: i64, most: usize },
    /// One of the house's players, new or as it was; refused if somebody else has the name.
    House { name: PersonName, anchor: String, accepts: Capabilities, at: i64 },
    /// What it accepts.
    Accepts { bot: PersonId, accepts: Capabilities },
    /// A new token; refused if there are so many already.
    Token { bot: PersonId, hash: KeyHash, token: KeptToken, most: usize },
    /// A token opens nothing any more; refused if there is none.
    Revoke { bot: PersonId, token: String },
    /// A token was used.
    Used { hash: KeyHash, at: i64 },
}

/// A change of a challenge.
#[derive(Debug)]
pub(crate) enum ChallengeWrite {
    /// A new one; refused if either side has too many open ones.
    New { challenge: Challenge, sent: usize, received: usize },
    /// It is accepted, and the game begins; refused if it is no longer open.
    Accept { id: String, game: Box<KeptGame>, places: Vec<Place> },
    /// It is declined or canceled; refused if it is no longer open.
    Close { id: String, state: ChallengeState, at: i64 },
    /// Those that are so old are forgotten.
    Forget { before: i64 },
}

//! Persons as clients see them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::person::{Person, Role};
use crate::store::people::KeptSession;

/// A person.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PersonView {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// When the account was made, in milliseconds since 1970.
    pub(crate) created: i64,
}

impl From<&Person> for PersonView {
    fn from(person: &Person) -> PersonView {
        PersonView { name: person.name.clone(), role: person.role, created: person.created }
    }
}

/// Where somebody is logged in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SessionView {
    pub(crate) id: String,
    pub(crate) created: i64,
    /// When it was last used, to the hour.
    pub(crate) seen: i64,
    /// Browser and system; empty if they are not known.
    pub(crate) device: String,
    /// Whether it is the one that asks.
    pub(crate) here: bool,
}

impl SessionView {
    pub(crate) fn new(session: KeptSession, here: &str) -> SessionView {
        let here = session.id == here;
        SessionView {
            id: session.id,
            created: session.created,
            seen: session.seen,
            device: session.device,
            here,
        }
    }
}

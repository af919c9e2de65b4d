//! Persons as clients see them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::class::Class;
use crate::domain::date::now;
use crate::domain::ladder::Standing;
use crate::domain::person::{Person, Role};
use crate::domain::rating::SYSTEM;
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

/// A person with what they have played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProfileView {
    pub(crate) person: PersonView,
    pub(crate) ratings: Vec<PersonRatingView>,
}

/// Somebody's rating in a class of clocks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PersonRatingView {
    pub(crate) class: Class,
    pub(crate) value: i32,
    /// The standard deviation of the value by now.
    pub(crate) deviation: i32,
    /// Whether it is not sure yet.
    pub(crate) provisional: bool,
    pub(crate) games: i64,
    /// What it was after each of the last 200 games: when, in milliseconds since 1970, and how much.
    pub(crate) curve: Vec<(i64, i32)>,
}

impl PersonRatingView {
    pub(crate) fn new(class: Class, standing: &Standing, curve: &[(i64, f64)]) -> PersonRatingView {
        let rating = standing.now(now());
        PersonRatingView {
            class,
            value: rating.value.round() as i32,
            deviation: rating.deviation.round() as i32,
            provisional: SYSTEM.is_provisional(rating),
            games: standing.games,
            curve: curve.iter().map(|&(at, value)| (at, value.round() as i32)).collect(),
        }
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

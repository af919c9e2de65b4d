//! Persons: what they may be called, and what they are here.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::anchor::Anchor;
use super::error::{AppError, Cause};

/// A person's number in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PersonId(pub(crate) i64);

/// What somebody with an account is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Plays.
    Person,
    /// A program, which plays.
    Bot,
    /// Sees to the peace.
    Moderator,
    /// Sees to everything.
    Admin,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 4] = [Role::Person, Role::Bot, Role::Moderator, Role::Admin];
    /// Those that somebody can be given: a program is one from the beginning.
    pub const GIVEN: [Role; 3] = [Role::Person, Role::Moderator, Role::Admin];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Person => "person",
            Role::Bot => "bot",
            Role::Moderator => "moderator",
            Role::Admin => "admin",
        }
    }

    /// Whether a program plays under it.
    pub(crate) const fn is_bot(self) -> bool {
        matches!(self, Role::Bot)
    }

    /// The role for a word.
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A name that somebody can have: a letter, and one to nineteen letters, digits, hyphens or underscores after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PersonName(String);

/// Letters of a name.
pub(crate) const SHORTEST: usize = 2;
pub(crate) const LONGEST: usize = 20;
/// Names that would be taken for the house's own.
const RESERVED: [&str; 12] = [
    "admin",
    "administrator",
    "anonymous",
    "arena",
    "guest",
    "help",
    "house",
    "moderator",
    "nobody",
    "root",
    "sumito",
    "system",
];

impl PersonName {
    pub(crate) fn new(text: &str) -> Result<PersonName, AppError> {
        let text = text.trim();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_name = (SHORTEST..=LONGEST).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(fits);
        if !is_name {
            return Err(Cause::NameForm { least: SHORTEST, most: LONGEST }.at("name"));
        }
        if RESERVED.contains(&text.to_ascii_lowercase().as_str()) || Anchor::has_name(text) {
            return Err(Cause::NameTaken {}.at("name"));
        }
        Ok(PersonName(text.to_string()))
    }

    /// The name of one of the house's own players.
    pub(crate) fn of_house(anchor: &Anchor) -> PersonName {
        PersonName(anchor.name.to_string())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) id: PersonId,
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Milliseconds since 1970.
    pub(crate) created: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_begins_with_a_letter_and_is_nobody_elses() {
        for name in ["Anna", "a-1", " Ben_2 ", "ab", "abcdefghijklmnopqrst"] {
            assert_eq!(PersonName::new(name).expect(name).as_str(), name.trim());
        }
        for name in ["", "a", "1a", "-a", "a b", "Änne", "a\u{202e}b", "abcdefghijklmnopqrstu", "a/b"] {
            assert_eq!(PersonName::new(name).expect_err(name).fault().cause.code(), "name.form", "{name}");
        }
        assert_eq!(PersonName::new("SUMITO").expect_err("ours").fault().cause.code(), "name.taken");
    }
}

//! Who may do something in a game: what is kept of its keys, and for whom a key speaks.
//!
//! A game has one key for all persons in it (one against an agent, two at one device, whoever imported it), or, between
//! two persons, one for each seat.

use sumito_rules::{ByColor, Color};

use super::error::{AppError, Cause, word};
use super::ids;

/// What is kept of a key.
pub(crate) type KeyHash = Vec<u8>;

/// What is kept of a game's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum GameKeys {
    /// Nobody has one.
    #[default]
    None,
    /// One for all persons in it.
    One(KeyHash),
    /// One for each seat, none for a seat that is free.
    Each(ByColor<Option<KeyHash>>),
}

/// For whom a key speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// For all persons in the game.
    All,
    /// For one of two.
    Seat(Color),
}

impl GameKeys {
    /// The keys of a game in which one seat is taken by whoever begins it.
    pub(crate) fn begun(by: Color, key: &str) -> GameKeys {
        let mut keys = ByColor::default();
        keys[by] = Some(ids::hashed(key));
        GameKeys::Each(keys)
    }

    /// Whether each seat has a key of its own.
    pub(crate) fn is_pair(&self) -> bool {
        matches!(self, GameKeys::Each(_))
    }

    /// The keys of another game of the same persons, with the colours exchanged.
    #[must_use]
    pub(crate) fn swapped(self) -> GameKeys {
        match self {
            GameKeys::Each(keys) => GameKeys::Each(keys.swapped()),
            same => same,
        }
    }

    /// Keeps the key of whoever takes a seat.
    pub(crate) fn take(&mut self, color: Color, key: KeyHash) {
        if let GameKeys::Each(keys) = self {
            keys[color] = Some(key);
        }
    }

    /// The seat that nobody has taken yet.
    pub(crate) fn free(&self) -> Option<Color> {
        let GameKeys::Each(keys) = self else { return None };
        Color::ALL.into_iter().find(|&color| keys[color].is_none())
    }

    /// For whom a key speaks; an error if it is none of this game.
    pub(crate) fn speaker(&self, key: Option<&str>) -> Result<Speaker, AppError> {
        let hash = ids::hashed(key.ok_or_else(|| Cause::KeyMissing {}.at("key"))?);
        let found = match self {
            GameKeys::None => None,
            GameKeys::One(kept) => (*kept == hash).then_some(Speaker::All),
            GameKeys::Each(kept) => {
                let own = |color: &Color| kept[*color].as_ref() == Some(&hash);
                Color::ALL.into_iter().find(own).map(Speaker::Seat)
            }
        };
        found.ok_or_else(|| Cause::KeyWrong {}.at("key"))
    }
}

impl Speaker {
    /// Refuses whoever speaks for the other seat only.
    pub(crate) fn check(self, color: Color) -> Result<(), AppError> {
        match self {
            Speaker::Seat(own) if own != color => Err(Cause::SeatOther { color: word(&color) }.at("key")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::error::Kind;

    #[test]
    fn a_key_speaks_for_its_seat_and_no_other() {
        let keys = GameKeys::begun(Color::White, "mine");
        assert_eq!((keys.is_pair(), keys.free()), (true, Some(Color::Black)));
        assert_eq!(keys.speaker(Some("mine")), Ok(Speaker::Seat(Color::White)));
        let kind = |key| keys.speaker(key).expect_err("no key of this game").kind();
        assert_eq!((kind(Some("theirs")), kind(None)), (Kind::Forbidden, Kind::Unauthorized));
        assert!(Speaker::Seat(Color::White).check(Color::White).is_ok());
        assert_eq!(
            Speaker::Seat(Color::White).check(Color::Black).expect_err("another's").fault().cause.code(),
            "seat.other"
        );
        let one = GameKeys::One(ids::hashed("ours"));
        assert_eq!((one.is_pair(), one.free()), (false, None));
        let all = one.speaker(Some("ours")).expect("the key");
        assert!(Color::ALL.into_iter().all(|color| all.check(color).is_ok()));
        assert!(GameKeys::None.speaker(Some("any")).is_err());
    }
}

//! Who may do something in a game: what is kept of its keys, and for whom a key speaks.
//!
//! A game has one key for all persons in it (one against an agent, two at one device, whoever imported it), or, between
//! two persons, one for each seat.

use sumito_rules::{ByColor, Color};

use super::error::{AppError, Cause, word};
use super::ids;
use super::person::PersonId;

/// What is kept of a key.
pub(crate) type KeyHash = Vec<u8>;

/// What somebody has to show who they are: the key of a game, an account.
#[derive(Clone, Debug, Default)]
pub(crate) struct Credentials {
    pub(crate) key: Option<String>,
    pub(crate) person: Option<PersonId>,
}

/// Whose a seat is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) key: KeyHash,
    /// If it is somebody with an account, who needs no key then.
    pub(crate) person: Option<PersonId>,
}

/// What is kept of a game's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum GameKeys {
    /// Nobody has one.
    #[default]
    None,
    /// One for all persons in it.
    One(Holder),
    /// One for each seat, none for a seat that is free.
    Each(ByColor<Option<Holder>>),
}

impl Holder {
    /// Whoever has this key, which is told to nobody but them.
    pub(crate) fn new(key: &str, person: Option<PersonId>) -> Holder {
        Holder { key: ids::hashed(key), person }
    }

    fn is(&self, who: &Credentials) -> bool {
        let has_key = who.key.as_deref().is_some_and(|key| ids::hashed(key) == self.key);
        has_key || (self.person.is_some() && self.person == who.person)
    }
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
    pub(crate) fn begun(by: Color, holder: Holder) -> GameKeys {
        let mut keys = ByColor::default();
        keys[by] = Some(holder);
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

    /// Somebody takes a seat.
    pub(crate) fn take(&mut self, color: Color, holder: Holder) {
        if let GameKeys::Each(keys) = self {
            keys[color] = Some(holder);
        }
    }

    /// Takes a closed account from the seats that it has, and says which they are.
    pub(crate) fn forget(&mut self, person: PersonId) -> ByColor<bool> {
        let take = |holder: &mut Holder| holder.person.take_if(|own| *own == person).is_some();
        match self {
            GameKeys::None => ByColor::default(),
            GameKeys::One(holder) => {
                let all = take(holder);
                ByColor::new(all, all)
            }
            GameKeys::Each(holders) => {
                let mut of = |color: Color| holders[color].as_mut().is_some_and(take);
                ByColor::new(of(Color::Black), of(Color::White))
            }
        }
    }

    /// Those with an account who have a seat each.
    pub(crate) fn persons(&self) -> ByColor<Option<PersonId>> {
        let GameKeys::Each(holders) = self else { return ByColor::default() };
        let of = |color: Color| holders[color].as_ref().and_then(|holder| holder.person);
        ByColor::new(of(Color::Black), of(Color::White))
    }

    /// The seat that nobody has taken yet.
    pub(crate) fn free(&self) -> Option<Color> {
        let GameKeys::Each(keys) = self else { return None };
        Color::ALL.into_iter().find(|&color| keys[color].is_none())
    }

    /// For whom somebody speaks; an error if they have neither a key of this game nor an account with a seat in it.
    pub(crate) fn speaker(&self, who: &Credentials) -> Result<Speaker, AppError> {
        let found = match self {
            GameKeys::None => None,
            GameKeys::One(holder) => holder.is(who).then_some(Speaker::All),
            GameKeys::Each(holders) => {
                let own = |color: &Color| holders[*color].as_ref().is_some_and(|holder| holder.is(who));
                Color::ALL.into_iter().find(own).map(Speaker::Seat)
            }
        };
        let missing = || if who.key.is_some() { Cause::KeyWrong {} } else { Cause::KeyMissing {} };
        found.ok_or_else(|| missing().at("key"))
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

    fn with(key: &str) -> Credentials {
        Credentials { key: Some(key.to_string()), person: None }
    }

    #[test]
    fn a_key_speaks_for_its_seat_and_no_other() {
        let keys = GameKeys::begun(Color::White, Holder::new("mine", None));
        assert_eq!((keys.is_pair(), keys.free()), (true, Some(Color::Black)));
        assert_eq!(keys.speaker(&with("mine")), Ok(Speaker::Seat(Color::White)));
        let kind = |who: &Credentials| keys.speaker(who).expect_err("no key of this game").kind();
        assert_eq!(
            (kind(&with("theirs")), kind(&Credentials::default())),
            (Kind::Forbidden, Kind::Unauthorized)
        );
        assert!(Speaker::Seat(Color::White).check(Color::White).is_ok());
        assert_eq!(
            Speaker::Seat(Color::White).check(Color::Black).expect_err("another's").fault().cause.code(),
            "seat.other"
        );
        let one = GameKeys::One(Holder::new("ours", None));
        assert_eq!((one.is_pair(), one.free()), (false, None));
        let all = one.speaker(&with("ours")).expect("the key");
        assert!(Color::ALL.into_iter().all(|color| all.check(color).is_ok()));
        assert!(GameKeys::None.speaker(&with("any")).is_err());
    }

    #[test]
    fn an_account_speaks_for_its_seat_without_a_key_and_nobody_for_that_of_a_guest() {
        let person = |id: i64| Credentials { key: None, person: Some(PersonId(id)) };
        let mut keys = GameKeys::begun(Color::Black, Holder::new("lost", Some(PersonId(7))));
        keys.take(Color::White, Holder::new("guest's", None));
        assert_eq!(keys.speaker(&person(7)), Ok(Speaker::Seat(Color::Black)));
        assert_eq!(keys.speaker(&with("lost")), Ok(Speaker::Seat(Color::Black)));
        assert!(keys.speaker(&person(8)).is_err() && keys.speaker(&Credentials::default()).is_err());
    }
}

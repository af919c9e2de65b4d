//! The lobby: who looks for a game, on which terms. A search is in memory, and there as long as whoever searches.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sumito_rules::{ByColor, Color, Layout};
use tokio::sync::{mpsc, watch};

use super::begin::GameSetup;
use super::hall::Hall;
use crate::domain::class::Class;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::game::ClockSetting;
use crate::domain::ids;
use crate::domain::ladder::Standing;
use crate::domain::person::{Person, PersonId};
use crate::domain::rating::SYSTEM;

/// On which terms somebody wants to play.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Terms {
    pub(crate) layout: &'static Layout,
    pub(crate) clock: ClockSetting,
    pub(crate) rated: bool,
    /// The colour that they want; either if none.
    pub(crate) color: Option<Color>,
    /// The least and the most rating of the other side.
    pub(crate) range: (i32, i32),
}

/// Somebody who looks for a game.
#[derive(Clone, Debug)]
pub(crate) struct Seeker {
    pub(crate) person: Person,
    /// In the class of the clock.
    pub(crate) rating: i32,
    pub(crate) provisional: bool,
}

/// A game that somebody looks for.
#[derive(Clone, Debug)]
pub(crate) struct Seek {
    pub(crate) id: String,
    pub(crate) by: Seeker,
    pub(crate) terms: Terms,
    /// Where whoever searches hears that a game has begun: its id.
    tell: mpsc::UnboundedSender<String>,
}

/// Two who have found each other.
pub(crate) struct Pairing {
    terms: Terms,
    players: ByColor<Person>,
    /// Whoever was there first, who has to be told.
    tell: mpsc::UnboundedSender<String>,
}

/// Who looks for a game.
pub(crate) struct Lobby {
    seeks: Mutex<Vec<Seek>>,
    /// Who is here with an account, and where they hear of their games.
    present: Mutex<Vec<(PersonId, mpsc::UnboundedSender<String>)>>,
    changes: watch::Sender<u64>,
}

impl Default for Lobby {
    fn default() -> Lobby {
        Lobby { seeks: Mutex::default(), present: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

/// Searches at a time. More would not be looked through by anybody.
const MOST: usize = 500;

impl Hall {
    /// Somebody as those see them who look for a game with this clock.
    pub(crate) async fn seeker(&self, person: Person, clock: ClockSetting) -> Result<Seeker, AppError> {
        let class = Class::of(Some(clock));
        let known = self.store.standings(person.id).await?;
        let standing = known.into_iter().find(|(own, _)| Some(*own) == class).map(|(_, standing)| standing);
        let rating = standing.unwrap_or_else(|| Standing::new(now())).now(now());
        let provisional = SYSTEM.is_provisional(rating) && !rating.is_fixed();
        Ok(Seeker { person, rating: rating.value.round() as i32, provisional })
    }
}

impl Seek {
    /// Whether somebody may take it up.
    fn check(&self, other: &Seeker) -> Result<(), AppError> {
        let (least, most) = self.terms.range;
        if self.by.person.id == other.person.id {
            return Err(Cause::SeekOwn {}.at("id"));
        }
        if !(least..=most).contains(&other.rating) {
            return Err(Cause::SeekRange { least, most, found: other.rating }.at("id"));
        }
        Ok(())
    }

    /// Whether it and the wish of somebody else are for the same game.
    fn fits(&self, other: &Seeker, terms: &Terms) -> bool {
        let same = (self.terms.layout.name, self.terms.clock, self.terms.rated)
            == (terms.layout.name, terms.clock, terms.rated);
        let colors = self.terms.color.is_none() || self.terms.color != terms.color;
        let (least, most) = terms.range;
        same && colors && (least..=most).contains(&self.by.rating) && self.check(other).is_ok()
    }

    /// It and whoever takes it up, in their colours.
    fn pair(self, other: Person, wish: Option<Color>) -> Pairing {
        let by_chance = || Color::ALL[usize::from(ids::coin())];
        let own = self.terms.color.or(wish.map(|color| !color)).unwrap_or_else(by_chance);
        let mut players = ByColor::new(other.clone(), other);
        players[own] = self.by.person;
        Pairing { terms: self.terms, players, tell: self.tell }
    }
}

impl Lobby {
    fn lock(&self) -> MutexGuard<'_, Vec<Seek>> {
        self.seeks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn present(&self) -> MutexGuard<'_, Vec<(PersonId, mpsc::UnboundedSender<String>)>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody comes, and wants to hear of games that begin for them.
    pub(crate) fn enter(&self, person: PersonId, tell: &mpsc::UnboundedSender<String>) {
        self.present().push((person, tell.clone()));
    }

    /// Tells somebody of a game that has begun for them, wherever they are here.
    pub(crate) fn tell(&self, person: PersonId, game: &str) {
        for (_, tell) in self.present().iter().filter(|(known, _)| *known == person) {
            // They may just be leaving.
            let _ = tell.send(game.to_string());
        }
    }

    /// Hears of every change.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// All searches, the oldest first.
    pub(crate) fn seeks(&self) -> Vec<Seek> {
        self.lock().clone()
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Looks for a game: takes up the oldest search that fits, or waits for somebody; an earlier search of the same person ends.
    pub(crate) fn seek(
        &self,
        by: Seeker,
        terms: Terms,
        tell: mpsc::UnboundedSender<String>,
    ) -> Result<Option<Pairing>, AppError> {
        let mut seeks = self.lock();
        seeks.retain(|seek| seek.by.person.id != by.person.id);
        let found = seeks.iter().position(|seek| seek.fits(&by, &terms));
        let pairing = match found {
            Some(at) => Some(seeks.remove(at).pair(by.person, terms.color)),
            None if seeks.len() >= MOST => {
                return Err(Cause::ServerFull { what: "searches for a game", most: MOST }.into());
            }
            None => {
                seeks.push(Seek { id: ids::id(), by, terms, tell });
                None
            }
        };
        drop(seeks);
        self.changed();
        Ok(pairing)
    }

    /// Takes up a search.
    pub(crate) fn accept(&self, id: &str, by: &Seeker) -> Result<Pairing, AppError> {
        let mut seeks = self.lock();
        let at = seeks.iter().position(|seek| seek.id == id);
        let at = at.ok_or_else(|| Cause::SeekGone {}.at("id"))?;
        seeks[at].check(by)?;
        let seek = seeks.remove(at);
        seeks.retain(|seek| seek.by.person.id != by.person.id);
        drop(seeks);
        self.changed();
        Ok(seek.pair(by.person.clone(), None))
    }

    /// Ends the searches that are told of here: whoever searched has left, or no longer wants to.
    pub(crate) fn leave(&self, tell: &mpsc::UnboundedSender<String>) {
        self.present().retain(|(_, known)| !known.same_channel(tell));
        let mut seeks = self.lock();
        let before = seeks.len();
        seeks.retain(|seek| !seek.tell.same_channel(tell));
        let changed = seeks.len() < before;
        drop(seeks);
        if changed {
            self.changed();
        }
    }

    /// The terms of a search, for whoever wants to take it up.
    pub(crate) fn clock_of(&self, id: &str) -> Result<ClockSetting, AppError> {
        let seeks = self.lock();
        let found = seeks.iter().find(|seek| seek.id == id);
        found.map(|seek| seek.terms.clock).ok_or_else(|| Cause::SeekGone {}.at("id"))
    }
}

impl Pairing {
    /// The game, and whom to tell of it.
    pub(crate) fn setup(self) -> (GameSetup, mpsc::UnboundedSender<String>) {
        let Pairing { terms, players, tell } = self;
        let setup = GameSetup::between(players, terms.layout, terms.clock, terms.rated);
        (setup, tell)
    }
}

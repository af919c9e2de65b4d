//! The lobby: who looks for a game, on which terms. A search is in memory, and there as long as whoever searches.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use sumito_rules::{ByColor, Color, Layout};
use tokio::sync::{mpsc, watch};

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
    /// Whom they do not meet: one of both has blocked the other.
    pub(crate) strangers: Vec<PersonId>,
}

/// A game that somebody looks for.
#[derive(Clone, Debug)]
pub(crate) struct Seek {
    pub(crate) id: String,
    /// Milliseconds since 1970.
    pub(crate) created: i64,
    pub(crate) by: Seeker,
    pub(crate) terms: Terms,
    /// Where whoever searches hears that a game has begun: its id. A search for a game in which moves take days waits without them.
    tell: Option<mpsc::UnboundedSender<String>>,
}

/// Two who have found each other.
pub(crate) struct Pairing {
    /// The search that is taken up: it is put back if the game does not begin.
    pub(super) seek: Seek,
    pub(super) players: ByColor<Person>,
}

/// A search as text: as whoever searches sees it, and as others do.
pub(crate) struct ShownSeek {
    pub(crate) by: PersonId,
    pub(crate) own: String,
    pub(crate) others: String,
}

/// The searches as messages, made once for all who look at them.
pub(crate) struct Shown {
    /// For those who have none of their own.
    pub(crate) all: Utf8Bytes,
    pub(crate) each: Vec<ShownSeek>,
}

/// Who looks for a game.
pub(crate) struct Lobby {
    seeks: Mutex<Vec<Seek>>,
    /// What was shown last, and after how many changes.
    shown: Mutex<Option<(u64, Arc<Shown>)>>,
    /// Who is here with an account, and where they hear of their games.
    present: Mutex<Vec<(PersonId, mpsc::UnboundedSender<String>)>>,
    changes: watch::Sender<u64>,
}

impl Default for Lobby {
    fn default() -> Lobby {
        Lobby {
            seeks: Mutex::default(),
            shown: Mutex::default(),
            present: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }
}

/// Searches at a time of those who are there. More would not be looked through by anybody.
const MOST: usize = 500;
/// The same of those that wait without whoever searches: they stay for weeks, and must not leave the others without a place.
const MOST_KEPT: usize = 500;

/// What came of a wish for a game.
pub(crate) enum Sought {
    /// Somebody was there already.
    Found(Pairing),
    /// It waits as long as whoever searches is there.
    Waits,
    /// It is to be kept, and waits without them then.
    Keep(Seek),
}

impl Hall {
    /// Somebody as those see them who look for a game with this clock.
    pub(crate) async fn seeker(&self, person: Person, clock: ClockSetting) -> Result<Seeker, AppError> {
        let class = Class::of(Some(clock));
        let known = self.store.standings(person.id).await?;
        let standing = known.into_iter().find(|(own, _)| Some(*own) == class).map(|(_, standing)| standing);
        let rating = standing.unwrap_or_else(|| Standing::new(now())).now(now());
        let provisional = SYSTEM.is_provisional(rating) && !rating.is_fixed();
        let strangers = self.store.strangers(person.id).await?;
        Ok(Seeker { person, rating: rating.value.round() as i32, provisional, strangers })
    }
}

impl Seek {
    /// One that is kept.
    pub(crate) fn kept((id, created): (String, i64), by: Seeker, terms: Terms) -> Seek {
        Seek { id, created, by, terms, tell: None }
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.tell.is_none()
    }

    /// Whether somebody may take it up.
    fn check(&self, other: &Seeker) -> Result<(), AppError> {
        let (least, most) = self.terms.range;
        if self.by.person.id == other.person.id {
            return Err(Cause::SeekOwn {}.at("id"));
        }
        let blocks = |one: &Seeker, other: &Seeker| one.strangers.contains(&other.person.id);
        if blocks(&self.by, other) || blocks(other, &self.by) {
            return Err(Cause::SeekGone {}.at("id"));
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
        players[own] = self.by.person.clone();
        Pairing { seek: self, players }
    }

    /// Tells whoever searches, if they are there, of the game that has begun.
    pub(super) fn tell(&self, game: &str) {
        // They may just have left: the game waits for them.
        let _ = self.tell.as_ref().map(|tell| tell.send(game.to_string()));
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
    #[cfg(test)]
    pub(crate) fn seeks(&self) -> Vec<Seek> {
        self.lock().clone()
    }

    /// All searches, the oldest first, as `show` writes them: once after a change, however many ask.
    pub(crate) fn shown(&self, show: impl FnOnce(&[Seek]) -> Shown) -> Arc<Shown> {
        let mut last = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let count = *self.changes.borrow();
        if let Some((at, shown)) = &*last
            && *at == count
        {
            return Arc::clone(shown);
        }
        let shown = Arc::new(show(&self.lock()));
        *last = Some((count, Arc::clone(&shown)));
        shown
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Looks for a game: takes up the oldest search that fits, or waits for somebody; an earlier search of the same person ends, unless it waits
    /// without them.
    pub(crate) fn seek(
        &self,
        by: Seeker,
        terms: Terms,
        tell: mpsc::UnboundedSender<String>,
    ) -> Result<Sought, AppError> {
        let mut seeks = self.lock();
        let is_slow = terms.clock.slow().is_some();
        if !is_slow {
            seeks.retain(|seek| seek.is_kept() || seek.by.person.id != by.person.id);
        }
        let found = seeks.iter().position(|seek| seek.fits(&by, &terms));
        let (known, most) = (
            seeks.iter().filter(|seek| seek.is_kept() == is_slow).count(),
            if is_slow { MOST_KEPT } else { MOST },
        );
        let (id, created) = (ids::id(), now());
        let sought = match found {
            Some(at) => Sought::Found(seeks.remove(at).pair(by.person, terms.color)),
            None if known >= most => {
                return Err(Cause::ServerFull { what: "searches for a game", most }.into());
            }
            None if is_slow => return Ok(Sought::Keep(Seek::kept((id, created), by, terms))),
            None => {
                seeks.push(Seek { id, created, by, terms, tell: Some(tell) });
                Sought::Waits
            }
        };
        drop(seeks);
        self.changed();
        Ok(sought)
    }

    /// Takes in searches that are kept, or one that came to nothing: each at its place by age, unless it is there already or whoever searches
    /// has left or looks for something else by now.
    pub(crate) fn put(&self, some: Vec<Seek>) {
        let mut seeks = self.lock();
        for seek in some {
            let is_other = |known: &Seek| !known.is_kept() && known.by.person.id == seek.by.person.id;
            let is_over =
                seek.tell.as_ref().is_some_and(|tell| tell.is_closed() || seeks.iter().any(is_other));
            if !is_over && seeks.iter().all(|known| known.id != seek.id) {
                let at = seeks.partition_point(|known| known.created <= seek.created);
                seeks.insert(at, seek);
            }
        }
        drop(seeks);
        self.changed();
    }

    /// Keeps the searches that are wanted; the others end. Says whether there were any.
    fn retain(&self, wanted: impl Fn(&Seek) -> bool) -> bool {
        let mut seeks = self.lock();
        let before = seeks.len();
        seeks.retain(wanted);
        let some_ended = seeks.len() < before;
        drop(seeks);
        if some_ended {
            self.changed();
        }
        some_ended
    }

    /// Ends a search.
    pub(super) fn end(&self, id: &str) {
        self.retain(|seek| seek.id != id);
    }

    /// Ends the searches from before a moment that wait without whoever searches; says whether there were any.
    pub(super) fn expire(&self, before: i64) -> bool {
        self.retain(|seek| !seek.is_kept() || seek.created >= before)
    }

    /// Ends all searches of somebody whose account is closed, and tells them of no game any more.
    pub(crate) fn forget(&self, person: PersonId) {
        self.present().retain(|(known, _)| *known != person);
        self.retain(|seek| seek.by.person.id != person);
    }

    /// Takes up a search.
    pub(crate) fn accept(&self, id: &str, by: &Seeker) -> Result<Pairing, AppError> {
        let mut seeks = self.lock();
        let at = seeks.iter().position(|seek| seek.id == id);
        let at = at.ok_or_else(|| Cause::SeekGone {}.at("id"))?;
        seeks[at].check(by)?;
        let seek = seeks.remove(at);
        seeks.retain(|seek| seek.is_kept() || seek.by.person.id != by.person.id);
        drop(seeks);
        self.changed();
        Ok(seek.pair(by.person.clone(), None))
    }

    /// Somebody leaves, and their searches that do not wait without them end.
    pub(crate) fn leave(&self, tell: &mpsc::UnboundedSender<String>) {
        self.present().retain(|(_, known)| !known.same_channel(tell));
        self.cancel(tell);
    }

    /// Ends the searches that are told of here: whoever searched no longer wants to.
    pub(crate) fn cancel(&self, tell: &mpsc::UnboundedSender<String>) {
        self.retain(|seek| !seek.tell.as_ref().is_some_and(|own| own.same_channel(tell)));
    }

    /// The terms of a search, for whoever wants to take it up.
    pub(crate) fn clock_of(&self, id: &str) -> Result<ClockSetting, AppError> {
        let seeks = self.lock();
        let found = seeks.iter().find(|seek| seek.id == id);
        found.map(|seek| seek.terms.clock).ok_or_else(|| Cause::SeekGone {}.at("id"))
    }
}

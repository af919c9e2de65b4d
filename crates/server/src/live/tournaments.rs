//! Tournaments that are followed: who decides one at a time, who hears of it, and who is told of a game that has begun.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Notify, watch};

use super::hall::Hall;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::tournament::{Change, Tournament};
use crate::store::tournaments::{NewTournament, TournamentWrite};
use crate::store::{Reply, Write};

/// What is shared by all who have to do with a tournament.
#[derive(Default)]
pub(crate) struct Room {
    /// Whoever decides something holds it, so that two do not decide for the same version.
    deciding: tokio::sync::Mutex<()>,
    /// Wakes the director.
    pub(super) wake: Notify,
    /// Counts the changes.
    changes: watch::Sender<u64>,
    /// The tournament as it is told in each way, and how many changes there had been.
    told: [tokio::sync::Mutex<Option<(u64, Utf8Bytes)>>; 4],
}

/// For whom a tournament is told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Telling {
    /// Those who follow it.
    Live,
    /// Those who ask once.
    View,
    /// Those who ask for the cross table.
    Cross,
    /// Those who take the standings elsewhere.
    Csv,
}

/// The tournaments that somebody has to do with.
#[derive(Default)]
pub(crate) struct Tournaments {
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Set while there are directors: becomes true when they are to end.
    pub(super) ending: Mutex<Option<watch::Receiver<bool>>>,
    /// Those that have a director.
    directed: Mutex<HashSet<String>>,
}

/// Tournaments that are not over: of one account, and in all.
const MOST_OF_ONE: u64 = 5;
const MOST: u64 = 200;
/// How often a decision is made again because a game has ended meanwhile.
const TRIES: usize = 100;

impl Room {
    /// Hears of every change.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Something has changed.
    pub(super) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
        self.wake.notify_one();
    }
}

impl Tournaments {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of a tournament that there is.
    pub(crate) fn room(&self, id: &str) -> Arc<Room> {
        Arc::clone(self.lock().entry(id.to_string()).or_default())
    }

    /// The room of a tournament, if somebody has had to do with it.
    fn known(&self, id: &str) -> Option<Arc<Room>> {
        self.lock().get(id).map(Arc::clone)
    }

    fn directed(&self) -> MutexGuard<'_, HashSet<String>> {
        self.directed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a tournament had no director: from now on it has one.
    pub(super) fn take_up(&self, id: &str) -> bool {
        self.directed().insert(id.to_string())
    }

    /// Its director has left.
    pub(super) fn leave(&self, id: &str) {
        self.directed().remove(id);
    }

    /// A game of a tournament has ended.
    pub(super) fn ended(&self, id: &str) {
        if let Some(room) = self.lock().get(id) {
            room.changed();
        }
    }

    /// Forgets the rooms that nobody is in.
    pub(crate) fn sweep(&self) {
        self.lock().retain(|_, room| Arc::strong_count(room) > 1);
    }
}

impl Hall {
    /// A tournament.
    pub(crate) async fn tournament(&self, id: &str) -> Result<Tournament, AppError> {
        self.store.tournament(id).await?.ok_or_else(|| Cause::TournamentUnknown {}.at("id"))
    }

    /// Plans a tournament.
    pub(crate) async fn plan(&self, new: NewTournament) -> Result<Tournament, AppError> {
        let id = new.id.clone();
        let new = TournamentWrite::New { new, most: MOST, most_of_one: MOST_OF_ONE };
        match self.store.write(Write::Tournament(Box::new(new))).await? {
            Reply::Refused => return Err(Cause::RateTournaments { most: MOST_OF_ONE }.into()),
            Reply::Full => {
                return Err(Cause::ServerFull { what: "tournaments", most: MOST as usize }.into());
            }
            _ => {}
        }
        self.direct(&id);
        self.tournament(&id).await
    }

    /// Decides something about a tournament as it is, and makes it so; gives how it was when that was decided.
    pub(crate) async fn decide(
        &self,
        id: &str,
        decision: impl Fn(&Tournament, i64) -> Result<Change, AppError>,
    ) -> Result<Tournament, AppError> {
        let before = self.tournament(id).await?;
        let room = self.tournaments.room(&before.id);
        let _deciding = room.deciding.lock().await;
        for _ in 0..TRIES {
            let tournament = self.tournament(id).await?;
            let change = decision(&tournament, now())?;
            if self.keep(&room, &tournament, change).await? {
                return Ok(tournament);
            }
        }
        Err(AppError::internal())
    }

    /// Writes a change; false if the tournament is no longer what it was decided for. To be called by whoever decides.
    async fn keep(&self, room: &Room, tournament: &Tournament, change: Change) -> Result<bool, AppError> {
        let write =
            TournamentWrite::Change { tournament: tournament.num, version: tournament.version, change };
        let reply = self.store.write(Write::Tournament(Box::new(write))).await?;
        if reply == Reply::Refused {
            return Ok(false);
        }
        room.changed();
        Ok(true)
    }

    /// Like [`Hall::keep`], for the director.
    pub(super) async fn keep_alone(
        &self,
        room: &Room,
        tournament: &Tournament,
        change: Change,
    ) -> Result<bool, AppError> {
        let _deciding = room.deciding.lock().await;
        self.keep(room, tournament, change).await
    }

    /// A tournament as it is told, made once for all who want it so.
    pub(crate) async fn told(
        &self,
        id: &str,
        telling: Telling,
        tell: fn(&Tournament) -> Result<Utf8Bytes, AppError>,
    ) -> Result<Utf8Bytes, AppError> {
        let room = match self.tournaments.known(id) {
            Some(room) => room,
            // One that nobody has to do with yet gets a room only if it is there.
            None => self.tournament(id).await.map(|found| self.tournaments.room(&found.id))?,
        };
        let mut told = room.told[telling as usize].lock().await;
        let changes = *room.changes.borrow();
        if let Some((known, text)) = &*told
            && *known == changes
        {
            return Ok(text.clone());
        }
        let tournament = self.tournament(id).await?;
        // The tie-breaks of hundreds of players take a while.
        let text = tokio::task::spawn_blocking(move || tell(&tournament)).await;
        let text = text.map_err(|_| AppError::internal())??;
        *told = Some((changes, text.clone()));
        Ok(text)
    }

    /// Withdraws somebody whose account is closed from all that goes on: in the database it is so already.
    pub(crate) fn tournaments_changed(&self) {
        for room in self.tournaments.lock().values() {
            room.changed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tournament_has_one_director_at_a_time() {
        let tournaments = Tournaments::default();
        assert!(tournaments.take_up("one") && tournaments.take_up("other"));
        assert!(!tournaments.take_up("one"));
        tournaments.leave("one");
        assert!(tournaments.take_up("one"));
    }
}

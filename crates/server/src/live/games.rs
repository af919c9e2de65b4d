//! The games in memory. Each has its own lock, so that moves of one game follow each other and those of different games do
//! not wait for each other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::OnceCell;

use super::game::LiveGame;
use super::hall::Hall;
use super::table::{ABORTED, LiveTable};
use crate::domain::canonical::places;
use crate::domain::error::{AppError, Cause, Kind};
use crate::domain::keys::Credentials;
use crate::domain::person::PersonId;
use crate::store::{Kept, Write};

/// No game has this id; only the beginning of a long one is told.
fn unknown(id: &str) -> AppError {
    Cause::GameUnknown { id: id.chars().take(32).collect() }.at("id")
}

type Cell = Arc<OnceCell<Arc<LiveGame>>>;

/// The games in memory, by id.
#[derive(Default)]
pub(crate) struct LiveGames {
    of: Mutex<HashMap<String, Cell>>,
    /// Bytes of games that were loaded since those that nobody holds were last forgotten.
    loaded: AtomicUsize,
}

/// A game that nobody has asked for in so many milliseconds may leave the memory.
const IDLE: i64 = 120_000;
/// After so many bytes of loaded games those that nobody holds leave it at once: someone reads one after the other.
const LOADED: usize = 32 << 20;

impl LiveGames {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Cell>> {
        self.of.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A game, from memory or else from the database.
    pub(crate) async fn get(&self, hall: &Hall, id: &str) -> Result<Arc<LiveGame>, AppError> {
        let unknown = || unknown(id);
        if id.is_empty() || id.len() > 32 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(unknown());
        }
        let cell = Arc::clone(self.lock().entry(id.to_string()).or_default());
        let load = async || {
            let Kept { game: row, plies, reviewed } = hall.store.game(id).await?.ok_or_else(unknown)?;
            let owner = row.owner;
            // A long game takes a while to be replayed.
            let table = tokio::task::spawn_blocking(move || LiveTable::load(row, plies, reviewed)).await;
            let table = table.unwrap_or_else(|_| Err(AppError::internal()))?;
            self.make_room(table.bytes());
            Ok(Arc::new(LiveGame::new(table, owner, hall.render())))
        };
        let found = cell.get_or_try_init(load).await.map(Arc::clone);
        if found.is_err() {
            let mut all = self.lock();
            // Unless someone else has got it meanwhile.
            if all.get(id).is_some_and(|kept| kept.get().is_none() && Arc::strong_count(kept) <= 2) {
                all.remove(id);
            }
        }
        hall.metrics.games.set(self.lock().len() as i64);
        found
    }

    /// Takes in a new game.
    pub(super) fn add(&self, live: &Arc<LiveGame>) {
        self.lock().insert(live.id.clone(), Arc::new(OnceCell::new_with(Some(Arc::clone(live)))));
    }

    /// Deletes a game for whoever has its key, even one that is damaged. One of two persons goes on until it is over.
    pub(crate) async fn delete(&self, hall: &Hall, id: &str, who: &Credentials) -> Result<(), AppError> {
        let (game, keys) = hall.store.keys(id).await?.ok_or_else(|| unknown(id))?;
        keys.speaker(who)?;
        let may = |table: &LiveTable| {
            table.refuse_if_in_tournament()?;
            // One that is over has changed ratings, however short it was.
            if table.rated && (table.outcome().is_some() || !table.has_hardly_begun()) {
                return Err(Cause::GameRated {}.at("id"));
            }
            let goes_on = table.keys.is_pair() && !table.has_hardly_begun() && table.outcome().is_none();
            if goes_on { Err(Cause::GameRunning {}.at("id")) } else { Ok(()) }
        };
        self.remove(hall, id, game, may).await
    }

    /// Deletes a game that has hardly begun, as if it had never been: it has no result, and no list or count needs to know
    /// what such a game is.
    pub(crate) async fn abort(&self, hall: &Hall, id: &str, who: &Credentials) -> Result<(), AppError> {
        let (game, keys) = hall.store.keys(id).await?.ok_or_else(|| unknown(id))?;
        keys.speaker(who)?;
        let may = |table: &LiveTable| {
            LiveGame::check_player(table, who)?;
            table.refuse_if_in_tournament()?;
            table.refuse_if_over()?;
            if table.has_hardly_begun() { Ok(()) } else { Err(Cause::GameBegun { most: ABORTED }.at("id")) }
        };
        self.remove(hall, id, game, may).await
    }

    /// Takes a game out of the database and of memory, if that may be.
    async fn remove(
        &self,
        hall: &Hall,
        id: &str,
        game: i64,
        may: impl FnOnce(&LiveTable) -> Result<(), AppError>,
    ) -> Result<(), AppError> {
        let live = match self.get(hall, id).await {
            Ok(live) => Some(live),
            Err(error) if error.kind() == Kind::Damaged => None,
            Err(error) => return Err(error),
        };
        let Some(live) = live else {
            hall.store.write(Write::Delete { game, places: None }).await?;
            return Ok(());
        };
        let mut table = live.lock().await;
        may(&table)?;
        let places = Some(places(table.game(), 0));
        hall.store.write(Write::Delete { game, places }).await?;
        table.close();
        self.lock().remove(id);
        live.tell_gone();
        if table.outcome().is_none() {
            hall.feeds.game(&table, true);
            hall.feed.aborted(&table);
        }
        Ok(())
    }

    /// Deletes games that were played here and have not changed since a moment, some at a time; gives how many.
    pub(crate) async fn expire(&self, hall: &Hall, before: i64) -> Result<usize, AppError> {
        let old = hall.store.unchanged_since(before).await?;
        for (id, game) in &old {
            self.remove(hall, id, *game, |_| Ok(())).await?;
        }
        Ok(old.len())
    }

    /// Deletes games that have waited for a second person since before a moment, some at a time; gives how many.
    pub(crate) async fn call_off(&self, hall: &Hall, before: i64) -> Result<usize, AppError> {
        let old = hall.store.waiting_since(before).await?;
        let waits = |table: &LiveTable| match table.keys.free() {
            Some(_) => Ok(()),
            None => Err(Cause::SeatTaken {}.at("id")),
        };
        for (id, game) in &old {
            match self.remove(hall, id, *game, waits).await {
                // Somebody has come at the last moment.
                Err(error) if error.kind() == Kind::Conflict => {}
                result => result?,
            }
        }
        Ok(old.len())
    }

    /// Takes the name of a closed account out of the games in memory; in the database it is gone already.
    pub(crate) async fn forget(&self, person: PersonId) {
        let all: Vec<_> = self.lock().values().filter_map(|cell| cell.get().map(Arc::clone)).collect();
        for live in all {
            let mut table = live.lock().await;
            if table.forget(person) {
                live.tell_game(&table);
            }
        }
    }

    /// Counts what is loaded, and forgets what nobody holds when it has become much.
    fn make_room(&self, bytes: usize) {
        if self.loaded.fetch_add(bytes, Ordering::Relaxed) + bytes > LOADED {
            self.loaded.store(0, Ordering::Relaxed);
            self.sweep(i64::MAX);
        }
    }

    /// Forgets the games that nobody plays, watches or holds.
    pub(crate) fn sweep(&self, now: i64) {
        self.lock().retain(|_, cell| {
            // Whoever gets a game takes hold of its cell under this lock.
            let held = Arc::strong_count(cell) > 1;
            held || cell.get().is_some_and(|live| Arc::strong_count(live) > 1 || live.is_wanted(now - IDLE))
        });
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }
}

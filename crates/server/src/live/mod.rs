//! Games in memory: each with its own lock, so that moves of one game follow each other and those of different games do
//! not wait for each other. A change is written to the database first, and made and told to everyone after.

mod event;
mod game;
mod review;
mod table;
mod think;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::OnceCell;

pub(crate) use event::Event;
pub(crate) use game::{ControlRequest, Live, MOST_MOVES, NewGameRequest, begin, layout_of};
pub(crate) use review::{ReviewRequest, ReviewState};
pub(crate) use table::Table;
pub(crate) use think::REPORTS;

use crate::client::Client;
use crate::error::AppError;
use crate::state::App;

type Cell = Arc<OnceCell<Arc<Live>>>;

/// The games in memory, by id.
#[derive(Default)]
pub(crate) struct Games {
    of: Mutex<HashMap<String, Cell>>,
}

/// A game that nobody has asked for in so many milliseconds may leave the memory.
const IDLE: i64 = 120_000;

impl Games {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Cell>> {
        self.of.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A game, from memory or else from the database.
    pub(crate) async fn get(&self, app: &App, id: &str) -> Result<Arc<Live>, AppError> {
        let unknown = || AppError::not_found("id", format!("expected the id of a game, found '{id}'"));
        if id.is_empty() || id.len() > 32 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(AppError::not_found("id", "expected the id of a game"));
        }
        let cell = Arc::clone(self.lock().entry(id.to_string()).or_default());
        let load = async || {
            let (row, plies, reviewed) = app.store.game(id).await?.ok_or_else(unknown)?;
            let table = Table::load(row, plies, reviewed)?;
            Ok(Arc::new(Live::new(table, Client::unknown())))
        };
        let found = cell.get_or_try_init(load).await.map(Arc::clone);
        if found.is_err() {
            let mut all = self.lock();
            // Unless someone else has got it meanwhile.
            if all.get(id).is_some_and(|kept| kept.get().is_none() && Arc::strong_count(kept) <= 2) {
                all.remove(id);
            }
        }
        app.metrics.games.set(self.lock().len() as i64);
        found
    }

    /// Takes in a new game.
    fn add(&self, live: &Arc<Live>) {
        self.lock().insert(live.id.clone(), Arc::new(OnceCell::new_with(Some(Arc::clone(live)))));
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

/// Runs what must not be left half done, even if the client who asked for it leaves.
pub(crate) async fn firmly<T: Send + 'static>(
    work: impl Future<Output = Result<T, AppError>> + Send + 'static,
) -> Result<T, AppError> {
    tokio::spawn(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a change of a game failed");
        Err(AppError::internal())
    })
}

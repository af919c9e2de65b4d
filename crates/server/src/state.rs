//! What all requests share.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use sumito_rules::{Game, Layout, Rules};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::api::meta::Meta;
use crate::assets::Assets;
use crate::builds::Builds;
use crate::client::{Client, Owner, Shares};
use crate::clock::now;
use crate::config::Config;
use crate::error::{AppError, Cause};
use crate::growth::Growth;
use crate::imports::Imports;
use crate::live::Games;
use crate::metrics::Metrics;
use crate::search::pool::{Pool, Sizes};
use crate::store::{Store, StoreError};
use crate::view::position::PositionView;

/// The server's state; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<State>);

/// What [`App`] holds.
pub struct State {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) games: Games,
    pub(crate) pool: Pool,
    pub(crate) imports: Imports,
    pub(crate) shares: Arc<Shares>,
    pub(crate) growth: Growth,
    pub(crate) builds: Builds,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) assets: Assets,
    /// Becomes true when the server is about to end.
    pub(crate) ending: watch::Sender<bool>,
    writer: std::sync::Mutex<Option<JoinHandle<()>>>,
}

impl Deref for App {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

/// Games that are taken up at once when the server starts; others are when someone asks for them.
const RESUMED: u32 = 64;

impl App {
    /// Opens the database and starts the threads that search.
    pub async fn new(config: Config) -> Result<App, StoreError> {
        App::with_pragmas(config, &[]).await
    }

    /// Like [`App::new`], with more settings for the connection that writes.
    pub(crate) async fn with_pragmas(
        config: Config,
        pragmas: &'static [(&'static str, &'static str)],
    ) -> Result<App, StoreError> {
        let metrics = Arc::new(Metrics::default());
        let (store, writer) = Store::open(&config.database, pragmas, Arc::clone(&metrics)).await?;
        let sizes = Sizes {
            threads: config.threads(),
            hash: config.hash_mb,
            per_client: config.searches,
            in_all: config.queue,
        };
        let state = State {
            pool: Pool::new(sizes, Arc::clone(&metrics)),
            shares: Arc::new(Shares::new(&config)),
            builds: Builds::default(),
            assets: config.web_dir.clone().map_or_else(|| Assets::embedded(&first(&config)), Assets::Folder),
            growth: Growth::new(config.growth_mb),
            store,
            games: Games::default(),
            imports: Imports::default(),
            metrics,
            ending: watch::Sender::new(false),
            writer: std::sync::Mutex::new(Some(writer)),
            config,
        };
        Ok(App(Arc::new(state)))
    }

    /// A client as the database knows it.
    pub(crate) fn owner(&self, client: Client) -> Owner {
        client.owner(self.store.secret())
    }

    /// Makes room for so many bytes more of a client's. The owner of the machine has no limit.
    pub(crate) async fn grow(&self, client: Client, bytes: u64) -> Result<(), AppError> {
        if client.is_local() {
            return Ok(());
        }
        let most = self.config.database_mb;
        self.charge(client, bytes)?;
        if self.store.size().await? + bytes > most << 20 {
            return Err(Cause::DatabaseFull { mb: most }.into());
        }
        Ok(())
    }

    /// Takes bytes out of a client's share of the database's growth.
    pub(crate) fn charge(&self, client: Client, bytes: u64) -> Result<(), AppError> {
        if client.is_local() { Ok(()) } else { self.growth.take(self.owner(client), bytes, Instant::now()) }
    }

    /// Deletes games that nobody has changed for as long as the settings say.
    pub(crate) async fn expire(&self) {
        const DAY: i64 = 24 * 3600 * 1000;
        let days = i64::from(self.config.keep_days);
        if days == 0 {
            return;
        }
        let mut deleted = 0;
        loop {
            match self.games.expire(self, now() - days * DAY).await {
                Ok(0) => break,
                Ok(some) => deleted += some,
                Err(error) => return tracing::warn!(%error, "old games were not deleted"),
            }
        }
        if deleted > 0 {
            tracing::info!(deleted, days, "games that have not changed for so many days were deleted");
        }
    }

    /// Goes on with games in which an agent is to move.
    pub async fn resume(&self) {
        let ids = match self.store.unfinished(RESUMED).await {
            Ok(ids) => ids,
            Err(error) => return tracing::warn!(%error, "no game was taken up again"),
        };
        for id in &ids {
            match self.games.get(self, id).await {
                Ok(live) => live.touch(self).await,
                Err(error) => tracing::warn!(id, %error, "a game was not taken up again"),
            }
        }
        tracing::info!(games = ids.len(), "games taken up again");
    }

    /// Ends everything: sockets, searches, and last the database, after all that was to be written.
    pub async fn close(&self) {
        self.ending.send_replace(true);
        let pool = self.clone();
        // Searches end within milliseconds of being told to.
        let _ = tokio::task::spawn_blocking(move || pool.pool.close()).await;
        self.store.close().await;
        let writer = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _ = writer.await;
        }
        self.store.release();
    }

    /// Prepares the files of the pages; takes a moment, and nothing waits for it.
    pub(crate) fn warm(&self) {
        self.assets.warm();
    }

    /// How many games are in memory.
    pub fn games_in_memory(&self) -> usize {
        self.games.len()
    }
}

/// What the start page shows before anything is chosen: what there is to choose, and the board that is ready.
fn first(config: &Config) -> String {
    let start = Layout::named("belgian-daisy").expect("a layout of ours").position();
    let game = Game::new(Rules::OFFICIAL, start);
    let position = PositionView::new(&game);
    serde_json::json!({ "meta": Meta::new(config), "layout": "belgian-daisy", "rules": "official", "position": position })
        .to_string()
}

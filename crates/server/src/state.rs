//! What all requests share.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use sumito_rules::{Game, Layout, Rules};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::door::Door;
use crate::http::assets::Assets;
use crate::imports::Imports;
use crate::live::Hall;
use crate::metrics::Metrics;
use crate::store::{GameStore, Pragmas, StoreError};
use crate::view::event::render;
use crate::view::meta::Meta;
use crate::view::position::PositionView;

/// The server's state; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// What [`App`] holds.
pub struct AppState {
    pub(crate) config: Arc<Config>,
    pub(crate) door: Door,
    hall: Hall,
    pub(crate) imports: Imports,
    pub(crate) assets: Arc<Assets>,
    /// Becomes true when the server is about to end.
    pub(crate) ending: watch::Sender<bool>,
    writer: std::sync::Mutex<Option<JoinHandle<()>>>,
}

/// Requests see the hall through the state: its games, its store, its threads.
impl Deref for AppState {
    type Target = Hall;

    fn deref(&self) -> &Hall {
        &self.hall
    }
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl FromRef<App> for Door {
    fn from_ref(app: &App) -> Door {
        app.door.clone()
    }
}

impl FromRef<App> for Arc<Assets> {
    fn from_ref(app: &App) -> Arc<Assets> {
        Arc::clone(&app.assets)
    }
}

impl App {
    /// Opens the database and starts the threads that search.
    pub async fn new(config: Config) -> Result<App, StoreError> {
        App::with_pragmas(config, &[]).await
    }

    /// Like [`App::new`], with more settings for the connection that writes.
    pub(crate) async fn with_pragmas(config: Config, pragmas: Pragmas) -> Result<App, StoreError> {
        let (metrics, config) = (Arc::new(Metrics::default()), Arc::new(config));
        let (store, writer) = GameStore::open(&config.database, pragmas, Arc::clone(&metrics)).await?;
        let assets = config.web_dir.clone().map_or_else(|| Assets::embedded(&first(&config)), Assets::Folder);
        let state = AppState {
            hall: Hall::new(&config, store, metrics, render),
            door: Door::new(Arc::clone(&config)),
            imports: Imports::default(),
            assets: Arc::new(assets),
            ending: watch::Sender::new(false),
            writer: std::sync::Mutex::new(Some(writer)),
            config,
        };
        Ok(App(Arc::new(state)))
    }

    /// Goes on with games in which an agent is to move, and with tournaments.
    pub async fn resume(&self) {
        self.hall.resume().await;
        self.hall.direct_all(self.ending.subscribe()).await;
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

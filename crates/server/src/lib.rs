//! The web app's server: pages, a JSON interface, live games over WebSockets, and a store in one SQLite file.
//!
//! [`app`] is the whole server as a service without a socket, which tests drive directly; [`serve`] puts it on one.
//! Searches run in threads of their own (`search`), games have a lock each and are written before they are told
//! (`live`), all writes go through one connection (`store`).

mod api;
mod app;
mod bot;
mod config;
pub mod database;
mod domain;
mod door;
mod http;
mod imports;
mod live;
mod metrics;
mod run;
mod search;
mod serve;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod view;

pub use api::openapi::document;
pub use app::app;
pub use bot::{BotError, BotSettings, Report, run as run_bot};
pub use config::{Config, ConfigError, LogFormat, Network, NetworkError};
pub use domain::error::{AppError, Cause, ErrorBody, Fault, Kind, Words};
pub use live::{Hall, Rooms};
pub use run::{ServerError, run};
pub use serve::{bind, serve};
pub use state::{App, AppState};
pub use store::StoreError;

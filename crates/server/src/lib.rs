//! The web app's server: pages, a JSON interface, live games over WebSockets, and a store in one SQLite file.
//!
//! [`app`] is the whole server as a service without a socket, which tests drive directly; [`serve`] puts it on one.
//! Searches run in threads of their own (`search`), games have a lock each and are written before they are told
//! (`live`), all writes go through one connection (`store`).

mod admit;
mod answer;
mod api;
mod app;
mod assets;
mod builds;
mod client;
mod clock;
mod config;
pub mod database;
mod error;
mod extract;
mod files;
mod growth;
mod headers;
mod ids;
mod imports;
mod live;
mod metrics;
mod network;
mod openapi;
mod pack;
mod patient;
mod quota;
mod run;
mod search;
mod serve;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod view;

pub use app::app;
pub use config::{Config, ConfigError, LogFormat};
pub use error::{AppError, Cause, ErrorBody, Fault, Kind, Words};
pub use network::{Network, NetworkError};
pub use openapi::document;
pub use run::{RunError, run};
pub use serve::{bind, serve};
pub use state::{App, State};
pub use store::StoreError;

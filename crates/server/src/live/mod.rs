//! Games that are played: in memory, told to those who watch, and kept. A change is written to the store first, and made and
//! told to everyone after.

mod absent;
mod begin;
pub(crate) mod challenge;
pub(crate) mod director;
mod event;
mod feed;
pub(crate) mod feeds;
mod game;
mod games;
mod hall;
pub(crate) mod lobby;
mod pair;
mod plan;
mod presence;
mod review;
mod seekers;
mod table;
mod talk;
mod think;
pub(crate) mod tournaments;
mod wish;

use crate::domain::error::AppError;

pub(crate) use absent::{Absence, ClaimKind};
pub(crate) use begin::{GameSetup, Seating};
pub(crate) use event::Event;
pub(crate) use feed::FeedEvent;
pub(crate) use game::LiveGame;
pub use hall::{Hall, Rooms};
pub(crate) use pair::Rematch;
pub(crate) use presence::{Attendance, Audience};
pub(crate) use review::{Effort, ReviewProgress};
pub(crate) use table::LiveTable;
pub(crate) use talk::Said;
pub(crate) use think::REPORTS;
pub(crate) use wish::Control;

/// Waits for the end of the server.
pub(crate) async fn ended(ending: &mut tokio::sync::watch::Receiver<bool>) {
    // If nobody is left to tell it, it has ended, too.
    let _ = ending.wait_for(|ending| *ending).await;
}

/// Runs what must not be left half done, even if the client who asked for it leaves.
pub(crate) async fn uncancelled<T: Send + 'static>(
    work: impl Future<Output = Result<T, AppError>> + Send + 'static,
) -> Result<T, AppError> {
    tokio::spawn(work).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a change of a game failed");
        Err(AppError::internal())
    })
}

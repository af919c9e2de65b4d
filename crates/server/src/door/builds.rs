//! Answers that take a while to make: a few at a time, on threads that answer no requests.

use std::sync::Arc;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::domain::client::Client;
use crate::domain::error::AppError;
use crate::door::quota::Quota;

/// Answers of one client, and of all, that may be made or wait for it.
const EACH: usize = 32;
const ALL: usize = 256;
/// Drawings of one client, and of all, that may be made or wait for it.
const DRAWINGS_EACH: usize = 4;
const DRAWINGS: usize = 64;

/// The threads that make answers.
pub(crate) struct Builds {
    threads: Arc<Semaphore>,
    waiting: Arc<Quota<Client>>,
    /// The one place where pictures and films are drawn.
    easel: Arc<Semaphore>,
    drawings: Arc<Quota<Client>>,
}

impl Default for Builds {
    fn default() -> Builds {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Builds::new(cores, Quota::new("answers in the making", EACH, ALL))
    }
}

impl Builds {
    fn new(threads: usize, waiting: Arc<Quota<Client>>) -> Builds {
        Builds {
            threads: Arc::new(Semaphore::new(threads)),
            waiting,
            easel: Arc::new(Semaphore::new(1)),
            drawings: Quota::new("drawings in the making", DRAWINGS_EACH, DRAWINGS),
        }
    }

    /// Draws something for a client. A film takes half a second, a picture a tenth: one is drawn at a time, so that other answers find a
    /// thread.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let place = self.drawings.take(client, 1)?;
        let easel = Arc::clone(&self.easel).acquire_owned().await.map_err(|_| AppError::internal())?;
        let draw = move || {
            let drawn = work();
            drop((easel, place));
            Ok(drawn)
        };
        self.run(client, draw).await
    }

    /// Does some work for a client. It goes on to its end even if the client leaves, and keeps its thread so long.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let place = self.waiting.take(client, 1)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| AppError::internal())?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((thread, place));
            done
        });
        done.await.unwrap_or_else(|error| {
            tracing::error!(%error, "an answer could not be made");
            Err(AppError::internal())
        })
    }

    /// Threads that have nothing to do.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.threads.available_permits()
    }

    /// Answers that are being made or wait for it.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.in_use()
    }

    /// An answer in JSON: writing it takes as long as making what it says.
    pub(crate) async fn json<T: Serialize>(
        &self,
        client: Client,
        work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
    ) -> Result<Response, AppError> {
        let text = self.run(client, move || serde_json::to_vec(&work()?).map_err(|_| AppError::internal()));
        Ok(([(header::CONTENT_TYPE, "application/json")], text.await?).into_response())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    use super::*;
    use crate::domain::error::Kind;

    /// Work that waits for a word, so that the test knows what runs without a clock.
    #[tokio::test]
    async fn work_beyond_the_threads_waits_and_a_client_has_only_so_much_of_it() {
        let builds = Arc::new(Builds::new(1, Quota::new("answers", 2, 9)));
        let client = Client::new(Ipv4Addr::LOCALHOST.into());
        let (go, wait) = mpsc::channel::<()>();
        let first = {
            let builds = Arc::clone(&builds);
            tokio::spawn(async move { builds.run(client, move || Ok(wait.recv().is_ok())).await })
        };
        while builds.threads.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let second = {
            let builds = Arc::clone(&builds);
            tokio::spawn(async move { builds.run(client, || Ok(true)).await })
        };
        while builds.waiting.in_use() < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(builds.run(client, || Ok(true)).await.expect_err("the third").kind(), Kind::TooMany);
        assert!(!second.is_finished(), "there is one thread");
        go.send(()).expect("it waits");
        assert_eq!((first.await.expect("done"), second.await.expect("done")), (Ok(true), Ok(true)));
        let other = Client::new(Ipv4Addr::new(10, 0, 0, 1).into());
        assert_eq!(
            builds.run(other, || -> Result<bool, _> { panic!("on purpose") }).await,
            Err(AppError::internal())
        );
        assert_eq!(
            (builds.waiting.in_use(), builds.threads.available_permits()),
            (0, 1),
            "a panic gives back its place"
        );
    }

    #[tokio::test]
    async fn drawings_have_one_thread_and_leave_the_others_to_other_answers() {
        let builds = Arc::new(Builds::new(2, Quota::new("answers", 9, 9)));
        let client = Client::new(Ipv4Addr::LOCALHOST.into());
        let (go, wait) = mpsc::channel::<()>();
        let first = {
            let builds = Arc::clone(&builds);
            tokio::spawn(async move { builds.draw(client, move || wait.recv().is_ok()).await })
        };
        while builds.threads.available_permits() > 1 {
            tokio::task::yield_now().await;
        }
        let mut more = Vec::new();
        for _ in 1..DRAWINGS_EACH {
            let builds = Arc::clone(&builds);
            more.push(tokio::spawn(async move { builds.draw(client, || true).await }));
        }
        while builds.drawings.in_use() < DRAWINGS_EACH {
            tokio::task::yield_now().await;
        }
        assert_eq!(builds.draw(client, || true).await.expect_err("too many").kind(), Kind::TooMany);
        let answer = builds.run(client, || Ok(true)).await;
        assert_eq!(answer, Ok(true), "an answer finds the other thread");
        assert!(more.iter().all(|drawing| !drawing.is_finished()), "one is drawn at a time");
        go.send(()).expect("it waits");
        assert_eq!(first.await.expect("done"), Ok(true));
        for drawing in more {
            assert_eq!(drawing.await.expect("done"), Ok(true));
        }
        assert_eq!((builds.drawings.in_use(), builds.easel.available_permits()), (0, 1));
    }
}

//! Answers that go on: one JSON object a line, as something happens, and an empty line when nothing has for a while, so that both
//! sides know that the line still holds.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

/// The type of such an answer.
pub(crate) const KIND: &str = "application/x-ndjson";

/// Lines that wait for a slow reader before whoever writes them waits as well.
const WAITING: usize = 32;

/// Where lines are written.
pub(crate) struct Lines(mpsc::Sender<Bytes>);

/// Nobody reads any more.
#[derive(Debug)]
pub(crate) struct Gone;

impl Lines {
    /// Writes a line.
    pub(crate) async fn send(&self, value: &impl Serialize) -> Result<(), Gone> {
        let mut text = serde_json::to_vec(value).expect("plain data");
        text.push(b'\n');
        self.0.send(text.into()).await.map_err(|_| Gone)
    }
}

/// An answer of lines that `run` writes, until it is through, nobody reads any more, or the server ends. What is `held` is held so long.
pub(crate) fn answer<Fut, Held>(
    (keep_alive, mut ending): (Duration, watch::Receiver<bool>),
    held: Held,
    run: impl FnOnce(Lines) -> Fut,
) -> Response
where
    Fut: Future<Output = Result<(), Gone>> + Send + 'static,
    Held: Send + 'static,
{
    let (send, receive) = mpsc::channel(WAITING);
    let (reader, work) = (send.clone(), run(Lines(send)));
    tokio::spawn(async move {
        tokio::select! {
            _ = work => {}
            () = reader.closed() => {}
            _ = ending.wait_for(|ending| *ending) => {}
        }
        drop(held);
    });
    let lines = unfold(receive, move |mut receive| async move {
        let line = match timeout(keep_alive, receive.recv()).await {
            Ok(line) => line?,
            Err(_) => Bytes::from_static(b"\n"),
        };
        Some((Ok::<_, Infallible>(line), receive))
    });
    // What stands before must not gather lines before it passes them on.
    let headers = [(header::CONTENT_TYPE, KIND), (header::CACHE_CONTROL, "no-store")];
    let mut response = (headers, Body::from_stream(lines)).into_response();
    response.headers_mut().insert("x-accel-buffering", header::HeaderValue::from_static("no"));
    response
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_silent_stream_sends_empty_lines_and_ends_with_its_work_or_the_server() {
        let ending = watch::Sender::new(false);
        let often = (Duration::from_millis(5), ending.subscribe());
        let (go_on, wait) = tokio::sync::oneshot::channel();
        let said = answer(often, (), |lines| async move {
            lines.send(&1).await?;
            let _ = wait.await;
            lines.send(&"two").await
        });
        assert_eq!(said.headers()[header::CONTENT_TYPE], KIND);
        let mut body = said.into_body();
        let mut next = async || {
            let frame = body.frame().await.map(|frame| frame.expect("whole").into_data().expect("data"));
            frame.map(|data| String::from_utf8(data.to_vec()).expect("a text"))
        };
        let before = [next().await, next().await, next().await].map(Option::unwrap_or_default);
        assert_eq!(before, ["1\n", "\n", "\n"]);
        go_on.send(()).expect("it waits");
        let mut after = String::new();
        while let Some(text) = next().await {
            after += text.trim();
        }
        assert_eq!(after, "\"two\"");
        let often = (Duration::from_millis(5), ending.subscribe());
        let endless = answer(often, (), |_lines| std::future::pending());
        ending.send_replace(true);
        assert!(endless.into_body().collect().await.is_ok(), "it ends");
    }

    #[tokio::test]
    async fn what_is_held_is_given_back_when_nobody_reads() {
        let (ending, held) = (watch::Sender::new(false), std::sync::Arc::new(()));
        let silent = answer((Duration::from_secs(7), ending.subscribe()), held.clone(), |_lines| {
            std::future::pending()
        });
        drop(silent);
        while std::sync::Arc::strong_count(&held) > 1 {
            tokio::task::yield_now().await;
        }
    }
}

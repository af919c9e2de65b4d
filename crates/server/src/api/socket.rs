//! What both kinds of WebSocket share: size limits, the own origin, and answers in JSON.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;

use crate::client::{Client, Socket};
use crate::error::{AppError, Fault};
use crate::state::App;

/// The longest message of a client.
const LONGEST: usize = 64 * 1024;
/// How often a silent client is asked whether it is still there.
pub(crate) const PING: Duration = Duration::from_secs(30);
/// A client that takes no message for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// Opens a socket, if the client may have one more.
pub(crate) fn open<F, Fut>(
    app: &App,
    client: Client,
    upgrade: WebSocketUpgrade,
    run: F,
) -> Result<Response, AppError>
where
    F: FnOnce(App, WebSocket) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let place = app.shares.socket(client)?;
    let counted = Counted::new(app.clone(), place);
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        run(counted.app.clone(), socket).await;
        drop(counted);
    }))
}

/// An open socket among the numbers.
struct Counted {
    app: App,
    _place: Socket,
}

impl Counted {
    fn new(app: App, place: Socket) -> Counted {
        app.metrics.sockets.add(1);
        Counted { app, _place: place }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.app.metrics.sockets.add(-1);
    }
}

/// An error that a client is told of.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Trouble<'a> {
    Error { id: Option<Value>, error: &'a Fault },
}

/// An error as a message.
pub(crate) fn trouble(id: Option<Value>, error: &AppError) -> Utf8Bytes {
    serde_json::to_string(&Trouble::Error { id, error: error.fault() }).expect("plain data").into()
}

/// Sends a text. False if the client is gone.
pub(crate) async fn send(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::Text(text))).await;
    matches!(sent, Ok(Ok(())))
}

/// Asks whether the client is still there. False if it is gone.
pub(crate) async fn ping(socket: &mut WebSocket) -> bool {
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::Ping(Default::default()))).await;
    matches!(sent, Ok(Ok(())))
}

/// Waits for the end of the server.
pub(crate) async fn ended(ending: &mut watch::Receiver<bool>) {
    // If nobody is left to tell it, it has ended, too.
    let _ = ending.wait_for(|ending| *ending).await;
}

/// The `id` of a message that could not be read otherwise.
pub(crate) fn id_of(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.get("id").filter(|id| id.is_string() || id.is_number()).cloned()
}

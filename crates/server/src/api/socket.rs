//! What both kinds of WebSocket share: size limits, what comes in, pings, and answers in JSON.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::client::{Client, Socket};
use crate::error::{AppError, Fault};
use crate::state::App;

/// The longest message of a client.
const LONGEST: usize = 64 * 1024;
/// How often a silent client is asked whether it is still there.
const PING: Duration = Duration::from_secs(30);
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
    reply(socket, Message::Text(text)).await
}

/// Sends any message. False if the client is gone.
pub(crate) async fn reply(socket: &mut WebSocket, message: Message) -> bool {
    let sent = tokio::time::timeout(PATIENCE, socket.send(message)).await;
    matches!(sent, Ok(Ok(())))
}

/// Waits for the end of the server.
pub(crate) async fn ended(ending: &mut watch::Receiver<bool>) {
    // If nobody is left to tell it, it has ended, too.
    let _ = ending.wait_for(|ending| *ending).await;
}

/// A message without fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

/// What a socket brings.
pub(crate) enum Came {
    /// A text of the client.
    Text(Utf8Bytes),
    /// Something that only wants this sent: a refusal, or a ping when it has been silent for long.
    Reply(Message),
    /// The client has left, or the server is about to end.
    End,
}

/// Listens to a socket.
pub(crate) struct Ear {
    pings: Interval,
    ending: watch::Receiver<bool>,
}

impl Ear {
    pub(crate) fn new(app: &App) -> Ear {
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings.reset();
        Ear { pings, ending: app.ending.subscribe() }
    }

    /// What comes next. Nothing is lost if it is no longer waited for.
    pub(crate) async fn next(&mut self, socket: &mut WebSocket) -> Came {
        loop {
            let message = tokio::select! {
                message = socket.recv() => message,
                _ = self.pings.tick() => return Came::Reply(Message::Ping(Default::default())),
                () = ended(&mut self.ending) => return Came::End,
            };
            match message {
                Some(Ok(Message::Text(text))) => return Came::Text(text),
                Some(Ok(Message::Binary(_))) => {
                    let error = AppError::bad_request("body", "expected a message of text");
                    return Came::Reply(Message::Text(trouble(None, &error)));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Came::End,
            }
        }
    }
}

/// The `id` of a message that could not be read otherwise.
pub(crate) fn id_of(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.get("id").filter(|id| id.is_string() || id.is_number()).cloned()
}

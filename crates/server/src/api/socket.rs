//! What both kinds of WebSocket share: who may open one, size limits, what comes in, pings, answers in JSON, and the end.

use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::request::Parts;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause, Fault, Words};
use crate::door::caller::caller;
use crate::door::place::ConnectionPlace;
use crate::door::shares::Socket;
use crate::live::ended;
use crate::state::App;

/// The longest message of a client.
const LONGEST: usize = 64 * 1024;
/// How often a silent client is asked whether it is still there.
const PING: Duration = Duration::from_secs(30);
/// A client that takes no message for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a client has to answer that the socket is closed.
const GOODBYE: Duration = Duration::from_secs(2);
/// A probe of the line that is not answered for so long is given up.
const SLOWEST: Duration = Duration::from_secs(3);
/// Messages in a row that are refused as too many before the socket is closed.
const FLOOD: u32 = 100;

/// A request to open a socket.
pub(crate) struct SocketOpening {
    pub(crate) client: Client,
    /// The place of the connection that becomes the socket.
    place: Option<ConnectionPlace>,
    upgrade: WebSocketUpgrade,
}

impl FromRequestParts<App> for SocketOpening {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, AppError> {
        let client = caller(&parts.headers, &parts.extensions, &app.config);
        let place = parts.extensions.get::<ConnectionPlace>().cloned();
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
        let upgrade = upgrade.map_err(|_| Cause::SocketUpgrade {}.at("upgrade"))?;
        Ok(SocketOpening { client, place, upgrade })
    }
}

impl SocketOpening {
    /// Opens the socket, if the client may have one more. `run` gives it back with the reason why it ends.
    pub(crate) fn open<F, Fut>(self, app: &App, run: F) -> Result<Response, AppError>
    where
        F: FnOnce(App, WebSocket) -> Fut + Send + 'static,
        Fut: Future<Output = (WebSocket, End)> + Send + 'static,
    {
        let held = app.door.shares.socket(self.client)?;
        let counted = Counted::new(app.clone(), held);
        let upgrade = self.upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
        let place = self.place;
        Ok(upgrade.on_upgrade(move |socket| async move {
            let (socket, end) = run(counted.app.clone(), socket).await;
            finish(socket, end).await;
            drop((counted, place));
        }))
    }
}

/// Changes are gathered for so long before they are told: a round of fifty boards ends in a few messages.
const GATHERED: Duration = Duration::from_millis(500);

/// Comes back some time after a change.
pub(crate) async fn gathered(changes: &mut watch::Receiver<u64>) {
    let _ = changes.changed().await;
    tokio::time::sleep(GATHERED).await;
}

/// Why a socket ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The client has left, or takes nothing any more.
    Left,
    /// The client is told, with a code of RFC 6455.
    Told(u16, &'static str),
}

impl End {
    pub(crate) const SERVER: End = End::Told(close_code::AWAY, "the server is about to end");
    pub(crate) const GAME: End = End::Told(close_code::AWAY, "the game is no longer there");
    const FLOOD: End = End::Told(close_code::POLICY, "too many messages");
    const SIZE: End = End::Told(close_code::SIZE, "a message is too long");
    const PROTOCOL: End = End::Told(close_code::PROTOCOL, "expected messages of WebSockets");
}

/// Closes a socket so that both sides know: without a closing frame a browser takes it for a fault.
async fn finish(mut socket: WebSocket, end: End) {
    if let End::Told(code, reason) = end {
        let frame = CloseFrame { code, reason: reason.into() };
        if !reply(&mut socket, Message::Close(Some(frame))).await {
            return;
        }
    }
    // Reading on sends the answer to a client's own frame, and waits for its answer to ours.
    let _ = timeout(GOODBYE, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
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
enum Trouble {
    Error { id: Option<Value>, error: Fault },
}

/// A message that says that it is something else than these.
pub(crate) fn unknown_type(expected: &[&'static str], found: String) -> AppError {
    Cause::SocketType { expected: Words(expected.to_vec()), found }.at("type")
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
    let sent = timeout(PATIENCE, socket.send(message)).await;
    matches!(sent, Ok(Ok(())))
}

/// A message without fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

/// What a socket brings.
pub(crate) enum Received {
    /// A text of the client.
    Text(Utf8Bytes),
    /// How long the line takes, there and back, as an answer to a probe has shown.
    Lag(Duration),
    /// Something that only wants this sent: a refusal, or a ping when it has been silent for long.
    Reply(Message),
    /// The client has left, or is to be told why the socket is closed.
    End(End),
}

/// Listens to a socket.
pub(crate) struct SocketListener {
    app: App,
    client: Client,
    /// Messages in a row that came too fast.
    refused: u32,
    pings: Interval,
    ending: watch::Receiver<bool>,
    /// The last probe of the line that was not answered yet: its number, and when it was sent.
    probe: Option<(u64, Instant)>,
    probes: u64,
}

impl SocketListener {
    pub(crate) fn new(app: &App, client: Client) -> SocketListener {
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings.reset();
        SocketListener {
            app: app.clone(),
            client,
            refused: 0,
            pings,
            ending: app.ending.subscribe(),
            probe: None,
            probes: 0,
        }
    }

    /// A ping that finds out how long the line takes, unless one is under way.
    pub(crate) fn probe(&mut self) -> Option<Message> {
        let now = Instant::now();
        if self.probe.is_some_and(|(_, sent)| now.duration_since(sent) < SLOWEST) {
            return None;
        }
        self.probes += 1;
        self.probe = Some((self.probes, now));
        Some(Message::Ping(self.probes.to_be_bytes().to_vec().into()))
    }

    /// What comes next. Nothing is lost if it is no longer waited for.
    pub(crate) async fn next(&mut self, socket: &mut WebSocket) -> Received {
        loop {
            let message = tokio::select! {
                message = socket.recv() => message,
                _ = self.pings.tick() => return Received::Reply(Message::Ping(Default::default())),
                () = ended(&mut self.ending) => return Received::End(End::SERVER),
            };
            match message {
                Some(Ok(Message::Text(text))) => return self.heard(text),
                Some(Ok(Message::Binary(_))) => {
                    let error = Cause::SocketText {}.at("body");
                    return Received::Reply(Message::Text(trouble(None, &error)));
                }
                Some(Ok(Message::Pong(payload))) => {
                    let answered = self.probe.take_if(|(number, _)| payload[..] == number.to_be_bytes());
                    if let Some((_, sent)) = answered {
                        return Received::Lag(sent.elapsed());
                    }
                }
                Some(Ok(Message::Ping(_))) => {}
                Some(Ok(Message::Close(_))) | None => return Received::End(End::Left),
                Some(Err(error)) => return Received::End(fault(&error)),
            }
        }
    }

    /// A text within the client's share of requests, or a refusal.
    fn heard(&mut self, text: Utf8Bytes) -> Received {
        let Err(error) = self.app.door.shares.take(self.client, Instant::now()) else {
            self.refused = 0;
            return Received::Text(text);
        };
        self.refused += 1;
        if self.refused >= FLOOD {
            return Received::End(End::FLOOD);
        }
        Received::Reply(Message::Text(trouble(id_of(&text), &error)))
    }
}

/// What a client is told about a message that is none. The library's error has no type that could be asked.
fn fault(error: &axum::Error) -> End {
    let text = error.to_string();
    if text.contains("Message too long") { End::SIZE } else { End::PROTOCOL }
}

/// The `id` of a message that could not be read otherwise.
pub(crate) fn id_of(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.get("id").filter(|id| id.is_string() || id.is_number()).cloned()
}

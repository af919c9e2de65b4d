//! Live games: everything that happens in a game, as it happens.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{Utf8Bytes, WebSocket};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::me::Visitor;
use super::notation;
use super::socket::{
    Empty, End, Received, SocketListener, SocketOpening, id_of, reply, send, trouble, unknown_type,
};
use crate::domain::chat::ChatRoom;
use crate::domain::client::Client;
use crate::domain::error::AppError;
use crate::domain::keys::{Credentials, Speaker};
use crate::domain::person::PersonId;
use crate::door::growth::MOVE_BYTES;
use crate::http::extract::{PathId, message, named};
use crate::live::{Attendance, LiveGame, uncancelled};
use crate::state::App;

/// What a client may say.
enum GameMessage {
    /// A move.
    Move(Played),
    /// For which seat the client speaks.
    Seat(Seated),
    /// Are you there?
    Ping,
}

/// A move of a client.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    id: Value,
    ply: usize,
    #[serde(rename = "move")]
    text: String,
    notation: Option<String>,
    key: String,
}

/// A player says so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seated {
    id: Value,
    key: String,
}

fn game_message(text: &str) -> Result<GameMessage, AppError> {
    let (kind, rest) = message(text)?;
    match kind.as_str() {
        "move" => named(rest).map(GameMessage::Move),
        "seat" => named(rest).map(GameMessage::Seat),
        "ping" => named::<Empty>(rest).map(|_| GameMessage::Ping),
        _ => Err(unknown_type(&["move", "seat", "ping"], kind)),
    }
}

/// Follow a game, and play in it (WebSocket)
pub(crate) async fn live(
    State(app): State<App>,
    PathId(id): PathId,
    visitor: Visitor,
    opening: SocketOpening,
) -> Result<Response, AppError> {
    let live = app.game(&id).await?;
    let by = Follower { client: opening.client, person: visitor.who.person };
    opening.open(&app, move |app, mut socket| async move {
        let end = follow(app, live, by, &mut socket).await;
        (socket, end)
    })
}

/// Who has opened a socket.
#[derive(Clone, Copy)]
struct Follower {
    client: Client,
    /// The account, which needs no key for its own seat.
    person: Option<PersonId>,
}

impl Follower {
    /// The same with the key of a message; an empty one is none.
    fn with(self, key: String) -> Credentials {
        Credentials { key: Some(key).filter(|key| !key.is_empty()), person: self.person }
    }
}

async fn follow(app: App, live: Arc<LiveGame>, by: Follower, socket: &mut WebSocket) -> End {
    let mut events = live.listen();
    let mut talk = live.overhear();
    let mut attendance = Attendance::new(&live);
    live.touch(&app).await;
    let first = whole(&live).await;
    if !send(socket, first).await {
        return End::Left;
    }
    let mut listener = SocketListener::new(&app, by.client);
    loop {
        let goes_on = tokio::select! {
            event = events.recv() => match event {
                Ok(text) => {
                    let probe = attendance.seat().and_then(|_| listener.probe());
                    send(socket, text).await
                        && match probe {
                            Some(probe) => reply(socket, probe).await,
                            None => true,
                        }
                }
                // Too slow for single messages: the whole game brings it up to date.
                Err(RecvError::Lagged(_)) => {
                    events = live.listen();
                    let text = whole(&live).await;
                    send(socket, text).await
                }
                Err(RecvError::Closed) => return End::GAME,
            },
            Ok(said) = talk.recv() => {
                said.line.room != ChatRoom::of(attendance.seat()) || send(socket, said.message).await
            }
            came = listener.next(socket) => match came {
                Received::Lag(lag) => {
                    attendance.takes(lag);
                    true
                }
                Received::Text(text) => {
                    let present = (&live, by, &mut attendance);
                    hear(&app, present, socket, &mut events, &text).await
                }
                Received::Reply(message) => reply(socket, message).await,
                Received::End(end) => return end,
            },
        };
        if !goes_on {
            return End::Left;
        }
    }
}

async fn whole(live: &LiveGame) -> Utf8Bytes {
    live.whole(&*live.lock().await)
}

/// Answers a message. False if the client is gone.
async fn hear(
    app: &App,
    (live, by, attendance): (&Arc<LiveGame>, Follower, &mut Attendance),
    socket: &mut WebSocket,
    events: &mut Receiver<Utf8Bytes>,
    text: &str,
) -> bool {
    let (id, result) = match game_message(text) {
        Err(error) => (id_of(text), Err(error)),
        Ok(GameMessage::Ping) => return send(socket, json!({ "type": "pong" }).to_string().into()).await,
        Ok(GameMessage::Seat(Seated { id, key })) => (Some(id), sit(live, &by.with(key), attendance).await),
        Ok(GameMessage::Move(played)) => (Some(played.id.clone()), play(app, (live, by), played).await),
    };
    // The move itself goes out before it is acknowledged.
    loop {
        match events.try_recv() {
            Ok(event) => {
                if !send(socket, event).await {
                    return false;
                }
            }
            Err(TryRecvError::Lagged(_)) => {
                *events = live.listen();
                let event = whole(live).await;
                if !send(socket, event).await {
                    return false;
                }
            }
            Err(TryRecvError::Empty | TryRecvError::Closed) => break,
        }
    }
    let answer = match result {
        Ok(ply) => json!({ "type": "ack", "id": id, "ply": ply }).to_string().into(),
        Err(error) => trouble(id, &error),
    };
    send(socket, answer).await
}

/// From here on the socket's client is there as the player with this key. Gives the moves played so far.
async fn sit(live: &LiveGame, who: &Credentials, attendance: &mut Attendance) -> Result<usize, AppError> {
    if let Speaker::Seat(color) = live.speaker(who).await? {
        attendance.sit(color);
    }
    Ok(live.lock().await.game().moves().len())
}

async fn play(app: &App, (live, by): (&Arc<LiveGame>, Follower), played: Played) -> Result<usize, AppError> {
    let Played { ply, text, key, .. } = played;
    let notation = notation(played.notation.as_deref())?;
    app.charge(by.client, MOVE_BYTES)?;
    let who = by.with(key);
    live.recognise(app, &who, by.client).await;
    let (app, live) = (app.clone(), Arc::clone(live));
    uncancelled(async move {
        live.play(&app, &who, (&text, notation), Some(ply)).await.map(|table| table.game().moves().len())
    })
    .await
}

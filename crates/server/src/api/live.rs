//! Live games: everything that happens in a game, as it happens.

use std::sync::Arc;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{MissedTickBehavior, interval};

use super::notation;
use super::socket::{PING, ended, id_of, open, ping, send, trouble};
use crate::client::Client;
use crate::error::{AppError, ErrorBody};
use crate::extract::json;
use crate::live::{Event, Live, firmly};
use crate::state::App;

/// What a client may say.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Said {
    /// A move.
    Move {
        id: Value,
        ply: usize,
        #[serde(rename = "move")]
        text: String,
        notation: Option<String>,
        key: String,
    },
    /// Are you there?
    Ping {},
}

/// Follow a game, and play in it (WebSocket)
#[utoipa::path(get, path = "/api/v1/games/{id}/live", tag = "play", params(("id" = String, Path)),
    responses((status = 101, description = "messages as docs/api.md tells"), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn live(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, AppError> {
    let upgrade =
        upgrade.map_err(|_| AppError::bad_request("upgrade", "expected a request to open a WebSocket"))?;
    let live = app.games.get(&app, &id).await?;
    open(&app, client, upgrade, move |app, socket| follow(app, live, client, socket))
}

async fn follow(app: App, live: Arc<Live>, client: Client, mut socket: WebSocket) {
    let mut events = live.listen();
    live.touch(&app).await;
    let first = whole(&live).await;
    if !send(&mut socket, first).await {
        return;
    }
    let mut ending = app.ending.subscribe();
    let mut pings = interval(PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pings.reset();
    loop {
        let goes_on = tokio::select! {
            event = events.recv() => match event {
                Ok(text) => send(&mut socket, text).await,
                // Too slow for single messages: the whole game brings it up to date.
                Err(RecvError::Lagged(_)) => {
                    events = live.listen();
                    let text = whole(&live).await;
                    send(&mut socket, text).await
                }
                Err(RecvError::Closed) => false,
            },
            said = socket.recv() => match said {
                Some(Ok(Message::Text(text))) => hear(&app, (&live, client), &mut socket, &mut events, &text).await,
                Some(Ok(Message::Close(_)) | Err(_)) | None => false,
                Some(Ok(Message::Binary(_))) => {
                    let error = AppError::bad_request("body", "expected a message of text");
                    send(&mut socket, trouble(None, &error)).await
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => true,
            },
            _ = pings.tick() => ping(&mut socket).await,
            () = ended(&mut ending) => false,
        };
        if !goes_on {
            break;
        }
    }
}

async fn whole(live: &Live) -> Utf8Bytes {
    let table = live.lock().await;
    Event::Game { game: &live.view(&table) }.text()
}

/// Answers a message. False if the client is gone.
async fn hear(
    app: &App,
    (live, client): (&Arc<Live>, Client),
    socket: &mut WebSocket,
    events: &mut Receiver<Utf8Bytes>,
    text: &str,
) -> bool {
    if let Err(error) = app.shares.take(client, std::time::Instant::now()) {
        return send(socket, trouble(id_of(text), &error)).await;
    }
    let (id, result) = match json::<Said>(text.as_bytes()) {
        Err(error) => (id_of(text), Err(error)),
        Ok(Said::Ping {}) => return send(socket, json!({ "type": "pong" }).to_string().into()).await,
        Ok(Said::Move { id, ply, text, notation, key }) => {
            (Some(id), play(app, live, (ply, text, notation, key)).await)
        }
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

async fn play(
    app: &App,
    live: &Arc<Live>,
    (ply, text, name, key): (usize, String, Option<String>, String),
) -> Result<usize, AppError> {
    let notation = notation(name.as_deref())?;
    let (app, live) = (app.clone(), Arc::clone(live));
    firmly(async move { live.play(&app, Some(&key), (&text, notation), ply).await.map(|ack| ack.ply) }).await
}

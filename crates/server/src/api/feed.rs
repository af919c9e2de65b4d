//! What is played now: a list for pages, and a stream of everything for other programs.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use utoipa::ToSchema;

use super::bot::line;
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::AppError;
use crate::http::ndjson;
use crate::live::FeedEvent;
use crate::state::App;
use crate::view::game::{ClockView, GameSummary};

/// The most games in the list.
const MOST: u32 = 12;
/// A game in which nobody has moved for so long is not being played now.
const NOW: i64 = 30 * 60_000;

/// Games that are played now.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayedNow {
    /// Those between the strongest first.
    games: Vec<GameSummary>,
}

/// Games between two that are played now, those between the strongest first
#[utoipa::path(get, operation_id = "list_now", path = "/api/v1/games/now", tag = "games",
    responses((status = 200, body = PlayedNow)))]
pub(crate) async fn now_played(State(app): State<App>) -> Result<Json<PlayedNow>, AppError> {
    let games = app.store.played_now(now() - NOW, MOST).await?;
    Ok(Json(PlayedNow { games: games.into_iter().map(GameSummary::from).collect() }))
}

/// All games between two as they are played, a line of JSON for everything that happens (NDJSON)
#[utoipa::path(get, operation_id = "stream_games", path = "/api/v1/games/stream", tag = "games",
    responses((status = 200, content_type = "application/x-ndjson", body = String)))]
pub(crate) async fn stream(State(app): State<App>, client: Client) -> Result<Response, AppError> {
    let held = app.door.shares.socket(client)?;
    let mut events = app.feed.listen();
    Ok(ndjson::answer(line(&app), held, |lines| async move {
        loop {
            let event = match events.recv().await {
                Ok(event) => view(&event),
                // Too slow: what was missed is in the list of games.
                Err(RecvError::Lagged(missed)) => json!({ "type": "missed", "events": missed }),
                Err(RecvError::Closed) => return Ok(()),
            };
            lines.send(&event).await?;
        }
    }))
}

/// An event as others see it.
fn view(event: &FeedEvent) -> Value {
    match event {
        FeedEvent::Begun { id, black, white, layout, clock, rated, fen } => {
            let clock = clock.map(ClockView::from);
            json!({ "type": "begun", "game": id, "black": black, "white": white, "layout": layout, "clock": clock, "rated": rated, "fen": fen })
        }
        FeedEvent::Move { id, ply, text, fen } => {
            json!({ "type": "move", "game": id, "ply": ply, "move": text, "fen": fen })
        }
        FeedEvent::Takeback { id, ply, fen } => {
            json!({ "type": "takeback", "game": id, "ply": ply, "fen": fen })
        }
        FeedEvent::Aborted { id } => json!({ "type": "aborted", "game": id }),
        FeedEvent::Ended { id, ending } => {
            json!({ "type": "ended", "game": id, "result": ending.result(), "reason": ending.reason })
        }
    }
}

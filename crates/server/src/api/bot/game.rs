//! A game as a program plays it: a stream of how it stands, and moves, offers and words by a path.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use sumito_rules::{ByColor, Color, Notation};
use tokio::sync::broadcast::error::RecvError;
use utoipa::ToSchema;

use super::identity::Identity;
use super::wish::Fields;
use super::{DONE, Done, stream as lines_for};
use crate::domain::bot::Scope;
use crate::domain::chat::ChatRoom;
use crate::domain::error::{AppError, Cause, Words};
use crate::domain::kept::OfferKind;
use crate::domain::keys::Speaker;
use crate::domain::permit::Action;
use crate::door::growth::MOVE_BYTES;
use crate::http::extract::{PathId, QueryParams};
use crate::http::ndjson::{Gone, Lines};
use crate::live::{Attendance, LiveGame, Said, uncancelled};
use crate::state::App;
use crate::view::bot::{GameEvent, GameFull, GameState, PlayerView};

/// The game with this id and the side that the account has in it.
async fn seat(me: &Identity, id: &str) -> Result<(Arc<LiveGame>, Color), AppError> {
    me.check(Action::PlayAsBot, &[Scope::Play])?;
    let live = me.app.game(id).await?;
    match live.speaker(&me.credentials()).await {
        Ok(Speaker::Seat(color)) => Ok((live, color)),
        _ => Err(Cause::GameOther {}.at("id")),
    }
}

/// Follow a game of one's own: all of it first, then how it stands after every change. It ends with the game
#[utoipa::path(get, operation_id = "stream_bot_game", path = "/api/bot/game/stream/{id}", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = GameEvent, content_type = "application/x-ndjson")))]
pub(crate) async fn stream(me: Identity, PathId(id): PathId) -> Result<Response, AppError> {
    let (live, color) = seat(&me, &id).await?;
    let app = me.app.clone();
    lines_for(&me, move |lines| async move { follow(app, live, color, lines).await })
}

/// The players of a game, with their ratings.
async fn players(app: &App, live: &LiveGame) -> ByColor<PlayerView> {
    let (persons, clock, names) = {
        let table = live.lock().await;
        let names = ByColor::new(&table.seats.black, &table.seats.white).map(|seat| seat.name().to_string());
        (table.keys.persons(), table.clock, names)
    };
    let player = async |color: Color| {
        let guest = || PlayerView::guest(&names[color]);
        let (Some(id), Some(clock)) = (persons[color], clock) else { return guest() };
        let Ok(Some(person)) = app.store.person_by_id(id).await else { return guest() };
        match app.seeker(person, clock).await {
            Ok(seeker) => PlayerView::new(&seeker, app.feeds.is_online(id)),
            Err(_) => guest(),
        }
    };
    ByColor::new(player(Color::Black).await, player(Color::White).await)
}

async fn follow(app: App, live: Arc<LiveGame>, color: Color, lines: Lines) -> Result<(), Gone> {
    let (mut changes, mut talk) = (live.changes(), live.overhear());
    let mut attendance = Attendance::new(&live);
    attendance.sit(color);
    live.touch(&app).await;
    let players = players(&app, &live).await;
    let (full, mut told) = {
        let table = live.lock().await;
        (GameFull::new(&table, players), GameState::new(&table).essence())
    };
    lines.send(&GameEvent::GameFull(Box::new(full))).await?;
    let mut gone = false;
    while told.goes_on() {
        tokio::select! {
            change = changes.changed() => {
                // The game is no more.
                let Ok(()) = change else { return Ok(()) };
                if live.is_gone() {
                    return Ok(());
                }
                let state = GameState::new(&*live.lock().await);
                if state.essence() != told {
                    told = state.essence();
                    lines.send(&GameEvent::GameState(state)).await?;
                }
                let left = live.has_left(!color);
                if std::mem::replace(&mut gone, left) != left {
                    lines.send(&GameEvent::OpponentGone { gone }).await?;
                }
            }
            said = talk.recv() => match said {
                Ok(Said { line, .. }) if line.room == ChatRoom::of(Some(color)) => {
                    let (username, text) = (line.name.clone(), line.text.clone());
                    lines.send(&GameEvent::ChatLine { room: ROOM, username, text }).await?;
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(()),
            },
        }
    }
    Ok(())
}

/// How a move is meant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveQuery {
    /// Whether a draw is offered with it.
    #[serde(rename = "offeringDraw")]
    offering_draw: Option<bool>,
    /// How many moves were played before it, so that one that is sent again is not played twice.
    ply: Option<usize>,
}

/// Play a move; the answer comes when it is in the database
#[utoipa::path(post, operation_id = "play_bot_move", path = "/api/bot/game/{id}/move/{move}", tag = "bot",
    params(("id" = String, Path), ("move" = String, Path, description = "in the notation of Aba-Pro"),
        ("offeringDraw" = Option<bool>, Query, description = "offer a draw with it"),
        ("ply" = Option<usize>, Query, description = "how many moves were played before it: it is played once then")),
    security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn play(
    me: Identity,
    Path((id, text)): Path<(String, String)>,
    QueryParams(query): QueryParams<MoveQuery>,
) -> Result<Json<Done>, AppError> {
    let (live, color) = seat(&me, &id).await?;
    me.app.charge(me.client, MOVE_BYTES)?;
    uncancelled(async move {
        let who = me.credentials();
        let over = live.play(&me.app, &who, (&text, Notation::AbaPro), query.ply).await?.outcome().is_some();
        if query.offering_draw == Some(true) && !over {
            drop(live.draw(&me.app, &who, Some(color)).await?);
        }
        Ok(DONE)
    })
    .await
}

/// Call a game off before its second move
#[utoipa::path(post, operation_id = "abort_bot_game", path = "/api/bot/game/{id}/abort", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn abort(
    State(app): State<App>,
    me: Identity,
    PathId(id): PathId,
) -> Result<Json<Done>, AppError> {
    seat(&me, &id).await?;
    uncancelled(async move {
        app.games.abort(&app, &id, &me.credentials()).await?;
        Ok(DONE)
    })
    .await
}

/// Resign
#[utoipa::path(post, operation_id = "resign_bot_game", path = "/api/bot/game/{id}/resign", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn resign(me: Identity, PathId(id): PathId) -> Result<Json<Done>, AppError> {
    let (live, color) = seat(&me, &id).await?;
    uncancelled(async move {
        drop(live.resign(&me.app, &me.credentials(), Some(color)).await?);
        Ok(DONE)
    })
    .await
}

/// Whether an answer is yes.
fn is_yes(answer: &str) -> Result<bool, AppError> {
    match answer {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        found => {
            let known = Words(vec!["yes", "no"]);
            Err(Cause::WordUnknown { known, found: found.to_string() }.at("answer"))
        }
    }
}

/// Offer a draw or accept one (`yes`), decline it (`no`)
#[utoipa::path(post, operation_id = "answer_bot_draw", path = "/api/bot/game/{id}/draw/{answer}", tag = "bot",
    params(("id" = String, Path), ("answer" = String, Path, description = "`yes` or `no`")),
    security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn draw(
    me: Identity,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Done>, AppError> {
    let ((live, color), yes) = (seat(&me, &id).await?, is_yes(&answer)?);
    uncancelled(async move {
        let who = me.credentials();
        match yes {
            true => drop(live.draw(&me.app, &who, Some(color)).await?),
            false => drop(live.decline(&me.app, &who, OfferKind::Draw).await?),
        }
        Ok(DONE)
    })
    .await
}

/// Ask for a move back or agree to it (`yes`), decline it (`no`)
#[utoipa::path(post, operation_id = "answer_bot_takeback", path = "/api/bot/game/{id}/takeback/{answer}", tag = "bot",
    params(("id" = String, Path), ("answer" = String, Path, description = "`yes` or `no`")),
    security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn takeback(
    me: Identity,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Done>, AppError> {
    let ((live, _), yes) = (seat(&me, &id).await?, is_yes(&answer)?);
    uncancelled(async move {
        let who = me.credentials();
        match yes {
            true => drop(live.take_back(&me.app, &who, None).await?),
            false => drop(live.decline(&me.app, &who, OfferKind::Takeback).await?),
        }
        Ok(DONE)
    })
    .await
}

/// What is said.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ChatRequest {
    /// `player`, which need not be said.
    room: Option<String>,
    text: String,
}

/// The room in which a program talks: that of the players.
const ROOM: &str = "player";

/// Say something to the other player
#[utoipa::path(post, operation_id = "chat_in_bot_game", path = "/api/bot/game/{id}/chat", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])),
    request_body(content((ChatRequest = "application/json"), (ChatRequest = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = Done)))]
pub(crate) async fn chat(
    me: Identity,
    PathId(id): PathId,
    mut fields: Fields,
) -> Result<Json<Done>, AppError> {
    let (live, _) = seat(&me, &id).await?;
    if let Some(found) = fields.text("room")?.filter(|room| room != ROOM) {
        return Err(Cause::WordUnknown { known: Words(vec![ROOM]), found }.at("room"));
    }
    let text = fields.text("text")?.ok_or_else(|| Cause::FieldMissing { name: "text".into() }.at("text"))?;
    me.app.door.programs.message(me.person.id)?;
    uncancelled(async move {
        live.speak(&me.app, (&me.credentials(), Some(&me.person)), &text).await?;
        Ok(DONE)
    })
    .await
}

//! What two persons with a key each do besides playing: the second one takes a seat, offers are declined, a game that has
//! hardly begun is called off.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sumito_rules::Color;
use utoipa::ToSchema;

use super::asked::Asked;
use super::me::Visitor;
use super::play::Nothing;
use crate::domain::error::AppError;
use crate::domain::kept::OfferKind;
use crate::domain::keys::Speaker;
use crate::door::growth::MOVE_BYTES;
use crate::http::extract::{Body, PathId};
use crate::live::{ClaimKind, uncancelled};
use crate::state::App;
use crate::view::game::{GameView, NewGame};
use crate::view::seat::checked_name;
use crate::view::words::ColorWord;

/// The seat of whoever asks.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct OwnSeat {
    /// Whether one plays in the game.
    plays: bool,
    /// The seat; null if one speaks for all persons in the game, or for none.
    #[schema(value_type = Option<ColorWord>)]
    color: Option<Color>,
}

/// Which seat one has, by a key or an account
#[utoipa::path(get, operation_id = "get_seat", path = "/api/v1/games/{id}/seat", tag = "play",
    params(("id" = String, Path)), security((), ("key" = [])),
    responses((status = 200, body = OwnSeat)))]
pub(crate) async fn seat(asked: Asked) -> Json<OwnSeat> {
    let speaker = asked.live.speaker(&asked.who).await;
    let color = if let Ok(Speaker::Seat(color)) = speaker { Some(color) } else { None };
    Json(OwnSeat { plays: speaker.is_ok(), color })
}

/// Who joins.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
    /// The name in the game.
    name: Option<String>,
}

/// Take the free seat of a game; the answer has its key, this once
#[utoipa::path(post, operation_id = "join_game", path = "/api/v1/games/{id}/join", tag = "play",
    params(("id" = String, Path)),
    request_body = JoinRequest, security((), ("key" = [])),
    responses((status = 200, body = NewGame)))]
pub(crate) async fn join(asked: Asked, Body(request): Body<JoinRequest>) -> Result<Json<NewGame>, AppError> {
    let name = checked_name(request.name.unwrap_or_default(), "name")?;
    let name = asked.name.clone().unwrap_or(name);
    asked.app.charge(asked.client, MOVE_BYTES)?;
    uncancelled(async move {
        let (table, key) = asked.live.join(&asked.app, &asked.who, name).await?;
        Ok(Json(NewGame::new(&table, asked.live.audience(), (&asked.who, Some(key)))))
    })
    .await
}

/// Which offer.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeclineRequest {
    /// The kind of the offer that stands.
    offer: OfferKind,
}

/// Decline the other side's offer, or take one's own back
#[utoipa::path(post, operation_id = "decline_offer", path = "/api/v1/games/{id}/decline", tag = "play",
    params(("id" = String, Path)),
    request_body = DeclineRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn decline(
    asked: Asked,
    Body(request): Body<DeclineRequest>,
) -> Result<Json<GameView>, AppError> {
    uncancelled(async move {
        let table = asked.live.decline(&asked.app, &asked.who, request.offer).await?;
        Ok(asked.answer(&table))
    })
    .await
}

/// How a game is to end.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimRequest {
    /// What whoever claims gets.
    result: ClaimKind,
}

/// End a game in which the other side is to move and has gone for long enough
#[utoipa::path(post, operation_id = "claim_game", path = "/api/v1/games/{id}/claim", tag = "play",
    params(("id" = String, Path)),
    request_body = ClaimRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn claim(
    asked: Asked,
    Body(request): Body<ClaimRequest>,
) -> Result<Json<GameView>, AppError> {
    uncancelled(async move {
        let table = asked.live.claim(&asked.app, &asked.who, request.result).await?;
        Ok(asked.answer(&table))
    })
    .await
}

/// Call a game off before its second move; it is deleted
#[utoipa::path(post, operation_id = "abort_game", path = "/api/v1/games/{id}/abort", tag = "play",
    params(("id" = String, Path)),
    request_body = Nothing, security(("key" = [])),
    responses((status = 204)))]
pub(crate) async fn abort(
    State(app): State<App>,
    PathId(id): PathId,
    visitor: Visitor,
    Body(_): Body<Nothing>,
) -> Result<StatusCode, AppError> {
    uncancelled(async move {
        app.games.abort(&app, &id, &visitor.who).await?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

//! What people say to each other in a game: players to players, those who look on among themselves.

use std::time::Instant;

use axum::Json;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::asked::Asked;
use crate::domain::error::AppError;
use crate::http::extract::Body;
use crate::live::uncancelled;
use crate::view::chat::{ChatLineView, ChatView};

/// Something to say.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SayRequest {
    /// One line of plain text, at most 140 letters.
    text: String,
}

/// What was said: among the players for one of them, among the spectators for anybody else
#[utoipa::path(get, operation_id = "get_chat", path = "/api/v1/games/{id}/chat", tag = "play",
    params(("id" = String, Path)), security((), ("key" = [])),
    responses((status = 200, body = ChatView)))]
pub(crate) async fn lines(asked: Asked) -> Result<Json<ChatView>, AppError> {
    let (room, lines) = asked.live.said(&asked.app, &asked.who).await?;
    Ok(Json(ChatView { room, lines: lines.iter().map(ChatLineView::from).collect() }))
}

/// Say something: a player to the other one, anybody else with an account to those who look on
#[utoipa::path(post, operation_id = "say", path = "/api/v1/games/{id}/chat", tag = "play",
    params(("id" = String, Path)), security((), ("key" = [])),
    request_body = SayRequest, responses((status = 201, body = ChatLineView)))]
pub(crate) async fn say(
    asked: Asked,
    Body(request): Body<SayRequest>,
) -> Result<(StatusCode, Json<ChatLineView>), AppError> {
    asked.app.door.talk.take(asked.client, asked.who.person, Instant::now())?;
    uncancelled(async move {
        let by = (&asked.who, asked.person.as_ref());
        let line = asked.live.speak(&asked.app, by, &request.text).await?;
        Ok((StatusCode::CREATED, Json(ChatLineView::from(&line))))
    })
    .await
}

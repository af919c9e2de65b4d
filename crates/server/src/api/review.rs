//! Reviews of games.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};

use super::key;
use crate::client::Client;
use crate::error::AppError;
use crate::extract::Body;
use crate::live::{ReviewRequest, ReviewState};
use crate::state::App;

/// Have a game reviewed; without the key of the game only with little effort
#[utoipa::path(post, operation_id = "start_review", path = "/api/v1/games/{id}/review", tag = "review",
    params(("id" = String, Path)),
    request_body = ReviewRequest, security((), ("key" = [])), responses((status = 202, body = ReviewState)))]
pub(crate) async fn start(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    headers: HeaderMap,
    Body(request): Body<ReviewRequest>,
) -> Result<(StatusCode, Json<ReviewState>), AppError> {
    let live = app.games.get(&app, &id).await?;
    let state = live.start_review(&app, request, (key(&headers).as_deref(), client)).await?;
    Ok((StatusCode::ACCEPTED, Json(state)))
}

/// A game's review, or how far it is
#[utoipa::path(get, operation_id = "get_review", path = "/api/v1/games/{id}/review", tag = "review",
    params(("id" = String, Path)),
    responses((status = 200, body = ReviewState)))]
pub(crate) async fn get(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<ReviewState>, AppError> {
    let live = app.games.get(&app, &id).await?;
    live.review_state(&app).await.map(Json)
}

/// End a review that is being made; for whoever has the key of the game or asked for the review
#[utoipa::path(delete, operation_id = "cancel_review", path = "/api/v1/games/{id}/review", tag = "review",
    params(("id" = String, Path)),
    security((), ("key" = [])),
    responses((status = 200, body = ReviewState)))]
pub(crate) async fn cancel(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    headers: HeaderMap,
) -> Result<Json<ReviewState>, AppError> {
    let live = app.games.get(&app, &id).await?;
    live.cancel_review(&app, (key(&headers).as_deref(), client)).await.map(Json)
}

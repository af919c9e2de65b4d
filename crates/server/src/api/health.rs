//! Whether the server is well, and its numbers.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{AppError, ErrorBody};
use crate::state::App;

/// The server is well.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    #[schema(value_type = String)]
    status: &'static str,
    games: usize,
}

/// Whether the server is well
#[utoipa::path(get, path = "/api/v1/healthz", tag = "server",
    responses((status = 200, body = Health), (status = 503, body = ErrorBody)))]
pub(crate) async fn healthz(State(app): State<App>) -> Result<Json<Health>, AppError> {
    if !app.store.is_alive().await {
        return Err(AppError::busy("the database does not answer"));
    }
    Ok(Json(Health { status: "ok", games: app.games_in_memory() }))
}

/// Numbers about the running server, for Prometheus
#[utoipa::path(get, path = "/api/v1/metrics", tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(State(app): State<App>) -> impl IntoResponse {
    app.metrics.games.set(app.games_in_memory() as i64);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.text())
}

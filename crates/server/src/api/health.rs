//! Whether the server is well, and its numbers.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::state::App;

/// The server is well.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    #[schema(value_type = String)]
    status: &'static str,
    games: usize,
}

/// Whether the server runs: one that does not answer is to be started anew
#[utoipa::path(get, operation_id = "get_health", path = "/api/v1/healthz", tag = "server",
    responses((status = 200, body = Health)))]
pub(crate) async fn healthz(State(app): State<App>) -> Json<Health> {
    Json(Health { status: "ok", games: app.games_in_memory() })
}

/// The server takes games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Readiness {
    #[schema(value_type = String)]
    status: &'static str,
    /// When the database was last written, in milliseconds since 1970.
    last_write: i64,
}

/// Whether the server takes games: it is not about to end, and its database takes writes
#[utoipa::path(get, operation_id = "get_readiness", path = "/api/v1/readyz", tag = "server",
    responses((status = 200, body = Readiness)))]
pub(crate) async fn readyz(State(app): State<App>) -> Result<Json<Readiness>, AppError> {
    if *app.ending.borrow() {
        return Err(Cause::ServerEnding {}.into());
    }
    let health = app.store.health();
    match health.trouble(now()) {
        Some(why) => Err(Cause::ServerUnready { why }.into()),
        None => Ok(Json(Readiness { status: "ready", last_write: health.last_write() })),
    }
}

/// Numbers about the running server, for Prometheus
#[utoipa::path(get, operation_id = "get_metrics", path = "/api/v1/metrics", tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(State(app): State<App>) -> impl IntoResponse {
    app.metrics.games.set(app.games_in_memory() as i64);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.text())
}

//! All paths, and what every request goes through.

use std::any::Any;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::api::{
    analysis, boards, games, health, imports, live, meta, openings, opinion, picture, play, records, review,
};
use crate::error::AppError;
use crate::state::App;
use crate::{assets, client, headers, openapi};

/// The whole server as a service, without a socket.
pub fn app(state: App) -> Router {
    let api = Router::new()
        .route("/meta", get(meta::meta))
        .route("/openapi.json", get(openapi::description))
        .route("/games", get(games::list).post(games::create))
        .route("/games/{id}", get(games::get))
        .route("/games/{id}/position", get(games::at_ply))
        .route("/games/{id}/apgn", get(records::apgn))
        .route("/games/{id}/tree", get(records::tree))
        .route("/games/{id}/moves", post(play::moves))
        .route("/games/{id}/takeback", post(play::takeback))
        .route("/games/{id}/resign", post(play::resign))
        .route("/games/{id}/draw", post(play::draw))
        .route("/games/{id}/rematch", post(play::rematch))
        .route("/games/{id}/control", post(play::control))
        .route("/games/{id}/hint", post(play::hint))
        .route("/games/{id}/review", get(review::get).post(review::start))
        .route("/games/{id}/live", get(live::live))
        .route("/analysis", get(analysis::analysis))
        .route("/positions", post(boards::positions))
        .route("/parse", post(boards::parse))
        .route("/imports", post(imports::create))
        .route("/imports/{id}", get(imports::get))
        .route("/openings", get(openings::openings))
        .route("/opinion", get(opinion::opinion))
        .route("/picture.svg", get(picture::picture))
        .method_not_allowed_fallback(async || AppError::method())
        .layer(middleware::from_fn_with_state(state.clone(), client::limit));
    let well = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/metrics", get(health::metrics))
        .method_not_allowed_fallback(async || AppError::method());
    Router::new()
        .nest("/api/v1", api.merge(well.clone()))
        .merge(well)
        .fallback(assets::serve)
        .layer(CompressionLayer::new().gzip(true))
        .layer(middleware::from_fn_with_state(state.clone(), time_out))
        .layer(middleware::from_fn_with_state(state.clone(), headers::own_origin))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(headers::secure))
        .layer(middleware::from_fn_with_state(state.clone(), observe))
        .with_state(state)
}

/// Counts and logs every request.
async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let (method, path, began) = (request.method().clone(), request.uri().path().to_string(), Instant::now());
    let response = next.run(request).await;
    let (status, time) = (response.status(), began.elapsed());
    app.metrics.answered(status.as_u16(), time);
    let ms = time.as_millis() as u64;
    if status.is_server_error() {
        tracing::warn!(%method, path, status = status.as_u16(), ms, "request");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), ms, "request");
    }
    response
}

/// Ends a request that takes too long.
async fn time_out(State(app): State<App>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.config.timeout(), next.run(request)).await {
        Ok(response) => response,
        Err(_) => AppError::timeout().into_response(),
    }
}

/// A fault of ours is told as one, and nothing else stops for it.
fn panicked(why: Box<dyn Any + Send + 'static>) -> Response {
    let text =
        why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
    tracing::error!(why = text.unwrap_or("unknown"), "a request panicked");
    AppError::internal().into_response()
}

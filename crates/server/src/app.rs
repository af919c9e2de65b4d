//! All paths, and what every request goes through.

use std::any::Any;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::api::{
    account, analysis, boards, bot, bots, chat, feed, friend, games, health, imports, live, lobby, meta,
    openapi, openings, opinion, peace, picture, plan, play, preview, records, review, tournaments,
};
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};
use crate::door::admit;
use crate::http::ndjson::KIND;
use crate::http::{assets, headers};
use crate::state::App;

/// The whole server as a service, without a socket.
pub fn app(state: App) -> Router {
    let api = Router::new()
        .route("/meta", get(meta::meta))
        .route("/openapi.json", get(openapi::description))
        .route("/games", get(games::list).post(games::create))
        .route("/games/now", get(feed::now_played))
        .route("/games/stream", get(feed::stream))
        .route("/games/{id}", get(games::get).delete(games::delete))
        .route("/games/{id}/position", get(games::at_ply))
        .route("/games/{id}/apgn", get(records::apgn))
        .route("/games/{id}/tree", get(records::tree))
        .route("/games/{id}/picture.png", get(preview::picture))
        .route("/games/{id}/film.gif", get(preview::film))
        .route("/games/{id}/moves", post(play::moves))
        .route("/games/{id}/seat", get(friend::seat))
        .route("/games/{id}/join", post(friend::join))
        .route("/games/{id}/decline", post(friend::decline))
        .route("/games/{id}/abort", post(friend::abort))
        .route("/games/{id}/claim", post(friend::claim))
        .route("/games/{id}/plan", get(plan::get).put(plan::set))
        .route("/games/{id}/chat", get(chat::lines).post(chat::say))
        .route("/games/{id}/takeback", post(play::takeback))
        .route("/games/{id}/resign", post(play::resign))
        .route("/games/{id}/draw", post(play::draw))
        .route("/games/{id}/rematch", post(play::rematch))
        .route("/games/{id}/control", post(play::control))
        .route("/games/{id}/hint", post(play::hint))
        .route("/games/{id}/review", get(review::get).post(review::start).delete(review::cancel))
        .route("/games/{id}/live", get(live::live))
        .route("/analysis", get(analysis::analysis))
        .route("/positions", post(boards::positions))
        .route("/parse", post(boards::parse))
        .route("/imports", post(imports::create))
        .route("/imports/{id}", get(imports::get))
        .route("/openings", get(openings::openings))
        .route("/opinion", get(opinion::opinion))
        .route("/picture.svg", get(picture::picture))
        .route("/account", get(account::get).post(account::sign_up))
        .route("/account/login", post(account::log_in))
        .route("/account/logout", post(account::log_out))
        .route("/account/recover", post(account::recover))
        .route("/account/recovery", post(account::renew_recovery))
        .route("/account/password", put(account::change_password))
        .route("/account/sessions", get(account::sessions).delete(account::end_others))
        .route("/account/sessions/{id}", delete(account::end_session))
        .route("/account/bots", get(bots::list).post(bots::create))
        .route("/account/bots/{name}", delete(bots::close))
        .route("/account/bots/{name}/tokens", post(bots::give))
        .route("/account/bots/{name}/tokens/{id}", delete(bots::revoke))
        .route("/account/close", post(account::close))
        .route("/account/playing", get(account::playing))
        .route("/account/export", get(account::export))
        .route("/lobby/live", get(lobby::live))
        .route("/people/{name}", get(account::person))
        .route("/tournaments", get(tournaments::list).post(tournaments::create))
        .route("/tournaments/{id}", get(tournaments::get))
        .route("/tournaments/{id}/games", get(tournaments::games))
        .route("/tournaments/{id}/cross", get(tournaments::cross))
        .route("/tournaments/{id}/csv", get(tournaments::table))
        .route("/tournaments/{id}/apgn", get(tournaments::apgn))
        .route("/tournaments/{id}/join", post(tournaments::join))
        .route("/tournaments/{id}/withdraw", post(tournaments::withdraw))
        .route("/tournaments/{id}/bye", post(tournaments::bye))
        .route("/tournaments/{id}/start", post(tournaments::start))
        .route("/tournaments/{id}/pause", post(tournaments::pause))
        .route("/tournaments/{id}/resume", post(tournaments::resume))
        .route("/tournaments/{id}/cancel", post(tournaments::cancel))
        .route("/tournaments/{id}/live", get(tournaments::live))
        .route("/people/{name}/block", put(peace::block).delete(peace::unblock))
        .route("/account/blocked", get(peace::blocked))
        .route("/reports", post(peace::report))
        .route("/moderation/reports", get(peace::reports))
        .route("/moderation/reports/{id}/settle", post(peace::settle))
        .route("/moderation/people/{name}/mute", post(peace::mute))
        .route("/moderation/people/{name}/close", post(peace::close))
        .route("/moderation/games/{id}/void", post(peace::void))
        .route("/moderation/audit", get(peace::audit))
        .route("/people/{name}/record", get(account::record))
        .method_not_allowed_fallback(async || Cause::MethodUnknown {}.at("method"))
        .layer(middleware::from_fn_with_state(state.clone(), admit::limit));
    let bots = bot::routes().layer(middleware::from_fn_with_state(state.clone(), admit::limit));
    let metrics = match state.config.metrics_port {
        None => get(health::metrics),
        Some(_) => get(async || Cause::MetricsElsewhere {}.at("path")),
    };
    let well = Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", metrics)
        .method_not_allowed_fallback(async || Cause::MethodUnknown {}.at("method"));
    // Unlike files, these look into the database.
    let games = ["game", "play", "watch", "analyse", "review"].map(|page| format!("/{page}/{{id}}"));
    let pages = games.iter().fold(Router::new(), |pages, path| pages.route(path, get(preview::page)));
    let pages = pages.layer(middleware::from_fn_with_state(state.clone(), admit::limit));
    // What is packed is gathered first, and a stream's lines are not to wait for others.
    let whole = DefaultPredicate::new().and(NotForContentType::const_new(KIND));
    Router::new()
        .nest("/api/v1", api.merge(well.clone()))
        .nest("/api", bots)
        .merge(well)
        .merge(pages)
        .fallback(assets::serve)
        .method_not_allowed_fallback(async || Cause::MethodUnknown {}.at("method"))
        .layer(CompressionLayer::new().gzip(true).compress_when(whole))
        .layer(middleware::from_fn_with_state(state.clone(), time_out))
        .layer(middleware::from_fn_with_state(state.clone(), headers::own_origin))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(headers::secure))
        .layer(middleware::from_fn_with_state(state.clone(), observe))
        .with_state(state)
}

/// The server's numbers alone, for a port of their own.
pub(crate) fn numbers(state: App) -> Router {
    Router::new()
        .route("/metrics", get(health::metrics))
        .fallback(async || Cause::MetricsElsewhere {}.at("path"))
        .method_not_allowed_fallback(async || Cause::MethodUnknown {}.at("method"))
        .layer(middleware::from_fn(headers::secure))
        .with_state(state)
}

/// Counts and logs every request.
async fn observe(State(app): State<App>, client: Client, request: Request, next: Next) -> Response {
    let (method, path, began) = (request.method().clone(), request.uri().path().to_string(), Instant::now());
    let response = next.run(request).await;
    let (status, time) = (response.status(), began.elapsed());
    app.metrics.answered(status.as_u16(), time);
    let (status, ms) = (status.as_u16(), time.as_millis() as u64);
    match status {
        500.. => tracing::warn!(%method, path, status, ms, %client, "request"),
        _ if is_usual(&path) => tracing::debug!(%method, path, status, ms, %client, "request"),
        _ => tracing::info!(%method, path, status, ms, %client, "request"),
    }
    response
}

/// Whether a request is one of many that say little: a file of the pages, or the question whether the server is well.
fn is_usual(path: &str) -> bool {
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    ["/healthz", "/readyz", "/metrics"].contains(&path) || name.contains('.')
}

/// Ends a request that takes too long.
async fn time_out(State(app): State<App>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.config.timeout(), next.run(request)).await {
        Ok(response) => response,
        Err(_) => AppError::from(Cause::Timeout {}).into_response(),
    }
}

/// A fault of ours is told as one, and nothing else stops for it.
fn panicked(why: Box<dyn Any + Send + 'static>) -> Response {
    let text =
        why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
    tracing::error!(why = text.unwrap_or("unknown"), "a request panicked");
    AppError::internal().into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_the_servers_health_are_usual_and_what_people_do_is_not() {
        for path in ["/app.js", "/_/0123/style/all.css", "/healthz", "/api/v1/healthz", "/metrics"] {
            assert!(is_usual(path), "{path}");
        }
        for path in ["/", "/game/abc", "/api/v1/games", "/api/v1/games/abc/moves", "/api/v1/opinion"] {
            assert!(!is_usual(path), "{path}");
        }
    }
}

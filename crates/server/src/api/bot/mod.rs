//! The interface for programs that play, in the shape that their authors know from other servers: streams of lines, challenges,
//! moves by a path.

pub(crate) mod account;
pub(crate) mod challenge;
pub(crate) mod events;
pub(crate) mod game;
pub(crate) mod identity;
pub(crate) mod wish;

use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::domain::error::{AppError, Cause};
use crate::http::ndjson::{self, Gone, Lines};
use crate::state::App;
use identity::Identity;

/// All paths below `/api`.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/account", get(account::get))
        .route("/token/test", post(account::test))
        .route("/bot/online", get(account::online))
        .route("/bot/capabilities", get(account::capabilities).put(account::declare))
        .route("/stream/event", get(events::stream))
        .route("/bot/game/stream/{id}", get(game::stream))
        .route("/bot/game/{id}/move/{move}", post(game::play))
        .route("/bot/game/{id}/abort", post(game::abort))
        .route("/bot/game/{id}/resign", post(game::resign))
        .route("/bot/game/{id}/draw/{answer}", post(game::draw))
        .route("/bot/game/{id}/takeback/{answer}", post(game::takeback))
        .route("/bot/game/{id}/chat", post(game::chat))
        .route("/challenge", get(challenge::list))
        .route("/challenge/{id}", get(challenge::get).post(challenge::create))
        .route("/challenge/{id}/accept", post(challenge::accept))
        .route("/challenge/{id}/decline", post(challenge::decline))
        .route("/challenge/{id}/cancel", post(challenge::cancel))
        .method_not_allowed_fallback(async || Cause::MethodUnknown {}.at("method"))
}

/// It is done.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    ok: bool,
}

/// The answer to what has nothing to say.
pub(super) const DONE: Json<Done> = Json(Done { ok: true });

/// How often streams of this server say that they still hold, and by what they hear of its end.
pub(in crate::api) fn line(app: &App) -> (Duration, watch::Receiver<bool>) {
    (Duration::from_millis(app.config.keep_alive_ms), app.ending.subscribe())
}

/// An answer of lines to somebody, within what their account and their address may have. It ends when their token is revoked.
pub(super) fn stream<Fut>(me: &Identity, run: impl FnOnce(Lines) -> Fut) -> Result<Response, AppError>
where
    Fut: Future<Output = Result<(), Gone>> + Send + 'static,
{
    let app = &me.app;
    let held = (app.door.shares.socket(me.client)?, app.door.programs.stream(me.person.id)?);
    let shut = me.until_shut();
    Ok(ndjson::answer(line(app), held, |lines| {
        let work = run(lines);
        async move {
            tokio::select! {
                done = work => done,
                () = shut => Ok(()),
            }
        }
    }))
}

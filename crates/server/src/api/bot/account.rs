//! Accounts as programs see them: one's own, those of programs that are here, what a program accepts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::identity::{Anybody, Identity};
use super::{DONE, Done};
use crate::api::find_layout;
use crate::domain::bot::{Capabilities, Scope};
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::ids;
use crate::domain::permit::Action;
use crate::domain::person::Person;
use crate::http::extract::{Body, QueryParams, read};
use crate::http::ndjson::KIND;
use crate::live::feeds::Listed;
use crate::state::App;
use crate::store::Write;
use crate::store::bots::{Bot, BotWrite};
use crate::view::bot::AccountView;

/// Programs that are listed at most.
const MOST_LISTED: usize = 500;
/// So long the list stays as it is: each line takes three queries.
const LISTED: Duration = Duration::from_secs(2);
/// Tokens that are looked at in one request, and the longest body with them.
const MOST_TESTED: usize = 100;
const LONGEST: usize = 8 << 10;

async fn view(app: &App, person: &Person) -> Result<AccountView, AppError> {
    let standings = app.store.standings(person.id).await?;
    Ok(AccountView::new(person, &standings, now()))
}

async fn bot_view(app: &App, bot: Bot) -> Result<AccountView, AppError> {
    let playing = app.store.running(bot.person.id).await?.len();
    Ok(view(app, &bot.person).await?.of_bot(bot, playing))
}

/// The account that the token opens
#[utoipa::path(get, operation_id = "get_own_account", path = "/api/account", tag = "bot",
    security(("token" = [])), responses((status = 200, body = AccountView)))]
pub(crate) async fn get(me: Identity) -> Result<Json<AccountView>, AppError> {
    match me.app.store.bot(me.person.id).await? {
        Some(bot) => bot_view(&me.app, bot).await.map(Json),
        None => view(&me.app, &me.person).await.map(Json),
    }
}

/// What to list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnlineQuery {
    nb: Option<usize>,
}

/// The programs that are here now, with what they accept, one a line
#[utoipa::path(get, operation_id = "list_online_bots", path = "/api/bot/online", tag = "bot",
    params(("nb" = Option<usize>, Query, description = "how many at most")),
    responses((status = 200, body = AccountView, content_type = "application/x-ndjson")))]
pub(crate) async fn online(
    anybody: Anybody,
    QueryParams(query): QueryParams<OnlineQuery>,
) -> Result<Response, AppError> {
    let app = anybody.app;
    let most = query.nb.unwrap_or(MOST_LISTED).min(MOST_LISTED);
    let lines = lines(&app).await?;
    let text = lines.iter().take(most).flatten().copied().collect::<Vec<u8>>();
    Ok(([(axum::http::header::CONTENT_TYPE, KIND)], text).into_response())
}

/// The programs that are here, a line each: made once for all who ask within some seconds, unless somebody comes or leaves.
async fn lines(app: &App) -> Result<Arc<Vec<Vec<u8>>>, AppError> {
    let mut listed = app.feeds.listed.lock().await;
    let here = app.feeds.online();
    if let Some(known) = &*listed
        && known.at.elapsed() < LISTED
        && known.here == here
    {
        return Ok(Arc::clone(&known.lines));
    }
    let mut lines = Vec::new();
    for &person in &here {
        if lines.len() >= MOST_LISTED {
            break;
        }
        let Some(bot) = app.store.bot(person).await? else { continue };
        let mut line = serde_json::to_vec(&bot_view(app, bot).await?).expect("plain data");
        line.push(b'\n');
        lines.push(line);
    }
    let lines = Arc::new(lines);
    *listed = Some(Listed { at: Instant::now(), here, lines: Arc::clone(&lines) });
    Ok(lines)
}

/// What the program accepts
#[utoipa::path(get, operation_id = "get_capabilities", path = "/api/bot/capabilities", tag = "bot",
    security(("token" = [])), responses((status = 200, body = Capabilities)))]
pub(crate) async fn capabilities(me: Identity) -> Result<Json<Capabilities>, AppError> {
    me.check(Action::PlayAsBot, &[Scope::Play])?;
    let bot = me.app.store.bot(me.person.id).await?.ok_or_else(|| Cause::TokenWrong {}.at("token"))?;
    Ok(Json(bot.accepts))
}

/// Say what the program accepts: nobody can challenge it to anything else
#[utoipa::path(put, operation_id = "put_capabilities", path = "/api/bot/capabilities", tag = "bot",
    security(("token" = [])), request_body = Capabilities, responses((status = 200, body = Done)))]
pub(crate) async fn declare(me: Identity, Body(accepts): Body<Capabilities>) -> Result<Json<Done>, AppError> {
    me.check(Action::PlayAsBot, &[Scope::Play])?;
    let mut accepts = accepts.checked()?;
    let names = accepts.layouts.iter().map(|name| find_layout(name).map(|layout| layout.name.to_string()));
    accepts.layouts = names.collect::<Result<_, _>>().map_err(|error| error.at("layouts"))?;
    accepts.layouts.sort();
    accepts.layouts.dedup();
    me.app.store.write(Write::Bot(Box::new(BotWrite::Accepts { bot: me.person.id, accepts }))).await?;
    Ok(DONE)
}

/// What is known of a token.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TestedToken {
    user_id: String,
    /// With commas between them.
    scopes: String,
    /// In milliseconds since 1970; null if it never does.
    expires: Option<i64>,
}

/// Whose tokens these are: a text with commas between them. Those that open nothing are null
#[utoipa::path(post, operation_id = "test_tokens", path = "/api/token/test", tag = "bot",
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Object)))]
pub(crate) async fn test(
    anybody: Anybody,
    request: Request,
) -> Result<Json<BTreeMap<String, Option<TestedToken>>>, AppError> {
    let body = read(request, LONGEST).await?;
    let text = String::from_utf8_lossy(&body);
    let tokens = text.split(',').map(str::trim).filter(|token| !token.is_empty());
    let mut found = BTreeMap::new();
    for token in tokens.take(MOST_TESTED) {
        let known = anybody.app.store.token(&ids::hashed(token)).await?;
        let known = known.filter(|(_, kept)| kept.expires.is_none_or(|expires| now() < expires));
        let tested = known.map(|(person, kept)| TestedToken {
            user_id: person.name.to_lowercase(),
            scopes: kept.scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(","),
            expires: kept.expires,
        });
        found.insert(token.to_string(), tested);
    }
    Ok(Json(found))
}

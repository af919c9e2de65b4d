//! Programs of one's own: their accounts, and the tokens that open those.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::me::Me;
use crate::domain::bot::{Capabilities, LONGEST_DAYS, MOST_BOTS, MOST_TOKENS, PREFIX, Scope};
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::ids;
use crate::domain::permit::Action;
use crate::domain::person::{PersonId, PersonName};
use crate::http::extract::{Body, PathId};
use crate::live::feeds::Shut;
use crate::live::uncancelled;
use crate::state::App;
use crate::store::bots::{Bot, BotWrite, KeptToken};
use crate::store::{Reply, Write};

const DAY: i64 = 24 * 3600 * 1000;
/// Letters of a token's note.
const LONGEST_NOTE: usize = 60;

/// A token, without what opens anything.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TokenView {
    id: String,
    /// What its owner calls it.
    note: String,
    scopes: Vec<Scope>,
    /// Milliseconds since 1970.
    created: i64,
    /// When it opens nothing any more; null for never.
    expires: Option<i64>,
    /// When it was last used, to the hour.
    seen: Option<i64>,
}

impl From<KeptToken> for TokenView {
    fn from(token: KeptToken) -> TokenView {
        let KeptToken { id, note, scopes, created, expires, seen } = token;
        TokenView { id, note, scopes, created, expires, seen }
    }
}

/// A program.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BotView {
    name: String,
    created: i64,
    /// Whether it is here now.
    online: bool,
    accepts: Capabilities,
    tokens: Vec<TokenView>,
}

/// One's programs.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bots {
    bots: Vec<BotView>,
    /// How many one may have.
    most_bots: usize,
    /// How many tokens each may have.
    most_tokens: usize,
}

/// A program to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBot {
    /// As names of people are.
    name: String,
}

/// A token to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// What it is for.
    note: Option<String>,
    /// What it is good for; `bot:play`, which is everything, if it is not given.
    scopes: Option<Vec<Scope>>,
    /// Days after which it opens nothing any more; it is good for ever if that is not given.
    days: Option<u64>,
}

/// A new token.
#[derive(Serialize, ToSchema)]
pub(crate) struct GivenToken {
    /// What opens the program's account. It is told this once.
    secret: String,
    token: TokenView,
}

async fn view(app: &App, bot: Bot) -> Result<BotView, AppError> {
    let tokens = app.store.tokens(bot.person.id).await?;
    Ok(BotView {
        online: app.feeds.is_online(bot.person.id),
        name: bot.person.name,
        created: bot.person.created,
        accepts: bot.accepts,
        tokens: tokens.into_iter().map(TokenView::from).collect(),
    })
}

/// One's program with this name.
async fn own(me: &Me, name: &str) -> Result<Bot, AppError> {
    let session = me.may(Action::OwnBots)?;
    let bots = me.app.store.bots_of(Some(session.person.id)).await?;
    let found = bots.into_iter().find(|bot| bot.person.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| Cause::BotUnknown {}.at("name"))
}

async fn write(app: &App, change: BotWrite) -> Result<Reply, AppError> {
    app.store.write(Write::Bot(Box::new(change))).await
}

/// One's bots and their tokens
#[utoipa::path(get, operation_id = "list_bots", path = "/api/v1/account/bots", tag = "account",
    responses((status = 200, body = Bots)))]
pub(crate) async fn list(me: Me) -> Result<Json<Bots>, AppError> {
    let session = me.may(Action::OwnBots)?;
    let mut bots = Vec::new();
    for bot in me.app.store.bots_of(Some(session.person.id)).await? {
        bots.push(view(&me.app, bot).await?);
    }
    Ok(Json(Bots { bots, most_bots: MOST_BOTS, most_tokens: MOST_TOKENS }))
}

/// Make an account for a bot
#[utoipa::path(post, operation_id = "create_bot", path = "/api/v1/account/bots", tag = "account",
    request_body = NewBot, responses((status = 201, body = BotView)))]
pub(crate) async fn create(
    me: Me,
    Body(request): Body<NewBot>,
) -> Result<(StatusCode, Json<BotView>), AppError> {
    let owner = me.may(Action::OwnBots)?.person.id;
    let name = PersonName::new(&request.name)?;
    uncancelled(async move {
        let new = BotWrite::New { name, owner, at: now(), most: MOST_BOTS };
        match write(&me.app, new).await? {
            Reply::Person(bot) => Ok((StatusCode::CREATED, Json(made(&me.app, bot).await?))),
            Reply::Full => Err(Cause::BotsFull { most: MOST_BOTS }.into()),
            _ => Err(Cause::NameTaken {}.at("name")),
        }
    })
    .await
}

async fn made(app: &App, bot: PersonId) -> Result<BotView, AppError> {
    let bot = app.store.bot(bot).await?.ok_or_else(AppError::internal)?;
    view(app, bot).await
}

/// Close a bot's account: the name goes
#[utoipa::path(delete, operation_id = "close_bot", path = "/api/v1/account/bots/{name}", tag = "account",
    params(("name" = String, Path)), responses((status = 204)))]
pub(crate) async fn close(me: Me, PathId(name): PathId) -> Result<StatusCode, AppError> {
    let person = own(&me, &name).await?.person.id;
    uncancelled(async move { me.app.close_person(person, None).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a token for a bot; the answer has it, this once
#[utoipa::path(post, operation_id = "create_token", path = "/api/v1/account/bots/{name}/tokens", tag = "account",
    params(("name" = String, Path)), request_body = NewToken, responses((status = 201, body = GivenToken)))]
pub(crate) async fn give(
    me: Me,
    PathId(name): PathId,
    Body(request): Body<NewToken>,
) -> Result<(StatusCode, Json<GivenToken>), AppError> {
    let bot = own(&me, &name).await?.person.id;
    let note = request.note.unwrap_or_default().trim().to_string();
    if note.chars().count() > LONGEST_NOTE || note.chars().any(char::is_control) {
        return Err(Cause::TextTooLong { most: LONGEST_NOTE }.at("note"));
    }
    if let Some(days) = request.days {
        within("days", days, 1, LONGEST_DAYS)?;
    }
    let mut scopes = request.scopes.unwrap_or_default();
    scopes.dedup();
    scopes.truncate(Scope::ALL.len());
    if scopes.is_empty() {
        scopes.push(Scope::Play);
    }
    uncancelled(async move {
        let (secret, created) = (format!("{PREFIX}{}", ids::key()), now());
        let expires = request.days.map(|days| created + days as i64 * DAY);
        let token = KeptToken { id: ids::id(), note, scopes, created, expires, seen: None };
        let (hash, kept) = (ids::hashed(&secret), token.clone());
        let new = BotWrite::Token { bot, hash, token: kept, most: MOST_TOKENS };
        match write(&me.app, new).await? {
            Reply::Refused => Err(Cause::TokensFull { most: MOST_TOKENS }.into()),
            _ => Ok((StatusCode::CREATED, Json(GivenToken { secret, token: token.into() }))),
        }
    })
    .await
}

/// Revoke a token
#[utoipa::path(delete, operation_id = "revoke_token", path = "/api/v1/account/bots/{name}/tokens/{id}", tag = "account",
    params(("name" = String, Path), ("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn revoke(
    me: Me,
    Path((name, token)): Path<(String, String)>,
) -> Result<StatusCode, AppError> {
    let bot = own(&me, &name).await?.person.id;
    uncancelled(async move {
        match write(&me.app, BotWrite::Revoke { bot, token: token.clone() }).await? {
            Reply::Refused => Err(Cause::TokenUnknown {}.at("id")),
            _ => {
                me.app.feeds.shut(Shut::Token(token));
                Ok(StatusCode::NO_CONTENT)
            }
        }
    })
    .await
}

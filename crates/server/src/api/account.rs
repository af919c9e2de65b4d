//! Accounts: made, opened, changed and closed by those whose they are.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::me::Me;
use crate::domain::error::{AppError, Cause};
use crate::domain::keys::KeyHash;
use crate::domain::permit::Action;
use crate::domain::person::{Person, PersonId, PersonName, Role};
use crate::domain::{ids, password};
use crate::http::cookie;
use crate::http::extract::{Body, PathId};
use crate::live::uncancelled;
use crate::state::App;
use crate::store::people::{PersonWrite, Session};
use crate::store::query::{Filter, ListOrder, Page, PageQuery};
use crate::store::{Reply, Write};
use crate::view::chat::ChatLineView;
use crate::view::game::GameSummary;
use crate::view::person::{PersonRatingView, PersonView, ProfileView, SessionView};
use crate::view::playing::PlayingView;
use crate::view::record::{AgainstView, FavouriteView, RecordView};

/// Codes for a lost password that somebody has at first.
const CODES: usize = 8;

/// Name and password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    name: String,
    password: String,
}

/// Name, one of the codes, and the password to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recover {
    name: String,
    code: String,
    /// The new one.
    password: String,
}

/// The password that is, and the one to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangePassword {
    current: String,
    /// The new one.
    password: String,
}

/// The password, to show that it is really its owner who asks.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Confirm {
    password: String,
}

/// Who is logged in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    /// Nobody if there is no session.
    person: Option<PersonView>,
}

/// A new account.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewAccount {
    person: PersonView,
    /// Each opens the account once when the password is lost. They are told this once.
    recovery: Vec<String>,
}

/// Codes for a lost password.
#[derive(Serialize, ToSchema)]
pub(crate) struct Recovery {
    /// Each opens the account once. They are told this once.
    recovery: Vec<String>,
}

/// Where somebody is logged in, and how many codes are left.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sessions {
    sessions: Vec<SessionView>,
    recovery_codes: u64,
}

/// What somebody plays.
#[derive(Serialize, ToSchema)]
pub(crate) struct Playing {
    games: Vec<PlayingView>,
}

/// All that is kept of somebody.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    profile: ProfileView,
    sessions: Vec<SessionView>,
    /// All games; `/api/v1/games/{id}/apgn` has the record of each.
    games: Vec<GameSummary>,
    /// What one has said.
    chat: Vec<SaidView>,
    /// Whom one has blocked.
    blocked: Vec<String>,
}

/// Something that somebody has said.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaidView {
    /// The id of the game.
    game: String,
    line: ChatLineView,
}

/// Games that are read at a time.
const PAGE: u32 = 500;

/// All games of a person, the oldest first.
async fn all_games(app: &App, person: PersonId) -> Result<Vec<GameSummary>, AppError> {
    let filter = Filter { person: Some(person), ..Filter::default() };
    let mut page = PageQuery { filter, order: ListOrder::Oldest, after: None, limit: PAGE };
    let mut all = Vec::new();
    loop {
        let Page { games, next, .. } = app.store.list(&page).await?;
        all.extend(games.into_iter().map(GameSummary::from));
        page.after = next;
        if page.after.is_none() {
            return Ok(all);
        }
    }
}

/// Writes a change of an account; says whether it was made.
async fn write(app: &App, change: PersonWrite) -> Result<Reply, AppError> {
    app.store.write(Write::Person(Box::new(change))).await
}

/// What is kept of a password. It takes a thread a while, so that a client has only so many at a time.
async fn hashed(me: &Me, text: String) -> Result<String, AppError> {
    me.app.builds.run(me.client, move || password::hashed(&text)).await
}

async fn is_right(me: &Me, text: String, kept: Option<String>) -> Result<bool, AppError> {
    me.app.builds.run(me.client, move || Ok(password::is_right(&text, kept.as_deref()))).await
}

/// Codes, and what is kept of them.
fn codes() -> (Vec<String>, Vec<KeyHash>) {
    let codes: Vec<String> = (0..CODES).map(|_| ids::id()).collect();
    let kept = codes.iter().map(|code| ids::hashed(code)).collect();
    (codes, kept)
}

/// An answer that gives the browser its token.
fn logged_in(me: &Me, token: &str, answer: impl IntoResponse) -> Response {
    ([(header::SET_COOKIE, cookie::set(token, &me.app.config))], answer).into_response()
}

/// Refuses whoever does not know the password of the account that is open.
async fn confirm(me: &Me, session: &Session, text: String) -> Result<(), AppError> {
    let counted = me.app.door.logins.try_in(me.client, &session.person.name, true)?;
    if !is_right(me, text, session.password.clone()).await? {
        return Err(Cause::PasswordWrong {}.at("password"));
    }
    counted.succeeded();
    Ok(())
}

/// Whether somebody from this address is or was logged in as this person.
async fn is_known(me: &Me, person: PersonId) -> Result<bool, AppError> {
    let owner = me.app.owner(me.client);
    Ok(me.app.store.sessions(person).await?.iter().any(|session| session.owner == owner))
}

/// Make an account; the answer logs in
#[utoipa::path(post, operation_id = "sign_up", path = "/api/v1/account", tag = "account",
    request_body = Login, responses((status = 201, body = NewAccount)))]
pub(crate) async fn sign_up(me: Me, Body(login): Body<Login>) -> Result<Response, AppError> {
    me.check(Action::SignUp)?;
    let name = PersonName::new(&login.name)?;
    password::check(&login.password, name.as_str())?;
    me.app.door.logins.sign_up(me.client)?;
    let password = hashed(&me, login.password).await?;
    uncancelled(async move {
        let (token, session) = me.new_session();
        let (codes, recovery) = codes();
        let (role, created) = (Role::Person, session.at);
        let person = PersonView { name: name.to_string(), role, created };
        match write(&me.app, PersonWrite::New { name, role, password, recovery, session }).await? {
            Reply::Refused => Err(Cause::NameTaken {}.at("name")),
            _ => {
                let answer = (StatusCode::CREATED, Json(NewAccount { person, recovery: codes }));
                Ok(logged_in(&me, &token, answer))
            }
        }
    })
    .await
}

/// Log in
#[utoipa::path(post, operation_id = "log_in", path = "/api/v1/account/login", tag = "account",
    request_body = Login, responses((status = 200, body = Account)))]
pub(crate) async fn log_in(me: Me, Body(login): Body<Login>) -> Result<Response, AppError> {
    me.check(Action::LogIn)?;
    let (person, kept) = me.app.store.person(login.name.trim()).await?.unzip();
    let known = match &person {
        Some(person) => is_known(&me, person.id).await?,
        None => false,
    };
    let counted = me.app.door.logins.try_in(me.client, login.name.trim(), known)?;
    let right = is_right(&me, login.password, kept.flatten()).await?;
    let person = person.filter(|_| right).ok_or_else(|| Cause::LoginWrong {}.at("password"))?;
    counted.succeeded();
    let view = PersonView::from(&person);
    uncancelled(async move {
        let (token, session) = me.new_session();
        write(&me.app, PersonWrite::LogIn { person: person.id, session }).await?;
        Ok(logged_in(&me, &token, Json(Account { person: Some(view) })))
    })
    .await
}

/// Replace a lost password with one of the account's codes; the answer logs in, and all other sessions end
#[utoipa::path(post, operation_id = "recover_account", path = "/api/v1/account/recover", tag = "account",
    request_body = Recover, responses((status = 200, body = Account)))]
pub(crate) async fn recover(me: Me, Body(request): Body<Recover>) -> Result<Response, AppError> {
    me.check(Action::LogIn)?;
    let name = request.name.trim();
    password::check(&request.password, name)?;
    let person = me.app.store.person(name).await?.map(|(person, _)| person);
    let known = match &person {
        Some(person) => is_known(&me, person.id).await?,
        None => false,
    };
    let counted = me.app.door.logins.try_in(me.client, name, known)?;
    // Hashed for a name that nobody has as well: it takes as long.
    let password = hashed(&me, request.password).await?;
    let wrong = || Cause::RecoveryWrong {}.at("code");
    let person = person.ok_or_else(wrong)?;
    let (token, session) = me.new_session();
    let code = ids::hashed(&request.code.trim().to_ascii_lowercase());
    let view = PersonView::from(&person);
    let change = PersonWrite::Recover { person: person.id, code, password, session };
    let app = me.app.clone();
    let reply = uncancelled(async move { write(&app, change).await }).await?;
    if reply == Reply::Refused {
        return Err(wrong());
    }
    counted.succeeded();
    Ok(logged_in(&me, &token, Json(Account { person: Some(view) })))
}

/// Log out here
#[utoipa::path(post, operation_id = "log_out", path = "/api/v1/account/logout", tag = "account",
    responses((status = 204)))]
pub(crate) async fn log_out(me: Me) -> Result<Response, AppError> {
    let session = me.may(Action::OwnAccount)?;
    let change = PersonWrite::LogOut { person: session.person.id, session: session.id.clone() };
    write(&me.app, change).await?;
    let gone = [(header::SET_COOKIE, cookie::clear(&me.app.config))];
    Ok((StatusCode::NO_CONTENT, gone).into_response())
}

/// Who is logged in
#[utoipa::path(get, operation_id = "get_account", path = "/api/v1/account", tag = "account",
    responses((status = 200, body = Account)))]
pub(crate) async fn get(me: Me) -> Json<Account> {
    Json(Account { person: me.person().map(PersonView::from) })
}

/// Where somebody is logged in, the one that asks marked.
async fn listed(me: &Me, session: &Session) -> Result<Vec<SessionView>, AppError> {
    let sessions = me.app.store.sessions(session.person.id).await?;
    Ok(sessions.into_iter().map(|kept| SessionView::new(kept, &session.id)).collect())
}

/// Where one is logged in
#[utoipa::path(get, operation_id = "list_sessions", path = "/api/v1/account/sessions", tag = "account",
    responses((status = 200, body = Sessions)))]
pub(crate) async fn sessions(me: Me) -> Result<Json<Sessions>, AppError> {
    let session = me.may(Action::OwnAccount)?;
    let recovery_codes = me.app.store.recovery_codes(session.person.id).await?;
    Ok(Json(Sessions { sessions: listed(&me, session).await?, recovery_codes }))
}

/// Log out everywhere else
#[utoipa::path(delete, operation_id = "end_other_sessions", path = "/api/v1/account/sessions", tag = "account",
    responses((status = 204)))]
pub(crate) async fn end_others(me: Me) -> Result<StatusCode, AppError> {
    let session = me.may(Action::OwnAccount)?;
    let change = PersonWrite::LogOutElsewhere { person: session.person.id, session: session.id.clone() };
    write(&me.app, change).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Log out somewhere
#[utoipa::path(delete, operation_id = "end_session", path = "/api/v1/account/sessions/{id}", tag = "account",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn end_session(me: Me, PathId(id): PathId) -> Result<StatusCode, AppError> {
    let session = me.may(Action::OwnAccount)?;
    match write(&me.app, PersonWrite::LogOut { person: session.person.id, session: id }).await? {
        Reply::Refused => Err(Cause::SessionUnknown {}.at("id")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Change the password; all other sessions end
#[utoipa::path(put, operation_id = "change_password", path = "/api/v1/account/password", tag = "account",
    request_body = ChangePassword, responses((status = 204)))]
pub(crate) async fn change_password(
    me: Me,
    Body(request): Body<ChangePassword>,
) -> Result<StatusCode, AppError> {
    let session = me.may(Action::OwnAccount)?;
    password::check(&request.password, &session.person.name)?;
    confirm(&me, session, request.current).await.map_err(|error| error.at("current"))?;
    let password = hashed(&me, request.password).await?;
    let change = PersonWrite::Password { person: session.person.id, password, session: session.id.clone() };
    write(&me.app, change).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Other codes for a lost password; those of before open nothing any more
#[utoipa::path(post, operation_id = "renew_recovery", path = "/api/v1/account/recovery", tag = "account",
    request_body = Confirm, responses((status = 201, body = Recovery)))]
pub(crate) async fn renew_recovery(
    me: Me,
    Body(request): Body<Confirm>,
) -> Result<(StatusCode, Json<Recovery>), AppError> {
    let session = me.may(Action::OwnAccount)?;
    confirm(&me, session, request.password).await?;
    let (codes, recovery) = codes();
    write(&me.app, PersonWrite::Recovery { person: session.person.id, recovery }).await?;
    Ok((StatusCode::CREATED, Json(Recovery { recovery: codes })))
}

/// Close the account: the name goes
#[utoipa::path(post, operation_id = "close_account", path = "/api/v1/account/close", tag = "account",
    request_body = Confirm, responses((status = 204)))]
pub(crate) async fn close(me: Me, Body(request): Body<Confirm>) -> Result<Response, AppError> {
    let session = me.may(Action::OwnAccount)?;
    confirm(&me, session, request.password).await?;
    let (app, person) = (me.app.clone(), session.person.id);
    uncancelled(async move { app.close_person(person, None).await }).await?;
    let gone = [(header::SET_COOKIE, cookie::clear(&me.app.config))];
    Ok((StatusCode::NO_CONTENT, gone).into_response())
}

/// All that is kept of one
#[utoipa::path(get, operation_id = "export_account", path = "/api/v1/account/export", tag = "account",
    responses((status = 200, body = Export)))]
pub(crate) async fn export(me: Me) -> Result<Response, AppError> {
    let session = me.may(Action::OwnAccount)?;
    let name = format!("attachment; filename=\"{}.json\"", session.person.name);
    let sessions = listed(&me, session).await?;
    let person = session.person.id;
    let said = me.app.store.said_by(person).await?.into_iter();
    let export = Export {
        profile: profile(&me.app, &session.person).await?,
        sessions,
        games: all_games(&me.app, person).await?,
        chat: said.map(|(game, line)| SaidView { game, line: ChatLineView::from(&line) }).collect(),
        blocked: me.app.store.blocked(person).await?,
    };
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(export)).into_response())
}

/// Games that one plays now against others, those that wait for longest first
#[utoipa::path(get, operation_id = "list_playing", path = "/api/v1/account/playing", tag = "account",
    responses((status = 200, body = Playing)))]
pub(crate) async fn playing(me: Me) -> Result<Json<Playing>, AppError> {
    let session = me.may(Action::OwnAccount)?;
    let games = me.app.store.playing(session.person.id).await?;
    Ok(Json(Playing { games: games.into_iter().map(PlayingView::from).collect() }))
}

/// Somebody with an account
#[utoipa::path(get, operation_id = "get_person", path = "/api/v1/people/{name}", tag = "account",
    params(("name" = String, Path)), responses((status = 200, body = ProfileView)))]
pub(crate) async fn person(me: Me, PathId(name): PathId) -> Result<Json<ProfileView>, AppError> {
    let person = me.app.person(&name).await?;
    profile(&me.app, &person).await.map(Json)
}

/// How somebody has done: against whom, with which openings
#[utoipa::path(get, operation_id = "get_person_record", path = "/api/v1/people/{name}/record", tag = "account",
    params(("name" = String, Path)), responses((status = 200, body = RecordView)))]
pub(crate) async fn record(me: Me, PathId(name): PathId) -> Result<Json<RecordView>, AppError> {
    let person = me.app.person(&name).await?.id;
    let opponents = me.app.store.against(person).await?.into_iter().map(AgainstView::from).collect();
    let openings = me.app.store.favourites(person).await?.into_iter().filter_map(FavouriteView::new);
    Ok(Json(RecordView { opponents, openings: openings.collect() }))
}

/// A person with what they have played.
async fn profile(app: &App, person: &Person) -> Result<ProfileView, AppError> {
    let mut standings = app.store.standings(person.id).await?;
    standings.sort_by_key(|(class, _)| *class);
    let mut ratings = Vec::with_capacity(standings.len());
    for (class, standing) in standings {
        let curve = app.store.curve(person.id, class).await?;
        ratings.push(PersonRatingView::new(class, &standing, &curve));
    }
    Ok(ProfileView { person: PersonView::from(person), ratings })
}

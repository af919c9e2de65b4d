//! Tournaments: planned, joined, directed and read.

use axum::Json;
use axum::body::{Body as AnswerBody, Bytes};
use axum::extract::ws::{Utf8Bytes, WebSocket};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use sumito_rules::Notation;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use utoipa::{IntoParams, ToSchema};

use super::find_layout;
use super::me::Me;
use super::socket::{
    End, Received, SocketListener, SocketOpening, gathered, reply, send, trouble, unknown_type,
};
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::ids;
use crate::domain::permit::Action;
use crate::domain::person::Person;
use crate::domain::tournament::change::Applicant;
use crate::domain::tournament::settings::{MOST_DAYS_AHEAD, Settings, Welcome};
use crate::domain::tournament::{Change, Tournament};
use crate::http::extract::{Body, PathId, QueryParams, message};
use crate::live::tournaments::Telling;
use crate::live::uncancelled;
use crate::state::App;
use crate::store::Write;
use crate::store::peace::PeaceWrite;
use crate::store::tournaments::{NewTournament, TournamentList};
use crate::view::game::ClockView;
use crate::view::tournament::{
    CrossRowView, SystemView, TournamentEvent, TournamentGame, TournamentSummary, TournamentView, cross_rows,
    csv, text, told,
};

/// A tournament begins so much later if nothing else is said.
const SOON: i64 = 5 * 60_000;
/// Tournaments that are not over in one answer: as many as there may be.
const MOST_LISTED: u32 = 200;

/// A tournament to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTournamentRequest {
    name: String,
    system: SystemView,
    /// A layout's name, or `random` for another one in each round; the Belgian Daisy if it is not given.
    layout: Option<String>,
    clock: ClockView,
    /// Whether ratings change; they do unless it is said otherwise.
    rated: Option<bool>,
    /// Who may join: everybody unless it is said otherwise.
    welcome: Option<Welcome>,
    /// Whether one may join after it has begun; one may unless it is said otherwise, but never a round robin.
    late: Option<bool>,
    /// When it begins, in milliseconds since 1970: in five minutes if it is not given.
    starts: Option<i64>,
}

/// Which tournaments.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentQuery {
    /// Those that are over instead of those that are not.
    over: Option<bool>,
    /// Those that ended before this moment, in milliseconds since 1970.
    before: Option<i64>,
    /// How many of those that are over: 1 to 100, 20 if not given.
    limit: Option<u32>,
}

/// Some games of a tournament.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentGamesQuery {
    /// A round, from 1; the last one if it is not given.
    round: Option<u32>,
}

/// Tournaments in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentPage {
    tournaments: Vec<TournamentSummary>,
}

/// The games of a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentRound {
    round: u32,
    games: Vec<TournamentGame>,
}

/// The cross table.
#[derive(Serialize, ToSchema)]
pub(crate) struct CrossTable {
    /// What decides between players with as many points, in this order.
    #[schema(value_type = Vec<String>)]
    tie_breaks: Vec<&'static str>,
    /// The first one first.
    rows: Vec<CrossRowView>,
}

impl NewTournamentRequest {
    fn settings(&self) -> Result<Settings, AppError> {
        let layout = match self.layout.as_deref() {
            None => Some(find_layout("belgian-daisy")?),
            Some("random") => None,
            Some(name) => Some(find_layout(name)?),
        };
        let settings = Settings {
            name: self.name.trim().to_string(),
            system: self.system.checked()?,
            layout,
            clock: self.clock.checked()?.into(),
            rated: self.rated.unwrap_or(true),
            welcome: self.welcome.unwrap_or(Welcome::Both),
            late: self.late.unwrap_or(true),
        };
        settings.check().map(|()| settings)
    }

    fn starts(&self, at: i64) -> Result<i64, AppError> {
        let starts = self.starts.unwrap_or(at + SOON);
        let latest = at + MOST_DAYS_AHEAD as i64 * 24 * 3_600_000;
        // The sender's clock may be behind.
        if (at - SOON..=latest).contains(&starts) {
            return Ok(starts.max(at));
        }
        Err(Cause::TournamentStarts { days: MOST_DAYS_AHEAD }.at("starts"))
    }
}

fn view(tournament: &Tournament) -> Json<TournamentView> {
    Json(TournamentView::new(tournament))
}

/// Plan a tournament
#[utoipa::path(post, operation_id = "create_tournament", path = "/api/v1/tournaments", tag = "tournaments",
    request_body = NewTournamentRequest, responses((status = 201, body = TournamentView)))]
pub(crate) async fn create(
    me: Me,
    Body(request): Body<NewTournamentRequest>,
) -> Result<(StatusCode, Json<TournamentView>), AppError> {
    let person = me.may(Action::MakeTournament)?.person.clone();
    let created = now();
    let settings = request.settings()?;
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|_| AppError::internal())?;
    let new = NewTournament {
        id: ids::id(),
        by: person.id,
        settings,
        seed: u64::from_le_bytes(seed),
        created,
        starts: request.starts(created)?,
    };
    let app = me.app.clone();
    let planned = uncancelled(async move { app.plan(new).await }).await?;
    Ok((StatusCode::CREATED, view(&planned)))
}

/// Tournaments that are planned or under way, or those that are over
#[utoipa::path(get, operation_id = "list_tournaments", path = "/api/v1/tournaments", tag = "tournaments",
    params(TournamentQuery), responses((status = 200, body = TournamentPage)))]
pub(crate) async fn list(
    me: Me,
    QueryParams(query): QueryParams<TournamentQuery>,
) -> Result<Json<TournamentPage>, AppError> {
    let limit = query.limit.unwrap_or(20);
    within("limit", limit, 1, 100)?;
    let found = if query.over == Some(true) {
        let before = query.before.unwrap_or(i64::MAX);
        me.app.store.tournaments(TournamentList::Over { before }, limit).await?
    } else {
        me.app.store.tournaments(TournamentList::Open, MOST_LISTED).await?
    };
    Ok(Json(TournamentPage { tournaments: found.into_iter().map(TournamentSummary::from).collect() }))
}

/// A tournament with its standings
#[utoipa::path(get, operation_id = "get_tournament", path = "/api/v1/tournaments/{id}", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn get(me: Me, PathId(id): PathId) -> Result<Response, AppError> {
    let tell = |tournament: &Tournament| Ok(as_text(&TournamentView::new(tournament)));
    Ok(as_json(me.app.told(&id, Telling::View, tell).await?))
}

fn as_text(value: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(value).expect("plain data").into()
}

/// An answer that is written already.
fn as_json(text: Utf8Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Bytes::from(text)).into_response()
}

/// The games of a round
#[utoipa::path(get, operation_id = "list_tournament_games", path = "/api/v1/tournaments/{id}/games", tag = "tournaments",
    params(("id" = String, Path), TournamentGamesQuery), responses((status = 200, body = TournamentRound)))]
pub(crate) async fn games(
    me: Me,
    PathId(id): PathId,
    QueryParams(query): QueryParams<TournamentGamesQuery>,
) -> Result<Json<TournamentRound>, AppError> {
    let tournament = me.app.tournament(&id).await?;
    let begun = tournament.rounds_begun();
    let round = query.round.unwrap_or(begun);
    within("round", round, u64::from(begun.min(1)), begun.into())?;
    let boards = round.checked_sub(1).map_or(&[][..], |round| tournament.boards_of(round));
    let games = boards.iter().map(|board| TournamentGame::new(&tournament, board)).collect();
    Ok(Json(TournamentRound { round, games }))
}

/// The cross table
#[utoipa::path(get, operation_id = "get_cross_table", path = "/api/v1/tournaments/{id}/cross", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = CrossTable)))]
pub(crate) async fn cross(me: Me, PathId(id): PathId) -> Result<Response, AppError> {
    let tell = |tournament: &Tournament| {
        let rows = tournament.cross().ok_or_else(|| Cause::TournamentNoCross {}.at("id"))?;
        let rows = cross_rows(tournament, rows);
        Ok(as_text(&CrossTable { tie_breaks: tournament.tie_breaks(), rows }))
    };
    Ok(as_json(me.app.told(&id, Telling::Cross, tell).await?))
}

/// The standings as a table for spreadsheets
#[utoipa::path(get, operation_id = "get_tournament_csv", path = "/api/v1/tournaments/{id}/csv", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = String, content_type = "text/csv")))]
pub(crate) async fn table(me: Me, PathId(id): PathId) -> Result<Response, AppError> {
    let tell = |tournament: &Tournament| Ok(csv(tournament).into());
    let text = Bytes::from(me.app.told(&id, Telling::Csv, tell).await?);
    Ok((file("text/csv; charset=utf-8", &format!("tournament-{id}.csv")), text).into_response())
}

/// All games that were begun, as one file
#[utoipa::path(get, operation_id = "get_tournament_apgn", path = "/api/v1/tournaments/{id}/apgn", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn apgn(me: Me, PathId(id): PathId) -> Result<Response, AppError> {
    let tournament = me.app.tournament(&id).await?;
    let games: Vec<String> = tournament.boards.into_iter().filter_map(|board| board.game).collect();
    // One game after the other, as fast as the client takes them: no file is ever whole in memory.
    let parts = stream::iter(games).then(move |game| {
        let app = me.app.clone();
        async move { record(&app, &game).await }
    });
    let name = format!("tournament-{id}.apgn");
    let body = AnswerBody::from_stream(parts.map(Ok::<Bytes, AppError>));
    Ok((file("text/plain; charset=utf-8", &name), body).into_response())
}

/// A game as a part of a file; nothing of one that is no longer there.
async fn record(app: &App, game: &str) -> Bytes {
    let Ok(Some(kept)) = app.store.game(game).await else { return Bytes::new() };
    // It is played through, and others need not wait for that.
    let text = tokio::task::spawn_blocking(move || {
        kept.game.written().map(|written| written.record().rewritten(Notation::AbaPro))
    });
    match text.await {
        Ok(Ok(Ok(record))) => format!("{record}\n").into(),
        _ => Bytes::new(),
    }
}

/// The head of an answer that is a file.
fn file(kind: &'static str, name: &str) -> [(header::HeaderName, String); 2] {
    let name = format!("attachment; filename=\"{name}\"");
    [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, name)]
}

/// Decides something, to the end even if the client leaves; gives the tournament as it is after it.
async fn decide(
    app: &App,
    id: String,
    decision: impl Fn(&Tournament, i64) -> Result<Change, AppError> + Send + Sync + 'static,
) -> Result<Json<TournamentView>, AppError> {
    let hall = app.clone();
    uncancelled(async move {
        hall.decide(&id, decision).await?;
        Ok(view(&hall.tournament(&id).await?))
    })
    .await
}

/// Take part, or come back
#[utoipa::path(post, operation_id = "join_tournament", path = "/api/v1/tournaments/{id}/join", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn join(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    let person = me.may(Action::JoinTournament)?.person.clone();
    let clock = me.app.tournament(&id).await?.settings.clock;
    let is_bot = person.role.is_bot();
    let seeker = me.app.seeker(person, clock).await?;
    let applicant =
        Applicant { person: seeker.person.id, name: seeker.person.name, is_bot, rating: seeker.rating };
    decide(&me.app, id, move |tournament, at| tournament.join(applicant.clone(), at)).await
}

/// Play no further game
#[utoipa::path(post, operation_id = "withdraw_from_tournament", path = "/api/v1/tournaments/{id}/withdraw",
    tag = "tournaments", params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn withdraw(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    let person = me.may(Action::JoinTournament)?.person.id;
    decide(&me.app, id, move |tournament, at| tournament.withdraw(person, at)).await
}

/// Ask for half a point without a game in the next round
#[utoipa::path(post, operation_id = "ask_for_bye", path = "/api/v1/tournaments/{id}/bye", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn bye(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    let person = me.may(Action::JoinTournament)?.person.id;
    decide(&me.app, id, move |tournament, _| tournament.ask_bye(person)).await
}

/// What whoever made a tournament, or a moderator, does about it.
async fn manage(
    me: Me,
    (id, action): (String, &'static str),
    decision: impl Fn(&Tournament, i64) -> Result<Change, AppError> + Send + Sync + 'static,
) -> Result<Json<TournamentView>, AppError> {
    let person = me.may(Action::MakeTournament)?.person.clone();
    let (hall, by) = (me.app.clone(), person.id);
    uncancelled(async move {
        let decided = hall.decide(&id, move |tournament, at| {
            if tournament.by != person.id && !Action::ManageTournament.is_for(Some(person.role)) {
                return Err(Cause::TournamentOther {}.at("id"));
            }
            decision(tournament, at)
        });
        let maker = decided.await?.by;
        if maker != by {
            let line = PeaceWrite::Manage { by, maker, tournament: id.clone(), action, at: now() };
            hall.store.write(Write::Peace(Box::new(line))).await?;
        }
        Ok(view(&hall.tournament(&id).await?))
    })
    .await
}

/// Begin before the time
#[utoipa::path(post, operation_id = "start_tournament", path = "/api/v1/tournaments/{id}/start", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn start(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    manage(me, (id, "start"), Tournament::start).await
}

/// Begin no further game for now
#[utoipa::path(post, operation_id = "pause_tournament", path = "/api/v1/tournaments/{id}/pause", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn pause(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    manage(me, (id, "pause"), Tournament::pause).await
}

/// Go on
#[utoipa::path(post, operation_id = "resume_tournament", path = "/api/v1/tournaments/{id}/resume", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn resume(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    manage(me, (id, "resume"), Tournament::resume).await
}

/// Call it off
#[utoipa::path(post, operation_id = "cancel_tournament", path = "/api/v1/tournaments/{id}/cancel", tag = "tournaments",
    params(("id" = String, Path)), responses((status = 200, body = TournamentView)))]
pub(crate) async fn cancel(me: Me, PathId(id): PathId) -> Result<Json<TournamentView>, AppError> {
    manage(me, (id, "cancel"), Tournament::cancel).await
}

/// Follow a tournament (WebSocket)
pub(crate) async fn live(me: Me, PathId(id): PathId, opening: SocketOpening) -> Result<Response, AppError> {
    let (app, person) = (me.app.clone(), me.person().cloned());
    me.app.tournament(&id).await?;
    opening.open(&app, move |app, mut socket| async move {
        let (tell, hear) = mpsc::unbounded_channel();
        if let Some(Person { id: person, .. }) = person {
            app.lobby.enter(person, &tell);
        }
        let listener = SocketListener::new(&app, me.client);
        let end = follow(&app, &id, &mut socket, listener, hear).await;
        app.lobby.leave(&tell);
        (socket, end)
    })
}

async fn follow(
    app: &App,
    id: &str,
    socket: &mut WebSocket,
    mut listener: SocketListener,
    mut games: UnboundedReceiver<String>,
) -> End {
    let room = app.tournaments.room(id);
    let mut changes = room.listen();
    loop {
        changes.borrow_and_update();
        let Ok(now) = app.told(id, Telling::Live, |tournament| Ok(told(tournament))).await else {
            return End::SERVER;
        };
        if !send(socket, now).await {
            return End::Left;
        }
        // The room is held, so that it does not go.
        let mut changed = std::pin::pin!(gathered(&mut changes));
        loop {
            let goes_on = tokio::select! {
                () = &mut changed => break,
                Some(game) = games.recv() => send(socket, text(&TournamentEvent::Game { game })).await,
                came = listener.next(socket) => match came {
                    Received::Text(said) => send(socket, answer(&said)).await,
                    Received::Lag(_) => true,
                    Received::Reply(message) => reply(socket, message).await,
                    Received::End(end) => return end,
                },
            };
            if !goes_on {
                return End::Left;
            }
        }
    }
}

/// There is nothing to say here but whether one is there.
fn answer(said: &str) -> Utf8Bytes {
    match message(said) {
        Ok((kind, _)) if kind == "ping" => r#"{"type":"pong"}"#.into(),
        Ok((kind, _)) => trouble(None, &unknown_type(&["ping"], kind)),
        Err(error) => trouble(None, &error),
    }
}

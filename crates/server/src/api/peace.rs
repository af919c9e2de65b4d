//! The peace of the place: blocks and reports for everybody with an account, and what moderators do about them.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sumito_rules::ByColor;
use utoipa::ToSchema;

use super::me::Me;
use crate::domain::chat::checked;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::ids;
use crate::domain::permit::Action;
use crate::domain::person::{Person, PersonId, Role};
use crate::http::extract::{Body, PathId};
use crate::live::uncancelled;
use crate::store::peace::{AuditLine, KeptReport, NewReport, PeaceWrite, ReportReason};
use crate::store::{Reply, Write};

/// The longest that somebody is silenced at a time.
const MOST_HOURS: u64 = 24 * 365;
const HOUR: i64 = 3_600_000;
/// Those whom one may have blocked: all of them are looked through whenever one looks for a game.
const MOST_BLOCKED: usize = 500;

/// Those whom one does not want to meet.
#[derive(Serialize, ToSchema)]
pub(crate) struct Blocked {
    names: Vec<String>,
}

/// Something that the moderators should know.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportRequest {
    /// The name of whom it is about.
    person: String,
    /// The id of a game, if it is about one.
    game: Option<String>,
    reason: ReportReason,
    /// One line, at most 140 letters.
    text: String,
}

/// What waits for a moderator.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reports {
    reports: Vec<KeptReport>,
}

/// What moderators have done.
#[derive(Serialize, ToSchema)]
pub(crate) struct Audit {
    lines: Vec<AuditLine>,
}

/// For how long somebody says nothing.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MuteRequest {
    /// At most a year of 365 days; 0 gives the word back.
    hours: u64,
}

impl Me {
    /// Writes something for the peace; says whether it was done.
    async fn keep_peace(&self, write: PeaceWrite) -> Result<Reply, AppError> {
        let app = self.app.clone();
        uncancelled(async move { app.store.write(Write::Peace(Box::new(write))).await }).await
    }

    /// Whoever may do this, and whom it is about: nobody does it to themselves, or to those with more rights.
    async fn about(&self, action: Action, name: &str) -> Result<(PersonId, Person), AppError> {
        let by = self.may(action)?.person.clone();
        let about = self.app.person(name).await?;
        let is_over_me = matches!(about.role, Role::Moderator | Role::Admin) && by.role != Role::Admin;
        if by.id == about.id || action == Action::Moderate && is_over_me {
            return Err(Cause::PersonOther {}.at("name"));
        }
        Ok((by.id, about))
    }
}

/// Those whom one has blocked
#[utoipa::path(get, operation_id = "list_blocked", path = "/api/v1/account/blocked", tag = "peace",
    responses((status = 200, body = Blocked)))]
pub(crate) async fn blocked(me: Me) -> Result<Json<Blocked>, AppError> {
    let person = me.may(Action::OwnAccount)?.person.id;
    Ok(Json(Blocked { names: me.app.store.blocked(person).await? }))
}

/// Block somebody: neither finds the other in the lobby
#[utoipa::path(put, operation_id = "block", path = "/api/v1/people/{name}/block", tag = "peace",
    params(("name" = String, Path)), responses((status = 204)))]
pub(crate) async fn block(me: Me, PathId(name): PathId) -> Result<StatusCode, AppError> {
    let (person, other) = me.about(Action::OwnAccount, &name).await?;
    let block = PeaceWrite::Block { person, other: other.id, at: now(), most: MOST_BLOCKED as i64 };
    match me.keep_peace(block).await? {
        Reply::Refused => Err(Cause::RateHeld { what: "blocked people", most: MOST_BLOCKED }.into()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Do not block somebody any more
#[utoipa::path(delete, operation_id = "unblock", path = "/api/v1/people/{name}/block", tag = "peace",
    params(("name" = String, Path)), responses((status = 204)))]
pub(crate) async fn unblock(me: Me, PathId(name): PathId) -> Result<StatusCode, AppError> {
    let (person, other) = me.about(Action::OwnAccount, &name).await?;
    me.keep_peace(PeaceWrite::Unblock { person, other: other.id }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tell the moderators about somebody
#[utoipa::path(post, operation_id = "report", path = "/api/v1/reports", tag = "peace",
    request_body = ReportRequest, responses((status = 204)))]
pub(crate) async fn report(me: Me, Body(request): Body<ReportRequest>) -> Result<StatusCode, AppError> {
    let ReportRequest { person, game, reason, text } = request;
    let (by, about) = me.about(Action::Report, &person).await.map_err(|error| error.at("person"))?;
    let text = checked(&text)?;
    me.app.door.talk.report(by)?;
    if let Some(game) = &game
        && me.app.store.keys(game).await?.is_none()
    {
        return Err(Cause::GameUnknown { id: game.chars().take(32).collect() }.at("game"));
    }
    let report = NewReport { id: ids::id(), at: now(), by, about: about.id, game, reason, text };
    me.keep_peace(PeaceWrite::Report(report)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reports that wait for a moderator, the oldest first
#[utoipa::path(get, operation_id = "list_reports", path = "/api/v1/moderation/reports", tag = "peace",
    responses((status = 200, body = Reports)))]
pub(crate) async fn reports(me: Me) -> Result<Json<Reports>, AppError> {
    let by = me.may(Action::Moderate)?.person.id;
    Ok(Json(Reports { reports: me.app.store.reports(by).await? }))
}

/// A report is dealt with
#[utoipa::path(post, operation_id = "settle_report", path = "/api/v1/moderation/reports/{id}/settle", tag = "peace",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn settle(me: Me, PathId(report): PathId) -> Result<StatusCode, AppError> {
    let by = me.may(Action::Moderate)?.person.id;
    match me.keep_peace(PeaceWrite::Settle { by, report, at: now() }).await? {
        Reply::Refused => Err(Cause::ReportUnknown {}.at("id")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Somebody says nothing for a while
#[utoipa::path(post, operation_id = "mute", path = "/api/v1/moderation/people/{name}/mute", tag = "peace",
    params(("name" = String, Path)), request_body = MuteRequest, responses((status = 204)))]
pub(crate) async fn mute(
    me: Me,
    PathId(name): PathId,
    Body(MuteRequest { hours }): Body<MuteRequest>,
) -> Result<StatusCode, AppError> {
    let (by, about) = me.about(Action::Moderate, &name).await?;
    within("hours", hours, 0, MOST_HOURS)?;
    let at = now();
    let until = (hours > 0).then(|| at + hours as i64 * HOUR);
    me.keep_peace(PeaceWrite::Mute { by, about: about.id, until, at }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Somebody's account is closed: the name goes
#[utoipa::path(post, operation_id = "close_person", path = "/api/v1/moderation/people/{name}/close", tag = "peace",
    params(("name" = String, Path)), responses((status = 204)))]
pub(crate) async fn close(me: Me, PathId(name): PathId) -> Result<StatusCode, AppError> {
    let (by, about) = me.about(Action::Moderate, &name).await?;
    let app = me.app.clone();
    let closed = uncancelled(async move { app.close_person(about.id, Some(by)).await }).await?;
    // One of the house's players.
    if closed { Ok(StatusCode::NO_CONTENT) } else { Err(Cause::PersonOther {}.at("name")) }
}

/// A game's rating is taken back
#[utoipa::path(post, operation_id = "void_game", path = "/api/v1/moderation/games/{id}/void", tag = "peace",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn void(me: Me, PathId(game): PathId) -> Result<StatusCode, AppError> {
    let by = me.may(Action::Moderate)?.person.id;
    if let Some((_, keys)) = me.app.store.keys(&game).await? {
        let ByColor { black, white } = keys.persons();
        let bots = me.app.store.bots_of(Some(by)).await?;
        let mut own = bots.iter().map(|bot| bot.person.id).chain([by]);
        if own.any(|own| [black, white].contains(&Some(own))) {
            return Err(Cause::PersonOther {}.at("id"));
        }
    }
    match me.keep_peace(PeaceWrite::Void { by, game, at: now() }).await? {
        Reply::Refused => Err(Cause::GameUnrated {}.at("id")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// What moderators have done, the latest first
#[utoipa::path(get, operation_id = "get_audit", path = "/api/v1/moderation/audit", tag = "peace",
    responses((status = 200, body = Audit)))]
pub(crate) async fn audit(me: Me) -> Result<Json<Audit>, AppError> {
    me.may(Action::Moderate)?;
    Ok(Json(Audit { lines: me.app.store.audit().await? }))
}

//! Challenges: sent, listed, accepted, declined, called off.

use axum::Json;
use axum::extract::{FromRequest, Request};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::identity::Identity;
use super::wish::{ChallengeRequest, Fields};
use super::{DONE, Done};
use crate::domain::bot::Scope;
use crate::domain::challenge::{Challenge, ChallengeState, DeclineReason};
use crate::domain::error::{AppError, Cause, Words};
use crate::domain::permit::Action;
use crate::domain::person::PersonId;
use crate::http::extract::PathId;
use crate::live::uncancelled;
use crate::state::App;
use crate::view::bot::{ChallengeView, PlayerView, Sides};

/// Whoever reads challenges.
const READS: [Scope; 3] = [Scope::Play, Scope::ReadChallenges, Scope::WriteChallenges];
/// Whoever sends and answers them.
const WRITES: [Scope; 2] = [Scope::Play, Scope::WriteChallenges];

/// A challenge as one of its sides sees it.
pub(super) async fn view(
    app: &App,
    challenge: &Challenge,
    seen_by: PersonId,
) -> Result<ChallengeView, AppError> {
    let player = async |person: &crate::domain::person::Person| {
        let seeker = app.seeker(person.clone(), challenge.clock).await?;
        Ok::<_, AppError>(PlayerView::new(&seeker, app.feeds.is_online(person.id)))
    };
    let sides =
        Sides { challenger: player(&challenge.challenger).await?, dest: player(&challenge.dest).await? };
    Ok(ChallengeView::new(challenge, sides, seen_by))
}

/// Open challenges.
#[derive(Serialize, ToSchema)]
pub(crate) struct Challenges {
    /// To the account.
    #[serde(rename = "in")]
    received: Vec<ChallengeView>,
    /// From it.
    #[serde(rename = "out")]
    sent: Vec<ChallengeView>,
}

/// One's open challenges
#[utoipa::path(get, operation_id = "list_challenges", path = "/api/challenge", tag = "bot",
    security(("token" = [])), responses((status = 200, body = Challenges)))]
pub(crate) async fn list(me: Identity) -> Result<Json<Challenges>, AppError> {
    me.check(Action::Challenge, &READS)?;
    let mut all = Challenges { received: Vec::new(), sent: Vec::new() };
    for challenge in me.app.store.challenges(me.person.id).await? {
        if challenge.state != ChallengeState::Open {
            continue;
        }
        let view = view(&me.app, &challenge, me.person.id).await?;
        let is_sent = challenge.challenger.id == me.person.id;
        if is_sent { &mut all.sent } else { &mut all.received }.push(view);
    }
    Ok(Json(all))
}

/// A challenge to or from the account, open, canceled or declined
#[utoipa::path(get, operation_id = "get_challenge", path = "/api/challenge/{id}", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])), responses((status = 200, body = ChallengeView)))]
pub(crate) async fn get(me: Identity, PathId(id): PathId) -> Result<Json<ChallengeView>, AppError> {
    me.check(Action::Challenge, &READS)?;
    let found = me.app.store.challenge(&id).await?;
    let is_own = |known: &Challenge| [known.challenger.id, known.dest.id].contains(&me.person.id);
    let challenge = found.filter(is_own).ok_or_else(|| Cause::ChallengeGone {}.at("id"))?;
    view(&me.app, &challenge, me.person.id).await.map(Json)
}

/// Challenge somebody: the path has the name. A game of the same id begins when they accept
#[utoipa::path(post, operation_id = "create_challenge", path = "/api/challenge/{name}", tag = "bot",
    params(("name" = String, Path)), security(("token" = [])),
    request_body(content((ChallengeRequest = "application/json"), (ChallengeRequest = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = ChallengeView)))]
pub(crate) async fn create(
    me: Identity,
    PathId(name): PathId,
    fields: Fields,
) -> Result<Json<ChallengeView>, AppError> {
    me.check(Action::Challenge, &WRITES)?;
    let terms = ChallengeRequest::read(fields)?.terms()?;
    let dest = me.app.person(&name).await.map_err(|error| error.at("name"))?;
    me.app.door.programs.challenge(me.person.id)?;
    let challenge = uncancelled(async move {
        let Identity { app, person, .. } = me;
        let (id, challenge) = (person.id, app.challenge(person, dest, terms).await?);
        view(&app, &challenge, id).await
    });
    challenge.await.map(Json)
}

/// Accept a challenge: the game begins
#[utoipa::path(post, operation_id = "accept_challenge", path = "/api/challenge/{id}/accept", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn accept(me: Identity, PathId(id): PathId) -> Result<Json<Done>, AppError> {
    me.check(Action::Challenge, &WRITES)?;
    uncancelled(async move {
        me.app.accept_challenge(&id, me.person.id, me.client).await?;
        Ok(DONE)
    })
    .await
}

/// Why.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct DeclineRequest {
    reason: Option<DeclineReason>,
}

/// Decline a challenge, with a reason
#[utoipa::path(post, operation_id = "decline_challenge", path = "/api/challenge/{id}/decline", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])),
    request_body(content((DeclineRequest = "application/json"), (DeclineRequest = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = Done)))]
pub(crate) async fn decline(
    me: Identity,
    PathId(id): PathId,
    request: Request,
) -> Result<Json<Done>, AppError> {
    me.check(Action::Challenge, &WRITES)?;
    let mut fields = Fields::from_request(request, &me.app).await?;
    let reason = match fields.text("reason")? {
        None => DeclineReason::default(),
        Some(word) => DeclineReason::named(&word).ok_or_else(|| {
            let known = Words(DeclineReason::ALL.map(DeclineReason::key).to_vec());
            Cause::WordUnknown { known, found: word }.at("reason")
        })?,
    };
    close(me, id, ChallengeState::Declined(reason)).await
}

/// Call one's own challenge off
#[utoipa::path(post, operation_id = "cancel_challenge", path = "/api/challenge/{id}/cancel", tag = "bot",
    params(("id" = String, Path)), security(("token" = [])), responses((status = 200, body = Done)))]
pub(crate) async fn cancel(me: Identity, PathId(id): PathId) -> Result<Json<Done>, AppError> {
    me.check(Action::Challenge, &WRITES)?;
    close(me, id, ChallengeState::Canceled).await
}

async fn close(me: Identity, id: String, state: ChallengeState) -> Result<Json<Done>, AppError> {
    uncancelled(async move {
        me.app.close_challenge(&id, me.person.id, state).await?;
        Ok(DONE)
    })
    .await
}

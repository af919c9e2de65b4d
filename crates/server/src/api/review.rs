//! Reviews of games.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::asked::Asked;
use crate::domain::error::AppError;
use crate::domain::game::ReviewStage;
use crate::http::extract::Body;
use crate::live::{Effort, ReviewProgress};
use crate::view::review::{ReviewBasis, ReviewView};

/// How long to look at each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    /// Positions of the search; 20,000 if nothing is said, which is the most without the key of the game.
    #[schema(minimum = 1, maximum = 10_000_000)]
    nodes: Option<u64>,
    /// Or milliseconds, at most 100 without the key.
    #[schema(minimum = 1, maximum = 10_000)]
    time_ms: Option<u64>,
}

/// How far a review is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewState {
    state: ReviewStage,
    /// Positions that are done.
    done: usize,
    /// Positions in all.
    whole: usize,
    /// The review, when it is done.
    #[schema(value_type = Option<ReviewView>)]
    review: Option<Box<RawValue>>,
    /// What it was made with.
    basis: Option<ReviewBasis>,
}

impl TryFrom<ReviewProgress> for ReviewState {
    type Error = AppError;

    fn try_from(progress: ReviewProgress) -> Result<ReviewState, AppError> {
        let ReviewProgress { stage, done, whole, report } = progress;
        let review = report.map(RawValue::from_string).transpose().map_err(|_| AppError::internal())?;
        let basis = review.as_ref().map(|_| ReviewBasis::today());
        Ok(ReviewState { state: stage, done, whole, review, basis })
    }
}

/// Have a game reviewed; without the key of the game only with little effort
#[utoipa::path(post, operation_id = "start_review", path = "/api/v1/games/{id}/review", tag = "review",
    params(("id" = String, Path)),
    request_body = ReviewRequest, security((), ("key" = [])), responses((status = 202, body = ReviewState)))]
pub(crate) async fn start(
    asked: Asked,
    Body(request): Body<ReviewRequest>,
) -> Result<(StatusCode, Json<ReviewState>), AppError> {
    let effort = Effort { nodes: request.nodes, time_ms: request.time_ms };
    let progress = asked.live.start_review(&asked.app, effort, (&asked.who, asked.client)).await?;
    Ok((StatusCode::ACCEPTED, Json(progress.try_into()?)))
}

/// A game's review, or how far it is
#[utoipa::path(get, operation_id = "get_review", path = "/api/v1/games/{id}/review", tag = "review",
    params(("id" = String, Path)),
    responses((status = 200, body = ReviewState)))]
pub(crate) async fn get(asked: Asked) -> Result<Json<ReviewState>, AppError> {
    asked.live.review_state(&asked.app).await?.try_into().map(Json)
}

/// End a review that is being made; for whoever has the key of the game or asked for the review
#[utoipa::path(delete, operation_id = "cancel_review", path = "/api/v1/games/{id}/review", tag = "review",
    params(("id" = String, Path)),
    security((), ("key" = [])),
    responses((status = 200, body = ReviewState)))]
pub(crate) async fn cancel(asked: Asked) -> Result<Json<ReviewState>, AppError> {
    let progress = asked.live.cancel_review(&asked.app, (&asked.who, asked.client)).await?;
    progress.try_into().map(Json)
}

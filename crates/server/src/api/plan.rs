//! Conditional moves in games in which a move may take days.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asked::Asked;
use crate::domain::error::AppError;
use crate::http::extract::Body;
use crate::live::uncancelled;

/// What somebody will answer to moves of the other side.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanBody {
    /// At most 10 lines of at most 20 moves in Aba-Pro, each beginning with a move of the other side and ending with one's own.
    lines: Vec<Vec<String>>,
}

/// One's own conditional moves
#[utoipa::path(get, operation_id = "get_plan", path = "/api/v1/games/{id}/plan", tag = "play",
    params(("id" = String, Path)), security(("key" = [])),
    responses((status = 200, body = PlanBody)))]
pub(crate) async fn get(asked: Asked) -> Result<Json<PlanBody>, AppError> {
    asked.live.plan(&asked.who).await.map(|lines| Json(PlanBody { lines }))
}

/// Say what one will answer, in the place of what was said before; only while the other side is to move
#[utoipa::path(put, operation_id = "set_plan", path = "/api/v1/games/{id}/plan", tag = "play",
    params(("id" = String, Path)), security(("key" = [])),
    request_body = PlanBody, responses((status = 200, body = PlanBody)))]
pub(crate) async fn set(asked: Asked, Body(plan): Body<PlanBody>) -> Result<Json<PlanBody>, AppError> {
    uncancelled(async move {
        asked.live.set_plan(&asked.app, &asked.who, &plan.lines).await?;
        Ok(Json(plan))
    })
    .await
}

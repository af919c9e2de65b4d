//! Games as records: APGN, and the tree of variations for the analysis board.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sumito_rules::Notation;
use sumito_rules::record::Record;
use utoipa::{IntoParams, ToSchema};

use super::notation;
use crate::error::{AppError, ErrorBody};
use crate::extract::Params;
use crate::state::App;
use crate::view::rules::RulesView;
use crate::view::tree::{LineView, line};

/// How a record is written.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordQuery {
    /// The notation, Aba-Pro if not given.
    notation: Option<String>,
    /// Whether mistakes are marked as the review says.
    review: Option<bool>,
}

/// A game as a file
#[utoipa::path(get, path = "/api/v1/games/{id}/apgn", tag = "games", params(("id" = String, Path), RecordQuery),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn apgn(
    State(app): State<App>,
    Path(id): Path<String>,
    Params(query): Params<RecordQuery>,
) -> Result<Response, AppError> {
    let notation = notation(query.notation.as_deref())?;
    let live = app.games.get(&app, &id).await?;
    let (num, plies, mut record) = {
        let table = live.lock().await;
        (table.num, table.game.moves().len(), table.to_record())
    };
    if query.review == Some(true) {
        let review = app.store.review(num).await?.filter(|review| review.plies == plies as i64);
        let review = review.ok_or_else(|| AppError::conflict("review", "expected a game with a review"))?;
        mark(&mut record, &review.report);
    }
    let record = record.rewritten(notation).map_err(|_| AppError::internal())?;
    let name = format!("attachment; filename=\"sumito-{id}.apgn\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, record.to_string()).into_response())
}

/// What a mark needs to know of a reviewed move.
#[derive(Deserialize)]
struct Judged {
    judgement: sumito_engine::analysis::Judgement,
    best: String,
}

#[derive(Deserialize)]
struct Report {
    moves: Vec<Judged>,
}

/// Marks the mistakes that a review has found.
fn mark(record: &mut Record, report: &str) {
    let Ok(report) = serde_json::from_str::<Report>(report) else { return };
    for (ply, judged) in record.line.plies.iter_mut().zip(report.moves) {
        if let Some(glyph) = judged.judgement.glyph() {
            ply.glyphs.insert(0, glyph);
            ply.comments.push(format!("best: {}", judged.best));
        }
    }
}

/// A game with its variations.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TreeView {
    tags: BTreeMap<String, String>,
    start_fen: String,
    rules: RulesView,
    line: LineView,
}

/// A game with its variations, comments and glyphs
#[utoipa::path(get, path = "/api/v1/games/{id}/tree", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = TreeView), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn tree(State(app): State<App>, Path(id): Path<String>) -> Result<Json<TreeView>, AppError> {
    let live = app.games.get(&app, &id).await?;
    let table = live.lock().await;
    let record = table.to_record();
    let start = *table.game.start();
    let line = line(&record.line, start, Notation::AbaPro).map_err(|_| AppError::internal())?;
    Ok(Json(TreeView {
        tags: record.tags.into_iter().map(|tag| (tag.name, tag.value)).collect(),
        start_fen: start.to_string(),
        rules: table.game.rules().into(),
        line,
    }))
}

//! Games as records: APGN, and the tree of variations for the analysis board.

use std::collections::BTreeMap;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sumito_rules::Notation;
use sumito_rules::record::Record;
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::notation;
use crate::domain::error::{AppError, Cause};
use crate::domain::record::Written;
use crate::http::extract::QueryParams;
use crate::view::rules::RulesView;
use crate::view::tree::{LineView, whole};

/// How a record is written.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordQuery {
    /// The notation, Aba-Pro if not given.
    notation: Option<String>,
    /// Whether mistakes are marked as the review says.
    review: Option<bool>,
}

/// A game as a file
#[utoipa::path(get, operation_id = "get_record", path = "/api/v1/games/{id}/apgn", tag = "games",
    params(("id" = String, Path), RecordQuery),
    responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn apgn(
    asked: Asked,
    QueryParams(query): QueryParams<RecordQuery>,
) -> Result<Response, AppError> {
    let notation = notation(query.notation.as_deref())?;
    let Asked { app, live, client, .. } = asked;
    let id = live.id.clone();
    let (num, written) = {
        let table = live.lock().await;
        (table.num, table.written())
    };
    let plies = written.game.moves().len() as i64;
    let mut report = None;
    if query.review == Some(true) {
        let review = app.store.review(num).await?.filter(|review| review.plies == plies);
        let review = review.ok_or_else(|| Cause::ReviewNone {}.at("review"))?;
        report = Some(review.report);
    }
    let link = app.config.public_url.as_ref().map(|url| format!("{url}/game/{id}"));
    let site = id.clone();
    let text = app.builds.run(client, move || {
        let mut record = written.record();
        if let Some(link) = link.filter(|_| record.tag("Site") == Some(&site)) {
            record.set_tag("Site", link);
        }
        report.iter().for_each(|report| mark(&mut record, report));
        let record = record.rewritten(notation).map_err(|_| AppError::internal())?;
        Ok(record.to_string())
    });
    let name = format!("attachment; filename=\"sumito-{id}.apgn\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text.await?).into_response())
}

/// What a mark needs to know of a reviewed move.
#[derive(Deserialize)]
struct Judged {
    judgement: sumito_engine::analysis::Judgement,
    best: String,
}

#[derive(Deserialize)]
struct Judgements {
    moves: Vec<Judged>,
}

/// Marks the mistakes that a review has found.
fn mark(record: &mut Record, report: &str) {
    let Ok(report) = serde_json::from_str::<Judgements>(report) else { return };
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
#[utoipa::path(get, operation_id = "get_tree", path = "/api/v1/games/{id}/tree", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = TreeView)))]
pub(crate) async fn tree(asked: Asked) -> Result<Response, AppError> {
    let written = asked.live.lock().await.written();
    asked.app.builds.json(asked.client, move || view(&written)).await
}

fn view(written: &Written) -> Result<TreeView, AppError> {
    let (record, start) = (written.record(), *written.game.start());
    let line = whole(&record.line, start, Notation::AbaPro);
    Ok(TreeView {
        line: line?,
        tags: record.tags.into_iter().map(|tag| (tag.name, tag.value)).collect(),
        start_fen: start.to_string(),
        rules: written.game.rules().into(),
    })
}

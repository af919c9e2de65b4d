//! Imports of files of games.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;

use crate::error::{AppError, ErrorBody};
use crate::extract::{media_type, read};
use crate::imports::ImportState;
use crate::state::App;

/// What an import brought is in the database; how far it was is known to the process alone.
const GONE: &str = "expected the id of one of the last imports since the server started; games that an earlier one has \
    read are kept, and the same file again adds only those that are missing";

/// Imports that may run at a time.
const RUNNING: usize = 4;

/// Import a text of games; it goes on in the background
#[utoipa::path(post, path = "/api/v1/imports", tag = "games",
    request_body(content = String, content_type = "text/plain"),
    responses((status = 202, body = ImportState), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn create(
    State(app): State<App>,
    request: Request,
) -> Result<(StatusCode, Json<ImportState>), AppError> {
    let kind = media_type(&request);
    let fits = [
        "",
        "text/plain",
        "application/octet-stream",
        "application/x-chess-pgn",
        "application/vnd.chess-pgn",
    ];
    if !fits.contains(&kind.as_str()) {
        return Err(AppError::media_type("text/plain"));
    }
    if app.imports.running() >= RUNNING {
        return Err(AppError::too_many(format!("expected at most {RUNNING} imports at a time")));
    }
    let text = read(request, app.config.import_bytes).await?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(AppError::bad_request("body", "expected a text of games, found nothing"));
    }
    let import = app.imports.start(&app, text);
    Ok((StatusCode::ACCEPTED, Json(import.state())))
}

/// How far an import is
#[utoipa::path(get, path = "/api/v1/imports/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = ImportState), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn get(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<ImportState>, AppError> {
    let import = app.imports.get(&id);
    let import = import.ok_or_else(|| AppError::not_found("id", GONE))?;
    Ok(Json(import.state()))
}

//! Imports of files of games.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};
use crate::domain::ids;
use crate::http::extract::{PathId, media_type, read};
use crate::imports::{ImportState, Importer};
use crate::state::App;

/// An import that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewImport {
    /// The key of all games that it adds, told this once.
    key: String,
    #[serde(flatten)]
    state: ImportState,
}

/// Import a text of games; it goes on in the background
#[utoipa::path(post, operation_id = "create_import", path = "/api/v1/imports", tag = "games",
    request_body(content = String, content_type = "text/plain"),
    responses((status = 202, body = NewImport)))]
pub(crate) async fn create(
    State(app): State<App>,
    client: Client,
    request: Request,
) -> Result<(StatusCode, Json<NewImport>), AppError> {
    let kind = media_type(&request);
    let fits = [
        "",
        "text/plain",
        "application/octet-stream",
        "application/x-chess-pgn",
        "application/vnd.chess-pgn",
    ];
    if !fits.contains(&kind.as_str()) {
        return Err(Cause::BodyType { expected: "text/plain" }.at("content-type"));
    }
    // The place is taken before the text is read: it is in memory from then on.
    let place = app.imports.place(client)?;
    let text = read(request, app.config.import_bytes).await?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(Cause::BodyEmpty {}.at("body"));
    }
    let key = ids::key();
    let import =
        app.imports.start(&app, text, Importer::new(&app, client, &key, app.config.import_games), place);
    Ok((StatusCode::ACCEPTED, Json(NewImport { key, state: import.state() })))
}

/// How far an import is
#[utoipa::path(get, operation_id = "get_import", path = "/api/v1/imports/{id}", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = ImportState)))]
pub(crate) async fn get(State(app): State<App>, PathId(id): PathId) -> Result<Json<ImportState>, AppError> {
    let import = app.imports.get(&id);
    let import = import.ok_or_else(|| Cause::ImportUnknown {}.at("id"))?;
    Ok(Json(import.state()))
}

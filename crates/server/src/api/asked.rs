//! The game that a request is about, and who asks with which key.

use std::sync::Arc;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::domain::client::Client;
use crate::domain::error::AppError;
use crate::door::caller::caller;
use crate::http::extract::PathId;
use crate::live::{LiveGame, LiveTable};
use crate::state::App;
use crate::view::game::GameView;

/// A game, and who asks for it.
pub(crate) struct Asked {
    pub(crate) app: App,
    pub(crate) live: Arc<LiveGame>,
    pub(crate) client: Client,
    key: Option<String>,
}

impl FromRequestParts<App> for Asked {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Asked, AppError> {
        let client = caller(&parts.headers, &parts.extensions, &app.config);
        let key = key(&parts.headers);
        let Ok(PathId(id)) = PathId::from_request_parts(parts, app).await;
        Ok(Asked { live: app.game(&id).await?, app: app.clone(), client, key })
    }
}

impl Asked {
    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Who comes with the key of a game of which nobody knows who began it is taken for that one.
    pub(crate) async fn recognise(&self) {
        self.live.recognise(&self.app, self.key(), self.client).await;
    }

    /// The game as an answer.
    pub(crate) fn answer(&self, table: &LiveTable) -> Json<GameView> {
        Json(GameView::new(table, self.live.audience()))
    }
}

/// The key of a game that a request brings.
pub(crate) fn key(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(|key| key.trim().to_string()).filter(|key| !key.is_empty())
}

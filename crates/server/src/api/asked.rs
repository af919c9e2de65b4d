//! The game that a request is about, and who asks with which key.

use std::sync::Arc;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::me::Visitor;
use crate::domain::client::Client;
use crate::domain::error::AppError;
use crate::domain::keys::Credentials;
use crate::domain::person::Person;
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
    pub(crate) who: Credentials,
    /// The name of the account of whoever asks.
    pub(crate) name: Option<String>,
    /// Whose account it is.
    pub(crate) person: Option<Person>,
}

impl FromRequestParts<App> for Asked {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Asked, AppError> {
        let client = caller(&parts.headers, &parts.extensions, &app.config);
        let Visitor { who, name, person } = Visitor::new(&parts.headers, app).await?;
        let Ok(PathId(id)) = PathId::from_request_parts(parts, app).await;
        Ok(Asked { live: app.game(&id).await?, app: app.clone(), client, who, name, person })
    }
}

impl Asked {
    /// Who comes with the key of a game of which nobody knows who began it is taken for that one.
    pub(crate) async fn recognise(&self) {
        self.live.recognise(&self.app, &self.who, self.client).await;
    }

    /// The game as an answer.
    pub(crate) fn answer(&self, table: &LiveTable) -> Json<GameView> {
        Json(GameView::new(table, self.live.audience()))
    }
}

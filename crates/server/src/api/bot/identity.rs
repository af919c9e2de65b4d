//! Who asks, by the token that the request brings, or else by the cookie of somebody who is logged in.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::api::me::{key, session};
use crate::domain::bot::Scope;
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, Words};
use crate::domain::ids;
use crate::domain::keys::Credentials;
use crate::domain::permit::Action;
use crate::domain::person::{Person, PersonId, Role};
use crate::door::caller::caller;
use crate::state::App;
use crate::store::Write;
use crate::store::bots::{BotWrite, KeptToken};

const HOUR: i64 = 3_600_000;

/// One of the house's own players, which the server itself says that it is. It is no header, so that no client can say it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HousePlayer(pub(crate) PersonId);

/// Somebody with an account.
pub(crate) struct Identity {
    pub(crate) app: App,
    pub(crate) client: Client,
    pub(crate) person: Person,
    /// What the token is good for; whoever is logged in may do all that their role may.
    scopes: Option<Vec<Scope>>,
    /// The token's id.
    token: Option<String>,
}

/// What a request without an identity may do as well.
pub(crate) struct Anybody {
    pub(crate) app: App,
    pub(crate) client: Client,
}

fn anybody(parts: &Parts, app: &App) -> Result<Anybody, AppError> {
    if !app.config.arena {
        return Err(Cause::ArenaOff {}.at("path"));
    }
    Ok(Anybody { app: app.clone(), client: caller(&parts.headers, &parts.extensions, &app.config) })
}

impl FromRequestParts<App> for Anybody {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Anybody, AppError> {
        anybody(parts, app)
    }
}

impl FromRequestParts<App> for Identity {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Identity, AppError> {
        let Anybody { app, client } = anybody(parts, app)?;
        if let Some(&HousePlayer(id)) = parts.extensions.get::<HousePlayer>() {
            let person = app.store.person_by_id(id).await?.ok_or_else(|| Cause::TokenWrong {}.at("token"))?;
            return Ok(Identity { app, client: client.of_house(), person, scopes: None, token: None });
        }
        let (person, scopes, token) = match key(&parts.headers) {
            Some(token) => {
                let (person, token) = program(&app, &token).await?;
                (person, Some(token.scopes), Some(token.id))
            }
            None => {
                let session = session(&parts.headers, &app).await?;
                let session = session.ok_or_else(|| Cause::TokenMissing {}.at("token"))?;
                (session.person, None, None)
            }
        };
        app.door.programs.request(person.id)?;
        Ok(Identity { app, client, person, scopes, token })
    }
}

/// Whose a token is, and what is kept of it.
pub(crate) async fn program(app: &App, token: &str) -> Result<(Person, KeptToken), AppError> {
    let (hash, at) = (ids::hashed(token), now());
    let known = app.store.token(&hash).await?;
    let is_good = |expires: Option<i64>| expires.is_none_or(|expires| at < expires);
    let known = known.filter(|(person, token)| is_good(token.expires) && person.role == Role::Bot);
    let (person, token) = known.ok_or_else(|| Cause::TokenWrong {}.at("token"))?;
    if token.seen.is_none_or(|seen| at - seen > HOUR) {
        app.store.write(Write::Bot(Box::new(BotWrite::Used { hash, at }))).await?;
    }
    Ok((person, token))
}

impl Identity {
    /// Refuses what is not for whoever asks, or not with this token: one scope of these is enough.
    pub(crate) fn check(&self, action: Action, scopes: &[Scope]) -> Result<(), AppError> {
        action.check(Some(self.person.role))?;
        match &self.scopes {
            Some(own) if !scopes.iter().any(|scope| own.contains(scope)) => {
                let expected = Words(scopes.iter().map(|scope| scope.name()).collect());
                Err(Cause::TokenScope { expected }.at("token"))
            }
            _ => Ok(()),
        }
    }

    /// Comes back when what has let them in does so no more.
    pub(super) fn until_shut(&self) -> impl Future<Output = ()> + Send + use<> {
        self.app.feeds.until_shut(self.person.id, self.token.clone())
    }

    /// What they have to show in a game.
    pub(crate) fn credentials(&self) -> Credentials {
        Credentials { key: None, person: Some(self.person.id) }
    }
}

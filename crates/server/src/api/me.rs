//! Who asks, by the account that the request's cookie opens.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::bot::identity::program;
use crate::domain::bot::{Scope, is_token};
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, Words};
use crate::domain::ids;
use crate::domain::keys::Credentials;
use crate::domain::permit::Action;
use crate::domain::person::{Person, Role};
use crate::door::caller::caller;
use crate::http::cookie;
use crate::state::App;
use crate::store::Write;
use crate::store::people::{NewSession, PersonWrite, Session};

const HOUR: i64 = 3_600_000;
/// A session ends when it was not seen for so long.
const KEPT: i64 = 90 * 24 * HOUR;

/// Somebody who plays: with the key of a game, an account, both, or neither. There need not be accounts.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub(crate) who: Credentials,
    /// The name of the account.
    pub(crate) name: Option<String>,
    /// Whose account it is.
    pub(crate) person: Option<Person>,
}

impl Visitor {
    pub(crate) async fn new(headers: &HeaderMap, app: &App) -> Result<Visitor, AppError> {
        let person = session(headers, app).await?.map(|session| session.person);
        let who = Credentials { key: key(headers), person: person.as_ref().map(|person| person.id) };
        Ok(Visitor { who, name: person.as_ref().map(|person| person.name.clone()), person })
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, AppError> {
        Visitor::new(&parts.headers, app).await
    }
}

/// The key of a game, or the token, that a request brings.
pub(super) fn key(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(|key| key.trim().to_string()).filter(|key| !key.is_empty())
}

/// Whoever asks, on a server that has accounts.
pub(crate) struct Me {
    pub(crate) app: App,
    pub(crate) client: Client,
    /// Browser and system, as the browser tells them.
    device: String,
    session: Option<Session>,
}

impl FromRequestParts<App> for Me {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Me, AppError> {
        if !app.config.arena {
            return Err(Cause::ArenaOff {}.at("path"));
        }
        let client = caller(&parts.headers, &parts.extensions, &app.config);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let device = device(agent.unwrap_or_default());
        let session = match key(&parts.headers).filter(|key| is_token(key)) {
            Some(token) => Some(by_token(app, &token).await?),
            None => session(&parts.headers, app).await?,
        };
        Ok(Me { app: app.clone(), client, device, session })
    }
}

/// The session that a request's cookie opens, unless it has ended; on a server without accounts there is none.
pub(super) async fn session(headers: &HeaderMap, app: &App) -> Result<Option<Session>, AppError> {
    let token =
        Some(&app.config).filter(|config| config.arena).and_then(|config| cookie::token(headers, config));
    let Some(hash) = token.as_deref().map(ids::hashed) else { return Ok(None) };
    let Some(session) = app.store.session(&hash).await? else { return Ok(None) };
    let (at, silent) = (now(), now() - session.seen);
    if silent > KEPT {
        return Ok(None);
    }
    if silent > HOUR {
        app.store.write(Write::Person(Box::new(PersonWrite::Seen { session: hash, at }))).await?;
    }
    Ok(Some(session))
}

/// A program by its token, which is as good as a session for what its role may do.
async fn by_token(app: &App, token: &str) -> Result<Session, AppError> {
    let (person, token) = program(app, token).await?;
    if !token.scopes.contains(&Scope::Play) {
        return Err(Cause::TokenScope { expected: Words(vec![Scope::Play.name()]) }.at("token"));
    }
    app.door.programs.request(person.id)?;
    Ok(Session { id: String::new(), seen: now(), person, password: None })
}

impl Me {
    /// The person who is logged in.
    pub(crate) fn person(&self) -> Option<&Person> {
        self.session.as_ref().map(|session| &session.person)
    }

    fn role(&self) -> Option<Role> {
        self.person().map(|person| person.role)
    }

    /// Refuses what is not for whoever asks.
    pub(crate) fn check(&self, action: Action) -> Result<(), AppError> {
        action.check(self.role())
    }

    /// The session of somebody who may do this.
    pub(crate) fn may(&self, action: Action) -> Result<&Session, AppError> {
        self.check(action)?;
        self.session.as_ref().ok_or_else(|| Cause::AccountMissing {}.into())
    }

    /// A session that begins here: its token, and what is kept of it.
    pub(crate) fn new_session(&self) -> (String, NewSession) {
        let token = ids::key();
        let (owner, device) = (self.app.owner(self.client), self.device.clone());
        let kept = NewSession { hash: ids::hashed(&token), id: ids::id(), at: now(), owner, device };
        (token, kept)
    }
}

/// Browser and system that a text like `Mozilla/5.0 (...) ...` names; of others its first word.
fn device(agent: &str) -> String {
    // Each names those before it as well.
    const BROWSERS: [(&str, &str); 5] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let of = |names: &[(&'static str, &'static str)]| {
        names.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name)
    };
    match (of(&BROWSERS), of(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(one), None) => one.to_string(),
        _ => {
            let first = agent.split(['/', ' ']).next().unwrap_or_default();
            first.chars().filter(char::is_ascii_graphic).take(20).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_a_browser_and_a_system() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
                "Chrome, Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
                "Safari, iPhone",
            ),
            ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox, Android"),
            ("python-requests/2.32", "python-requests"),
            ("", ""),
        ] {
            assert_eq!(device(agent), expected, "{agent}");
        }
    }
}

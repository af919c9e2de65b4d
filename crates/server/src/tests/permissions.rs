//! Who may do what, tried cell by cell: every action of the table of permissions with every role, on what is one's own and on what is
//! another's, over HTTP and over the sockets. No route of the description may be missing here.

use std::collections::BTreeSet;

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::accounts::Browser;
use super::bots::program;
use super::sockets::Listening;
use super::*;
use crate::domain::permit::Action;
use crate::domain::person::Role;

/// In the order of the cells.
const ROLES: [Option<Role>; 5] =
    [None, Some(Role::Person), Some(Role::Bot), Some(Role::Moderator), Some(Role::Admin)];

/// The table as it is meant: a guest, a person, a bot, a moderator, an administrator; `-` for whoever may not.
const ACTIONS: [(Action, &str); 13] = [
    (Action::SignUp, "g----"),
    (Action::LogIn, "g----"),
    (Action::OwnAccount, "-p-ma"),
    (Action::Seek, "-p-ma"),
    (Action::MakeTournament, "-p-ma"),
    (Action::JoinTournament, "-pbma"),
    (Action::ManageTournament, "---ma"),
    (Action::OwnBots, "-p-ma"),
    (Action::Challenge, "-pbma"),
    (Action::PlayAsBot, "--b--"),
    (Action::TalkWatching, "-p-ma"),
    (Action::Report, "-p-ma"),
    (Action::Moderate, "---ma"),
];

/// Every route with the action that it is, or `open` if it is for everybody: what then decides is the key of a game, or nothing. Logging out
/// is last, since nothing comes after it.
const ROUTES: &str = "
    get    /api/v1/openapi.json                     open
    get    /api/v1/meta                             open
    get    /api/v1/healthz                          open
    get    /api/v1/readyz                           open
    get    /api/v1/metrics                          open
    get    /api/v1/games                            open
    post   /api/v1/games                            open
    get    /api/v1/games/now                        open
    get    /api/v1/games/stream                     open
    get    /api/v1/games/{id}                       open
    delete /api/v1/games/{id}                       open
    get    /api/v1/games/{id}/position              open
    get    /api/v1/games/{id}/apgn                  open
    get    /api/v1/games/{id}/tree                  open
    get    /api/v1/games/{id}/picture.png           open
    get    /api/v1/games/{id}/film.gif              open
    get    /api/v1/games/{id}/seat                  open
    get    /api/v1/games/{id}/plan                  open
    put    /api/v1/games/{id}/plan                  open
    get    /api/v1/games/{id}/chat                  open
    post   /api/v1/games/{id}/chat                  TalkWatching
    post   /api/v1/games/{id}/moves                 open
    post   /api/v1/games/{id}/join                  open
    post   /api/v1/games/{id}/decline               open
    post   /api/v1/games/{id}/abort                 open
    post   /api/v1/games/{id}/claim                 open
    post   /api/v1/games/{id}/takeback              open
    post   /api/v1/games/{id}/resign                open
    post   /api/v1/games/{id}/draw                  open
    post   /api/v1/games/{id}/rematch               open
    post   /api/v1/games/{id}/control               open
    post   /api/v1/games/{id}/hint                  open
    get    /api/v1/games/{id}/review                open
    post   /api/v1/games/{id}/review                open
    delete /api/v1/games/{id}/review                open
    post   /api/v1/positions                        open
    post   /api/v1/parse                            open
    post   /api/v1/imports                          open
    get    /api/v1/imports/{id}                     open
    get    /api/v1/openings                         open
    get    /api/v1/opinion                          open
    get    /api/v1/picture.svg                      open
    get    /api/v1/people/{name}                    open
    get    /api/v1/people/{name}/record             open
    get    /api/v1/tournaments                      open
    get    /api/v1/tournaments/{id}                 open
    get    /api/v1/tournaments/{id}/games           open
    get    /api/v1/tournaments/{id}/cross           open
    get    /api/v1/tournaments/{id}/csv             open
    get    /api/v1/tournaments/{id}/apgn            open
    get    /api/v1/account                          open
    post   /api/v1/account                          SignUp
    post   /api/v1/account/login                    LogIn
    post   /api/v1/account/recover                  LogIn
    get    /api/v1/account/sessions                 OwnAccount
    delete /api/v1/account/sessions                 OwnAccount
    delete /api/v1/account/sessions/{id}            OwnAccount
    put    /api/v1/account/password                 OwnAccount
    post   /api/v1/account/recovery                 OwnAccount
    post   /api/v1/account/close                    OwnAccount
    get    /api/v1/account/export                   OwnAccount
    get    /api/v1/account/playing                  OwnAccount
    get    /api/v1/account/blocked                  OwnAccount
    put    /api/v1/people/{name}/block              OwnAccount
    delete /api/v1/people/{name}/block              OwnAccount
    get    /api/v1/account/bots                     OwnBots
    post   /api/v1/account/bots                     OwnBots
    delete /api/v1/account/bots/{name}              OwnBots
    post   /api/v1/account/bots/{name}/tokens       OwnBots
    delete /api/v1/account/bots/{name}/tokens/{id}  OwnBots
    post   /api/v1/tournaments                      MakeTournament
    post   /api/v1/tournaments/{id}/join            JoinTournament
    post   /api/v1/tournaments/{id}/bye             JoinTournament
    post   /api/v1/tournaments/{id}/withdraw        JoinTournament
    post   /api/v1/tournaments/{id}/start           MakeTournament
    post   /api/v1/tournaments/{id}/pause           MakeTournament
    post   /api/v1/tournaments/{id}/resume          MakeTournament
    post   /api/v1/tournaments/{id}/cancel          MakeTournament
    post   /api/v1/reports                          Report
    get    /api/v1/moderation/reports               Moderate
    get    /api/v1/moderation/audit                 Moderate
    post   /api/v1/moderation/reports/{id}/settle   Moderate
    post   /api/v1/moderation/people/{name}/mute    Moderate
    post   /api/v1/moderation/people/{name}/close   Moderate
    post   /api/v1/moderation/games/{id}/void       Moderate
    get    /api/bot/online                          open
    post   /api/token/test                          open
    get    /api/account                             Challenge
    get    /api/stream/event                        Challenge
    get    /api/challenge                           Challenge
    get    /api/challenge/{id}                      Challenge
    post   /api/challenge/{name}                    Challenge
    post   /api/challenge/{id}/accept               Challenge
    post   /api/challenge/{id}/decline              Challenge
    post   /api/challenge/{id}/cancel               Challenge
    get    /api/bot/capabilities                    PlayAsBot
    put    /api/bot/capabilities                    PlayAsBot
    get    /api/bot/game/stream/{id}                PlayAsBot
    post   /api/bot/game/{id}/move/{move}           PlayAsBot
    post   /api/bot/game/{id}/abort                 PlayAsBot
    post   /api/bot/game/{id}/resign                PlayAsBot
    post   /api/bot/game/{id}/draw/{answer}         PlayAsBot
    post   /api/bot/game/{id}/takeback/{answer}     PlayAsBot
    post   /api/bot/game/{id}/chat                  PlayAsBot
    post   /api/v1/account/logout                   OwnAccount
";

/// The sockets of the description.
const SOCKETS: [&str; 4] =
    ["/api/v1/analysis", "/api/v1/games/{id}/live", "/api/v1/lobby/live", "/api/v1/tournaments/{id}/live"];

/// What says that somebody may not; anything else has another reason.
const REFUSALS: [&str; 15] = [
    "account.missing",
    "token.missing",
    "token.wrong",
    "role.forbidden",
    "key.missing",
    "key.wrong",
    "seat.other",
    "tournament.other",
    "person.other",
    "session.unknown",
    "bot.unknown",
    "token.unknown",
    "challenge.other",
    "challenge.gone",
    "game.other",
];

/// The code of a refusal, or `ok`.
pub(super) fn verdict(answer: &Value) -> &str {
    let code = answer["error"]["code"].as_str().unwrap_or("");
    assert!(!["path.unknown", "method.unknown"].contains(&code), "{answer}");
    if REFUSALS.contains(&code) { code } else { "ok" }
}

/// Somebody with a role: by a cookie, by a token, or nobody in particular.
pub(super) struct Caller {
    pub(super) role: Option<Role>,
    pub(super) name: String,
    pub(super) browser: Browser,
    pub(super) token: Option<String>,
}

impl Caller {
    pub(super) fn is_bot(&self) -> bool {
        self.token.is_some()
    }

    fn dressed(&self, mut headers: HeaderMap) -> HeaderMap {
        let value = |text: &str| text.parse().expect("a value");
        if let Some(token) = &self.token {
            headers.insert(header::AUTHORIZATION, value(&format!("Bearer {token}")));
        } else if !self.browser.cookie.is_empty() {
            headers.insert(header::COOKIE, value(&self.browser.cookie));
        }
        headers
    }

    /// What a request brings; of a stream nothing is read.
    pub(super) async fn ask(&self, site: &Site, method: &str, path: &str, body: Value) -> Value {
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let mut request =
            Request::builder().method(&*method.to_uppercase()).uri(path).body(body).expect("a request");
        request.headers_mut().insert(header::CONTENT_TYPE, "application/json".parse().expect("a value"));
        *request.headers_mut() = self.dressed(std::mem::take(request.headers_mut()));
        let response = site.router.clone().oneshot(request).await.expect("never fails");
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("application/x-ndjson")) {
            return Value::Null;
        }
        let bytes = response.into_body().collect().await.expect("a body").to_bytes();
        serde_json::from_slice(&bytes).unwrap_or(Value::Null)
    }

    /// Makes something that must be made.
    pub(super) async fn make(&self, site: &Site, path: &str, body: Value) -> Value {
        let answer = self.ask(site, "post", path, body).await;
        assert!(answer["error"].is_null(), "{}: {path}: {answer}", self.name);
        answer
    }

    /// What somebody hears first of a kind over a socket, after saying something.
    async fn hear(&self, listening: &Listening, path: &str, said: &Value, kinds: &[&str]) -> Value {
        let mut request =
            format!("ws://{}{path}", listening.address).into_client_request().expect("a request");
        *request.headers_mut() = self.dressed(std::mem::take(request.headers_mut()));
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a socket");
        if !said.is_null() {
            socket.send(Message::text(said.to_string())).await.expect("sent");
        }
        let heard = async {
            loop {
                let message = socket.next().await.expect("a message").expect("whole");
                let value =
                    message.into_text().ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
                if let Some(value) = value.filter(|value| kinds.iter().any(|kind| value["type"] == *kind)) {
                    return value;
                }
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), heard).await.expect("in time")
    }
}

/// Somebody of each role, in the order of the cells, and somebody else with a program of their own.
pub(super) struct World {
    listening: Listening,
    pub(super) callers: Vec<Caller>,
    pub(super) other: Caller,
    pub(super) other_bot: Caller,
}

pub(super) fn tournament() -> Value {
    json!({
        "name": "Club evening", "system": { "kind": "swiss", "rounds": 3 }, "starts": crate::domain::date::now() + 3_600_000,
        "clock": { "kind": "game", "base_ms": 180_000, "increment_ms": 2000 },
    })
}

/// Whoever is challenged has Black.
pub(super) fn challenge() -> Value {
    json!({ "clock.limit": 300, "clock.increment": 2, "rated": false, "color": "white" })
}

pub(super) fn id(made: &Value) -> String {
    made["id"].as_str().expect("an id").to_string()
}

impl World {
    pub(super) async fn new() -> World {
        let listening = Listening::with(|config| (config.arena, config.token_rate) = (true, 10_000)).await;
        let site = &listening.site;
        let (mut browser, _) = Browser::signed_up(site, "Other").await;
        let bot = async |owner: &mut Browser, name: &str| Caller {
            role: Some(Role::Bot),
            name: name.to_string(),
            token: Some(program(site, owner, name).await.token),
            browser: Browser::default(),
        };
        let (one, other_bot) = (bot(&mut browser, "Bot").await, bot(&mut browser, "OtherBot").await);
        let mut one = Some(one);
        let mut callers = Vec::new();
        for role in ROLES {
            let name = role.map_or("guest", Role::name);
            callers.push(match role {
                None => Caller { role, name: name.to_string(), browser: Browser::default(), token: None },
                Some(Role::Bot) => one.take().expect("one program"),
                Some(role) => {
                    let name = format!("The-{name}");
                    let (browser, _) = Browser::signed_up(site, &name).await;
                    let (file, known) = (site.folder.path().join("games.db"), name.clone());
                    let set =
                        tokio::task::spawn_blocking(move || crate::database::set_role(&file, &known, role))
                            .await;
                    assert!(set.expect("done").expect("written"));
                    Caller { role: Some(role), name, browser, token: None }
                }
            });
        }
        let other = Caller { role: Some(Role::Person), name: "Other".to_string(), browser, token: None };
        World { listening, callers, other, other_bot }
    }

    pub(super) fn site(&self) -> &Site {
        &self.listening.site
    }

    /// A game of two others, with a key each.
    pub(super) async fn game(&self) -> String {
        let (id, _) = self.site().begin(json!({ "friend": { "color": "black" } })).await;
        let (status, answer) = self.site().post(&format!("/games/{id}/join"), "", &json!({})).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        id
    }

    /// A cell: what somebody gets who does something.
    pub(super) async fn check(
        &self,
        caller: &Caller,
        (method, path): (&str, &str),
        body: Value,
        expected: &str,
    ) {
        let answer = caller.ask(self.site(), method, path, body).await;
        assert_eq!(verdict(&answer), expected, "{} {method} {path}: {answer}", caller.name);
    }
}

/// The routes with what they need: the method, the path, the action or none.
fn routes() -> Vec<(&'static str, &'static str, Option<Action>)> {
    let action = |word: &str| {
        let found = ACTIONS.iter().find(|(action, _)| format!("{action:?}") == word);
        assert!(found.is_some() || word == "open", "{word}");
        found.map(|(action, _)| *action)
    };
    let lines = ROUTES.lines().map(str::split_whitespace).map(Iterator::collect::<Vec<_>>);
    lines.filter(|words| words.len() == 3).map(|words| (words[0], words[1], action(words[2]))).collect()
}

/// What is sent, with the fields without which nothing is asked of the table.
fn sent(method: &str, path: &str) -> Value {
    match (method, path.strip_prefix("/api/v1").unwrap_or(path)) {
        ("get" | "delete", _) => Value::Null,
        (_, "/account" | "/account/login") => json!({ "name": "Zoe", "password": "x" }),
        (_, "/account/recover") => json!({ "name": "Zoe", "code": "x", "password": "x" }),
        (_, "/account/password") => json!({ "current": "x", "password": "x" }),
        (_, "/account/recovery" | "/account/close") => json!({ "password": "x" }),
        (_, "/account/bots") => json!({ "name": "x" }),
        (_, "/reports") => json!({ "person": "Anna", "reason": "other", "text": "x" }),
        (_, "/tournaments") => tournament(),
        (_, "/games/{id}/chat") => json!({ "text": "x" }),
        (_, "/moderation/people/{name}/mute") => json!({ "hours": 1 }),
        _ => json!({}),
    }
}

#[test]
fn the_table_is_what_it_is_meant_to_be() {
    for (action, cells) in ACTIONS {
        for (role, cell) in ROLES.into_iter().zip(cells.chars()) {
            assert_eq!(action.is_for(role), cell != '-', "{action:?} {role:?}");
        }
    }
}

#[test]
fn every_route_and_socket_of_the_description_is_here_and_no_other() {
    let document = crate::api::openapi::document();
    let paths = document["paths"].as_object().expect("paths");
    let of = |path: &str, item: &Value| -> Vec<String> {
        item.as_object().expect("an item").keys().map(|method| format!("{method} {path}")).collect()
    };
    let described: BTreeSet<String> = paths.iter().flat_map(|(path, item)| of(path, item)).collect();
    let here: BTreeSet<String> =
        routes().iter().map(|(method, path, _)| format!("{method} {path}")).collect();
    let (missing, gone): (Vec<_>, Vec<_>) =
        (described.difference(&here).collect(), here.difference(&described).collect());
    assert!(missing.is_empty() && gone.is_empty(), "not here: {missing:?}; no longer there: {gone:?}");
    let sockets: Vec<&str> =
        document["x-websockets"].as_object().expect("sockets").keys().map(String::as_str).collect();
    assert_eq!(sockets.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(SOCKETS));
}

#[tokio::test]
async fn every_role_gets_from_every_route_what_the_table_says() {
    let world = World::new().await;
    let _ = Browser::signed_up(world.site(), "Anna").await;
    let (game, event) =
        (world.game().await, id(&world.other.make(world.site(), "/api/v1/tournaments", tournament()).await));
    for caller in &world.callers {
        for (method, path, action) in routes() {
            let at = match path {
                _ if path.contains("/tournaments/") => path.replace("{id}", &event),
                _ if path.contains("/moderation/") || path.contains("/imports/") => path.replace("{id}", "x"),
                _ => path.replace("{id}", &game),
            };
            let at = at.replace("{name}", "Anna").replace("{move}", "a1b2").replace("{answer}", "yes");
            let answer = caller.ask(world.site(), method, &at, sent(method, path)).await;
            let found = answer["error"]["code"].as_str().unwrap_or("");
            assert!(!["path.unknown", "method.unknown"].contains(&found), "{method} {path}");
            let refused =
                ["account.missing", "token.missing", "token.wrong", "role.forbidden"].contains(&found);
            let expected = match (action, caller.role) {
                (None, _) => "ok",
                (Some(action), role) if action.is_for(role) => "ok",
                (_, None) if !path.starts_with("/api/v1") => "token.missing",
                (_, None) => "account.missing",
                // In a game's paths a token is taken for a key, and opens nothing.
                (Some(Action::TalkWatching), Some(Role::Bot)) => "account.missing",
                _ => "role.forbidden",
            };
            let found = if refused { found } else { "ok" };
            assert_eq!(found, expected, "{:?} {method} {path}: {answer}", caller.role);
        }
    }
}

#[tokio::test]
async fn the_sockets_know_the_same_table() {
    let world = World::new().await;
    let listening = &world.listening;
    let event = id(&world.other.make(world.site(), "/api/v1/tournaments", tournament()).await);
    let live = |id: &str| format!("/api/v1/games/{id}/live");
    let play = |key: &str| json!({ "type": "move", "id": 1, "ply": 0, "move": "a1b2", "key": key });
    for caller in &world.callers {
        // The lobby is seen by all, and used by those who may seek.
        let seek = json!({ "type": "seek", "id": 1, "clock": { "kind": "game", "base_ms": 300_000, "increment_ms": 2000 } });
        for said in [
            seek,
            json!({ "type": "accept", "id": 1, "seek": "x" }),
            json!({ "type": "cancel", "seek": "x" }),
        ] {
            let heard = caller.hear(listening, "/api/v1/lobby/live", &said, &["ack", "game", "error"]).await;
            let expected = match caller.role {
                None => "account.missing",
                Some(role) if Action::Seek.is_for(Some(role)) => "ok",
                Some(_) => "role.forbidden",
            };
            assert_eq!(verdict(&heard), expected, "{} {said}: {heard}", caller.name);
        }
        assert_eq!(
            caller.hear(listening, "/api/v1/lobby/live", &Value::Null, &["seeks"]).await["type"],
            "seeks"
        );

        // Another's game is watched; one's own is played, by the account or with the key.
        let another = live(&world.game().await);
        let heard = caller.hear(listening, &another, &play(""), &["ack", "error"]).await;
        assert_eq!(verdict(&heard), "key.missing", "{}: {heard}", caller.name);
        if !caller.is_bot() {
            let wish = json!({ "friend": { "color": "black" } });
            let begun = caller.make(world.site(), "/api/v1/games", wish).await;
            let own = id(&begun["game"]);
            world.other.make(world.site(), &format!("/api/v1/games/{own}/join"), json!({})).await;
            let key = if caller.role.is_none() { begun["key"].as_str().expect("a key") } else { "" };
            let heard = caller.hear(listening, &live(&own), &play(key), &["ack", "error"]).await;
            assert_eq!(heard["type"], "ack", "{}: {heard}", caller.name);
        }

        // A tournament is followed by all, and nobody does anything there.
        let path = format!("/api/v1/tournaments/{event}/live");
        let heard = caller.hear(listening, &path, &json!({ "type": "cancel" }), &["error"]).await;
        assert_eq!(heard["error"]["code"], "socket.type", "{}: {heard}", caller.name);
        assert_eq!(
            caller.hear(listening, &path, &Value::Null, &["tournament"]).await["tournament"]["stage"],
            "planned"
        );
        let heard = caller.hear(listening, "/api/v1/analysis", &json!({ "type": "ping" }), &["pong"]).await;
        assert_eq!(heard["type"], "pong");
    }
}

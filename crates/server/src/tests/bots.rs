//! Programs: their accounts and tokens, challenges, games by the interface for programs.

use std::time::Duration;

use axum::body::BodyDataStream;
use futures_util::StreamExt;

use super::accounts::{Browser, arena};
use super::damage::past_the_server;
use super::*;
use crate::domain::chat::ChatRoom;

/// What reads a stream of lines.
pub(super) struct Stream {
    data: BodyDataStream,
    rest: String,
}

impl Stream {
    /// The next line that is not empty; nothing at the end.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((line, rest)) = self.rest.split_once('\n') {
                let (line, rest) = (line.to_string(), rest.to_string());
                self.rest = rest;
                if !line.is_empty() {
                    return Some(serde_json::from_str(&line).expect("JSON"));
                }
                continue;
            }
            let part =
                tokio::time::timeout(Duration::from_secs(300), self.data.next()).await.expect("in time")?;
            self.rest.push_str(std::str::from_utf8(&part.expect("whole")).expect("a text"));
        }
    }

    /// The next event of a type; others are passed over.
    pub(super) async fn wait(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next().await.expect("a stream that goes on");
            if event["type"] == kind {
                return event;
            }
        }
    }
}

/// A program with a token.
pub(super) struct Program<'a> {
    site: &'a Site,
    pub(super) token: String,
}

impl Program<'_> {
    fn request(&self, method: &str, path: &str, kind: &str, body: String) -> Request<Body> {
        let request = Request::builder().method(method).uri(format!("/api{path}"));
        let request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        request.header(header::CONTENT_TYPE, kind).body(Body::from(body)).expect("a request")
    }

    pub(super) async fn ask(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, _, body) = self.site.send(self.request(method, path, "application/json", body)).await;
        (status.as_u16(), serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        self.ask("GET", path, Value::Null).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.ask("POST", path, body).await
    }

    /// What must be taken.
    pub(super) async fn does(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    async fn refused(&self, path: &str, body: Value) -> (u16, String) {
        let (status, answer) = self.post(path, body).await;
        (status, code(&answer).to_string())
    }

    pub(super) async fn stream(&self, path: &str) -> Stream {
        let request = self.request("GET", path, "application/json", String::new());
        let response = self.site.router.clone().oneshot(request).await.expect("never fails");
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-ndjson");
        Stream { data: response.into_body().into_data_stream(), rest: String::new() }
    }
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

/// A new program of somebody's.
pub(super) async fn program<'a>(site: &'a Site, owner: &mut Browser, name: &str) -> Program<'a> {
    let (status, answer) = owner.post(site, "/account/bots", json!({ "name": name })).await;
    assert_eq!((status, &answer["name"]), (201, &json!(name)), "{answer}");
    let path = format!("/account/bots/{name}/tokens");
    let (status, answer) = owner.post(site, &path, json!({ "note": "test" })).await;
    assert_eq!(status, 201, "{answer}");
    Program { site, token: answer["secret"].as_str().expect("a token").to_string() }
}

fn blitz() -> Value {
    json!({ "clock.limit": 300, "clock.increment": 2, "rated": true, "color": "black", "variant": "belgian-daisy",
        "days": null, "fen": null })
}

#[tokio::test]
async fn a_token_opens_its_bots_account_until_it_is_revoked_and_is_kept_nowhere() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let one = program(&site, &mut anna, "Anna-Bot").await;
    let (status, account) = one.get("/account").await;
    assert_eq!((status, &account["username"], &account["title"]), (200, &json!("Anna-Bot"), &json!("BOT")));
    assert_eq!(one.get("/account").await.1["id"], "anna-bot");
    let (_, listed) = anna.get(&site, "/account/bots").await;
    let bot = &listed["bots"][0];
    assert_eq!(
        (&bot["name"], &bot["online"], &bot["tokens"][0]["note"]),
        (&json!("Anna-Bot"), &json!(false), &json!("test"))
    );
    assert_eq!(bot["tokens"][0]["scopes"], json!(["bot:play"]));
    assert!(bot["tokens"][0]["seen"].is_i64(), "{bot}");
    assert!(!listed.to_string().contains(&one.token));
    // Nobody logs in as a program, and it is nobody's password.
    let login = json!({ "name": "Anna-Bot", "password": one.token });
    assert_eq!(code(&Browser::default().post(&site, "/account/login", login).await.1), "login.wrong");
    // Others see nothing of it.
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    assert_eq!(ben.get(&site, "/account/bots").await.1["bots"], json!([]));
    let id = bot["tokens"][0]["id"].as_str().expect("an id");
    let path = format!("/account/bots/Anna-Bot/tokens/{id}");
    assert_eq!(code(&ben.ask(&site, "DELETE", &path, Value::Null).await.1), "bot.unknown");
    let mut anna = anna;
    assert_eq!(anna.ask(&site, "DELETE", &path, Value::Null).await.0, 204);
    assert_eq!(code(&anna.ask(&site, "DELETE", &path, Value::Null).await.1), "token.unknown");
    let (status, answer) = one.get("/account").await;
    assert_eq!((status, code(&answer)), (401, "token.wrong"));
    let token = one.token.clone();
    site.app.close().await;
    for entry in std::fs::read_dir(site.folder.path()).expect("a folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        assert!(!bytes.windows(token.len()).any(|part| part == token.as_bytes()));
    }
}

#[tokio::test]
async fn bots_and_tokens_have_limits_and_end_with_their_owner() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let one = program(&site, &mut anna, "One").await;
    for name in ["Two", "Three", "Four", "Five"] {
        assert_eq!(anna.post(&site, "/account/bots", json!({ "name": name })).await.0, 201);
    }
    for (name, expected) in
        [("Six", "bots.full"), ("Anna", "bots.full"), ("x", "name.form"), ("Sumito-6", "name.taken")]
    {
        let (_, answer) = anna.post(&site, "/account/bots", json!({ "name": name })).await;
        assert_eq!(code(&answer), expected, "{name}");
    }
    assert_eq!(anna.ask(&site, "DELETE", "/account/bots/Two", Value::Null).await.0, 204);
    assert_eq!(code(&anna.post(&site, "/account/bots", json!({ "name": "anna" })).await.1), "name.taken");
    for _ in 0..9 {
        assert_eq!(anna.post(&site, "/account/bots/One/tokens", json!({ "days": 1 })).await.0, 201);
    }
    assert_eq!(code(&anna.post(&site, "/account/bots/one/tokens", json!({})).await.1), "tokens.full");
    for (wish, expected) in [
        (json!({ "days": 0 }), "number.range"),
        (json!({ "note": "x".repeat(61) }), "text.too_long"),
        (json!({ "scopes": ["bot:fly"] }), "field.type"),
    ] {
        assert_eq!(
            code(&anna.post(&site, "/account/bots/Three/tokens", wish.clone()).await.1),
            expected,
            "{wish}"
        );
    }
    assert_eq!(anna.post(&site, "/account/close", json!({ "password": "six marbles off" })).await.0, 204);
    assert_eq!(code(&one.get("/account").await.1), "token.wrong");
    assert_eq!(code(&site.get("/people/One").await.1), "person.unknown");
}

#[tokio::test]
async fn an_expired_token_opens_nothing_and_a_scope_is_what_a_token_is_good_for() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let bot = program(&site, &mut anna, "Bot").await;
    let scoped = async |anna: &mut Browser, scope: &str| {
        let wish = json!({ "scopes": [scope], "days": 1 });
        let (_, answer) = anna.post(&site, "/account/bots/Bot/tokens", wish).await;
        Program { site: &site, token: answer["secret"].as_str().expect("a token").to_string() }
    };
    let reader = scoped(&mut anna, "challenge:read").await;
    let writer = scoped(&mut anna, "challenge:write").await;
    assert_eq!(reader.get("/challenge").await.0, 200);
    assert_eq!(reader.refused("/challenge/Anna", blitz()).await, (403, "token.scope".to_string()));
    assert_eq!(writer.post("/challenge/Anna", blitz()).await.0, 200);
    assert_eq!(code(&writer.get("/bot/capabilities").await.1), "token.scope");
    assert_eq!(code(&writer.get("/stream/event").await.1), "token.scope");
    let tested = bot.request("POST", "/token/test", "text/plain", format!("{},nonsense", reader.token));
    let (_, _, body) = site.send(tested).await;
    let tested: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(
        (&tested[&reader.token]["userId"], &tested[&reader.token]["scopes"]),
        (&json!("bot"), &json!("challenge:read"))
    );
    assert!(tested["nonsense"].is_null() && tested.as_object().expect("an object").len() == 2, "{tested}");
    let file = site.folder.path().join("games.db");
    use sqlx::ConnectOptions;
    let mut raw =
        sqlx::sqlite::SqliteConnectOptions::new().filename(&file).connect().await.expect("the database");
    sqlx::query("UPDATE token SET expires = 1 WHERE expires IS NOT NULL")
        .execute(&mut raw)
        .await
        .expect("written");
    assert_eq!(code(&reader.get("/challenge").await.1), "token.wrong");
    assert_eq!(bot.get("/account").await.0, 200);
}

#[tokio::test]
async fn two_bots_play_a_rated_game_by_streams_and_paths() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let one = program(&site, &mut anna, "One").await;
    let two = program(&site, &mut anna, "Two").await;
    let (mut ones, mut twos) = (one.stream("/stream/event").await, two.stream("/stream/event").await);
    let (_, _, body) = site.send(one.request("GET", "/bot/online?nb=7", "", String::new())).await;
    assert_eq!(String::from_utf8(body).expect("a text").lines().count(), 2);
    let challenge = one.does("/challenge/two", blitz()).await;
    let id = challenge["id"].as_str().expect("an id").to_string();
    assert_eq!((&challenge["status"], &challenge["direction"]), (&json!("created"), &json!("out")));
    let heard = twos.wait("challenge").await["challenge"].clone();
    assert_eq!(
        (&heard["id"], &heard["direction"], &heard["speed"]),
        (&json!(id), &json!("in"), &json!("blitz"))
    );
    assert_eq!(heard["timeControl"], json!({ "type": "clock", "limit": 300, "increment": 2, "show": "5+2" }));
    assert_eq!((&heard["challenger"]["name"], &heard["challenger"]["title"]), (&json!("One"), &json!("BOT")));
    assert_eq!(heard["variant"]["key"], "belgian-daisy");
    assert_eq!(one.get("/challenge").await.1["out"][0]["id"], json!(id));
    assert_eq!(
        one.refused(&format!("/challenge/{id}/accept"), Value::Null).await,
        (403, "challenge.other".into())
    );
    two.does(&format!("/challenge/{id}/accept"), Value::Null).await;
    assert_eq!(
        two.refused(&format!("/challenge/{id}/accept"), Value::Null).await,
        (404, "challenge.gone".into())
    );
    let start = ones.wait("gameStart").await["game"].clone();
    assert_eq!(
        (&start["gameId"], &start["color"], &start["isMyTurn"]),
        (&json!(id), &json!("black"), &json!(true))
    );
    assert_eq!(twos.wait("gameStart").await["game"]["opponent"]["username"], "One");
    let mut game = two.stream(&format!("/bot/game/stream/{id}")).await;
    let full = game.wait("gameFull").await;
    assert_eq!(
        (&full["black"]["name"], &full["white"]["title"], &full["rated"]),
        (&json!("One"), &json!("BOT"), &json!(true))
    );
    assert_eq!(full["clock"], json!({ "initial": 300_000, "increment": 2000 }));
    assert_eq!(
        (&full["state"]["type"], &full["state"]["wtime"], &full["state"]["binc"]),
        (&json!("gameState"), &json!(300_000), &json!(2000))
    );
    let path = format!("/bot/game/{id}");
    assert_eq!(two.refused(&format!("{path}/move/i5h5"), Value::Null).await, (403, "seat.other".into()));
    assert_eq!(one.refused(&format!("{path}/move/e5e6"), Value::Null).await, (422, "move.no_marble".into()));
    one.does(&format!("{path}/move/a1b2?ply=0&offeringDraw=true"), Value::Null).await;
    assert_eq!(one.refused(&format!("{path}/move/a1b2?ply=0"), Value::Null).await, (409, "ply.stale".into()));
    let mut state = game.wait("gameState").await;
    while state["bdraw"] == false {
        state = game.wait("gameState").await;
    }
    assert_eq!((&state["moves"], &state["status"]), (&json!("a1b2"), &json!("started")));
    two.does(&format!("{path}/draw/no"), Value::Null).await;
    two.does(&format!("{path}/move/i5h5"), Value::Null).await;
    one.does(&format!("{path}/chat"), json!({ "room": "player", "text": "good luck" })).await;
    let said = game.wait("chatLine").await;
    assert_eq!((&said["username"], &said["text"]), (&json!("One"), &json!("good luck")));
    // It is kept with what people say; those who look on are not heard by players, nor spoken to by bots.
    let players = site.app.game(&id).await.expect("a game").lock().await.num;
    let kept = site.app.store.chat(players, ChatRoom::Players).await.expect("read");
    assert_eq!(kept.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["good luck"]);
    let chat = format!("{path}/chat");
    let aloud = json!({ "room": "spectator", "text": "hello all" });
    assert_eq!(one.refused(&chat, aloud).await, (422, "word.unknown".into()));
    for (text, expected) in [(" ", "chat.empty"), ("a\u{7}", "text.too_long")] {
        assert_eq!(one.refused(&chat, json!({ "text": text })).await.1, expected);
    }
    let (mut carl, _) = Browser::signed_up(&site, "Carl").await;
    assert_eq!(carl.post(&site, &format!("/games/{id}/chat"), json!({ "text": "bold" })).await.0, 201);
    two.does(&chat, json!({ "text": "thanks" })).await;
    assert_eq!(game.wait("chatLine").await["text"], "thanks");
    let mut silence = past_the_server(&site).await;
    sqlx::query("INSERT INTO mute (person, until) SELECT num, 9000000000000 FROM person WHERE name = 'One'")
        .execute(&mut silence)
        .await
        .expect("written");
    assert_eq!(one.refused(&chat, json!({ "text": "still here" })).await.1, "chat.mute");
    two.does(&format!("{path}/takeback/yes"), Value::Null).await;
    one.does(&format!("{path}/takeback/no"), Value::Null).await;
    assert_eq!(
        one.refused(&format!("{path}/takeback/maybe"), Value::Null).await,
        (422, "word.unknown".into())
    );
    assert_eq!(one.refused(&format!("{path}/abort"), Value::Null).await, (409, "game.begun".into()));
    one.does(&format!("{path}/resign"), Value::Null).await;
    let mut state = game.wait("gameState").await;
    while state["status"] == "started" {
        state = game.wait("gameState").await;
    }
    assert_eq!((&state["status"], &state["winner"]), (&json!("resign"), &json!("white")));
    assert!(game.next().await.is_none(), "it ends with the game");
    assert_eq!(ones.wait("gameFinish").await["game"]["status"]["name"], "resign");
    assert_eq!(twos.wait("gameFinish").await["game"]["winner"], "white");
    let perf = &two.get("/account").await.1["perfs"]["blitz"];
    assert!(perf["rating"].as_i64() > Some(1500) && perf["games"] == 1, "{perf}");
    // Somebody else sees nothing of their game by this interface.
    let three = program(&site, &mut anna, "Three").await;
    assert_eq!(three.refused(&format!("{path}/resign"), Value::Null).await, (403, "game.other".into()));
}

#[tokio::test]
async fn a_challenge_is_declined_canceled_kept_over_a_restart_and_told_to_who_was_away() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let one = program(&site, &mut anna, "One").await;
    let two = program(&site, &mut anna, "Two").await;
    let id = |challenge: &Value| challenge["id"].as_str().expect("an id").to_string();
    let (first, second) =
        (id(&one.does("/challenge/Two", blitz()).await), id(&one.does("/challenge/Two", blitz()).await));
    assert_eq!(
        two.refused(&format!("/challenge/{first}/cancel"), Value::Null).await,
        (403, "challenge.other".into())
    );
    assert_eq!(
        two.refused(&format!("/challenge/{first}/decline"), json!({ "reason": "mood" })).await,
        (422, "word.unknown".into())
    );
    two.does(&format!("/challenge/{first}/decline"), json!({ "reason": "tooFast" })).await;
    assert_eq!(
        one.refused(&format!("/challenge/{first}/cancel"), Value::Null).await,
        (404, "challenge.gone".into())
    );
    let declined = one.stream("/stream/event").await.wait("challengeDeclined").await;
    assert_eq!(
        (&declined["challenge"]["id"], &declined["challenge"]["declineReasonKey"]),
        (&json!(first), &json!("tooFast"))
    );
    assert_eq!(one.get(&format!("/challenge/{first}")).await.1["status"], "declined");
    let (one, two) = (one.token, two.token);
    site.app.close().await;
    let Site { folder, .. } = site;
    let site = Site::open(folder, |config| config.arena = true, &[]).await;
    let (one, two) = (Program { site: &site, token: one }, Program { site: &site, token: two });
    let mut events = two.stream("/stream/event").await;
    assert_eq!(events.wait("challenge").await["challenge"]["id"], json!(second));
    one.does(&format!("/challenge/{second}/cancel"), Value::Null).await;
    assert_eq!(events.wait("challengeCanceled").await["challenge"]["id"], json!(second));
    assert_eq!(one.get("/challenge").await.1, json!({ "in": [], "out": [] }));
    // A game that goes on is told to who comes back, too, with all of it in its own stream.
    let third = id(&one.does("/challenge/Two", blitz()).await);
    two.does(&format!("/challenge/{third}/accept"), Value::Null).await;
    one.does(&format!("/bot/game/{third}/move/a1b2"), Value::Null).await;
    let mut again = two.stream("/stream/event").await;
    assert_eq!(again.wait("gameStart").await["game"]["isMyTurn"], true);
    let mut ended = false;
    while let Some(event) = events.next().await {
        ended |= event["type"] == "gameStart";
    }
    assert!(ended, "the stream of before ends with the new one");
    let full = two.stream(&format!("/bot/game/stream/{third}")).await.wait("gameFull").await;
    assert_eq!(full["state"]["moves"], "a1b2");
    two.does(&format!("/bot/game/{third}/abort"), Value::Null).await;
    assert_eq!(again.wait("gameFinish").await["game"]["status"]["name"], "aborted");
}

#[tokio::test]
async fn a_bot_is_challenged_to_what_it_accepts_alone_and_plays_others_so_often_a_day() {
    let site = Site::with(|config| (config.arena, config.bot_games) = (true, 2)).await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    let one = program(&site, &mut anna, "One").await;
    let two = program(&site, &mut anna, "Two").await;
    let accepts =
        json!({ "layouts": ["belgian-daisy"], "speeds": ["blitz"], "games": 1, "rating": [1000, 2000] });
    assert_eq!(one.ask("PUT", "/bot/capabilities", accepts).await, (200, json!({ "ok": true })));
    assert_eq!(one.get("/bot/capabilities").await.1["games"], 1);
    for (change, field) in [
        (json!({ "layouts": ["nowhere"] }), "layouts"),
        (json!({ "games": 0 }), "games"),
        (json!({ "wins": true }), "wins"),
    ] {
        let (_, answer) = one.ask("PUT", "/bot/capabilities", change).await;
        assert_eq!(answer["error"]["field"], field, "{answer}");
    }
    let with = |name: &str, value: Value| {
        let mut wish = blitz();
        wish[name] = value;
        wish
    };
    for (wish, what) in
        [(with("variant", json!("standard")), "layout"), (with("clock.limit", json!(30)), "speed")]
    {
        let (status, answer) = two.post("/challenge/One", wish).await;
        assert_eq!(
            (status, code(&answer), &answer["error"]["values"]["what"]),
            (409, "challenge.unfit", &json!(what))
        );
    }
    assert_eq!(one.refused("/challenge/One", blitz()).await, (409, "challenge.own".into()));
    assert_eq!(one.refused("/challenge/Nobody", blitz()).await, (404, "person.unknown".into()));
    let play = async || {
        let challenge = two.does("/challenge/One", blitz()).await;
        let id = challenge["id"].as_str().expect("an id").to_string();
        one.does(&format!("/challenge/{id}/accept"), Value::Null).await;
        id
    };
    let id = play().await;
    let (_, answer) = two.post("/challenge/One", blitz()).await;
    assert_eq!(answer["error"]["values"]["what"], "games");
    two.does(&format!("/bot/game/{id}/resign"), Value::Null).await;
    let id = play().await;
    two.does(&format!("/bot/game/{id}/resign"), Value::Null).await;
    let request = two.request("POST", "/challenge/One", "application/json", blitz().to_string());
    let (status, headers, body) = site.send(request).await;
    let answer: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((status.as_u16(), code(&answer)), (429, "rate.bot_games"));
    let after: i64 = headers[header::RETRY_AFTER].to_str().expect("a text").parse().expect("seconds");
    assert!((86_000..=86_400).contains(&after), "{after}");
    // With people it plays on; they send and answer challenges by what logs them in.
    let request = Request::post("/api/challenge/One")
        .header(header::COOKIE, &ben.cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("clock.limit=300&clock.increment=2&rated=false"));
    let (status, _, body) = site.send(request.expect("a request")).await;
    let challenge: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((status.as_u16(), &challenge["challenger"]["title"]), (200, &Value::Null), "{challenge}");
    let id = challenge["id"].as_str().expect("an id");
    one.does(&format!("/challenge/{id}/accept"), Value::Null).await;
    assert_eq!(ben.get(&site, &format!("/games/{id}/seat")).await.1["plays"], true);
}

#[tokio::test]
async fn who_is_blocked_challenges_in_vain() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    let one = program(&site, &mut anna, "One").await;
    one.does("/challenge/Ben", blitz()).await;
    assert_eq!(ben.ask(&site, "PUT", "/people/one/block", Value::Null).await.0, 204);
    let (status, answer) = one.post("/challenge/Ben", blitz()).await;
    assert_eq!(
        (status, code(&answer), &answer["error"]["values"]["what"]),
        (409, "challenge.unfit", &json!("bots")),
        "as by somebody who plays no bots"
    );
    assert_eq!(ben.ask(&site, "DELETE", "/people/one/block", Value::Null).await.0, 204);
    one.does("/challenge/Ben", blitz()).await;
}

#[tokio::test]
async fn limits_are_told_with_their_name_and_when_to_come_back() {
    let site = Site::with(|config| (config.arena, config.token_rate, config.streams) = (true, 2, 1)).await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let one = program(&site, &mut anna, "One").await;
    let _open = one.stream("/stream/event").await;
    let (status, answer) = one.get("/stream/event").await;
    assert_eq!(
        (status, code(&answer), &answer["error"]["values"]["what"]),
        (429, "rate.held", &json!("streams"))
    );
    let mut refused = None;
    for _ in 0..20 {
        let request = one.request("GET", "/account", "", String::new());
        let (status, headers, body) = site.send(request).await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            refused = Some((headers, body));
        }
    }
    let (headers, body) = refused.expect("too many");
    let answer: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((code(&answer), &answer["error"]["values"]["most"]), ("rate.token", &json!(2)));
    assert!(headers.contains_key(header::RETRY_AFTER));
}

#[tokio::test]
async fn open_challenges_have_a_limit_on_both_sides() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let one = program(&site, &mut anna, "One").await;
    for _ in 0..20 {
        one.does("/challenge/Anna", blitz()).await;
    }
    assert_eq!(one.refused("/challenge/Anna", blitz()).await, (429, "rate.challenges_open".into()));
    for name in ["Two", "Three"] {
        let other = program(&site, &mut anna, name).await;
        for _ in 0..if name == "Two" { 20 } else { 10 } {
            other.does("/challenge/Anna", blitz()).await;
        }
        if name == "Three" {
            assert_eq!(
                other.refused("/challenge/Anna", blitz()).await,
                (429, "rate.challenges_waiting".into())
            );
        }
    }
}

#[tokio::test]
async fn a_server_without_an_arena_has_no_bots_and_a_path_that_is_none_says_so() {
    let site = Site::new().await;
    for path in ["/api/account", "/api/stream/event", "/api/bot/online"] {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let (status, _, body) = site.send(request).await;
        let answer: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!((status.as_u16(), code(&answer)), (404, "arena.off"), "{path}");
    }
    let request = Request::post("/api/bot/nothing").body(Body::empty()).expect("a request");
    let (status, _, body) = site.send(request).await;
    let answer: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((status.as_u16(), code(&answer)), (404, "path.unknown"));
}

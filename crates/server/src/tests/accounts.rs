//! Accounts: making, opening, changing and closing them.

use super::*;

/// A server that has accounts.
pub(super) async fn arena() -> Site {
    Site::with(|config| config.arena = true).await
}

const GOOD: &str = "six marbles off";

/// Somebody's browser: it keeps the cookie that it is given.
#[derive(Default)]
pub(super) struct Browser {
    pub(super) cookie: String,
}

impl Browser {
    pub(super) async fn ask(&mut self, site: &Site, method: &str, path: &str, body: Value) -> (u16, Value) {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, &self.cookie)
            .header(header::USER_AGENT, "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
            .body(if body.is_null() { Body::empty() } else { Body::from(body.to_string()) })
            .expect("a request");
        let (status, headers, body) = site.send(request).await;
        if let Some(cookie) = headers.get(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("a text");
            assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
            self.cookie = cookie.split(';').next().unwrap_or_default().to_string();
        }
        (status.as_u16(), serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    pub(super) async fn get(&mut self, site: &Site, path: &str) -> (u16, Value) {
        self.ask(site, "GET", path, Value::Null).await
    }

    pub(super) async fn post(&mut self, site: &Site, path: &str, body: Value) -> (u16, Value) {
        self.ask(site, "POST", path, body).await
    }

    /// Somebody who has just made an account, and the codes.
    pub(super) async fn signed_up(site: &Site, name: &str) -> (Browser, Vec<String>) {
        let mut browser = Browser::default();
        let (status, answer) =
            browser.post(site, "/account", json!({ "name": name, "password": GOOD })).await;
        assert_eq!((status, &answer["person"]["name"]), (201, &json!(name)), "{answer}");
        let codes = answer["recovery"].as_array().expect("codes");
        let codes = codes.iter().map(|code| code.as_str().expect("a text").to_string()).collect();
        (browser, codes)
    }

    /// The name of whoever is logged in.
    async fn name(&mut self, site: &Site) -> Value {
        let (status, answer) = self.get(site, "/account").await;
        assert_eq!(status, 200);
        answer["person"]["name"].clone()
    }
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

#[tokio::test]
async fn a_server_without_an_arena_has_no_accounts() {
    let site = Site::new().await;
    let (status, answer) = site.post("/account", "", &json!({ "name": "Anna", "password": GOOD })).await;
    assert_eq!((status.as_u16(), code(&answer)), (404, "arena.off"));
    assert_eq!(site.get("/meta").await.1["arena"], false);
    assert_eq!(arena().await.get("/meta").await.1["arena"], true);
}

#[tokio::test]
async fn an_account_is_made_left_and_opened_again_also_after_a_restart() {
    let site = arena().await;
    let (mut anna, codes) = Browser::signed_up(&site, "Anna").await;
    assert_eq!((anna.name(&site).await, codes.len()), (json!("Anna"), 8));
    assert_eq!(anna.post(&site, "/account/logout", Value::Null).await.0, 204);
    assert_eq!(anna.name(&site).await, Value::Null);
    let (status, answer) =
        anna.post(&site, "/account/login", json!({ "name": "anna", "password": "wrong one" })).await;
    assert_eq!((status, code(&answer)), (403, "login.wrong"));
    let (status, answer) =
        anna.post(&site, "/account/login", json!({ "name": "Nobody", "password": GOOD })).await;
    assert_eq!((status, code(&answer)), (403, "login.wrong"), "as if there were such a name");
    let (status, _) = anna.post(&site, "/account/login", json!({ "name": " ANNA ", "password": GOOD })).await;
    assert_eq!(status, 200);
    site.app.close().await;
    let Site { folder, .. } = site;
    let site = Site::open(folder, |config| config.arena = true, &[]).await;
    assert_eq!(anna.name(&site).await, "Anna");
    let (_, person) = site.get("/people/anna").await;
    assert_eq!((&person["person"]["name"], &person["person"]["role"]), (&json!("Anna"), &json!("person")));
    assert_eq!(code(&site.get("/people/ben").await.1), "person.unknown");
}

#[tokio::test]
async fn names_and_passwords_that_do_not_do_are_refused_with_the_reason() {
    let site = arena().await;
    let _ = Browser::signed_up(&site, "Anna").await;
    for (name, password, expected) in [
        ("anna", GOOD, "name.taken"),
        ("Sumito", GOOD, "name.taken"),
        ("1x", GOOD, "name.form"),
        ("Ben", "short", "password.length"),
        ("Ben", "password1", "password.weak"),
        ("Benjamina", "benjamina7", "password.weak"),
    ] {
        let wish = json!({ "name": name, "password": password });
        let (_, answer) = Browser::default().post(&site, "/account", wish).await;
        assert_eq!(code(&answer), expected, "{name} {password}");
    }
}

#[tokio::test]
async fn of_two_who_want_a_name_at_once_one_gets_it() {
    let site = arena().await;
    let wish = json!({ "name": "Anna", "password": GOOD });
    let tries = (0..4).map(|_| async { Browser::default().post(&site, "/account", wish.clone()).await.0 });
    let mut found = futures_util::future::join_all(tries).await;
    found.sort_unstable();
    assert_eq!(found, [201, 409, 409, 409]);
}

#[tokio::test]
async fn a_token_is_not_in_the_database_and_neither_is_a_password_nor_a_code() {
    let site = arena().await;
    let (anna, codes) = Browser::signed_up(&site, "Anna").await;
    site.app.close().await;
    let token = anna.cookie.split_once('=').expect("a cookie").1;
    for entry in std::fs::read_dir(site.folder.path()).expect("a folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(!has(token) && !has(GOOD) && codes.iter().all(|code| !has(code)));
    }
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_others() {
    let site = arena().await;
    let (mut here, _) = Browser::signed_up(&site, "Anna").await;
    let login = json!({ "name": "Anna", "password": GOOD });
    let (mut phone, mut library) = (Browser::default(), Browser::default());
    assert_eq!(phone.post(&site, "/account/login", login.clone()).await.0, 200);
    assert_eq!(library.post(&site, "/account/login", login).await.0, 200);
    let (_, listed) = here.get(&site, "/account/sessions").await;
    let sessions = listed["sessions"].as_array().expect("sessions");
    assert_eq!((sessions.len(), &listed["recovery_codes"]), (3, &json!(8)));
    assert_eq!(sessions.iter().filter(|session| session["here"] == true).count(), 1);
    assert!(sessions.iter().all(|session| session["device"] == "Firefox, Linux"));
    let (_, own) = library.get(&site, "/account/sessions").await;
    let own = own["sessions"].as_array().expect("sessions").iter().find(|session| session["here"] == true);
    let path = format!("/account/sessions/{}", own.expect("its own")["id"].as_str().expect("an id"));
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    let (status, answer) = ben.ask(&site, "DELETE", &path, Value::Null).await;
    assert_eq!((status, code(&answer)), (404, "session.unknown"), "another's");
    assert_eq!(here.ask(&site, "DELETE", &path, Value::Null).await.0, 204);
    assert_eq!((library.name(&site).await, phone.name(&site).await), (Value::Null, json!("Anna")));
    assert_eq!(here.ask(&site, "DELETE", "/account/sessions", Value::Null).await.0, 204);
    assert_eq!((phone.name(&site).await, here.name(&site).await), (Value::Null, json!("Anna")));
}

#[tokio::test]
async fn another_password_needs_the_one_before_and_ends_all_other_sessions() {
    let site = arena().await;
    let (mut here, _) = Browser::signed_up(&site, "Anna").await;
    let mut phone = Browser::default();
    phone.post(&site, "/account/login", json!({ "name": "Anna", "password": GOOD })).await;
    let change = |current: &str, password: &str| json!({ "current": current, "password": password });
    let (status, answer) =
        here.ask(&site, "PUT", "/account/password", change("a wrong one", "another sentence")).await;
    assert_eq!((status, refusal(&answer)), (403, ("forbidden", "current")));
    assert_eq!(here.ask(&site, "PUT", "/account/password", change(GOOD, "another sentence")).await.0, 204);
    assert_eq!((here.name(&site).await, phone.name(&site).await), (json!("Anna"), Value::Null));
    let login = |password: &str| json!({ "name": "Anna", "password": password });
    assert_eq!(phone.post(&site, "/account/login", login(GOOD)).await.0, 403);
    assert_eq!(phone.post(&site, "/account/login", login("another sentence")).await.0, 200);
}

#[tokio::test]
async fn a_code_replaces_a_lost_password_once() {
    let site = arena().await;
    let (mut here, codes) = Browser::signed_up(&site, "Anna").await;
    let mut phone = Browser::default();
    let with = |code: &str| json!({ "name": "anna", "code": code, "password": "another sentence" });
    let (status, answer) = phone.post(&site, "/account/recover", with("abcdefghij")).await;
    assert_eq!((status, code(&answer)), (403, "recovery.wrong"));
    let written = format!(" {} ", codes[0].to_uppercase());
    assert_eq!(phone.post(&site, "/account/recover", with(&written)).await.0, 200);
    assert_eq!((phone.name(&site).await, here.name(&site).await), (json!("Anna"), Value::Null));
    let mut other = Browser::default();
    assert_eq!(code(&other.post(&site, "/account/recover", with(&codes[0])).await.1), "recovery.wrong");
    let (status, answer) =
        phone.post(&site, "/account/recovery", json!({ "password": "another sentence" })).await;
    assert_eq!((status, answer["recovery"].as_array().map(Vec::len)), (201, Some(8)));
    assert_eq!(code(&other.post(&site, "/account/recover", with(&codes[1])).await.1), "recovery.wrong");
}

#[tokio::test]
async fn a_closed_account_is_gone_and_its_name_is_free() {
    let site = arena().await;
    let (mut anna, codes) = Browser::signed_up(&site, "Anna").await;
    let (_, export) = anna.get(&site, "/account/export").await;
    assert_eq!(
        (&export["profile"]["person"]["name"], export["sessions"].as_array().map(Vec::len)),
        (&json!("Anna"), Some(1))
    );
    let (status, answer) = anna.post(&site, "/account/close", json!({ "password": "not it" })).await;
    assert_eq!((status, code(&answer)), (403, "password.wrong"));
    assert_eq!(anna.post(&site, "/account/close", json!({ "password": GOOD })).await.0, 204);
    assert_eq!((anna.name(&site).await, site.get("/people/Anna").await.0.as_u16()), (Value::Null, 404));
    let with = json!({ "name": "Anna", "code": codes[0], "password": "another sentence" });
    assert_eq!(code(&anna.post(&site, "/account/recover", with).await.1), "recovery.wrong");
    let _ = Browser::signed_up(&site, "Anna").await;
}

#[tokio::test]
async fn who_guesses_is_slowed_down_and_told_for_how_long() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let mut guesser = Browser::default();
    let guess = json!({ "name": "Ben", "password": "guess number" });
    for _ in 0..10 {
        assert_eq!(guesser.post(&site, "/account/login", guess.clone()).await.0, 403);
    }
    let (status, answer) = guesser.post(&site, "/account/login", guess).await;
    assert_eq!((status, code(&answer)), (429, "rate.logins"));
    assert_eq!(answer["error"]["values"], json!({ "most": 10, "minutes": 10 }));
    assert_eq!(anna.name(&site).await, "Anna", "who is logged in stays so");
}

#[tokio::test]
async fn another_sites_page_cannot_act_for_somebody_who_is_logged_in() {
    let site = arena().await;
    let (anna, _) = Browser::signed_up(&site, "Anna").await;
    let request = Request::post("/api/v1/account/logout")
        .header(header::HOST, "localhost:7161")
        .header(header::ORIGIN, "https://evil.example")
        .header(header::COOKIE, &anna.cookie)
        .body(Body::empty())
        .expect("a request");
    let (status, _, body) = site.send(request).await;
    let answer: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((status.as_u16(), code(&answer)), (403, "origin.foreign"));
}

#[tokio::test]
async fn a_seat_of_somebody_with_an_account_needs_no_key() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    let wish = json!({ "friend": { "color": "black", "name": "Somebody else" } });
    let (_, answer) = anna.post(&site, "/games", wish).await;
    assert_eq!((&answer["game"]["black"]["name"], &answer["color"]), (&json!("Anna"), &json!("black")));
    let path = format!("/games/{}", answer["game"]["id"].as_str().expect("an id"));
    let (_, own) = anna.post(&site, &format!("{path}/join"), json!({})).await;
    assert_eq!(code(&own), "seat.own", "in another tab of the same person");
    let (_, answer) = ben.post(&site, &format!("{path}/join"), json!({})).await;
    assert_eq!((&answer["game"]["white"]["name"], &answer["color"]), (&json!("Ben"), &json!("white")));
    let play = |ply: usize, text: &str| json!({ "move": text, "ply": ply });
    let moves = format!("{path}/moves");
    let (_, wrong) = ben.post(&site, &moves, play(0, "a1b2")).await;
    assert_eq!(code(&wrong), "seat.other");
    assert_eq!(anna.post(&site, &moves, play(0, "a1b2")).await.0, 200);
    assert_eq!(ben.post(&site, &moves, play(1, "i5h5")).await.0, 200);
    let (_, nobody) = Browser::default().post(&site, &moves, play(2, "b2c3")).await;
    assert_eq!(code(&nobody), "key.missing");
    let mut phone = Browser::default();
    phone.post(&site, "/account/login", json!({ "name": "Anna", "password": GOOD })).await;
    assert_eq!(phone.get(&site, &format!("{path}/seat")).await.1, json!({ "plays": true, "color": "black" }));
    assert_eq!(phone.post(&site, &moves, play(2, "b2c3")).await.0, 200, "on another device");
    let watching = json!({ "plays": false, "color": null });
    assert_eq!(Browser::default().get(&site, &format!("{path}/seat")).await.1, watching);
    let (_, listed) = site.get("/games?person=ben").await;
    assert_eq!((&listed["total"], site.get("/games?person=nobody").await.0.as_u16()), (&json!(1), 404));

    // After a restart it is the same, and a rematch keeps both in their seats.
    site.app.close().await;
    let Site { folder, .. } = site;
    let site = Site::open(folder, |config| config.arena = true, &[]).await;
    assert_eq!(ben.post(&site, &format!("{path}/resign"), json!({})).await.0, 200);
    assert_eq!(anna.post(&site, &format!("{path}/rematch"), json!({})).await.0, 202);
    let (_, again) = ben.post(&site, &format!("{path}/rematch"), json!({})).await;
    assert_eq!((&again["key"], &again["color"]), (&Value::Null, &json!("black")), "{again}");
    let next = format!("/games/{}", again["game"]["id"].as_str().expect("an id"));
    assert_eq!(ben.post(&site, &format!("{next}/moves"), play(0, "a1b2")).await.0, 200);
    assert_eq!(anna.get(&site, &format!("{next}/seat")).await.1["color"], "white");

    // A closed account leaves its games, without its name, also where it plays.
    assert_eq!(anna.post(&site, "/account/close", json!({ "password": GOOD })).await.0, 204);
    for path in [&path, &next] {
        let (_, game) = site.get(path).await;
        let names = [&game["black"]["name"], &game["white"]["name"]];
        assert!(!names.contains(&&json!("Anna")) && names.contains(&&json!("Ben")), "{names:?}");
    }
}

#[tokio::test]
async fn a_game_against_an_agent_goes_on_at_another_device() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let agent = json!({ "kind": "agent", "spec": "random" });
    let (_, answer) = anna.post(&site, "/games", json!({ "white": agent })).await;
    assert_eq!(answer["game"]["black"]["name"], "Anna");
    let id = answer["game"]["id"].as_str().expect("an id").to_string();
    let mut phone = Browser::default();
    phone.post(&site, "/account/login", json!({ "name": "Anna", "password": GOOD })).await;
    let moves = format!("/games/{id}/moves");
    assert_eq!(phone.post(&site, &moves, json!({ "move": "a1b2", "ply": 0 })).await.0, 200);
    site.wait(&id, |game| game["moves"].as_array().map(Vec::len) == Some(2)).await;
    assert_eq!(phone.post(&site, "/account/close", json!({ "password": GOOD })).await.0, 204);
    assert_eq!(site.get(&format!("/games/{id}")).await.1["black"]["name"], "");
    // Two at one device are nobody in particular.
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    let (_, two) = ben.post(&site, "/games", json!({})).await;
    assert_eq!(two["game"]["black"]["name"], "");
}

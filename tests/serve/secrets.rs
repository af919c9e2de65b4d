//! What opens an account or a game is in no log, however much is logged.

use serde_json::{Value, json};

use super::process::Server;

const PASSWORD: &str = "six marbles off";
const WRONG: &str = "a guess that was none";
const LATER: &str = "another sentence altogether";

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_string()
}

#[test]
fn no_password_token_code_or_key_is_in_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--arena", "--log", "debug"]);
    let post = |cookie: &str, path: &str, body: Value, expected: u16| {
        let (status, given, answer) = server.ask(cookie, "POST", &format!("/api/v1{path}"), &body);
        assert_eq!(status, expected, "{path}: {answer}");
        (given.unwrap_or_default(), answer)
    };
    let login = |password: &str| json!({ "name": "Anna", "password": password });
    let (first, made) = post("", "/account", login(PASSWORD), 201);
    let codes: Vec<String> = made["recovery"].as_array().expect("codes").iter().map(text).collect();
    post("", "/account/login", login(WRONG), 403);
    let (second, _) = post("", "/account/login", login(PASSWORD), 200);
    let recovery = json!({ "name": "Anna", "code": codes[0], "password": LATER });
    let (third, _) = post("", "/account/recover", recovery, 200);
    post(&third, "/account/bots", json!({ "name": "Bot" }), 201);
    let (_, token) = post(&third, "/account/bots/Bot/tokens", json!({}), 201);
    let token = text(&token["secret"]);
    let (status, answer) = server.request("GET", "/api/account", &token, "");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(server.request("GET", "/api/account", &format!("{token}x"), "").0, 401);
    let (id, key) = server.begin();
    let played = json!({ "move": "a1b2", "ply": 0 });
    assert_eq!(server.post(&format!("/api/v1/games/{id}/moves"), &key, &played).0, 200);
    // What cannot be read must not be told as it is, either.
    let (status, _) =
        server.request("POST", "/api/v1/account/login", "", &format!("{{\"password\": \"{PASSWORD}\""));
    assert!((400..500).contains(&status), "{status}");
    assert_eq!(server.terminate(), Some(0));

    let log = std::fs::read_to_string(folder.path().join("log.txt")).expect("a log");
    assert!(
        log.contains("/api/v1/account/login") && log.contains("/api/account"),
        "nothing is logged: {log}"
    );
    let session = |cookie: &str| cookie.split_once('=').expect("a cookie").1.to_string();
    let sessions = [session(&first), session(&second), session(&third)];
    let words = [PASSWORD, WRONG, LATER].map(str::to_string);
    for secret in words.into_iter().chain(sessions).chain(codes).chain([token, key]) {
        assert!(secret.len() >= 8 && !log.contains(&secret), "'{secret}' is in the log");
    }
}

//! `sumito bot` as its users run it, against the players of the house.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::process::Server;

/// A running bot; it ends with this.
struct Bot(Child);

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(server: &Server, folder: &Path, token: &str) -> Command {
    let file = folder.join("bot.token");
    std::fs::write(&file, format!("{token}\n")).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sumito"));
    command
        .arg("bot")
        .arg("--server")
        .arg(format!("http://{}", server.address))
        .arg("--token-file")
        .arg(file);
    command.args(["--agent", "sumito:level=3", "--games", "8"]).stderr(Stdio::piped());
    command
}

/// The token of a new bot.
fn token(server: &Server) -> String {
    let login = json!({ "name": "Anna", "password": "six marbles off" });
    let (status, cookie, answer) = server.ask("", "POST", "/api/v1/account", &login);
    assert_eq!(status, 201, "{answer}");
    let cookie = cookie.expect("a cookie");
    let (status, _, answer) = server.ask(&cookie, "POST", "/api/v1/account/bots", &json!({ "name": "Bot" }));
    assert_eq!(status, 201, "{answer}");
    let (_, _, answer) = server.ask(&cookie, "POST", "/api/v1/account/bots/Bot/tokens", &json!({}));
    answer["secret"].as_str().expect("a token").to_string()
}

fn is_over(server: &Server, id: &str) -> Option<Value> {
    let (status, text) = server.request("GET", &format!("/api/v1/games/{id}"), "", "");
    let game: Value = serde_json::from_str(&text).unwrap_or_default();
    (status == 200).then(|| game["position"]["outcome"].clone()).filter(|outcome| !outcome.is_null())
}

#[test]
fn a_bot_plays_twenty_games_against_the_house_and_takes_them_up_again_when_it_is_killed() {
    const GAMES: usize = 20;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("arena.toml"), "arena = true\ntoken_rate = 1000\n").expect("written");
    let server = Server::start(folder.path(), &["--config", "arena.toml"]);
    let token = token(&server);
    let start = || Bot(command(&server, folder.path(), &token).stderr(Stdio::null()).spawn().expect("a bot"));
    let mut bot = start();
    let until = Instant::now() + Duration::from_secs(900);
    let (mut open, mut over, mut begun, mut killed): (Vec<String>, usize, usize, usize) =
        (Vec::new(), 0, 0, 0);
    while over < GAMES {
        assert!(Instant::now() < until, "{over} of {GAMES} games are over: {open:?}");
        let before = open.len();
        open.retain(|id| match is_over(&server, id) {
            None => true,
            Some(outcome) => {
                let reason = outcome["reason"].as_str().expect("a word");
                assert!(!["time", "forfeit", "resignation"].contains(&reason), "{id}: {outcome}");
                false
            }
        });
        over += before - open.len();
        if before > open.len() && killed < 3 {
            // At any moment of the games that go on.
            killed += 1;
            drop(bot);
            bot = start();
        }
        if open.len() < 4 && begun < GAMES {
            let wish = json!({ "clock.limit": 300, "clock.increment": 3, "rated": true });
            let house = ["Random", "Sumito-1", "Sumito-2", "Maastricht-2"][begun % 4];
            let (status, answer) = server.post(&format!("/api/challenge/{house}"), &token, &wish);
            assert_eq!(status, 200, "{answer}");
            open.push(answer["id"].as_str().expect("an id").to_string());
            begun += 1;
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    assert_eq!(killed, 3);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_token_that_opens_nothing_ends_a_bot_with_code_2_and_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--arena"]);
    for (token, expected) in [("smt_nobodys", "token.wrong"), ("", "expected a token")] {
        let output = command(&server, folder.path(), token).output().expect("a bot");
        let told = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(output.status.code() == Some(2) && told.contains(expected), "{told}");
    }
}

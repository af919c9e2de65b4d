//! `sumito bot` as its users run it, against the players of the house.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::badline::BadLine;
use super::process::Server;

/// A running bot; it ends with this.
struct Bot(Child);

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(address: &str, folder: &Path, token: &str) -> Command {
    let file = folder.join("bot.token");
    std::fs::write(&file, format!("{token}\n")).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sumito"));
    command.arg("bot").arg("--server").arg(format!("http://{address}")).arg("--token-file").arg(file);
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

/// How often all games are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// A server with players of the house, and the token of a new bot.
fn arena(folder: &Path) -> (Server, String) {
    std::fs::write(folder.join("arena.toml"), "arena = true\ntoken_rate = 1000\nkeep_alive_ms = 2000\n")
        .expect("written");
    let server = Server::start(folder, &["--config", "arena.toml"]);
    let token = token(&server);
    (server, token)
}

/// Has a bot play so many games against the house, four at a time, to an end that is none of its line or its program; `looked` is called
/// between, with how often it was.
fn plays(server: &Server, token: &str, games: usize, mut looked: impl FnMut(usize)) {
    let until = Instant::now() + Duration::from_secs(1200);
    let (mut open, mut over, mut begun): (Vec<String>, usize, usize) = (Vec::new(), 0, 0);
    for look in 0.. {
        assert!(Instant::now() < until, "{over} of {games} games are over: {open:?}");
        let before = open.len();
        open.retain(|id| match is_over(server, id) {
            None => true,
            Some(outcome) => {
                let reason = outcome["reason"].as_str().expect("a word");
                assert!(!["time", "forfeit", "resignation"].contains(&reason), "{id}: {outcome}");
                false
            }
        });
        over += before - open.len();
        if over == games {
            return;
        }
        looked(look);
        if open.len() < 4 && begun < games {
            let wish = json!({ "clock.limit": 300, "clock.increment": 3, "rated": true });
            let house = ["Random", "Sumito-1", "Sumito-2", "Maastricht-2"][begun % 4];
            let (status, answer) = server.post(&format!("/api/challenge/{house}"), token, &wish);
            assert_eq!(status, 200, "{answer}");
            open.push(answer["id"].as_str().expect("an id").to_string());
            begun += 1;
        }
        std::thread::sleep(LOOK);
    }
}

/// The same with the bot killed so often, whatever it does then, and begun anew.
fn plays_and_is_killed(games: usize, kills: usize, every: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, token) = arena(folder.path());
    let start = || {
        let mut command = command(&server.address, folder.path(), &token);
        Bot(command.stderr(Stdio::null()).spawn().expect("a bot"))
    };
    let (mut bot, mut killed) = (Some(start()), 0);
    plays(&server, &token, games, |look| {
        if killed < kills && look % every == every - 1 {
            drop(bot.take());
            bot = Some(start());
            killed += 1;
        }
    });
    assert_eq!(killed, kills);
    drop(bot);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_bot_plays_against_the_house_and_takes_its_games_up_again_when_it_is_killed() {
    plays_and_is_killed(4, 2, 4);
}

#[test]
#[ignore = "takes a minute"]
fn a_bot_plays_twenty_games_against_the_house_and_takes_them_up_again_when_it_is_killed() {
    plays_and_is_killed(20, 3, 20);
}

#[test]
#[ignore = "takes some minutes"]
fn a_bot_loses_none_of_twenty_games_by_a_line_that_is_cut_every_ten_seconds() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, token) = arena(folder.path());
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let line =
        runtime.block_on(BadLine::new(server.address.parse().expect("an address"), Duration::from_secs(10)));
    let mut command = command(&line.address.to_string(), folder.path(), &token);
    let bot = Bot(command.stderr(Stdio::null()).spawn().expect("a bot"));
    plays(&server, &token, 20, |_| ());
    line.was_cut(20);
    drop(bot);
}

#[test]
fn a_token_that_opens_nothing_ends_a_bot_with_code_2_and_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--arena"]);
    for (token, expected) in [("smt_nobodys", "token.wrong"), ("", "expected a token")] {
        let output = command(&server.address, folder.path(), token).output().expect("a bot");
        let told = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(output.status.code() == Some(2) && told.contains(expected), "{told}");
    }
}

//! A client library that is not ours, unchanged: `berserk` from PyPI. It is no dependency; a folder of its own is made for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::accounts::Browser;
use super::badline::BadLine;
use super::bots::program;
use super::lines::SELDOM;
use super::sockets::Listening;

/// The library's Python: in the folder that `BERSERK` names, or else in one of the build's, where it is put if it is not there.
fn python() -> PathBuf {
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/berserk");
    let folder = std::env::var_os("BERSERK").map_or(build, PathBuf::from);
    let python = folder.join("bin/python");
    let has_it = |python: &Path| {
        let found = Command::new(python).args(["-c", "import berserk"]).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    if !has_it(&python) {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).status().expect("Python");
        assert!(made.success(), "a folder for the library");
        let put = Command::new(&python).args(["-m", "pip", "install", "--quiet", "berserk"]).status();
        assert!(put.expect("pip").success() && has_it(&python), "berserk from PyPI");
    }
    python
}

/// Has the library play so many games against a player of the house, over a line that is cut so often or never; gives how they ended.
async fn plays(games: usize, cut_every: Option<Duration>) -> Vec<String> {
    let python = tokio::task::spawn_blocking(python).await.expect("a folder");
    let listening = Listening::with(|config| {
        (config.arena, config.house, config.keep_alive_ms, config.token_rate) = (true, true, 500, 200);
        config.search_threads = 1;
    })
    .await;
    let (mut anna, _) = Browser::signed_up(&listening.site, "Anna").await;
    let bot = program(&listening.site, &mut anna, "Bot").await;
    let line = match cut_every {
        None => None,
        Some(every) => Some(BadLine::new(listening.address, every).await),
    };
    let address = line.as_ref().map_or(listening.address, |line| line.address);
    let mut command = tokio::task::spawn_blocking({
        let (token, games) = (bot.token.clone(), games.to_string());
        move || {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/berserk.py");
            let mut command = Command::new(python);
            command.arg(script).arg(format!("http://{address}")).arg(token).args(["Sumito-1", &games]);
            command.output().expect("Python")
        }
    });
    let output = tokio::time::timeout(Duration::from_secs(1200), &mut command).await;
    let output = output.expect("in time").expect("ended");
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    if let Some(line) = line {
        line.was_cut(games);
    }
    text.lines().map(str::to_string).collect()
}

fn must_be_played(ends: &[String], games: usize) {
    assert_eq!(ends.len(), games, "{ends:?}");
    for end in ends {
        let status = end.split_whitespace().nth(1).expect("a word");
        assert!(["variantEnd", "draw"].contains(&status), "{end}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Python and berserk from PyPI"]
async fn an_unchanged_client_library_plays_against_the_house() {
    must_be_played(&plays(20, None).await, 20);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Python and berserk from PyPI"]
async fn the_library_loses_no_game_by_a_line_that_is_cut_every_two_seconds() {
    must_be_played(&plays(6, Some(Duration::from_secs(2))).await, 6);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Python and berserk from PyPI, and takes some minutes"]
async fn the_library_loses_none_of_twenty_games_by_a_line_that_is_cut_every_ten_seconds() {
    must_be_played(&plays(20, Some(SELDOM)).await, 20);
}

//! The web app's server as its users run it: the real program on a real port.

mod abuse;
mod arena;
#[path = "../../crates/server/src/tests/badline.rs"]
mod badline;
mod bot;
mod database;
#[cfg(target_os = "linux")]
mod disk;
mod door;
mod honest;
mod hostile;
mod library;
mod load;
mod net;
mod process;
mod secrets;
mod tournament;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use load::{Player, Span};
use process::Server;

#[test]
fn the_program_alone_serves_the_web_app_and_ends_well_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    assert_eq!(server.get("/healthz")["status"], "ok");
    let (id, key) = server.begin();
    let (status, _) =
        server.post(&format!("/api/v1/games/{id}/moves"), &key, &json!({ "move": "a1b2", "ply": 0 }));
    assert_eq!(status, 200);
    assert_eq!(server.terminate(), Some(0));
    let server = Server::start(folder.path(), &["serve"]);
    assert_eq!(server.get(&format!("/api/v1/games/{id}"))["moves"][0]["move"], "a1b2");
}

#[test]
fn a_port_that_is_taken_leads_to_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let server = Server::start(folder.path(), &["--port", &port.to_string()]);
    let found: u16 = server.address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    assert!(found > port && found <= port + 100, "{port}: {found}");
}

#[test]
fn settings_that_make_no_sense_are_refused_in_one_paragraph() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.toml"), "prot = 80\n").expect("written");
    std::fs::write(folder.path().join("text.db"), "no database at all, ".repeat(50)).expect("written");
    for (args, expected) in [
        (&["--config", "bad.toml"][..], "prot"),
        (&["--config", "none.toml"], "none.toml"),
        (&["--web-dir", "nowhere"], "expected a folder"),
        (&["--database", "text.db"], "cannot be used"),
        (&["--database", "no/such/folder/x.db"], "cannot be used"),
        (&["--rate", "0"], "expected a whole number from 1"),
        (&["--proxy", "everybody"], "expected an address or a network"),
        (&["--host", "https://sumito.example"], "expected names without scheme"),
        (&["--public-url", "sumito.example"], "expected a URL without a path"),
        (&["--log", "=,=x"], "log"),
    ] {
        let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("sumito"));
        let run =
            command.current_dir(folder.path()).args(args).args(["--port", "0"]).assert().code(2).stdout("");
        let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(text.contains(expected), "{args:?}: {text}");
    }
}

/// Plays in all games at once; `during` is given how many moves were acknowledged so far.
fn play(server: &Server, players: Vec<Player>, span: Span, during: impl FnOnce(&AtomicUsize)) -> Vec<Player> {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let sum = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (1..)
        .zip(players)
        .map(|(number, player)| {
            runtime.spawn(player.play(server.address.clone(), number, span, Arc::clone(&sum)))
        })
        .collect();
    during(&sum);
    tasks.into_iter().map(|task| runtime.block_on(task).expect("no player found a fault")).collect()
}

fn moves(game: &Value) -> Vec<String> {
    let text = |played: &Value| played["move"].as_str().expect("a text").to_string();
    game["moves"].as_array().expect("moves").iter().map(text).collect()
}

/// After a restart every game has what was acknowledged, and at most the one move more that was under way.
fn compare(server: &Server, players: &mut [Player]) {
    for player in players {
        let found = moves(&server.get(&format!("/api/v1/games/{}", player.id)));
        let more = found.strip_prefix(&player.acknowledged[..]).expect("every acknowledged move");
        assert!(more.is_empty() || more.len() == 1 && more.first() == player.open.as_ref(), "{more:?}");
        player.acknowledged = found;
    }
}

/// Settings for many players from one address.
fn generous(folder: &std::path::Path) -> [&'static str; 2] {
    let text = "rate = 100000\nburst = 100000\nsockets = 2000\naddress_connections = 2000\n";
    std::fs::write(folder.join("load.toml"), text).expect("written");
    ["--config", "load.toml"]
}

/// Longer than any test: a bound against hanging.
const LONG: Duration = Duration::from_secs(600);

/// Plays so many games at a pace, kills the server after so many acknowledged moves, while more are under way, and plays
/// so many moves on in each game: nothing that was acknowledged is gone. Gives back the moves that were acknowledged
/// before the end, and after it.
fn survive(games: usize, pace: Duration, kill: usize, on: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let args = generous(folder.path());
    let server = Server::start(folder.path(), &args);
    let players: Vec<Player> = (0..games).map(|_| Player::new(server.begin())).collect();
    let id = server.id().to_string();
    let span = Span { pace, time: LONG, moves: usize::MAX };
    let mut players = play(&server, players, span, |acknowledged| {
        while acknowledged.load(Ordering::SeqCst) < kill {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(std::process::Command::new("kill").args(["-9", &id]).status().expect("kill").success());
    });
    server.kill();
    let moves = |players: &[Player]| players.iter().map(|player| player.times.len()).sum::<usize>();
    let before = moves(&players);
    let server = Server::start(folder.path(), &args);
    compare(&server, &mut players);
    let lengths: Vec<usize> = players.iter().map(|player| player.acknowledged.len()).collect();
    let players = play(&server, players, Span { moves: on, ..span }, |_| ());
    for (player, before) in players.iter().zip(lengths) {
        let game = server.get(&format!("/api/v1/games/{}", player.id));
        assert_eq!(self::moves(&game), player.acknowledged);
        let over = !game["position"]["outcome"].is_null();
        assert!(over || player.acknowledged.len() == before + on, "the game goes on");
    }
    (before, moves(&players) - before)
}

#[test]
fn after_kill_9_every_acknowledged_move_is_there_and_every_game_goes_on() {
    let (before, after) = survive(40, Duration::from_millis(5), 1000, 3);
    assert!(before >= 1000 && after > 100, "{before} moves were played, then {after}");
}

/// The same in the middle of the load below.
#[test]
#[ignore = "takes half a minute and wants the machine for itself"]
fn load_of_500_games_survives_kill_9() {
    let (before, after) = survive(500, Duration::from_secs(1), 5000, 10);
    println!(
        "500 games: {before} moves acknowledged before kill -9, all there after it; {after} more went on"
    );
    assert!(before > 1000 && after > 1000, "{before} moves before, {after} after");
}

/// The part of the times that are longest, as a time.
fn percentile(times: &[Duration], part: f64) -> Duration {
    times[((times.len() - 1) as f64 * part) as usize]
}

/// A number of the environment.
fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A process' memory in KB: what it has now (`VmRSS:`), or the most that it had (`VmHWM:`).
fn memory(id: u32, which: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("Linux");
    let line = status.lines().find(|line| line.starts_with(which)).expect("the memory");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).expect("a number")
}

/// 500 games at a move a second each; with `LOAD=busy` while both cores search. Prints what it measures:
///
/// `cargo test --release --test serve -- --ignored --nocapture --test-threads=1 load`
#[test]
#[ignore = "measures for a minute and wants the machine for itself"]
fn load_of_500_games_at_a_move_a_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = generous(folder.path());
    let server = Server::start(folder.path(), &args);
    let seconds = number("LOAD_SECONDS", 30) as u64;
    let busy = std::env::var("LOAD").is_ok_and(|text| text == "busy");
    let players: Vec<Player> = (0..500).map(|_| Player::new(server.begin())).collect();
    if busy {
        // Games between agents of full strength keep every search thread at work, as long as someone watches.
        let agent = json!({ "kind": "agent", "spec": "sumito" });
        for _ in 0..4 {
            let (status, _) = server.post(
                "/api/v1/games",
                "",
                &json!({ "black": agent, "white": agent, "think_ms": 5000 }),
            );
            assert_eq!(status, 201);
        }
    }
    let span = Span { pace: Duration::from_secs(1), time: Duration::from_secs(seconds), moves: usize::MAX };
    let players = play(&server, players, span, |_| ());
    let mut times: Vec<Duration> = players.iter().flat_map(|player| player.times.clone()).collect();
    times.sort_unstable();
    println!(
        "{} moves in {seconds} s, {}: median {:?}, 99 % {:?}, most {:?}; at most {} MB of memory",
        times.len(),
        if busy { "while both cores search" } else { "engine idle" },
        percentile(&times, 0.5),
        percentile(&times, 0.99),
        percentile(&times, 1.0),
        memory(server.id(), "VmHWM:") / 1024,
    );
    for player in &players {
        assert_eq!(moves(&server.get(&format!("/api/v1/games/{}", player.id))), player.acknowledged);
    }
}

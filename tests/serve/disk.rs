//! A disk that is really full: the server runs on a file system of 4 MB of its own (a tmpfs in a mount namespace), which
//! the tests fill and free. Also a real limit on the size of files.
//!
//! These tests need namespaces that an ordinary user may make, which some systems refuse, so they are ignored unless
//! asked for: `cargo test --release --test serve -- --ignored disk::`. CI runs them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::load::{Player, Span};
use super::process::Server;
use super::{LONG, compare, play};

/// A small file system. It is gone when this is dropped.
struct SmallDisk {
    /// A process that holds the namespace between two servers.
    holder: Child,
    mount: tempfile::TempDir,
}

impl SmallDisk {
    fn new(mb: u32) -> SmallDisk {
        let mount = tempfile::tempdir().expect("a folder");
        let script =
            format!("mount -t tmpfs -o size={mb}m none \"$0\" && touch \"$0/ready\" && exec sleep 3600");
        let mut command = Command::new("unshare");
        command.args(["-Urm", "sh", "-c", &script]).arg(mount.path()).stdin(Stdio::null());
        let holder = command.spawn().expect("unshare, of util-linux");
        let mut disk = SmallDisk { holder, mount };
        let until = Instant::now() + Duration::from_secs(60);
        while !disk.path("ready").exists() {
            let ended = disk.holder.try_wait().expect("a state");
            assert!(ended.is_none(), "this system allows no mount namespace of one's own: {ended:?}");
            assert!(Instant::now() < until, "the file system did not appear");
            std::thread::sleep(Duration::from_millis(10));
        }
        disk
    }

    /// A file of the small disk, as seen from outside.
    fn path(&self, name: &str) -> PathBuf {
        let inside = self.mount.path().strip_prefix("/").expect("an absolute path");
        Path::new("/proc").join(self.holder.id().to_string()).join("root").join(inside).join(name)
    }

    fn server(&self) -> Server {
        std::fs::write(self.path("load.toml"), "rate = 100000\nburst = 100000\nsockets = 2000\n")
            .expect("room");
        let mut command = Command::new("nsenter");
        command.args(["--preserve-credentials", "-U", "-m", "-t", &self.holder.id().to_string(), "sh", "-c"]);
        command.arg("cd \"$0\" && exec \"$@\"").arg(self.mount.path());
        command.arg(assert_cmd::cargo::cargo_bin!("sumito")).stderr(Stdio::null());
        Server::launch(command, &["--config", "load.toml"])
    }

    /// Takes all that is left.
    fn fill(&self) {
        use std::io::Write;
        let mut file =
            std::fs::File::options().create(true).append(true).open(self.path("fill")).expect("a file");
        for size in [65_536, 4096] {
            while file.write_all(&vec![7; size]).is_ok() {}
        }
    }

    fn free(&self) {
        std::fs::remove_file(self.path("fill")).expect("filled before");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

const WALK: [&str; 4] = ["a1b2", "i5h5", "b2a1", "h5i5"];

/// A game that the tests play move by move, and what was acknowledged in it.
struct Walk {
    id: String,
    key: String,
    plies: usize,
}

impl Walk {
    /// The same positions come again and again, which must not end the game.
    fn begin(server: &Server) -> Walk {
        let rules = json!({ "preset": "official", "repetition": "off" });
        let (status, answer) = server.post("/api/v1/games", "", &json!({ "rules": rules }));
        assert_eq!(status, 201, "{answer}");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        Walk { id: text(&answer["game"]["id"]), key: text(&answer["key"]), plies: 0 }
    }

    fn step(&mut self, server: &Server) -> u16 {
        let body = json!({ "move": WALK[self.plies % 4], "ply": self.plies });
        let (status, answer) = server.post(&format!("/api/v1/games/{}/moves", self.id), &self.key, &body);
        match status {
            200 => self.plies += 1,
            507 => assert_eq!(answer["error"]["kind"], "storage", "{answer}"),
            _ => panic!("{status}: {answer}"),
        }
        status
    }

    fn stored(&self, server: &Server) -> usize {
        plies(server, &self.id)
    }
}

fn plies(server: &Server, id: &str) -> usize {
    server.get(&format!("/api/v1/games/{id}"))["moves"].as_array().expect("moves").len()
}

/// Plays until a write fails for want of room.
fn play_until_full(game: &mut Walk, server: &Server) {
    let steps = (0..5000).position(|_| game.step(server) == 507);
    assert!(steps.is_some(), "the disk did not become full");
}

#[test]
#[ignore = "needs a mount namespace: unshare -Urm"]
fn what_is_acknowledged_after_a_full_disk_is_there_after_a_restart() {
    let disk = SmallDisk::new(4);
    let server = disk.server();
    let mut game = Walk::begin(&server);
    (0..10).for_each(|_| assert_eq!(game.step(&server), 200));
    disk.fill();
    play_until_full(&mut game, &server);
    assert_eq!(game.step(&server), 507, "still full");
    assert_eq!(server.request("GET", "/readyz", "", "").0, 503, "not ready while nothing can be written");
    assert_eq!(server.request("GET", "/healthz", "", "").0, 200, "but alive");
    disk.free();
    until(|| server.request("GET", "/readyz", "", "").0 == 200);
    (0..10).for_each(|_| assert_eq!(game.step(&server), 200, "there is room again"));
    let mut other = Walk::begin(&server);
    (0..10).for_each(|_| assert_eq!(other.step(&server), 200));
    assert_eq!(server.terminate(), Some(0));
    let server = disk.server();
    assert_eq!(game.stored(&server), game.plies, "every acknowledged move, and no other");
    assert_eq!(other.stored(&server), other.plies, "every acknowledged move, and no other");
}

#[test]
#[ignore = "needs a mount namespace: unshare -Urm"]
fn agents_tell_of_no_move_that_a_full_disk_did_not_take() {
    let disk = SmallDisk::new(4);
    let server = disk.server();
    let agent = json!({ "kind": "agent", "spec": "random" });
    let rules = json!({ "preset": "official", "repetition": "off" });
    let request = json!({ "black": agent, "white": agent, "rules": rules, "delay_ms": 20 });
    let (status, answer) = server.post("/api/v1/games", "", &request);
    assert_eq!(status, 201, "{answer}");
    let id = answer["game"]["id"].as_str().expect("an id").to_string();
    until(|| plies(&server, &id) >= 10);
    disk.fill();
    // Each failed move is tried again after two seconds.
    until(|| failed_writes(&server) >= 4 || plies(&server, &id) >= 400);
    let told = plies(&server, &id);
    server.kill();
    disk.free();
    let server = disk.server();
    assert!(plies(&server, &id) >= told, "{told} moves were told, {} are there", plies(&server, &id));
    until(|| plies(&server, &id) > told + 10);
}

fn failed_writes(server: &Server) -> u64 {
    let Value::String(text) = server.get("/metrics") else { panic!("expected a text") };
    let line = text.lines().find_map(|line| line.strip_prefix("sumito_failed_writes_total "));
    line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// Waits for what must come some time.
fn until(wanted: impl Fn() -> bool) {
    for _ in 0..6000 {
        if wanted() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("it did not happen");
}

#[test]
#[ignore = "needs prlimit, of util-linux"]
fn a_limit_on_the_size_of_files_is_told_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = assert_cmd::cargo::cargo_bin!("sumito");
    // The soft limit, in blocks of a kilobyte, which is raised again below.
    let mut command = Command::new("bash");
    command
        .current_dir(folder.path())
        .args(["-c", "ulimit -S -f 400 && exec \"$@\"", "bash"])
        .arg(program)
        .stderr(Stdio::null());
    let server = Server::launch(command, &[]);
    let mut game = Walk::begin(&server);
    play_until_full(&mut game, &server);
    assert_eq!(game.step(&server), 507, "the limit is still there");
    let limited =
        Command::new("prlimit").args(["--pid", &server.id().to_string(), "--fsize=unlimited:"]).status();
    assert!(limited.expect("prlimit").success());
    (0..10).for_each(|_| assert_eq!(game.step(&server), 200, "there is room again"));
    server.kill();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(game.stored(&server), game.plies, "every acknowledged move, and no other");
}

/// Eight times `kill -9` under load, each second time after the disk was really full for a while: every acknowledged move
/// is there.
#[test]
#[ignore = "needs a mount namespace: unshare -Urm"]
fn nothing_acknowledged_is_lost_by_full_disks_and_kills_under_load() {
    let disk = SmallDisk::new(64);
    let mut server = disk.server();
    let mut players: Vec<Player> = (0..40).map(|_| Player::new(server.begin())).collect();
    let (mut acknowledged, mut refused) = (0, 0);
    for round in 0..8 {
        let id = server.id().to_string();
        let span = Span { pace: Duration::from_millis(10), time: LONG, moves: usize::MAX };
        players = play(&server, players, span, |acknowledged| {
            let more = |moves| {
                let enough = acknowledged.load(Ordering::SeqCst) + moves;
                until(|| acknowledged.load(Ordering::SeqCst) >= enough);
            };
            more(2000);
            if round % 2 == 1 {
                disk.fill();
                until(|| failed_writes(&server) >= 1000);
                disk.free();
                more(2000);
            }
            assert!(Command::new("kill").args(["-9", &id]).status().expect("kill").success());
        });
        server.kill();
        server = disk.server();
        compare(&server, &mut players);
        let (moves, no): (usize, usize) = (
            players.iter().map(|player| player.times.len()).sum(),
            players.iter().map(|player| player.refused).sum(),
        );
        println!(
            "round {round}: {} moves acknowledged, {} refused, all there",
            moves - acknowledged,
            no - refused
        );
        assert!(moves > acknowledged, "moves were played");
        assert!(round % 2 == 0 || no > refused, "the disk was full");
        (acknowledged, refused) = (moves, no);
        for player in &mut players {
            // A game may be over; another one takes its place.
            let game = server.get(&format!("/api/v1/games/{}", player.id));
            if !game["position"]["outcome"].is_null() {
                *player = Player {
                    times: std::mem::take(&mut player.times),
                    refused: player.refused,
                    ..Player::new(server.begin())
                };
            }
        }
    }
}

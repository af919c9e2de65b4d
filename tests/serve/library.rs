//! A library of 100,000 games: how long the opening explorer and the lists take, alone and when many ask at once.
//!
//! `cargo test --release --test serve -- --ignored --nocapture library::`

use std::time::{Duration, Instant};

use serde_json::Value;
use sumito_rules::{Game, Layout, Notation, Repetition, Rules};

use super::percentile;
use super::process::Server;

/// Games in the library, and in one import.
const GAMES: usize = 100_000;
const TOGETHER: usize = 20_000;
const PLIES: usize = 60;

/// Numbers that look random and are the same each time.
struct Lcg(u64);

impl Lcg {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A game in which some first moves are far more popular than others, as among people.
fn game(random: &mut Lcg) -> Game {
    let rules = Rules { repetition: Repetition::Off, ..Rules::OFFICIAL };
    let mut game = Game::new(rules, Layout::all()[0].position());
    while game.moves().len() < PLIES && game.outcome().is_none() {
        let moves = game.legal_moves();
        let skew = if game.moves().len() < 10 { 6 } else { 1 };
        let at = (random.unit().powi(skew) * moves.len() as f64) as usize;
        game.play(moves[at]).expect("legal");
    }
    game
}

fn record(number: usize, game: &Game) -> String {
    let played =
        game.positions().iter().zip(game.moves()).map(|(position, &m)| Notation::AbaPro.write(position, m));
    let moves: Vec<String> = played.collect();
    let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
    let names = [number % 977, number % 1009];
    format!(
        "[Event \"Library\"]\n[Round \"{number}\"]\n[Black \"Player {}\"]\n[White \"Player {}\"]\n[Result \"{result}\"]\n\n{} {result}\n\n",
        names[0],
        names[1],
        moves.join(" ")
    )
}

fn import(server: &Server, text: &str) {
    let (status, body) = server.request_as("text/plain", "POST", "/api/v1/imports", "", text);
    assert_eq!(status, 202, "{body}");
    let import: Value = serde_json::from_str(&body).expect("JSON");
    let path = format!("/api/v1/imports/{}", import["id"].as_str().expect("an id"));
    loop {
        let state = server.get(&path);
        match state["state"].as_str() {
            Some("running") => std::thread::sleep(Duration::from_millis(100)),
            Some("done") => return assert_eq!(state["refused_count"], 0, "{state}"),
            _ => panic!("{state}"),
        }
    }
}

/// Asks for each path, so many at a time, and gives the times.
fn ask(server: &Server, paths: &[String], at_once: usize) -> (Vec<Duration>, usize) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let (mut times, mut busy) = (Vec::new(), 0);
        while let Some(path) = paths.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let began = Instant::now();
            let (status, body) = server.request("GET", path, "", "");
            assert!(status == 200 || status == 503 || status == 429, "{path}: {status} {body}");
            busy += usize::from(status != 200);
            times.push(began.elapsed());
        }
        (times, busy)
    };
    let mut times = Vec::new();
    let mut busy = 0;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let (some, more) = thread.join().expect("no fault");
            times.extend(some);
            busy += more;
        }
    });
    times.sort();
    (times, busy)
}

#[test]
fn lists_go_by_the_date_that_a_game_has_page_by_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let dates = ["2024.05.02", "1931.01.01", "2025.01.31", "1969.12.31"];
    import(
        &server,
        &dates.map(|date| format!("[Date \"{date}\"]\n[Black \"{date}\"]\n\n1. a1b2 *\n\n")).concat(),
    );
    server.begin();
    for (sort, wanted) in [
        ("newest", ["", "2025.01.31", "2024.05.02", "1969.12.31", "1931.01.01"]),
        ("oldest", ["1931.01.01", "1969.12.31", "2024.05.02", "2025.01.31", ""]),
    ] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = server.get(&format!("/api/v1/games?sort={sort}&limit=1&cursor={cursor}"));
            seen.push(page["games"][0]["black"]["name"].as_str().unwrap_or_default().to_string());
            match page["next"].as_str() {
                Some(next) => cursor = next.to_string(),
                None => break,
            }
        }
        assert_eq!(seen, wanted, "{sort}");
    }
}

#[test]
#[ignore = "measures for some minutes and wants the machine for itself"]
fn library_of_100_000_games_answers_openings_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("load.toml"), "rate = 100000\nburst = 100000\n").expect("written");
    let server = Server::start(folder.path(), &["--config", "load.toml"]);
    let (mut random, mut positions) = (Lcg(1), Vec::new());
    let began = Instant::now();
    for first in (0..GAMES).step_by(TOGETHER) {
        let mut text = String::new();
        for number in first..first + TOGETHER {
            let game = game(&mut random);
            if number % 500 == 0 {
                positions.extend(game.positions().iter().take(12).map(ToString::to_string));
            }
            text += &record(number, &game);
        }
        import(&server, &text);
    }
    let size = std::fs::metadata(folder.path().join("sumito.db")).expect("a file").len() >> 20;
    println!("{GAMES} games imported in {:.0?}, {size} MB", began.elapsed());
    assert_eq!(server.get("/api/v1/games?limit=1")["total"], GAMES);
    let encoded = |fen: &String| fen.replace(' ', "%20").replace('/', "%2F");
    let openings: Vec<String> =
        positions.iter().map(|fen| format!("/api/v1/openings?fen={}", encoded(fen))).collect();
    let start = vec!["/api/v1/openings".to_string(); 200];
    let lists: Vec<String> =
        ["", "?player=Player%2012", "?result=draw&sort=longest", "?layout=belgian-daisy&limit=100"]
            .iter()
            .cycle()
            .take(40)
            .map(|query| format!("/api/v1/games{query}"))
            .collect();
    let filtered = vec!["/api/v1/openings?player=Player%2012".to_string(); 20];
    let mut worst = Duration::ZERO;
    for (name, paths, at_once) in [
        ("openings, one at a time", &openings, 1),
        ("the start, one at a time", &start, 1),
        ("the start, 200 at once", &start, 200),
        ("lists, one at a time", &lists, 1),
        ("openings of a player, one at a time", &filtered, 1),
    ] {
        let (times, busy) = ask(&server, paths, at_once);
        let part = |part| percentile(&times, part);
        println!(
            "{name}: {} asked, median {:.1?}, 99 % {:.1?}, most {:.1?}, {busy} told to come again",
            times.len(),
            part(0.5),
            part(0.99),
            part(1.0)
        );
        if at_once == 1
            && name.contains("one at a time")
            && !name.contains("player")
            && !name.contains("lists")
        {
            worst = worst.max(part(0.99));
        }
    }
    assert!(worst < Duration::from_millis(50), "{worst:?}");
}

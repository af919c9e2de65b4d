//! What one address can do to everybody else: a hundred honest games at levels 1 to 6 while a hostile client does all at
//! once. The server runs with the settings that it is shipped with; whatever it refuses the hostile client is expected.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;

use super::honest::Person;
use super::net::{Client, answer};
use super::process::Server;
use super::{memory, number, percentile};

pub(crate) const HONEST: usize = 100;
/// Honest games of one address.
const PER_ADDRESS: usize = 2;
pub(crate) const HOSTILE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 200);
pub(crate) const IDLE: usize = 2000;
const LONG_GAMES: usize = 300;
const QUICK_GAMES: usize = 40;
/// What the rest has before the idle connections come.
const HEAD_START: Duration = Duration::from_secs(8);
/// Just below the longest import.
const IMPORT_BYTES: usize = 31 << 20;

/// What was tried, and what of it the server took.
#[derive(Default)]
pub(crate) struct Tally {
    tried: AtomicUsize,
    taken: AtomicUsize,
}

impl Tally {
    pub(crate) fn add(&self, is_taken: bool) {
        self.tried.fetch_add(1, Relaxed);
        self.taken.fetch_add(usize::from(is_taken), Relaxed);
    }

    pub(crate) fn text(&self) -> String {
        format!("{} of {}", self.taken.load(Relaxed), self.tried.load(Relaxed))
    }
}

#[derive(Default)]
struct Deeds {
    idle: Tally,
    slow: Tally,
    games: Tally,
    quick: Tally,
    reviews: Tally,
    analyses: Tally,
    imports: Tally,
    asked: Tally,
}

/// Games with agents that think for a minute, and some that are as quick as they can be.
async fn games(client: Client, deeds: Arc<Deeds>) {
    let specs =
        ["sumito", "aba-pro:depth=12", "verloop:depth=12", "maastricht:depth=9", "bcit", "maastricht-mcts"];
    let agent = |spec: &str| json!({ "kind": "agent", "spec": spec });
    for number in 0..LONG_GAMES + QUICK_GAMES {
        let is_long = number < LONG_GAMES;
        let seats = match (is_long, number % 2) {
            (true, 0) => json!({ "black": agent(specs[number / 2 % specs.len()]) }),
            (true, _) => json!({ "black": agent(specs[number / 2 % specs.len()]), "white": agent("sumito") }),
            (false, 0) => json!({ "black": agent("sumito:level=11"), "white": agent("sumito:level=12") }),
            (false, _) => json!({ "black": agent("greedy"), "white": agent("sumito:level=11") }),
        };
        let mut request = seats;
        request["think_ms"] = json!(60_000);
        let begun = client.ask(("POST", "/api/v1/games"), "", &request).await;
        let tally = if is_long { &deeds.games } else { &deeds.quick };
        tally.add(begun.is_ok_and(|(status, _)| status == 201));
    }
}

/// Deep reviews of a long game, again and again.
async fn reviews(client: Client, deeds: Arc<Deeds>) {
    let moves: Vec<&str> = ["a1b2", "i5h5", "b2a1", "h5i5"].into_iter().cycle().take(200).collect();
    let game = json!({ "moves": moves, "rules": { "repetition": "off" } });
    loop {
        if let Ok((201, answer)) = client.ask(("POST", "/api/v1/games"), "", &game).await {
            let path = format!("/api/v1/games/{}/review", answer["game"]["id"].as_str().unwrap_or_default());
            let key = answer["key"].as_str().unwrap_or_default();
            let asked = client.ask(("POST", &path), key, &json!({ "time_ms": 10_000 })).await;
            deeds.reviews.add(asked.is_ok_and(|(status, _)| status == 202));
        }
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
}

/// Analyses without an end, as many as a socket takes.
async fn analyses(client: Client, deeds: Arc<Deeds>) {
    let Ok(mut socket) = client.open("/api/v1/analysis").await else { return deeds.analyses.add(false) };
    for id in 0..5 {
        let agent = ["sumito", "verloop:depth=12"][id % 2];
        let start = json!({ "type": "start", "id": id, "lines": 10, "agent": agent });
        let _ = socket.send(Message::text(start.to_string())).await;
    }
    let mut refused = 0;
    while let Some(Ok(message)) = socket.next().await {
        refused += usize::from(message.to_text().is_ok_and(|text| text.starts_with("{\"type\":\"error\"")));
        if refused == 5 {
            break;
        }
        deeds.analyses.add(refused < 5);
    }
}

/// Imports as large as they may be.
async fn imports(client: Client, text: Arc<Vec<u8>>, deeds: Arc<Deeds>) {
    loop {
        let what = ("POST", "/api/v1/imports");
        let taken = match client.send(what, "", ("text/plain", &text), false).await {
            Ok(stream) => answer(stream).await.is_ok_and(|(status, _)| status == 202),
            Err(_) => false,
        };
        deeds.imports.add(taken);
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// Asks for large answers and never reads them.
async fn slow(client: Client, deeds: Arc<Deeds>) {
    let sent = client.send(("GET", "/api/v1/games?limit=100"), "", ("text/plain", b""), true).await;
    deeds.slow.add(sent.is_ok());
    let _unread = sent;
    std::future::pending::<()>().await;
}

/// Says nothing at all, and comes again when it is sent away. It begins when the games and searches are under way: idle
/// connections take the hostile client's own places.
async fn idle(client: Client, deeds: Arc<Deeds>) {
    tokio::time::sleep(Duration::from_secs(6)).await;
    loop {
        let stream = client.connect(false).await;
        deeds.idle.add(stream.is_ok());
        if let Ok(stream) = stream {
            // Until the server closes it.
            let _ = stream.readable().await;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Hints and opinions, one after the other.
async fn questions(client: Client, deeds: Arc<Deeds>) {
    let Ok((_, game)) = client.ask(("POST", "/api/v1/games"), "", &json!({})).await else { return };
    let hint = format!("/api/v1/games/{}/hint", game["game"]["id"].as_str().unwrap_or_default());
    let fen = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss%200%200%20b";
    let opinion = format!("/api/v1/opinion?agent=verloop:depth=12&time_ms=10000&fen={fen}");
    loop {
        for (what, body) in [(("POST", &*hint), json!({})), (("GET", &*opinion), Value::Null)] {
            let asked = client.ask(what, "", &body).await;
            deeds.asked.add(asked.is_ok_and(|(status, _)| status == 200));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// All of it at once.
fn attack(runtime: &Runtime, client: Client, deeds: &Arc<Deeds>) {
    let text = Arc::new(games_text());
    runtime.spawn(games(client, Arc::clone(deeds)));
    for _ in 0..50 {
        runtime.spawn(slow(client, Arc::clone(deeds)));
    }
    for _ in 0..4 {
        runtime.spawn(imports(client, Arc::clone(&text), Arc::clone(deeds)));
    }
    for _ in 0..60 {
        runtime.spawn(analyses(client, Arc::clone(deeds)));
    }
    for _ in 0..20 {
        runtime.spawn(reviews(client, Arc::clone(deeds)));
    }
    for _ in 0..4 {
        runtime.spawn(questions(client, Arc::clone(deeds)));
    }
    // Last, since they leave no room for the others.
    std::thread::sleep(HEAD_START);
    for _ in 0..number("HOSTILE_IDLE", IDLE) {
        runtime.spawn(idle(client, Arc::clone(deeds)));
    }
}

/// A text of many games, each another one.
fn games_text() -> Vec<u8> {
    let mut text = Vec::with_capacity(IMPORT_BYTES);
    let moves = "1. a1b2 i5h5 2. b2a1 h5i5 ".repeat(20);
    let mut number = 0;
    while text.len() + 2000 < IMPORT_BYTES {
        number += 1;
        let game =
            format!("[Event \"{number}\"]\n[Variant \"Belgian Daisy\"]\n[Result \"*\"]\n\n{moves}*\n\n");
        text.extend_from_slice(game.as_bytes());
    }
    text
}

/// A hundred honest games at a move a second, for so long.
pub(crate) fn honest_games(runtime: &Runtime, server: SocketAddr, time: Duration) -> Vec<Person> {
    let (pace, until) = (Duration::from_secs(1), Instant::now() + time);
    let tasks: Vec<_> = (0..HONEST)
        .map(|number| {
            let from = Ipv4Addr::new(127, 0, 0, 2 + (number / PER_ADDRESS) as u8);
            let person = Person::new(Client { server, from }, number);
            runtime.spawn(person.play(pace.mul_f64(number as f64 / HONEST as f64), pace, until))
        })
        .collect();
    tasks.into_iter().map(|task| runtime.block_on(task).expect("nobody was held up or refused")).collect()
}

/// A hundred honest games at a move a second for a minute, while one hostile address does all at once. Prints the times to
/// acknowledgement and to the agent's answer, and the server's memory:
///
/// `cargo test --release --test serve -- --ignored --nocapture --test-threads=1 hostile`
///
/// `HOSTILE_SECONDS` is how long (60), `HOSTILE_IDLE` how many idle connections (2000), and `HOSTILE=none` leaves the hostile
/// client out, for comparison.
#[test]
#[ignore = "measures for more than a minute and wants the machine for itself"]
fn a_hostile_address_holds_up_nobody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let address = server.address.parse().expect("an address");
    let runtime = Runtime::new().expect("threads");
    let deeds = Arc::new(Deeds::default());
    if !std::env::var("HOSTILE").is_ok_and(|text| text == "none") {
        attack(&runtime, Client { server: address, from: HOSTILE }, &deeds);
        std::thread::sleep(Duration::from_secs(2));
    }
    let seconds = number("HOSTILE_SECONDS", 60);
    let people = honest_games(&runtime, address, Duration::from_secs(seconds as u64));
    report(&server, &deeds, &people);
    for person in &people {
        runtime.block_on(person.compare());
    }
    let (acks, answers) = (sorted(&people, |person| &person.acks), sorted(&people, |person| &person.answers));
    assert!(acks.len() >= HONEST * seconds * 9 / 10, "{} moves", acks.len());
    assert!(percentile(&acks, 0.99) <= Duration::from_millis(150), "{:?}", percentile(&acks, 0.99));
    assert!(percentile(&answers, 1.0) <= Duration::from_secs(1), "{:?}", percentile(&answers, 1.0));
}

pub(crate) fn sorted(people: &[Person], times: impl Fn(&Person) -> &Vec<Duration>) -> Vec<Duration> {
    let mut all: Vec<Duration> = people.iter().flat_map(|person| times(person).clone()).collect();
    all.sort_unstable();
    all
}

fn report(server: &Server, deeds: &Deeds, people: &[Person]) {
    for (name, times) in [
        ("acknowledged", sorted(people, |person| &person.acks)),
        ("answered", sorted(people, |person| &person.answers)),
    ] {
        println!(
            "{name}: {} moves, median {:?}, 99 % {:?}, 99.9 % {:?}, most {:?}",
            times.len(),
            percentile(&times, 0.5),
            percentile(&times, 0.99),
            percentile(&times, 0.999),
            percentile(&times, 1.0),
        );
    }
    let games: usize = people.iter().map(|person| person.games.len()).sum();
    println!(
        "{games} honest games; memory {} MB, at most {} MB",
        memory(server.id(), "VmRSS:") / 1024,
        memory(server.id(), "VmHWM:") / 1024
    );
    println!(
        "hostile: idle connections {}, slow readers {}, long games {}, quick games {}, reviews {}, messages of analyses \
         {}, imports {}, hints and opinions {}",
        deeds.idle.text(),
        deeds.slow.text(),
        deeds.games.text(),
        deeds.quick.text(),
        deeds.reviews.text(),
        deeds.analyses.text(),
        deeds.imports.text(),
        deeds.asked.text(),
    );
}

/// Games between agents that go on side by side.
const WATCHED: usize = 50;
/// What memory may grow by between the middle and the end: games that are over stay for two minutes (some 50 KB each, of
/// which one begins every two seconds), and the database fills its page caches (2 MB for each of its connections).
const GROWTH_MB: u64 = 16;

/// Fifty games between levels 1 to 6, watched so that they go on, a move every half second each. Prints the memory at the
/// start, in the middle and at the end, between which it must not grow:
///
/// `MEMORY_SECONDS=600 cargo test --release --test serve -- --ignored --nocapture --test-threads=1 flat`
#[test]
#[ignore = "measures for a minute or more and wants the machine for itself"]
fn memory_is_flat_while_fifty_games_between_agents_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let client = Client { server: server.address.parse().expect("an address"), from: Ipv4Addr::LOCALHOST };
    let runtime = Runtime::new().expect("threads");
    let seconds = Duration::from_secs(number("MEMORY_SECONDS", 60) as u64);
    let [moves, under_way] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    for number in 0..WATCHED {
        runtime.spawn(watch(client, number, Arc::clone(&moves), Arc::clone(&under_way)));
    }
    while under_way.load(Relaxed) < WATCHED {
        std::thread::sleep(Duration::from_millis(100));
    }
    let now = || memory(server.id(), "VmRSS:") / 1024;
    let start = now();
    std::thread::sleep(seconds / 2);
    let middle = now();
    std::thread::sleep(seconds / 2);
    let (end, moves) = (now(), moves.load(Relaxed));
    println!(
        "{moves} moves in {seconds:?}: memory {start} MB at the start, {middle} MB in the middle, {end} MB at the end"
    );
    assert!(moves as u64 > WATCHED as u64 * seconds.as_secs() / 2, "the games go on");
    assert!(end <= middle + GROWTH_MB, "memory grew from {middle} to {end} MB");
}

/// Watches games between two levels, one after the other.
async fn watch(client: Client, number: usize, moves: Arc<AtomicUsize>, under_way: Arc<AtomicUsize>) {
    let mut is_first = true;
    let agent = |level: usize| json!({ "kind": "agent", "spec": format!("sumito:level={}", 1 + level % 6) });
    let request = json!({ "black": agent(number), "white": agent(number / 6), "delay_ms": 500 });
    loop {
        let (status, answer) = client.ask(("POST", "/api/v1/games"), "", &request).await.expect("an answer");
        if status == 429 {
            // All begin at once, from one address.
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        }
        assert_eq!(status, 201, "{answer}");
        let id = answer["game"]["id"].as_str().expect("a text");
        let mut socket = client.open(&format!("/api/v1/games/{id}/live")).await.expect("a socket");
        under_way.fetch_add(usize::from(std::mem::take(&mut is_first)), Relaxed);
        while let Some(Ok(message)) = socket.next().await {
            let text = message.to_text().unwrap_or_default();
            moves.fetch_add(usize::from(text.starts_with("{\"type\":\"move\"")), Relaxed);
            if text.starts_with("{\"type\":\"move\"") && !text.contains("\"outcome\":null") {
                break;
            }
        }
    }
}

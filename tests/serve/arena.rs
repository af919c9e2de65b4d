//! Four hundred programs in an arena tournament, a move a second each: random movers at addresses of their own, by the interface for programs,
//! with the limits that the server is shipped with.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use sumito_rules::{Game, Layout, Notation, Rules};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use super::net::Client;
use super::process::Server;
use super::{memory, number, percentile};

const BOTS: usize = 400;
/// Programs of one owner, and at one address.
const OF_OWNER: usize = 5;
const PER_ADDRESS: usize = 8;
const PACE: Duration = Duration::from_secs(1);
/// Own moves after which a program gives up: random games would go on for ever.
const MOVES: (u64, u64) = (20, 60);
/// What moves may take, counted from when they were due.
const BOUND: Duration = Duration::from_millis(100);
/// Nothing is silent for so long: streams that have nothing to say send an empty line.
const PATIENCE: Duration = Duration::from_secs(60);
/// Ticks of a second in `/proc`.
const TICKS: f64 = 100.0;

/// Answers to requests, one after the other over a connection that stays.
struct Requests {
    client: Client,
    token: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Requests {
    async fn exchange(&mut self, path: &str) -> io::Result<(u16, String)> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(self.client.connect(false).await?),
        };
        let (host, token) = (self.client.server, &self.token);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n"
        );
        stream.get_mut().write_all(head.as_bytes()).await?;
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().map_err(io::Error::other)?;
            } else if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        self.stream = Some(stream);
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }

    /// A request; on another connection if the server has closed the one that had nothing to do.
    async fn post(&mut self, path: &str) -> (u16, String) {
        match self.exchange(path).await {
            Ok(answer) => answer,
            Err(_) => self.exchange(path).await.expect("an answer"),
        }
    }
}

/// Lines as they come. The old version of the protocol has no parts with lengths between them.
struct Lines(BufReader<TcpStream>);

impl Lines {
    async fn open(client: Client, token: &str, path: &str) -> io::Result<Lines> {
        let mut stream = BufReader::new(client.connect(false).await?);
        let host = client.server;
        let head = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.get_mut().write_all(head.as_bytes()).await?;
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        assert!(line.contains(" 200 "), "{path}: {line}");
        while !line.trim().is_empty() {
            line.clear();
            stream.read_line(&mut line).await?;
        }
        Ok(Lines(stream))
    }

    /// The next one that says something; none at the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            let read = tokio::time::timeout(PATIENCE, self.0.read_line(&mut line)).await.expect("no silence");
            if read.ok()? == 0 {
                return None;
            }
            if let Ok(value) = serde_json::from_str(line.trim()) {
                return Some(value);
            }
        }
    }
}

/// A program, and what it saw.
struct Program {
    name: String,
    client: Client,
    requests: Requests,
    seed: u64,
    /// From when each move was due to its acknowledgement.
    acks: Vec<Duration>,
    /// The moves that were acknowledged, by their games and plies.
    acknowledged: HashMap<String, BTreeMap<usize, String>>,
}

impl Program {
    fn below(&mut self, bound: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % bound
    }

    /// Plays the games that it is called to, one at a time, until then.
    async fn play(mut self, until: Instant) -> Program {
        let mut events =
            Lines::open(self.client, &self.requests.token, "/api/stream/event").await.expect("a stream");
        let mut under_way: Option<String> = None;
        // The last games are given up within moments.
        let end = until + Duration::from_secs(10);
        while let Ok(event) = tokio::time::timeout_at(end.into(), events.next()).await {
            let event = event.expect("a stream that goes on");
            let id = event["game"]["gameId"].as_str().unwrap_or_default().to_string();
            match event["type"].as_str() {
                Some("gameStart") if under_way.as_ref() != Some(&id) => {
                    assert_eq!(under_way, None, "{}: paired twice: {id}", self.name);
                    under_way = Some(id.clone());
                    self.game(&id, until).await;
                }
                Some("gameFinish") if under_way.as_ref() == Some(&id) => under_way = None,
                _ => {}
            }
        }
        assert_eq!(under_way, None, "{}: a game that does not end", self.name);
        self
    }

    async fn game(&mut self, id: &str, until: Instant) {
        let path = format!("/api/bot/game/stream/{id}");
        let mut lines = Lines::open(self.client, &self.requests.token, &path).await.expect("a stream");
        let moves = MOVES.0 + self.below(MOVES.1);
        let mut game = Game::new(Rules::PLAYSTRATEGY, Layout::all()[0].position());
        let (mut side, mut due, mut own) = (0, Instant::now(), 0);
        while let Some(line) = lines.next().await {
            let state = match line["type"].as_str() {
                Some("gameFull") => {
                    side = usize::from(line["white"]["name"] == self.name.as_str());
                    // Black's moves fall between those of White.
                    due = Instant::now() + PACE / 2 * (1 + side as u32);
                    &line["state"]
                }
                Some("gameState") => &line,
                _ => continue,
            };
            for text in state["moves"].as_str().expect("moves").split_whitespace().skip(game.moves().len()) {
                let m = Notation::AbaPro.parse(game.position(), text).expect("a legal move");
                game.play(m).expect("the game goes on");
            }
            let ply = game.moves().len();
            if state["status"] != "started" {
                return;
            }
            if ply % 2 != side {
                continue;
            }
            tokio::time::sleep_until(due.into()).await;
            if own == moves || Instant::now() >= until {
                let (status, answer) = self.requests.post(&format!("/api/bot/game/{id}/resign")).await;
                assert_eq!(status, 200, "{answer}");
                own = 0;
                continue;
            }
            let legal = game.legal_moves();
            let m = legal[self.below(legal.len() as u64) as usize];
            let text = Notation::AbaPro.write(game.position(), m);
            let (status, answer) = self.requests.post(&format!("/api/bot/game/{id}/move/{text}")).await;
            assert_eq!(status, 200, "{} {id} {text}: {answer}", self.name);
            self.acks.push(due.elapsed());
            self.acknowledged.entry(id.to_string()).or_default().insert(ply, text);
            (own, due) = (own + 1, due + PACE);
        }
    }
}

/// Seconds of a core that a process has used.
fn used(process: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    let after_name = text.rsplit(") ").next().expect("figures");
    let figure = |at: usize| after_name.split(' ').nth(at).and_then(|text| text.parse::<f64>().ok());
    // User and system time.
    figure(11).zip(figure(12)).map_or(0.0, |(user, system)| (user + system) / TICKS)
}

/// Slowly enough for the limit of one address.
fn asked(server: &Server, cookie: &str, path: &str, body: &Value) -> (Option<String>, Value) {
    std::thread::sleep(Duration::from_millis(12));
    let (status, given, answer) = server.ask(cookie, "POST", &format!("/api/v1{path}"), body);
    assert!(matches!(status, 200 | 201), "{path}: {answer}");
    (given, answer)
}

/// Programs with their owners; the cookie of the first owner.
fn programs(server: &Server) -> (String, Vec<Program>) {
    let mut cookies = Vec::new();
    let mut all = Vec::new();
    for number in 0..BOTS {
        if number % OF_OWNER == 0 {
            let login = json!({ "name": format!("Owner-{number}"), "password": "six marbles off" });
            cookies.push(asked(server, "", "/account", &login).0.expect("a cookie"));
        }
        let (cookie, name) = (cookies.last().expect("an owner"), format!("Program-{number}"));
        asked(server, cookie, "/account/bots", &json!({ "name": name }));
        let (_, given) = asked(server, cookie, &format!("/account/bots/{name}/tokens"), &json!({}));
        let from = Ipv4Addr::new(127, 0, 2, 1 + (number / PER_ADDRESS) as u8);
        let client = Client { server: server.address.parse().expect("an address"), from };
        let token = given["secret"].as_str().expect("a token").to_string();
        let requests = Requests { client, token, stream: None };
        let seed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        all.push(Program { name, client, requests, seed, acks: Vec::new(), acknowledged: HashMap::new() });
    }
    (cookies.swap_remove(0), all)
}

/// Some programs play a tournament for so long. Gives them back, with the tournament's id.
fn phase(
    runtime: &Runtime,
    (server, owner): (&Server, &str),
    mut programs: Vec<Program>,
    time: Duration,
) -> (Vec<Program>, String) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64;
    let wish = json!({
        "name": "Load", "system": { "kind": "arena", "minutes": time.as_secs() / 60 + 5 },
        "starts": now + 3_600_000, "clock": { "kind": "game", "base_ms": 600_000, "increment_ms": 0 },
    });
    let (_, planned) = asked(server, owner, "/tournaments", &wish);
    let id = planned["id"].as_str().expect("an id").to_string();
    for program in &mut programs {
        let (status, answer) =
            runtime.block_on(program.requests.post(&format!("/api/v1/tournaments/{id}/join")));
        assert_eq!(status, 200, "{answer}");
    }
    let until = Instant::now() + time;
    let (began, mine, theirs) = (Instant::now(), used("self"), used(&server.id().to_string()));
    let tasks: Vec<_> = programs.into_iter().map(|program| runtime.spawn(program.play(until))).collect();
    std::thread::sleep(Duration::from_secs(1));
    asked(server, owner, &format!("/tournaments/{id}/start"), &json!({}));
    std::thread::sleep(until.saturating_duration_since(Instant::now()));
    let core = |before: f64, after: f64| 100.0 * (after - before) / began.elapsed().as_secs_f64();
    let (mine, theirs) = (core(mine, used("self")), core(theirs, used(&server.id().to_string())));
    asked(server, owner, &format!("/tournaments/{id}/pause"), &json!({}));
    let programs: Vec<Program> =
        tasks.into_iter().map(|task| runtime.block_on(task).expect("no program found a fault")).collect();
    println!(
        "{} programs: {theirs:.0} % of a core for the server, {mine:.0} % for the programs; memory {} MB, at most {} MB",
        programs.len(),
        memory(server.id(), "VmRSS:") / 1024,
        memory(server.id(), "VmHWM:") / 1024,
    );
    (programs, id)
}

/// Each acknowledged move is where it was played, and nobody was paired twice. Gives how many games there were.
fn check(server: &Server, programs: &[Program], tournament: &str) -> usize {
    let get = |path: &str| {
        std::thread::sleep(Duration::from_millis(12));
        server.get(path)
    };
    let rounds = get(&format!("/api/v1/tournaments/{tournament}"))["round"].as_u64().expect("a number");
    let (mut seats, mut games) = (HashSet::new(), HashSet::new());
    for round in 1..=rounds {
        let listed = get(&format!("/api/v1/tournaments/{tournament}/games?round={round}"));
        for game in listed["games"].as_array().expect("games") {
            for side in ["black", "white"] {
                let name = game[side].as_str().expect("a name").to_string();
                assert!(seats.insert((round, name)), "twice in a pairing: {game}");
            }
            assert!(games.insert(game["game"].as_str().expect("a game").to_string()), "a game twice: {game}");
        }
    }
    let mut acknowledged: HashMap<&str, BTreeMap<usize, &str>> = HashMap::new();
    for (id, moves) in programs.iter().flat_map(|program| &program.acknowledged) {
        let known = acknowledged.entry(id).or_default();
        for (ply, text) in moves {
            assert_eq!(known.insert(*ply, text), None, "{id}: two at the same move");
        }
    }
    for (id, moves) in acknowledged.into_iter().filter(|(id, _)| games.contains(*id)) {
        let game = get(&format!("/api/v1/games/{id}"));
        assert_eq!(super::moves(&game), moves.into_values().collect::<Vec<_>>(), "{id}: moves were lost");
    }
    games.len()
}

/// A quarter, half and all of the programs, the last for `ARENA_SECONDS` (1200), the others for a quarter of it each, at most two minutes. Prints
/// what moves took, and what both processes took of the machine:
///
/// `cargo test --release --test serve -- --ignored --nocapture --test-threads=1 arena::`
#[test]
#[ignore = "takes twenty minutes and wants the machine for itself"]
fn four_hundred_programs_play_an_arena_at_a_move_a_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--arena"]);
    let runtime = Runtime::new().expect("threads");
    let seconds = number("ARENA_SECONDS", 1200) as u64;
    let (owner, mut all) = programs(&server);
    for share in [4, 2, 1] {
        let rest = all.split_off(BOTS / share);
        let time = if share == 1 { seconds } else { (seconds / 4).min(120) };
        let (mut played, tournament) =
            phase(&runtime, (&server, owner.as_str()), all, Duration::from_secs(time));
        let games = check(&server, &played, &tournament);
        let mut times: Vec<Duration> = played.iter_mut().flat_map(|program| program.acks.drain(..)).collect();
        times.sort_unstable();
        assert!(times.len() as u64 > (BOTS / share) as u64 * time / 2, "{} moves", times.len());
        println!(
            "{} programs for {time} s: {} moves in {games} games, from when they were due: median {:?}, 99 % {:?}, 99.9 % {:?}, most {:?}",
            played.len(),
            times.len(),
            percentile(&times, 0.5),
            percentile(&times, 0.99),
            percentile(&times, 0.999),
            percentile(&times, 1.0),
        );
        assert!(percentile(&times, 0.99) <= BOUND, "{:?}", percentile(&times, 0.99));
        played.extend(rest);
        all = played;
    }
    assert_eq!(server.terminate(), Some(0));
}

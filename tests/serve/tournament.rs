//! Tournaments and `kill -9`: whenever the program ends, no game is paired twice, and no result that was acknowledged is lost.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::process::Server;

/// Random numbers for the tests, which are to differ from run to run no more than the machine makes them.
struct Lot(u64);

impl Lot {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A tournament among people whose programs move at random, on a server that is ended again and again.
struct Event {
    folder: tempfile::TempDir,
    server: Option<Server>,
    /// The cookies by the names.
    players: HashMap<String, String>,
    id: String,
    lot: Lot,
    /// Games whose end was acknowledged, with the winner.
    acknowledged: HashMap<String, String>,
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64
}

fn start(folder: &Path) -> Server {
    std::fs::write(folder.join("arena.toml"), "arena = true\nrate = 100000\nburst = 100000\n")
        .expect("written");
    Server::start(folder, &["--config", "arena.toml"])
}

impl Event {
    fn new(system: Value, players: usize) -> Event {
        let folder = tempfile::tempdir().expect("a folder");
        let server = start(folder.path());
        let mut cookies = HashMap::new();
        for number in 0..players {
            let login = json!({ "name": format!("Player{number}"), "password": "six marbles off" });
            let (status, cookie, answer) = server.ask("", "POST", "/api/v1/account", &login);
            assert_eq!(status, 201, "{answer}");
            cookies.insert(format!("Player{number}"), cookie.expect("a cookie"));
        }
        let wish = json!({
            "name": "Kill", "system": system, "starts": now() + 3_600_000,
            "clock": { "kind": "game", "base_ms": 600_000, "increment_ms": 0 },
        });
        let (status, _, planned) = server.ask(&cookies["Player0"], "POST", "/api/v1/tournaments", &wish);
        assert_eq!(status, 201, "{planned}");
        let id = planned["id"].as_str().expect("an id").to_string();
        for cookie in cookies.values() {
            let (status, _, answer) =
                server.ask(cookie, "POST", &format!("/api/v1/tournaments/{id}/join"), &json!({}));
            assert_eq!(status, 200, "{answer}");
        }
        let (status, ..) =
            server.ask(&cookies["Player0"], "POST", &format!("/api/v1/tournaments/{id}/start"), &json!({}));
        assert_eq!(status, 200);
        Event {
            folder,
            server: Some(server),
            players: cookies,
            id,
            lot: Lot(7),
            acknowledged: HashMap::new(),
        }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    fn view(&self) -> Value {
        self.server().get(&format!("/api/v1/tournaments/{}", self.id))
    }

    /// Ends the server without a word, and starts another one.
    fn kill(&mut self) {
        self.server.take().expect("it runs").kill();
        self.server = Some(start(self.folder.path()));
    }

    /// Each game under way goes on by two moves, or is given up by one side.
    fn play(&mut self, view: &Value) {
        for game in view["playing"].as_array().expect("games") {
            let Some(id) = game["game"].as_str() else { continue };
            let name = |side: &str| game[side].as_str().expect("a name").to_string();
            for _ in 0..2 {
                let (status, text) = self.server().request("GET", &format!("/api/v1/games/{id}"), "", "");
                if status == 404 {
                    // It is paired, and about to begin.
                    break;
                }
                let now: Value = serde_json::from_str(&text).expect("JSON");
                if !now["position"]["outcome"].is_null() {
                    break;
                }
                let ply = now["moves"].as_array().expect("moves").len();
                let cookie = &self.players[&name(now["position"]["turn"].as_str().expect("a side"))];
                if ply >= 4 {
                    let winner = if now["position"]["turn"] == "black" { "white" } else { "black" };
                    let path = format!("/api/v1/games/{id}/resign");
                    let (status, _, answer) = self.server().ask(cookie, "POST", &path, &json!({}));
                    assert_eq!(status, 200, "{answer}");
                    self.acknowledged.insert(id.to_string(), winner.to_string());
                    break;
                }
                let moves = now["position"]["moves"].as_array().expect("moves");
                let text = &moves[self.lot.below(moves.len() as u64) as usize]["move"];
                let body = json!({ "move": text, "ply": ply });
                let path = format!("/api/v1/games/{id}/moves");
                let (status, _, answer) = self.server().ask(cookie, "POST", &path, &body);
                assert_eq!(status, 200, "{answer}");
            }
        }
    }

    /// All games of all rounds.
    fn games(&self) -> Vec<Value> {
        let rounds = self.view()["round"].as_u64().expect("a number");
        let of = |round| {
            let path = format!("/api/v1/tournaments/{}/games?round={round}", self.id);
            self.server().get(&path)["games"].as_array().expect("games").clone()
        };
        (1..=rounds).flat_map(of).collect()
    }

    /// Nobody is paired twice in a round or meets two at a time; every acknowledged end is counted; every game of the database is one of these.
    fn check(&self) -> usize {
        let games = self.games();
        let mut ids = HashSet::new();
        let mut seats: HashSet<(u64, &str)> = HashSet::new();
        for game in &games {
            let round = game["round"].as_u64().expect("a number");
            for side in ["black", "white"] {
                assert!(
                    seats.insert((round, game[side].as_str().expect("a name"))),
                    "twice in a round: {game}"
                );
            }
            assert!(ids.insert(game["game"].as_str().expect("a game").to_string()), "a game twice: {game}");
        }
        let result: HashMap<&str, &Value> =
            games.iter().map(|game| (game["game"].as_str().expect("a game"), &game["result"])).collect();
        for (game, winner) in &self.acknowledged {
            assert_eq!(result[game.as_str()], winner, "{game}");
        }
        let all = self.server().get("/api/v1/games?limit=1")["total"].as_u64();
        assert_eq!(all, Some(games.len() as u64), "each board has one game, and there is no other");
        games.len()
    }
}

const LONG: Duration = Duration::from_secs(600);

impl Event {
    /// Pauses it, and plays what was begun to its end.
    fn settle(&mut self) {
        let path = format!("/api/v1/tournaments/{}/pause", self.id);
        let (status, _, answer) = self.server().ask(&self.players["Player0"], "POST", &path, &json!({}));
        assert_eq!(status, 200, "{answer}");
        let until = Instant::now() + LONG;
        loop {
            assert!(Instant::now() < until, "its games do not end");
            let view = self.view();
            if view["playing"].as_array().is_some_and(Vec::is_empty) {
                return;
            }
            self.play(&view);
        }
    }
}

/// An arena to its end, or until it was killed so often and has gone on after it. Gives how often it was.
fn arena(most: usize) -> (usize, Event) {
    let mut event = Event::new(json!({ "kind": "arena", "minutes": 1 }), 8);
    let (until, mut kills, mut ends) = (Instant::now() + LONG, 0, 0);
    loop {
        assert!(Instant::now() < until, "it does not end");
        let view = event.view();
        if view["stage"] == "over" {
            let last = event.view();
            event.play(&last);
            return (kills, event);
        }
        event.play(&view);
        if kills == most {
            if event.acknowledged.len() > ends + 4 {
                event.settle();
                return (kills, event);
            }
        } else if event.lot.below(4) == 0 {
            // Right behind an end is where the next pairing is made.
            std::thread::sleep(Duration::from_millis(event.lot.below(1200)));
            event.kill();
            (kills, ends) = (kills + 1, event.acknowledged.len());
        }
    }
}

#[test]
fn an_arena_survives_kill_9() {
    let (kills, event) = arena(2);
    event.check();
    assert!(kills == 2 && event.acknowledged.len() > 4, "{} ends", event.acknowledged.len());
}

#[test]
#[ignore = "takes a minute"]
fn an_arena_survives_kill_9_at_any_moment() {
    let (kills, event) = arena(usize::MAX);
    let games = event.check();
    println!("arena: {kills} times kill -9, {games} games, {} ends acknowledged", event.acknowledged.len());
    assert!(kills > 5 && event.acknowledged.len() > 20, "{kills} kills, {games} games");
}

/// A Swiss tournament of seven players with so many rounds, killed around each pairing.
fn swiss(rounds: usize) {
    let mut event = Event::new(json!({ "kind": "swiss", "rounds": rounds }), 7);
    let (until, mut killed_in) = (Instant::now() + LONG, 0);
    loop {
        assert!(Instant::now() < until, "it does not end");
        let view = event.view();
        if view["stage"] == "over" {
            break;
        }
        let round = view["round"].as_u64().expect("a number");
        event.play(&view);
        let is_between = event.view()["playing"].as_array().is_some_and(Vec::is_empty);
        if round > 0 && killed_in < round && is_between {
            // Somewhere around the moment at which the next round is paired and begun.
            std::thread::sleep(Duration::from_millis(4900 + event.lot.below(200)));
            event.kill();
            killed_in = round;
        } else {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    assert_eq!((event.check(), event.acknowledged.len()), (3 * rounds, 3 * rounds));
    let points = event.view()["standings"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| line["points"].as_f64())
        .sum::<Option<f64>>();
    assert_eq!(points, Some(4.0 * rounds as f64), "three games and a bye a round");
}

#[test]
fn a_swiss_tournament_survives_kill_9_where_its_rounds_are_paired() {
    swiss(2);
}

#[test]
#[ignore = "takes a minute"]
fn a_swiss_tournament_of_four_rounds_survives_kill_9_where_they_are_paired() {
    swiss(4);
}

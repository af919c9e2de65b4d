//! What somebody at one address can do to a place where people meet: guess passwords, flood the lobby and a chat, hold streams open, send what
//! is too long or never ends. A hundred honest games go on meanwhile; the server runs with the settings that it is shipped with.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;

use super::hostile::{HONEST, HOSTILE, IDLE, Tally, honest_games, sorted};
use super::net::{Client, answer};
use super::process::Server;
use super::{memory, number, percentile};

/// What moves may take.
const BOUND: Duration = Duration::from_millis(100);
/// Longer than any body of a request may be.
const OVERSIZED: usize = 8 << 20;
const PASSWORD: &str = "six marbles off";

#[derive(Default)]
struct Deeds {
    guesses: Tally,
    seeks: Tally,
    lines: Tally,
    streams: Tally,
    oversized: Tally,
    slow: Tally,
}

/// Guesses at somebody's password.
async fn guess(client: Client, deeds: Arc<Deeds>, first: usize) {
    for number in first.. {
        let login = json!({ "name": "Anna", "password": format!("guess {number}") });
        let tried = client.ask(("POST", "/api/v1/account/login"), "", &login).await;
        // A password that is looked at takes a core a while.
        deeds.guesses.add(tried.is_ok_and(|(status, _)| status == 403));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Searches for a game that never stay, over as many sockets as there are of these.
async fn seek(client: Client, cookie: String, deeds: Arc<Deeds>) {
    loop {
        if let Ok(mut socket) = client.open_as(&cookie, "/api/v1/lobby/live").await {
            for id in 0.. {
                let clock =
                    json!({ "kind": "game", "base_ms": 60_000 + 1000 * (id % 500), "increment_ms": 0 });
                let seek = json!({ "type": "seek", "id": id, "clock": clock });
                if socket.send(Message::text(seek.to_string())).await.is_err() {
                    break;
                }
                let mut heard = None;
                while let Some(Ok(message)) = socket.next().await {
                    let text = message.to_text().unwrap_or_default();
                    if text.contains("\"type\":\"ack\"") || text.contains("\"type\":\"error\"") {
                        heard = Some(text.contains("\"type\":\"ack\""));
                        break;
                    }
                }
                deeds.seeks.add(heard == Some(true));
                if heard.is_none() {
                    break;
                }
            }
        }
        deeds.seeks.add(false);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Says something in a game of its own, without an end.
async fn talk(client: Client, deeds: Arc<Deeds>) {
    let wish = json!({ "friend": { "color": "black" } });
    let Ok((201, begun)) = client.ask(("POST", "/api/v1/games"), "", &wish).await else {
        return deeds.lines.add(false);
    };
    let path = format!("/api/v1/games/{}", begun["game"]["id"].as_str().unwrap_or_default());
    let _ = client.ask(("POST", &format!("{path}/join")), "", &json!({})).await;
    let (path, key) = (format!("{path}/chat"), begun["key"].as_str().unwrap_or_default().to_string());
    loop {
        let said = client.ask(("POST", &path), &key, &json!({ "text": "Move, move, move!" })).await;
        deeds.lines.add(said.is_ok_and(|(status, _)| status == 201));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Holds a stream of all games open, and comes again when it is refused.
async fn hold(client: Client, deeds: Arc<Deeds>) {
    loop {
        let sent = client.send(("GET", "/api/v1/games/stream"), "", ("text/plain", b""), true).await;
        if let Ok(mut stream) = sent {
            let mut head = [0; 12];
            let is_taken = stream.read_exact(&mut head).await.is_ok() && head.ends_with(b" 200");
            deeds.streams.add(is_taken);
            if is_taken {
                let mut rest = [0; 64];
                while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
            }
        } else {
            deeds.streams.add(false);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Bodies that are too long.
async fn send_too_much(client: Client, deeds: Arc<Deeds>) {
    let body = vec![b' '; OVERSIZED];
    loop {
        let sent = client.send(("POST", "/api/v1/games"), "", ("application/json", &body), false).await;
        let taken = match sent {
            Ok(stream) => answer(stream).await.is_ok_and(|(status, _)| status < 300),
            Err(_) => false,
        };
        deeds.oversized.add(taken);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A body that comes byte by byte.
async fn send_slowly(client: Client, deeds: Arc<Deeds>) {
    loop {
        let head = format!(
            "POST /api/v1/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
            client.server
        );
        let mut bytes = 0;
        if let Ok(mut stream) = client.connect(false).await {
            for byte in head.bytes().chain(std::iter::repeat(b' ')) {
                if stream.write_all(&[byte]).await.is_err() {
                    break;
                }
                bytes += 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        deeds.slow.add(bytes > 100_000);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn attack(runtime: &Runtime, client: Client, cookie: &str, deeds: &Arc<Deeds>) {
    for number in 0..8 {
        runtime.spawn(guess(client, Arc::clone(deeds), 1_000_000 * number));
        runtime.spawn(seek(client, cookie.to_string(), Arc::clone(deeds)));
        runtime.spawn(talk(client, Arc::clone(deeds)));
    }
    for _ in 0..4 {
        runtime.spawn(send_too_much(client, Arc::clone(deeds)));
    }
    for _ in 0..50 {
        runtime.spawn(send_slowly(client, Arc::clone(deeds)));
    }
    // Last, since they leave no room for the others.
    std::thread::sleep(Duration::from_secs(4));
    for _ in 0..IDLE {
        runtime.spawn(hold(client, Arc::clone(deeds)));
    }
}

/// A hundred honest games while one address does all that at once, for `ABUSE_SECONDS` (60). Prints the times to acknowledgement and what was
/// tried, of which what the server took:
///
/// `cargo test --release --test serve -- --ignored --nocapture --test-threads=1 abuse::`
#[test]
#[ignore = "measures for more than a minute and wants the machine for itself"]
fn who_abuses_the_place_holds_up_nobody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--arena"]);
    let address = server.address.parse().expect("an address");
    let sign_up = |name: &str| {
        let login = json!({ "name": name, "password": PASSWORD });
        let (status, cookie, answer) = server.ask("", "POST", "/api/v1/account", &login);
        assert_eq!(status, 201, "{answer}");
        cookie.expect("a cookie")
    };
    let (_, abuser) = (sign_up("Anna"), sign_up("Abuser"));
    let (runtime, deeds) = (Runtime::new().expect("threads"), Arc::new(Deeds::default()));
    attack(&runtime, Client { server: address, from: HOSTILE }, &abuser, &deeds);
    let seconds = number("ABUSE_SECONDS", 60);
    let people = honest_games(&runtime, address, Duration::from_secs(seconds as u64));
    let acks = sorted(&people, |person| &person.acks);
    println!(
        "{} moves of {HONEST} honest games: acknowledged in median {:?}, 99 % {:?}, 99.9 % {:?}, most {:?}; memory at most {} MB",
        acks.len(),
        percentile(&acks, 0.5),
        percentile(&acks, 0.99),
        percentile(&acks, 0.999),
        percentile(&acks, 1.0),
        memory(server.id(), "VmHWM:") / 1024,
    );
    println!(
        "abuse: passwords looked at {}, searches {}, lines {}, streams {}, oversized bodies {}, slow bodies {}",
        deeds.guesses.text(),
        deeds.seeks.text(),
        deeds.lines.text(),
        deeds.streams.text(),
        deeds.oversized.text(),
        deeds.slow.text(),
    );
    for person in &people {
        runtime.block_on(person.compare());
    }
    // Whose password was guessed at logs in from elsewhere.
    let anna = Client { server: address, from: Ipv4Addr::new(127, 0, 1, 1) };
    let login = json!({ "name": "Anna", "password": PASSWORD });
    let (status, answer): (u16, Value) =
        runtime.block_on(anna.ask(("POST", "/api/v1/account/login"), "", &login)).expect("an answer");
    assert_eq!(status, 200, "{answer}");
    assert!(acks.len() >= HONEST * seconds * 9 / 10, "{} moves", acks.len());
    assert!(percentile(&acks, 0.99) <= BOUND, "{:?}", percentile(&acks, 0.99));
}

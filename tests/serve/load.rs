//! Players over WebSockets: each plays both sides of one game, move by move, and checks what comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sumito_rules::{Game, Layout, Notation, Repetition, Rules};
use tokio_tungstenite::tungstenite::Message;

/// A game under load, and what was acknowledged in it.
pub(crate) struct Player {
    pub(crate) id: String,
    pub(crate) key: String,
    /// The moves that the server has acknowledged.
    pub(crate) acknowledged: Vec<String>,
    /// The time from each move to its acknowledgement.
    pub(crate) times: Vec<Duration>,
    /// A move that was sent and not acknowledged.
    pub(crate) open: Option<String>,
    /// Moves that the server refused because they could not be written.
    pub(crate) refused: usize,
}

/// How long to play: until the time is over or so many moves are made, unless the connection breaks before.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// A move every so often, or whenever the last one is acknowledged if that takes longer.
    pub(crate) pace: Duration,
    pub(crate) time: Duration,
    pub(crate) moves: usize,
}

impl Player {
    pub(crate) fn new((id, key): (String, String)) -> Player {
        Player { id, key, acknowledged: Vec::new(), times: Vec::new(), open: None, refused: 0 }
    }

    /// Plays for a while. Every acknowledgement is also counted in `sum`.
    pub(crate) async fn play(
        mut self,
        address: String,
        number: u64,
        span: Span,
        sum: Arc<AtomicUsize>,
    ) -> Player {
        let Span { pace, time, moves: most } = span;
        let until = Instant::now() + time;
        // The players begin one after the other, so that the moves are spread over time.
        let shift = pace.mul_f64((number % 997) as f64 / 997.0);
        let mut due = Instant::now() + shift;
        let url = format!("ws://{address}/api/v1/games/{}/live", self.id);
        let Ok((mut socket, _)) = tokio_tungstenite::connect_async(url).await else { return self };
        let rules = Rules { repetition: Repetition::Off, ..Rules::OFFICIAL };
        let mut game = Game::new(rules, Layout::all()[0].position());
        for text in &self.acknowledged {
            let m = Notation::AbaPro.parse(game.position(), text).expect("a legal move");
            game.play(m).expect("the game goes on");
        }
        let mut seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut told = game.moves().len();
        let last = told.saturating_add(most);
        while Instant::now() < until && game.moves().len() < last && game.outcome().is_none() {
            tokio::time::sleep_until(due.into()).await;
            due += pace;
            let moves = game.legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = moves[(seed >> 33) as usize % moves.len()];
            let (text, ply) = (Notation::AbaPro.write(game.position(), m), game.moves().len());
            let message = json!({ "type": "move", "id": ply, "ply": ply, "move": text, "key": self.key });
            let began = Instant::now();
            self.open = Some(text.clone());
            if socket.send(Message::text(message.to_string())).await.is_err() {
                return self;
            }
            let taken = loop {
                let Some(Ok(message)) = socket.next().await else { return self };
                let Message::Text(heard) = message else { continue };
                if heard.starts_with("{\"type\":\"move\"") {
                    // No move is lost, none comes twice or out of order.
                    told += 1;
                    assert!(
                        heard.starts_with(&format!("{{\"type\":\"move\",\"ply\":{told},")),
                        "{}",
                        &heard[..60]
                    );
                } else if heard.contains("\"type\":\"ack\"") {
                    let ack: Value = serde_json::from_str(&heard).expect("JSON");
                    assert_eq!((&ack["id"], &ack["ply"]), (&json!(ply), &json!(ply + 1)));
                    break true;
                } else if heard.starts_with("{\"type\":\"error\"") {
                    assert!(heard.contains("\"kind\":\"storage\""), "{heard}");
                    break false;
                } else {
                    assert!(heard.starts_with("{\"type\":\"game\""), "{heard}");
                }
            };
            if !taken {
                self.open = None;
                self.refused += 1;
                continue;
            }
            self.times.push(began.elapsed());
            sum.fetch_add(1, Ordering::SeqCst);
            assert_eq!(told, ply + 1, "the move is told before it is acknowledged");
            game.play(m).expect("a legal move");
            self.acknowledged.push(text);
            self.open = None;
        }
        self
    }
}

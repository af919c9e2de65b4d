//! A person at a level: a move a second, and a clock for what comes back.

use std::io;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sumito_rules::{Game, Layout, Notation, Rules};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::net::Client;

/// An answer that takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person, and what they saw.
pub(crate) struct Person {
    client: Client,
    level: usize,
    /// The games that they played: the id, and the moves of both sides that they were told.
    pub(crate) games: Vec<(String, Vec<String>)>,
    /// From each move to its acknowledgement.
    pub(crate) acks: Vec<Duration>,
    /// From each move to the agent's answer.
    pub(crate) answers: Vec<Duration>,
    seed: u64,
}

/// A game under way.
struct Play {
    socket: WebSocketStream<TcpStream>,
    key: String,
    game: Game,
}

impl Person {
    pub(crate) fn new(client: Client, number: usize) -> Person {
        let seed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let level = 1 + number % 6;
        Person { client, level, games: Vec::new(), acks: Vec::new(), answers: Vec::new(), seed }
    }

    /// Plays a move every `pace` until the time is over, in as many games as that takes. Nothing may be refused.
    pub(crate) async fn play(mut self, shift: Duration, pace: Duration, until: Instant) -> Person {
        let mut due = Instant::now() + shift;
        while Instant::now() < until {
            let mut play = self.begin().await.expect("a person may begin a game");
            while Instant::now() < until && play.game.outcome().is_none() {
                tokio::time::sleep_until(due.into()).await;
                due += pace;
                self.turn(&mut play).await;
            }
        }
        self
    }

    async fn begin(&mut self) -> io::Result<Play> {
        let white = json!({ "kind": "agent", "spec": format!("sumito:level={}", self.level) });
        let (status, answer) =
            self.client.ask(("POST", "/api/v1/games"), "", &json!({ "white": white })).await?;
        assert_eq!(status, 201, "{answer}");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        let (id, key) = (text(&answer["game"]["id"]), text(&answer["key"]));
        let socket = self.client.open(&format!("/api/v1/games/{id}/live")).await?;
        self.games.push((id, Vec::new()));
        Ok(Play { socket, key, game: Game::new(Rules::OFFICIAL, Layout::all()[0].position()) })
    }

    /// A move and its answer.
    async fn turn(&mut self, play: &mut Play) {
        let moves = play.game.legal_moves();
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let m = moves[(self.seed >> 33) as usize % moves.len()];
        let (text, ply) = (Notation::AbaPro.write(play.game.position(), m), play.game.moves().len());
        let message = json!({ "type": "move", "id": ply, "ply": ply, "move": text, "key": play.key });
        let began = Instant::now();
        play.socket.send(Message::text(message.to_string())).await.expect("the server listens");
        play.game.play(m).expect("a legal move");
        self.told().push(text);
        let mut is_answered = play.game.outcome().is_some();
        let mut is_acknowledged = false;
        while !(is_acknowledged && is_answered) {
            let heard = hear(&mut play.socket).await;
            if heard.starts_with("{\"type\":\"move\"") {
                let expected = format!("{{\"type\":\"move\",\"ply\":{},", ply + 2);
                // The own move comes first.
                if heard.starts_with(&expected) {
                    self.answers.push(began.elapsed());
                    is_answered = true;
                    self.take(play, &heard);
                }
            } else if heard.contains("\"type\":\"ack\"") {
                self.acks.push(began.elapsed());
                is_acknowledged = true;
            } else {
                assert!(!heard.contains("\"type\":\"error\""), "{heard}");
            }
        }
    }

    /// The agent's move.
    fn take(&mut self, play: &mut Play, heard: &str) {
        const PLAYED: &str = "\"played\":{\"move\":\"";
        let from = heard.find(PLAYED).expect("what was played") + PLAYED.len();
        let text = heard[from..].split('"').next().expect("a move").to_string();
        let m = Notation::AbaPro.parse(play.game.position(), &text).expect("a legal move");
        play.game.play(m).expect("the game goes on");
        self.told().push(text);
    }

    fn told(&mut self) -> &mut Vec<String> {
        &mut self.games.last_mut().expect("a game").1
    }

    /// Whether the server has every move that the person was told, and no other.
    pub(crate) async fn compare(&self) {
        for (id, told) in &self.games {
            let path = format!("/api/v1/games/{id}");
            let (status, game) = self.client.ask(("GET", &path), "", &Value::Null).await.expect("an answer");
            assert_eq!(status, 200, "{game}");
            let text = |played: &Value| played["move"].as_str().expect("a text").to_string();
            let found: Vec<String> = game["moves"].as_array().expect("moves").iter().map(text).collect();
            assert_eq!(&found, told, "{id}");
        }
    }
}

/// The next text.
async fn hear(socket: &mut WebSocketStream<TcpStream>) -> String {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("nothing is lost");
        match message {
            Some(Ok(Message::Text(text))) => return text.to_string(),
            Some(Ok(_)) => {}
            other => panic!("the connection broke: {other:?}"),
        }
    }
}

//! The whole server without a socket: requests go to the router, and everything behind it is real.

mod accounts;
mod badline;
mod berserk;
mod boards;
mod bots;
mod damage;
mod disk;
mod door;
mod feed;
mod friends;
mod games;
mod growth;
mod library;
mod limits;
mod lines;
mod lobby;
mod moderation;
mod old;
mod owners;
mod peace;
mod permissions;
mod random;
mod searches;
mod slow;
mod sockets;
mod talk;
mod tournaments;
mod web;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::config::Config;
use crate::state::App;

/// A server for one test.
pub(crate) struct Site {
    pub(crate) app: App,
    router: Router,
    pub(crate) folder: TempDir,
}

pub(crate) fn config(folder: &TempDir) -> Config {
    Config {
        database: folder.path().join("games.db"),
        search_threads: 1,
        hash_mb: 1,
        rate: 1_000_000,
        burst: 1_000_000,
        // A busy machine must not turn an answer into a time-out.
        timeout_s: 600,
        // Their searches would take the time of those that are tested.
        house: false,
        ..Config::default()
    }
}

impl Site {
    pub(crate) async fn new() -> Site {
        Site::with(|_| ()).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Site {
        let folder = tempfile::tempdir().expect("a folder");
        Site::open(folder, change, &[]).await
    }

    pub(crate) async fn open(
        folder: TempDir,
        change: impl FnOnce(&mut Config),
        pragmas: &'static [(&'static str, &'static str)],
    ) -> Site {
        let mut config = config(&folder);
        change(&mut config);
        let app = App::with_pragmas(config, pragmas).await.expect("a database");
        Site { router: crate::app(app.clone()), app, folder }
    }

    /// Ends the server and starts another one on the same database.
    pub(crate) async fn restarted(self) -> Site {
        self.app.close().await;
        let Site { folder, .. } = self;
        Site::open(folder, |_| (), &[]).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> (StatusCode, HeaderMap, Vec<u8>) {
        let response = self.router.clone().oneshot(request).await.expect("never fails");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body in memory").to_bytes();
        (parts.status, parts.headers, bytes.to_vec())
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        let request = Request::get(format!("/api/v1{path}")).body(Body::empty()).expect("a request");
        let (status, _, body) = self.send(request).await;
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: &Value) -> (StatusCode, Value) {
        let request = Request::post(format!("/api/v1{path}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .body(Body::from(body.to_string()))
            .expect("a request");
        let (status, _, body) = self.send(request).await;
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    /// Begins a game: its id and its key.
    pub(crate) async fn begin(&self, request: Value) -> (String, String) {
        let (status, answer) = self.post("/games", "", &request).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        (text(&answer["game"]["id"]), text(&answer["key"]))
    }

    /// Plays a move that must be taken.
    pub(crate) async fn play(&self, (id, key): (&str, &str), ply: usize, text: &str) -> Value {
        let body = json!({ "move": text, "ply": ply });
        let (status, answer) = self.post(&format!("/games/{id}/moves"), key, &body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer
    }

    /// Waits until a game is as wanted.
    pub(crate) async fn wait(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..15_000 {
            let (_, game) = self.get(&format!("/games/{id}")).await;
            if wanted(&game) {
                return game;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("the game {id} did not become what it should");
    }
}

/// The kind and the field of a refusal.
pub(crate) fn refusal(answer: &Value) -> (&str, &str) {
    let part = |name: &str| answer["error"][name].as_str().unwrap_or("");
    assert!(!part("message").is_empty(), "{answer}");
    (part("kind"), part("field"))
}

pub(crate) fn moves(game: &Value) -> Vec<&str> {
    game["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|played| played["move"].as_str().expect("a text"))
        .collect()
}

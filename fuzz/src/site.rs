//! The whole server in this process, with a few games to ask about.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sumito_server::{App, Config};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// A server with a database of its own.
pub struct Site {
    /// Where it runs.
    pub runtime: Runtime,
    /// Its state.
    pub app: App,
    /// Ids and keys of the games that were there before.
    pub games: Vec<(String, String)>,
    router: Router,
    _folder: TempDir,
}

impl Site {
    /// A new one; each client may have so many searches.
    pub fn new(searches: usize) -> Site {
        let folder = TempDir::new_in(crate::folder()).expect("a folder");
        let config = Config {
            database: folder.path().join("games.db"),
            search_threads: 1,
            hash_mb: 1,
            rate: 1_000_000_000,
            burst: 1_000_000_000,
            searches,
            arena: true,
            ..Config::default()
        };
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let app = runtime.block_on(App::new(config)).expect("a database");
        let router = sumito_server::app(app.clone());
        let mut site = Site { runtime, app, games: Vec::new(), router, _folder: folder };
        for request in [
            json!({}),
            json!({ "moves": ["a1b2", "i5h5"] }),
            json!({ "fen": "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1", "moves": ["a3a4"] }),
            json!({ "white": { "kind": "agent", "spec": "random" }, "paused": true }),
            json!({ "clock": { "kind": "game", "base_ms": 86_400_000, "increment_ms": 0 } }),
        ] {
            site.begin(&request);
        }
        site
    }

    fn begin(&mut self, request: &Value) {
        let request = Request::post("/api/v1/games")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(request.to_string()))
            .expect("a request");
        let (status, answer) = self.send(request);
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        self.games.push((text(&answer["game"]["id"]), text(&answer["key"])));
    }

    /// The answer to a request, as JSON if it is.
    pub fn send(&self, request: Request<Body>) -> (StatusCode, Value) {
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.expect("never fails");
            let status = response.status();
            let body = response.into_body().collect().await.expect("a body in memory").to_bytes();
            (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
        })
    }

    /// Asks for the list of games, as every client can at any time.
    pub fn must_be_well(&self) {
        let request = Request::get("/api/v1/games").body(Body::empty()).expect("a request");
        let (status, answer) = self.send(request);
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.runtime.block_on(self.app.close());
    }
}

//! Messages to the server's WebSockets, in this process: each line is one to `/analysis`, or after `@` one to a live
//! game, whose key stands for `$`. After all of them both sockets still answer a ping, and every refusal says why.
#![no_main]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use sumito_fuzz::{Site, fuzz_target};
use tokio::io::DuplexStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

/// Messages of one input, so that nobody waits for room to write.
const MOST: usize = 32;
const ROOM: usize = 1 << 20;
/// Inputs for one server.
const INPUTS: usize = 2000;
const PATIENCE: Duration = Duration::from_secs(60);

type Socket = WebSocketStream<DuplexStream>;

/// It stays to the end: when threads are gone, a server cannot be closed.
static SITE: Mutex<(Option<Site>, usize)> = Mutex::new((None, 0));

async fn open(site: &Site, path: &str) -> Socket {
    let (ours, theirs) = tokio::io::duplex(ROOM);
    let service = TowerToHyperService::new(sumito_server::app(site.app.clone()));
    let http = hyper::server::conn::http1::Builder::new();
    tokio::spawn(http.serve_connection(TokioIo::new(theirs), service).with_upgrades());
    client_async(format!("ws://localhost/api/v1{path}"), ours).await.expect("a socket").0
}

/// Reads until the answer to a ping.
async fn settle(socket: &mut Socket) {
    socket.send(Message::text(r#"{"type":"ping"}"#)).await.expect("an open socket");
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.expect("an answer in time");
        let Message::Text(text) = message.expect("an open socket").expect("a message") else { continue };
        let message: Value = serde_json::from_str(&text).expect("JSON");
        let error = &message["error"];
        match message["type"].as_str().expect("a type") {
            "error" => assert!(error["code"] != "internal" && error["message"].is_string(), "{text}"),
            "pong" => return,
            _ => {}
        }
    }
}

async fn talk(site: &Site, text: &str) {
    let (id, key) = &site.games[0];
    let mut analysis = open(site, "/analysis").await;
    let mut live = open(site, &format!("/games/{id}/live")).await;
    for line in text.lines().take(MOST) {
        let (socket, text) = match line.strip_prefix('@') {
            Some(rest) => (&mut live, rest.replace('$', key)),
            None => (&mut analysis, line.to_string()),
        };
        socket.send(Message::text(text)).await.expect("an open socket");
    }
    settle(&mut analysis).await;
    settle(&mut live).await;
}

fuzz_target!(|text: &str| {
    let (site, inputs) = &mut *SITE.lock().unwrap_or_else(PoisonError::into_inner);
    if *inputs % INPUTS == 0 {
        *site = None;
    }
    *inputs += 1;
    let site = site.get_or_insert_with(|| Site::new(2));
    site.runtime.block_on(talk(site, text));
    site.must_be_well();
});

//! WebSockets on a real connection: live games and analyses.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::*;

pub(super) struct Listening {
    pub(super) site: Site,
    pub(super) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    task: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Listening {
    async fn new() -> Listening {
        Listening::with(|_| ()).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut Config)) -> Listening {
        Listening::on(Site::with(change).await).await
    }

    /// The same server anew, on the same database.
    pub(super) async fn restarted(mut self, change: impl FnOnce(&mut Config)) -> Listening {
        let _ = self.end.take().map(|end| end.send(()));
        self.site.app.ending.send_replace(true);
        let _ = (&mut self.task).await;
        self.site.app.close().await;
        let Site { folder, .. } = self.site;
        Listening::on(Site::open(folder, change, &[]).await).await
    }

    async fn on(site: Site) -> Listening {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (end, ended) = oneshot::channel();
        let app = site.app.clone();
        let task = tokio::spawn(crate::serve(app, listener, async { ended.await.unwrap_or(()) }));
        Listening { site, address, end: Some(end), task }
    }

    pub(super) async fn open(&self, path: &str) -> Line {
        let (socket, _) =
            connect_async(format!("ws://{}/api/v1{path}", self.address)).await.expect("a socket");
        Line(socket)
    }
}

pub(super) struct Line(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Line {
    pub(super) async fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.expect("sent");
    }

    /// The next message that is no ping; nothing when the socket is closed.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let message =
                tokio::time::timeout(Duration::from_secs(300), self.0.next()).await.expect("in time");
            match message {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).expect("JSON")),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The code with which the socket is closed; nothing if it just breaks off.
    async fn close(&mut self) -> Option<u16> {
        loop {
            let message =
                tokio::time::timeout(Duration::from_secs(60), self.0.next()).await.expect("in time");
            match message? {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// The next message of a type; others are passed over.
    pub(super) async fn wait(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.expect("an open socket");
            if message["type"] == kind {
                return message;
            }
        }
    }
}

#[tokio::test]
async fn a_message_that_cannot_be_read_names_its_field() {
    let server = Listening::new().await;
    let (id, _) = server.site.begin(json!({})).await;
    let mut game = server.open(&format!("/games/{id}/live")).await;
    let mut analysis = server.open("/analysis").await;
    let play = json!({ "type": "move", "id": 1, "ply": 0, "move": "a1b2", "key": "x" });
    let with = |message: &Value, name: &str, value: Value| {
        let mut message = message.clone();
        message[name] = value;
        message
    };
    for (message, field) in [
        (with(&play, "ply", json!("x")), "ply"),
        (with(&play, "move", json!(7)), "move"),
        (with(&play, "colour", json!("black")), "colour"),
        (with(&play, "type", json!("jump")), "type"),
        (with(&play, "type", json!(3)), "type"),
        (json!({ "type": "move", "id": 1 }), "ply"),
        (json!({ "id": 1 }), "type"),
        (json!([1]), "body"),
    ] {
        game.say(message.clone()).await;
        assert_eq!(game.wait("error").await["error"]["field"], field, "{message}");
    }
    let start = json!({ "type": "start", "id": 1 });
    for (message, field) in [
        (with(&start, "limit", json!({ "depth": "deep" })), "limit.depth"),
        (with(&start, "moves", json!(["a1b2", 3])), "moves[1]"),
        (with(&start, "lines", json!(-1)), "lines"),
        (json!({ "type": "stop" }), "id"),
    ] {
        analysis.say(message.clone()).await;
        assert_eq!(analysis.wait("error").await["error"]["field"], field, "{message}");
    }
}

#[tokio::test]
async fn a_move_goes_to_everyone_before_it_is_acknowledged() {
    let server = Listening::new().await;
    let (id, key) = server.site.begin(json!({})).await;
    let mut player = server.open(&format!("/games/{id}/live")).await;
    let mut watcher = server.open(&format!("/games/{id}/live")).await;
    for line in [&mut player, &mut watcher] {
        assert_eq!(line.wait("game").await["game"]["id"], id.as_str());
    }
    player.say(json!({ "type": "move", "id": 7, "ply": 0, "move": "a1b2", "key": key })).await;
    let told = player.next().await.expect("a message");
    assert_eq!(
        (&told["type"], &told["ply"], &told["played"]["move"]),
        (&json!("move"), &json!(1), &json!("a1b2"))
    );
    assert_eq!(player.next().await.expect("a message"), json!({ "type": "ack", "id": 7, "ply": 1 }));
    assert_eq!(watcher.wait("move").await["position"]["turn"], "white");
    for (said, code) in [
        (json!({ "type": "move", "id": "x", "ply": 0, "move": "i5h5", "key": key }), "conflict"),
        (json!({ "type": "move", "id": "x", "ply": 1, "move": "a1a9", "key": key }), "illegal_move"),
        (json!({ "type": "move", "id": "x", "ply": 1, "move": "i5h5", "key": "" }), "unauthorized"),
        (json!({ "type": "dance", "id": "x" }), "bad_request"),
    ] {
        player.say(said).await;
        let answer = player.wait("error").await;
        assert_eq!((&answer["id"], &answer["error"]["kind"]), (&json!("x"), &json!(code)));
    }
    player.say(json!({ "type": "ping" })).await;
    player.wait("pong").await;
    server.site.post(&format!("/games/{id}/resign"), &key, &json!({})).await;
    assert_eq!(watcher.wait("game").await["game"]["position"]["outcome"]["reason"], "resignation");
}

#[tokio::test]
async fn agents_are_watched_while_they_think() {
    let server = Listening::new().await;
    let agent = json!({ "kind": "agent", "spec": "sumito:level=10" });
    let request = json!({ "black": agent, "white": agent, "paused": true });
    let (id, key) = server.site.begin(request).await;
    let mut line = server.open(&format!("/games/{id}/live")).await;
    line.wait("game").await;
    server.site.post(&format!("/games/{id}/control"), &key, &json!({ "step": true })).await;
    let thinking = line.wait("thinking").await;
    assert_eq!((&thinking["side"], &thinking["ply"]), (&json!("black"), &json!(0)));
    assert!(thinking["nodes"].as_u64() > Some(0) && !thinking["line"].as_array().expect("moves").is_empty());
    assert!(thinking["wdl"]["win"].is_number() && thinking["black"].is_number());
    assert_eq!(line.wait("move").await["ply"], 1);
}

#[tokio::test]
async fn lines_of_an_analysis_arrive_until_it_is_stopped() {
    let server = Listening::new().await;
    let mut line = server.open("/analysis").await;
    line.say(json!({ "type": "start", "id": 1, "layout": "standard", "moves": ["a1b1"], "lines": 2 })).await;
    let lines = loop {
        let lines = line.wait("lines").await;
        if lines["depth"].as_u64() >= Some(2) && lines["lines"].as_array().map(Vec::len) == Some(2) {
            break lines;
        }
    };
    assert!(lines["hashfull"].is_u64(), "{lines}");
    let first = &lines["lines"][0];
    assert_eq!((&lines["id"], &first["text"][0]), (&json!(1), &first["line"][0]["move"]));
    assert!(first["wdl"]["win"].is_number() && first["score"].is_object());
    line.say(json!({ "type": "stop", "id": 1 })).await;
    assert_eq!(line.wait("done").await["id"], 1);
    line.say(json!({ "type": "start", "id": "two", "fen": "x" })).await;
    let error = line.wait("error").await;
    assert_eq!((&error["id"], &error["error"]["field"]), (&json!("two"), &json!("fen")));
    line.say(json!({ "type": "start", "id": 3, "agent": "aba-pro:depth=2" })).await;
    assert_eq!(line.wait("lines").await["lines"][0]["line"].as_array().map(Vec::is_empty), Some(false));
    line.wait("done").await;
}

#[tokio::test]
async fn a_client_that_leaves_ends_its_searches_and_a_move_does_not_wait_for_a_study() {
    let server = Listening::new().await;
    let mut line = server.open("/analysis").await;
    line.say(json!({ "type": "start", "id": 1 })).await;
    line.wait("lines").await;
    // There is one thread, and the study has it.
    let (id, key) = server.site.begin(json!({ "white": { "kind": "agent", "spec": "random" } })).await;
    server.site.play((&id, &key), 0, "a1b2").await;
    server.site.wait(&id, |game| moves(game).len() == 2).await;
    line.wait("lines").await;
    drop(line);
    for _ in 0..15_000 {
        let (_, _, body) =
            server.site.send(Request::get("/metrics").body(Body::empty()).expect("a request")).await;
        let text = String::from_utf8(body).expect("a text");
        if text.contains("sumito_searches_running 0\n") && text.contains("sumito_searches_waiting 0\n") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the search goes on");
}

#[tokio::test]
async fn an_analysis_that_panics_is_told_and_done() {
    let server = Listening::new().await;
    let mut line = server.open("/analysis").await;
    let broken = crate::search::bench::broken::ALWAYS[1];
    for agent in ["sumito", broken] {
        if agent != broken {
            server.site.app.pool.break_searches(1);
        }
        line.say(json!({ "type": "start", "id": agent, "agent": agent })).await;
        let error = line.wait("error").await;
        assert_eq!((&error["id"], &error["error"]["code"]), (&json!(agent), &json!("internal")));
        assert_eq!(line.wait("done").await["id"], agent);
    }
    line.say(json!({ "type": "start", "id": 3, "limit": { "nodes": 100 } })).await;
    line.wait("lines").await;
    line.wait("done").await;
}

#[tokio::test]
async fn one_client_has_only_so_many_searches() {
    let server = Listening::new().await;
    let mut line = server.open("/analysis").await;
    for id in 1..=5 {
        line.say(json!({ "type": "start", "id": id })).await;
    }
    let error = line.wait("error").await;
    assert_eq!((&error["id"], &error["error"]["kind"]), (&json!(5), &json!("too_many")));
}

#[tokio::test]
async fn the_server_ends_well() {
    let mut server = Listening::new().await;
    let (id, key) = server.site.begin(json!({})).await;
    let mut line = server.open(&format!("/games/{id}/live")).await;
    line.wait("game").await;
    server.site.play((&id, &key), 0, "a1b2").await;
    server.end.take().expect("not ended yet").send(()).expect("it listens");
    assert_eq!(line.close().await, Some(1001), "a browser must not take the end for a fault");
    server.task.await.expect("no panic").expect("ended well");
    assert!(TcpStream::connect(server.address).await.is_err());
    let site = Site::open(server.site.folder, |_| (), &[]).await;
    assert_eq!(moves(&site.get(&format!("/games/{id}")).await.1), ["a1b2"]);
}

#[tokio::test]
async fn a_socket_that_is_refused_on_is_closed_with_the_reason() {
    let server = Listening::with(|config| (config.rate, config.burst) = (1, 20)).await;
    let mut long = server.open("/analysis").await;
    long.0.send(Message::text("x".repeat(70_000))).await.expect("sent");
    assert_eq!(long.close().await, Some(1009), "a message that is too long");
    let mut flood = server.open("/analysis").await;
    for _ in 0..2000 {
        // The server may close it before all is sent.
        if flood.0.send(Message::text(r#"{"type":"ping"}"#)).await.is_err() {
            break;
        }
    }
    assert_eq!(flood.close().await, Some(1008), "messages that do not end");
}

#[tokio::test]
async fn a_client_that_closes_a_socket_gets_its_answer_and_its_places_are_free_again() {
    let server = Listening::new().await;
    let mut line = server.open("/analysis").await;
    let numbers = || server.site.app.metrics.text();
    assert!(numbers().contains("sumito_connections 1\n"), "a socket still is a connection: {}", numbers());
    line.0.close(None).await.expect("an open socket");
    assert!(line.next().await.is_none());
    for _ in 0..3000 {
        if numbers().contains("sumito_connections 0\n") && numbers().contains("sumito_sockets 0\n") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the places are not given back: {}", numbers());
}

/// Waits for a message that says who is there, until it is this.
async fn people(line: &mut Line, black: &str, white: &str, spectators: u64) {
    loop {
        let told = line.wait("people").await;
        if (&told["black"], &told["white"], &told["spectators"])
            == (&json!(black), &json!(white), &json!(spectators))
        {
            return;
        }
    }
}

#[tokio::test]
async fn each_side_hears_whether_the_other_is_there_and_nobody_hears_a_key() {
    let server = Listening::new().await;
    let (id, black) = server.site.begin(json!({ "friend": { "color": "black" } })).await;
    let path = format!("/games/{id}/live");
    let mut anna = server.open(&path).await;
    anna.say(json!({ "type": "seat", "id": 1, "key": black })).await;
    assert_eq!(anna.wait("ack").await, json!({ "type": "ack", "id": 1, "ply": 0 }));
    people(&mut anna, "here", "free", 0).await;
    let mut ben = server.open(&path).await;
    people(&mut anna, "here", "free", 1).await;
    for (key, code) in [("wrong", "key.wrong"), ("", "key.missing")] {
        ben.say(json!({ "type": "seat", "id": 1, "key": key })).await;
        assert_eq!(ben.wait("error").await["error"]["code"], code);
    }
    let (_, joined) = server.site.post(&format!("/games/{id}/join"), "", &json!({})).await;
    let white = joined["key"].as_str().expect("a key").to_string();
    let told = anna.wait("game").await;
    assert_eq!(
        (&told["game"]["pair"]["white"], told["game"]["pair"]["spectators"].as_u64()),
        (&json!("away"), Some(1))
    );
    ben.say(json!({ "type": "seat", "id": 2, "key": white })).await;
    people(&mut anna, "here", "here", 0).await;
    let mut watcher = server.open(&path).await;
    let whole = watcher.wait("game").await.to_string();
    people(&mut anna, "here", "here", 1).await;
    anna.say(json!({ "type": "move", "id": 3, "ply": 0, "move": "a1b2", "key": white })).await;
    assert_eq!(anna.wait("error").await["error"]["code"], "seat.other");
    anna.say(json!({ "type": "move", "id": 4, "ply": 0, "move": "a1b2", "key": black })).await;
    let played = watcher.wait("move").await.to_string();
    server.site.post(&format!("/games/{id}/draw"), &black, &json!({})).await;
    let offered = watcher.wait("game").await.to_string();
    for text in [&whole, &played, &offered] {
        assert!(!text.contains(&black) && !text.contains(&white), "{text}");
    }
    drop(ben);
    people(&mut anna, "here", "away", 1).await;
    server.site.post(&format!("/games/{id}/abort"), &black, &json!({})).await;
    watcher.wait("deleted").await;
}

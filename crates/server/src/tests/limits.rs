//! What clients can have at most: imports, long games, long answers.

use std::sync::mpsc;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream::unfold;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use super::*;
use crate::domain::client::Client;

/// A body that comes as slowly as the test likes, and ends when the other end of the channel does.
fn slow() -> (UnboundedSender<&'static str>, Body) {
    let (send, receive) = unbounded_channel::<&'static str>();
    let parts = unfold(receive, async |mut receive| {
        let part = receive.recv().await?;
        Some((Ok::<_, std::io::Error>(Bytes::from(part)), receive))
    });
    (send, Body::from_stream(parts))
}

/// A server behind a proxy, so that a test can be several clients.
async fn proxied() -> Site {
    Site::with(|config| config.behind_proxy = true).await
}

fn upload(client: &str, body: Body) -> Request<Body> {
    let request = Request::post("/api/v1/imports").header(header::CONTENT_TYPE, "text/plain");
    request.header("x-forwarded-for", client).body(body).expect("a request")
}

/// Sends a request in the background.
fn begin(site: &Site, request: Request<Body>) -> JoinHandle<(StatusCode, Value)> {
    let router = site.router.clone();
    tokio::spawn(async move {
        let response = router.oneshot(request).await.expect("never fails");
        let status = response.status();
        let bytes = response.into_body().collect().await.expect("a body").to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    })
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("expected {what}");
}

/// Imports a text as a client and waits for its end: the key, and the state at the end.
async fn import(site: &Site, client: &str, text: &str) -> (String, Value) {
    let (status, begun) = begin(site, upload(client, Body::from(text.to_string()))).await.expect("an answer");
    assert_eq!(status, StatusCode::ACCEPTED, "{begun}");
    let path = format!("/imports/{}", begun["id"].as_str().expect("an id"));
    for _ in 0..6000 {
        let (_, state) = site.get(&path).await;
        if state["state"] != "running" {
            assert_eq!(state["key"], Value::Null, "the key is told once");
            return (begun["key"].as_str().expect("a key").to_string(), state);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the import did not end");
}

#[tokio::test]
async fn an_import_has_its_place_before_its_text_comes_and_until_its_games_are_written() {
    let site = proxied().await;
    let mut under_way = Vec::new();
    for client in ["1.1.1.1", "1.1.1.1", "2.2.2.2", "2.2.2.2"] {
        let (text, body) = slow();
        text.send("1. a1b2 ").expect("an open body");
        under_way.push((text, begin(&site, upload(client, body))));
    }
    until("four imports under way", || site.app.imports.running() == 4).await;
    for (client, expected) in [("1.1.1.1", 429), ("3.3.3.3", 503)] {
        let (_text, body) = slow();
        // Nothing of the text was sent: the refusal does not wait for it.
        let (status, answer) = begin(&site, upload(client, body)).await.expect("an answer");
        assert_eq!(status.as_u16(), expected, "{answer}");
    }
    for (text, answer) in under_way {
        drop(text);
        assert_eq!(answer.await.expect("an answer").0, StatusCode::ACCEPTED);
    }
    until("the places free again", || site.app.imports.running() == 0).await;
    assert_eq!(import(&site, "1.1.1.1", "1. a2b3 *").await.1["imported"], 1);
}

#[tokio::test]
async fn a_client_that_leaves_while_its_text_comes_gives_its_place_back() {
    let site = proxied().await;
    let (text, body) = slow();
    text.send("1. a1b2 ").expect("an open body");
    let request = begin(&site, upload("1.1.1.1", body));
    until("an import under way", || site.app.imports.running() == 1).await;
    request.abort();
    until("the place free again", || site.app.imports.running() == 0).await;
}

#[tokio::test]
async fn games_of_a_text_that_are_too_large_are_refused_one_by_one() {
    let site = proxied().await;
    let long = "a1b2 i5h5 b2a1 h5i5\n".repeat(200_000);
    let name = "x".repeat(201);
    let text = format!(
        "[Event \"long\"]\n\n{long}*\n\n[Event \"fits\"]\n\n1. a1b2 *\n\n[Black \"{name}\"]\n\n1. a1b2 *\n\n\
         [Event \"fits, too\"]\n\n1. a2b3 *\n"
    );
    let (_, state) = import(&site, "1.1.1.1", &text).await;
    assert_eq!((&state["state"], &state["imported"]), (&json!("done"), &json!(2)), "{state}");
    let why = |at: usize| {
        (state["refused"][at]["game"].clone(), state["refused"][at]["error"]["message"].to_string())
    };
    assert_eq!((why(0).0, why(1).0, &state["refused_count"]), (json!(1), json!(3), &json!(2)));
    assert!(why(0).1.contains("at most 20000 moves"), "{}", why(0).1);
    let fault = &state["refused"][0]["error"];
    assert_eq!(
        (&fault["code"], &fault["values"]),
        (&json!("record.limit"), &json!({ "part": "moves", "most": 20_000 }))
    );
    assert!(why(1).1.contains("at most 200 letters in the tag Black, found 201"), "{}", why(1).1);
}

#[tokio::test]
async fn a_text_has_only_so_many_games_unless_it_is_the_owner_of_the_machine_who_imports_it() {
    let text: String = (0..5).map(|n| format!("[Event \"{n}\"]\n\n1. a1b2 *\n\n")).collect();
    let site = Site::with(|config| (config.behind_proxy, config.import_games) = (true, 3)).await;
    let (_, state) = import(&site, "1.1.1.1", &text).await;
    assert_eq!((&state["state"], &state["imported"]), (&json!("failed"), &json!(3)));
    assert!(state["error"]["message"].as_str().expect("a text").contains("at most 3 games"), "{state}");
    let own = Site::with(|config| config.import_games = 3).await;
    let request = Request::post("/api/v1/imports").body(Body::from(text)).expect("a request");
    let (status, begun) = begin(&own, request).await.expect("an answer");
    assert_eq!(status, StatusCode::ACCEPTED);
    until("the end of the import", || own.app.imports.running() == 0).await;
    let (_, state) = own.get(&format!("/imports/{}", begun["id"].as_str().expect("an id"))).await;
    assert_eq!((&state["state"], &state["imported"]), (&json!("done"), &json!(5)));
}

#[tokio::test]
async fn imported_games_belong_to_who_imports_them_and_the_key_does_not_play_in_them() {
    let site = proxied().await;
    let (key, _) = import(&site, "1.1.1.1", "[Black \"Anna\"]\n\n1. a1b2 *").await;
    let (_, page) = site.get("/games?player=anna").await;
    let id = page["games"][0]["id"].as_str().expect("an id").to_string();
    let row = site.app.store.game(&id).await.expect("readable").expect("a game").game;
    let owner = site.app.owner(Client::new([1, 1, 1, 1].into()));
    let holder = crate::domain::keys::Holder::new(&key, None);
    let kept = crate::domain::keys::GameKeys::One(holder);
    assert_eq!((row.owner, row.keys), (owner, kept));
    for (path, body) in [
        ("moves", json!({ "move": "i5h5", "ply": 1 })),
        ("takeback", json!({})),
        ("resign", json!({})),
        ("control", json!({ "paused": true })),
    ] {
        let (status, answer) = site.post(&format!("/games/{id}/{path}"), &key, &body).await;
        assert_eq!((status.as_u16(), refusal(&answer)), (403, ("forbidden", "id")), "{path}");
    }
}

#[tokio::test]
async fn whoever_reads_one_game_after_the_other_does_not_fill_the_memory() {
    let site = proxied().await;
    let note = "{word }\n".replace("word ", &"word ".repeat(1900));
    let game = |n: usize| format!("[Event \"{n}\"]\n\n1. a1b2 {} *\n\n", note.repeat(26));
    let text: String = (0..100).map(game).collect();
    assert_eq!(import(&site, "1.1.1.1", &text).await.1["imported"], 100);
    let (_, page) = site.get("/games?limit=100").await;
    let ids: Vec<&str> = page["games"]
        .as_array()
        .expect("games")
        .iter()
        .map(|game| game["id"].as_str().expect("an id"))
        .collect();
    for id in &ids {
        let (status, game) = site.get(&format!("/games/{id}")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(game["moves"][0]["comment"].as_str().expect("a comment").len() > 200_000);
    }
    // Each takes half a megabyte; all of them would take fifty.
    assert!(ids.len() == 100 && site.app.games_in_memory() < 80, "{} in memory", site.app.games_in_memory());
}

/// Work on every thread that makes answers, until the test lets go.
fn busy(site: &Site) -> (mpsc::Sender<()>, Vec<JoinHandle<()>>) {
    let (go, wait) = mpsc::channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let client = Client::new([9, 9, 9, 9].into());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let work = (0..threads).map(|_| {
        let (app, wait) = (site.app.clone(), std::sync::Arc::clone(&wait));
        tokio::spawn(async move {
            // It ends when the sender is dropped.
            let done =
                app.builds.run(client, move || Ok(wait.lock().expect("no panic").recv().is_err())).await;
            assert_eq!(done, Ok(true));
        })
    });
    (go, work.collect())
}

#[tokio::test]
async fn what_takes_long_to_make_waits_for_its_threads_and_nothing_else_waits_for_it() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({ "moves": ["a1b2"] })).await;
    let (go, work) = busy(&site);
    until("busy threads", || site.app.builds.free() == 0).await;
    let get = |path: &str| Request::get(format!("/api/v1{path}")).body(Body::empty()).expect("a request");
    let post = |path: &str, body: Value| {
        let request =
            Request::post(format!("/api/v1{path}")).header(header::CONTENT_TYPE, "application/json");
        request.body(Body::from(body.to_string())).expect("a request")
    };
    let long: Vec<_> = [
        get(&format!("/games/{id}/tree")),
        get(&format!("/games/{id}/apgn")),
        get("/picture.svg?fen=5/6/7/8/4S4/8/7/6/5"),
        get(&format!("/games/{id}/picture.png")),
        post("/positions", json!({ "moves": ["a1b2"] })),
        post("/parse", json!({ "text": "1. a1b2 *" })),
    ]
    .map(|request| begin(&site, request))
    .into();
    until("six answers in the making", || site.app.builds.waiting() == work.len() + 6).await;
    assert!(long.iter().all(|answer| !answer.is_finished()), "they wait for a thread");
    // Meanwhile the server answers, and the game goes on: nobody holds it.
    let (status, ..) = site.send(Request::get("/healthz").body(Body::empty()).expect("a request")).await;
    assert_eq!(status, StatusCode::OK);
    site.play((&id, &key), 1, "i5h5").await;
    drop(go);
    for (answer, work) in
        long.into_iter().zip(work.into_iter().map(Some).chain(std::iter::repeat_with(|| None)))
    {
        assert_eq!(answer.await.expect("an answer").0, StatusCode::OK);
        if let Some(work) = work {
            work.await.expect("no panic");
        }
    }
}

#[tokio::test]
async fn answers_that_nobody_reads_are_counted_until_they_are_dropped() {
    let site = Site::with(|config| (config.behind_proxy, config.address_connections) = (true, 2000)).await;
    let moves: Vec<&str> = ["a1b2", "i5h5", "b2a1", "h5i5"].into_iter().cycle().take(2000).collect();
    let rules = json!({ "repetition": "off" });
    let (id, _) = site.begin(json!({ "rules": rules, "moves": moves })).await;
    let request = |client: &str| {
        let request = Request::get(format!("/api/v1/games/{id}/tree")).header("x-forwarded-for", client);
        request.body(Body::empty()).expect("a request")
    };
    let mut unread = Vec::new();
    let refused = loop {
        assert!(unread.len() < 2000, "answers that nobody reads are kept without end");
        let response = site.router.clone().oneshot(request("1.1.1.1")).await.expect("never fails");
        if response.status() != StatusCode::OK {
            break response.status();
        }
        unread.push(response);
    };
    assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
    let held = site.app.door.shares.bytes.in_use();
    assert!(
        (1 << 20..=32 << 20).contains(&held) && unread.len() > 10,
        "{held} bytes, {} answers",
        unread.len()
    );
    assert_eq!(site.send(request("2.2.2.2")).await.0, StatusCode::OK, "others have their own share");
    drop(unread);
    assert_eq!((site.app.door.shares.bytes.in_use(), site.app.door.shares.requests.in_use()), (0, 0));
    assert_eq!(site.send(request("1.1.1.1")).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_client_behind_a_proxy_has_only_so_many_requests_under_way() {
    let site = Site::with(|config| (config.behind_proxy, config.address_connections) = (true, 3)).await;
    let request = |client: &str, body: Body| {
        let request = Request::post("/api/v1/positions").header(header::CONTENT_TYPE, "application/json");
        request.header("x-forwarded-for", client).body(body).expect("a request")
    };
    let mut under_way = Vec::new();
    for _ in 0..3 {
        let (text, body) = slow();
        under_way.push((text, begin(&site, request("1.1.1.1", body))));
    }
    until("three requests under way", || site.app.door.shares.requests.in_use() == 3).await;
    let status = async |client| begin(&site, request(client, Body::from("{}"))).await.expect("an answer").0;
    assert_eq!(status("1.1.1.1").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(status("2.2.2.2").await, StatusCode::OK);
    for (text, answer) in under_way {
        drop(text);
        assert_eq!(answer.await.expect("an answer").0, StatusCode::OK);
    }
    assert_eq!(status("1.1.1.1").await, StatusCode::OK);
}

#[tokio::test]
async fn a_game_takes_no_more_moves_than_can_be_shown() {
    let site = Site::new().await;
    let rules = json!({ "preset": "official", "repetition": "off" });
    let (id, key) = site.begin(json!({ "rules": rules })).await;
    // Ten thousand requests take long; the game is made as the database would have it.
    let walk = ["a1b2", "i5h5", "b2a1", "h5i5"];
    let kept = site.app.store.game(&id).await.expect("readable").expect("a game");
    let (mut row, plies) = (kept.game, kept.plies);
    let mut game = sumito_rules::Game::new(row.rules, sumito_rules::Layout::all()[0].position());
    for text in walk.iter().cycle().take(9_999) {
        let m = sumito_rules::Notation::AbaPro.parse(game.position(), text).expect("legal");
        game.play(m).expect("the game goes on");
    }
    row.state.moves = game.moves().to_vec();
    let change = Box::new(row.state.clone());
    let write = crate::store::Write::Change {
        game: row.num,
        change,
        ply: None,
        places: vec![],
        gone: plies_gone(plies),
    };
    site.app.store.write(write).await.expect("written");
    let site = Site::open(closed(site).await, |_| (), &[]).await;
    site.play((&id, &key), 9_999, walk[9_999 % 4]).await;
    let body = json!({ "move": walk[0], "ply": 10_000 });
    let (status, answer) = site.post(&format!("/games/{id}/moves"), &key, &body).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (409, ("conflict", "move")));
    let (status, tree) = site.get(&format!("/games/{id}/tree")).await;
    assert_eq!((status.as_u16(), tree["line"]["plies"].as_array().map(Vec::len)), (200, Some(10_000)));
    let (status, _) = site.post(&format!("/games/{id}/takeback"), &key, &json!({ "plies": 2 })).await;
    assert_eq!(status, StatusCode::OK, "the game can go on from an earlier move");
}

/// A new game has no moves, and so nothing is known about them.
fn plies_gone(plies: Vec<crate::domain::kept::PlyNote>) -> Vec<crate::domain::canonical::Place> {
    assert!(plies.is_empty());
    Vec::new()
}

/// Ends a server and gives its folder.
async fn closed(site: Site) -> TempDir {
    site.app.close().await;
    site.folder
}

#[tokio::test]
async fn the_page_of_a_game_counts_as_a_request() {
    let site = Site::with(|config| (config.rate, config.burst) = (1, 3)).await;
    let (id, _) = site.begin(json!({})).await;
    let mut answers = Vec::new();
    for _ in 0..4 {
        let request = Request::get(format!("/game/{id}")).body(Body::empty()).expect("a request");
        answers.push(site.send(request).await.0);
    }
    assert!(answers.contains(&StatusCode::TOO_MANY_REQUESTS), "{answers:?}");
}

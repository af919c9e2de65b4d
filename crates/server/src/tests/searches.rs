//! Searches of many clients: turns, refusals, reviews, and agents that break.

use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::*;
use crate::domain::client::{Client, Owner};
use crate::search::bench::broken;
use crate::search::pool::{Next, WorkKind};

/// A server behind a proxy, so that tests can be several clients.
async fn site() -> Site {
    Site::with(|config| config.behind_proxy = true).await
}

/// A request of a client.
async fn from(
    site: &Site,
    address: &str,
    (method, path): (&str, &str),
    key: &str,
    body: &Value,
) -> (u16, Value) {
    let request = Request::builder()
        .method(method)
        .uri(format!("/api/v1{path}"))
        .header("x-forwarded-for", address)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .body(Body::from(body.to_string()))
        .expect("a request");
    let (status, _, body) = site.send(request).await;
    (status.as_u16(), serde_json::from_slice(&body).unwrap_or(Value::Null))
}

async fn begin(site: &Site, address: &str, request: &Value) -> (String, String) {
    let (status, answer) = from(site, address, ("POST", "/games"), "", request).await;
    assert_eq!(status, 201, "{answer}");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    (text(&answer["game"]["id"]), text(&answer["key"]))
}

fn agent(spec: &str) -> Value {
    json!({ "kind": "agent", "spec": spec })
}

/// A game in which an agent begins and thinks for a minute.
fn long(spec: &str) -> Value {
    json!({ "black": agent(spec), "think_ms": 60_000 })
}

/// Agents that use a minute if they get it.
const LONG: [&str; 3] = ["sumito", "aba-pro:depth=12", "verloop:depth=12"];

/// A game of two persons with some moves.
fn played(count: usize) -> Value {
    let moves: Vec<&str> = ["a1b2", "i5h5", "b2a1", "h5i5"].into_iter().cycle().take(count).collect();
    json!({ "moves": moves, "rules": { "repetition": "off" } })
}

#[tokio::test]
async fn long_thinking_games_of_one_client_do_not_hold_up_another_clients_game() {
    let site = site().await;
    let mut hostile = Vec::new();
    for number in 0..30 {
        hostile.push(begin(&site, "1.1.1.1", &long(LONG[number % 3])).await.0);
    }
    for spec in ["sumito", "cornell", "sumito:level=12", "sumito:level=3"] {
        let (id, _) = begin(&site, "2.2.2.2", &json!({ "black": agent(spec), "think_ms": 50 })).await;
        site.wait(&id, |game| moves(game).len() == 1).await;
    }
    for id in &hostile {
        let (_, game) = site.get(&format!("/games/{id}")).await;
        assert_eq!((moves(&game).len(), &game["thinking"]), (0, &json!("black")), "it has its minute still");
    }
}

#[tokio::test]
async fn games_of_one_client_do_not_take_the_room_of_another_clients_searches() {
    let site = Site::with(|config| (config.behind_proxy, config.queue) = (true, 3)).await;
    for _ in 0..6 {
        begin(&site, "1.1.1.1", &long("sumito")).await;
    }
    let (id, _) = begin(&site, "2.2.2.2", &json!({})).await;
    let (status, answer) =
        from(&site, "2.2.2.2", ("POST", &format!("/games/{id}/hint")), "", &json!({})).await;
    assert_eq!(status, 200, "{answer}");
    let path = "/opinion?agent=aba-pro&time_ms=50&fen=5/6/7/8/9/8/7/5S/2SSs%205%203%20b";
    let (status, answer) = from(&site, "2.2.2.2", ("GET", path), "", &json!({})).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test]
async fn a_review_that_takes_long_lets_the_review_of_another_client_through() {
    let site = site().await;
    let deep = begin(&site, "1.1.1.1", &played(30)).await;
    let small = begin(&site, "2.2.2.2", &played(4)).await;
    let path = format!("/games/{}/review", deep.0);
    let (status, answer) =
        from(&site, "1.1.1.1", ("POST", &path), &deep.1, &json!({ "time_ms": 10_000 })).await;
    assert_eq!(status, 202, "{answer}");
    site.wait(&deep.0, |game| game["review"] != "none").await;
    let path = format!("/games/{}/review", small.0);
    let (status, answer) = from(&site, "2.2.2.2", ("POST", &path), "", &json!({ "nodes": 500 })).await;
    assert_eq!(status, 202, "{answer}");
    site.wait(&small.0, |game| game["review"] == "done").await;
    let (_, game) = site.get(&format!("/games/{}", deep.0)).await;
    assert_ne!(game["review"], "done", "there are five minutes to search");
}

#[tokio::test]
async fn a_deep_review_needs_the_key() {
    let site = site().await;
    let (id, key) = begin(&site, "1.1.1.1", &played(2)).await;
    let path = format!("/games/{id}/review");
    for body in [json!({ "nodes": 20_001 }), json!({ "time_ms": 101 })] {
        for (wrong, expected, kind) in [("", 401, "unauthorized"), ("wrong", 403, "forbidden")] {
            let (status, answer) = from(&site, "1.1.1.1", ("POST", &path), wrong, &body).await;
            assert_eq!((status, refusal(&answer)), (expected, (kind, "key")), "{body}");
        }
    }
    let (status, answer) = from(&site, "1.1.1.1", ("POST", &path), &key, &json!({ "nodes": 20_001 })).await;
    assert_eq!(status, 202, "{answer}");
    site.wait(&id, |game| game["review"] == "done").await;
    let (status, answer) = from(&site, "3.3.3.3", ("POST", &path), "", &json!({})).await;
    assert_eq!(status, 202, "{answer}");
}

#[tokio::test]
async fn a_review_is_cancelled_by_who_asked_for_it_or_has_the_key() {
    let site = site().await;
    let (id, key) = begin(&site, "1.1.1.1", &played(40)).await;
    let path = format!("/games/{id}/review");
    let (status, answer) = from(&site, "1.1.1.1", ("DELETE", &path), &key, &json!({})).await;
    assert_eq!((status, refusal(&answer)), (409, ("conflict", "id")), "there is none");
    for (address, with, wanted) in [("1.1.1.1", "", 200), ("9.9.9.9", &*key, 200), ("9.9.9.9", "wrong", 403)]
    {
        let (status, answer) =
            from(&site, "1.1.1.1", ("POST", &path), &key, &json!({ "time_ms": 10_000 })).await;
        assert_eq!(status, 202, "{answer}");
        let (status, answer) = from(&site, address, ("DELETE", &path), with, &json!({})).await;
        assert_eq!(status, wanted, "{answer}");
        let (_, game) = site.get(&format!("/games/{id}")).await;
        assert_eq!(game["review"] == "none", wanted == 200, "{game}");
    }
    let (status, _) = from(&site, "1.1.1.1", ("DELETE", &path), "", &json!({})).await;
    assert_eq!(status, 200);
    idle(&site).await;
}

/// Waits until no search waits or runs.
async fn idle(site: &Site) {
    for _ in 0..6000 {
        let (_, _, body) = site.send(Request::get("/metrics").body(Body::empty()).expect("a request")).await;
        let text = String::from_utf8(body).expect("a text");
        if text.contains("sumito_searches_running 0\n") && text.contains("sumito_searches_waiting 0\n") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("a search goes on");
}

#[tokio::test]
async fn a_game_that_is_over_ends_its_search() {
    let site = site().await;
    for spec in LONG {
        let request = json!({ "white": agent(spec), "think_ms": 60_000 });
        let (id, key) = begin(&site, "1.1.1.1", &request).await;
        site.play((&id, &key), 0, "a1b2").await;
        site.wait(&id, |game| game["thinking"] == "white").await;
        let (status, _) = site.post(&format!("/games/{id}/resign"), &key, &json!({})).await;
        assert_eq!(status, StatusCode::OK);
    }
    idle(&site).await;
}

#[tokio::test]
async fn an_agent_thinks_no_longer_than_a_minute_whatever_is_on_its_clock() {
    let site = site().await;
    let day = json!({ "kind": "game", "base_ms": 86_400_000, "increment_ms": 0 });
    let request = json!({ "white": agent("sumito"), "clock": day });
    let (id, _) = begin(&site, "1.1.1.1", &request).await;
    let live = site.app.games.get(&site.app, &id).await.expect("a game");
    assert_eq!(live.lock().await.limits().move_time, Some(Duration::from_secs(60)));
}

#[tokio::test]
async fn a_game_goes_on_after_its_agent_broke_once_and_is_lost_after_the_second_time() {
    let site = site().await;
    for spec in broken::ONCE {
        let (id, _) = begin(&site, "1.1.1.1", &json!({ "black": agent(spec), "think_ms": 50 })).await;
        let game = site.wait(&id, |game| moves(game).len() == 1).await;
        assert_eq!((&game["position"]["outcome"], &game["thinking"]), (&Value::Null, &Value::Null));
    }
    for spec in broken::ALWAYS {
        let (id, _) = begin(&site, "1.1.1.1", &json!({ "black": agent(spec), "think_ms": 50 })).await;
        let game = site.wait(&id, |game| !game["position"]["outcome"].is_null()).await;
        let outcome = &game["position"]["outcome"];
        assert_eq!((&outcome["reason"], &outcome["winner"]), (&json!("forfeit"), &json!("white")));
        assert_eq!(game["thinking"], Value::Null);
    }
}

#[tokio::test]
async fn a_game_goes_on_after_its_search_panicked() {
    let site = site().await;
    for spec in ["sumito:level=1", "sumito"] {
        site.app.pool.break_searches(1);
        let (id, _) = begin(&site, "1.1.1.1", &json!({ "black": agent(spec), "think_ms": 50 })).await;
        site.wait(&id, |game| moves(game).len() == 1).await;
    }
}

#[tokio::test]
async fn a_review_that_panics_is_none_and_can_be_made_again() {
    let site = site().await;
    let (id, _) = begin(&site, "1.1.1.1", &played(2)).await;
    let path = format!("/games/{id}/review");
    site.app.pool.break_searches(1);
    for wanted in ["none", "done"] {
        let (status, answer) = from(&site, "1.1.1.1", ("POST", &path), "", &json!({ "nodes": 100 })).await;
        assert_eq!(status, 202, "{answer}");
        site.wait(&id, |game| game["review"] == wanted).await;
    }
}

#[tokio::test]
async fn a_hint_whose_search_panics_is_a_fault_of_ours() {
    let site = site().await;
    let (id, _) = begin(&site, "1.1.1.1", &json!({})).await;
    site.app.pool.break_searches(1);
    for wanted in [500, 200] {
        let (status, answer) =
            from(&site, "1.1.1.1", ("POST", &format!("/games/{id}/hint")), "", &json!({})).await;
        assert_eq!(status, wanted, "{answer}");
    }
}

/// Ends the server, changes its database, and starts it again.
async fn changed(site: Site, statement: &'static str) -> Site {
    site.app.close().await;
    let file = site.folder.path().join("games.db");
    let mut database = SqliteConnectOptions::new().filename(file).connect().await.expect("a database");
    sqlx::query(statement).execute(&mut database).await.expect("a statement");
    sqlx::Connection::close(database).await.expect("closed");
    Site::open(site.folder, |config| config.behind_proxy = true, &[]).await
}

#[tokio::test]
async fn a_game_whose_agent_is_gone_from_the_program_is_lost_by_it() {
    let site = site().await;
    let request = json!({ "black": agent("random"), "white": agent("greedy"), "paused": true });
    let (id, key) = begin(&site, "1.1.1.1", &request).await;
    let site = changed(site, "UPDATE game SET black_agent = 'no-such-agent'").await;
    let (status, _) =
        from(&site, "1.1.1.1", ("POST", &format!("/games/{id}/control")), &key, &json!({ "paused": false }))
            .await;
    assert_eq!(status, 200);
    let game = site.wait(&id, |game| !game["position"]["outcome"].is_null()).await;
    let outcome = &game["position"]["outcome"];
    assert_eq!((&outcome["reason"], &outcome["winner"]), (&json!("forfeit"), &json!("white")));
}

#[tokio::test]
async fn who_brings_the_key_of_a_game_of_unknown_owner_is_its_owner() {
    let site = site().await;
    let mut games = Vec::new();
    for _ in 0..12 {
        games.push(begin(&site, "1.1.1.1", &json!({})).await);
    }
    let site = changed(site, "UPDATE game SET owner = 0").await;
    let owner = site.app.owner(Client::new("2.2.2.2".parse().expect("an address")));
    let mut shares = Vec::new();
    for (id, _) in &games {
        shares.push(site.app.games.get(&site.app, id).await.expect("a game").share());
    }
    let mut different = shares.clone();
    different.sort_unstable_by_key(|owner| owner.0);
    different.dedup();
    assert_eq!(different.len(), 8, "not all wait for each other, and there is a bound: {shares:?}");
    assert!(!different.contains(&Owner::UNKNOWN) && !different.contains(&owner));
    let (id, key) = &games[0];
    let live = site.app.games.get(&site.app, id).await.expect("a game");
    for (with, expected) in [("wrong", shares[0]), (&**key, owner)] {
        from(
            &site,
            "2.2.2.2",
            ("POST", &format!("/games/{id}/moves")),
            with,
            &json!({ "move": "a1b2", "ply": 0 }),
        )
        .await;
        assert_eq!(live.share(), expected);
    }
    let body = json!({ "move": "i5h5", "ply": 1 });
    from(&site, "3.3.3.3", ("POST", &format!("/games/{id}/moves")), key, &body).await;
    assert_eq!(live.share(), owner, "known once and for all");
}

#[tokio::test]
async fn a_game_that_nobody_watches_any_more_is_not_searched_when_its_turn_comes() {
    let site = site().await;
    // The only thread is taken.
    let go = Arc::new(AtomicBool::new(false));
    let until = Arc::clone(&go);
    let stubborn = Box::new(move |_: &mut crate::search::pool::Turn<'_>| {
        while !until.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Next::Done
    });
    let _ticket = site.app.pool.submit_move(WorkKind::Move, Owner(77), stubborn);
    let request = json!({ "black": agent("sumito"), "white": agent("sumito"), "think_ms": 60_000 });
    let (id, _) = begin(&site, "1.1.1.1", &request).await;
    let live = site.app.games.get(&site.app, &id).await.expect("a game");
    assert!(live.lock().await.thinking.is_some());
    live.neglect();
    go.store(true, Ordering::SeqCst);
    for _ in 0..6000 {
        if live.lock().await.thinking.is_none() {
            // Someone looks again, and it goes on.
            site.get(&format!("/games/{id}")).await;
            assert!(live.lock().await.thinking.is_some());
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it thinks for nobody");
}

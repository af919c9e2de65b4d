//! Games over the interface: playing, refusals, agents, clocks, and what a restart leaves.

use super::*;

const TWO: &str = r#"{"black":{"kind":"human","name":"Anna"},"white":{"kind":"human","name":"Ben"}}"#;

fn two() -> Value {
    serde_json::from_str(TWO).expect("JSON")
}

#[tokio::test]
async fn a_move_is_validated_played_and_seen() {
    let site = Site::new().await;
    let (id, key) = site.begin(two()).await;
    let answer = site.play((&id, &key), 0, "a1b2").await;
    assert_eq!((&answer["ply"], &answer["move"]["move"]), (&json!(1), &json!("a1b2")));
    assert_eq!(answer["move"]["marbles"], json!(["a1", "b2", "c3"]));
    assert_eq!(answer["position"]["turn"], "white");
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!(moves(&game), ["a1b2"]);
    assert_eq!((&game["black"]["name"], &game["layout"]), (&json!("Anna"), &json!("belgian-daisy")));
    assert!(game["position"]["moves"].as_array().expect("moves").len() > 40);
    let nacre = json!({ "move": "i5f5", "ply": 1, "notation": "nacre" });
    let (status, _) = site.post(&format!("/games/{id}/moves"), &key, &nacre).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn what_the_rules_or_the_turn_forbid_is_refused_and_changes_nothing() {
    let site = Site::new().await;
    let (id, key) = site.begin(two()).await;
    let path = format!("/games/{id}/moves");
    site.play((&id, &key), 0, "a1b2").await;
    for (key, body, status, expected) in [
        (&*key, json!({ "move": "a1b2", "ply": 1 }), 422, ("illegal_move", "move")),
        (&*key, json!({ "move": "xyz", "ply": 1 }), 422, ("illegal_move", "move")),
        (&*key, json!({ "move": "i5h5", "ply": 0 }), 409, ("conflict", "ply")),
        (&*key, json!({ "move": "i5h5", "ply": 7 }), 409, ("conflict", "ply")),
        ("", json!({ "move": "i5h5", "ply": 1 }), 401, ("unauthorized", "key")),
        ("wrong", json!({ "move": "i5h5", "ply": 1 }), 403, ("forbidden", "key")),
        (&*key, json!({ "move": 7, "ply": 1 }), 400, ("bad_request", "move")),
        (&*key, json!({ "move": "i5h5" }), 400, ("bad_request", "ply")),
        (&*key, json!({ "move": "i5h5", "ply": 1, "x": 1 }), 400, ("bad_request", "x")),
        (&*key, json!({ "move": "i5h5", "ply": 1, "notation": "klingon" }), 422, ("invalid", "notation")),
    ] {
        let (found, answer) = site.post(&path, key, &body).await;
        assert_eq!((found.as_u16(), refusal(&answer)), (status, expected), "{body}");
    }
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!(moves(&game), ["a1b2"]);
    let (status, answer) = site.get("/games/nosuchgame").await;
    assert_eq!((status.as_u16(), refusal(&answer)), (404, ("not_found", "id")));
}

#[tokio::test]
async fn malformed_huge_and_mistyped_bodies_are_refused() {
    let site = Site::with(|config| config.body_bytes = 1000).await;
    for (kind, body, status, code) in [
        ("application/json", "{".to_string(), 400, "bad_request"),
        ("application/json", "[]".to_string(), 400, "bad_request"),
        ("application/json", "{} x".to_string(), 400, "bad_request"),
        ("application/json", format!("{{\"layout\":\"{}\"}}", "x".repeat(2000)), 413, "too_large"),
        ("text/plain", "{\"layout\":\"standard\"}".to_string(), 415, "media_type"),
    ] {
        let request = Request::post("/api/v1/games").header(header::CONTENT_TYPE, kind);
        let (found, _, answer) = site.send(request.body(Body::from(body)).expect("a request")).await;
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!((found.as_u16(), refusal(&answer).0), (status, code), "{answer}");
        assert!(!refusal(&answer).1.is_empty());
    }
}

#[tokio::test]
async fn games_that_cannot_be_are_refused_by_the_field() {
    let site = Site::new().await;
    for (body, field) in [
        (json!({ "layout": "belgian-dasy" }), "layout"),
        (json!({ "fen": "ss1SS" }), "fen"),
        (json!({ "fen": "5/6/7/8/9/8/7/6/4S 6 0 b 0 1" }), "fen"),
        (json!({ "layout": "standard", "fen": "x" }), "fen"),
        (json!({ "rules": "mine" }), "rules"),
        (json!({ "black": { "kind": "agent", "spec": "ugi:/bin/sh" } }), "black.spec"),
        (json!({ "white": { "kind": "agent", "spec": "nobody" } }), "white.spec"),
        (json!({ "white": { "kind": "human", "name": "x".repeat(100) } }), "white.name"),
        (json!({ "moves": ["a1b2", "a1b2"] }), "moves[1]"),
        (json!({ "clock": { "kind": "move", "ms": 1 } }), "clock.ms"),
        (json!({ "delay_ms": 1_000_000 }), "delay_ms"),
        (json!({ "think_ms": 0 }), "think_ms"),
        (json!({ "white_think_ms": 100_000 }), "white_think_ms"),
    ] {
        let (status, answer) = site.post("/games", "", &body).await;
        assert_eq!((status.as_u16(), refusal(&answer).1), (422, field), "{body}");
    }
}

#[tokio::test]
async fn each_side_has_a_time_of_its_own_which_goes_with_the_player_into_a_rematch() {
    let site = Site::new().await;
    let times = |game: &Value| (game["think_ms"].as_u64(), game["white_think_ms"].as_u64());
    let agent = json!({ "kind": "agent", "spec": "random" });
    let won = "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1";
    let request = json!({ "white": agent, "fen": won, "think_ms": 100, "white_think_ms": 200 });
    let (id, key) = site.begin(request).await;
    let control = format!("/games/{id}/control");
    let (_, game) = site.post(&control, &key, &json!({ "paused": true })).await;
    assert_eq!(times(&game), (Some(100), Some(200)));
    let (_, game) = site.post(&control, &key, &json!({ "white_think_ms": 50 })).await;
    assert_eq!(times(&game), (Some(100), Some(50)));
    site.play((&id, &key), 0, "a3a4").await;
    let (status, next) = site.post(&format!("/games/{id}/rematch"), &key, &json!({})).await;
    assert_eq!((status.as_u16(), times(&next["game"])), (201, (Some(50), Some(100))));
    let (_, game) = site.post(&control, &key, &json!({ "think_ms": 300 })).await;
    assert_eq!(times(&game), (Some(300), Some(300)));
}

#[tokio::test]
async fn a_finished_game_takes_no_move_until_one_is_taken_back() {
    let site = Site::new().await;
    let start = "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1";
    let (id, key) = site.begin(json!({ "fen": start })).await;
    let answer = site.play((&id, &key), 0, "a3a4").await;
    assert_eq!(answer["move"]["ejected"], "a5");
    assert_eq!(answer["position"]["outcome"]["reason"], "ejections");
    let (status, answer) =
        site.post(&format!("/games/{id}/moves"), &key, &json!({ "move": "b6b5", "ply": 1 })).await;
    assert_eq!((status.as_u16(), refusal(&answer).0), (409, "over"));
    for what in ["resign", "draw"] {
        let (status, answer) = site.post(&format!("/games/{id}/{what}"), &key, &json!({})).await;
        assert_eq!((status.as_u16(), refusal(&answer).0), (409, "over"));
    }
    let (status, game) = site.post(&format!("/games/{id}/takeback"), &key, &json!({})).await;
    assert_eq!((status.as_u16(), &game["position"]["outcome"]), (200, &Value::Null));
    site.play((&id, &key), 0, "a3a4").await;
}

#[tokio::test]
async fn an_agent_answers_and_a_takeback_returns_to_the_persons_turn() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({ "white": { "kind": "agent", "spec": "sumito:level=1" } })).await;
    site.play((&id, &key), 0, "a1b2").await;
    let game = site.wait(&id, |game| moves(game).len() == 2).await;
    assert_eq!((&game["position"]["turn"], &game["thinking"]), (&json!("black"), &Value::Null));
    assert!(game["moves"][1]["depth"].is_number() && game["moves"][1]["score"].is_object());
    let (status, game) = site.post(&format!("/games/{id}/takeback"), &key, &json!({})).await;
    assert_eq!((status.as_u16(), moves(&game).len()), (200, 0));
    let (status, answer) = site.post(&format!("/games/{id}/takeback"), &key, &json!({})).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (409, ("conflict", "plies")));
}

#[tokio::test]
async fn a_person_does_not_move_for_an_agent_and_an_agent_begins_alone() {
    let site = Site::new().await;
    let (id, key) =
        site.begin(json!({ "black": { "kind": "agent", "spec": "random:seed=3" }, "paused": true })).await;
    let (status, answer) =
        site.post(&format!("/games/{id}/moves"), &key, &json!({ "move": "a1b2", "ply": 0 })).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (409, ("conflict", "move")));
    let (status, _) = site.post(&format!("/games/{id}/control"), &key, &json!({ "paused": false })).await;
    assert_eq!(status, StatusCode::OK);
    site.wait(&id, |game| moves(game).len() == 1).await;
}

#[tokio::test]
async fn two_agents_play_to_the_end_and_can_be_stepped() {
    let site = Site::new().await;
    let rules = json!({ "ply_cap": 6 });
    let agent = json!({ "kind": "agent", "spec": "random" });
    let (id, key) =
        site.begin(json!({ "black": agent, "white": agent, "rules": rules, "paused": true })).await;
    let control = format!("/games/{id}/control");
    for plies in 1..=2 {
        let (status, game) = site.post(&control, &key, &json!({ "step": true })).await;
        assert_eq!((status.as_u16(), &game["paused"]), (200, &json!(true)));
        site.wait(&id, |game| moves(game).len() == plies && game["thinking"].is_null()).await;
    }
    let (status, _) = site.post(&control, "", &json!({ "paused": false })).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (status, _) = site.post(&control, &key, &json!({ "paused": false })).await;
    assert_eq!(status, StatusCode::OK);
    let game = site.wait(&id, |game| !game["position"]["outcome"].is_null()).await;
    assert_eq!((moves(&game).len(), &game["position"]["outcome"]["reason"]), (6, &json!("ply-cap")));
    assert_eq!(game["source"], "watch");
}

#[tokio::test]
async fn resigning_draws_and_rematches() {
    let site = Site::new().await;
    let (id, key) = site.begin(two()).await;
    let (_, game) = site.post(&format!("/games/{id}/draw"), &key, &json!({ "color": "black" })).await;
    assert_eq!((&game["offer"], &game["position"]["outcome"]), (&json!("black"), &Value::Null));
    let (_, game) = site.post(&format!("/games/{id}/draw"), &key, &json!({ "color": "white" })).await;
    assert_eq!(game["position"]["outcome"]["reason"], "agreement");
    let (status, answer) = site.post(&format!("/games/{id}/rematch"), &key, &json!({})).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(answer["game"]["black"]["name"], "Ben");
    let (_, old) = site.get(&format!("/games/{id}")).await;
    assert_eq!(old["next"], answer["game"]["id"]);
    let (status, _) = site.post(&format!("/games/{id}/rematch"), &key, &json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (id, key) = site.begin(json!({ "white": { "kind": "agent", "spec": "random" } })).await;
    let (_, game) = site.post(&format!("/games/{id}/draw"), &key, &json!({})).await;
    assert_eq!((&game["offer"], &game["position"]["outcome"]), (&Value::Null, &Value::Null));
    let (_, game) = site.post(&format!("/games/{id}/resign"), &key, &json!({})).await;
    assert_eq!(game["position"]["outcome"]["winner"], "white");
}

/// The moves of a game against an agent in which the person always plays the first legal move.
async fn played(site: &Site, spec: &str) -> Vec<String> {
    const PLIES: usize = 12;
    let (id, key) = site.begin(json!({ "white": { "kind": "agent", "spec": spec } })).await;
    for ply in (0..PLIES).step_by(2) {
        let game = site.wait(&id, |game| moves(game).len() == ply).await;
        let first = game["position"]["moves"][0]["move"].as_str().expect("a legal move").to_string();
        site.play((&id, &key), ply, &first).await;
    }
    let game = site.wait(&id, |game| moves(game).len() == PLIES).await;
    moves(&game).into_iter().map(str::to_string).collect()
}

#[tokio::test]
async fn a_level_plays_every_game_in_its_own_way_and_with_a_seed_the_same_again() {
    let site = Site::new().await;
    let mut different = std::collections::BTreeSet::new();
    for _ in 0..4 {
        different.insert(played(&site, "sumito:level=3").await);
    }
    assert!(different.len() > 1, "four times the same: {different:?}");
    let seeded = "sumito:level=3,seed=7";
    assert_eq!(played(&site, seeded).await, played(&site, seeded).await);
}

#[tokio::test]
async fn the_clock_stops_where_it_is_when_a_player_resigns() {
    let site = Site::new().await;
    let (id, key) =
        site.begin(json!({ "clock": { "kind": "game", "base_ms": 600_000, "increment_ms": 0 } })).await;
    site.play((&id, &key), 0, "a1b2").await;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    let (_, before) = site.get(&format!("/games/{id}")).await;
    let left = |game: &Value| game["clocks"]["white_ms"].as_u64().expect("a clock");
    assert!(left(&before) <= 599_950, "{}", before["clocks"]);
    let (_, game) = site.post(&format!("/games/{id}/draw"), &key, &json!({ "color": "white" })).await;
    assert!(left(&game) <= left(&before), "an offer gives no time back: {}", game["clocks"]);
    assert_eq!(game["clocks"]["running"], "white");
    let (_, game) = site.post(&format!("/games/{id}/resign"), &key, &json!({ "color": "white" })).await;
    assert!(left(&game) <= left(&before), "nor does giving up: {}", game["clocks"]);
    assert_eq!(game["clocks"]["running"], Value::Null);
}

#[tokio::test]
async fn a_clock_runs_out_by_itself() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({ "clock": { "kind": "move", "ms": 150 } })).await;
    site.play((&id, &key), 0, "a1b2").await;
    let game = site.wait(&id, |game| !game["position"]["outcome"].is_null()).await;
    let outcome = &game["position"]["outcome"];
    assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!("black"), &json!("time")));
    assert_eq!(game["clocks"], json!({ "black_ms": 150, "white_ms": 0, "running": null }));
}

#[tokio::test]
async fn what_was_used_before_a_pause_is_gone_even_after_a_restart() {
    const USED: u64 = 20;
    for clock in [
        json!({ "kind": "move", "ms": 60000 }),
        json!({ "kind": "game", "base_ms": 60000, "increment_ms": 1000 }),
    ] {
        let site = Site::new().await;
        let (id, key) = site.begin(json!({ "clock": clock })).await;
        site.play((&id, &key), 0, "a1b2").await;
        tokio::time::sleep(std::time::Duration::from_millis(USED)).await;
        let (_, game) = site.post(&format!("/games/{id}/control"), &key, &json!({ "paused": true })).await;
        let stopped = &game["clocks"];
        assert!(stopped["white_ms"].as_u64() <= Some(60000 - USED), "{stopped}");
        assert_eq!(stopped["running"], Value::Null);
        let site = site.restarted().await;
        assert_eq!(&site.get(&format!("/games/{id}")).await.1["clocks"], stopped);
    }
}

#[tokio::test]
async fn after_a_restart_every_game_is_as_it_was() {
    let site = Site::new().await;
    let (running, key) = site.begin(two()).await;
    site.play((&running, &key), 0, "a1b2").await;
    let (ended, other) = site.begin(two()).await;
    site.play((&ended, &other), 0, "a1b2").await;
    site.post(&format!("/games/{ended}/resign"), &other, &json!({ "color": "white" })).await;
    let (clocked, clock_key) =
        site.begin(json!({ "clock": { "kind": "game", "base_ms": 60000, "increment_ms": 1000 } })).await;
    site.play((&clocked, &clock_key), 0, "a1b2").await;
    let before = site.get(&format!("/games/{ended}")).await;
    let site = site.restarted().await;
    assert_eq!(site.get(&format!("/games/{ended}")).await, before);
    let answer = site.play((&running, &key), 1, "i5h5").await;
    assert_eq!(answer["ply"], 2);
    let (_, game) = site.get(&format!("/games/{clocked}")).await;
    assert_eq!((&game["clocks"]["black_ms"], &game["clocks"]["running"]), (&json!(61000), &json!("white")));
}

#[tokio::test]
async fn after_a_restart_an_agent_goes_on() {
    let site = Site::new().await;
    let seats = json!({ "black": { "kind": "agent", "spec": "random" }, "delay_ms": 60000 });
    let (id, _) = site.begin(seats).await;
    site.app.close().await;
    let Site { folder, .. } = site;
    let site = Site::open(folder, |_| (), &[]).await;
    site.app.resume().await;
    let game = site.wait(&id, |game| game["thinking"] == "black").await;
    assert_eq!(moves(&game).len(), 0);
}

#[tokio::test]
async fn a_hint_is_a_legal_move() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({ "fen": "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1" })).await;
    let (status, hint) = site.post(&format!("/games/{id}/hint"), "", &json!({})).await;
    assert_eq!(
        (status.as_u16(), &hint["move"]["move"], &hint["score"]),
        (200, &json!("a3a4"), &json!({ "win_in": 1 }))
    );
    site.play((&id, &key), 0, "a3a4").await;
    let (status, _) = site.post(&format!("/games/{id}/hint"), "", &json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_review_is_made_once_and_kept() {
    let site = Site::new().await;
    let (id, key) = site.begin(two()).await;
    let path = format!("/games/{id}/review");
    let (status, answer) = site.post(&path, "", &json!({})).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (409, ("conflict", "id")));
    site.play((&id, &key), 0, "a1b2").await;
    site.play((&id, &key), 1, "i5h5").await;
    let (status, state) = site.post(&path, "", &json!({ "nodes": 300 })).await;
    assert_eq!((status.as_u16(), &state["state"], &state["whole"]), (202, &json!("queued"), &json!(3)));
    site.wait(&id, |game| game["review"] == "done").await;
    let (_, state) = site.get(&path).await;
    let review = &state["review"];
    assert_eq!((&state["state"], &review["complete"]), (&json!("done"), &json!(true)));
    assert_eq!(
        (&review["moves"][1]["move"], review["positions"].as_array().map(Vec::len)),
        (&json!("i5h5"), Some(3))
    );
    let site = site.restarted().await;
    assert_eq!(site.get(&path).await.1, state);
    let (status, again) = site.post(&path, "", &json!({ "nodes": 300 })).await;
    assert_eq!((status.as_u16(), &again), (202, &state));
    site.play((&id, &key), 2, "a2b3").await;
    assert_eq!(site.get(&path).await.1["state"], "none");
}

//! Games in which a move may take days: searches that wait, clocks by the calendar, conditional moves.

use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use super::accounts::Browser;
use super::lobby::Visitor;
use super::sockets::Listening;
use super::*;
use crate::domain::client::Client;

const DAY: i64 = 86_400_000;

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

fn days(n: i64) -> Value {
    json!({ "type": "seek", "id": 1, "clock": { "kind": "move", "ms": n * DAY }, "rated": true, "color": "black" })
}

/// A game of three days a move that Anna with Black and Ben play: its path.
async fn paired(listening: &Listening, anna: &Browser, ben: &Browser) -> String {
    let (mut first, mut second) = (Visitor::new(listening, anna).await, Visitor::new(listening, ben).await);
    first.say(&days(3)).await;
    let seek = second.seeks(1).await[0]["id"].clone();
    second.say(&json!({ "type": "accept", "id": 2, "seek": seek })).await;
    format!("/games/{}", second.game().await)
}

/// Changes a row behind the server's back.
pub(super) async fn tamper(site: &Site, sql: &'static str) {
    let file = site.folder.path().join("games.db");
    let mut raw = SqliteConnectOptions::new().filename(&file).connect().await.expect("the database");
    sqlx::query(sql).execute(&mut raw).await.expect("written");
    sqlx::Connection::close(raw).await.expect("closed");
}

#[tokio::test]
async fn a_search_for_days_a_move_waits_without_whoever_searches_and_over_a_restart() {
    let listening = Listening::with(|config| config.arena = true).await;
    let (anna, _) = Browser::signed_up(&listening.site, "Anna").await;
    let (ben, _) = Browser::signed_up(&listening.site, "Ben").await;
    let mut first = Visitor::new(&listening, &anna).await;
    for n in [1, 3, 7, 14, 2] {
        first.say(&days(n)).await;
    }
    let seeks = first.seeks(5).await;
    assert_eq!((&seeks[0]["waits"], &seeks[0]["class"]), (&json!(true), &json!("correspondence")));
    first.say(&days(5)).await;
    assert_eq!(first.hear(|value| value["type"] == "error").await["error"]["code"], "rate.held");
    first.say(&days(15)).await;
    assert_eq!(first.hear(|value| value["type"] == "error").await["error"]["code"], "number.range");
    first.say(&json!({ "type": "cancel", "seek": seeks[4]["id"] })).await;
    first.seeks(4).await;
    drop(first);
    let mut second = Visitor::new(&listening, &ben).await;
    second.seeks(4).await;
    second.say(&json!({ "type": "cancel", "seek": seeks[0]["id"] })).await;
    let refused = second.hear(|value| value["type"] == "error").await;
    assert_eq!(refused["error"]["code"], "seek.gone", "another's");
    drop(second);

    let listening = listening.restarted(|config| config.arena = true).await;
    let mut second = Visitor::new(&listening, &ben).await;
    let seeks = second.seeks(4).await;
    assert_eq!((&seeks[1]["name"], &seeks[1]["clock"]["ms"]), (&json!("Anna"), &json!(3 * DAY)));
    second.say(&json!({ "type": "accept", "id": 2, "seek": seeks[1]["id"] })).await;
    let id = second.game().await;
    second.seeks(3).await;
    let (_, game) = listening.site.get(&format!("/games/{id}")).await;
    assert_eq!((&game["black"]["name"], &game["rated"]), (&json!("Anna"), &json!(true)));
    assert_eq!(game["clocks"]["running"], "black", "the first move has its time as well");
    // Whoever closes the account no longer searches.
    let mut anna = anna;
    anna.post(&listening.site, "/account/close", json!({ "password": "six marbles off" })).await;
    second.seeks(0).await;
    drop(second);
    let listening = listening.restarted(|config| config.arena = true).await;
    Visitor::new(&listening, &ben).await.seeks(0).await;
}

#[tokio::test]
async fn an_account_that_was_closed_searches_no_more_by_a_socket_that_is_still_open() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut first, mut second) =
        (Visitor::new(&listening, &anna).await, Visitor::new(&listening, &ben).await);
    second.say(&days(3)).await;
    let seek = first.seeks(1).await[0]["id"].clone();
    anna.post(site, "/account/close", json!({ "password": "six marbles off" })).await;
    let blitz = json!({ "kind": "game", "base_ms": 300_000, "increment_ms": 0 });
    for wish in [
        days(7),
        json!({ "type": "seek", "id": 1, "clock": blitz }),
        json!({ "type": "accept", "id": 1, "seek": seek }),
    ] {
        first.say(&wish).await;
        let refused = first.hear(|value| value["type"] == "error").await;
        assert_eq!(refused["error"]["code"], "account.missing", "{wish}");
    }
    // What was written before that was so does not take the others' searches with it.
    tamper(
        site,
        "INSERT INTO seek SELECT 'left', (SELECT num FROM person WHERE name IS NULL), created, layout, clock, rated, color,
             least, most FROM seek",
    )
    .await;
    drop((first, second));
    let listening = listening.restarted(|config| config.arena = true).await;
    let seeks = Visitor::new(&listening, &ben).await.seeks(1).await;
    assert_eq!((&seeks[0]["id"], &seeks[0]["name"]), (&seek, &json!("Ben")));
}

#[tokio::test]
async fn a_search_whose_game_cannot_begin_is_there_again_also_after_a_restart() {
    let public = |config: &mut Config| {
        config.listen = [0, 0, 0, 0].into();
        (config.arena, config.growth_mb) = (true, 1);
    };
    let listening = Listening::with(public).await;
    let site = &listening.site;
    let (anna, _) = Browser::signed_up(site, "Anna").await;
    let (ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut first, mut second) =
        (Visitor::new(&listening, &anna).await, Visitor::new(&listening, &ben).await);
    first.say(&days(3)).await;
    first.seeks(1).await;
    first.say(&json!({ "type": "seek", "id": 1, "clock": { "kind": "game", "base_ms": 300_000, "increment_ms": 0 } })).await;
    let seeks = second.seeks(2).await;
    let client = Client::new([127, 0, 0, 1].into());
    site.app.charge(client, 1 << 20).expect("a whole share");
    for at in 0..2 {
        second.say(&json!({ "type": "accept", "id": 2, "seek": seeks[at]["id"] })).await;
        let refused = second.hear(|value| value["type"] == "error").await;
        assert_eq!(refused["error"]["code"], "rate.growth");
    }
    assert_eq!(Visitor::new(&listening, &ben).await.seeks(2).await, seeks, "in the same order");
    // What is there is not taken in twice.
    site.app.lobby.put(site.app.lobby.seeks());
    assert_eq!(site.app.lobby.seeks().len(), 2);
    drop((first, second));
    let listening = listening.restarted(public).await;
    let mut second = Visitor::new(&listening, &ben).await;
    assert_eq!(second.seeks(1).await[0]["id"], seeks[0]["id"]);
    second.say(&json!({ "type": "accept", "id": 2, "seek": seeks[0]["id"] })).await;
    second.game().await;
    assert!(listening.site.app.store.seeks().await.expect("read").is_empty());
}

#[tokio::test]
async fn a_search_that_nobody_takes_up_for_long_ends() {
    let listening = Listening::with(|config| config.arena = true).await;
    let (anna, _) = Browser::signed_up(&listening.site, "Anna").await;
    let mut visitor = Visitor::new(&listening, &anna).await;
    for n in [3, 7] {
        visitor.say(&days(n)).await;
    }
    visitor.seeks(2).await;
    drop(visitor);
    tamper(
        &listening.site,
        "UPDATE seek SET created = created - 31 * 86400000 WHERE clock LIKE '%259200000%'",
    )
    .await;
    let listening = listening.restarted(|config| config.arena = true).await;
    let mut visitor = Visitor::new(&listening, &anna).await;
    visitor.seeks(2).await;
    listening.site.app.expire().await;
    let left = visitor.seeks(1).await;
    assert_eq!(left[0]["clock"]["ms"], json!(7 * DAY));
    assert_eq!(listening.site.app.store.seeks().await.expect("read").len(), 1);
}

#[tokio::test]
async fn a_clock_of_days_goes_by_the_calendar_also_while_no_server_runs() {
    let listening = Listening::with(|config| config.arena = true).await;
    let (mut anna, _) = Browser::signed_up(&listening.site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(&listening.site, "Ben").await;
    let path = paired(&listening, &anna, &ben).await;
    let site = &listening.site;
    let (_, waiting) = anna.get(site, "/account/playing").await;
    let mine = &waiting["games"][0];
    assert_eq!((&mine["color"], &mine["turn"]), (&json!("black"), &json!(true)));
    let due = mine["due"].as_i64().expect("a moment") - crate::domain::date::now();
    assert!((3 * DAY - 600_000..=3 * DAY).contains(&due), "{due}");
    assert_eq!(ben.get(site, "/account/playing").await.1["games"][0]["turn"], false);
    let play = |ply: usize, text: &str| json!({ "move": text, "ply": ply });
    assert_eq!(anna.post(site, &format!("{path}/moves"), play(0, "a1b2")).await.0, 200);
    assert_eq!(ben.post(site, &format!("{path}/draw"), json!({})).await.0, 200);
    // Two of White's three days pass while no server runs; an offer does not wind the clock up.
    tamper(site, "UPDATE game SET due = due - 172800000").await;
    let listening = listening.restarted(|config| config.arena = true).await;
    let site = &listening.site;
    let (_, game) = site.get(&path).await;
    let left = game["clocks"]["white_ms"].as_i64().expect("a time");
    assert!((DAY - 600_000..=DAY).contains(&left) && game["clocks"]["running"] == "white", "{left}");
    assert_eq!(ben.post(site, &format!("{path}/moves"), play(1, "i5h5")).await.0, 200);
    let (_, game) = site.get(&path).await;
    let left = game["clocks"]["black_ms"].as_i64().expect("a time");
    assert!((3 * DAY - 600_000..=3 * DAY).contains(&left), "a whole time again: {left}");
    // The time runs out without anybody looking.
    tamper(site, "UPDATE game SET due = 1000").await;
    let listening = listening.restarted(|config| config.arena = true).await;
    listening.site.app.end_overdue().await;
    let (_, game) = listening.site.get(&path).await;
    let outcome = &game["position"]["outcome"];
    assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!("white"), &json!("time")));
    assert_eq!(listening.site.app.store.overdue(i64::MAX, 0).await.expect("read"), []);
    assert_eq!(ben.get(&listening.site, "/account/playing").await.1["games"], json!([]));
}

#[tokio::test]
async fn planned_answers_are_played_at_once_and_nobody_else_sees_the_plan() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let path = paired(&listening, &anna, &ben).await;
    let (plan, moves) = (format!("{path}/plan"), format!("{path}/moves"));
    let lines = json!({ "lines": [["a1b2", "i5h5", "b2c3", "h5g5"], ["a2b3", "i6h6"]] });
    let (status, answer) = ben.ask(site, "PUT", &plan, lines.clone()).await;
    assert_eq!((status, &answer), (200, &lines));
    assert_eq!(code(&anna.ask(site, "PUT", &plan, lines.clone()).await.1), "plan.turn");
    assert_eq!(anna.get(site, &plan).await.1, json!({ "lines": [] }), "not the other side's");
    assert_eq!(code(&Browser::default().get(site, &plan).await.1), "key.missing");
    for (wrong, expected) in [
        (json!([["a1b2"]]), "number.range"),
        (json!([["a1b2", "i5h5", "b2c3"]]), "plan.odd"),
        (json!([["a1b2", "a1b2"]]), "move.no_marble"),
        (json!([["a1b2", "i5h5"], ["a1b2", "i6h6"]]), "plan.twice"),
    ] {
        let (_, answer) = ben.ask(site, "PUT", &plan, json!({ "lines": wrong })).await;
        assert_eq!(code(&answer), expected, "{wrong}");
    }
    let (_, game) = site.get(&path).await;
    assert!(!game.to_string().contains("i6h6\",\"") && game.get("plans").is_none());
    let id = path.trim_start_matches("/games/").to_string();
    let played = |count: usize| move |game: &Value| game["moves"].as_array().map(Vec::len) == Some(count);
    assert_eq!(anna.post(site, &moves, json!({ "move": "a1b2", "ply": 0 })).await.0, 200);
    let game = site.wait(&id, played(2)).await;
    assert_eq!(super::moves(&game), ["a1b2", "i5h5"]);
    assert_eq!(ben.get(site, &plan).await.1, json!({ "lines": [["b2c3", "h5g5"]] }), "what is left of it");
    // It is kept: after a restart the game answers by itself as well.
    let listening = listening.restarted(|config| config.arena = true).await;
    let site = &listening.site;
    assert_eq!(anna.post(site, &moves, json!({ "move": "b2c3", "ply": 2 })).await.0, 200);
    let game = site.wait(&id, played(4)).await;
    assert_eq!(super::moves(&game), ["a1b2", "i5h5", "b2c3", "h5g5"]);
    assert_eq!(ben.get(site, &plan).await.1, json!({ "lines": [] }));
    // A move that was not foreseen ends the plan.
    let legal =
        |position: &Value, at: usize| position["moves"][at]["move"].as_str().expect("a move").to_string();
    let (foreseen, other) = (legal(&game["position"], 0), legal(&game["position"], 1));
    let then = json!({ "fen": game["position"]["fen"], "moves": [foreseen] });
    let (_, after) = site.post("/positions", "", &then).await;
    let rest = json!({ "lines": [[foreseen, legal(&after["position"], 0)]] });
    assert_eq!(ben.ask(site, "PUT", &plan, rest).await.0, 200);
    let (_, played) = anna.post(site, &moves, json!({ "move": other, "ply": 4 })).await;
    let own = json!({ "move": legal(&played["position"], 0), "ply": 5 });
    assert_eq!(ben.post(site, &moves, own).await.0, 200);
    assert_eq!(ben.get(site, &plan).await.1, json!({ "lines": [] }));
}

#[tokio::test]
async fn where_a_move_takes_minutes_nobody_plans() {
    let site = Site::new().await;
    let clock = json!({ "kind": "game", "base_ms": 300_000, "increment_ms": 0 });
    let (id, key) = site.begin(json!({ "friend": { "color": "white" }, "clock": clock })).await;
    let request = Request::put(format!("/api/v1/games/{id}/plan"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .body(Body::from(json!({ "lines": [] }).to_string()));
    let (_, _, body) = site.send(request.expect("a request")).await;
    assert_eq!(code(&serde_json::from_slice(&body).expect("JSON")), "plan.none");
}

#[tokio::test]
async fn games_that_cannot_be_ended_do_not_hold_up_those_after_them() {
    let site = super::accounts::arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (_, begun) = anna.post(&site, "/games", json!({ "friend": { "color": "black" } })).await;
    let id = begun["game"]["id"].as_str().expect("an id");
    let file = site.folder.path().join("games.db");
    let mut raw = SqliteConnectOptions::new().filename(&file).connect().await.expect("the database");
    sqlx::query("CREATE TEMP TABLE copy AS SELECT * FROM game").execute(&mut raw).await.expect("copied");
    for number in 1..=250 {
        let damage = "UPDATE copy SET num = 100 + ?, id = 'damaged' || ?, start = 'none', due = 1000";
        sqlx::query(damage).bind(number).bind(number).execute(&mut raw).await.expect("changed");
        sqlx::query("INSERT INTO game SELECT * FROM copy").execute(&mut raw).await.expect("added");
    }
    sqlx::Connection::close(raw).await.expect("closed");
    let all = site.app.store.overdue(i64::MAX, 0).await.expect("read");
    let (last, _) = all.last().expect("some").clone();
    assert_eq!((all.len(), site.app.store.overdue(i64::MAX, last).await.expect("read").len()), (200, 50));
    // It looks at all of them, and comes to an end.
    site.app.end_overdue().await;
    assert_eq!(site.get(&format!("/games/{id}")).await.0, 200);
}

//! What happens around the moves of a game between two: chat, and a player whose line is lost.

use std::time::Duration;

use sumito_rules::Color;

use super::accounts::{Browser, arena};
use super::sockets::{Line, Listening};
use super::*;
use crate::domain::chat::ChatRoom;
use crate::domain::keys::Credentials;

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

/// A game of two guests: its path, and the keys of Black and White.
async fn paired(site: &Site, clock: Value) -> (String, String, String) {
    let (id, black) =
        site.begin(json!({ "friend": { "color": "black", "name": "Anna" }, "clock": clock })).await;
    let path = format!("/games/{id}");
    let (_, answer) = site.post(&format!("{path}/join"), "", &json!({ "name": "Ben" })).await;
    (path, black, answer["key"].as_str().expect("a key").to_string())
}

fn texts(chat: &Value) -> Vec<&str> {
    let lines = chat["lines"].as_array().expect("lines");
    lines.iter().map(|line| line["text"].as_str().expect("a text")).collect()
}

#[tokio::test]
async fn players_and_spectators_talk_apart_and_a_guest_who_watches_says_nothing() {
    let site = arena().await;
    let (path, black, white) = paired(&site, Value::Null).await;
    let chat = format!("{path}/chat");
    let say = |text: &str| json!({ "text": text });
    let (status, line) = site.post(&chat, &black, &say(" Good luck <i>you</i> ")).await;
    assert_eq!((status.as_u16(), &line["text"]), (201, &json!("Good luck <i>you</i>")));
    assert_eq!(
        (&line["side"], &line["name"], &line["room"]),
        (&json!("black"), &json!("Anna"), &json!("players"))
    );
    assert_eq!(site.post(&chat, &white, &say("Thanks")).await.0.as_u16(), 201);
    let (status, answer) = site.post(&chat, "", &say("Hello")).await;
    assert_eq!((status.as_u16(), code(&answer)), (401, "account.missing"));
    let (mut carl, _) = Browser::signed_up(&site, "Carl").await;
    let (status, line) = carl.post(&site, &chat, say("Bold")).await;
    assert_eq!((status, &line["name"], &line["side"]), (201, &json!("Carl"), &Value::Null));
    let (_, theirs) = carl.get(&site, &chat).await;
    assert_eq!((&theirs["room"], texts(&theirs)), (&json!("spectators"), vec!["Bold"]));
    let request =
        Request::get(format!("/api/v1{chat}")).header(header::AUTHORIZATION, format!("Bearer {white}"));
    let (_, _, body) = site.send(request.body(Body::empty()).expect("a request")).await;
    let ours: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((&ours["room"], texts(&ours)), (&json!("players"), vec!["Good luck <i>you</i>", "Thanks"]));
    for (text, expected) in [
        (json!(""), "chat.empty"),
        (json!("x".repeat(141)), "text.too_long"),
        (json!("a\u{7}"), "text.too_long"),
        (json!(7), "field.type"),
    ] {
        assert_eq!(code(&site.post(&chat, &black, &json!({ "text": text })).await.1), expected, "{text}");
    }
    // A game of one key has nobody to talk to.
    let (id, key) = site.begin(json!({})).await;
    assert_eq!(code(&site.post(&format!("/games/{id}/chat"), &key, &say("x")).await.1), "chat.none");
    // All of it is in what one gets of oneself.
    carl.ask(&site, "PUT", "/people/nobody/block", Value::Null).await;
    let (_, own) = carl.get(&site, "/account/export").await;
    assert_eq!(
        (&own["chat"][0]["line"]["text"], &own["blocked"], &own["games"]),
        (&json!("Bold"), &json!([]), &json!([]))
    );
    // With the account the name goes; with the game all goes.
    carl.post(&site, "/account/close", json!({ "password": "six marbles off" })).await;
    assert_eq!(site.get(&chat).await.1["lines"][0]["name"], "");
}

#[tokio::test]
async fn nothing_is_said_in_a_game_that_is_no_more_nor_in_the_one_that_has_its_number() {
    let site = arena().await;
    let (path, black, _) = paired(&site, Value::Null).await;
    let deleted = site.app.game(path.trim_start_matches("/games/")).await.expect("a game");
    assert_eq!(site.post(&format!("{path}/abort"), &black, &json!({})).await.0.as_u16(), 204);
    let (path, next, _) = paired(&site, Value::Null).await;
    let id = path.trim_start_matches("/games/");
    let number = site.app.game(id).await.expect("a game").lock().await.num;
    assert_eq!(number, deleted.lock().await.num, "numbers come again");
    let who = Credentials { key: Some(black), person: None };
    let error = deleted.speak(&site.app, (&who, None), "too late").await.expect_err("it is gone");
    assert_eq!(error.fault().cause.code(), "game.gone");
    assert!(site.app.store.chat(number, ChatRoom::Players).await.expect("read").is_empty());
    assert_eq!(site.post(&format!("{path}/chat"), &next, &json!({ "text": "Hello" })).await.0.as_u16(), 201);
}

#[tokio::test]
async fn who_floods_the_chat_is_told_for_how_long() {
    let site = arena().await;
    let (path, black, _) = paired(&site, Value::Null).await;
    let chat = format!("{path}/chat");
    let mut said = 0;
    let refused = loop {
        let (status, answer) = site.post(&chat, &black, &json!({ "text": "again" })).await;
        if status != StatusCode::CREATED {
            break answer;
        }
        said += 1;
        assert!(said < 100, "there is a limit");
    };
    assert!(said >= 15, "{said}");
    assert_eq!(
        (code(&refused), &refused["error"]["values"]),
        ("rate.chat", &json!({ "most": 15, "seconds": 15 }))
    );
}

#[tokio::test]
async fn a_line_is_heard_by_those_of_its_room_alone() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (path, black, white) = paired(site, Value::Null).await;
    let live = format!("{path}/live");
    let mut players = [listening.open(&live).await, listening.open(&live).await];
    for (line, key) in players.iter_mut().zip([&black, &white]) {
        line.say(json!({ "type": "seat", "id": 1, "key": key })).await;
        line.wait("ack").await;
    }
    let mut watcher: Line = listening.open(&live).await;
    watcher.wait("game").await;
    site.post(&format!("{path}/chat"), &black, &json!({ "text": "for you" })).await;
    let (mut carl, _) = Browser::signed_up(site, "Carl").await;
    carl.post(site, &format!("{path}/chat"), json!({ "text": "for us" })).await;
    for line in &mut players {
        assert_eq!(line.wait("chat").await["line"]["text"], "for you");
    }
    assert_eq!(watcher.wait("chat").await["line"]["text"], "for us", "and nothing of the players before");
}

#[tokio::test]
async fn whoever_waits_for_somebody_who_has_gone_may_end_the_game_after_a_while() {
    let site = Site::new().await;
    let five = json!({ "kind": "game", "base_ms": 300_000, "increment_ms": 3000 });
    for (kind, expected) in [("win", ("black", "forfeit")), ("draw", ("draw", "agreement"))] {
        let (path, black, white) = paired(&site, five.clone()).await;
        let claim = format!("{path}/claim");
        let wish = json!({ "result": kind });
        assert_eq!(code(&site.post(&claim, &black, &wish).await.1), "claim.none", "it has hardly begun");
        let id = path.trim_start_matches("/games/");
        for (ply, (key, text)) in
            [(&black, "a1b2"), (&white, "i5h5"), (&black, "b2c3")].into_iter().enumerate()
        {
            site.play((id, key), ply, text).await;
        }
        let (_, game) = site.get(&path).await;
        let absent = &game["pair"]["absent"];
        assert_eq!(absent["color"], "white");
        let wait = absent["claim_in_ms"].as_u64().expect("a time");
        assert!((1..=60_000).contains(&wait), "{wait}");
        assert_eq!(
            code(&site.post(&claim, &white, &wish).await.1),
            "claim.none",
            "whoever has gone claims nothing"
        );
        let (status, early) = site.post(&claim, &black, &wish).await;
        assert_eq!((status.as_u16(), code(&early)), (409, "claim.early"));
        assert_eq!(code(&site.post(&claim, "", &wish).await.1), "key.missing");
        site.app.game(id).await.expect("the game").long_gone(Color::White, Duration::from_secs(60)).await;
        let (status, over) = site.post(&claim, &black, &wish).await;
        assert_eq!(status, StatusCode::OK, "{over}");
        let outcome = &over["position"]["outcome"];
        let winner = outcome["winner"].as_str().unwrap_or("draw");
        assert_eq!((winner, outcome["reason"].as_str().expect("a word")), expected);
        assert_eq!(code(&site.post(&claim, &black, &wish).await.1), "game.over");
    }
}

#[tokio::test]
async fn nobody_who_is_there_or_waits_for_the_other_side_has_gone() {
    let listening = Listening::with(|_| ()).await;
    let site = &listening.site;
    let (path, black, white) = paired(site, Value::Null).await;
    let id = path.trim_start_matches("/games/");
    site.play((id, &black), 0, "a1b2").await;
    site.play((id, &white), 1, "i5h5").await;
    let game = site.app.game(id).await.expect("the game");
    game.long_gone(Color::White, Duration::from_secs(1000)).await;
    assert_eq!(site.get(&path).await.1["pair"]["absent"]["color"], "black", "who is to move");
    let mut line = listening.open(&format!("{path}/live")).await;
    line.say(json!({ "type": "seat", "id": 1, "key": black })).await;
    line.wait("ack").await;
    assert_eq!(site.get(&path).await.1["pair"]["absent"], Value::Null);
    // The other side is told when the turn comes to somebody who has gone.
    site.play((id, &black), 2, "b2c3").await;
    let told = line.wait("people").await;
    let told = if told["absent"].is_null() { line.wait("people").await } else { told };
    assert_eq!(told["absent"]["color"], "white");
}

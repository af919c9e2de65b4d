//! The lobby: two find each other and play a rated game.

use futures_util::{SinkExt, StreamExt};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::accounts::Browser;
use super::sockets::Listening;
use super::*;

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// Somebody in the lobby.
pub(super) struct Visitor(Socket);

impl Visitor {
    pub(super) async fn new(listening: &Listening, browser: &Browser) -> Visitor {
        let mut request =
            format!("ws://{}/api/v1/lobby/live", listening.address).into_client_request().expect("a request");
        if !browser.cookie.is_empty() {
            request.headers_mut().insert(header::COOKIE, browser.cookie.parse().expect("a value"));
        }
        Visitor(tokio_tungstenite::connect_async(request).await.expect("a socket").0)
    }

    pub(super) async fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.expect("sent");
    }

    /// The next message that is wanted.
    pub(super) async fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let heard = async {
            loop {
                let message = self.0.next().await.expect("a message").expect("whole");
                let Ok(text) = message.into_text() else { continue };
                let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
                if wanted(&value) {
                    return value;
                }
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), heard).await.expect("in time")
    }

    /// The searches when there are so many.
    pub(super) async fn seeks(&mut self, count: usize) -> Value {
        let mut all = self
            .hear(|value| value["type"] == "seeks" && value["seeks"].as_array().map(Vec::len) == Some(count))
            .await;
        all["seeks"].take()
    }

    pub(super) async fn game(&mut self) -> String {
        let found = self.hear(|value| value["type"] == "game").await;
        found["game"].as_str().expect("an id").to_string()
    }
}

fn blitz(rated: bool) -> Value {
    json!({ "type": "seek", "id": 1, "clock": { "kind": "game", "base_ms": 300_000, "increment_ms": 2000 }, "rated": rated })
}

async fn rating(site: &Site, name: &str) -> Value {
    site.get(&format!("/people/{name}")).await.1["ratings"][0].clone()
}

#[tokio::test]
async fn two_who_look_for_the_same_game_find_each_other_and_are_rated_once() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let mut first = Visitor::new(&listening, &anna).await;
    first.seeks(0).await;
    let mut wish = blitz(true);
    wish["color"] = json!("black");
    first.say(&wish).await;
    let seeks = first.seeks(1).await;
    assert_eq!(
        (&seeks[0]["name"], &seeks[0]["class"], &seeks[0]["own"]),
        (&json!("Anna"), &json!("blitz"), &json!(true))
    );
    assert_eq!((&seeks[0]["rating"], &seeks[0]["provisional"]), (&json!(1500), &json!(true)));
    let mut second = Visitor::new(&listening, &ben).await;
    second.say(&blitz(true)).await;
    let (id, same) = (second.game().await, first.game().await);
    assert_eq!(id, same);
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!(
        (&game["black"]["name"], &game["white"]["name"], &game["rated"]),
        (&json!("Anna"), &json!("Ben"), &json!(true))
    );
    assert_eq!(rating(site, "Anna").await, Value::Null);
    for (ply, text) in ["a1b2", "i5h5", "b2c3"].into_iter().enumerate() {
        let browser = if ply % 2 == 0 { &mut anna } else { &mut ben };
        let body = json!({ "move": text, "ply": ply });
        assert_eq!(browser.post(site, &format!("/games/{id}/moves"), body).await.0, 200);
    }
    assert_eq!(ben.post(site, &format!("/games/{id}/resign"), json!({})).await.0, 200);
    let (won, lost) = (rating(site, "Anna").await, rating(site, "Ben").await);
    let value = |rating: &Value| rating["value"].as_i64().expect("a number");
    assert!(value(&won) > 1500 && value(&lost) < 1500, "{won} {lost}");
    assert_eq!((&won["games"], won["curve"][0][1].as_i64()), (&json!(1), Some(value(&won))));
    // A rated game stays, and is rated once, whatever is done with it.
    let (status, answer) = anna.ask(site, "DELETE", &format!("/games/{id}"), Value::Null).await;
    assert_eq!((status, &answer["error"]["code"]), (403, &json!("game.rated")));
    assert_eq!(anna.post(site, &format!("/games/{id}/rematch"), json!({})).await.0, 202);
    assert_eq!(rating(site, "Anna").await["games"], 1);
    let (_, again) = ben.post(site, &format!("/games/{id}/rematch"), json!({})).await;
    assert_eq!(again["game"]["rated"], true, "a rematch is what the game was");
    // How each has done against whom, and with what.
    let (_, record) = site.get("/people/anna/record").await;
    assert_eq!(
        record["opponents"],
        json!([{ "name": "Ben", "agent": null, "score": { "won": 1, "drawn": 0, "lost": 0 } }])
    );
    assert_eq!(record["openings"], json!([]), "too short for an opening");
    assert_eq!(site.get("/people/ben/record").await.1["opponents"][0]["score"]["lost"], 1);
    // All ratings follow from the games.
    let file = site.folder.path().join("games.db");
    let recomputed = tokio::task::spawn_blocking(move || crate::database::ratings(&file)).await;
    assert_eq!(recomputed.expect("done").expect("readable"), (2, 0));
}

#[tokio::test]
async fn ratings_that_were_tampered_with_are_put_right() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let file = site.folder.path().join("games.db");
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut first, mut second) =
        (Visitor::new(&listening, &anna).await, Visitor::new(&listening, &ben).await);
    first.say(&blitz(true)).await;
    second.say(&blitz(true)).await;
    let id = second.game().await;
    let (_, seat) = anna.get(site, &format!("/games/{id}/seat")).await;
    let (black, white) = if seat["color"] == "black" { (&mut anna, &mut ben) } else { (&mut ben, &mut anna) };
    black.post(site, &format!("/games/{id}/moves"), json!({ "move": "a1b2", "ply": 0 })).await;
    white.post(site, &format!("/games/{id}/moves"), json!({ "move": "i5h5", "ply": 1 })).await;
    black.post(site, &format!("/games/{id}/resign"), json!({})).await;
    let before = rating(site, "Anna").await;
    let mut raw = SqliteConnectOptions::new().filename(&file).connect().await.expect("the database");
    sqlx::query("UPDATE rating SET value = 2999").execute(&mut raw).await.expect("written");
    sqlx::Connection::close(raw).await.expect("closed");
    assert_eq!(rating(site, "Anna").await["value"], 2999);
    let path = file.clone();
    let put_right = tokio::task::spawn_blocking(move || crate::database::ratings(&path)).await;
    assert_eq!(put_right.expect("done").expect("readable"), (2, 2));
    assert_eq!(rating(site, "Anna").await["value"], before["value"]);
}

#[tokio::test]
async fn a_search_ends_with_its_socket_and_is_not_for_everybody() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (anna, _) = Browser::signed_up(site, "Anna").await;
    let (ben, _) = Browser::signed_up(site, "Ben").await;
    let mut guest = Visitor::new(&listening, &Browser::default()).await;
    guest.say(&blitz(false)).await;
    let refused = guest.hear(|value| value["type"] == "error").await;
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!("account.missing"), &json!(1)));
    let mut first = Visitor::new(&listening, &anna).await;
    let mut narrow = blitz(true);
    narrow["range"] = json!([1600, 2000]);
    first.say(&narrow).await;
    let seek = guest.seeks(1).await[0]["id"].clone();
    let accept = |seek: &Value| json!({ "type": "accept", "id": 2, "seek": seek });
    first.say(&accept(&seek)).await;
    assert_eq!(first.hear(|value| value["type"] == "error").await["error"]["code"], "seek.own");
    let mut second = Visitor::new(&listening, &ben).await;
    second.say(&accept(&seek)).await;
    assert_eq!(second.hear(|value| value["type"] == "error").await["error"]["code"], "seek.range");
    second.say(&blitz(true)).await;
    guest.seeks(2).await;
    // Another wish of the same person takes the place of the one before.
    first.say(&json!({ "type": "seek", "id": 3, "layout": "random", "clock": { "kind": "move", "ms": 30_000 }, "rated": false })).await;
    let seeks = guest
        .hear(|value| {
            value["seeks"].as_array().is_some_and(|all| all.iter().any(|seek| seek["rated"] == false))
        })
        .await;
    assert_eq!(seeks["seeks"].as_array().map(Vec::len), Some(2));
    drop(first);
    guest.seeks(1).await;
    second.say(&json!({ "type": "cancel" })).await;
    guest.seeks(0).await;
    second.say(&accept(&seek)).await;
    assert_eq!(second.hear(|value| value["type"] == "error").await["error"]["code"], "seek.gone");
    for (wish, code) in [
        (json!({ "type": "seek", "id": 1 }), "field.missing"),
        (json!({ "type": "seek", "id": 1, "clock": { "kind": "move", "ms": 1 } }), "number.range"),
        (
            json!({ "type": "seek", "id": 1, "clock": { "kind": "move", "ms": 1000 }, "layout": "nowhere" }),
            "layout.unknown",
        ),
        (json!({ "type": "dance" }), "socket.type"),
    ] {
        second.say(&wish).await;
        assert_eq!(second.hear(|value| value["type"] == "error").await["error"]["code"], code, "{wish}");
    }
}

#[tokio::test]
async fn who_no_longer_searches_still_hears_of_games_that_begin() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (anna, _) = Browser::signed_up(site, "Anna").await;
    let mut visitor = Visitor::new(&listening, &anna).await;
    visitor.say(&blitz(true)).await;
    visitor.seeks(1).await;
    visitor.say(&json!({ "type": "cancel" })).await;
    visitor.seeks(0).await;
    let anna = site.app.store.person("Anna").await.expect("read").expect("Anna").0.id;
    site.app.lobby.tell(anna, "board");
    assert_eq!(visitor.game().await, "board");
}

#[tokio::test]
async fn who_searches_again_and_again_has_to_wait_and_changes_are_told_together() {
    let listening = Listening::with(|config| config.arena = true).await;
    let (anna, _) = Browser::signed_up(&listening.site, "Anna").await;
    let mut guest = Visitor::new(&listening, &Browser::default()).await;
    guest.seeks(0).await;
    let mut visitor = Visitor::new(&listening, &anna).await;
    for _ in 0..40 {
        visitor.say(&blitz(true)).await;
    }
    let refused = visitor.hear(|value| value["type"] == "error").await;
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["values"]),
        (&json!("rate.messages"), &json!({ "most": 20, "seconds": 60 }))
    );
    assert_eq!(guest.seeks(1).await[0]["own"], false);
}

#[tokio::test]
async fn a_profile_counts_opponents_agents_and_openings() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    for _ in 0..2 {
        let (_, begun) = anna.post(site, "/games", json!({ "friend": { "color": "black" } })).await;
        let path = format!("/games/{}", begun["game"]["id"].as_str().expect("an id"));
        ben.post(site, &format!("{path}/join"), json!({})).await;
        for (ply, text) in ["a1b2", "i5h5", "b2c3", "h5g5"].into_iter().enumerate() {
            let browser = if ply % 2 == 0 { &mut anna } else { &mut ben };
            let body = json!({ "move": text, "ply": ply });
            assert_eq!(browser.post(site, &format!("{path}/moves"), body).await.0, 200);
        }
        assert_eq!(anna.post(site, &format!("{path}/resign"), json!({})).await.0, 200);
    }
    let agent = json!({ "kind": "agent", "spec": "random" });
    let (_, alone) = anna.post(site, "/games", json!({ "white": agent })).await;
    let path = format!("/games/{}/resign", alone["game"]["id"].as_str().expect("an id"));
    assert_eq!(anna.post(site, &path, json!({})).await.0, 200);
    let (_, record) = site.get("/people/anna/record").await;
    let opponents: Vec<_> = record["opponents"]
        .as_array()
        .expect("some")
        .iter()
        .map(|one| (&one["name"], &one["agent"], &one["score"]["lost"]))
        .collect();
    assert_eq!(
        opponents,
        [(&json!("Ben"), &Value::Null, &json!(2)), (&Value::Null, &json!("random"), &json!(1))]
    );
    let opening = &record["openings"][0];
    assert_eq!((&opening["color"], &opening["score"]["lost"]), (&json!("black"), &json!(2)));
    assert_eq!(opening["moves"], json!(["a1b2", "i5h5", "b2c3", "h5g5"]));
}

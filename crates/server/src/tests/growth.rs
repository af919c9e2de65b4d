//! How much one address may add to the database, all together, and for how long it is kept.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;

use super::accounts::Browser;
use super::bots::program;
use super::*;
use crate::api::bot::identity::HousePlayer;
use crate::domain::client::Client;

/// A request that comes from an address.
fn from(address: &str, mut request: Request<Body>) -> Request<Body> {
    let address: SocketAddr = format!("{address}:1000").parse().expect("an address");
    request.extensions_mut().insert(ConnectInfo(address));
    request
}

fn begin(address: &str) -> Request<Body> {
    let agent = json!({ "kind": "agent", "spec": "random" });
    let body = json!({ "black": agent, "white": agent, "paused": true }).to_string();
    let request = Request::post("/api/v1/games")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::HOST, "10.0.0.9");
    from(address, request.body(Body::from(body)).expect("a request"))
}

#[tokio::test]
async fn one_address_adds_so_much_a_day_and_others_are_not_held_up() {
    let site = Site::with(|config| {
        config.listen = [0, 0, 0, 0].into();
        config.growth_mb = 1;
    })
    .await;
    let mut begun = 0;
    let (headers, body) = loop {
        let (status, headers, body) = site.send(begin("10.0.0.1")).await;
        match status.as_u16() {
            201 => begun += 1,
            429 => break (headers, body),
            _ => panic!("{status}"),
        }
        assert!(begun < 1000, "no end");
    };
    let answer: Value = serde_json::from_slice(&body).expect("JSON");
    assert!(answer["error"]["message"].as_str().expect("a text").contains("1 MB of games a day"), "{answer}");
    let wait: u32 = headers[header::RETRY_AFTER].to_str().expect("a text").parse().expect("a number");
    assert!(begun > 10 && wait > 60, "{begun} games, then {wait} s");
    assert_eq!(site.send(begin("10.0.0.2")).await.0, StatusCode::CREATED);
}

#[tokio::test]
async fn a_database_that_has_its_size_takes_no_more_and_says_so() {
    let site = Site::with(|config| {
        config.listen = [0, 0, 0, 0].into();
        (config.growth_mb, config.database_mb) = (100, 1);
    })
    .await;
    let answer = loop {
        let (status, _, body) = site.send(begin("10.0.0.1")).await;
        if status == StatusCode::INSUFFICIENT_STORAGE {
            break serde_json::from_slice::<Value>(&body).expect("JSON");
        }
        assert_eq!(status, StatusCode::CREATED);
        let long = "x".repeat(80);
        let seat = json!({ "kind": "human", "name": long });
        for _ in 0..20 {
            site.post("/games", "", &json!({ "black": seat, "white": seat })).await;
        }
    };
    assert_eq!(refusal(&answer).0, "quota");
}

#[tokio::test]
async fn the_owner_of_the_machine_has_no_limit_on_growth() {
    let site = Site::with(|config| (config.growth_mb, config.database_mb) = (1, 1)).await;
    for _ in 0..60 {
        let (status, _, _) = site
            .send(from("127.0.0.1", {
                let mut request = begin("127.0.0.1");
                request.headers_mut().insert(header::HOST, "localhost".parse().expect("a value"));
                request
            }))
            .await;
        assert_eq!(status, StatusCode::CREATED);
    }
}

#[tokio::test]
async fn what_players_of_the_house_play_is_in_nobodys_share() {
    let site = Site::with(|config| {
        config.listen = [0, 0, 0, 0].into();
        (config.arena, config.growth_mb) = (true, 1);
    })
    .await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (one, two) = (program(&site, &mut anna, "One").await, program(&site, &mut anna, "Two").await);
    let challenge = one.does("/challenge/Two", json!({ "clock.limit": 300, "color": "black" })).await;
    let id = challenge["id"].as_str().expect("an id");
    let player = site.app.store.person("Two").await.expect("read").expect("a person").0.id;
    let address: SocketAddr = "127.7.1.1:0".parse().expect("an address");
    site.app.charge(Client::new(address.ip()), 1 << 20).expect("a whole share");
    let ask = |path: String, of_house: bool| {
        let request = Request::post(format!("/api{path}"));
        let request = request.header(header::AUTHORIZATION, format!("Bearer {}", two.token));
        let mut request = request.body(Body::empty()).expect("a request");
        request.extensions_mut().insert(ConnectInfo(address));
        if of_house {
            request.extensions_mut().insert(HousePlayer(player));
        }
        site.send(request)
    };
    let accept = format!("/challenge/{id}/accept");
    assert_eq!(ask(accept.clone(), false).await.0, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(accept, true).await.0, StatusCode::OK);
    one.does(&format!("/bot/game/{id}/move/a1b2"), Value::Null).await;
    let answer = format!("/bot/game/{id}/move/i5h5");
    assert_eq!(ask(answer.clone(), false).await.0, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(answer, true).await.0, StatusCode::OK);
}

#[tokio::test]
async fn games_that_nobody_has_changed_for_so_many_days_are_deleted_but_imports_stay() {
    let site = Site::with(|config| config.keep_days = 30).await;
    let (old, _) = site.begin(json!({ "moves": ["a1b2"] })).await;
    let (new, _) = site.begin(json!({})).await;
    let request = Request::post("/api/v1/imports").body(Body::from("1. a1b2 *")).expect("a request");
    site.send(request).await;
    for _ in 0..3000 {
        if site.get("/games").await.1["total"] == 3 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let mut connection = super::damage::past_the_server(&site).await;
    let past = crate::domain::date::now() - 31 * 24 * 3600 * 1000;
    sqlx::query("UPDATE game SET updated = ? WHERE id <> ?")
        .bind(past)
        .bind(&new)
        .execute(&mut connection)
        .await
        .expect("changed");
    site.app.expire().await;
    let (_, page) = site.get("/games").await;
    assert_eq!(page["total"], 2, "{page}");
    assert_eq!(site.get(&format!("/games/{old}")).await.0, 404);
    assert_eq!(site.get("/openings").await.1["games"], 1);
}

#[tokio::test]
async fn a_game_to_which_nobody_comes_is_deleted_after_a_while_and_one_that_was_joined_stays() {
    let site = Site::new().await;
    let friend = json!({ "friend": { "color": "black" } });
    let (lonely, _) = site.begin(friend.clone()).await;
    let (joined, _) = site.begin(friend.clone()).await;
    let (fresh, _) = site.begin(friend).await;
    let (status, _) = site.post(&format!("/games/{joined}/join"), "", &json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let mut connection = super::damage::past_the_server(&site).await;
    let past = crate::domain::date::now() - 15 * 24 * 3600 * 1000;
    sqlx::query("UPDATE game SET created = ? WHERE id <> ?")
        .bind(past)
        .bind(&fresh)
        .execute(&mut connection)
        .await
        .expect("changed");
    site.app.expire().await;
    let found = [&lonely, &joined, &fresh].map(|id| format!("/games/{id}"));
    let mut statuses = Vec::new();
    for path in &found {
        statuses.push(site.get(path).await.0.as_u16());
    }
    assert_eq!(statuses, [404, 200, 200]);
}

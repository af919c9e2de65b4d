//! Tournaments over the interface, and their director in virtual time with players who move at random.

use std::collections::HashSet;

use futures_util::StreamExt;
use sumito_engine::Rng;
use sumito_rules::Notation;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::accounts::{Browser, arena};
use super::bots::program;
use super::sockets::Listening;
use super::*;
use crate::bot::{Bot, BotSettings};
use crate::domain::date::now;
use crate::domain::keys::Credentials;
use crate::domain::person::PersonId;
use crate::live::director::Director;

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

fn wish(system: Value) -> Value {
    json!({
        "name": "Club evening", "system": system, "layout": "random", "starts": now(),
        "clock": { "kind": "game", "base_ms": 180_000, "increment_ms": 2000 },
    })
}

/// People who have joined a tournament.
struct Field {
    site: Site,
    id: String,
    players: Vec<(Browser, PersonId)>,
    rng: Rng,
    /// Moments of the tournament run ahead of the machine's.
    at: i64,
}

impl Field {
    async fn new(system: Value, players: usize) -> Field {
        let site = arena().await;
        let mut all = Vec::new();
        for number in 0..players {
            let name = format!("Player{number}");
            let (browser, _) = Browser::signed_up(&site, &name).await;
            all.push((browser, site.app.person(&name).await.expect("an account").id));
        }
        let (status, planned) = all[0].0.post(&site, "/tournaments", wish(system)).await;
        assert_eq!(status, 201, "{planned}");
        let id = planned["id"].as_str().expect("an id").to_string();
        for (browser, _) in &mut all {
            let (status, answer) = browser.post(&site, &format!("/tournaments/{id}/join"), json!({})).await;
            assert_eq!(status, 200, "{answer}");
        }
        Field { site, id, players: all, rng: Rng::new(players as u64), at: now() + 1000 }
    }

    async fn view(&self) -> Value {
        self.site.get(&format!("/tournaments/{}", self.id)).await.1
    }

    /// A director who knows nothing does what is to be done: each time as after a restart.
    async fn step(&mut self) -> bool {
        let next = Director::new(&self.site.app, &self.id).step(self.at).await.expect("it goes on");
        let Some(next) = next else { return false };
        self.at = next.max(self.at + 1);
        true
    }

    /// Every game under way has some moves more, and ends in one of the ways.
    async fn play(&mut self) {
        let tournament = self.site.app.tournament(&self.id).await.expect("there");
        for board in tournament.boards.iter().filter(|board| board.is_open()) {
            let live = self.site.app.game(board.game.as_deref().expect("a game")).await.expect("begun");
            let person = |color| tournament.player(board.pairing.player(color)).person;
            let who = |color| Credentials { key: None, person: Some(person(color)) };
            for ply in 0..4 + self.rng.below(4) {
                let (turn, text) = {
                    let table = live.lock().await;
                    let position = *table.game().position();
                    let moves = position.legal_moves();
                    let m = moves[self.rng.below(moves.len())];
                    (position.turn(), Notation::AbaPro.write(&position, m))
                };
                let played =
                    live.play(&self.site.app, &who(turn), (&text, Notation::AbaPro), Some(ply)).await;
                played.map(|_| ()).expect("a legal move");
            }
            let color = sumito_rules::Color::ALL[self.rng.below(2)];
            if self.rng.below(5) == 0 {
                live.draw(&self.site.app, &who(color), None).await.map(|_| ()).expect("offered");
                live.draw(&self.site.app, &who(!color), None).await.map(|_| ()).expect("agreed");
            } else {
                live.resign(&self.site.app, &who(color), None).await.map(|_| ()).expect("resigned");
            }
        }
    }

    async fn play_to_the_end(&mut self) -> Value {
        while self.step().await {
            self.play().await;
        }
        self.view().await
    }

    /// Every board has one game, which is over and counted.
    async fn check_games(&self, boards: usize) {
        let tournament = self.site.app.tournament(&self.id).await.expect("there");
        assert_eq!(tournament.boards.len(), boards);
        let ids: HashSet<&str> = tournament.boards.iter().filter_map(|board| board.game.as_deref()).collect();
        assert_eq!(ids.len(), boards, "one game a board");
        for board in &tournament.boards {
            let (_, game) =
                self.site.get(&format!("/games/{}", board.game.as_deref().expect("a game"))).await;
            assert_eq!(game["tournament"], json!(self.id));
            let told = game["position"]["outcome"]["winner"].as_str().unwrap_or("draw").to_string();
            assert_eq!(board.pairing.result.map(crate::domain::tournament::result_name), Some(told.as_str()));
        }
    }
}

#[tokio::test]
async fn a_swiss_tournament_is_played_from_its_start_to_its_table() {
    let mut field = Field::new(json!({ "kind": "swiss", "rounds": 3 }), 7).await;
    let over = field.play_to_the_end().await;
    assert_eq!((&over["stage"], &over["round"], &over["rounds"]), (&json!("over"), &json!(3), &json!(3)));
    field.check_games(9).await;
    let points: f64 = over["standings"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| line["points"].as_f64().expect("a number"))
        .sum();
    assert!((points - 12.0).abs() < 1e-9, "9 games and 3 byes: {points}");
    let (_, cross) = field.site.get(&format!("/tournaments/{}/cross", field.id)).await;
    assert_eq!(cross["rows"].as_array().map(Vec::len), Some(7));
    assert!(cross.to_string().contains("bye1"));
    // The files.
    let get =
        |name: &str| Request::get(format!("/api/v1/tournaments/{}/{name}", field.id)).body(Body::empty());
    let (status, _, apgn) = field.site.send(get("apgn").expect("a request")).await;
    let apgn = String::from_utf8(apgn).expect("a text");
    assert_eq!((status, apgn.matches("[Event \"Club evening\"]").count()), (StatusCode::OK, 9), "{apgn}");
    assert!(apgn.contains("[Round \"3.1\"]"), "{apgn}");
    let (_, _, csv) = field.site.send(get("csv").expect("a request")).await;
    let csv = String::from_utf8(csv).expect("a text");
    assert_eq!(csv.lines().count(), 8, "{csv}");
    assert!(csv.starts_with("place,name,rating,points,buchholz-cut-1,"), "{csv}");
    // All games were rated.
    let (_, first) = field.site.get("/people/Player0").await;
    assert_eq!(first["ratings"][0]["class"], "blitz");
}

#[tokio::test]
async fn a_round_robin_is_played_and_who_withdraws_loses_what_is_left() {
    let mut field = Field::new(json!({ "kind": "round-robin", "cycles": 1 }), 6).await;
    for _ in 0..3 {
        field.step().await;
        field.play().await;
    }
    let path = format!("/tournaments/{}/withdraw", field.id);
    let (browser, _) = &mut field.players[5];
    assert_eq!(browser.post(&field.site, &path, json!({})).await.0, 200);
    let over = field.play_to_the_end().await;
    assert_eq!((&over["stage"], &over["round"]), (&json!("over"), &json!(5)));
    let tournament = field.site.app.tournament(&field.id).await.expect("there");
    let unplayed = tournament.boards.iter().filter(|board| board.game.is_none()).count();
    assert!(tournament.boards.len() == 15 && (1..=3).contains(&unplayed), "{unplayed}");
}

#[tokio::test]
async fn a_damaged_game_does_not_stop_the_others() {
    let mut field = Field::new(json!({ "kind": "swiss", "rounds": 3 }), 4).await;
    field.step().await;
    let damage = "UPDATE game SET start = 'none' WHERE num = (SELECT min(num) FROM game)";
    super::slow::tamper(&field.site, damage).await;
    let Field { site, id, at, .. } = field;
    let site = site.restarted().await;
    assert_eq!(site.app.games_in_memory(), 0);
    assert!(Director::new(&site.app, &id).step(at).await.expect("it goes on").is_some());
    assert_eq!(site.app.games_in_memory(), 1, "the other one");
}

#[tokio::test]
async fn an_arena_pairs_until_its_time_is_over() {
    let mut field = Field::new(json!({ "kind": "arena", "minutes": 1 }), 5).await;
    let over = field.play_to_the_end().await;
    assert_eq!(over["stage"], "over");
    let tournament = field.site.app.tournament(&field.id).await.expect("there");
    assert!(tournament.boards.len() > 40, "{}", tournament.boards.len());
    field.check_games(tournament.boards.len()).await;
    assert_eq!(field.site.get(&format!("/tournaments/{}/cross", field.id)).await.0, 409);
}

#[tokio::test]
async fn a_tournament_goes_on_after_a_restart_with_the_games_that_it_had() {
    let mut field = Field::new(json!({ "kind": "swiss", "rounds": 2 }), 4).await;
    field.step().await;
    let before = field.view().await;
    assert_eq!(before["playing"].as_array().map(Vec::len), Some(2));
    field.site.app.close().await;
    let Field { site: Site { folder, .. }, id, players, rng, at } = field;
    let site = Site::open(folder, |config| config.arena = true, &[]).await;
    let mut field = Field { site, id, players, rng, at };
    field.step().await;
    assert_eq!(field.view().await["playing"], before["playing"]);
    field.play_to_the_end().await;
    field.check_games(4).await;
}

#[tokio::test]
async fn who_does_not_come_to_a_game_loses_it_unrated_and_is_not_paired_again() {
    let mut field = Field::new(json!({ "kind": "swiss", "rounds": 2 }), 4).await;
    field.step().await;
    let tournament = field.site.app.tournament(&field.id).await.expect("there");
    for board in &tournament.boards {
        let live = field.site.app.game(board.game.as_deref().expect("a game")).await.expect("begun");
        let mut table = live.lock().await;
        assert!(table.left_to_come(std::time::Instant::now()).is_some_and(|left| left > 30_000));
        // As if that time were over: Black has not come.
        live.forfeit(&field.site.app, &mut table, sumito_rules::Color::Black).await.expect("written");
    }
    let view = field.view().await;
    let here =
        view["standings"].as_array().expect("lines").iter().filter(|line| line["here"] == true).count();
    assert_eq!((here, &view["standings"][0]["points"]), (2, &json!(1.0)));
    assert_eq!(field.site.get("/people/Player0").await.1["ratings"], json!([]));
    field.step().await;
    assert_eq!(field.view().await["playing"].as_array().map(Vec::len), Some(1));
    // They may come back.
    let absent = tournament.player(tournament.boards[0].pairing.black).name.clone();
    let number: usize = absent.trim_start_matches("Player").parse().expect("a number");
    let path = format!("/tournaments/{}/join", field.id);
    assert_eq!(field.players[number].0.post(&field.site, &path, json!({})).await.0, 200);
}

#[tokio::test]
async fn a_game_of_a_tournament_is_not_undone() {
    let mut field = Field::new(json!({ "kind": "swiss", "rounds": 1 }), 2).await;
    field.step().await;
    let game = field.view().await["playing"][0]["game"].as_str().expect("a game").to_string();
    let Field { site, players, .. } = &mut field;
    let browser = &mut players[0].0;
    for (method, path) in [
        ("DELETE", format!("/games/{game}")),
        ("POST", format!("/games/{game}/abort")),
        ("POST", format!("/games/{game}/takeback")),
    ] {
        let body = if method == "DELETE" { Value::Null } else { json!({}) };
        let (status, answer) = browser.ask(site, method, &path, body).await;
        assert_eq!((status, code(&answer)), (403, "game.tournament"), "{path}");
    }
    assert_eq!(browser.post(site, &format!("/games/{game}/resign"), json!({})).await.0, 200);
    let (status, answer) = browser.post(site, &format!("/games/{game}/rematch"), json!({})).await;
    assert_eq!((status, code(&answer)), (403, "game.tournament"));
}

#[tokio::test]
async fn who_may_do_what_and_when() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(&site, "Ben").await;
    let mut guest = Browser::default();
    let swiss = || wish(json!({ "kind": "swiss", "rounds": 3 }));
    let (status, answer) = guest.post(&site, "/tournaments", swiss()).await;
    assert_eq!((status, code(&answer)), (401, "account.missing"));
    let (_, planned) = anna.post(&site, "/tournaments", swiss()).await;
    let id = planned["id"].as_str().expect("an id").to_string();
    let at = |what: &str| format!("/tournaments/{id}/{what}");
    assert_eq!(code(&guest.post(&site, &at("join"), json!({})).await.1), "account.missing");
    for what in ["start", "pause", "resume", "cancel"] {
        assert_eq!(code(&guest.post(&site, &at(what), json!({})).await.1), "account.missing");
        assert_eq!(code(&ben.post(&site, &at(what), json!({})).await.1), "tournament.other", "{what}");
    }
    assert_eq!(code(&anna.post(&site, &at("start"), json!({})).await.1), "tournament.too_few");
    assert_eq!(anna.post(&site, &at("join"), json!({})).await.0, 200);
    assert_eq!(code(&anna.post(&site, &at("join"), json!({})).await.1), "tournament.joined");
    assert_eq!(code(&ben.post(&site, &at("withdraw"), json!({})).await.1), "tournament.not_joined");
    assert_eq!(ben.post(&site, &at("join"), json!({})).await.0, 200);
    assert_eq!(ben.post(&site, &at("bye"), json!({})).await.0, 200);
    assert_eq!(anna.post(&site, &at("start"), json!({})).await.1["stage"], "running");
    assert_eq!(code(&anna.post(&site, &at("resume"), json!({})).await.1), "tournament.stage");
    assert_eq!(anna.post(&site, &at("pause"), json!({})).await.1["stage"], "paused");
    // A moderator directs what is somebody else's.
    let change = crate::store::people::PersonWrite::Role {
        person: site.app.person("Ben").await.expect("an account").id,
        role: crate::domain::person::Role::Moderator,
    };
    site.app.store.write(crate::store::Write::Person(Box::new(change))).await.expect("written");
    assert_eq!(ben.post(&site, &at("resume"), json!({})).await.1["stage"], "running");
    assert_eq!(ben.post(&site, &at("cancel"), json!({})).await.1["stage"], "cancelled");
    assert_eq!(code(&anna.post(&site, &at("pause"), json!({})).await.1), "tournament.stage");
    assert_eq!(code(&anna.post(&site, &at("join"), json!({})).await.1), "tournament.over");
    let (_, over) = site.get("/tournaments?over=true&limit=5").await;
    assert_eq!((&over["tournaments"][0]["id"], &over["tournaments"][0]["entered"]), (&json!(id), &json!(2)));
    assert_eq!(site.get("/tournaments").await.1["tournaments"], json!([]));
    assert_eq!(code(&site.get("/tournaments/none").await.1), "tournament.unknown");
}

#[tokio::test]
async fn what_cannot_be_a_tournament_is_refused_and_nobody_plans_too_many() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let swiss = json!({ "kind": "swiss", "rounds": 3 });
    for (field, value, expected) in [
        ("name", json!(" "), "field.missing"),
        ("name", json!("x".repeat(61)), "text.too_long"),
        ("system", json!({ "kind": "swiss", "rounds": 0 }), "number.range"),
        ("system", json!({ "kind": "arena", "minutes": 100_000 }), "number.range"),
        ("system", json!({ "kind": "knockout" }), "field.type"),
        ("system", json!({ "kind": "round-robin", "cycles": 3 }), "number.range"),
        ("layout", json!("nowhere"), "layout.unknown"),
        ("clock", json!({ "kind": "move", "ms": 1 }), "number.range"),
        ("starts", json!(5), "tournament.starts"),
        ("starts", json!(now() + 365 * 86_400_000), "tournament.starts"),
        ("welcome", json!("cats"), "field.type"),
    ] {
        let mut request = wish(swiss.clone());
        request[field] = value;
        let (_, answer) = anna.post(&site, "/tournaments", request).await;
        assert_eq!(code(&answer), expected, "{field}: {answer}");
    }
    for _ in 0..5 {
        assert_eq!(anna.post(&site, "/tournaments", wish(swiss.clone())).await.0, 201);
    }
    let (status, answer) = anna.post(&site, "/tournaments", wish(swiss)).await;
    assert_eq!((status, code(&answer)), (429, "rate.tournaments"));
    let (_, list) = site.get("/tournaments").await;
    assert_eq!(list["tournaments"].as_array().map(Vec::len), Some(5));
}

#[tokio::test]
async fn who_follows_a_tournament_sees_it_change_and_is_called_to_the_game() {
    let listening = Listening::with(|config| config.arena = true).await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let mut request = wish(json!({ "kind": "swiss", "rounds": 1 }));
    request["starts"] = json!(now() + 3_600_000);
    let (_, planned) = anna.post(site, "/tournaments", request).await;
    let id = planned["id"].as_str().expect("an id").to_string();
    let mut request = format!("ws://{}/api/v1/tournaments/{id}/live", listening.address)
        .into_client_request()
        .expect("a request");
    request.headers_mut().insert(header::COOKIE, ben.cookie.parse().expect("a value"));
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a socket");
    let mut hear = async |wanted: &dyn Fn(&Value) -> bool| loop {
        let text = socket.next().await.expect("a message").expect("whole").into_text().expect("a text");
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        if wanted(&value) {
            return value;
        }
    };
    hear(&|value| value["tournament"]["entered"] == 0).await;
    for browser in [&mut anna, &mut ben] {
        assert_eq!(browser.post(site, &format!("/tournaments/{id}/join"), json!({})).await.0, 200);
    }
    hear(&|value| value["tournament"]["entered"] == 2).await;
    assert_eq!(anna.post(site, &format!("/tournaments/{id}/start"), json!({})).await.0, 200);
    let told = hear(&|value| value["type"] == "game").await;
    let running = hear(&|value| value["tournament"]["playing"][0]["game"].is_string()).await;
    assert_eq!(running["tournament"]["playing"][0]["game"], told["game"]);
}

#[tokio::test]
async fn a_bot_joins_by_its_token_and_is_called_to_its_game() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (one, two) = (program(&site, &mut anna, "One").await, program(&site, &mut anna, "Two").await);
    let mut request = wish(json!({ "kind": "swiss", "rounds": 1 }));
    request["welcome"] = json!("bots");
    assert_eq!(code(&one.post("/v1/tournaments", request.clone()).await.1), "role.forbidden");
    let (_, planned) = anna.post(&site, "/tournaments", request).await;
    let id = planned["id"].as_str().expect("an id").to_string();
    let (status, answer) = anna.post(&site, &format!("/tournaments/{id}/join"), json!({})).await;
    assert_eq!((status, code(&answer)), (403, "tournament.welcome"));
    one.does(&format!("/v1/tournaments/{id}/join"), json!({})).await;
    let joined = two.does(&format!("/v1/tournaments/{id}/join"), json!({})).await;
    assert!(
        joined["standings"].as_array().expect("lines").iter().all(|line| line["bot"] == true),
        "{joined}"
    );
    let mut events = one.stream("/stream/event").await;
    Director::new(&site.app, &id).step(now() + 1000).await.expect("it begins");
    let told = events.wait("gameStart").await;
    let (_, running) = site.get(&format!("/tournaments/{id}")).await;
    let game = running["playing"][0]["game"].as_str().expect("a game");
    assert!(told.to_string().contains(game), "{told}");
    let black = if running["playing"][0]["black"] == "One" { &one } else { &two };
    let position = site.get(&format!("/games/{game}")).await.1["position"].clone();
    let first = position["moves"][0]["move"].as_str().expect("a move").to_string();
    black.does(&format!("/bot/game/{game}/move/{first}"), Value::Null).await;
}

#[tokio::test]
async fn bots_play_a_tournament_to_its_end_by_themselves() {
    let listening = Listening::with(|config| (config.arena, config.token_rate) = (true, 200)).await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let mut request = wish(json!({ "kind": "swiss", "rounds": 2 }));
    request["starts"] = json!(now() + 3_600_000);
    let (_, planned) = anna.post(site, "/tournaments", request).await;
    let id = planned["id"].as_str().expect("an id").to_string();
    let mut playing = Vec::new();
    for level in 2..6 {
        let bot = program(site, &mut anna, &format!("Level{level}")).await;
        let settings = BotSettings {
            server: format!("http://{}", listening.address),
            token: bot.token.clone(),
            agent: format!("sumito:level={level}").parse().expect("a spec"),
            limits: Default::default(),
            accepts: json!({}),
            tournaments: vec![id.clone()],
            patience: std::time::Duration::from_secs(60),
        };
        let bot = Bot::new(&settings, std::sync::Arc::new(|_| ())).expect("a bot");
        playing.push(tokio::spawn(bot.run()));
    }
    let until = async |wanted: &dyn Fn(&Value) -> bool| {
        for _ in 0..6000 {
            let (_, view) = site.get(&format!("/tournaments/{id}")).await;
            if wanted(&view) {
                return view;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("it did not happen");
    };
    until(&|view| view["entered"] == 4).await;
    assert_eq!(anna.post(site, &format!("/tournaments/{id}/start"), json!({})).await.0, 200);
    let over = until(&|view| view["stage"] == "over").await;
    let lines = over["standings"].as_array().expect("lines");
    assert!(lines.iter().all(|line| line["games"] == 2 && line["here"] == true), "{over}");
    playing.iter().for_each(tokio::task::JoinHandle::abort);
}

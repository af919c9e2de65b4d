//! Games between two persons with a key each: who may do what with which key, offers, and what others get to see.

use super::*;

/// A game that Black has begun: its id and Black's key.
async fn invited(site: &Site) -> (String, String) {
    site.begin(json!({ "friend": { "color": "black", "name": "Anna" } })).await
}

/// A game in which both seats are taken: its id, and the keys of Black and White.
async fn paired(site: &Site) -> (String, String, String) {
    let (id, black) = invited(site).await;
    let (status, answer) = site.post(&format!("/games/{id}/join"), "", &json!({ "name": "Ben" })).await;
    assert_eq!((status.as_u16(), &answer["color"]), (200, &json!("white")), "{answer}");
    (id, black, answer["key"].as_str().expect("a key").to_string())
}

const MOVES: [&str; 4] = ["a1b2", "i5h5", "b2c3", "h5g5"];

/// Plays the first moves, each side with its own key.
async fn open(site: &Site, (id, black, white): &(String, String, String), plies: usize) {
    for (ply, text) in MOVES.into_iter().enumerate().take(plies) {
        let key = if ply % 2 == 0 { black } else { white };
        site.play((id, key), ply, text).await;
    }
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

#[tokio::test]
async fn the_first_who_joins_has_the_seat_and_everybody_after_that_watches() {
    let site = Site::new().await;
    let (id, black) = invited(&site).await;
    let join = format!("/games/{id}/join");
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!((&game["pair"]["black"], &game["pair"]["white"]), (&json!("away"), &json!("free")));
    let (status, answer) = site.post(&join, &black, &json!({})).await;
    assert_eq!((status.as_u16(), code(&answer)), (409, "seat.own"), "the creator's other tab");
    let (status, answer) = site.post(&join, "", &json!({ "name": "Ben" })).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!((&answer["color"], &answer["game"]["white"]["name"]), (&json!("white"), &json!("Ben")));
    assert_eq!(answer["game"]["black"]["name"], "Anna");
    let (status, answer) = site.post(&join, "", &json!({})).await;
    assert_eq!((status.as_u16(), code(&answer)), (409, "seat.taken"));
    let (shared, _) = site.begin(json!({})).await;
    let (_, answer) = site.post(&format!("/games/{shared}/join"), "", &json!({})).await;
    assert_eq!(code(&answer), "seat.taken", "a game of one key has no free seat");
}

#[tokio::test]
async fn many_who_join_at_once_are_one_player_and_spectators() {
    let site = Site::new().await;
    let (id, _) = invited(&site).await;
    let path = format!("/games/{id}/join");
    let tries = (0..8).map(|_| async { site.post(&path, "", &json!({})).await.0.as_u16() });
    let mut found = futures_util::future::join_all(tries).await;
    found.sort_unstable();
    assert_eq!(found, [200, 409, 409, 409, 409, 409, 409, 409]);
}

#[tokio::test]
async fn a_seat_is_chosen_by_who_begins_or_by_chance() {
    let site = Site::new().await;
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let wish = json!({ "friend": { "color": "random", "name": "Anna" } });
        let (_, answer) = site.post("/games", "", &wish).await;
        let color = answer["color"].as_str().expect("a seat").to_string();
        assert_eq!(answer["game"][&color]["name"], "Anna");
        seen.insert(color);
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    let human = json!({ "kind": "human" });
    for (wish, expected) in [
        (json!({ "friend": { "color": "black" }, "white": human }), "friend.seats"),
        (json!({ "friend": { "color": "black" }, "paused": true }), "game.two"),
        (json!({ "friend": { "color": "black", "name": "x".repeat(100) } }), "text.too_long"),
    ] {
        assert_eq!(code(&site.post("/games", "", &wish).await.1), expected, "{wish}");
    }
}

/// What a request of each kind brings in a state of the game, for the keys of Black and White, for none, and for a wrong
/// one. `ok` stands for any good answer, `-` for a key that is not there yet; the figure in a state is the moves played.
const TABLE: &str = "
    waiting  move      seat.free     -             key.missing  key.wrong
    waiting  resign    seat.free     -             key.missing  key.wrong
    waiting  draw      seat.free     -             key.missing  key.wrong
    waiting  takeback  seat.free     -             key.missing  key.wrong
    waiting  rematch   game.running  -             key.missing  key.wrong
    waiting  decline   offer.none    -             key.missing  key.wrong
    waiting  abort     ok            -             key.missing  key.wrong
    waiting  delete    ok            -             key.missing  key.wrong
    waiting  control   game.two      -             key.missing  key.wrong
    waiting  hint      help.none     -             help.none    help.none
    waiting  review    help.none     -             help.none    help.none
    black0   move      ok            seat.other    key.missing  key.wrong
    black0   resign    ok            ok            key.missing  key.wrong
    black0   draw      ok            ok            key.missing  key.wrong
    black0   takeback  game.no_moves game.no_moves key.missing  key.wrong
    black0   rematch   game.running  game.running  key.missing  key.wrong
    black0   decline   offer.none    offer.none    key.missing  key.wrong
    black0   abort     ok            ok            key.missing  key.wrong
    black0   delete    ok            ok            key.missing  key.wrong
    black0   control   game.two      game.two      key.missing  key.wrong
    black0   hint      help.none     help.none     help.none    help.none
    black0   review    help.none     help.none     help.none    help.none
    white1   move      seat.other    ok            key.missing  key.wrong
    white1   takeback  ok            game.no_moves key.missing  key.wrong
    white1   abort     ok            ok            key.missing  key.wrong
    black2   move      ok            seat.other    key.missing  key.wrong
    black2   resign    ok            ok            key.missing  key.wrong
    black2   draw      ok            ok            key.missing  key.wrong
    black2   takeback  ok            ok            key.missing  key.wrong
    black2   rematch   game.running  game.running  key.missing  key.wrong
    black2   decline   offer.none    offer.none    key.missing  key.wrong
    black2   abort     game.begun    game.begun    key.missing  key.wrong
    black2   delete    game.running  game.running  key.missing  key.wrong
    black2   control   game.two      game.two      key.missing  key.wrong
    black2   hint      help.none     help.none     help.none    help.none
    black2   review    help.none     help.none     help.none    help.none
    white3   move      seat.other    ok            key.missing  key.wrong
    white3   resign    ok            ok            key.missing  key.wrong
    white3   draw      ok            ok            key.missing  key.wrong
    white3   takeback  ok            ok            key.missing  key.wrong
    white3   abort     game.begun    game.begun    key.missing  key.wrong
    white3   hint      help.none     help.none     help.none    help.none
    white3   review    help.none     help.none     help.none    help.none
    over     move      game.over     game.over     key.missing  key.wrong
    over     resign    game.over     game.over     key.missing  key.wrong
    over     draw      game.over     game.over     key.missing  key.wrong
    over     takeback  game.over     game.over     key.missing  key.wrong
    over     rematch   ok            ok            key.missing  key.wrong
    over     decline   offer.none    offer.none    key.missing  key.wrong
    over     abort     game.over     game.over     key.missing  key.wrong
    over     delete    ok            ok            key.missing  key.wrong
    over     control   game.two      game.two      key.missing  key.wrong
    over     hint      game.over     game.over     game.over    game.over
    over     review    ok            ok            ok           ok
";

/// A game in a state of the table.
async fn in_state(site: &Site, state: &str) -> (String, String, String) {
    if state == "waiting" {
        let (id, black) = invited(site).await;
        return (id, black, String::new());
    }
    let seats = paired(site).await;
    let plies = match state.chars().last().and_then(|last| last.to_digit(10)) {
        Some(plies) => plies as usize,
        None => 2,
    };
    open(site, &seats, plies).await;
    if state == "over" {
        site.post(&format!("/games/{}/resign", seats.0), &seats.1, &json!({})).await;
    }
    seats
}

/// Does something with a key; an empty one is none.
async fn attempt(site: &Site, id: &str, action: &str, key: &str, ply: usize) -> (StatusCode, Value) {
    let path = format!("/api/v1/games/{id}");
    let (method, path, body) = match action {
        "move" => ("POST", format!("{path}/moves"), json!({ "move": MOVES[ply], "ply": ply })),
        "decline" => ("POST", format!("{path}/decline"), json!({ "offer": "draw" })),
        "control" => ("POST", format!("{path}/control"), json!({ "paused": true })),
        "review" => ("POST", format!("{path}/review"), json!({ "nodes": 100 })),
        "delete" => ("DELETE", path, json!({})),
        other => ("POST", format!("{path}/{other}"), json!({})),
    };
    let mut request = Request::builder().method(method).uri(path);
    request = request.header(header::CONTENT_TYPE, "application/json");
    if !key.is_empty() {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    let (status, _, body) = site.send(request.body(Body::from(body.to_string())).expect("a request")).await;
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

#[tokio::test]
async fn each_key_may_do_in_each_state_what_the_table_says() {
    let site = Site::new().await;
    for line in TABLE.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [state, action, expected @ ..] = &words[..] else { panic!("{line}") };
        for (who, expected) in expected.iter().enumerate().filter(|(_, expected)| **expected != "-") {
            let (id, black, white) = in_state(&site, state).await;
            let key = [&*black, &*white, "", "wrong"][who];
            let (_, game) = site.get(&format!("/games/{id}")).await;
            let ply = moves(&game).len();
            let (status, answer) = attempt(&site, &id, action, key, ply).await;
            let found = if status.is_success() { "ok" } else { code(&answer) };
            assert_eq!(found, *expected, "{state} {action} by {who}: {answer}");
            if found != "ok" {
                let (_, after) = site.get(&format!("/games/{id}")).await;
                assert_eq!(after["updated"], game["updated"], "{state} {action}: a refusal changes nothing");
            }
        }
    }
}

#[tokio::test]
async fn a_seat_is_not_given_up_in_the_other_ones_name() {
    let site = Site::new().await;
    let (id, black, _) = paired(&site).await;
    for what in ["resign", "draw"] {
        let (status, answer) =
            site.post(&format!("/games/{id}/{what}"), &black, &json!({ "color": "white" })).await;
        assert_eq!((status.as_u16(), code(&answer)), (403, "seat.other"), "{what}");
    }
    let (_, game) = site.post(&format!("/games/{id}/resign"), &black, &json!({ "color": "black" })).await;
    assert_eq!(game["position"]["outcome"]["winner"], "white");
}

#[tokio::test]
async fn moves_are_taken_back_when_the_other_side_agrees() {
    let site = Site::new().await;
    let seats = paired(&site).await;
    open(&site, &seats, 3).await;
    let (id, black, white) = &seats;
    let path = format!("/games/{id}/takeback");
    let (_, game) = site.post(&path, black, &json!({})).await;
    assert_eq!((moves(&game).len(), &game["pair"]["takeback"]), (3, &json!({ "by": "black", "plies": 1 })));
    let (status, _) = site.post(&path, black, &json!({})).await;
    assert_eq!(status, StatusCode::OK, "once more says the same");
    let decline = format!("/games/{id}/decline");
    let (_, game) = site.post(&decline, white, &json!({ "offer": "takeback" })).await;
    assert_eq!((moves(&game).len(), &game["pair"]["takeback"]), (3, &Value::Null));
    let (status, answer) = site.post(&path, black, &json!({})).await;
    assert_eq!((status.as_u16(), code(&answer)), (409, "offer.declined"));
    // White's own wish is another one: back to before its last move, two ago.
    let (_, game) = site.post(&path, white, &json!({})).await;
    assert_eq!(game["pair"]["takeback"], json!({ "by": "white", "plies": 2 }));
    let (status, answer) = site.post(&path, black, &json!({ "plies": 1 })).await;
    assert_eq!((status.as_u16(), code(&answer)), (422, "number.range"), "another wish is no answer");
    let (_, game) = site.post(&path, black, &json!({})).await;
    assert_eq!((moves(&game), &game["pair"]["takeback"]), (vec!["a1b2"], &Value::Null));
    // In another position it may be wished for again, and a move is a refusal.
    let (status, _) = site.post(&path, black, &json!({})).await;
    assert_eq!(status, StatusCode::OK);
    site.play((id, white), 1, "i5h5").await;
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!(game["pair"]["takeback"], Value::Null);
}

#[tokio::test]
async fn a_draw_is_declined_by_word_or_by_a_move_and_offered_once_a_move() {
    let site = Site::new().await;
    let seats = paired(&site).await;
    let (id, black, white) = &seats;
    let (draw, decline) = (format!("/games/{id}/draw"), format!("/games/{id}/decline"));
    let (_, game) = site.post(&draw, black, &json!({})).await;
    assert_eq!(game["offer"], "black");
    let (_, game) = site.post(&decline, white, &json!({ "offer": "draw" })).await;
    assert_eq!(game["offer"], Value::Null);
    let (status, answer) = site.post(&draw, black, &json!({})).await;
    assert_eq!((status.as_u16(), code(&answer)), (409, "offer.declined"));
    open(&site, &seats, 1).await;
    let (_, game) = site.post(&draw, black, &json!({})).await;
    assert_eq!(game["offer"], "black");
    site.play((id, white), 1, "i5h5").await;
    let (_, game) = site.post(&draw, white, &json!({})).await;
    assert_eq!((&game["offer"], &game["position"]["outcome"]), (&json!("white"), &Value::Null));
    let (_, game) = site.post(&draw, black, &json!({})).await;
    assert_eq!(game["position"]["outcome"]["reason"], "agreement");
}

#[tokio::test]
async fn offers_outlive_a_restart() {
    let site = Site::new().await;
    let seats = paired(&site).await;
    open(&site, &seats, 2).await;
    let (id, black, white) = &seats;
    site.post(&format!("/games/{id}/takeback"), white, &json!({})).await;
    let site = site.restarted().await;
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!(game["pair"]["takeback"], json!({ "by": "white", "plies": 1 }));
    site.post(&format!("/games/{id}/resign"), black, &json!({})).await;
    site.post(&format!("/games/{id}/rematch"), white, &json!({})).await;
    let site = site.restarted().await;
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!((&game["pair"]["takeback"], &game["pair"]["rematch"]), (&Value::Null, &json!("white")));
    let (status, answer) =
        site.post(&format!("/games/{id}/moves"), "", &json!({ "move": "a1b2", "ply": 0 })).await;
    assert_eq!((status.as_u16(), code(&answer)), (401, "key.missing"));
}

#[tokio::test]
async fn a_rematch_begins_when_both_want_it_and_each_has_its_key_already() {
    let site = Site::new().await;
    let seats = paired(&site).await;
    open(&site, &seats, 2).await;
    let (id, black, white) = &seats;
    site.post(&format!("/games/{id}/resign"), white, &json!({})).await;
    let rematch = format!("/games/{id}/rematch");
    let (status, answer) = site.post(&rematch, white, &json!({})).await;
    assert_eq!(
        (status.as_u16(), &answer["pair"]["rematch"], &answer["next"]),
        (202, &json!("white"), &Value::Null)
    );
    let (status, answer) =
        site.post(&format!("/games/{id}/decline"), white, &json!({ "offer": "rematch" })).await;
    assert_eq!((status.as_u16(), &answer["pair"]["rematch"]), (200, &Value::Null), "taken back");
    let (status, _) = site.post(&rematch, black, &json!({})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let (status, answer) = site.post(&rematch, white, &json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    assert_eq!(
        (&answer["key"], &answer["color"]),
        (&json!(white), &json!("black")),
        "the same key, the other seat"
    );
    let next = answer["game"]["id"].as_str().expect("an id").to_string();
    assert_eq!(
        (&answer["game"]["black"]["name"], &answer["game"]["white"]["name"]),
        (&json!("Ben"), &json!("Anna"))
    );
    let (status, answer) = attempt(&site, &next, "move", black, 0).await;
    assert_eq!((status.as_u16(), code(&answer)), (403, "seat.other"));
    site.play((&next, white), 0, MOVES[0]).await;
    site.play((&next, black), 1, MOVES[1]).await;
    let (_, old) = site.get(&format!("/games/{id}")).await;
    assert_eq!((&old["next"], &old["pair"]["rematch"]), (&json!(next), &Value::Null));
    let (_, answer) = site.post(&rematch, black, &json!({})).await;
    assert_eq!(code(&answer), "rematch.exists");
}

#[tokio::test]
async fn a_game_that_is_called_off_is_gone_and_an_invitation_is_in_no_list() {
    let site = Site::new().await;
    let (waiting, _) = invited(&site).await;
    let (id, black, _) = paired(&site).await;
    let (_, list) = site.get("/games").await;
    let ids: Vec<_> =
        list["games"].as_array().expect("games").iter().map(|game| game["id"].clone()).collect();
    assert_eq!((ids, &list["total"]), (vec![json!(id)], &json!(1)), "but not {waiting}");
    let (status, _) = site.post(&format!("/games/{id}/abort"), &black, &json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(site.get(&format!("/games/{id}")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(site.get("/games").await.1["total"], 0);
}

#[tokio::test]
async fn no_answer_but_those_to_its_owner_has_a_key() {
    let site = Site::new().await;
    let seats = paired(&site).await;
    open(&site, &seats, 2).await;
    let (id, black, white) = &seats;
    for path in ["", "/position", "/apgn", "/tree"] {
        let request =
            Request::get(format!("/api/v1/games/{id}{path}")).body(Body::empty()).expect("a request");
        let text = String::from_utf8_lossy(&site.send(request).await.2).into_owned();
        assert!(!text.contains(black.as_str()) && !text.contains(white.as_str()), "{path}");
    }
}

#[tokio::test]
async fn the_clock_of_a_game_with_moves_waits_for_the_friend() {
    let site = Site::new().await;
    let clock = json!({ "kind": "game", "base_ms": 60_000, "increment_ms": 0 });
    let wish = json!({ "friend": { "color": "white" }, "clock": clock, "moves": ["a1b2"] });
    let (id, _) = site.begin(wish).await;
    assert_eq!(site.get(&format!("/games/{id}")).await.1["clocks"]["running"], Value::Null);
    let site = site.restarted().await;
    assert_eq!(site.get(&format!("/games/{id}")).await.1["clocks"]["running"], Value::Null);
    site.post(&format!("/games/{id}/join"), "", &json!({})).await;
    assert_eq!(site.get(&format!("/games/{id}")).await.1["clocks"]["running"], "white");
}

#[tokio::test]
async fn a_client_has_so_many_invitations_and_no_more_until_one_is_called_off() {
    // For the owner of the machine there is no limit: this is a server for others.
    let site = Site::with(|config| config.listen = [0, 0, 0, 0].into()).await;
    let mut last = (String::new(), String::new());
    for _ in 0..20 {
        last = invited(&site).await;
    }
    let wish = json!({ "friend": { "color": "black" } });
    let (status, answer) = site.post("/games", "", &wish).await;
    assert_eq!(
        (status.as_u16(), code(&answer), &answer["error"]["values"]["most"]),
        (429, "rate.invitations", &json!(20))
    );
    site.post(&format!("/games/{}/abort", last.0), &last.1, &json!({})).await;
    assert_eq!(site.post("/games", "", &wish).await.0, StatusCode::CREATED);
}

//! Boards without a game, what there is, pictures and opinions.

use super::*;

#[tokio::test]
async fn the_analysis_board_walks() {
    let site = Site::new().await;
    let body = json!({ "layout": "standard", "moves": ["a1b1", "i9h9"] });
    let (status, board) = site.post("/positions", "", &body).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!((&board["position"]["plies"], &board["line"][1]["move"]["move"]), (&json!(2), &json!("i9h9")));
    assert_eq!(board["line"][1]["fen"], board["position"]["fen"]);
    let body = json!({ "layout": "standard", "moves": ["a1b1", "i9h9", "e5e6"] });
    let (status, answer) = site.post("/positions", "", &body).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (422, ("illegal_move", "moves[2]")));
}

#[tokio::test]
async fn what_there_is_can_be_used_as_it_is_told() {
    let site = Site::new().await;
    let (_, meta) = site.get("/meta").await;
    let list = |name: &str| meta[name].as_array().expect("a list").clone();
    assert_eq!((list("levels").len(), list("layouts").len(), list("rules").len()), (12, 73, 6));
    for agent in list("agents") {
        let seat = json!({ "kind": "agent", "spec": agent["name"] });
        let (status, answer) = site.post("/games", "", &json!({ "black": seat, "paused": true })).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        for option in agent["options"].as_array().expect("options") {
            assert!(!["net", "threads"].contains(&option["name"].as_str().expect("a name")), "{agent}");
        }
    }
    for layout in list("layouts") {
        let (status, _) = site.post("/positions", "", &json!({ "fen": layout["fen"] })).await;
        assert_eq!(status, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_picture_has_the_position_in_the_colours_asked_for() {
    let site = Site::new().await;
    let path = "/api/v1/picture.svg?fen=ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss&move=a1b2&theme=night&flip=true";
    let (status, headers, body) = site.send(Request::get(path).body(Body::empty()).expect("a request")).await;
    let svg = String::from_utf8(body).expect("a text");
    assert_eq!(
        (status.as_u16(), &headers[header::CONTENT_TYPE]),
        (200, &"image/svg+xml".parse().expect("a value"))
    );
    assert!(
        svg.contains("#2b3140")
            && svg.contains("class=\"arrow\"")
            && svg.matches("class=\"hole\"").count() == 61
    );
    for (query, field) in
        [("fen=x", "fen"), ("move=a1b2", "fen"), ("fen=5/6/7/8/9/8/7/6/5&theme=pink", "theme")]
    {
        let (status, answer) = site.get(&format!("/picture.svg?{query}")).await;
        assert!(status.is_client_error());
        assert_eq!(refusal(&answer).1, field);
    }
}

#[tokio::test]
async fn agents_have_opinions() {
    let site = Site::new().await;
    let fen = "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1".replace(' ', "%20");
    for (agent, has_terms) in
        [("sumito", true), ("aba-pro:depth=2", false), ("greedy", false), ("random", false)]
    {
        let (status, opinion) = site.get(&format!("/opinion?agent={agent}&fen={fen}&time_ms=100")).await;
        assert_eq!(status, StatusCode::OK, "{opinion}");
        assert_eq!(
            (opinion["terms"].is_array(), opinion["static"].is_null()),
            (has_terms, agent == "random")
        );
        assert!(opinion["move"]["move"].is_string());
    }
    let (status, answer) = site.get(&format!("/opinion?agent=ugi:sh&fen={fen}")).await;
    assert_eq!((status.as_u16(), refusal(&answer).1), (422, "agent"));
    let (status, opinion) = site.get("/opinion?agent=sumito&fen=5/6/7/8/9/8/7/6/4S%206%200%20b").await;
    assert_eq!((status.as_u16(), &opinion["move"]), (200, &Value::Null), "the game is over there");
}

#[tokio::test]
async fn a_level_begins_a_game_in_many_ways_and_with_the_same_seed_in_the_same() {
    let site = Site::new().await;
    let fen = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1".replace(' ', "%20");
    for agent in ["sumito:level=2", "random"] {
        let mut first = std::collections::BTreeMap::new();
        for seed in (1..=8).chain(1..=8) {
            let (_, opinion) = site.get(&format!("/opinion?agent={agent}&fen={fen}&seed={seed}")).await;
            let made = opinion["move"]["move"].to_string();
            assert_eq!(first.entry(seed).or_insert_with(|| made.clone()), &made, "{agent}, seed {seed}");
        }
        let different: std::collections::BTreeSet<_> = first.values().collect();
        assert!(different.len() > 1, "{agent} begins in one way: {different:?}");
    }
}

#[tokio::test]
async fn pasted_texts_are_read() {
    let site = Site::new().await;
    let (_, parsed) = site.post("/parse", "", &json!({ "text": "1. a1b2! {good} (1. a2b3) i5h5 *" })).await;
    assert_eq!(parsed["kind"], "games");
    let first = &parsed["games"][0]["line"]["plies"][0];
    assert_eq!((&first["glyphs"], &first["comments"]), (&json!(["!"]), &json!(["good"])));
    assert_eq!(first["variations"][0]["plies"][0]["move"]["move"], "a2b3");
    let (status, answer) = site.post("/parse", "", &json!({ "text": "nonsense" })).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (422, ("invalid", "text")));
}

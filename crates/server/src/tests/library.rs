//! The library: imports, searches, openings, export.

use super::*;

const GAMES: &str = r#"[Event "one"]
[Date "2016.09.19"]
[Black "Anna"]
[White "Ben"]
[Variant "belgian"]
[Result "1-0"]

1. a1b2 i5h5 2. a2b3 1-0

[Event "two"]
[Black "Cleo"]
[White "Anna"]
[Variant "belgian"]
[Result "0-1"]

1. i9h8! {the same, turned} a5b5 (1... i5h5) 2. i8h7 0-1

[Event "three"]
[Black "Dora"]
[White "Emil"]
[Variant "standard"]
[Result "*"]

1. a1b1 *

[Event "broken"]

1. a1b2 a1b2 *
"#;

/// Imports a text and waits for the end of it.
async fn import(site: &Site, text: &str) -> Value {
    let request = Request::post("/api/v1/imports").header(header::CONTENT_TYPE, "text/plain");
    let (status, _, body) = site.send(request.body(Body::from(text.to_string())).expect("a request")).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let state: Value = serde_json::from_slice(&body).expect("JSON");
    let path = format!("/imports/{}", state["id"].as_str().expect("an id"));
    for _ in 0..15_000 {
        let (_, state) = site.get(&path).await;
        if state["state"] != "running" {
            return state;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the import did not end");
}

fn events(page: &Value) -> Vec<String> {
    let games = page["games"].as_array().expect("games");
    let mut names: Vec<String> =
        games.iter().map(|game| game["black"]["name"].as_str().expect("a name").to_string()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_game_that_comes_back_as_it_was_exported_is_there_already() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({ "black": { "kind": "human" }, "white": { "kind": "human" } })).await;
    site.play((&id, &key), 0, "a1b2").await;
    let request = Request::get(format!("/api/v1/games/{id}/apgn")).body(Body::empty()).expect("a request");
    let exported = String::from_utf8(site.send(request).await.2).expect("a text");
    let again = import(&site, &exported).await;
    assert_eq!((&again["imported"], &again["duplicates"]), (&json!(0), &json!(1)), "{exported}");
    // One that has gone on since, or another one that names it, is a game of its own.
    let other = import(&site, &exported.replace("a1b2", "a2b3")).await;
    assert_eq!((&other["imported"], &other["duplicates"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn a_game_that_comes_back_with_notes_is_a_game_of_its_own() {
    let public = |config: &mut Config| config.public_url = Some("https://sumito.example".to_string());
    let site = Site::with(public).await;
    let (id, key) = site.begin(json!({ "black": { "kind": "human" }, "white": { "kind": "human" } })).await;
    site.play((&id, &key), 0, "a1b2").await;
    let request = Request::get(format!("/api/v1/games/{id}/apgn")).body(Body::empty()).expect("a request");
    let exported = String::from_utf8(site.send(request).await.2).expect("a text");
    let noted = import(&site, &exported.replace("a1b2", "a1b2 {the usual one}")).await;
    assert_eq!((&noted["imported"], &noted["duplicates"]), (&json!(1), &json!(0)), "{exported}");
    // Without notes it is there already, also where its site is a whole address.
    let again = import(&site, &exported).await;
    assert_eq!((&again["imported"], &again["duplicates"]), (&json!(0), &json!(1)), "{exported}");
}

#[tokio::test]
async fn a_file_is_imported_once_and_what_is_wrong_with_it_is_told() {
    let site = Site::new().await;
    let state = import(&site, GAMES).await;
    assert_eq!(
        (&state["state"], &state["imported"], &state["plies"]),
        (&json!("done"), &json!(3), &json!(7))
    );
    assert_eq!((&state["done"], &state["refused_count"]), (&state["whole"], &json!(1)));
    assert_eq!((&state["refused"][0]["game"], &state["refused"][0]["line"]), (&json!(4), &json!(28)));
    let error = &state["refused"][0]["error"];
    assert_eq!((&error["code"], &error["field"]), (&json!("move.no_marble"), &json!("moves[1]")));
    assert_eq!(error["values"], json!({ "cell": "a1", "turn": "white" }));
    let again = import(&site, GAMES).await;
    assert_eq!((&again["imported"], &again["duplicates"]), (&json!(0), &json!(3)));
    let (status, answer) = site.get("/imports/nothing").await;
    assert_eq!((status.as_u16(), refusal(&answer)), (404, ("not_found", "id")));
}

#[tokio::test]
async fn games_are_found_by_everything_that_is_known_about_them() {
    let site = Site::new().await;
    import(&site, GAMES).await;
    site.begin(json!({ "white": { "kind": "agent", "spec": "random" }, "black": { "kind": "human", "name": "Zoe" } })).await;
    for (query, expected) in [
        ("", &["Anna", "Cleo", "Dora", "Zoe"][..]),
        ("player=anna", &["Anna", "Cleo"]),
        ("player=%25", &[]),
        ("agent=rand", &["Zoe"]),
        ("layout=standard", &["Dora"]),
        ("result=black", &["Anna"]),
        ("result=none", &["Dora", "Zoe"]),
        ("source=play", &["Zoe"]),
        ("min_plies=2", &["Anna", "Cleo"]),
        ("max_plies=1", &["Dora", "Zoe"]),
        ("opening=a1b2", &["Anna", "Cleo"]),
        ("opening=i9h8", &["Anna", "Cleo"]),
        ("opening=a1b2,i5h5", &["Anna", "Cleo"]),
        ("opening=a1b2&layout=standard", &[]),
        ("player=zo&player_agents=sumito", &["Zoe"]),
        ("player=student&player_agents=maastricht;random", &["Zoe"]),
        ("player=student&player_agents=ran", &[]),
        ("player_agents=random", &["Anna", "Cleo", "Dora", "Zoe"]),
        ("ids=", &["Anna", "Cleo", "Dora", "Zoe"]),
        ("ids=nobody", &[]),
        ("player=&limit=", &["Anna", "Cleo", "Dora", "Zoe"]),
    ] {
        let (status, page) = site.get(&format!("/games?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        assert_eq!(
            (events(&page), &page["total"]),
            (expected.iter().map(ToString::to_string).collect(), &json!(expected.len())),
            "{query}"
        );
    }
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("cursor=x", "cursor"),
        ("fen=x", "fen"),
        ("layout=x", "layout"),
        ("opening=a1a9", "opening[0]"),
        ("result=x", "result"),
        ("colour=red", "colour"),
        (&format!("ids={}", "a,".repeat(101)), "ids"),
    ] {
        let (status, answer) = site.get(&format!("/games?{query}")).await;
        assert!(status.is_client_error(), "{query}");
        assert_eq!(refusal(&answer).1, field);
    }
}

#[tokio::test]
async fn games_are_found_by_their_ids_and_by_names_that_only_a_page_knows() {
    let site = Site::new().await;
    let agent = |spec: &str| json!({ "kind": "agent", "spec": spec });
    let human = |name: &str| json!({ "kind": "human", "name": name });
    let mut ids = Vec::new();
    for (name, spec) in [
        ("a", "sumito:level=3"),
        ("b", "sumito:level=3,seed=5"),
        ("c", "sumito"),
        ("d", "sumito:seed=2"),
        ("e", "aba-pro:depth=2"),
        ("f", "aba-pro"),
        ("g", "sumito:level=11"),
    ] {
        let begun = site.begin(json!({ "white": agent(spec), "black": human(name), "paused": true })).await;
        ids.push(begun.0);
    }
    let id = |at: usize| ids[at].as_str();
    for (query, expected) in [
        (format!("ids={},{},nobody", id(0), id(4)), "a e"),
        (format!("ids={}&player=b", id(0)), ""),
        ("player=zz&player_agents=sumito:level=3".to_string(), "a b"),
        ("player=zz&player_agents=sumito:level=1".to_string(), ""),
        ("player=zz&player_agents=aba-pro".to_string(), "e f"),
        ("player=zz&player_agents=sumito".to_string(), "c d"),
        (format!("player=zz&player_agents=aba-pro:depth=2&player_ids={}", id(6)), "e g"),
        (format!("player=zz&ids={},{}&player_ids={},{}", id(0), id(1), id(1), id(2)), "b"),
    ] {
        let (status, page) = site.get(&format!("/games?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        assert_eq!(
            (events(&page).join(" "), &page["total"]),
            (expected.to_string(), &json!(events(&page).len())),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_position_is_found_in_every_symmetric_form() {
    let site = Site::new().await;
    import(&site, GAMES).await;
    let (_, board) = site.post("/positions", "", &json!({ "moves": ["a1b2", "i5h5"] })).await;
    let fen = board["position"]["fen"].as_str().expect("a FEN").replace(' ', "%20");
    let (_, page) = site.get(&format!("/games?fen={fen}")).await;
    assert_eq!(events(&page), ["Anna", "Cleo"]);
    assert_eq!(page["games"][0]["ply"], 2);
    let (_, last) = site
        .get(&format!("/games?fen={}", page["games"][0]["fen"].as_str().expect("a FEN").replace(' ', "%20")))
        .await;
    assert!(last["total"].as_u64() >= Some(1), "the last position of a game counts, too");
}

#[tokio::test]
async fn pages_follow_each_other_without_gaps() {
    let site = Site::new().await;
    let text: String =
        (0..25).map(|n| format!("[Event \"{n}\"]\n[Black \"p{n:02}\"]\n\n1. a1b2 *\n\n")).collect();
    import(&site, &text).await;
    for sort in ["newest", "oldest", "longest", "shortest"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let (_, page) = site.get(&format!("/games?sort={sort}&limit=10&cursor={cursor}")).await;
            seen.extend(events(&page));
            match page["next"].as_str() {
                Some(next) => cursor = next.to_string(),
                None => break,
            }
        }
        seen.sort();
        assert_eq!(seen, (0..25).map(|n| format!("p{n:02}")).collect::<Vec<_>>(), "{sort}");
    }
}

#[tokio::test]
async fn openings_merge_symmetric_moves_and_count_results() {
    let site = Site::new().await;
    import(&site, GAMES).await;
    let (_, openings) = site.get("/openings").await;
    assert_eq!((&openings["games"], openings["moves"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    let tried = &openings["moves"][0];
    let counts =
        ["games", "black_wins", "white_wins", "draws"].map(|name| tried[name].as_u64().expect("a number"));
    assert_eq!((counts, &tried["average_plies"]), ([2, 1, 1, 0], &json!(3.0)));
    let legal = openings["position"]["moves"].as_array().expect("moves");
    assert!(
        legal.iter().any(|legal| legal == &tried["move"]),
        "the move fits the position that was asked for"
    );
    let after = tried["after_fen"].as_str().expect("a FEN").replace(' ', "%20");
    let (_, next) = site.get(&format!("/openings?fen={after}")).await;
    assert_eq!((&next["games"], next["moves"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    let (_, one) = site.get("/openings?player=ben").await;
    assert_eq!(one["games"], 1);
}

#[tokio::test]
async fn an_exported_game_has_the_same_moves_and_notes() {
    let site = Site::new().await;
    import(&site, GAMES).await;
    let (_, page) = site.get("/games?player=cleo").await;
    let id = page["games"][0]["id"].as_str().expect("an id").to_string();
    let request = Request::get(format!("/api/v1/games/{id}/apgn")).body(Body::empty()).expect("a request");
    let (status, headers, body) = site.send(request).await;
    let text = String::from_utf8(body).expect("a text");
    assert_eq!(status, StatusCode::OK);
    assert!(headers[header::CONTENT_DISPOSITION].to_str().expect("a text").contains(".apgn"));
    for part in ["[Event \"two\"]", "1. i9h8! {the same, turned}", "(1... i5h5)", "0-1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let again = import(&site, &text.replace("\"two\"", "\"copy\"")).await;
    assert_eq!(again["imported"], 1);
    let (_, copies) = site.get("/games?player=cleo").await;
    let mut found = Vec::new();
    for copy in copies["games"].as_array().expect("games") {
        let (_, game) = site.get(&format!("/games/{}", copy["id"].as_str().expect("an id"))).await;
        found.push(moves(&game).join(" "));
    }
    assert_eq!(found, ["i9h8 a5b5 i8h7"; 2]);
    let (_, tree) = site.get(&format!("/games/{id}/tree")).await;
    assert_eq!(tree["line"]["plies"][1]["variations"][0]["plies"][0]["move"]["move"], "i5h5");
    let (_, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!((&game["moves"][0]["glyph"], &game["has_variations"]), (&json!("!"), &json!(true)));
    let (status, _) =
        site.post(&format!("/games/{id}/moves"), "", &json!({ "move": "a1b2", "ply": 3 })).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "nobody plays on in an imported game");
}

#[tokio::test]
async fn a_played_game_is_exported_with_its_players_and_result() {
    let site = Site::new().await;
    let (id, key) =
        site.begin(json!({ "black": { "kind": "human", "name": "Anna" }, "layout": "standard" })).await;
    site.play((&id, &key), 0, "a1b1").await;
    site.post(&format!("/games/{id}/resign"), &key, &json!({ "color": "white" })).await;
    let request = Request::get(format!("/api/v1/games/{id}/apgn?notation=nacre"))
        .body(Body::empty())
        .expect("a request");
    let (_, _, body) = site.send(request).await;
    let text = String::from_utf8(body).expect("a text");
    for part in [
        "[Black \"Anna\"]",
        "[Variant \"standard\"]",
        "[Notation \"Nacre\"]",
        "[Termination \"resignation\"]",
        "1-0",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[tokio::test]
async fn a_games_page_tells_other_places_what_it_shows() {
    let site = Site::with(|config| config.public_url = Some("https://sumito.example".to_string())).await;
    let person = |name: &str| json!({ "kind": "human", "name": name });
    let wanted = json!({ "black": person("<b>\"A\" & B"), "white": person("C") });
    let (id, key) = site.begin(wanted).await;
    site.play((&id, &key), 0, "a1b2").await;
    let fetch =
        async |path: String| site.send(Request::get(path).body(Body::empty()).expect("a request")).await;
    let (status, _, page) = fetch(format!("/game/{id}")).await;
    let page = String::from_utf8(page).expect("a text");
    assert_eq!(status, StatusCode::OK);
    assert!(
        page.contains("content=\"&lt;b&gt;&quot;A&quot; &amp; B – C: 0–0\"") && !page.contains("<b>"),
        "{page}"
    );
    let picture = format!("/api/v1/games/{id}/picture.png?ply=1");
    assert!(page.contains(&format!("\"og:image\" content=\"https://sumito.example{picture}\"")), "{page}");
    let (status, headers, file) = fetch(picture).await;
    assert_eq!((status, headers["content-type"].to_str().ok()), (StatusCode::OK, Some("image/png")));
    assert!(file.starts_with(b"\x89PNG"));
    let (status, headers, file) = fetch(format!("/api/v1/games/{id}/film.gif")).await;
    assert_eq!((status, headers["content-type"].to_str().ok()), (StatusCode::OK, Some("image/gif")));
    assert!(file.starts_with(b"GIF89a"));
    assert_eq!(
        fetch(format!("/api/v1/games/{id}/picture.png?ply=9")).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    for page in ["game", "play", "watch", "review", "analyse"] {
        let (status, _, body) = fetch(format!("/{page}/nobody")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{page}");
        let body = String::from_utf8(body).expect("a text");
        assert!(body.contains("<main id=\"page\"") && !body.contains("og:title"), "{page}: {body}");
    }
}

#[tokio::test]
async fn a_link_to_a_move_shows_that_move_and_players_as_people_know_them() {
    let site = Site::with(|config| config.public_url = Some("https://sumito.example".to_string())).await;
    let fetch = async |path: String| {
        let (status, _, page) = site.send(Request::get(path).body(Body::empty()).expect("a request")).await;
        assert_eq!(status, StatusCode::OK);
        String::from_utf8(page).expect("a text")
    };
    let agent = |spec: &str| json!({ "kind": "agent", "spec": spec });
    let played = json!({ "black": agent("aba-pro:depth=2"), "white": agent("sumito:level=3"), "moves": ["a1b2", "i5h5"], "paused": true });
    let (id, _) = site.begin(played).await;
    for page in ["game", "watch", "review", "analyse"] {
        let text = fetch(format!("/{page}/{id}?x=1&ply=1")).await;
        for part in [
            "content=\"The Classic (depth=2) – Learner (level 3): 0–0\"".to_string(),
            "after move 1 of 2".to_string(),
            format!("content=\"https://sumito.example/{page}/{id}?ply=1\""),
            format!("https://sumito.example/api/v1/games/{id}/picture.png?ply=1\""),
        ] {
            assert!(text.contains(&part), "{page}: {part}: {text}");
        }
    }
    let text = fetch(format!("/review/{id}?ply=99")).await;
    assert!(text.contains("picture.png?ply=2\""), "a move that there is not is the last one: {text}");
    let (id, _) = site.begin(json!({ "white": agent("random") })).await;
    let text = fetch(format!("/game/{id}")).await;
    assert!(text.contains("content=\"Player – The Dreamer: 0–0\"") && text.contains(", 0 moves"), "{text}");
}

#[tokio::test]
async fn a_drawing_that_a_client_has_is_not_made_again() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({ "black": { "kind": "human" }, "white": { "kind": "human" } })).await;
    for (ply, name) in ["picture.png", "film.gif"].into_iter().enumerate() {
        let fetch = async |tag: &str| {
            let request = Request::get(format!("/api/v1/games/{id}/{name}")).header("if-none-match", tag);
            let (status, headers, _) = site.send(request.body(Body::empty()).expect("a request")).await;
            (status, headers["etag"].to_str().expect("a tag").to_string())
        };
        let (status, tag) = fetch("\"other\"").await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(fetch(&tag).await, (StatusCode::NOT_MODIFIED, tag.clone()), "{name}");
        site.play((&id, &key), ply, ["a1b2", "i5h5"][ply]).await;
        let (status, changed) = fetch(&tag).await;
        assert!(status == StatusCode::OK && changed != tag, "{name} after a move");
    }
}

#[tokio::test]
async fn a_path_that_is_no_text_is_answered_as_any_other_that_leads_nowhere() {
    let site = Site::new().await;
    for (method, path, status) in [
        ("GET", "/api/v1/games/%FF", StatusCode::NOT_FOUND),
        ("GET", "/api/v1/imports/%FF", StatusCode::NOT_FOUND),
        ("DELETE", "/api/v1/games/%FF", StatusCode::NOT_FOUND),
        ("POST", "/game/x", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
        let (found, _, body) = site.send(request).await;
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        assert!(found == status && answer["error"]["code"].is_string(), "{method} {path}: {found} {answer}");
    }
}

#[tokio::test]
async fn links_begin_with_the_public_url() {
    let site = Site::with(|config| config.public_url = Some("https://sumito.example".to_string())).await;
    let (id, _) = site.begin(json!({})).await;
    let request = Request::get(format!("/api/v1/games/{id}/apgn")).body(Body::empty()).expect("a request");
    let text = String::from_utf8(site.send(request).await.2).expect("a text");
    assert!(text.contains(&format!("[Site \"https://sumito.example/game/{id}\"]")), "{text}");
    assert_eq!(site.get("/meta").await.1["public_url"], "https://sumito.example");
}

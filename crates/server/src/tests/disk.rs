//! A disk that is full and a database that is read-only: a clear error, and nothing half done.

use super::*;

/// Begins games and plays in them until the database takes no more; gives what was acknowledged.
async fn fill(site: &Site) -> Vec<(String, String, usize)> {
    let mut games = Vec::new();
    let long = "x".repeat(80);
    for _ in 0..2000 {
        let seat = json!({ "kind": "human", "name": long });
        let (status, answer) = site.post("/games", "", &json!({ "black": seat, "white": seat })).await;
        if status == StatusCode::INSUFFICIENT_STORAGE {
            assert_eq!(refusal(&answer).0, "storage");
            assert!(
                answer["error"]["message"].as_str().expect("a text").contains("nothing was changed"),
                "{answer}"
            );
            return games;
        }
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        games.push((text(&answer["game"]["id"]), text(&answer["key"]), 0));
    }
    panic!("the disk did not become full");
}

#[tokio::test]
async fn a_full_disk_is_told_and_leaves_whole_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = Site::open(folder, |_| (), &[("max_page_count", "160")]).await;
    let mut games = fill(&site).await;
    assert!(games.len() > 3);
    // Moves are small and may still fit for a while.
    let (mut refused, walk) = (0, ["a1b2", "i5h5", "b2a1", "h5i5"]);
    for round in 0..200 {
        let at = round % games.len();
        let (id, key, plies) = games[at].clone();
        let body = json!({ "move": walk[plies % 4], "ply": plies });
        let (status, answer) = site.post(&format!("/games/{id}/moves"), &key, &body).await;
        match status.as_u16() {
            200 => games[at].2 += 1,
            507 => refused += 1,
            // The same moves again and again are a draw.
            409 => assert_eq!(refusal(&answer).0, "over"),
            _ => panic!("{answer}"),
        }
    }
    assert!(refused > 0, "the disk is full");
    let site = site.restarted().await;
    for (id, _, plies) in &games {
        let (_, game) = site.get(&format!("/games/{id}")).await;
        assert_eq!(moves(&game).len(), *plies, "every acknowledged move, and no other");
    }
    let (_, page) = site.get("/games?limit=1").await;
    assert_eq!(page["total"], games.len(), "no half game");
    let (id, key, plies) = &games[0];
    if site.get(&format!("/games/{id}")).await.1["position"]["outcome"].is_null() {
        site.play((id, key), *plies, walk[plies % 4]).await;
    }
}

#[tokio::test]
async fn a_read_only_database_can_be_read_and_refuses_changes() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({})).await;
    site.app.close().await;
    let Site { folder, .. } = site;
    let site = Site::open(folder, |_| (), &[("query_only", "true")]).await;
    let (status, answer) =
        site.post(&format!("/games/{id}/moves"), &key, &json!({ "move": "a1b2", "ply": 0 })).await;
    assert_eq!((status.as_u16(), refusal(&answer).0), (507, "storage"));
    assert!(answer["error"]["message"].as_str().expect("a text").contains("read-only"), "{answer}");
    for (path, body) in
        [("resign", json!({})), ("control", json!({ "paused": true })), ("takeback", json!({ "plies": 1 }))]
    {
        let (status, _) = site.post(&format!("/games/{id}/{path}"), &key, &body).await;
        assert!([507, 409].contains(&status.as_u16()), "{path}");
    }
    let (status, game) = site.get(&format!("/games/{id}")).await;
    assert_eq!((status.as_u16(), moves(&game).len(), &game["paused"]), (200, 0, &json!(false)));
    assert_eq!(game["position"]["outcome"], Value::Null);
    let request = Request::post("/api/v1/imports").body(Body::from("1. a1b2 *")).expect("a request");
    let (_, _, body) = site.send(request).await;
    let import: Value = serde_json::from_slice(&body).expect("JSON");
    let path = format!("/imports/{}", import["id"].as_str().expect("an id"));
    for _ in 0..30_000 {
        let (_, state) = site.get(&path).await;
        if state["state"] != "running" {
            assert_eq!((&state["state"], &state["imported"]), (&json!("failed"), &json!(0)));
            return assert!(state["error"]["message"].as_str().expect("a text").contains("read-only"));
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the import did not end");
}

#[tokio::test]
async fn a_database_that_is_none_is_refused_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    std::fs::write(&file, "this is no database, but a text that is long enough to be looked at".repeat(20))
        .expect("written");
    let error = App::new(config(&folder)).await.err().expect("refused").to_string();
    assert!(error.contains("games.db") && error.contains("cannot be used"), "{error}");
    assert!(std::fs::read_to_string(&file).expect("still there").starts_with("this is no database"));
}

//! A database of version 0.1.0, made by that program, is renewed: every game is there, and a copy of the old file.

use super::*;

const OLD: &[u8] = include_bytes!("../../tests/data/version-0.1.0.db");
/// A game of two persons that goes on, and its key.
const RUNNING: (&str, &str) = ("jbmkidfs65", "sghfn78kbafp6y5tegmcqvxq7y8utkpf");
/// A game that was resigned and reviewed.
const REVIEWED: &str = "fyri5yk94x";

#[tokio::test]
async fn a_database_of_version_0_1_0_is_renewed_after_a_copy_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("games.db"), OLD).expect("written");
    let site = Site::open(folder, |_| (), &[]).await;
    let (_, page) = site.get("/games?sort=oldest").await;
    let mut games: Vec<_> = page["games"].as_array().expect("games").iter().collect();
    games.sort_by_key(|game| game["plies"].as_u64());
    let seen: Vec<_> = games
        .iter()
        .map(|game| (&game["plies"], &game["result"], &game["review"], &game["source"]))
        .collect();
    let black = &json!("black");
    assert_eq!(
        seen,
        [
            (&json!(1), &Value::Null, &json!("none"), &json!("import")),
            (&json!(2), &Value::Null, &json!("none"), &json!("play")),
            (&json!(4), black, &json!("none"), &json!("import")),
            (&json!(12), &json!("white"), &json!("none"), &json!("play")),
            (&json!(43), black, &json!("none"), &json!("watch")),
        ]
    );
    for game in &games {
        let (status, whole) = site.get(&format!("/games/{}", game["id"].as_str().expect("an id"))).await;
        assert_eq!(
            (status.as_u16(), moves(&whole).len()),
            (200, game["plies"].as_u64().expect("a number") as usize)
        );
    }
    // Its review was made with other chances, and is made anew.
    let path = format!("/games/{REVIEWED}/review");
    assert_eq!(site.get(&path).await.1["state"], "none");
    assert_eq!(site.post(&path, "", &json!({ "nodes": 300 })).await.0, StatusCode::ACCEPTED);
    site.wait(REVIEWED, |game| game["review"] == "done").await;
    let (_, review) = site.get(&path).await;
    assert_eq!(review["review"]["moves"].as_array().map(Vec::len), Some(12));
    let (_, openings) = site.get("/openings").await;
    let tried: Vec<_> =
        openings["moves"].as_array().expect("moves").iter().map(|tried| tried["games"].as_u64()).collect();
    assert_eq!((&openings["games"], tried), (&json!(5), vec![Some(4), Some(1)]));
    site.play(RUNNING, 2, "b2a1").await;
    // Its one key opens both seats, as ever.
    let (_, running) = site.get(&format!("/games/{}", RUNNING.0)).await;
    assert_eq!(running["pair"], Value::Null);
    let copies: Vec<_> = std::fs::read_dir(site.folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a text"))
        .filter(|name| name.starts_with("games.db.version-1-"))
        .collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    let copy = crate::store::maintain::check(&site.folder.path().join(&copies[0])).await.expect("a database");
    assert_eq!((copy.version, copy.games, copy.is_sound()), (1, 5, true), "{copy:?}");
    let site = site.restarted().await;
    assert_eq!(moves(&site.get(&format!("/games/{}", RUNNING.0)).await.1).len(), 3);
    let now = crate::store::maintain::check(&site.folder.path().join("games.db")).await.expect("a database");
    assert_eq!((now.games, now.is_sound()), (5, true), "{now:?}");
}

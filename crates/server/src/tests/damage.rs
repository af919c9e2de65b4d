//! Rows that this program would not have written, and positions at the edge of what can be: nothing that is stored breaks
//! what lists it.

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::*;

/// The site's database, past the server.
pub(super) async fn past_the_server(site: &Site) -> SqliteConnection {
    let file = site.folder.path().join("games.db");
    SqliteConnectOptions::new().filename(file).connect().await.expect("a database")
}

async fn delete(site: &Site, id: &str, key: &str) -> StatusCode {
    let request = Request::delete(format!("/api/v1/games/{id}"))
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .body(Body::empty())
        .expect("a request");
    site.send(request).await.0
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_shown_as_damaged_and_can_be_deleted() {
    for (column, value) in [("fen", "rubbish"), ("source", "nowhere"), ("rules", "{"), ("moves", "x")] {
        let site = Site::new().await;
        let (good, _) = site.begin(json!({})).await;
        let (bad, key) = site.begin(json!({ "moves": ["a1b2"] })).await;
        let site = {
            let mut connection = past_the_server(&site).await;
            let sql = sqlx::AssertSqlSafe(match column {
                "moves" => "UPDATE game SET moves = x'ffff' WHERE id = ?".to_string(),
                _ => format!("UPDATE game SET {column} = '{value}' WHERE id = ?"),
            });
            sqlx::query(sql).bind(&bad).execute(&mut connection).await.expect("changed");
            site.restarted().await
        };
        let (status, page) = site.get("/games").await;
        assert_eq!((status.as_u16(), &page["total"]), (200, &json!(2)), "{column}: {page}");
        let listed = |id: &str| {
            let games = page["games"].as_array().expect("games");
            games.iter().find(|game| game["id"] == *id).unwrap_or_else(|| panic!("{column}: {page}")).clone()
        };
        assert_eq!(listed(&good)["damaged"], false);
        if ["fen", "source"].contains(&column) {
            assert_eq!(
                (&listed(&bad)["damaged"], &listed(&bad)["fen"]),
                (&json!(true), &json!("")),
                "{column}"
            );
        }
        let (status, answer) = site.get(&format!("/games/{bad}")).await;
        if column == "fen" {
            // The last position follows from the moves.
            assert_eq!(status, 200, "{answer}");
        } else {
            assert_eq!((status.as_u16(), refusal(&answer).0), (409, "damaged"), "{column}: {answer}");
        }
        assert_eq!(site.get("/openings").await.0, 200, "{column}");
        assert_eq!(delete(&site, &bad, "wrong").await, 403);
        assert_eq!(delete(&site, &bad, &key).await, 204, "{column}");
        assert_eq!(site.get("/games").await.1["total"], 1);
        assert_eq!(site.get(&format!("/games/{bad}")).await.0, 404);
        let mut connection = past_the_server(&site).await;
        let left: i64 =
            sqlx::query_scalar("SELECT (SELECT count(*) FROM game) * 100 + (SELECT count(*) FROM place)")
                .fetch_one(&mut connection)
                .await
                .expect("a number");
        assert_eq!(left, 101, "{column}: one game with one position is left");
    }
}

#[tokio::test]
async fn a_deleted_game_is_gone_from_lists_openings_and_for_those_who_play_it() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({})).await;
    site.play((&id, &key), 0, "a1b2").await;
    assert_eq!(site.get("/openings").await.1["games"], 1);
    assert_eq!(delete(&site, &id, &key).await, 204);
    assert_eq!(delete(&site, &id, &key).await, 404);
    let (status, answer) =
        site.post(&format!("/games/{id}/moves"), &key, &json!({ "move": "i5h5", "ply": 1 })).await;
    assert_eq!((status.as_u16(), refusal(&answer).0), (404, "not_found"));
    assert_eq!(site.get("/openings").await.1["games"], 0);
}

#[tokio::test]
async fn a_game_at_the_last_move_number_can_be_listed_after_its_next_move() {
    let site = Site::new().await;
    let fen = "S4/6/7/8/9/8/7/6/4s 0 0 b 0 32767";
    let (status, answer) = site.post("/games", "", &json!({ "fen": fen })).await;
    assert_eq!(status, 201, "{answer}");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let (id, key) = (text(&answer["game"]["id"]), text(&answer["key"]));
    for ply in 0..4 {
        let game = site.get(&format!("/games/{id}")).await.1;
        let first = text(&game["position"]["moves"][0]["move"]);
        site.play((&id, &key), ply, &first).await;
        let (status, page) = site.get("/games").await;
        assert_eq!((status.as_u16(), &page["games"][0]["damaged"]), (200, &json!(false)), "{page}");
    }
    let site = site.restarted().await;
    assert_eq!(site.get("/games").await.0, 200);
    assert_eq!(moves(&site.get(&format!("/games/{id}")).await.1).len(), 4);
}

/// What `opening` must be, counted anew.
const COUNTED: &str =
    "SELECT hash, move, sum(games), sum(black), sum(white), sum(draws), sum(ended), sum(plies)
    FROM (SELECT DISTINCT hash, move, game FROM place WHERE ply < 12 AND move > 0
          UNION SELECT hash, 0, game FROM place WHERE ply < 12 AND move > 0)
    JOIN counted ON counted.num = game GROUP BY hash, move ORDER BY hash, move";

type Counts = Vec<(i64, i64, i64, i64, i64, i64, i64, i64)>;

/// Plays, takes back, resigns, imports and deletes at random; the counts of openings stay what a count over all games gives.
#[tokio::test]
async fn openings_are_counted_as_games_come_change_and_go() {
    let site = Site::new().await;
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let rules = json!({ "preset": "official", "repetition": "off" });
    let mut games: Vec<(String, String)> = Vec::new();
    for round in 0..600 {
        if games.len() < 6 {
            games.push(site.begin(json!({ "rules": rules })).await);
        }
        let at = random(games.len());
        let (id, key) = games[at].clone();
        let game = site.get(&format!("/games/{id}")).await.1;
        if !game["position"]["outcome"].is_null() && random(2) == 0 {
            games.swap_remove(at);
            continue;
        }
        let (played, path) = (moves(&game).len(), format!("/games/{id}"));
        match random(20) {
            0 => assert_eq!(delete(&site, &games.swap_remove(at).0, &key).await, 204),
            1 => drop(site.post(&format!("{path}/resign"), &key, &json!({})).await),
            2 | 3 if played > 0 => {
                let plies = 1 + random(played);
                drop(site.post(&format!("{path}/takeback"), &key, &json!({ "plies": plies })).await);
            }
            4 => {
                let text = format!(
                    "[Event \"{round}\"]\n[Result \"1-0\"]\n\n1. a1b2 i9h8 2. b2a1 h8i9 3. a2b3 1-0\n"
                );
                let request = Request::post("/api/v1/imports").body(Body::from(text)).expect("a request");
                site.send(request).await;
            }
            _ => {
                // Few moves to choose from, so that positions come again.
                let all = game["position"]["moves"].as_array().expect("moves").clone();
                if let Some(m) = all.get(random(all.len().clamp(1, 9))) {
                    site.play((&id, &key), played, m["move"].as_str().expect("a text")).await;
                }
            }
        }
    }
    let mut connection = past_the_server(&site).await;
    let counted: Counts = sqlx::query_as(COUNTED).fetch_all(&mut connection).await.expect("counts");
    let kept: Counts = sqlx::query_as("SELECT * FROM opening ORDER BY hash, move")
        .fetch_all(&mut connection)
        .await
        .expect("counts");
    assert!(kept.len() > 50, "{}", kept.len());
    assert_eq!(kept, counted);
}

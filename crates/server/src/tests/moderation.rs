//! What moderators may do and what is left of it, and that ratings follow from the games that were played whatever becomes of those.

use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use super::accounts::{Browser, arena};
use super::bots::program;
use super::peace::{becomes, begun, listening, rated, recomputed};
use super::slow::tamper;
use super::*;
use crate::domain::anchor::ALL;
use crate::domain::bot::Capabilities;
use crate::domain::person::{PersonName, Role};
use crate::store::Write;
use crate::store::bots::BotWrite;

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

async fn count(site: &Site, sql: &'static str) -> i64 {
    let file = site.folder.path().join("games.db");
    let mut raw = SqliteConnectOptions::new().filename(&file).connect().await.expect("the database");
    let count = sqlx::query_scalar(sql).fetch_one(&mut raw).await.expect("a number");
    sqlx::Connection::close(raw).await.expect("closed");
    count
}

/// How many rated games somebody has.
async fn games(site: &Site, name: &str) -> Value {
    site.get(&format!("/people/{name}")).await.1["ratings"][0]["games"].clone()
}

#[tokio::test]
async fn a_rated_game_that_was_resigned_at_once_stays_and_a_deleted_one_leaves_its_number() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut mona, _) = Browser::signed_up(site, "Mona").await;
    becomes(site, "Mona", Role::Moderator).await;
    let first = begun(&listening, &anna, &ben).await;
    assert_eq!(ben.post(site, &format!("/games/{first}/resign"), json!({})).await.0, 200);
    assert_eq!(games(site, "Anna").await, 1);
    let (_, answer) = anna.ask(site, "DELETE", &format!("/games/{first}"), Value::Null).await;
    assert_eq!(code(&answer), "game.rated");
    assert_eq!(mona.post(site, &format!("/moderation/games/{first}/void"), Value::Null).await.0, 204);
    let (file, id) = (site.folder.path().join("games.db"), first.clone());
    let deleted = tokio::task::spawn_blocking(move || crate::database::delete(&file, &id)).await;
    assert!(deleted.expect("done").expect("written"));
    // The next game has the number again.
    let second = rated(&listening, (&mut anna, &mut ben), true).await;
    assert_eq!(games(site, "Anna").await, 2, "it is rated as well");
    assert_eq!(count(site, "SELECT count(*) FROM rated WHERE game > 0").await, 1);
    assert_eq!(mona.post(site, &format!("/moderation/games/{second}/void"), Value::Null).await.0, 204);
    assert_eq!(recomputed(site).await, (2, 0));
}

#[tokio::test]
async fn whether_a_game_is_rated_is_decided_when_it_ends_and_not_again() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    rated(&listening, (&mut anna, &mut ben), true).await;
    tamper(
        site,
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
         INSERT INTO rated (game, at, class, layout, advantages, anchors, black, white, points, black_value, white_value)
         SELECT -1000 - i, at, class, layout, advantages, anchors, black, white, points, black_value, white_value FROM rated, n",
    )
    .await;
    let last = rated(&listening, (&mut anna, &mut ben), true).await;
    assert_eq!(games(site, "Anna").await, 1, "they had their games of the day");
    tamper(site, "UPDATE rated SET at = 0").await;
    assert_eq!(anna.post(site, &format!("/games/{last}/rematch"), json!({})).await.0, 202);
    assert_eq!(games(site, "Anna").await, 1);
}

#[tokio::test]
async fn a_rematch_that_cannot_be_written_begins_no_game() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let id = rated(&listening, (&mut anna, &mut ben), true).await;
    let path = format!("/games/{id}/rematch");
    assert_eq!(anna.post(site, &path, json!({})).await.0, 202);
    tamper(site, "DELETE FROM game").await;
    assert_eq!(code(&ben.post(site, &path, json!({})).await.1), "game.gone");
    assert_eq!(count(site, "SELECT count(*) FROM game").await, 0);
}

#[tokio::test]
async fn a_moderator_does_not_judge_in_their_own_cause() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut mona, _) = Browser::signed_up(site, "Mona").await;
    let (mut max, _) = Browser::signed_up(site, "Max").await;
    becomes(site, "Mona", Role::Moderator).await;
    becomes(site, "Max", Role::Admin).await;
    let lost = rated(&listening, (&mut anna, &mut mona), true).await;
    let void = format!("/moderation/games/{lost}/void");
    assert_eq!(code(&mona.post(site, &void, Value::Null).await.1), "person.other");
    program(site, &mut mona, "Monas-Bot").await;
    for about in ["Mona", "Monas-Bot"] {
        let report = json!({ "person": about, "reason": "other", "text": "Hm" });
        assert_eq!(anna.post(site, "/reports", report).await.0, 204);
    }
    assert_eq!(mona.get(site, "/moderation/reports").await.1["reports"], json!([]));
    let (_, queue) = max.get(site, "/moderation/reports").await;
    for report in queue["reports"].as_array().expect("reports") {
        let settle = format!("/moderation/reports/{}/settle", report["id"].as_str().expect("an id"));
        assert_eq!(code(&mona.post(site, &settle, Value::Null).await.1), "report.unknown");
        assert_eq!(max.post(site, &settle, Value::Null).await.0, 204);
    }
    assert_eq!(max.post(site, &void, Value::Null).await.0, 204);
}

#[tokio::test]
async fn an_account_that_is_closed_by_a_moderator_goes_with_its_programs_and_their_streams() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (mut mona, _) = Browser::signed_up(&site, "Mona").await;
    becomes(&site, "Mona", Role::Moderator).await;
    let one = program(&site, &mut anna, "One").await;
    let two = program(&site, &mut anna, "Two").await;
    assert_eq!(mona.post(&site, "/moderation/people/one/mute", json!({ "hours": 1 })).await.0, 204);
    let (mut ones, mut twos) = (one.stream("/stream/event").await, two.stream("/stream/event").await);
    let (_, listed) = anna.get(&site, "/account/bots").await;
    assert_eq!(listed["bots"][0]["name"], "One");
    let token = listed["bots"][0]["tokens"][0]["id"].as_str().expect("an id");
    let revoked = anna.ask(&site, "DELETE", &format!("/account/bots/one/tokens/{token}"), Value::Null).await;
    assert_eq!(revoked.0, 204);
    assert_eq!(ones.next().await, None, "its stream ends with its token");
    assert_eq!(mona.post(&site, "/moderation/people/anna/close", Value::Null).await.0, 204);
    assert_eq!(twos.next().await, None);
    assert_eq!(site.get("/people/two").await.0, 404);
}

#[tokio::test]
async fn the_houses_players_cannot_be_closed() {
    let site = arena().await;
    let (mut max, _) = Browser::signed_up(&site, "Max").await;
    becomes(&site, "Max", Role::Admin).await;
    let anchor = &ALL[0];
    let name = PersonName::of_house(anchor);
    let path = format!("/moderation/people/{}/close", name.as_str());
    let accepts = Capabilities::default();
    let house = BotWrite::House { name, anchor: anchor.spec.to_string(), accepts, at: 1 };
    site.app.store.write(Write::Bot(Box::new(house))).await.expect("written");
    assert_eq!(code(&max.post(&site, &path, Value::Null).await.1), "person.other");
    let file = site.folder.path().join("games.db");
    let closed = tokio::task::spawn_blocking(move || crate::database::close_account(&file, ALL[0].name));
    assert!(!closed.await.expect("done").expect("written"));
    assert_eq!(count(&site, "SELECT count(*) FROM bot WHERE anchor IS NOT NULL").await, 1);
    let ratings = count(&site, "SELECT count(*) FROM rating").await as usize;
    assert_eq!(recomputed(&site).await, (ratings, 0));
}

#[tokio::test]
async fn the_log_has_what_is_done_to_tournaments_of_others_and_at_the_machine() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    let (mut mona, _) = Browser::signed_up(&site, "Mona").await;
    becomes(&site, "Mona", Role::Moderator).await;
    let wish = json!({ "name": "Club", "system": { "kind": "swiss", "rounds": 3 },
        "clock": { "kind": "game", "base_ms": 180_000, "increment_ms": 2000 } });
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (_, planned) = anna.post(&site, "/tournaments", wish.clone()).await;
        ids.push(planned["id"].as_str().expect("an id").to_string());
    }
    assert_eq!(anna.post(&site, &format!("/tournaments/{}/cancel", ids[0]), json!({})).await.0, 200);
    assert_eq!(mona.post(&site, &format!("/tournaments/{}/cancel", ids[1]), json!({})).await.0, 200);
    let file = site.folder.path().join("games.db");
    let code = tokio::task::spawn_blocking(move || crate::database::new_code(&file, "Anna")).await;
    assert!(code.expect("done").expect("written").is_some());
    let (_, log) = mona.get(&site, "/moderation/audit").await;
    let lines: Vec<_> = log["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| ["by", "action", "about", "detail"].map(|part| line[part].as_str().expect("a text")))
        .collect();
    assert_eq!(
        lines,
        [
            ["", "recovery", "Anna", ""],
            ["Mona", "cancel", "Anna", &ids[1]],
            ["", "role", "Mona", "moderator"]
        ]
    );
}

#[tokio::test]
async fn nobody_blocks_everybody() {
    let site = arena().await;
    let (mut anna, _) = Browser::signed_up(&site, "Anna").await;
    Browser::signed_up(&site, "Ben").await;
    Browser::signed_up(&site, "Eva").await;
    tamper(
        &site,
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
         INSERT INTO block (person, other, at) SELECT num, 1000 + i, 0 FROM person, n WHERE name = 'Anna'",
    )
    .await;
    for _ in 0..2 {
        assert_eq!(anna.ask(&site, "PUT", "/people/ben/block", Value::Null).await.0, 204);
    }
    assert_eq!(code(&anna.ask(&site, "PUT", "/people/eva/block", Value::Null).await.1), "rate.held");
}

#[tokio::test]
async fn nothing_is_written_for_challenges_where_there_are_none() {
    let site = arena().await;
    let commits = || {
        let text = site.app.metrics.text();
        text.lines().find(|line| line.starts_with("sumito_commits_total ")).expect("a number").to_string()
    };
    let before = commits();
    site.app.expire().await;
    assert_eq!(commits(), before);
}

//! The peace of the place: who is blocked is not met, who is reported is looked at, what moderators do is seen and can be computed again.

use super::accounts::Browser;
use super::lobby::Visitor;
use super::sockets::Listening;
use super::*;
use crate::domain::person::Role;

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("")
}

fn blitz() -> Value {
    json!({ "type": "seek", "id": 1, "clock": { "kind": "game", "base_ms": 300_000, "increment_ms": 2000 }, "color": "black" })
}

pub(super) async fn listening() -> Listening {
    Listening::with(|config| config.arena = true).await
}

pub(super) async fn becomes(site: &Site, name: &'static str, role: Role) {
    let file = site.folder.path().join("games.db");
    let set = tokio::task::spawn_blocking(move || crate::database::set_role(&file, name, role));
    assert!(set.await.expect("done").expect("written"));
}

/// A rated game that has just begun, in which the first one has Black: its id.
pub(super) async fn begun(listening: &Listening, anna: &Browser, ben: &Browser) -> String {
    let mut first = Visitor::new(listening, anna).await;
    let mut second = Visitor::new(listening, ben).await;
    first.say(&blitz()).await;
    let seek = second.seeks(1).await[0]["id"].clone();
    second.say(&json!({ "type": "accept", "id": 2, "seek": seek })).await;
    second.game().await
}

/// A rated game in which Anna has Black, resigned by one of the two after three moves: its id.
pub(super) async fn rated(
    listening: &Listening,
    (anna, ben): (&mut Browser, &mut Browser),
    anna_wins: bool,
) -> String {
    let site = &listening.site;
    let id = begun(listening, anna, ben).await;
    for (ply, text) in ["a1b2", "i5h5", "b2c3"].into_iter().enumerate() {
        let browser = if ply % 2 == 0 { &mut *anna } else { &mut *ben };
        let body = json!({ "move": text, "ply": ply });
        assert_eq!(browser.post(site, &format!("/games/{id}/moves"), body).await.0, 200);
    }
    let loser = if anna_wins { ben } else { anna };
    assert_eq!(loser.post(site, &format!("/games/{id}/resign"), json!({})).await.0, 200);
    id
}

async fn values(site: &Site) -> (i64, i64) {
    let mut all = Vec::new();
    for name in ["Anna", "Ben"] {
        let (_, person) = site.get(&format!("/people/{name}")).await;
        all.push(person["ratings"][0]["value"].as_i64().expect("a number"));
    }
    (all[0], all[1])
}

pub(super) async fn recomputed(site: &Site) -> (usize, usize) {
    let file = site.folder.path().join("games.db");
    tokio::task::spawn_blocking(move || crate::database::ratings(&file))
        .await
        .expect("done")
        .expect("readable")
}

#[tokio::test]
async fn who_has_blocked_somebody_does_not_meet_them_in_the_lobby() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    assert_eq!(anna.ask(site, "PUT", "/people/ben/block", Value::Null).await.0, 204);
    assert_eq!(anna.get(site, "/account/blocked").await.1["names"], json!(["Ben"]));
    assert_eq!(ben.get(site, "/account/blocked").await.1["names"], json!([]), "nobody is told");
    assert_eq!(code(&anna.ask(site, "PUT", "/people/anna/block", Value::Null).await.1), "person.other");
    let (mut first, mut second) =
        (Visitor::new(&listening, &anna).await, Visitor::new(&listening, &ben).await);
    first.say(&blitz()).await;
    let seek = second.seeks(1).await[0]["id"].clone();
    let mut wish = blitz();
    wish["color"] = json!("white");
    second.say(&wish).await;
    second.seeks(2).await;
    second.say(&json!({ "type": "accept", "id": 2, "seek": seek })).await;
    assert_eq!(second.hear(|value| value["type"] == "error").await["error"]["code"], "seek.gone");
    assert_eq!(anna.ask(site, "DELETE", "/people/ben/block", Value::Null).await.0, 204);
    // What one is looking for knows of it from the next search on.
    let mut again = blitz();
    again["id"] = json!(9);
    first.say(&again).await;
    first.hear(|value| value["type"] == "ack" && value["id"] == 9).await;
    second.say(&wish).await;
    assert_eq!(first.game().await, second.game().await);
}

#[tokio::test]
async fn reports_wait_for_a_moderator_and_what_is_done_is_written_down() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut mona, _) = Browser::signed_up(site, "Mona").await;
    becomes(site, "Mona", Role::Moderator).await;
    let report = json!({ "person": "ben", "game": null, "reason": "abuse", "text": "Bad words" });
    assert_eq!(anna.post(site, "/reports", report.clone()).await.0, 204);
    let own = json!({ "person": "Anna", "reason": "other", "text": "x" });
    assert_eq!(code(&anna.post(site, "/reports", own).await.1), "person.other");
    let mut last = 0;
    for _ in 0..10 {
        last = anna.post(site, "/reports", report.clone()).await.0;
    }
    assert_eq!(last, 429, "ten a day");
    assert_eq!(code(&anna.get(site, "/moderation/reports").await.1), "role.forbidden");
    let (_, queue) = mona.get(site, "/moderation/reports").await;
    let first = &queue["reports"][0];
    assert_eq!((&first["about"], &first["by"], &first["all"]), (&json!("Ben"), &json!("Anna"), &json!(10)));
    let settle = format!("/moderation/reports/{}/settle", first["id"].as_str().expect("an id"));
    assert_eq!(mona.post(site, "/moderation/people/ben/mute", json!({ "hours": 2 })).await.0, 204);
    assert_eq!(mona.post(site, &settle, Value::Null).await.0, 204);
    assert_eq!(code(&mona.post(site, &settle, Value::Null).await.1), "report.unknown");
    assert_eq!(mona.get(site, "/moderation/reports").await.1["reports"].as_array().map(Vec::len), Some(9));

    // Who is silenced plays, and says nothing.
    let (_, begun) = ben.post(site, "/games", json!({ "friend": { "color": "black" } })).await;
    let path = format!("/games/{}", begun["game"]["id"].as_str().expect("an id"));
    assert_eq!(anna.post(site, &format!("{path}/join"), json!({})).await.0, 200);
    let chat = format!("{path}/chat");
    assert_eq!(code(&ben.post(site, &chat, json!({ "text": "Bah" })).await.1), "chat.mute");
    let key = begun["key"].as_str().expect("a key");
    let (_, answer) = site.post(&chat, key, &json!({ "text": "Bah" })).await;
    assert_eq!(code(&answer), "chat.mute", "with the key of the seat alone");
    assert_eq!(mona.post(site, "/moderation/people/ben/mute", json!({ "hours": 0 })).await.0, 204);
    assert_eq!(ben.post(site, &chat, json!({ "text": "Sorry" })).await.0, 201);

    // A moderator does nothing to another one, an administrator does.
    let (mut max, _) = Browser::signed_up(site, "Max").await;
    becomes(site, "Max", Role::Admin).await;
    assert_eq!(code(&mona.post(site, "/moderation/people/max/close", Value::Null).await.1), "person.other");
    assert_eq!(max.post(site, "/moderation/people/mona/mute", json!({ "hours": 1 })).await.0, 204);
    assert_eq!(mona.post(site, "/moderation/people/ben/close", Value::Null).await.0, 204);
    assert_eq!(code(&ben.get(site, "/account/sessions").await.1), "account.missing");
    assert_eq!(site.get(&path).await.1["black"]["name"], "");
    let (_, log) = max.get(site, "/moderation/audit").await;
    let actions: Vec<&str> = log["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| line["action"].as_str().expect("a word"))
        .collect();
    assert_eq!(actions, ["close", "mute", "role", "unmute", "settle", "mute", "role"]);
    assert_eq!((&log["lines"][1]["by"], &log["lines"][1]["about"]), (&json!("Max"), &json!("Mona")));
}

#[tokio::test]
async fn a_game_that_is_void_gives_both_back_what_it_took_and_all_can_be_computed_again() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut mona, _) = Browser::signed_up(site, "Mona").await;
    becomes(site, "Mona", Role::Moderator).await;
    let first = rated(&listening, (&mut anna, &mut ben), true).await;
    let after_first = values(site).await;
    rated(&listening, (&mut anna, &mut ben), false).await;
    let before = values(site).await;
    let void = format!("/moderation/games/{first}/void");
    assert_eq!(code(&anna.post(site, &void, Value::Null).await.1), "role.forbidden");
    assert_eq!(mona.post(site, &void, Value::Null).await.0, 204);
    let now = values(site).await;
    let taken = |after: i64, now: i64, before: i64| (now - before) + (after - 1500);
    assert!(
        taken(after_first.0, now.0, before.0).abs() <= 1 && taken(after_first.1, now.1, before.1).abs() <= 1,
        "{now:?}"
    );
    assert_eq!(code(&mona.post(site, &void, Value::Null).await.1), "game.unrated", "once");
    assert_eq!(code(&mona.post(site, "/moderation/games/none/void", Value::Null).await.1), "game.unrated");
    assert_eq!(recomputed(site).await, (2, 0), "to the same numbers");
    rated(&listening, (&mut anna, &mut ben), true).await;
    assert_eq!(recomputed(site).await, (2, 0), "also with games after it");
}

#[tokio::test]
async fn the_same_two_are_rated_so_often_a_day_and_who_loses_at_once_is_reported_by_nobody() {
    let listening = listening().await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let (mut ben, _) = Browser::signed_up(site, "Ben").await;
    let (mut mona, _) = Browser::signed_up(site, "Mona").await;
    becomes(site, "Mona", Role::Moderator).await;
    for game in 1..=14 {
        rated(&listening, (&mut anna, &mut ben), true).await;
        let (_, queue) = mona.get(site, "/moderation/reports").await;
        let reports = queue["reports"].as_array().expect("reports");
        assert_eq!(reports.len(), usize::from(game >= 4), "after {game}");
    }
    let (_, queue) = mona.get(site, "/moderation/reports").await;
    let report = &queue["reports"][0];
    assert_eq!(
        (&report["about"], &report["by"], &report["reason"]),
        (&json!("Ben"), &json!(""), &json!("farming"))
    );
    assert_eq!(site.get("/people/anna").await.1["ratings"][0]["games"], 12);
}

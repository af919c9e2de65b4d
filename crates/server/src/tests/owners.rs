//! Who may do what with what is their own, and what is another's: each thing that has an owner, with every role.

use super::accounts::Browser;
use super::permissions::{Caller, World, challenge, id, tournament, verdict};
use super::*;
use crate::domain::permit::Action;
use crate::domain::person::Role;

#[tokio::test]
async fn a_tournament_is_directed_by_whoever_made_it_and_by_moderators() {
    let world = World::new().await;
    let admin = world.callers.last().expect("an administrator");
    for caller in &world.callers {
        for what in ["start", "pause", "resume", "cancel"] {
            for is_own in [true, false] {
                let owner = if is_own { caller } else { &world.other };
                if !Action::MakeTournament.is_for(owner.role) {
                    continue;
                }
                let made = owner.make(world.site(), "/api/v1/tournaments", tournament()).await;
                let path = |what: &str| format!("/api/v1/tournaments/{}/{what}", id(&made));
                let expected = match caller.role {
                    None => "account.missing",
                    Some(Role::Bot) => "role.forbidden",
                    Some(Role::Person) if !is_own => "tournament.other",
                    Some(_) => "ok",
                };
                world.check(caller, ("post", &path(what)), json!({}), expected).await;
                admin.ask(world.site(), "post", &path("cancel"), json!({})).await;
            }
        }
    }
}

#[tokio::test]
async fn programs_and_sessions_are_their_owners_alone() {
    let world = World::new().await;
    let site = world.site();
    let other = world.other.ask(site, "get", "/api/v1/account/sessions", Value::Null).await;
    let others_session = id(&other["sessions"][0]);
    let given = world.other.make(site, "/api/v1/account/bots/OtherBot/tokens", json!({})).await;
    let others_token = id(&given["token"]);
    for caller in &world.callers {
        let refused = match caller.role {
            None => Some("account.missing"),
            Some(Role::Bot) => Some("role.forbidden"),
            _ => None,
        };
        let others = |code: &'static str| refused.unwrap_or(code);
        let at = |path: &str| format!("/api/v1/account/{path}");
        world
            .check(
                caller,
                ("delete", &at(&format!("sessions/{others_session}"))),
                Value::Null,
                others("session.unknown"),
            )
            .await;
        let token = at(&format!("bots/OtherBot/tokens/{others_token}"));
        world.check(caller, ("delete", &token), Value::Null, others("bot.unknown")).await;
        world.check(caller, ("post", &at("bots/OtherBot/tokens")), json!({}), others("bot.unknown")).await;
        world.check(caller, ("delete", &at("bots/OtherBot")), Value::Null, others("bot.unknown")).await;
        if refused.is_some() {
            continue;
        }
        let login = json!({ "name": caller.name, "password": "six marbles off" });
        assert_eq!(Browser::default().post(site, "/account/login", login).await.0, 200);
        let listed = caller.ask(site, "get", &at("sessions"), Value::Null).await;
        let elsewhere =
            listed["sessions"].as_array().expect("sessions").iter().find(|one| one["here"] == false);
        let session = at(&format!("sessions/{}", id(elsewhere.expect("the other one"))));
        world.check(caller, ("delete", &session), Value::Null, "ok").await;
        let name = format!("Of-{}", caller.name);
        caller.make(site, &at("bots"), json!({ "name": name })).await;
        let given = caller.make(site, &at(&format!("bots/{name}/tokens")), json!({})).await;
        let token = at(&format!("bots/{name}/tokens/{}", id(&given["token"])));
        world.check(caller, ("delete", &token), Value::Null, "ok").await;
        world.check(caller, ("delete", &at(&format!("bots/{name}"))), Value::Null, "ok").await;
    }
    // What others tried has changed nothing.
    let bots = world.other.ask(site, "get", "/api/v1/account/bots", Value::Null).await;
    let names: Vec<&Value> = bots["bots"].as_array().expect("bots").iter().map(|bot| &bot["name"]).collect();
    assert_eq!(names.len(), 2, "{bots}");
    assert!(bots.to_string().contains(&others_token), "{bots}");
}

#[tokio::test]
async fn challenges_are_answered_by_those_whom_they_concern() {
    let world = World::new().await;
    let site = world.site();
    for caller in &world.callers {
        let refused = caller.role.is_none().then_some("token.missing");
        let others = |code: &'static str| refused.unwrap_or(code);
        for (method, what, code) in [
            ("get", "", "challenge.gone"),
            ("post", "/accept", "challenge.other"),
            ("post", "/decline", "challenge.other"),
            ("post", "/cancel", "challenge.other"),
        ] {
            let made = world.other.make(site, "/api/challenge/OtherBot", challenge()).await;
            let at = format!("/api/challenge/{}", id(&made));
            world.check(caller, (method, &format!("{at}{what}")), Value::Null, others(code)).await;
            world.other.ask(site, "post", &format!("{at}/cancel"), Value::Null).await;
            if refused.is_some() {
                continue;
            }
            // One's own: to them, or by them if it is called off.
            let made = if what == "/cancel" {
                caller.make(site, "/api/challenge/OtherBot", challenge()).await
            } else {
                world.other.make(site, &format!("/api/challenge/{}", caller.name), challenge()).await
            };
            let path = format!("/api/challenge/{}{what}", id(&made));
            world.check(caller, (method, &path), Value::Null, "ok").await;
            world.other.ask(site, "post", &format!("/api/challenge/{}/cancel", id(&made)), Value::Null).await;
        }
    }
}

#[tokio::test]
async fn a_program_plays_in_its_own_games_alone() {
    const DONE: [(&str, &str); 6] = [
        ("post", "move/a1b2"),
        ("post", "chat"),
        ("post", "draw/yes"),
        ("post", "takeback/yes"),
        ("post", "abort"),
        ("post", "resign"),
    ];
    let world = World::new().await;
    let site = world.site();
    let begun = async |name: &str, accepts: &Caller| {
        let made = world.other.make(site, &format!("/api/challenge/{name}"), challenge()).await;
        accepts.make(site, &format!("/api/challenge/{}/accept", id(&made)), Value::Null).await;
        id(&made)
    };
    let another = begun("OtherBot", &world.other_bot).await;
    for caller in &world.callers {
        let expected = match caller.role {
            None => "token.missing",
            Some(Role::Bot) => "game.other",
            Some(_) => "role.forbidden",
        };
        let body = json!({ "room": "player", "text": "x" });
        for (method, what) in DONE {
            let path = format!("/api/bot/game/{another}/{what}");
            world.check(caller, (method, &path), body.clone(), expected).await;
        }
        world.check(caller, ("get", &format!("/api/bot/game/stream/{another}")), Value::Null, expected).await;
        if caller.is_bot() {
            for (method, what) in DONE {
                let own = begun(&caller.name, caller).await;
                world.check(caller, ("get", &format!("/api/bot/game/stream/{own}")), Value::Null, "ok").await;
                world
                    .check(caller, (method, &format!("/api/bot/game/{own}/{what}")), body.clone(), "ok")
                    .await;
                // A program plays so many at a time.
                caller.ask(site, "post", &format!("/api/bot/game/{own}/resign"), Value::Null).await;
            }
        }
    }
}

#[tokio::test]
async fn a_seat_is_for_whoever_has_it_whatever_their_role() {
    const DONE: [(&str, &str); 10] = [
        ("post", "/moves"),
        ("post", "/draw"),
        ("post", "/takeback"),
        ("post", "/decline"),
        ("post", "/claim"),
        ("post", "/rematch"),
        ("put", "/plan"),
        ("post", "/abort"),
        ("post", "/resign"),
        ("delete", ""),
    ];
    let world = World::new().await;
    let site = world.site();
    for caller in &world.callers {
        for (method, what) in DONE {
            let body = match what {
                "/moves" => json!({ "move": "a1b2", "ply": 0 }),
                "/decline" => json!({ "offer": "draw" }),
                "/plan" => json!({ "lines": [] }),
                "/claim" => json!({ "result": "draw" }),
                _ => json!({}),
            };
            let another = format!("/api/v1/games/{}{what}", world.game().await);
            // A token is taken for a key there, and is none.
            let expected = if caller.is_bot() { "key.wrong" } else { "key.missing" };
            world.check(caller, (method, &another), body.clone(), expected).await;
            if caller.is_bot() {
                continue;
            }
            let wish = json!({ "friend": { "color": "black" } });
            let begun = caller.make(site, "/api/v1/games", wish).await;
            let own = format!("/api/v1/games/{}", id(&begun["game"]));
            world.other.make(site, &format!("{own}/join"), json!({})).await;
            let answer = match caller.role {
                Some(_) => caller.ask(site, method, &format!("{own}{what}"), body).await,
                None => {
                    let key = begun["key"].as_str().expect("a key").to_string();
                    let with_key = Caller {
                        role: None,
                        name: "with a key".to_string(),
                        browser: Browser::default(),
                        token: Some(key),
                    };
                    with_key.ask(site, method, &format!("{own}{what}"), body).await
                }
            };
            assert_eq!(verdict(&answer), "ok", "{} {method} {own}{what}: {answer}", caller.name);
        }
    }
}

#[tokio::test]
async fn moderators_act_on_people_and_administrators_on_moderators_too() {
    let world = World::new().await;
    for caller in &world.callers {
        for (about, is_for) in [("Other", "ma"), ("The-moderator", "a"), ("The-admin", "")] {
            let expected = match caller.role {
                None => "account.missing",
                Some(Role::Person | Role::Bot) => "role.forbidden",
                Some(role) if is_for.contains(&role.name()[..1]) => "ok",
                Some(_) => "person.other",
            };
            let path = format!("/api/v1/moderation/people/{about}/mute");
            world.check(caller, ("post", &path), json!({ "hours": 0 }), expected).await;
        }
    }
}

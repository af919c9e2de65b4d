//! Bots over a line that is cut every few moments, by reset and by silence: no game is lost by it.

use std::sync::Arc;
use std::time::Duration;

use super::accounts::Browser;
use super::badline::BadLine;
use super::bots::program;
use super::sockets::Listening;
use super::*;
use crate::bot::{Bot, BotSettings};

/// How often the line is cut in the suite.
const EVERY: Duration = Duration::from_secs(2);
/// And for longer.
pub(super) const SELDOM: Duration = Duration::from_secs(10);
/// Games of the suite, and for longer.
const GAMES: usize = 4;
const MANY_GAMES: usize = 20;
/// Waits until a game is over, and gives how.
pub(super) async fn ended(site: &Site, id: &str) -> (Value, Value) {
    let game = site.wait(id, |game| !game["position"]["outcome"].is_null()).await;
    let outcome = &game["position"]["outcome"];
    (outcome["reason"].clone(), outcome["winner"].clone())
}

#[tokio::test]
async fn a_bot_loses_no_game_by_a_line_that_is_cut_every_two_seconds() {
    loses_no_game(GAMES, EVERY).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes some minutes"]
async fn a_bot_loses_none_of_twenty_games_by_a_line_that_is_cut_every_ten_seconds() {
    loses_no_game(MANY_GAMES, SELDOM).await;
}

/// A bot plays so many games against the house, four at a time, over a line that is cut so often.
async fn loses_no_game(games: usize, every: Duration) {
    let listening = Listening::with(|config| {
        (config.arena, config.house, config.keep_alive_ms, config.token_rate) = (true, true, 300, 200);
        config.search_threads = 1;
    })
    .await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let bot = program(site, &mut anna, "Bot").await;
    let line = BadLine::new(listening.address, every).await;
    let settings = BotSettings {
        server: format!("http://{}", line.address),
        token: bot.token.clone(),
        agent: "sumito:level=2".parse().expect("a spec"),
        limits: Default::default(),
        accepts: json!({ "games": GAMES }),
        tournaments: Vec::new(),
        patience: Duration::from_millis(1200),
    };
    let playing = tokio::spawn(Bot::new(&settings, Arc::new(|_| ())).expect("a bot").run());
    while site.get("/people/Sumito-1").await.0 != StatusCode::OK
        || site.get("/people/Random").await.0 != StatusCode::OK
    {
        // The players of the house need a moment to come.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for first in (0..games).step_by(GAMES) {
        let mut ids = Vec::new();
        for number in first..games.min(first + GAMES) {
            let wish = json!({ "clock.limit": 600, "clock.increment": 5, "rated": true, "color": if number % 2 == 0 { "black" } else { "white" } });
            let house = ["Random", "Sumito-1"][number / 2 % 2];
            let challenge = bot.does(&format!("/challenge/{house}"), wish).await;
            ids.push(challenge["id"].as_str().expect("an id").to_string());
        }
        for id in &ids {
            // Until it is accepted there is no game.
            while site.get(&format!("/games/{id}")).await.0 == StatusCode::NOT_FOUND {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let (reason, winner) = ended(site, id).await;
            assert!(
                !["time", "forfeit", "resignation"].contains(&reason.as_str().expect("a word")),
                "{id}: {reason} {winner}"
            );
        }
    }
    playing.abort();
    line.was_cut(games);
    // Those whom it has played are as strong as ever.
    let (_, random) = site.get("/people/Random").await;
    assert!(
        random["ratings"].as_array().expect("ratings").iter().all(|rating| rating["value"] == -170),
        "{random}"
    );
    let file = site.folder.path().join("games.db");
    let recomputed = tokio::task::spawn_blocking(move || crate::database::ratings(&file)).await;
    assert_eq!(recomputed.expect("done").expect("readable").1, 0, "ratings that were kept otherwise");
}

#[tokio::test]
async fn a_bot_with_a_wrong_token_ends_and_says_why() {
    let listening = Listening::with(|config| config.arena = true).await;
    let settings = BotSettings {
        server: format!("http://{}/", listening.address),
        token: "smt_nobodys".to_string(),
        agent: "random".parse().expect("a spec"),
        limits: Default::default(),
        accepts: json!({}),
        tournaments: Vec::new(),
        patience: Duration::from_secs(60),
    };
    let error = Bot::new(&settings, Arc::new(|_| ())).expect("a bot").run().await.expect_err("refused");
    assert!(error.to_string().contains("token.wrong"), "{error}");
    let wrong = BotSettings { server: "nowhere".to_string(), ..settings.clone() };
    assert!(Bot::new(&wrong, Arc::new(|_| ())).is_err());
    let wrong = BotSettings { agent: "nobody".parse().expect("a text"), ..settings };
    assert!(Bot::new(&wrong, Arc::new(|_| ())).is_err());
}

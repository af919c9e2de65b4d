//! Bots over a line that is cut every few moments, by reset and by silence: no game is lost by it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::accounts::Browser;
use super::bots::program;
use super::sockets::Listening;
use super::*;
use crate::bot::{Bot, BotSettings};

/// How often the line is cut.
const EVERY: Duration = Duration::from_secs(2);
/// What each part of a message takes on its way, so that games last longer than the line.
const WAY: Duration = Duration::from_millis(10);

/// A line between a bot and its server that is cut again and again.
pub(super) struct BadLine {
    pub(super) address: SocketAddr,
    /// Connections that were cut: by reset, and by silence.
    pub(super) cut: Arc<[AtomicUsize; 2]>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for BadLine {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl BadLine {
    pub(super) async fn new(to: SocketAddr) -> BadLine {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (address, cut) = (listener.local_addr().expect("an address"), Arc::<[AtomicUsize; 2]>::default());
        let counts = Arc::clone(&cut);
        let task = tokio::spawn(async move {
            let (cuts, _) = watch::channel(0_usize);
            let cuts = Arc::new(cuts);
            let clock = Arc::clone(&cuts);
            tokio::spawn(async move {
                while !clock.is_closed() || clock.receiver_count() == 0 {
                    tokio::time::sleep(EVERY).await;
                    clock.send_modify(|count| *count += 1);
                }
            });
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(to).await else { continue };
                tokio::spawn(carry(near, far, cuts.subscribe(), Arc::clone(&counts)));
            }
        });
        BadLine { address, cut, task }
    }
}

/// Carries what both sides say until the line is cut: every other time with a reset, else by saying nothing more.
async fn carry(
    near: TcpStream,
    far: TcpStream,
    mut cuts: watch::Receiver<usize>,
    counts: Arc<[AtomicUsize; 2]>,
) {
    let linger = near.set_zero_linger();
    let (mut near_in, mut near_out) = near.into_split();
    let (mut far_in, mut far_out) = far.into_split();
    let there = async { copy(&mut near_in, &mut far_out).await };
    let back = async { copy(&mut far_in, &mut near_out).await };
    let number = tokio::select! {
        _ = async { tokio::join!(there, back) } => return,
        changed = cuts.changed() => match changed {
            Ok(()) => *cuts.borrow(),
            Err(_) => return,
        },
    };
    linger.expect("a socket of ours");
    counts[number % 2].fetch_add(1, Ordering::Relaxed);
    if number % 2 == 1 {
        // Both ends stay open, and hear nothing: longer than anybody waits.
        tokio::time::sleep(EVERY * 10).await;
    }
}

async fn copy(from: &mut (impl AsyncReadExt + Unpin), to: &mut (impl AsyncWriteExt + Unpin)) {
    let mut buffer = [0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        tokio::time::sleep(WAY).await;
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}

/// Waits until a game is over, and gives how.
pub(super) async fn ended(site: &Site, id: &str) -> (Value, Value) {
    let game = site.wait(id, |game| !game["position"]["outcome"].is_null()).await;
    let outcome = &game["position"]["outcome"];
    (outcome["reason"].clone(), outcome["winner"].clone())
}

#[tokio::test]
async fn a_bot_loses_no_game_by_a_line_that_is_cut_every_two_seconds() {
    const GAMES: usize = 4;
    let listening = Listening::with(|config| {
        (config.arena, config.house, config.keep_alive_ms, config.token_rate) = (true, true, 300, 200);
        config.search_threads = 1;
    })
    .await;
    let site = &listening.site;
    let (mut anna, _) = Browser::signed_up(site, "Anna").await;
    let bot = program(site, &mut anna, "Bot").await;
    let line = BadLine::new(listening.address).await;
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
    let mut ids = Vec::new();
    for number in 0..GAMES {
        let wish = json!({ "clock.limit": 600, "clock.increment": 5, "rated": true, "color": if number % 2 == 0 { "black" } else { "white" } });
        let challenge = bot.does(&format!("/challenge/{}", ["Random", "Sumito-1"][number / 2]), wish).await;
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
    playing.abort();
    let cut = [0, 1].map(|kind| line.cut[kind].load(Ordering::Relaxed));
    assert!(cut.iter().all(|&count| count >= 2), "resets and silences: {cut:?}");
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

//! A bot as the other end of the interface for programs: it follows its events, accepts challenges, plays its games, and comes back when its
//! line was cut. The same code runs `sumito bot` over a network and the house's players within the server.

mod game;
pub(crate) mod house;
mod line;
mod mind;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use sumito_agents::{AgentSpec, Limits};
use tokio::task::JoinHandle;

use game::GamePlayer;
use line::{Line, LineError};
use mind::Mind;

/// What a bot is started with.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// The server's address, such as `http://127.0.0.1:7161`.
    pub server: String,
    /// The token of its account.
    pub token: String,
    /// The agent that plays.
    pub agent: AgentSpec,
    /// What limits a move besides the clock.
    pub limits: Limits,
    /// What it accepts, as `PUT /api/bot/capabilities` takes it.
    pub accepts: Value,
    /// The ids of tournaments that it takes part in.
    pub tournaments: Vec<String>,
    /// A line that says nothing for so long is taken for cut.
    pub patience: Duration,
}

/// Why a bot does not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotError {
    /// The address is none that a bot can reach.
    #[error("server: expected an address such as http://127.0.0.1:7161, found '{0}'")]
    Address(String),
    /// The agent cannot be made.
    #[error("{0}")]
    Agent(String),
    /// The server does not take the bot as it is: its token is wrong, for instance.
    #[error("the server refuses the bot ({code}): {message}")]
    Refused {
        /// The server's code.
        code: String,
        /// What it says.
        message: String,
    },
    /// The system.
    #[error("the bot cannot run: {0}")]
    System(String),
}

/// Hears what a bot does.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// Runs a bot until it is refused.
pub fn run(settings: &BotSettings, report: Report) -> Result<(), BotError> {
    let bot = Bot::new(settings, report)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_name("bot").build();
    let runtime = runtime.map_err(|error| BotError::System(error.to_string()))?;
    runtime.block_on(bot.run())
}

/// The longest wait before a line is tried again.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A line that held for so long was a good one.
const GOOD: Duration = Duration::from_secs(60);

/// How long to wait before something is tried again: longer each time, unless it went well for a while.
#[derive(Debug)]
pub(crate) struct Backoff {
    wait: Duration,
    least: Duration,
    began: Instant,
}

impl Backoff {
    fn new(least: Duration) -> Backoff {
        Backoff { wait: least, least, began: Instant::now() }
    }

    /// A try begins.
    fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// It went well.
    fn succeeded(&mut self) {
        self.wait = self.least;
    }

    /// Waits, for at least as long as the server has asked for.
    async fn wait(&mut self, asked: Option<u64>) {
        if self.began.elapsed() >= GOOD {
            self.succeeded();
        }
        let wait = self.wait.max(Duration::from_secs(asked.unwrap_or(0)));
        self.wait = (self.wait * 2).min(LONGEST_WAIT);
        tokio::time::sleep(wait).await;
    }
}

/// A bot at work.
pub(crate) struct Bot {
    line: Line,
    mind: Mind,
    accepts: Value,
    tournaments: Vec<String>,
    report: Report,
}

/// A task that ends when this is dropped.
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Bot {
    pub(crate) fn new(settings: &BotSettings, report: Report) -> Result<Bot, BotError> {
        let line = Line::far(&settings.server, &settings.token, settings.patience)?;
        let mind = Mind::own(&settings.agent, settings.limits.clone())?;
        let (accepts, tournaments) = (settings.accepts.clone(), settings.tournaments.clone());
        Ok(Bot { line, mind, accepts, tournaments, report })
    }

    /// Follows its events, and comes back as long as it is not refused.
    pub(crate) async fn run(self) -> Result<(), BotError> {
        let mut games: HashMap<String, Task> = HashMap::new();
        let mut backoff = Backoff::new(self.line.least_wait());
        loop {
            backoff.begin();
            let error = match self.follow(&mut games, &mut backoff).await {
                Ok(()) => LineError::Ended,
                Err(error) => error,
            };
            if let LineError::Refused { status: 401 | 403 | 404, code, message, .. } = error {
                return Err(BotError::Refused { code, message });
            }
            (self.report)(&format!("the line to the server is gone ({error}); trying again"));
            backoff.wait(error.seconds()).await;
        }
    }

    async fn follow(
        &self,
        games: &mut HashMap<String, Task>,
        backoff: &mut Backoff,
    ) -> Result<(), LineError> {
        let account = self.line.ask("GET", "/api/account", None).await?;
        let name = account["username"].as_str().unwrap_or_default().to_string();
        self.line.ask("PUT", "/api/bot/capabilities", Some(&self.accepts)).await?;
        let mut events = self.line.stream("/api/stream/event").await?;
        (self.report)(&format!("{name} is at {}", self.line));
        for tournament in &self.tournaments {
            self.join(tournament).await?;
        }
        while let Some(event) = events.next().await? {
            backoff.succeeded();
            games.retain(|_, task| !task.0.is_finished());
            match event["type"].as_str() {
                Some("gameStart") => self.begin(games, &event["game"], &name),
                Some("challenge") => self.answer(&event["challenge"], &name, games.len()).await?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes part in a tournament, or comes back to it. One that is over or full, or not for bots, is no reason to end.
    async fn join(&self, tournament: &str) -> Result<(), LineError> {
        match self.line.ask("POST", &format!("/api/v1/tournaments/{tournament}/join"), None).await {
            Err(LineError::Refused { status: 403 | 404 | 409, message, .. }) => {
                (self.report)(&format!("tournament {tournament}: {message}"));
                Ok(())
            }
            joined => joined.map(|_| (self.report)(&format!("takes part in tournament {tournament}"))),
        }
    }

    /// Plays a game, unless it plays it already.
    fn begin(&self, games: &mut HashMap<String, Task>, game: &Value, name: &str) {
        let Some(id) = game["gameId"].as_str() else { return };
        if games.contains_key(id) {
            return;
        }
        let opponent = game["opponent"]["username"].as_str().unwrap_or_default();
        (self.report)(&format!("game {id} against {opponent}"));
        let (line, report) = (self.line.clone(), Arc::clone(&self.report));
        let player = GamePlayer::new(line, self.mind.for_game(id), id.to_string(), name.to_string(), report);
        games.insert(id.to_string(), Task(tokio::spawn(player.run())));
    }

    /// Accepts a challenge. What the bot has said not to accept does not come; only two at once may be more than it can take.
    async fn answer(&self, challenge: &Value, name: &str, games: usize) -> Result<(), LineError> {
        let (id, from) = (&challenge["id"], &challenge["challenger"]["name"]);
        let (Some(id), Some(from)) = (id.as_str(), from.as_str()) else { return Ok(()) };
        if from == name || challenge["status"] != "created" {
            return Ok(());
        }
        let most = self.accepts["games"].as_u64().unwrap_or(u64::MAX);
        let (verb, body) = match (games as u64) < most {
            true => ("accept", None),
            false => ("decline", Some(serde_json::json!({ "reason": "later" }))),
        };
        (self.report)(&format!("challenge {id} of {from}: {verb}"));
        match self.line.ask("POST", &format!("/api/challenge/{id}/{verb}"), body.as_ref()).await {
            // It was called off meanwhile, or answered before the line was cut.
            Err(LineError::Refused { status: 404 | 409 | 429, message, .. }) => {
                (self.report)(&format!("challenge {id}: {message}"));
                Ok(())
            }
            other => other.map(|_| ()),
        }
    }
}

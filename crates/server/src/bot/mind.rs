//! What thinks for a bot: an agent of its own in a thread, or, for the house's players, the server's threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use sumito_agents::{Agent, AgentSpec, Limits};
use sumito_rules::{Game, Move};

use super::BotError;
use crate::api::play::thought_of;
use crate::domain::client::Client;
use crate::domain::seat::Spec;
use crate::search::thought::Thought;
use crate::state::App;

/// What thinks in all games of a bot.
pub(crate) enum Mind {
    /// An agent for each game.
    Own { spec: AgentSpec, limits: Limits },
    /// The server's threads.
    Server { app: App, spec: Spec, client: Client, limits: Limits },
}

/// What thinks in one game.
#[derive(Clone)]
pub(crate) enum GameMind {
    Own { agent: Arc<Mutex<Option<Box<dyn Agent>>>>, spec: AgentSpec, seed: u64, limits: Limits },
    Server { app: App, spec: Spec, client: Client, limits: Limits },
}

impl Mind {
    /// An agent of any kind, which is tried once.
    pub(crate) fn own(spec: &AgentSpec, limits: Limits) -> Result<Mind, BotError> {
        spec.build().map_err(|error| BotError::Agent(error.to_string()))?;
        Ok(Mind::Own { spec: spec.clone(), limits })
    }

    /// What thinks in a game. Its random choices follow from the game's id.
    pub(crate) fn for_game(&self, id: &str) -> GameMind {
        match self {
            Mind::Own { spec, limits } => {
                let seed = id.bytes().fold(0, |seed: u64, byte| seed.wrapping_mul(131) + u64::from(byte));
                GameMind::Own { agent: Arc::default(), spec: spec.clone(), seed, limits: limits.clone() }
            }
            Mind::Server { app, spec, client, limits } => GameMind::Server {
                app: app.clone(),
                spec: spec.clone(),
                client: *client,
                limits: limits.clone(),
            },
        }
    }
}

impl GameMind {
    /// What limits a move besides the clock.
    pub(crate) fn limits(&self) -> &Limits {
        match self {
            GameMind::Own { limits, .. } | GameMind::Server { limits, .. } => limits,
        }
    }

    /// Whether it thinks as long as its own limits say, whatever the clock, as long as that does not run out.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self, GameMind::Server { .. })
    }

    /// Chooses a move; an agent that has none says why.
    pub(crate) async fn choose(self, game: Game, limits: Limits) -> Result<Move, String> {
        match self {
            GameMind::Own { agent, spec, seed, .. } => {
                let think = move || think(&agent, &spec, seed, &game, &limits);
                tokio::task::spawn_blocking(think).await.unwrap_or_else(|error| Err(error.to_string()))
            }
            GameMind::Server { app, spec, client, .. } => {
                let (kind, owner) = (spec.kind(), app.owner(client));
                let thought = Thought::new(spec, game, None, limits);
                let submit = |work| Ok(app.pool.submit_move(kind, owner, work));
                thought_of(&app, thought, submit).await.map(|(m, _)| m).map_err(|error| error.to_string())
            }
        }
    }
}

/// Has the game's agent think, which is made when it is first asked, and anew when it has failed.
fn think(
    agent: &Mutex<Option<Box<dyn Agent>>>,
    spec: &AgentSpec,
    seed: u64,
    game: &Game,
    limits: &Limits,
) -> Result<Move, String> {
    let mut held = agent.lock().unwrap_or_else(PoisonError::into_inner);
    let mut player = match held.take() {
        Some(player) => player,
        None => {
            let mut player = spec.build().map_err(|error| error.to_string())?;
            player.new_game(game.rules(), Some(seed));
            player
        }
    };
    let chosen = catch_unwind(AssertUnwindSafe(|| player.choose(game, limits, &mut |_| ())));
    match chosen {
        Ok(Ok(m)) => {
            *held = Some(player);
            Ok(m)
        }
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the agent panicked".to_string()),
    }
}

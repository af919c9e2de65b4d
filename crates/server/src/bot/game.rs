//! One game of a bot: it follows the game's stream, thinks when it is to move, and plays each move once, however often its line is cut.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use sumito_agents::{Clock, Limits, Stop};
use sumito_rules::{ByColor, Color, Game, Move, Notation, fen};
use tokio::task::JoinHandle;

use super::line::{Line, LineError};
use super::mind::GameMind;
use super::{Backoff, Report};
use crate::view::rules::{RulesRequest, rules};

/// Kept back of the clock, for the way of a move.
const OVERHEAD: Duration = Duration::from_millis(250);
/// The longest thought, whatever is on the clock.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);
/// How often an agent that has no move is asked again before the bot resigns.
const CHANCES: u32 = 2;

/// How a game stands, as the server tells it.
#[derive(Clone, Debug, Deserialize)]
struct State {
    moves: String,
    wtime: u64,
    btime: u64,
    winc: u64,
    binc: u64,
    status: String,
    winner: Option<String>,
    #[serde(default)]
    wtakeback: bool,
    #[serde(default)]
    btakeback: bool,
    #[serde(default)]
    wdraw: bool,
    #[serde(default)]
    bdraw: bool,
}

/// What of a game does not change.
struct Fixed {
    start: Game,
    side: Color,
    has_clock: bool,
}

/// A search under way.
struct Thought {
    ply: usize,
    chosen: JoinHandle<Result<Move, String>>,
    stop: Stop,
}

/// Nobody wants to know any more.
impl Drop for Thought {
    fn drop(&mut self) {
        self.stop.request();
        self.chosen.abort();
    }
}

/// A move that is to be played.
struct Decision {
    ply: usize,
    text: String,
    /// Whether the server has it, or wants it no more.
    sent: bool,
}

/// A bot in one game.
pub(super) struct GamePlayer {
    line: Line,
    mind: GameMind,
    id: String,
    /// The bot's own.
    name: String,
    report: Report,
    thought: Option<Thought>,
    decided: Option<Decision>,
    failures: u32,
}

impl GamePlayer {
    pub(super) fn new(line: Line, mind: GameMind, id: String, name: String, report: Report) -> GamePlayer {
        GamePlayer { line, mind, id, name, report, thought: None, decided: None, failures: 0 }
    }

    /// Plays until the game is over, or none of the bot's any more.
    pub(super) async fn run(mut self) {
        let mut backoff = Backoff::new(self.line.least_wait());
        loop {
            backoff.begin();
            match self.follow(&mut backoff).await {
                Ok(Some(how)) => return (self.report)(&format!("game {}: {how}", self.id)),
                Ok(None) => backoff.wait(None).await,
                Err(LineError::Refused { status: 401 | 403 | 404, message, .. }) => {
                    return (self.report)(&format!("game {}: {message}", self.id));
                }
                Err(error) => {
                    (self.report)(&format!("game {}: {error}; trying again", self.id));
                    backoff.wait(error.seconds()).await;
                }
            }
        }
    }

    /// Follows the game; gives how it ended, or nothing if the stream ended before.
    async fn follow(&mut self, backoff: &mut Backoff) -> Result<Option<String>, LineError> {
        let mut stream = self.line.stream(&format!("/api/bot/game/stream/{}", self.id)).await?;
        let Some(full) = stream.next().await? else { return Ok(None) };
        let unreadable = |what: &str| LineError::Cut(format!("the server says what cannot be read ({what})"));
        let fixed = fixed(&full, &self.name).ok_or_else(|| unreadable("gameFull"))?;
        let mut state = full["state"].clone();
        loop {
            let now: State = serde_json::from_value(state).map_err(|_| unreadable("gameState"))?;
            backoff.succeeded();
            if now.status != "started" {
                let how = now
                    .winner
                    .map_or_else(|| now.status.clone(), |winner| format!("{}, {winner} wins", now.status));
                return Ok(Some(how));
            }
            let game = played(&fixed.start, &now.moves).ok_or_else(|| unreadable("moves"))?;
            self.answer(&now, fixed.side).await?;
            self.consider(&fixed, &game, &now);
            self.play().await?;
            state = loop {
                tokio::select! {
                    line = stream.next() => match line? {
                        None => return Ok(None),
                        Some(event) if event["type"] == "gameState" => break event,
                        Some(_) => {}
                    },
                    found = chosen(&mut self.thought) => self.decide(&game, found).await?,
                }
                self.play().await?;
            };
        }
    }

    /// Begins to think if the bot is to move, and stops if the position is another one.
    fn consider(&mut self, fixed: &Fixed, game: &Game, state: &State) {
        let ply = game.moves().len();
        self.thought.take_if(|thought| thought.ply != ply);
        self.decided.take_if(|decided| decided.ply != ply);
        let is_over = game.outcome().is_some() || game.turn() != fixed.side;
        if is_over || self.thought.is_some() || self.decided.is_some() {
            return;
        }
        let stop = Stop::default();
        let limits = Limits { stop: stop.clone(), ..self.limits(fixed, state) };
        let chosen = tokio::spawn(self.mind.clone().choose(game.clone(), limits));
        self.thought = Some(Thought { ply, chosen, stop });
    }

    /// How long it may think.
    fn limits(&self, fixed: &Fixed, state: &State) -> Limits {
        let ms = Duration::from_millis;
        let own = self.mind.limits().clone();
        let times = ByColor::new((state.btime, state.binc), (state.wtime, state.winc));
        let left = ms(times[fixed.side].0);
        if self.mind.is_fixed() {
            // Its strength is that of its nodes or its depth; only a clock that is about to run out ends it.
            let most = left.saturating_sub(OVERHEAD).mul_f64(0.75).min(LONGEST_THOUGHT);
            return Limits { move_time: Some(most), ..own };
        }
        let most = own.move_time.unwrap_or(LONGEST_THOUGHT).min(left.saturating_sub(OVERHEAD));
        let clock = times.map(|(left, increment)| Clock {
            left: ms(left).saturating_sub(OVERHEAD),
            increment: ms(increment),
        });
        Limits { clock: fixed.has_clock.then_some(clock), move_time: Some(most), ..own }
    }

    /// The agent has chosen, or cannot.
    async fn decide(&mut self, game: &Game, found: Result<Move, String>) -> Result<(), LineError> {
        let Some(thought) = self.thought.take() else { return Ok(()) };
        match found {
            Ok(m) if game.position().is_legal(m) => {
                let text = Notation::AbaPro.write(game.position(), m);
                self.decided = Some(Decision { ply: thought.ply, text, sent: false });
                Ok(())
            }
            other => {
                let why = other.err().unwrap_or_else(|| "an illegal move".to_string());
                (self.report)(&format!("game {}: the agent has no move: {why}", self.id));
                self.failures += 1;
                match self.failures > CHANCES {
                    true => self.post("resign").await,
                    // The stream begins anew, and the agent with it.
                    false => Err(LineError::Cut(why)),
                }
            }
        }
    }

    /// Plays what was decided. If that does not get through, it is tried again: the server takes a move for a ply once.
    async fn play(&mut self) -> Result<(), LineError> {
        let Some(Decision { ply, text, sent: false }) = &self.decided else { return Ok(()) };
        self.post(&format!("move/{text}?ply={ply}")).await?;
        self.failures = 0;
        if let Some(decided) = &mut self.decided {
            decided.sent = true;
        }
        Ok(())
    }

    /// Declines what it cannot judge: offers of a draw and wishes for moves back.
    async fn answer(&self, state: &State, side: Color) -> Result<(), LineError> {
        let other = |white: bool, black: bool| if side == Color::White { black } else { white };
        if other(state.wdraw, state.bdraw) {
            self.post("draw/no").await?;
        }
        if other(state.wtakeback, state.btakeback) {
            self.post("takeback/no").await?;
        }
        Ok(())
    }

    async fn post(&self, what: &str) -> Result<(), LineError> {
        match self.line.ask("POST", &format!("/api/bot/game/{}/{what}", self.id), None).await {
            // What was sent before the line was cut is done already; the stream says how it stands.
            Err(LineError::Refused { status: 403 | 409 | 422, code, .. }) => {
                (self.report)(&format!("game {}: {what}: {code}", self.id));
                Ok(())
            }
            other => other.map(|_| ()),
        }
    }
}

/// What the search comes to; for ever, if there is none.
async fn chosen(thought: &mut Option<Thought>) -> Result<Move, String> {
    match thought {
        Some(thought) => (&mut thought.chosen).await.unwrap_or_else(|error| Err(error.to_string())),
        None => std::future::pending().await,
    }
}

/// What of a game does not change.
fn fixed(full: &Value, name: &str) -> Option<Fixed> {
    let own = |color: &str| full[color]["name"].as_str().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let side = if own("black") { Color::Black } else { Color::White };
    let start = fen::parse(full["initialFen"].as_str()?).ok()?;
    let mut ends = full["rules"].clone();
    if ends["preset"].is_null() {
        ends.as_object_mut()?.remove("preset");
    }
    let request: RulesRequest = serde_json::from_value(ends).ok()?;
    let start = Game::new(rules(Some(request)).ok()?, start);
    Some(Fixed { start, side, has_clock: !full["clock"].is_null() })
}

/// The game after these moves.
fn played(start: &Game, moves: &str) -> Option<Game> {
    let mut game = start.clone();
    for text in moves.split_whitespace() {
        let m = Notation::AbaPro.parse(game.position(), text).ok()?;
        game.play(m).ok()?;
    }
    Some(game)
}

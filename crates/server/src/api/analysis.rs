//! Running analyses: a client starts and stops searches and hears what they find. When it leaves, they end.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{Utf8Bytes, WebSocket};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sumito_agents::{Info, Limits};
use sumito_engine::analysis::Findings;
use sumito_rules::{Game, Move, Notation, Position};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use utoipa::ToSchema;

use super::socket::{
    Empty, End, Received, SocketListener, SocketOpening, id_of, reply, send, trouble, unknown_type,
};
use super::{play_all, start};
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::seat::Spec;
use crate::http::extract::{message, named};
use crate::live::REPORTS;
use crate::search::pool::{Next, SearchWork, Ticket, Turn, WorkKind};
use crate::search::thought::{Thought, ThoughtResult};
use crate::state::App;
use crate::view::meta::{DEPTH, LINES, NODES, TIME_MS};
use crate::view::position::MoveView;
use crate::view::rules::{RulesRequest, rules};
use crate::view::score::{ScoreView, WdlView, among_people, for_black, speed};

/// What a client may say.
enum AnalysisMessage {
    /// Search.
    Start(Box<Start>),
    /// End a search.
    Stop(Stop),
    /// Are you there?
    Ping,
}

fn analysis_message(text: &str) -> Result<AnalysisMessage, AppError> {
    let (kind, rest) = message(text)?;
    match kind.as_str() {
        "start" => named(rest).map(AnalysisMessage::Start),
        "stop" => named(rest).map(AnalysisMessage::Stop),
        "ping" => named::<Empty>(rest).map(|_| AnalysisMessage::Ping),
        _ => Err(unknown_type(&["start", "stop", "ping"], kind)),
    }
}

/// A search to end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stop {
    id: Value,
}

/// A search to start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    id: Value,
    fen: Option<String>,
    layout: Option<String>,
    moves: Option<Vec<String>>,
    rules: Option<RulesRequest>,
    lines: Option<usize>,
    agent: Option<String>,
    limit: Option<Limit>,
}

/// How long to search.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    time_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

/// A search that was checked.
struct Search {
    game: Game,
    spec: Spec,
    lines: usize,
    limit: Limit,
}

impl Start {
    fn search(self) -> Result<Search, AppError> {
        let mut game = Game::new(rules(self.rules)?, start(self.layout.as_deref(), self.fen.as_deref())?);
        play_all(&mut game, self.moves.as_deref().unwrap_or_default(), Notation::AbaPro, "moves")?;
        let limit = self.limit.unwrap_or_default();
        within("lines", self.lines.unwrap_or(1), 1, LINES as u64)?;
        within("limit.time_ms", limit.time_ms.unwrap_or(1), 1, TIME_MS)?;
        within("limit.nodes", limit.nodes.unwrap_or(1), 1, NODES)?;
        within("limit.depth", limit.depth.unwrap_or(1), 1, DEPTH.into())?;
        let spec = Spec::new(self.agent.as_deref().unwrap_or("sumito"))?;
        Ok(Search { game, spec, lines: self.lines.unwrap_or(1), limit })
    }
}

/// What was found so far.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisLines)]
pub(crate) struct Lines<'a> {
    /// `lines`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'static str,
    /// As it was given.
    #[schema(value_type = Value)]
    id: &'a Value,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    hashfull: Option<u32>,
    lines: Vec<LineOut>,
}

/// A line, the best one first.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisLine)]
pub(crate) struct LineOut {
    score: Option<ScoreView>,
    wdl: Option<WdlView>,
    /// The result that Black can expect.
    black: Option<f64>,
    depth: u32,
    line: Vec<MoveView>,
    /// The same in Aba-Pro notation.
    text: Vec<String>,
}

/// A search's message to its socket.
enum Heard {
    Lines(Utf8Bytes),
    /// It cannot go on, and why.
    Trouble(AppError),
    Done,
}

/// Speaks for a search; when it is dropped, the search is over, however that came.
struct Voice {
    to: UnboundedSender<(Value, u64, Heard)>,
    id: Value,
    number: u64,
    /// Whether the search is at work; if it still is when this is dropped, it panicked.
    at_work: bool,
}

impl Voice {
    fn say(&self, heard: Heard) {
        // The client may have left.
        let _ = self.to.send((self.id.clone(), self.number, heard));
    }

    /// The agent cannot play.
    fn fail(&self, why: String) {
        self.say(Heard::Trouble(Cause::AgentFailed { why }.at("agent")));
    }
}

impl Drop for Voice {
    fn drop(&mut self) {
        if self.at_work {
            self.say(Heard::Trouble(AppError::internal()));
        }
        self.say(Heard::Done);
    }
}

/// Analyse positions (WebSocket)
pub(crate) async fn analysis(State(app): State<App>, opening: SocketOpening) -> Result<Response, AppError> {
    let client = opening.client;
    opening.open(&app, move |app, mut socket| async move {
        let end = serve(app, client, &mut socket).await;
        (socket, end)
    })
}

/// The searches of a socket by id, each with a number that tells it from an earlier one of the same id.
type Running = HashMap<String, (u64, Ticket)>;

/// Serves a socket. Its searches end with it, as their tickets are dropped.
async fn serve(app: App, client: Client, socket: &mut WebSocket) -> End {
    let (to, mut from) = unbounded_channel::<(Value, u64, Heard)>();
    let mut running = Running::new();
    let mut number = 0;
    let mut listener = SocketListener::new(&app, client);
    loop {
        let goes_on = tokio::select! {
            Some((id, of, heard)) = from.recv() => {
                let name = id.to_string();
                let is_current = running.get(&name).is_some_and(|(number, _)| *number == of);
                match heard {
                    Heard::Lines(text) if is_current => send(socket, text).await,
                    Heard::Trouble(error) if is_current => send(socket, trouble(Some(id), &error)).await,
                    Heard::Done if is_current => {
                        running.remove(&name);
                        send(socket, json!({ "type": "done", "id": id }).to_string().into()).await
                    }
                    Heard::Lines(_) | Heard::Trouble(_) | Heard::Done => true,
                }
            },
            came = listener.next(socket) => match came {
                Received::Text(text) => {
                    number += 1;
                    match hear(&app, client, &text, &mut running, (number, &to)).await {
                        Some(answer) => send(socket, answer).await,
                        None => true,
                    }
                }
                Received::Lag(_) => true,
                Received::Reply(message) => reply(socket, message).await,
                Received::End(end) => return end,
            },
        };
        if !goes_on {
            return End::Left;
        }
    }
}

/// Takes in a message; what is to be answered at once comes back.
async fn hear(
    app: &App,
    client: Client,
    text: &str,
    running: &mut Running,
    (number, to): (u64, &UnboundedSender<(Value, u64, Heard)>),
) -> Option<Utf8Bytes> {
    match analysis_message(text) {
        Err(error) => Some(trouble(id_of(text), &error)),
        Ok(AnalysisMessage::Ping) => Some(json!({ "type": "pong" }).to_string().into()),
        Ok(AnalysisMessage::Stop(Stop { id })) => {
            // It says that it is done when it is.
            if let Some((_, ticket)) = running.get(&id.to_string()) {
                ticket.cancel();
            }
            None
        }
        Ok(AnalysisMessage::Start(start)) => {
            let id = start.id.clone();
            if !(id.is_string() || id.is_number()) || id.to_string().len() > 100 {
                let error = Cause::IdForm {}.at("id");
                return Some(trouble(None, &error));
            }
            // The same id again replaces the search.
            running.remove(&id.to_string());
            // A long list of moves takes a while to be played.
            let search = app.builds.run(client, move || start.search()).await;
            let begun = search.and_then(|search| {
                let voice = Voice { to: to.clone(), id: id.clone(), number, at_work: false };
                app.pool.submit(WorkKind::Study, app.owner(client), work(search, voice))
            });
            match begun {
                Ok(ticket) => {
                    running.insert(id.to_string(), (number, ticket));
                    None
                }
                Err(error) => Some(trouble(Some(id), &error)),
            }
        }
    }
}

/// What a search thread does.
fn work(search: Search, voice: Voice) -> SearchWork {
    let mut study =
        Study { search, voice, thought: None, last: None, spent: Duration::ZERO, deepest: 0, told: None };
    Box::new(move |turn: &mut Turn<'_>| study.go_on(turn))
}

/// A search that may have to give way and go on later.
struct Study {
    search: Search,
    voice: Voice,
    /// What an agent has begun to think, and the last that it told.
    thought: Option<Thought>,
    last: Option<Info>,
    /// Time on threads so far.
    spent: Duration,
    /// The deepest that was told: after a break it gets there again before it says something new.
    deepest: u32,
    told: Option<Instant>,
}

impl Study {
    fn go_on(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.search.game.outcome().is_some() {
            return Next::Done;
        }
        let began = Instant::now();
        let whole = Duration::from_millis(self.search.limit.time_ms.unwrap_or(TIME_MS));
        let left = whole.saturating_sub(self.spent);
        self.voice.at_work = true;
        let is_done = if self.search.spec.is_flagship() && self.search.spec.text == "sumito" {
            self.study(turn, left);
            !turn.stop.is_requested()
        } else {
            self.consult(turn, left)
        };
        self.voice.at_work = false;
        self.spent += began.elapsed();
        if !is_done && self.spent < whole { Next::Again } else { Next::Done }
    }

    /// The engine, with several lines.
    fn study(&mut self, turn: &mut Turn<'_>, left: Duration) {
        let mut engine = turn.bench.take_engine();
        let Limit { nodes, depth, .. } = self.search.limit;
        let limits = sumito_engine::Limits {
            move_time: Some(left),
            nodes,
            depth,
            lines: self.search.lines,
            stop: turn.stop.clone(),
            ..Default::default()
        };
        let game = self.search.game.clone();
        let mut last = None;
        engine.analyse(&game, &limits, &mut |findings| {
            if findings.depth() < self.deepest {
                return;
            }
            if self.may_tell() {
                self.tell(findings);
                last = None;
            } else {
                last = Some(findings.clone());
            }
        });
        if let Some(findings) = last {
            self.tell(&findings);
        }
        turn.bench.give_back(engine);
    }

    /// Any agent, with what it tells. False if it was interrupted.
    fn consult(&mut self, turn: &mut Turn<'_>, left: Duration) -> bool {
        let mut thought = self.thought.take().unwrap_or_else(|| {
            let Limit { nodes, depth, .. } = self.search.limit;
            let limits = Limits { move_time: Some(left), nodes, depth, ..Limits::default() };
            Thought::new(self.search.spec.clone(), self.search.game.clone(), None, limits)
        });
        let Some(found) = thought.go_on(turn, true, &mut |info| self.hear(info)) else {
            self.thought = Some(thought);
            return false;
        };
        match found {
            // Some agents report nothing, or another move than they choose in the end.
            ThoughtResult::Chosen(Ok(m)) => {
                let mut info = self.last.take().unwrap_or_default();
                if info.line.first() != Some(&m) {
                    info.line = vec![m];
                }
                self.tell_info(&info);
            }
            ThoughtResult::Chosen(Err(why)) => self.voice.fail(why.to_string()),
            ThoughtResult::Unmade(why) => self.voice.fail(why),
            ThoughtResult::Broken(why) => {
                tracing::error!(spec = self.search.spec.text, why, "an agent broke");
                self.voice.say(Heard::Trouble(AppError::internal()));
            }
        }
        true
    }

    fn hear(&mut self, info: &Info) {
        if info.rank > 0 || info.depth < self.deepest {
            return;
        }
        if self.may_tell() {
            self.tell_info(info);
        }
        self.last = Some(info.clone());
    }

    /// Whether the last message is long enough ago.
    fn may_tell(&mut self) -> bool {
        let may = self.told.is_none_or(|at| at.elapsed() >= REPORTS);
        if may {
            self.told = Some(Instant::now());
        }
        may
    }

    fn tell(&mut self, findings: &Findings) {
        self.deepest = findings.depth();
        let position = &findings.position;
        let time = self.spent + findings.time;
        let lines = findings.lines.iter().map(|line| LineOut {
            score: Some(sumito_engine::analysis::report::ScoreReport::from(line.score).into()),
            wdl: Some(line.wdl.into()),
            black: Some(for_black(line.wdl, position.turn())),
            depth: line.depth,
            ..walked(position, &line.moves)
        });
        let nps = (findings.nodes as f64 / findings.time.as_secs_f64().max(0.001)) as u64;
        let lines = lines.take(self.search.lines).collect();
        let depths = (findings.depth(), findings.seldepth);
        self.say(depths, (findings.nodes, nps, time), Some(findings.hashfull), lines);
    }

    fn tell_info(&mut self, info: &Info) {
        self.deepest = info.depth;
        let position = *self.search.game.position();
        let wdl = among_people(info, &position);
        let line = LineOut {
            score: info.score.map(ScoreView::of_agent),
            wdl: wdl.map(WdlView::from),
            black: wdl.map(|wdl| for_black(wdl, position.turn())),
            depth: info.depth,
            ..walked(&position, &info.line)
        };
        let time = self.spent + info.time;
        self.say((info.depth, info.seldepth), (info.nodes, speed(info), time), info.hashfull, vec![line]);
    }

    fn say(
        &self,
        (depth, seldepth): (u32, u32),
        (nodes, nps, time): (u64, u64, Duration),
        hashfull: Option<u32>,
        lines: Vec<LineOut>,
    ) {
        let time_ms = time.as_millis() as u64;
        let id = &self.voice.id;
        let message = Lines { kind: "lines", id, depth, seldepth, nodes, nps, time_ms, hashfull, lines };
        self.voice.say(Heard::Lines(serde_json::to_string(&message).expect("plain data").into()));
    }
}

/// The moves of a line as far as they fit.
fn walked(position: &Position, moves: &[Move]) -> LineOut {
    let mut at = *position;
    let (mut line, mut text) = (Vec::new(), Vec::new());
    for &m in moves {
        let Ok(next) = at.play(m) else { break };
        let view = MoveView::new(&at, m);
        text.push(view.text.clone());
        line.push(view);
        at = next;
    }
    LineOut { score: None, wdl: None, black: None, depth: 0, line, text }
}

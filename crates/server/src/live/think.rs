//! Agents at work in games: a search is queued when an agent is to move, and its move is played when it is found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sumito_agents::{Info, Score};
use tokio::sync::oneshot;

use super::event::Event;
use super::game::LiveGame;
use super::hall::Hall;
use super::table::{AgentReport, LiveTable, Thinking};
use crate::domain::error::{AppError, Kind as Trouble};
use crate::domain::game::Source;
use crate::domain::seat::Spec;
use crate::domain::value::Value;
use crate::search::pool::{Next, SearchWork, Turn, WorkKind};
use crate::search::thought::{Thought, ThoughtResult};

/// The least time between two reports of a search.
pub(crate) const REPORTS: Duration = Duration::from_millis(100);
/// How long to wait before a move that could not be written is tried again.
const RETRY: Duration = Duration::from_secs(2);
/// The longest time of a move that is not interrupted.
const LONGEST_SHORT: Duration = Duration::from_secs(1);
/// What the way of a move to the database takes, and the least time to think in spite of it.
const WAY: Duration = Duration::from_millis(50);
const LEAST: Duration = Duration::from_millis(20);
/// How often an agent that broke is made again for the same move before it loses the game.
const CHANCES: u32 = 1;

/// A move that was asked for.
#[derive(Clone)]
struct SearchRequest {
    spec: Spec,
    epoch: u64,
    number: u64,
    /// How often its agent broke.
    broken: u32,
}

/// What a search has to say to its game.
enum SearchAnswer {
    /// What the agent chose, and the last that it told.
    Found(ThoughtResult, Option<Info>),
    /// Nobody watches the game any more, so nothing was searched.
    Unwanted,
}

impl LiveGame {
    /// Brings the game's clock and agents in line with its state; to be called after every change.
    pub(super) fn drive(self: &Arc<Self>, hall: &Hall, table: &mut LiveTable) {
        self.set_timer(hall, table);
        self.answer_as_planned(hall, table);
        let wanted = (!table.paused || table.step) && self.is_active(table.source);
        let spec = table.agent_to_move().filter(|_| wanted).map(str::to_string);
        let Some(spec) = spec else {
            table.thinking = None;
            return;
        };
        let side = table.game().turn();
        if table
            .thinking
            .as_ref()
            .is_some_and(|thinking| thinking.epoch == table.epoch && thinking.side == side)
        {
            return;
        }
        match Spec::stored(&spec) {
            Ok(spec) => self.think(hall, table, spec, 0),
            Err(error) => self.give_up(hall, table, error.to_string()),
        }
    }

    /// An agent that is gone from the program since the game began loses it: not here, where the game is being changed.
    fn give_up(self: &Arc<Self>, hall: &Hall, table: &mut LiveTable, why: String) {
        table.thinking = None;
        if table.given_up.replace(table.epoch) == Some(table.epoch) {
            return;
        }
        let (live, hall, epoch) = (Arc::clone(self), hall.clone(), table.epoch);
        tokio::spawn(async move {
            let found = ThoughtResult::Unmade(why);
            live.settle(&hall, &found, None, |table| table.epoch == epoch && table.agent_to_move().is_some())
                .await;
        });
    }

    fn think(self: &Arc<Self>, hall: &Hall, table: &mut LiveTable, spec: Spec, broken: u32) {
        let (send, receive) = oneshot::channel();
        let kind = spec.kind();
        let work = self.work(table, spec.clone(), send);
        let ticket = hall.pool.submit_move(kind, self.share(), work);
        table.thoughts += 1;
        let (epoch, number) = (table.epoch, table.thoughts);
        table.thinking = Some(Thinking { side: table.game().turn(), epoch, number, ticket });
        let (live, hall) = (Arc::clone(self), hall.clone());
        let asked = SearchRequest { spec, epoch, number, broken };
        tokio::spawn(async move {
            // Without a word the search was cancelled, or broke off.
            let silence =
                || SearchAnswer::Found(ThoughtResult::Broken("the search broke off".to_string()), None);
            let answer = receive.await.unwrap_or_else(|_| silence());
            live.answer(&hall, asked, answer).await;
        });
    }

    /// What a search thread does.
    fn work(
        self: &Arc<Self>,
        table: &LiveTable,
        spec: Spec,
        send: oneshot::Sender<SearchAnswer>,
    ) -> SearchWork {
        let thought = Thought::new(spec, table.game().clone(), Some(table.num as u64), table.limits());
        let now = Instant::now();
        let left = table.clock_runs().then(|| Duration::from_millis(table.left_now(now)));
        let (live, source, asked) = (Arc::clone(self), table.source, now);
        let mut search =
            Search { live, source, thought, asked, left, reports: Reports::default(), send: Some(send) };
        Box::new(move |turn: &mut Turn<'_>| search.go_on(turn))
    }

    /// Plays the move that was found, if the game still waits for it.
    async fn answer(self: &Arc<Self>, hall: &Hall, asked: SearchRequest, answer: SearchAnswer) {
        let is_current = |table: &LiveTable| {
            let number = table.thinking.as_ref().map(|thinking| thinking.number);
            table.epoch == asked.epoch && number == Some(asked.number)
        };
        let (found, info) = match answer {
            SearchAnswer::Found(found, info) => (found, info),
            SearchAnswer::Unwanted => {
                let mut table = self.lock().await;
                if is_current(&table) {
                    table.thinking = None;
                }
                return;
            }
        };
        if let ThoughtResult::Broken(why) = &found {
            let mut table = self.lock().await;
            if !is_current(&table) || hall.pool.is_closed() {
                return;
            }
            tracing::error!(id = self.id, spec = asked.spec.text, why, "an agent broke");
            if asked.broken < CHANCES {
                return self.think(hall, &mut table, asked.spec, asked.broken + 1);
            }
        }
        let told = info.as_ref().map(told);
        self.settle(hall, &found, told, is_current).await;
    }

    /// Plays what was found, or ends the game if that is no move, as long as the game is still the same.
    async fn settle(
        self: &Arc<Self>,
        hall: &Hall,
        found: &ThoughtResult,
        told: Option<AgentReport>,
        is_current: impl Fn(&LiveTable) -> bool,
    ) {
        loop {
            let mut table = self.lock().await;
            if !is_current(&table) {
                return;
            }
            let early = Duration::from_millis(table.delay_ms).saturating_sub(table.since.elapsed());
            if !early.is_zero() && !table.step {
                drop(table);
                tokio::time::sleep(early).await;
                continue;
            }
            match self.play_found(hall, &mut table, found, told.clone().unwrap_or_default()).await {
                Err(error) if error.kind() == Trouble::Storage => {
                    tracing::warn!(id = self.id, %error, "an agent's move could not be written; trying again");
                    drop(table);
                    tokio::time::sleep(RETRY).await;
                }
                Err(error) => {
                    return tracing::warn!(id = self.id, %error, "an agent's move could not be played");
                }
                Ok(()) => return,
            }
        }
    }

    async fn play_found(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        found: &ThoughtResult,
        told: AgentReport,
    ) -> Result<(), AppError> {
        if table.clock_runs() && table.left_now(Instant::now()) == 0 {
            return self.flag(hall, table).await.map(|_| ());
        }
        match found {
            ThoughtResult::Chosen(Ok(m)) if table.game().position().is_legal(*m) => {
                self.make(hall, table, *m, told).await
            }
            _ => {
                tracing::warn!(id = self.id, ?found, "an agent has no move to play and loses");
                let side = table.game().turn();
                self.forfeit(hall, table, side).await
            }
        }
    }
}

/// A search for a game's move.
struct Search {
    live: Arc<LiveGame>,
    source: Source,
    thought: Thought,
    asked: Instant,
    /// What was on the clock then, if it runs: it goes on while the search waits for its turn.
    left: Option<Duration>,
    reports: Reports,
    send: Option<oneshot::Sender<SearchAnswer>>,
}

impl Search {
    fn go_on(&mut self, turn: &mut Turn<'_>) -> Next {
        let answer = if self.thought.has_begun() || self.live.is_active(self.source) {
            let Some(found) = self.search(turn) else { return Next::Again };
            SearchAnswer::Found(found, self.reports.last.take())
        } else {
            SearchAnswer::Unwanted
        };
        if let Some(send) = self.send.take() {
            // The game may have gone on without it.
            let _ = send.send(answer);
        }
        Next::Done
    }

    fn search(&mut self, turn: &mut Turn<'_>) -> Option<ThoughtResult> {
        if !self.thought.has_begun() {
            self.hurry();
        }
        // With half of the clock gone it is better to answer than to wait once more.
        let may_wait = self.left.is_none_or(|left| self.asked.elapsed() < left / 2);
        let Search { live, thought, reports, .. } = self;
        let (ply, position) = (thought.game.moves().len(), *thought.game.position());
        let tell = |info: &Info| live.tell(|| Event::Thinking { ply, position: &position, info });
        let found = thought.go_on(turn, may_wait, &mut |info| reports.hear(info, &tell));
        if found.is_some() {
            reports.end(&tell);
        }
        found
    }

    /// Takes what the search has waited off its time.
    fn hurry(&mut self) {
        let waited = self.asked.elapsed();
        let less = |time: Duration| time.saturating_sub(waited).max(LEAST);
        let (limits, turn) = (&mut self.thought.limits, self.thought.game.turn());
        if let Some(clock) = &mut limits.clock {
            clock[turn].left = less(clock[turn].left);
        }
        let most = self.left.map(|left| less(left.saturating_sub(WAY)));
        let short = (self.thought.spec.kind() < WorkKind::Move).then_some(LONGEST_SHORT);
        limits.move_time = [limits.move_time, most, short].into_iter().flatten().min();
    }
}

/// What a search reports, not too often.
#[derive(Default)]
struct Reports {
    last: Option<Info>,
    told: Option<Instant>,
    /// Whether the last one was kept back.
    untold: bool,
}

impl Reports {
    fn hear(&mut self, info: &Info, tell: &dyn Fn(&Info)) {
        if info.rank > 0 {
            return;
        }
        self.untold = self.told.is_some_and(|at| at.elapsed() < REPORTS);
        if !self.untold {
            tell(info);
            self.told = Some(Instant::now());
        }
        self.last = Some(info.clone());
    }

    fn end(&mut self, tell: &dyn Fn(&Info)) {
        if let (true, Some(info)) = (self.untold, &self.last) {
            tell(info);
        }
    }
}

/// What is kept of a report.
fn told(info: &Info) -> AgentReport {
    let expected = match (info.wdl, info.score) {
        (Some(wdl), _) => Some(wdl.expected()),
        (None, Some(Score::Win(moves))) => Some(if moves > 0 { 1.0 } else { 0.0 }),
        (None, _) => None,
    };
    AgentReport {
        value: info.score.map(Value::of_agent),
        depth: Some(info.depth.into()),
        nodes: Some(info.nodes as i64),
        expected,
    }
}

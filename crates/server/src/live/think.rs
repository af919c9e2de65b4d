//! Agents at work in games: a search is queued when an agent is to move, and its move is played when it is found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sumito_agents::{AgentError, Info, Limits, Score};
use sumito_rules::{Game, Move};
use tokio::sync::oneshot;

use super::event::Event;
use super::game::Live;
use super::table::{Table, Thinking, Told};
use crate::search::pool::{Kind, Next, Turn, Work};
use crate::state::App;
use crate::view::score::ScoreView;
use crate::view::seat::Spec;

/// The least time between two reports of a search.
pub(crate) const REPORTS: Duration = Duration::from_millis(100);
/// How long to wait before a move that could not be written is tried again.
const RETRY: Duration = Duration::from_secs(2);

type Chosen = (Result<Move, AgentError>, Option<Info>);

impl Live {
    /// Brings the game's clock and agents in line with its state; to be called after every change.
    pub(super) fn drive(self: &Arc<Self>, app: &App, table: &mut Table) {
        self.set_timer(app, table);
        let wanted = (!table.paused || table.step) && self.is_active(table);
        let spec = table.agent_to_move().filter(|_| wanted).map(str::to_string);
        let Some(spec) = spec else {
            table.thinking = None;
            return;
        };
        let side = table.game.turn();
        if table
            .thinking
            .as_ref()
            .is_some_and(|thinking| thinking.epoch == table.epoch && thinking.side == side)
        {
            return;
        }
        match Spec::new(&spec) {
            Ok(spec) => self.think(app, table, spec),
            // An agent that is gone from the program since the game began.
            Err(error) => tracing::warn!(id = self.id, %error, "an agent cannot be made"),
        }
    }

    fn think(self: &Arc<Self>, app: &App, table: &mut Table, spec: Spec) {
        let (send, receive) = oneshot::channel();
        let work = self.work(table, spec.clone(), send);
        let kind = if spec.is_quick() { Kind::Quick } else { Kind::Move };
        let ticket = app.pool.submit_move(kind, self.owner, work);
        let epoch = table.epoch;
        table.thinking = Some(Thinking { side: table.game.turn(), epoch, ticket });
        let (live, app) = (Arc::clone(self), app.clone());
        tokio::spawn(async move {
            if let Ok(chosen) = receive.await {
                live.answer(&app, epoch, chosen, spec.is_flagship()).await;
            }
        });
    }

    /// What a search thread does.
    fn work(self: &Arc<Self>, table: &Table, spec: Spec, send: oneshot::Sender<Chosen>) -> Work {
        let (game, limits, live) = (table.game.clone(), table.limits(), Arc::clone(self));
        let (num, mut send) = (table.num as u64, Some(send));
        Box::new(move |turn: &mut Turn<'_>| {
            let chosen = live.choose(turn, (&spec, num), &game, &limits);
            if let Some(send) = send.take() {
                // The game may have gone on without it.
                let _ = send.send(chosen);
            }
            Next::Done
        })
    }

    fn choose(&self, turn: &mut Turn<'_>, (spec, num): (&Spec, u64), game: &Game, limits: &Limits) -> Chosen {
        let limits = Limits { stop: turn.stop.clone(), ..limits.clone() };
        let agent = match turn.bench.agent(spec, num, game.rules()) {
            Ok(agent) => agent,
            Err(why) => return (Err(AgentError::Crashed(why)), None),
        };
        let ply = game.moves().len();
        let tell = |info: &Info| {
            self.tell(|| Event::thinking(ply, game.position(), info, spec.is_flagship()).text());
        };
        let (mut last, mut told): (Option<Info>, Option<Instant>) = (None, None);
        let mut untold = false;
        let chosen = agent.choose(game, &limits, &mut |info| {
            if info.rank > 0 {
                return;
            }
            untold = told.is_some_and(|at| at.elapsed() < REPORTS);
            if !untold {
                tell(info);
                told = Some(Instant::now());
            }
            last = Some(info.clone());
        });
        if let (true, Some(info)) = (untold, &last) {
            tell(info);
        }
        (chosen, last)
    }

    /// Plays the move that was found, if the game still waits for it.
    async fn answer(self: &Arc<Self>, app: &App, epoch: u64, (chosen, info): Chosen, is_flagship: bool) {
        let told = info.map(|info| told(&info, is_flagship)).unwrap_or_default();
        loop {
            let mut table = self.lock().await;
            if table.epoch != epoch || table.thinking.is_none() {
                return;
            }
            let early = Duration::from_millis(table.delay_ms).saturating_sub(table.since.elapsed());
            if !early.is_zero() && !table.step {
                drop(table);
                tokio::time::sleep(early).await;
                continue;
            }
            let result = match &chosen {
                _ if table.clock_runs() && table.left_now(Instant::now()) == 0 => {
                    self.flag(app, &mut table).await.map(|_| ())
                }
                Ok(m) if table.game.position().is_legal(*m) => {
                    self.make(app, &mut table, *m, told.clone()).await.map(|_| ())
                }
                Ok(_) | Err(_) => {
                    tracing::warn!(id = self.id, ?chosen, "an agent has no move to play");
                    let side = table.game.turn();
                    self.forfeit(app, &mut table, side).await
                }
            };
            match result {
                Err(error) if error.is_storage() => {
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
}

/// What is kept of a report.
fn told(info: &Info, is_flagship: bool) -> Told {
    let expected = match (info.wdl, info.score) {
        (Some(wdl), _) => Some(wdl.expected()),
        (None, Some(Score::Win(moves))) => Some(if moves > 0 { 1.0 } else { 0.0 }),
        (None, _) => None,
    };
    Told {
        score: info
            .score
            .and_then(|score| serde_json::to_string(&ScoreView::of_agent(score, is_flagship)).ok()),
        depth: Some(info.depth.into()),
        nodes: Some(info.nodes as i64),
        expected,
    }
}

//! Reviews of games: made by a search thread position by position, kept in the database. Whoever has not the key of a
//! game can have it reviewed as well, with little effort.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sumito_engine::analysis::{Course, Findings};
use sumito_engine::{Limits, Stop};
use sumito_rules::{Game, Notation};
use tokio::sync::mpsc;

use super::event::Event;
use super::game::LiveGame;
use super::hall::Hall;
use super::table::LiveTable;
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::game::ReviewStage;
use crate::domain::kept::KeptReview;
use crate::domain::keys::Credentials;
use crate::search::pool::{Next, SearchWork, Turn, WorkKind};
use crate::store::Write;

/// How long to look at each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Positions of the search; 20,000 if nothing is said, which is the most without the key of the game.
    pub(crate) nodes: Option<u64>,
    /// Or milliseconds, at most 100 without the key.
    pub(crate) time_ms: Option<u64>,
}

/// How far a review is.
#[derive(Debug)]
pub(crate) struct ReviewProgress {
    pub(crate) stage: ReviewStage,
    /// Positions that are done.
    pub(crate) done: usize,
    /// Positions in all.
    pub(crate) whole: usize,
    /// The review in JSON, when it is done.
    pub(crate) report: Option<String>,
}

/// The most positions and milliseconds with the key of the game.
const MOST_NODES: u64 = 10_000_000;
const MOST_MS: u64 = 10_000;
/// The same without the key. So many positions are also looked at when nothing is said.
const OPEN_NODES: u64 = 20_000;
const OPEN_MS: u64 = 100;
/// A position that is taken up again after an interruption has cost at least so many positions a second, so that it comes
/// to its end however often it is interrupted.
const LEAST_SPEED: f64 = 100_000.0;

impl Effort {
    fn checked(self) -> Result<Effort, AppError> {
        within("nodes", self.nodes.unwrap_or(1), 1, MOST_NODES)?;
        within("time_ms", self.time_ms.unwrap_or(1), 1, MOST_MS)?;
        let nodes = self.nodes.or(if self.time_ms.is_none() { Some(OPEN_NODES) } else { None });
        Ok(Effort { nodes, ..self })
    }

    /// Whether it needs no key.
    fn is_small(self) -> bool {
        self.nodes.is_none_or(|nodes| nodes <= OPEN_NODES) && self.time_ms.is_none_or(|ms| ms <= OPEN_MS)
    }
}

enum Progress {
    Done(usize),
    Finished(String),
}

impl LiveGame {
    /// Where the review is, with the review if it is there.
    pub(crate) async fn review_state(&self, hall: &Hall) -> Result<ReviewProgress, AppError> {
        let (num, stage, done, whole, plies) = {
            let table = self.lock().await;
            let plies = table.game().moves().len();
            (table.num, table.review.stage, table.review.done, table.review.whole, plies)
        };
        if stage != ReviewStage::Done {
            return Ok(ReviewProgress { stage, done, whole, report: None });
        }
        let row = hall.store.review(num).await?;
        let report = row.map(|row| row.report);
        Ok(ReviewProgress { stage, done: plies + 1, whole: plies + 1, report })
    }

    /// Queues a review, unless it is there already.
    pub(crate) async fn start_review(
        self: &Arc<Self>,
        hall: &Hall,
        effort: Effort,
        (who, client): (&Credentials, Client),
    ) -> Result<ReviewProgress, AppError> {
        let effort = effort.checked()?;
        let mut table = self.lock().await;
        table.refuse_help()?;
        if !effort.is_small() && table.keys.speaker(who).is_err() {
            let (nodes, ms) = (OPEN_NODES, OPEN_MS);
            let cause = if who.key.is_none() { Cause::ReviewKey { nodes, ms } } else { Cause::KeyWrong {} };
            return Err(cause.at("key"));
        }
        if table.game().moves().is_empty() {
            return Err(Cause::GameNoMoves {}.at("id"));
        }
        match table.review.stage {
            ReviewStage::Queued | ReviewStage::Running => {
                return Err(Cause::ReviewRunning {}.at("id"));
            }
            ReviewStage::Done => {
                let row = hall.store.review(table.num).await?;
                let same = |row: &KeptReview| {
                    (row.nodes, row.time_ms)
                        == (effort.nodes.map(|n| n as i64), effort.time_ms.map(|n| n as i64))
                };
                if row.as_ref().is_some_and(same) {
                    drop(table);
                    return self.review_state(hall).await;
                }
            }
            ReviewStage::None => {}
        }
        let (send, receive) = mpsc::unbounded_channel();
        let owner = hall.owner(client);
        let ticket = hall.pool.submit(WorkKind::Review, owner, work(table.game(), effort, send))?;
        table.review.stage = ReviewStage::Queued;
        (table.review.done, table.review.whole) = (0, table.game().positions().len());
        (table.review.ticket, table.review.by) = (Some(ticket), Some(owner));
        table.review.number += 1;
        self.tell_game(&table);
        let state =
            ReviewProgress { stage: ReviewStage::Queued, done: 0, whole: table.review.whole, report: None };
        let followed = Followed { effort, plies: table.game().moves().len(), number: table.review.number };
        let (live, hall) = (Arc::clone(self), hall.clone());
        tokio::spawn(async move { live.follow(&hall, receive, followed).await });
        Ok(state)
    }

    /// Ends a review that is being made, for whoever has the key or had it made.
    pub(crate) async fn cancel_review(
        self: &Arc<Self>,
        hall: &Hall,
        (who, client): (&Credentials, Client),
    ) -> Result<ReviewProgress, AppError> {
        let mut table = self.lock().await;
        if !matches!(table.review.stage, ReviewStage::Queued | ReviewStage::Running) {
            return Err(Cause::ReviewNotRunning {}.at("id"));
        }
        if table.review.by != Some(hall.owner(client)) && table.keys.speaker(who).is_err() {
            return Err(Cause::ReviewOther {}.at("key"));
        }
        table.review.number += 1;
        self.end_review(&mut table);
        let (done, whole) = (table.review.done, table.review.whole);
        Ok(ReviewProgress { stage: table.review.stage, done, whole, report: None })
    }

    /// Nothing is searched any more. What is not done will not be.
    fn end_review(&self, table: &mut LiveTable) {
        (table.review.ticket, table.review.by) = (None, None);
        if table.review.stage != ReviewStage::Done {
            table.review.stage = ReviewStage::None;
        }
        let (done, whole, state) = (table.review.done, table.review.whole, table.review.stage);
        self.tell(|| Event::Review { done, whole, state });
        self.tell_game(table);
    }

    /// Tells how far the review is, and keeps it when it is done.
    async fn follow(
        self: &Arc<Self>,
        hall: &Hall,
        mut receive: mpsc::UnboundedReceiver<Progress>,
        Followed { effort, plies, number }: Followed,
    ) {
        while let Some(progress) = receive.recv().await {
            let mut table = self.lock().await;
            if table.review.number != number {
                return;
            }
            match progress {
                Progress::Done(done) => {
                    table.review.done = done;
                    table.review.stage = ReviewStage::Running;
                    let whole = table.review.whole;
                    self.tell(|| Event::Review { done, whole, state: ReviewStage::Running });
                }
                Progress::Finished(report) => {
                    let review = KeptReview {
                        nodes: effort.nodes.map(|n| n as i64),
                        time_ms: effort.time_ms.map(|n| n as i64),
                        plies: plies as i64,
                        report,
                    };
                    let written =
                        hall.store.write(Write::Review { game: table.num, review, created: now() }).await;
                    let fits = table.game().moves().len() == plies;
                    table.review.stage =
                        if written.is_ok() && fits { ReviewStage::Done } else { ReviewStage::None };
                }
            }
        }
        // The search has ended, one way or the other.
        let mut table = self.lock().await;
        if table.review.number == number {
            self.end_review(&mut table);
        }
    }
}

/// A review that is being made.
struct Followed {
    effort: Effort,
    plies: usize,
    number: u64,
}

fn work(game: &Game, effort: Effort, send: mpsc::UnboundedSender<Progress>) -> SearchWork {
    let mut review =
        Reviewer { course: Some(Course::new(game)), effort, send, before: None, spent: Spent::default() };
    Box::new(move |turn: &mut Turn<'_>| review.go_on(turn))
}

/// A review at work, which gives way and goes on.
struct Reviewer {
    /// None when it is through.
    course: Option<Course>,
    effort: Effort,
    send: mpsc::UnboundedSender<Progress>,
    /// What was found in the position at hand before an interruption.
    before: Option<Findings>,
    spent: Spent,
}

/// What the position at hand has cost before an interruption.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    time: Duration,
    nodes: u64,
}

impl Spent {
    fn add(&mut self, time: Duration, nodes: u64) {
        self.time += time;
        // The nodes are as of the last report, which may be long ago.
        self.nodes += nodes.max((time.as_secs_f64() * LEAST_SPEED) as u64);
    }

    /// What is left of the effort for a position.
    fn limits(&self, effort: Effort, stop: Stop) -> Limits {
        let time = effort.time_ms.map(Duration::from_millis);
        let move_time = time.map(|time| time.saturating_sub(self.time).max(Duration::from_millis(1)));
        let nodes = effort.nodes.map(|nodes| nodes.saturating_sub(self.nodes).max(1));
        Limits { nodes, move_time, lines: 1, stop, ..Limits::default() }
    }
}

impl Reviewer {
    fn go_on(&mut self, turn: &mut Turn<'_>) -> Next {
        let Some(mut course) = self.course.take() else { return Next::Done };
        let mut engine = turn.bench.take_engine();
        while let Some(game) = course.to_do() {
            let (limits, began) = (self.spent.limits(self.effort, turn.stop.clone()), Instant::now());
            let found = engine.analyse(game, &limits, &mut |_| ());
            let is_interrupted = turn.stop.is_requested();
            let nodes = found.nodes;
            let deeper = match self.before.take() {
                Some(before) if before.depth() > found.depth() => before,
                _ => found,
            };
            if is_interrupted {
                self.spent.add(began.elapsed(), nodes);
                (self.before, self.course) = (Some(deeper), Some(course));
                turn.bench.give_back(engine);
                return Next::Again;
            }
            self.spent = Spent::default();
            // If nobody listens, the review was cancelled.
            let _ = self.send.send(Progress::Done(course.add(deeper).done));
        }
        turn.bench.give_back(engine);
        if let Ok(report) = serde_json::to_string(&course.review().report(Notation::AbaPro)) {
            let _ = self.send.send(Progress::Finished(report));
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_that_is_interrupted_without_end_comes_to_its_end() {
        let effort = Effort { nodes: Some(MOST_NODES), time_ms: None };
        let (mut spent, mut turns) = (Spent::default(), 0);
        while spent.limits(effort, Stop::default()).nodes > Some(1) {
            spent.add(Duration::from_millis(50), 0);
            turns += 1;
        }
        assert_eq!(turns, 2000);
        let effort = Effort { nodes: None, time_ms: Some(100) };
        assert_eq!(spent.limits(effort, Stop::default()).move_time, Some(Duration::from_millis(1)));
    }
}

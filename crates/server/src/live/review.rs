//! Reviews of games: made by a search thread position by position, kept in the database.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sumito_engine::{Limits, Stop};
use sumito_rules::{Game, Notation};
use tokio::sync::mpsc;
use utoipa::ToSchema;

use super::event::Event;
use super::game::Live;
use crate::client::Client;
use crate::clock::now;
use crate::error::AppError;
use crate::search::pool::{Kind, Next, Turn, Work};
use crate::state::App;
use crate::store::{ReviewRow, Write};
use crate::view::game::ReviewStage;

/// How long to look at each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    /// Positions of the search; 20,000 if nothing is said.
    #[schema(minimum = 1, maximum = 10_000_000)]
    pub(crate) nodes: Option<u64>,
    /// Or milliseconds.
    #[schema(minimum = 1, maximum = 10_000)]
    pub(crate) time_ms: Option<u64>,
}

/// How far a review is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewState {
    pub(crate) state: ReviewStage,
    /// Positions that are done.
    pub(crate) done: usize,
    /// Positions in all.
    pub(crate) whole: usize,
    /// The review, when it is done.
    #[schema(value_type = Option<Object>)]
    pub(crate) review: Option<Box<RawValue>>,
}

impl ReviewRequest {
    fn checked(self) -> Result<ReviewRequest, AppError> {
        let within = |field: &str, value: Option<u64>, most: u64| match value {
            Some(value) if !(1..=most).contains(&value) => Err(AppError::invalid(
                field,
                format!("expected a whole number from 1 to {most}, found {value}"),
            )),
            _ => Ok(()),
        };
        within("nodes", self.nodes, 10_000_000)?;
        within("time_ms", self.time_ms, 10_000)?;
        let nodes = self.nodes.or(if self.time_ms.is_none() { Some(20_000) } else { None });
        Ok(ReviewRequest { nodes, ..self })
    }

    fn limits(self, stop: Stop) -> Limits {
        let move_time = self.time_ms.map(Duration::from_millis);
        Limits { nodes: self.nodes, move_time, lines: 1, stop, ..Limits::default() }
    }
}

enum Progress {
    Done(usize),
    Finished(String),
}

impl Live {
    /// Where the review is, with the review if it is there.
    pub(crate) async fn review_state(&self, app: &App) -> Result<ReviewState, AppError> {
        let (num, stage, done, whole, plies) = {
            let table = self.lock().await;
            let plies = table.game.moves().len();
            (table.num, table.review.stage, table.review.done, table.review.whole, plies)
        };
        if stage != ReviewStage::Done {
            return Ok(ReviewState { state: stage, done, whole, review: None });
        }
        let row = app.store.review(num).await?;
        let review = row.map(|row| RawValue::from_string(row.report)).transpose();
        let review = review.map_err(|_| AppError::internal())?;
        Ok(ReviewState { state: stage, done: plies + 1, whole: plies + 1, review })
    }

    /// Queues a review, unless it is there already.
    pub(crate) async fn start_review(
        self: &Arc<Self>,
        app: &App,
        request: ReviewRequest,
        client: Client,
    ) -> Result<ReviewState, AppError> {
        let request = request.checked()?;
        let mut table = self.lock().await;
        if table.game.moves().is_empty() {
            return Err(AppError::conflict("id", "expected a game with at least one move"));
        }
        match table.review.stage {
            ReviewStage::Queued | ReviewStage::Running => {
                return Err(AppError::conflict("id", "the review of this game is being made already"));
            }
            ReviewStage::Done => {
                let row = app.store.review(table.num).await?;
                let same = |row: &ReviewRow| {
                    (row.nodes, row.time_ms)
                        == (request.nodes.map(|n| n as i64), request.time_ms.map(|n| n as i64))
                };
                if row.as_ref().is_some_and(same) {
                    drop(table);
                    return self.review_state(app).await;
                }
            }
            ReviewStage::None => {}
        }
        let (send, receive) = mpsc::unbounded_channel();
        let ticket = app.pool.submit(Kind::Review, client, work(table.game.clone(), request, send))?;
        table.review.stage = ReviewStage::Queued;
        (table.review.done, table.review.whole) = (0, table.game.positions().len());
        table.review.ticket = Some(ticket);
        self.tell_game(&table);
        let state =
            ReviewState { state: ReviewStage::Queued, done: 0, whole: table.review.whole, review: None };
        let (live, app, plies) = (Arc::clone(self), app.clone(), table.game.moves().len());
        tokio::spawn(async move { live.follow(&app, receive, request, plies).await });
        Ok(state)
    }

    /// Tells how far the review is, and keeps it when it is done.
    async fn follow(
        self: &Arc<Self>,
        app: &App,
        mut receive: mpsc::UnboundedReceiver<Progress>,
        request: ReviewRequest,
        plies: usize,
    ) {
        while let Some(progress) = receive.recv().await {
            let mut table = self.lock().await;
            match progress {
                Progress::Done(done) => {
                    table.review.done = done;
                    table.review.stage = ReviewStage::Running;
                    let whole = table.review.whole;
                    self.tell(|| Event::Review { done, whole, state: ReviewStage::Running }.text());
                }
                Progress::Finished(report) => {
                    let review = ReviewRow {
                        nodes: request.nodes.map(|n| n as i64),
                        time_ms: request.time_ms.map(|n| n as i64),
                        plies: plies as i64,
                        report,
                    };
                    let written =
                        app.store.write(Write::Review { game: table.num, review, created: now() }).await;
                    let fits = table.game.moves().len() == plies;
                    table.review.stage =
                        if written.is_ok() && fits { ReviewStage::Done } else { ReviewStage::None };
                }
            }
        }
        // The search has ended, one way or the other.
        let mut table = self.lock().await;
        table.review.ticket = None;
        if table.review.stage != ReviewStage::Done {
            table.review.stage = ReviewStage::None;
        }
        let (done, whole, state) = (table.review.done, table.review.whole, table.review.stage);
        self.tell(|| Event::Review { done, whole, state }.text());
        self.tell_game(&table);
    }
}

fn work(game: Game, request: ReviewRequest, send: mpsc::UnboundedSender<Progress>) -> Work {
    Box::new(move |turn: &mut Turn<'_>| {
        let mut engine = turn.bench.take_engine();
        let limits = request.limits(turn.stop.flag());
        let review = engine.review(&game, &limits, &mut |progress| {
            // If nobody listens, the game is gone from memory, which does not happen while a review runs.
            let _ = send.send(Progress::Done(progress.done));
            turn.let_moves_through();
        });
        turn.bench.give_back(engine);
        if review.is_complete()
            && let Ok(report) = serde_json::to_string(&review.report(Notation::AbaPro))
        {
            let _ = send.send(Progress::Finished(report));
        }
        Next::Done
    })
}

//! The state of one game: the moves, the clocks, who plays. It knows neither the database nor the network; a change is
//! prepared, written by others, and then applied.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sumito_agents::Limits;
use sumito_rules::{ByColor, Color, Game, Move, Notation, Position, Rules, fen};

use super::written::{Notes, Written};
use crate::client::Owner;
use crate::clock::now;
use crate::error::{self, AppError, Cause};
use crate::search::pool::Ticket;
use crate::store::canonical::{Place, places};
use crate::store::{Change, GameRow, PlyRow, Write};
use crate::view::game::{ClockView, ClocksView, GameView, PlayedMove, ReviewStage, Source};
use crate::view::position::{OutcomeView, PositionView};
use crate::view::rules::RulesView;
use crate::view::seat::Seat;

/// The most moves of a game: with rules that do not end it, it ends here.
pub(crate) const MOST_PLIES: usize = 10_000;

/// A game and all around it.
pub(crate) struct Table {
    pub(crate) num: i64,
    pub(crate) id: String,
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) clock: Option<ClockView>,
    created: i64,
    updated: i64,
    tags: BTreeMap<String, String>,
    /// The text of an annotated import, and what it says about the moves.
    record: Option<Arc<str>>,
    notes: Notes,
    pub(crate) game: Game,
    /// An end that a record tells and the marbles do not.
    declared: Option<OutcomeView>,
    plies: Vec<PlyRow>,
    /// What is left on the clocks, as of the last move.
    left: ByColor<u64>,
    /// When the side to move got the turn.
    pub(crate) since: Instant,
    pub(crate) paused: bool,
    pub(crate) delay_ms: u64,
    pub(crate) think_ms: u64,
    pub(crate) next: Option<String>,
    /// Whether one move is to be played in spite of the pause.
    pub(crate) step: bool,
    pub(crate) thinking: Option<Thinking>,
    /// Searches begun, so that each has a number.
    pub(crate) thoughts: u64,
    /// The epoch in which the game is about to be lost by an agent that cannot be made.
    pub(crate) given_up: Option<u64>,
    /// The task that waits for the clock to run out.
    pub(crate) timer: Option<tokio::task::AbortHandle>,
    /// The result that an agent expected when it last thought.
    pub(crate) expected: ByColor<Option<f64>>,
    pub(crate) review: Reviewing,
    /// Grows with every change, so that what was begun before is known to be out of date.
    pub(crate) epoch: u64,
}

/// An agent at work.
pub(crate) struct Thinking {
    pub(crate) side: Color,
    pub(crate) epoch: u64,
    /// Tells it from an earlier one of the same epoch.
    pub(crate) number: u64,
    /// The search ends when this is dropped.
    #[expect(dead_code, reason = "held for its drop")]
    pub(crate) ticket: Ticket,
}

/// A review in the making.
pub(crate) struct Reviewing {
    pub(crate) stage: ReviewStage,
    pub(crate) done: usize,
    pub(crate) whole: usize,
    pub(crate) ticket: Option<Ticket>,
    /// Who had it made.
    pub(crate) by: Option<Owner>,
    /// Tells it from an earlier one.
    pub(crate) number: u64,
}

/// The longest that an agent thinks about a move, whatever is on its clock.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);

/// A move that is prepared but not yet made.
pub(crate) struct Step {
    game: Game,
    ply: PlyRow,
    left: ByColor<u64>,
    change: Change,
    places: Vec<Place>,
}

impl Step {
    pub(crate) fn write(&self, num: i64) -> Write {
        let (change, ply) = (Box::new(self.change.clone()), Some(self.ply.clone()));
        Write::Change { game: num, change, ply, places: self.places.clone(), gone: Vec::new() }
    }
}

/// What an agent told about its move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) score: Option<String>,
    pub(crate) depth: Option<i64>,
    pub(crate) nodes: Option<i64>,
    pub(crate) expected: Option<f64>,
}

fn initial(clock: Option<ClockView>) -> u64 {
    match clock {
        Some(ClockView::Move { ms }) => ms,
        Some(ClockView::Game { base_ms, .. }) => base_ms,
        None => 0,
    }
}

impl Table {
    /// A game as it comes from the database.
    pub(crate) fn load(row: GameRow, plies: Vec<PlyRow>, reviewed: Option<i64>) -> Result<Table, AppError> {
        let damaged = |what: String| {
            tracing::warn!(id = row.id, what, "a game in the database cannot be replayed");
            Cause::GameDamaged { what }.at("id")
        };
        let start = fen::parse(&row.start).map_err(|error| damaged(format!("its start: {error}")))?;
        let found = row.state.moves.len();
        if found > MOST_PLIES {
            return Err(Cause::MovesTooMany { most: MOST_PLIES, found }.at("id"));
        }
        let mut game = Game::new(Rules::from(row.rules.clone()), start);
        for (ply, &m) in row.state.moves.iter().enumerate() {
            game.play(m).map_err(|error| damaged(format!("its move {}: {error}", ply + 1)))?;
        }
        let declared = end(&mut game, &row);
        if let Some(by) = row.state.offer {
            game.offer_draw(by);
        }
        let state = row.state;
        let left = ByColor::new(state.black_ms, state.white_ms);
        let is_reviewed = reviewed.is_some_and(|plies| plies == state.moves.len() as i64);
        Ok(Table {
            num: row.num,
            id: row.id,
            key: row.key,
            source: row.source,
            layout: row.layout,
            seats: ByColor::new(row.black, row.white),
            clock: row.clock,
            created: row.created,
            updated: state.updated,
            tags: row.tags,
            notes: row.record.as_deref().map(Notes::read).unwrap_or_default(),
            record: row.record.map(Arc::from),
            game,
            declared,
            plies,
            left: left.map(|left| left.map_or(initial(row.clock), |ms| ms.max(0) as u64)),
            since: Instant::now(),
            paused: state.paused,
            delay_ms: state.delay_ms.max(0) as u64,
            think_ms: state.think_ms.max(1) as u64,
            next: state.next,
            step: false,
            thinking: None,
            thoughts: 0,
            given_up: None,
            timer: None,
            expected: ByColor::default(),
            review: Reviewing {
                stage: if is_reviewed { ReviewStage::Done } else { ReviewStage::None },
                done: 0,
                whole: 0,
                ticket: None,
                by: None,
                number: 0,
            },
            epoch: 0,
        })
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let record = self.record.as_ref().map_or(0, |text| text.len());
        let moves = self.game.moves().len() * (size_of::<Position>() + size_of::<Move>());
        size_of::<Table>() + moves + self.plies.len() * 2 * size_of::<PlyRow>() + 2 * record
    }

    /// How the game ended, if it has.
    pub(crate) fn outcome(&self) -> Option<OutcomeView> {
        self.game.outcome().map(OutcomeView::from).or_else(|| self.declared.clone())
    }

    pub(crate) fn refuse_if_over(&self) -> Result<(), AppError> {
        match self.outcome() {
            None => Ok(()),
            Some(outcome) => {
                let message = format!("the game is over ({})", outcome.text);
                Err(Cause::GameOver { reason: outcome.reason }.at("id").saying(message))
            }
        }
    }

    /// Whether no more moves are taken, so that nothing made of the game becomes too large.
    pub(crate) fn is_full(&self) -> bool {
        self.game.moves().len() >= MOST_PLIES
    }

    /// The spec of the agent that is to move; nothing if a person is, or the game is over or too long.
    pub(crate) fn agent_to_move(&self) -> Option<&str> {
        if self.outcome().is_some() || self.is_full() { None } else { self.seats[self.game.turn()].spec() }
    }

    /// Whether the clock of the side to move runs. It starts with the second move.
    pub(crate) fn clock_runs(&self) -> bool {
        self.clock.is_some() && !self.paused && !self.game.moves().is_empty() && self.outcome().is_none()
    }

    /// What the side to move has left.
    pub(crate) fn left_now(&self, at: Instant) -> u64 {
        let spent =
            if self.clock_runs() { at.saturating_duration_since(self.since).as_millis() as u64 } else { 0 };
        self.left[self.game.turn()].saturating_sub(spent)
    }

    fn clocks(&self, at: Instant) -> Option<ClocksView> {
        self.clock?;
        let turn = self.game.turn();
        let mut left = self.left;
        left[turn] = self.left_now(at);
        let running = self.clock_runs().then_some(turn);
        Some(ClocksView { black_ms: left.black, white_ms: left.white, running })
    }

    /// How long the agent to move may think.
    pub(crate) fn limits(&self) -> Limits {
        /// What the way to the database takes.
        const WAY: u64 = 50;
        let think = Duration::from_millis(self.think_ms).min(LONGEST_THOUGHT);
        match self.clock {
            None => Limits { move_time: Some(think), ..Limits::default() },
            Some(ClockView::Move { ms }) => {
                let time = Duration::from_millis(ms.saturating_sub(WAY).max(20))
                    .min(think.max(Duration::from_secs(1)));
                Limits { move_time: Some(time), ..Limits::default() }
            }
            Some(ClockView::Game { increment_ms, .. }) => {
                let increment = Duration::from_millis(increment_ms);
                let clock = self.left.map(|ms| sumito_agents::Clock {
                    left: Duration::from_millis(ms.saturating_sub(WAY).max(20)),
                    increment,
                });
                Limits { clock: Some(clock), move_time: Some(LONGEST_THOUGHT), ..Limits::default() }
            }
        }
    }

    /// The state as the database keeps it, with a game that may be another one.
    fn change(&self, game: &Game, left: ByColor<u64>, declared: Option<&OutcomeView>) -> Change {
        let outcome = game.outcome().map(OutcomeView::from).or(declared.cloned());
        let result = outcome.as_ref().map(|outcome| match outcome.winner {
            Some(Color::Black) => "black".to_string(),
            Some(Color::White) => "white".to_string(),
            None => "draw".to_string(),
        });
        let kept = |ms: u64| self.clock.map(|_| ms as i64);
        Change {
            updated: now(),
            moves: game.moves().to_vec(),
            fen: fen::write(game.position()),
            result,
            reason: outcome.map(|outcome| outcome.reason),
            offer: game.draw_offer(),
            black_ms: kept(left.black),
            white_ms: kept(left.white),
            paused: self.paused,
            delay_ms: self.delay_ms as i64,
            think_ms: self.think_ms as i64,
            next: self.next.clone(),
        }
    }

    /// Prepares a legal move.
    pub(crate) fn prepare(&self, m: Move, told: Told, at: Instant) -> Result<Step, AppError> {
        let (mover, ply) = (self.game.turn(), self.game.moves().len());
        let mut game = self.game.clone();
        game.play(m).map_err(|error| error::unplayable(&error).at("move"))?;
        let mut left = self.left;
        left[mover] = match self.clock {
            Some(ClockView::Move { ms }) => ms,
            Some(ClockView::Game { increment_ms, .. }) => self.left_now(at) + increment_ms,
            None => 0,
        };
        let places = places(&game, ply);
        let change = self.change(&game, left, None);
        let ms = at.saturating_duration_since(self.since).as_millis() as i64;
        let ply =
            PlyRow { ply: ply as u32, ms: Some(ms), score: told.score, depth: told.depth, nodes: told.nodes };
        Ok(Step { game, ply, left, change, places })
    }

    /// Makes a move that is in the database.
    pub(crate) fn apply(&mut self, step: Step, at: Instant) {
        self.game = step.game;
        self.left = step.left;
        self.plies.retain(|known| known.ply < step.ply.ply);
        self.plies.push(step.ply);
        self.updated = step.change.updated;
        self.step = false;
        self.turned(at);
    }

    /// Ends all that is under way in a game that is no more.
    pub(crate) fn close(&mut self) {
        self.epoch += 1;
        self.thinking = None;
        self.review.ticket = None;
        if let Some(timer) = self.timer.take() {
            timer.abort();
        }
    }

    /// The turn has passed, or the game is another one.
    fn turned(&mut self, at: Instant) {
        self.since = at;
        self.epoch += 1;
        self.thinking = None;
        if self.review.stage == ReviewStage::Done {
            self.review.stage = ReviewStage::None;
        }
    }

    /// Prepares a change of anything but the moves: `with` has the game as it will be.
    pub(crate) fn prepare_end(&self, with: &Game) -> Write {
        let change = Box::new(self.change(with, self.left, self.declared.as_ref()));
        Write::Change { game: self.num, change, ply: None, places: Vec::new(), gone: Vec::new() }
    }

    /// Sets the game to one with the same moves and perhaps another end.
    pub(crate) fn apply_end(&mut self, game: Game, updated: i64, at: Instant) {
        let ended = game.outcome().is_some();
        self.game = game;
        self.updated = updated;
        if ended {
            self.epoch += 1;
            self.since = at;
            self.thinking = None;
        }
    }

    /// Prepares to take back so many moves.
    pub(crate) fn prepare_takeback(&self, count: usize) -> (Game, Write) {
        let mut game = self.game.clone();
        for _ in 0..count {
            game.take_back();
        }
        let all = places(&self.game, game.moves().len());
        let (now_last, gone) = all.split_first().expect("a game has a position");
        let change = Box::new(self.change(&game, self.left, None));
        let last = Place { m: 0, ..*now_last };
        let write =
            Write::Change { game: self.num, change, ply: None, places: vec![last], gone: gone.to_vec() };
        (game, write)
    }

    pub(crate) fn apply_takeback(&mut self, game: Game, updated: i64, at: Instant) {
        let count = game.moves().len() as u32;
        self.plies.retain(|known| known.ply < count);
        self.game = game;
        self.declared = None;
        self.updated = updated;
        self.turned(at);
    }

    /// Stops or starts the clocks.
    pub(crate) fn pause(&mut self, paused: bool, at: Instant) {
        if paused == self.paused {
            return;
        }
        let (turn, left) = (self.game.turn(), self.left_now(at));
        self.left[turn] = left;
        self.since = at;
        self.paused = paused;
        self.epoch += 1;
        self.thinking = None;
    }

    fn played(&self, ply: usize) -> PlayedMove {
        let position = &self.game.positions()[ply];
        // They are in order: each move adds one, and those that are taken back go.
        let known = self.plies.binary_search_by_key(&(ply as u32), |known| known.ply).ok();
        let known = known.map(|at| &self.plies[at]);
        PlayedMove {
            text: Notation::AbaPro.write(position, self.game.moves()[ply]),
            ms: known.and_then(|known| known.ms).map(|ms| ms.max(0) as u64),
            score: known.and_then(|known| serde_json::from_str(known.score.as_deref()?).ok()),
            depth: known.and_then(|known| known.depth).map(|depth| depth as u32),
            nodes: known.and_then(|known| known.nodes).map(|nodes| nodes as u64),
            comment: None,
            glyph: None,
        }
    }

    /// The last move, as everyone is told of it.
    pub(crate) fn last_played(&self) -> Option<PlayedMove> {
        self.game.moves().len().checked_sub(1).map(|ply| self.played(ply))
    }

    pub(crate) fn position(&self, ply: usize) -> PositionView {
        let is_last = ply == self.game.moves().len();
        PositionView::at(&self.game, ply, self.outcome().filter(|_| is_last))
    }

    pub(crate) fn clocks_now(&self) -> Option<ClocksView> {
        self.clocks(Instant::now())
    }

    pub(crate) fn view(&self, watchers: usize) -> GameView {
        let mut moves: Vec<PlayedMove> = (0..self.game.moves().len()).map(|ply| self.played(ply)).collect();
        for (played, note) in moves.iter_mut().zip(&self.notes.of) {
            played.comment.clone_from(&note.comment);
            played.glyph.clone_from(&note.glyph);
        }
        GameView {
            id: self.id.clone(),
            created: self.created,
            updated: self.updated,
            source: self.source,
            layout: self.layout.clone(),
            start_fen: fen::write(self.game.start()),
            rules: RulesView::from(self.game.rules()),
            black: self.seats.black.clone(),
            white: self.seats.white.clone(),
            clock: self.clock,
            clocks: self.clocks_now(),
            moves,
            position: self.position(self.game.moves().len()),
            paused: self.paused,
            delay_ms: self.delay_ms,
            think_ms: self.think_ms,
            thinking: self.thinking.as_ref().map(|thinking| thinking.side),
            offer: self.game.draw_offer(),
            watchers,
            review: self.review.stage,
            tags: self.tags.clone(),
            next: self.next.clone(),
            has_variations: self.notes.has_variations,
        }
    }

    /// What the game's record is made of, to be written down without holding the game.
    pub(crate) fn written(&self) -> Written {
        Written {
            id: self.id.clone(),
            source: self.source,
            created: self.created,
            seats: self.seats.clone(),
            tags: self.tags.clone(),
            record: self.record.clone(),
            game: self.game.clone(),
            winner: self.outcome().map(|outcome| outcome.winner),
        }
    }
}

/// Ends a replayed game as the database says, unless the marbles have ended it already. What the rules do not know is
/// given back.
fn end(game: &mut Game, row: &GameRow) -> Option<OutcomeView> {
    let winner = crate::store::winner(row.state.result.as_deref()?)?;
    if game.outcome().is_some() {
        return None;
    }
    match (row.state.reason.as_deref(), winner) {
        (Some("resignation"), Some(winner)) => game.resign(!winner),
        (Some("time"), Some(winner)) => game.lose_on_time(!winner),
        (Some("forfeit"), Some(winner)) => game.forfeit(!winner),
        (Some("agreement"), None) => {
            game.offer_draw(Color::Black);
            game.offer_draw(Color::White);
        }
        _ => {
            let text =
                row.tags.get("Termination").cloned().unwrap_or_else(|| "as the record says".to_string());
            return Some(OutcomeView { winner, reason: "unknown".to_string(), text });
        }
    }
    None
}

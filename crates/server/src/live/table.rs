//! The state of one game: the moves, the clocks, who plays. It knows neither the database nor the network; a change is
//! prepared on a copy of the table, written by others, and then applied.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sumito_agents::{Clock, Limits, Table, TimeControl, TurnError};
use sumito_rules::{ByColor, Color, Game, Move, Position, fen};

use crate::domain::canonical::{Place, places};
use crate::domain::client::Owner;
use crate::domain::date::now;
use crate::domain::error::{self, AppError, Cause};
use crate::domain::game::{ClockSetting, GameEnding, ReviewStage, Source};
use crate::domain::kept::{GameState, KeptGame, MOST_PLIES, OfferKind, Offers, PlyNote, Replayed};
use crate::domain::keys::{GameKeys, Holder};
use crate::domain::lag::LagAllowance;
use crate::domain::person::PersonId;
use crate::domain::plan::Plan;
use crate::domain::record::{Note, Notes, Written};
use crate::domain::seat::Seat;
use crate::domain::tournament::settings::Settings;
use crate::domain::value::Value;
use crate::search::pool::Ticket;
use crate::store::Write;

/// A game and all around it.
pub(crate) struct LiveTable {
    pub(crate) num: i64,
    pub(crate) id: String,
    pub(crate) keys: GameKeys,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) rated: bool,
    /// The id of the tournament that it belongs to.
    pub(crate) tournament: Option<String>,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) tags: BTreeMap<String, String>,
    /// The text of an annotated import, and what it says about the moves.
    record: Option<Arc<str>>,
    notes: Notes,
    /// The game and its clocks.
    pub(crate) table: Table,
    /// An end that a record tells and the marbles do not.
    declared: Option<GameEnding>,
    plies: Vec<PlyNote>,
    /// When it was opened: the table's moments count from then.
    opened: Instant,
    /// When the side to move got the turn, or its clock was last stopped or started.
    pub(crate) since: Instant,
    pub(crate) paused: bool,
    pub(crate) delay_ms: u64,
    pub(crate) think_ms: ByColor<u64>,
    pub(crate) next: Option<String>,
    pub(crate) offers: Offers,
    /// When the time of the side to move is up, by the calendar, in a game by correspondence.
    pub(crate) due: Option<i64>,
    /// What each side will answer to moves of the other.
    pub(crate) plans: ByColor<Plan>,
    /// What a side of two has offered in this position and the other has declined. Nothing of it is kept: after a restart
    /// it may be offered again.
    pub(crate) declined: Vec<(OfferKind, Color)>,
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
    /// What each side may still get back of the time that its line takes. Nothing of it is kept.
    pub(crate) lag: ByColor<LagAllowance>,
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

/// The most moves of a game that may be called off: each side has hardly looked at it.
pub(crate) const ABORTED: usize = 1;

/// A move that is prepared but not yet made.
pub(crate) struct Step {
    table: Table,
    ply: PlyNote,
    change: GameState,
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
pub(crate) struct AgentReport {
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<i64>,
    pub(crate) nodes: Option<i64>,
    pub(crate) expected: Option<f64>,
}

/// A game at its clocks, with what is left on them if that is known. No clock runs yet.
fn seated(game: Game, clock: Option<ClockSetting>, left: ByColor<Option<i64>>) -> Table {
    let left = |color: Color| left[color].map(|ms| ms.max(0) as u64);
    let time = |color: Color| match clock {
        None => TimeControl::default(),
        Some(ClockSetting::Move { ms }) => {
            TimeControl { move_time: Some(Duration::from_millis(ms)), ..TimeControl::default() }
        }
        Some(ClockSetting::Game { base_ms, increment_ms }) => {
            let left = Duration::from_millis(left(color).unwrap_or(base_ms));
            let clock = Clock { left, increment: Duration::from_millis(increment_ms) };
            TimeControl { clock: Some(clock), ..TimeControl::default() }
        }
    };
    let turn = game.turn();
    let mut table = Table::new(game, ByColor::new(time(Color::Black), time(Color::White)));
    if let (Some(ClockSetting::Move { ms }), Some(left)) = (clock, left(turn)) {
        // The clock was stopped in the middle of a move.
        table.start_clock(Duration::ZERO);
        table.stop_clock(Duration::from_millis(ms.saturating_sub(left)));
    }
    table
}

/// A time in milliseconds; the one that has begun counts.
fn whole_ms(time: Duration) -> u64 {
    time.as_nanos().div_ceil(1_000_000) as u64
}

impl LiveTable {
    /// A game as it comes from the database.
    pub(crate) fn load(
        row: KeptGame,
        plies: Vec<PlyNote>,
        reviewed: Option<i64>,
    ) -> Result<LiveTable, AppError> {
        let Replayed { game, declared } = row.replay()?;
        let state = row.state;
        let mut left = ByColor::new(state.black_ms, state.white_ms);
        if let Some(due) = state.due {
            // Such a clock has gone on meanwhile.
            left[game.turn()] = Some(due.saturating_sub(now()));
        }
        let table = seated(game, row.clock, left);
        let opened = Instant::now();
        let is_reviewed = reviewed.is_some_and(|plies| plies == state.moves.len() as i64);
        let mut live = LiveTable {
            num: row.num,
            id: row.id,
            keys: row.keys,
            source: row.source,
            layout: row.layout,
            seats: ByColor::new(row.black, row.white),
            rated: row.rated,
            tournament: row.tournament,
            clock: row.clock,
            created: row.created,
            updated: state.updated,
            tags: row.tags,
            notes: row.record.as_deref().map(Notes::read).unwrap_or_default(),
            record: row.record.map(Arc::from),
            table,
            declared,
            plies,
            opened,
            since: opened,
            paused: state.paused,
            delay_ms: state.delay_ms.max(0) as u64,
            think_ms: state.think_ms.map(|ms| ms.max(1) as u64),
            next: state.next,
            offers: state.offers,
            due: state.due,
            plans: state.plans,
            declined: Vec::new(),
            step: false,
            thinking: None,
            thoughts: 0,
            given_up: None,
            timer: None,
            expected: ByColor::default(),
            lag: ByColor::default(),
            review: Reviewing {
                stage: if is_reviewed { ReviewStage::Done } else { ReviewStage::None },
                done: 0,
                whole: 0,
                ticket: None,
                by: None,
                number: 0,
            },
            epoch: 0,
        };
        live.run_clock(opened);
        Ok(live)
    }

    pub(crate) fn game(&self) -> &Game {
        self.table.game()
    }

    /// A moment before another one, but not before the turn.
    pub(crate) fn before(&self, at: Instant, by: Duration) -> Instant {
        at.checked_sub(by).unwrap_or(at).max(self.since.min(at))
    }

    /// The table's time at a moment.
    pub(crate) fn moment(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.opened)
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let record = self.record.as_ref().map_or(0, |text| text.len());
        let moves = self.game().moves().len() * (size_of::<Position>() + size_of::<Move>());
        size_of::<LiveTable>() + moves + self.plies.len() * 2 * size_of::<PlyNote>() + 2 * record
    }

    /// How the game ended, if it has.
    pub(crate) fn outcome(&self) -> Option<GameEnding> {
        self.game().outcome().map(GameEnding::from).or_else(|| self.declared.clone())
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

    /// Refuses what would undo a game of a tournament.
    pub(crate) fn refuse_if_in_tournament(&self) -> Result<(), AppError> {
        if self.tournament.is_some() { Err(Cause::GameTournament {}.at("id")) } else { Ok(()) }
    }

    /// What is left to the side to move before it counts as not having come: in a tournament, where somebody waits, each side makes its first move
    /// within a while.
    pub(crate) fn left_to_come(&self, at: Instant) -> Option<u64> {
        let clock = self.clock.filter(|_| self.tournament.is_some() && self.game().moves().len() < 2)?;
        if self.outcome().is_some() {
            return None;
        }
        let waited = at.saturating_duration_since(self.since).as_millis() as u64;
        Some(Settings::first_move_ms(clock).saturating_sub(waited))
    }

    /// Refuses what needs two persons while one of them has not come yet.
    pub(crate) fn refuse_if_waiting(&self) -> Result<(), AppError> {
        match self.keys.free() {
            None => Ok(()),
            Some(_) => Err(Cause::SeatFree {}.at("id")),
        }
    }

    /// Refuses the engine's help while two persons play: whoever asks without a key may be one of them.
    pub(crate) fn refuse_help(&self) -> Result<(), AppError> {
        if self.keys.is_pair() && self.outcome().is_none() {
            return Err(Cause::HelpNone {}.at("id"));
        }
        Ok(())
    }

    /// Refuses an offer that was declined in this position.
    pub(crate) fn refuse_if_declined(&self, kind: OfferKind, by: Color) -> Result<(), AppError> {
        if self.declined.contains(&(kind, by)) { Err(Cause::OfferDeclined {}.at("id")) } else { Ok(()) }
    }

    /// Whether so little was played that it may as well not have been.
    pub(crate) fn has_hardly_begun(&self) -> bool {
        self.game().moves().len() <= ABORTED
    }

    /// Whether no more moves are taken, so that nothing made of the game becomes too large.
    pub(crate) fn is_full(&self) -> bool {
        self.game().moves().len() >= MOST_PLIES
    }

    /// The spec of the agent that is to move; nothing if a person is, or the game is over or too long.
    pub(crate) fn agent_to_move(&self) -> Option<&str> {
        if self.outcome().is_some() || self.is_full() { None } else { self.seats[self.game().turn()].spec() }
    }

    /// Whether the clock of the side to move runs. It starts with the second move.
    pub(crate) fn clock_runs(&self) -> bool {
        self.clock.is_some() && self.table.is_running()
    }

    fn run_clock(&mut self, at: Instant) {
        let has_begun = (!self.game().moves().is_empty() || self.due.is_some()) && self.keys.free().is_none();
        if !self.paused && has_begun && self.outcome().is_none() {
            self.table.start_clock(self.moment(at));
        }
    }

    /// What the side to move has left.
    pub(crate) fn left_now(&self, at: Instant) -> u64 {
        self.left(self.game().turn(), at)
    }

    fn left(&self, color: Color, at: Instant) -> u64 {
        self.table.left(color, self.moment(at)).map_or(0, whole_ms)
    }

    /// What a player had left when the turn began, or the clock was last stopped or started.
    fn booked(&self, table: &Table, color: Color) -> u64 {
        let time = table.time()[color];
        let left = table.left(color, self.moment(self.since)).filter(|_| table.outcome().is_none());
        time.clock.map(|clock| clock.left).or(left).or(time.move_time).map_or(0, whole_ms)
    }

    /// What both sides have left, and whose clock runs; nothing without clocks.
    pub(crate) fn clocks(&self, at: Instant) -> Option<(ByColor<u64>, Option<Color>)> {
        self.clock?;
        let left = ByColor::new(self.left(Color::Black, at), self.left(Color::White, at));
        Some((left, self.clock_runs().then_some(self.game().turn())))
    }

    /// The side whose agent is at work.
    pub(crate) fn thinking(&self) -> Option<Color> {
        self.thinking.as_ref().map(|thinking| thinking.side)
    }

    /// How long the agent to move may think.
    pub(crate) fn limits(&self) -> Limits {
        /// What the way to the database takes.
        const WAY: u64 = 50;
        let think = Duration::from_millis(self.think_ms[self.game().turn()]).min(LONGEST_THOUGHT);
        match self.clock {
            None => Limits { move_time: Some(think), ..Limits::default() },
            Some(ClockSetting::Move { ms }) => {
                let time = Duration::from_millis(ms.saturating_sub(WAY).max(20))
                    .min(think.max(Duration::from_secs(1)));
                Limits { move_time: Some(time), ..Limits::default() }
            }
            Some(ClockSetting::Game { increment_ms, .. }) => {
                let increment = Duration::from_millis(increment_ms);
                let clock = ByColor::new(Color::Black, Color::White).map(|color| Clock {
                    left: Duration::from_millis(self.booked(&self.table, color).saturating_sub(WAY).max(20)),
                    increment,
                });
                Limits { clock: Some(clock), move_time: Some(LONGEST_THOUGHT), ..Limits::default() }
            }
        }
    }

    /// The time for a move, in a game by correspondence between two people.
    pub(crate) fn slow(&self) -> Option<u64> {
        self.clock.filter(|_| self.keys.is_pair()).and_then(ClockSetting::slow)
    }

    /// When the time of the next move is up if the turn comes now, in a game by correspondence.
    fn due_from_now(&self, table: &Table) -> Option<i64> {
        self.slow().filter(|_| table.outcome().is_none()).map(|ms| now() + ms as i64)
    }

    /// The answer that the side to move has planned to the last move.
    pub(crate) fn planned(&self) -> Option<Move> {
        let last = *self.game().moves().last()?;
        let goes_on = self.outcome().is_none() && !self.is_full();
        self.plans[self.game().turn()].reply(last).filter(|_| goes_on)
    }

    /// The state as the database keeps it, with a table that may be another one.
    fn change(&self, table: &Table, declared: Option<&GameEnding>, offers: Offers) -> GameState {
        let game = table.game();
        let outcome = game.outcome().map(GameEnding::from).or(declared.cloned());
        let kept = |color: Color| self.clock.map(|_| self.booked(table, color) as i64);
        GameState {
            updated: now(),
            moves: game.moves().to_vec(),
            fen: fen::write(game.position()),
            result: outcome.as_ref().map(GameEnding::result),
            reason: outcome.map(|outcome| outcome.reason),
            offer: game.draw_offer(),
            black_ms: kept(Color::Black),
            white_ms: kept(Color::White),
            paused: self.paused,
            delay_ms: self.delay_ms as i64,
            think_ms: self.think_ms.map(|ms| ms as i64),
            next: self.next.clone(),
            offers,
            due: self.due.filter(|_| table.outcome().is_none()),
            plans: self.plans.clone(),
        }
    }

    /// Prepares a legal move.
    pub(crate) fn prepare(&self, m: Move, told: AgentReport, at: Instant) -> Result<Step, AppError> {
        let ply = self.game().moves().len();
        let mut table = self.table.clone();
        table.play(m, table.used(self.moment(at))).map_err(|error| match error {
            TurnError::Late { .. } => Cause::GameOver { reason: "time".to_string() }.at("id"),
            TurnError::Play(error) => error::unplayable(&error).at("move"),
        })?;
        let places = places(table.game(), ply);
        // A move is an answer to whatever was offered before it; the rules see to the draw.
        let mut change = self.change(&table, None, Offers::default());
        change.due = self.due_from_now(&table);
        let (mover, last) = (self.game().turn(), self.game().moves().last());
        change.plans[mover] = last.map(|&last| self.plans[mover].after(last, m)).unwrap_or_default();
        let ms = at.saturating_duration_since(self.since).as_millis() as i64;
        let ply = PlyNote {
            ply: ply as u32,
            ms: Some(ms),
            value: told.value,
            depth: told.depth,
            nodes: told.nodes,
        };
        Ok(Step { table, ply, change, places })
    }

    /// Makes a move that is in the database.
    pub(crate) fn apply(&mut self, step: Step, at: Instant) {
        self.table = step.table;
        self.plies.retain(|known| known.ply < step.ply.ply);
        self.plies.push(step.ply);
        self.updated = step.change.updated;
        self.offers = step.change.offers;
        (self.due, self.plans) = (step.change.due, step.change.plans);
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
        self.run_clock(at);
        self.epoch += 1;
        self.thinking = None;
        self.declined.clear();
        if self.review.stage == ReviewStage::Done {
            self.review.stage = ReviewStage::None;
        }
    }

    /// A person has taken the free seat.
    pub(crate) fn join(&mut self, color: Color, name: String, holder: Holder, updated: i64, at: Instant) {
        self.keys.take(color, holder);
        self.seats[color] = Seat::Human { name };
        self.updated = updated;
        self.turned(at);
    }

    /// Takes the name of a person out whose account is closed; says whether it was there. A key opens the seat as before.
    pub(crate) fn forget(&mut self, person: PersonId) -> bool {
        let held = self.keys.forget(person);
        for color in Color::ALL {
            if held[color] && self.seats[color].is_human() {
                self.seats[color] = Seat::person();
            }
        }
        held.black || held.white
    }

    /// Prepares a change of anything but the moves: `with` is the table as it will be.
    pub(crate) fn prepare_end(&self, with: &Table, offers: Offers) -> Write {
        let change = Box::new(self.change(with, self.declared.as_ref(), offers));
        Write::Change { game: self.num, change, ply: None, places: Vec::new(), gone: Vec::new() }
    }

    /// Sets the table to one with the same moves and perhaps another end.
    pub(crate) fn apply_end(&mut self, table: Table, offers: Offers, updated: i64, at: Instant) {
        let ended = table.outcome().is_some();
        self.table = table;
        self.offers = offers;
        self.updated = updated;
        if ended {
            self.due = None;
            self.epoch += 1;
            self.since = at;
            self.thinking = None;
        }
    }

    /// Prepares to take back so many moves.
    pub(crate) fn prepare_takeback(&self, count: usize) -> (Table, Write) {
        let mut table = self.table.clone();
        for _ in 0..count {
            table.take_back();
        }
        let all = places(self.game(), table.game().moves().len());
        let (now_last, gone) = all.split_first().expect("a game has a position");
        let mut change = Box::new(self.change(&table, None, Offers::default()));
        (change.due, change.plans) = (self.due_from_now(&table), ByColor::default());
        let last = Place { m: 0, ..*now_last };
        let write =
            Write::Change { game: self.num, change, ply: None, places: vec![last], gone: gone.to_vec() };
        (table, write)
    }

    pub(crate) fn apply_takeback(&mut self, table: Table, updated: i64, at: Instant) {
        let count = table.game().moves().len() as u32;
        self.plies.retain(|known| known.ply < count);
        self.table = table;
        self.declared = None;
        self.offers = Offers::default();
        (self.due, self.plans) = (self.due_from_now(&self.table), ByColor::default());
        self.updated = updated;
        self.turned(at);
    }

    /// Stops or starts the clocks.
    pub(crate) fn pause(&mut self, paused: bool, at: Instant) {
        if paused == self.paused {
            return;
        }
        (self.since, self.paused) = (at, paused);
        if paused {
            self.table.stop_clock(self.moment(at));
        } else {
            self.run_clock(at);
        }
        self.epoch += 1;
        self.thinking = None;
    }

    /// What is known about a move.
    pub(crate) fn note(&self, ply: usize) -> Option<&PlyNote> {
        // They are in order: each move adds one, and those that are taken back go.
        let known = self.plies.binary_search_by_key(&(ply as u32), |known| known.ply).ok();
        known.map(|at| &self.plies[at])
    }

    /// What an annotated import says about a move.
    pub(crate) fn annotation(&self, ply: usize) -> Option<&Note> {
        self.notes.of.get(ply)
    }

    /// Whether an import has more than its moves.
    pub(crate) fn has_variations(&self) -> bool {
        self.notes.has_variations
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
            game: self.game().clone(),
            winner: self.outcome().map(|outcome| outcome.winner),
        }
    }
}

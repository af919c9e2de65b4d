//! One game in memory, and what can be done with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde::Deserialize;
use sumito_agents::Table;
use sumito_rules::{ByColor, Color, Game, Layout, Notation, Position};
use tokio::sync::{Mutex, MutexGuard, broadcast};
use utoipa::ToSchema;

use super::event::Event;
use super::table::{LiveTable, MOST_PLIES, Told};
use crate::api::start;
use crate::client::{Client, Owner};
use crate::clock::now;
use crate::error::{self, AppError, Cause, within};
use crate::growth::game_bytes;
use crate::ids;
use crate::state::App;
use crate::store::canonical::places;
use crate::store::{Change, GameRow, Reply, Write};
use crate::view::game::{ClockView, GameView, MoveAck, Source};
use crate::view::position::MoveView;
use crate::view::rules::{RulesRequest, RulesView, rules};
use crate::view::seat::{Seat, SeatRequest};

/// A game in memory.
pub(crate) struct Live {
    pub(crate) id: String,
    table: Mutex<LiveTable>,
    events: broadcast::Sender<Utf8Bytes>,
    /// When someone last asked for it.
    touched: AtomicI64,
    /// Whose share of the search threads it takes; the number of [`Owner::UNKNOWN`] until that is known.
    owner: AtomicI64,
    /// The share that it takes until then.
    unknown: Owner,
}

/// Games of which nobody knows who began them take so many shares of the search threads together: one alone would have
/// them all wait for each other, and one for each would be as many as someone wakes up.
const UNKNOWN_SHARES: i64 = 8;

/// Messages that wait for a slow listener before it gets the whole game instead.
const BACKLOG: usize = 64;
/// A game between agents goes on so long after someone asked for it.
const ATTENTION: i64 = 60_000;
/// The longest that agents may be told to wait or think.
const LONGEST_DELAY: u64 = 60_000;
/// The most moves with which a game can begin.
pub(crate) const MOST_MOVES: usize = 2000;

/// The moves that a game between agents counts with when it begins. Those of persons count one by one.
const AGENTS_PLIES: usize = 500;

/// A game to begin.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGameRequest {
    /// The name of a layout; the Belgian Daisy if neither it nor `fen` is given.
    pub(crate) layout: Option<String>,
    /// A position in any format.
    pub(crate) fen: Option<String>,
    pub(crate) rules: Option<RulesRequest>,
    pub(crate) black: Option<SeatRequest>,
    pub(crate) white: Option<SeatRequest>,
    pub(crate) clock: Option<ClockView>,
    /// Moves that were played already, in Aba-Pro notation.
    pub(crate) moves: Option<Vec<String>>,
    pub(crate) paused: Option<bool>,
    pub(crate) delay_ms: Option<u64>,
    pub(crate) think_ms: Option<u64>,
}

/// Checks a time for agents.
fn time(field: &str, value: u64, least: u64) -> Result<u64, AppError> {
    within(field, value, least, LONGEST_DELAY).map(|()| value)
}

/// What a new game begins with.
struct Setup {
    game: Game,
    seats: ByColor<Seat>,
    clock: Option<ClockView>,
    paused: bool,
    delay_ms: u64,
    think_ms: u64,
}

impl NewGameRequest {
    fn setup(self) -> Result<Setup, AppError> {
        let position = start(self.layout.as_deref(), self.fen.as_deref())?;
        let rules = rules(self.rules)?;
        let mut game = Game::new(rules, position);
        if game.outcome().is_some() {
            return Err(Cause::StartOver {}.at("fen"));
        }
        crate::api::play_all(
            &mut game,
            self.moves.as_deref().unwrap_or_default(),
            Notation::AbaPro,
            "moves",
        )?;
        let seat =
            |request: Option<SeatRequest>, field| request.map_or(Ok(Seat::person()), |seat| seat.seat(field));
        Ok(Setup {
            game,
            seats: ByColor::new(seat(self.black, "black")?, seat(self.white, "white")?),
            clock: self.clock.map(ClockView::checked).transpose()?,
            paused: self.paused.unwrap_or(false),
            delay_ms: time("delay_ms", self.delay_ms.unwrap_or(0), 0)?,
            think_ms: time("think_ms", self.think_ms.unwrap_or(1000), 10)?,
        })
    }
}

/// The layout that a position is, if it is one.
pub(crate) fn layout_of(position: &Position) -> Option<String> {
    Layout::all()
        .iter()
        .find(|layout| layout.position().same_board(position))
        .map(|layout| layout.name.to_string())
}

impl Setup {
    fn row(self, id: String, key: &str, owner: Owner) -> (GameRow, Game) {
        let (at, start) = (now(), *self.game.start());
        let only_agents = self.seats.black.spec().is_some() && self.seats.white.spec().is_some();
        let result = self.game.outcome().map(|outcome| match outcome.winner {
            Some(Color::Black) => "black".to_string(),
            Some(Color::White) => "white".to_string(),
            None => "draw".to_string(),
        });
        let reason =
            self.game.outcome().map(|outcome| crate::view::position::OutcomeView::from(outcome).reason);
        let row = GameRow {
            num: 0,
            id,
            key: Some(ids::hashed(key)),
            digest: None,
            source: if only_agents { Source::Watch } else { Source::Play },
            layout: layout_of(&start),
            start: start.to_string(),
            rules: RulesView::from(self.game.rules()),
            black: self.seats.black,
            white: self.seats.white,
            clock: self.clock,
            created: at,
            tags: Default::default(),
            record: None,
            owner,
            state: Change {
                updated: at,
                moves: self.game.moves().to_vec(),
                fen: self.game.position().to_string(),
                result,
                reason,
                paused: self.paused,
                delay_ms: self.delay_ms as i64,
                think_ms: self.think_ms as i64,
                ..Change::default()
            },
        };
        (row, self.game)
    }
}

/// Begins a game and gives it with its key.
pub(crate) async fn begin(
    app: &App,
    request: NewGameRequest,
    client: Client,
) -> Result<(Arc<Live>, String), AppError> {
    // Many moves take a while to be played.
    let setup = app.builds.run(client, move || request.setup()).await?;
    begin_with(app, setup, client).await
}

async fn begin_with(app: &App, setup: Setup, client: Client) -> Result<(Arc<Live>, String), AppError> {
    let plies = if setup.seats.black.is_human() || setup.seats.white.is_human() { 0 } else { AGENTS_PLIES };
    app.grow(client, game_bytes(plies + setup.game.moves().len(), 0)).await?;
    let (id, key) = (ids::id(), ids::key());
    let (mut row, game) = setup.row(id, &key, app.owner(client));
    let write = Write::Create(Box::new(row.clone()), places(&game, 0));
    let Reply::Created(num) = app.store.write(write).await? else { return Err(AppError::internal()) };
    row.num = num;
    let owner = row.owner;
    let live = Arc::new(Live::new(LiveTable::load(row, Vec::new(), None)?, owner));
    app.games.add(&live);
    live.drive(app, &mut *live.table.lock().await);
    Ok((live, key))
}

impl Live {
    pub(super) fn new(table: LiveTable, owner: Owner) -> Live {
        let (events, _) = broadcast::channel(BACKLOG);
        // Owners are numbers of 64 random bits, so that these are nobody's.
        let unknown = Owner(1 + table.num.rem_euclid(UNKNOWN_SHARES));
        let (touched, owner) = (AtomicI64::new(now()), AtomicI64::new(owner.0));
        Live { id: table.id.clone(), table: Mutex::new(table), events, touched, owner, unknown }
    }

    /// Whose share of the search threads it takes.
    pub(crate) fn share(&self) -> Owner {
        match Owner(self.owner.load(Ordering::Relaxed)) {
            Owner::UNKNOWN => self.unknown,
            owner => owner,
        }
    }

    /// Who comes with the key of a game of which nobody knows who began it is taken for that one.
    pub(crate) async fn recognise(&self, app: &App, key: Option<&str>, client: Client) {
        if Owner(self.owner.load(Ordering::Relaxed)) == Owner::UNKNOWN && self.has_key(key).await {
            self.owner.store(app.owner(client).0, Ordering::Relaxed);
        }
    }

    /// Whether this is its key.
    pub(crate) async fn has_key(&self, key: Option<&str>) -> bool {
        Self::check_key(&*self.lock().await, key).is_ok()
    }

    pub(crate) async fn lock(&self) -> MutexGuard<'_, LiveTable> {
        self.table.lock().await
    }

    /// As if nobody had asked for it for long.
    #[cfg(test)]
    pub(crate) fn neglect(&self) {
        self.touched.store(0, Ordering::Relaxed);
    }

    /// Whether someone watches it, or has asked for it since then.
    pub(super) fn is_wanted(&self, since: i64) -> bool {
        self.events.receiver_count() > 0 || self.touched.load(Ordering::Relaxed) > since
    }

    /// Whether its agents go on: a person's always, two agents' only while someone is there to see it.
    pub(super) fn is_active(&self, source: Source) -> bool {
        source == Source::Play || self.is_wanted(now() - ATTENTION)
    }

    pub(crate) fn watchers(&self) -> usize {
        self.events.receiver_count()
    }

    /// Someone asks for it: agents that had stopped for want of anybody go on.
    pub(crate) async fn touch(self: &Arc<Self>, app: &App) {
        self.touched.store(now(), Ordering::Relaxed);
        self.drive(app, &mut *self.lock().await);
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Utf8Bytes> {
        self.events.subscribe()
    }

    pub(crate) fn view(&self, table: &LiveTable) -> GameView {
        table.view(self.watchers())
    }

    /// Tells everyone who watches; makes the message only if there is someone.
    pub(super) fn tell(&self, event: impl FnOnce() -> Utf8Bytes) {
        if self.events.receiver_count() > 0 {
            // The last one may just have left.
            let _ = self.events.send(event());
        }
    }

    pub(super) fn tell_game(&self, table: &LiveTable) {
        self.tell(|| Event::Game { game: &self.view(table) }.text());
    }

    /// Refuses whoever has not the key, and everyone in a game that was played elsewhere: the key of an import is
    /// there to delete it.
    fn check_player(table: &LiveTable, key: Option<&str>) -> Result<(), AppError> {
        Self::check_key(table, key)?;
        if table.source == Source::Import {
            return Err(Cause::GameImported {}.at("id"));
        }
        Ok(())
    }

    /// Refuses whoever has not the key.
    pub(super) fn check_key(table: &LiveTable, key: Option<&str>) -> Result<(), AppError> {
        check_key(table.key.as_deref(), key)
    }

    /// Tells everyone who watches that the game is no more.
    pub(super) fn tell_gone(&self) {
        self.tell(|| Event::Deleted.text());
    }

    /// A person's move; it is in the database when this comes back.
    pub(crate) async fn play(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        (text, notation): (&str, Notation),
        ply: usize,
    ) -> Result<MoveAck, AppError> {
        let began = Instant::now();
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        if self.flag(app, &mut table).await? {
            return Err(Cause::GameOver { reason: "time".to_string() }.at("id"));
        }
        table.refuse_if_over()?;
        let played = table.game().moves().len();
        if ply != played {
            return Err(Cause::PlyStale { expected: played, found: ply }.at("ply"));
        }
        if table.is_full() {
            return Err(Cause::GameFull { most: MOST_PLIES }.at("move"));
        }
        if table.agent_to_move().is_some() {
            return Err(Cause::AgentsTurn { turn: error::word(&table.game().turn()) }.at("move"));
        }
        let m = notation
            .parse(table.game().position(), text)
            .map_err(|error| error::illegal(&error).at("move"))?;
        let ack = self.make(app, &mut table, m, Told::default()).await?;
        app.metrics.moves.add(began.elapsed());
        Ok(ack)
    }

    /// Writes a legal move, makes it, tells everyone, and lets the game go on.
    pub(super) async fn make(
        self: &Arc<Self>,
        app: &App,
        table: &mut LiveTable,
        m: sumito_rules::Move,
        told: Told,
    ) -> Result<MoveAck, AppError> {
        let at = Instant::now();
        let (position, mover) = (*table.game().position(), table.game().turn());
        let expected = told.expected;
        let step = table.prepare(m, told, at)?;
        app.store.write(step.write(table.num)).await?;
        table.apply(step, at);
        if expected.is_some() {
            table.expected[mover] = expected;
        }
        self.touched.fetch_max(if table.source == Source::Play { now() } else { 0 }, Ordering::Relaxed);
        self.drive(app, table);
        let ply = table.game().moves().len();
        let ack = MoveAck {
            ply,
            view: MoveView::new(&position, m),
            position: table.position(ply),
            clocks: table.clocks_now(),
        };
        if let Some(played) = table.last_played() {
            self.tell(|| {
                let thinking = table.thinking.as_ref().map(|thinking| thinking.side);
                let (view, position, clocks) = (&ack.view, &ack.position, ack.clocks);
                Event::Move { ply, view, played: &played, position, clocks, thinking }.text()
            });
        }
        Ok(ack)
    }

    /// Writes a change of the game's end or offer, makes it and tells everyone.
    async fn change(self: &Arc<Self>, app: &App, table: &mut LiveTable, next: Table) -> Result<(), AppError> {
        let write = table.prepare_end(&next);
        let updated = write.moment();
        app.store.write(write).await?;
        table.apply_end(next, updated, Instant::now());
        self.drive(app, table);
        self.tell_game(table);
        Ok(())
    }

    /// Ends the game if the time of the side to move is over.
    pub(super) async fn flag(self: &Arc<Self>, app: &App, table: &mut LiveTable) -> Result<bool, AppError> {
        let at = Instant::now();
        if !table.clock_runs() || table.left_now(at) > 0 {
            return Ok(false);
        }
        let mut next = table.table.clone();
        let flagged = next.flag(table.moment(at));
        if flagged {
            self.change(app, table, next).await?;
        }
        Ok(flagged)
    }

    /// An agent that cannot play loses.
    pub(super) async fn forfeit(
        self: &Arc<Self>,
        app: &App,
        table: &mut LiveTable,
        side: Color,
    ) -> Result<(), AppError> {
        let mut next = table.table.clone();
        next.forfeit(side);
        self.change(app, table, next).await
    }

    pub(crate) async fn take_back(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        plies: Option<usize>,
    ) -> Result<GameView, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        let played = table.game().moves().len();
        if played == 0 {
            return Err(Cause::GameNoMoves {}.at("plies"));
        }
        let count = match plies {
            Some(count) => within("plies", count, 1, played as u64).map(|()| count)?,
            None => usual_takeback(&table),
        };
        let (next, write) = table.prepare_takeback(count);
        let updated = write.moment();
        app.store.write(write).await?;
        table.apply_takeback(next, updated, Instant::now());
        self.drive(app, &mut table);
        self.tell_game(&table);
        Ok(self.view(&table))
    }

    pub(crate) async fn resign(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        color: Option<Color>,
    ) -> Result<GameView, AppError> {
        self.end(app, key, color, |_, next, color| next.resign(color)).await
    }

    pub(crate) async fn draw(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        color: Option<Color>,
    ) -> Result<GameView, AppError> {
        self.end(app, key, color, |table, next, color| {
            next.offer_draw(color);
            if table.seats[!color].spec().is_some() {
                if agent_accepts(table, !color) {
                    next.offer_draw(!color);
                } else {
                    next.drop_draw_offer();
                }
            }
        })
        .await
    }

    /// What may end a game that goes on without a move, at a person's wish.
    async fn end(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        color: Option<Color>,
        wish: impl FnOnce(&LiveTable, &mut Table, Color),
    ) -> Result<GameView, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        table.refuse_if_over()?;
        let color = person(&table, color)?;
        let mut next = table.table.clone();
        wish(&table, &mut next, color);
        self.change(app, &mut table, next).await?;
        Ok(self.view(&table))
    }

    /// Begins another game with the colours exchanged.
    pub(crate) async fn rematch(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        client: Client,
    ) -> Result<(Arc<Live>, String), AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        if let Some(next) = &table.next {
            return Err(Cause::RematchExists { id: next.clone() }.at("id"));
        }
        if table.outcome().is_none() {
            return Err(Cause::GameRunning {}.at("id"));
        }
        let setup = Setup {
            game: Game::new(*table.game().rules(), *table.game().start()),
            seats: table.seats.clone().swapped(),
            clock: table.clock,
            paused: false,
            delay_ms: table.delay_ms,
            think_ms: table.think_ms,
        };
        let (live, key) = begin_with(app, setup, client).await?;
        table.next = Some(live.id.clone());
        let same = table.table.clone();
        if let Err(error) = self.change(app, &mut table, same).await {
            table.next = None;
            return Err(error);
        }
        Ok((live, key))
    }

    pub(crate) async fn control(
        self: &Arc<Self>,
        app: &App,
        key: Option<&str>,
        request: ControlRequest,
    ) -> Result<GameView, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        let delay = request.delay_ms.map(|value| time("delay_ms", value, 0)).transpose()?;
        let think = request.think_ms.map(|value| time("think_ms", value, 10)).transpose()?;
        if request.step == Some(true) && table.agent_to_move().is_none() {
            return Err(Cause::StepNoAgent {}.at("step"));
        }
        let before = (table.paused, table.delay_ms, table.think_ms);
        let at = Instant::now();
        if let Some(paused) = request.paused {
            table.pause(paused, at);
        }
        table.delay_ms = delay.unwrap_or(table.delay_ms);
        table.think_ms = think.unwrap_or(table.think_ms);
        let same = table.table.clone();
        table.step |= request.step == Some(true) && table.paused;
        if let Err(error) = self.change(app, &mut table, same).await {
            table.pause(before.0, at);
            (table.delay_ms, table.think_ms, table.step) = (before.1, before.2, false);
            return Err(error);
        }
        Ok(self.view(&table))
    }

    /// Lets the clock of the side to move run out, some day.
    pub(super) fn set_timer(self: &Arc<Self>, app: &App, table: &mut LiveTable) {
        if let Some(timer) = table.timer.take() {
            timer.abort();
        }
        if !table.clock_runs() {
            return;
        }
        let (live, app) = (Arc::clone(self), app.clone());
        let wait = Duration::from_millis(table.left_now(Instant::now()) + 1);
        let task = tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            let mut table = live.lock().await;
            // A move that came in time has set another timer, and the check below knows of it.
            let flagged = live.flag(&app, &mut table).await;
            if let Err(error) = flagged {
                tracing::warn!(id = live.id, %error, "a game that is over on time could not be written");
            }
        });
        table.timer = Some(task.abort_handle());
    }
}

/// Refuses whoever has not the key of which this is kept.
pub(super) fn check_key(hash: Option<&[u8]>, key: Option<&str>) -> Result<(), AppError> {
    let key = key.ok_or_else(|| Cause::KeyMissing {}.at("key"))?;
    let fits = hash.is_some_and(|hash| hash == ids::hashed(key));
    if fits { Ok(()) } else { Err(Cause::KeyWrong {}.at("key")) }
}

/// How a game between agents goes on.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ControlRequest {
    pub(crate) paused: Option<bool>,
    pub(crate) delay_ms: Option<u64>,
    pub(crate) think_ms: Option<u64>,
    /// Play one move of an agent while the game is paused.
    pub(crate) step: Option<bool>,
}

/// The moves to take back so that a person is to move before their last one.
fn usual_takeback(table: &LiveTable) -> usize {
    let (played, turn) = (table.game().moves().len(), table.game().turn());
    if table.seats.black.is_human() == table.seats.white.is_human() {
        return 1;
    }
    let count = if table.seats[turn].is_human() { 2 } else { 1 };
    count.min(played)
}

/// The side that a person speaks for.
fn person(table: &LiveTable, color: Option<Color>) -> Result<Color, AppError> {
    let turn = table.game().turn();
    let color = color.unwrap_or(if table.seats[turn].is_human() { turn } else { !turn });
    if table.seats[color].is_human() {
        Ok(color)
    } else {
        Err(Cause::ColorAgent { color: error::word(&color) }.at("color"))
    }
}

/// Whether an agent takes a draw: late in the game, if it does not think that it is ahead.
fn agent_accepts(table: &LiveTable, side: Color) -> bool {
    const LATE: usize = 80;
    let position = table.game().position();
    let ahead = match table.expected[side] {
        Some(expected) => expected > 0.52,
        None => position.score(side) > position.score(!side),
    };
    table.game().moves().len() >= LATE && !ahead
}

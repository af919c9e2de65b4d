//! One game in memory, and what can be done with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use sumito_agents::Table;
use sumito_rules::{Color, Move, Notation};
use tokio::sync::{Mutex, MutexGuard, broadcast, watch};

use super::event::Event;
use super::hall::{Hall, Render};
use super::presence::{Audience, Presence};
use super::table::{AgentReport, LiveTable};
use super::talk::Said;
use crate::domain::client::{Client, Owner};
use crate::domain::date::now;
use crate::domain::error::{self, AppError, Cause};
use crate::domain::game::Source;
use crate::domain::kept::{MOST_PLIES, Offers};
use crate::domain::keys::{Credentials, Speaker};

/// A game in memory.
pub(crate) struct LiveGame {
    pub(crate) id: String,
    table: Mutex<LiveTable>,
    events: broadcast::Sender<Utf8Bytes>,
    /// Grows with every change, for those who look at the game itself then.
    changes: watch::Sender<u64>,
    /// Whether it was deleted.
    gone: AtomicBool,
    /// What is said, which not everybody hears who watches.
    pub(super) talk: broadcast::Sender<Said>,
    /// When someone last asked for it.
    touched: AtomicI64,
    /// Whose share of the search threads it takes; the number of [`Owner::UNKNOWN`] until that is known.
    owner: AtomicI64,
    /// The share that it takes until then.
    unknown: Owner,
    render: Render,
    /// Whether it is one of two persons with a key each.
    pub(super) is_pair: bool,
    pub(super) presence: Presence,
}

/// The game while nobody else changes it.
pub(crate) type Seen<'a> = MutexGuard<'a, LiveTable>;

/// Games of which nobody knows who began them take so many shares of the search threads together: one alone would have
/// them all wait for each other, and one for each would be as many as someone wakes up.
const UNKNOWN_SHARES: i64 = 8;

/// Messages that wait for a slow listener before it gets the whole game instead.
const BACKLOG: usize = 64;
/// Milliseconds before its time is up from which on a game by correspondence is kept in memory for that; see `Hall::end_overdue`.
pub(super) const AWAKE: i64 = 120_000;
/// A game between agents goes on so long after someone asked for it.
const ATTENTION: i64 = 60_000;

impl LiveGame {
    pub(super) fn new(table: LiveTable, owner: Owner, render: Render) -> LiveGame {
        let (events, _) = broadcast::channel(BACKLOG);
        // Owners are numbers of 64 random bits, so that these are nobody's.
        let unknown = Owner(1 + table.num.rem_euclid(UNKNOWN_SHARES));
        let (touched, owner) = (AtomicI64::new(now()), AtomicI64::new(owner.0));
        LiveGame {
            id: table.id.clone(),
            is_pair: table.keys.is_pair(),
            presence: Presence::default(),
            table: Mutex::new(table),
            events,
            changes: watch::Sender::new(0),
            gone: AtomicBool::new(false),
            talk: broadcast::channel(BACKLOG).0,
            touched,
            owner,
            unknown,
            render,
        }
    }

    /// Whose share of the search threads it takes.
    pub(crate) fn share(&self) -> Owner {
        match Owner(self.owner.load(Ordering::Relaxed)) {
            Owner::UNKNOWN => self.unknown,
            owner => owner,
        }
    }

    /// Who comes with the key of a game of which nobody knows who began it is taken for that one.
    pub(crate) async fn recognise(&self, hall: &Hall, who: &Credentials, client: Client) {
        if Owner(self.owner.load(Ordering::Relaxed)) == Owner::UNKNOWN && self.has_key(who).await {
            self.owner.store(hall.owner(client).0, Ordering::Relaxed);
        }
    }

    /// Whether this is a key of it.
    pub(crate) async fn has_key(&self, who: &Credentials) -> bool {
        self.lock().await.keys.speaker(who).is_ok()
    }

    /// For whom a key speaks.
    pub(crate) async fn speaker(&self, who: &Credentials) -> Result<Speaker, AppError> {
        self.lock().await.keys.speaker(who)
    }

    /// Refuses whoever may not play in it.
    pub(crate) async fn admit(&self, who: &Credentials) -> Result<(), AppError> {
        Self::check_player(&*self.lock().await, who).map(|_| ())
    }

    pub(crate) async fn lock(&self) -> Seen<'_> {
        self.table.lock().await
    }

    /// As if nobody had asked for it for long.
    #[cfg(test)]
    pub(crate) fn neglect(&self) {
        self.touched.store(0, Ordering::Relaxed);
    }

    /// Whether someone watches it, or has asked for it since then.
    pub(super) fn is_wanted(&self, since: i64) -> bool {
        self.events.receiver_count() + self.changes.receiver_count() > 0
            || self.touched.load(Ordering::Relaxed) > since
    }

    /// Whether its agents go on: a person's always, two agents' only while someone is there to see it.
    pub(super) fn is_active(&self, source: Source) -> bool {
        source == Source::Play || self.is_wanted(now() - ATTENTION)
    }

    /// Who follows it.
    pub(crate) fn audience(&self) -> Audience {
        self.presence.audience(self.events.receiver_count())
    }

    /// Someone asks for it: agents that had stopped for want of anybody go on.
    pub(crate) async fn touch(self: &Arc<Self>, hall: &Hall) {
        self.touched.store(now(), Ordering::Relaxed);
        self.drive(hall, &mut *self.lock().await);
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Utf8Bytes> {
        self.events.subscribe()
    }

    /// Hears of every change, and of who comes and leaves.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Whether it was deleted.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Those who look at the game itself should look again.
    pub(super) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Tells everyone who watches; makes the message only if there is someone.
    pub(super) fn tell<'a>(&self, event: impl FnOnce() -> Event<'a>) {
        if self.events.receiver_count() > 0 {
            // The last one may just have left.
            let _ = self.events.send((self.render)(&event()));
        }
    }

    /// The whole game as a message.
    pub(crate) fn whole(&self, table: &LiveTable) -> Utf8Bytes {
        (self.render)(&Event::Game { table, audience: self.audience() })
    }

    pub(super) fn tell_game(&self, table: &LiveTable) {
        self.tell(|| Event::Game { table, audience: self.audience() });
    }

    /// Says for whom a key speaks; refuses whoever has none, and everyone in a game that was played elsewhere: the key
    /// of an import is there to delete it.
    pub(super) fn check_player(table: &LiveTable, who: &Credentials) -> Result<Speaker, AppError> {
        let speaker = table.keys.speaker(who)?;
        if table.source == Source::Import {
            return Err(Cause::GameImported {}.at("id"));
        }
        Ok(speaker)
    }

    /// Tells everyone who watches that the game is no more.
    pub(super) fn tell_gone(&self) {
        self.gone.store(true, Ordering::Relaxed);
        self.tell(|| Event::Deleted);
        self.changed();
    }

    /// A person's move; it is in the database when this comes back. `ply` says how many moves were played before it, so that one that is
    /// sent twice is not played twice.
    pub(crate) async fn play(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        (text, notation): (&str, Notation),
        ply: Option<usize>,
    ) -> Result<Seen<'_>, AppError> {
        let began = Instant::now();
        let mut table = self.lock().await;
        let speaker = Self::check_player(&table, who)?;
        if self.flag(hall, &mut table).await? {
            return Err(Cause::GameOver { reason: "time".to_string() }.at("id"));
        }
        table.refuse_if_over()?;
        table.refuse_if_waiting()?;
        let played = table.game().moves().len();
        if let Some(found) = ply.filter(|ply| *ply != played) {
            return Err(Cause::PlyStale { expected: played, found }.at("ply"));
        }
        speaker.check(table.game().turn())?;
        if table.is_full() {
            return Err(Cause::GameFull { most: MOST_PLIES }.at("move"));
        }
        if table.agent_to_move().is_some() {
            return Err(Cause::AgentsTurn { turn: error::word(&table.game().turn()) }.at("move"));
        }
        let m = notation
            .parse(table.game().position(), text)
            .map_err(|error| error::illegal(&error).at("move"))?;
        self.make(hall, &mut table, m, AgentReport::default()).await?;
        hall.metrics.moves.add(began.elapsed());
        Ok(table)
    }

    /// Writes a legal move, makes it, tells everyone, and lets the game go on.
    pub(super) async fn make(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        m: Move,
        told: AgentReport,
    ) -> Result<(), AppError> {
        let (at, mover) = (Instant::now(), table.game().turn());
        let expected = told.expected;
        let credit = self.credit(table);
        let step = table.prepare(m, told, table.before(at, credit))?;
        hall.store.write(step.write(table.num)).await?;
        table.apply(step, at);
        table.lag[mover] = table.lag[mover].after(credit);
        table.tell_tournament(hall);
        if expected.is_some() {
            table.expected[mover] = expected;
        }
        self.touched.fetch_max(if table.source == Source::Play { now() } else { 0 }, Ordering::Relaxed);
        self.drive(hall, table);
        self.tell(|| Event::Move { table });
        self.tell_players(hall, table, false);
        hall.feed.moved(table);
        self.look_who_is_away(table);
        Ok(())
    }

    /// What the side to move would get back for a move that came now, of the time that its line takes.
    fn credit(&self, table: &LiveTable) -> Duration {
        let turn = table.game().turn();
        table.lag[turn].credit(self.presence.lag(turn))
    }

    /// Writes a change of the game's end or offer, makes it and tells everyone.
    pub(super) async fn change(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        next: Table,
    ) -> Result<(), AppError> {
        let offers = table.offers;
        self.change_with(hall, table, next, offers).await
    }

    /// The same with other offers. None but that of another game outlives the end.
    pub(super) async fn change_with(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        next: Table,
        mut offers: Offers,
    ) -> Result<(), AppError> {
        offers.takeback = offers.takeback.filter(|_| next.outcome().is_none());
        let write = table.prepare_end(&next, offers);
        let updated = write.moment();
        hall.store.write(write).await?;
        self.made(hall, table, next, (offers, updated));
        Ok(())
    }

    /// Makes a change of the end or the offers that is written, and tells everyone.
    pub(super) fn made(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        next: Table,
        (offers, updated): (Offers, i64),
    ) {
        let was_over = table.outcome().is_some();
        table.apply_end(next, offers, updated, Instant::now());
        table.tell_tournament(hall);
        self.drive(hall, table);
        if !was_over {
            hall.feed.ended(table);
        }
        self.tell_game(table);
        self.tell_players(hall, table, was_over);
    }

    /// After a change: whoever looks at the game looks again, and those who play hear that it is over, if it was not.
    fn tell_players(&self, hall: &Hall, table: &LiveTable, was_over: bool) {
        self.changed();
        if !was_over && table.outcome().is_some() {
            hall.feeds.game(table, false);
        }
    }

    /// Ends the game if the time of the side to move is over, or it has not come.
    pub(super) async fn flag(self: &Arc<Self>, hall: &Hall, table: &mut LiveTable) -> Result<bool, AppError> {
        let now_at = Instant::now();
        if table.left_to_come(now_at) == Some(0) {
            let absent = table.game().turn();
            return self.forfeit(hall, table, absent).await.map(|()| true);
        }
        // A move that is on its way still counts with what its line takes.
        let mut at = table.before(now_at, self.credit(table));
        if table.due.is_some_and(|due| due <= now()) {
            // The calendar is right, also if the machine has slept meanwhile.
            at += Duration::from_millis(table.left_now(at) + 1);
        }
        if !table.clock_runs() || table.left_now(at) > 0 {
            return Ok(false);
        }
        let mut next = table.table.clone();
        let flagged = next.flag(table.moment(at));
        if flagged {
            self.change(hall, table, next).await?;
        }
        Ok(flagged)
    }

    /// An agent that cannot play loses.
    pub(crate) async fn forfeit(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        side: Color,
    ) -> Result<(), AppError> {
        let mut next = table.table.clone();
        next.forfeit(side);
        self.change(hall, table, next).await
    }

    /// Lets the clock of the side to move run out, some day, or its time to come.
    pub(super) fn set_timer(self: &Arc<Self>, hall: &Hall, table: &mut LiveTable) {
        if let Some(timer) = table.timer.take() {
            timer.abort();
        }
        let at = Instant::now();
        let is_far = table.due.is_some_and(|due| due > now() + AWAKE);
        let runs = table.clock_runs() && !is_far;
        let left = runs.then(|| table.left_now(at) + self.credit(table).as_millis() as u64);
        let Some(left) = left.into_iter().chain(table.left_to_come(at)).min() else { return };
        let (live, hall) = (Arc::clone(self), hall.clone());
        let wait = Duration::from_millis(left + 1);
        let task = tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            let mut table = live.lock().await;
            // A move that came in time has set another timer, and the check below knows of it.
            match live.flag(&hall, &mut table).await {
                // The line was found to take longer meanwhile.
                Ok(false) if table.clock_runs() => live.set_timer(&hall, &mut table),
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(id = live.id, %error, "a game that is over on time could not be written");
                }
            }
        });
        table.timer = Some(task.abort_handle());
    }
}

impl LiveTable {
    /// Tells the tournament that the game belongs to of its end, which the database has taken into it already.
    fn tell_tournament(&self, hall: &Hall) {
        if let Some(tournament) = self.tournament.as_ref().filter(|_| self.outcome().is_some()) {
            hall.tournaments.ended(tournament);
        }
    }
}

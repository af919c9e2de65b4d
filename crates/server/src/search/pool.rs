//! The threads that search. There are as many as cores, each of which takes the next job of the queue, and some more for
//! quick work alone, so that a person at a level never waits for other people's long searches. Whatever may take long
//! gives way: when a client who is behind in time waits and no thread is free, the job of the client who is furthest
//! ahead is interrupted, queued again, and goes on later. So no client holds a thread much longer than a slice while
//! another one waits who has had less.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::bench::Bench;
use super::job::{Job, TicketState};
pub(crate) use super::job::{Next, SearchWork, Ticket, Turn};
use super::queue::Queue;
pub(crate) use super::queue::WorkKind;
use crate::domain::client::Owner;
use crate::domain::error::{AppError, Cause};
use crate::metrics::Metrics;

struct Running {
    kind: WorkKind,
    client: Owner,
    since: Instant,
    /// Up to when its time is in the client's account.
    charged: Instant,
    /// Whether it was asked to give way.
    asked: bool,
    ticket: Arc<TicketState>,
}

struct Inner {
    queue: Queue<Owner, Job>,
    /// By a number that grows.
    running: HashMap<u64, Running>,
    started: u64,
    /// Jobs of each client, waiting and running, without moves of games.
    jobs: HashMap<Owner, usize>,
    idle: usize,
    closed: bool,
}

struct Shared {
    inner: Mutex<Inner>,
    wake: Condvar,
    sizes: Sizes,
    metrics: Arc<Metrics>,
    /// Interrupted searches that keep their memory.
    held: Arc<AtomicUsize>,
    /// Whether some job was cancelled.
    some_cancelled: Arc<AtomicBool>,
    /// So many searches panic from now on.
    #[cfg(test)]
    breaks: Arc<AtomicUsize>,
}

/// The threads.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// Threads for quick work. They are not busy for long, but wait for each other's cores when others are.
const QUICK_THREADS: usize = 3;
/// What long searches are behind all else in the eyes of the system, as `nice` counts.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;
/// How often the pool looks whether someone must give way.
const LOOK: Duration = Duration::from_millis(20);
/// The least time on a thread, and how far a client may get ahead of one who waits.
const LEAST: Duration = Duration::from_millis(50);
const SLICE: Duration = Duration::from_millis(500);

/// The sizes of a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) threads: usize,
    /// The table of each thread's engine in megabytes.
    pub(crate) hash: usize,
    /// Jobs of a client at a time, not counting its games.
    pub(crate) per_client: usize,
    /// Jobs of all clients at a time, not counting games.
    pub(crate) in_all: usize,
}

impl Pool {
    pub(crate) fn new(sizes: Sizes, metrics: Arc<Metrics>) -> Pool {
        let inner = Inner {
            queue: Queue::new(),
            running: HashMap::new(),
            started: 0,
            jobs: HashMap::new(),
            idle: 0,
            closed: false,
        };
        let shared = Arc::new(Shared {
            inner: Mutex::new(inner),
            wake: Condvar::new(),
            sizes,
            metrics,
            held: Arc::default(),
            some_cancelled: Arc::default(),
            #[cfg(test)]
            breaks: Arc::default(),
        });
        let spawn = |name: String, work: fn(&Shared)| {
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name(name).spawn(move || work(&shared));
            thread.expect("the system gives threads")
        };
        let mut threads: Vec<JoinHandle<()>> = (0..sizes.threads)
            .map(|number| spawn(format!("search-{number}"), |shared| shared.work(shared.sizes.hash, false)))
            .collect();
        threads.extend(
            (0..QUICK_THREADS)
                .map(|number| spawn(format!("search-quick-{number}"), |shared| shared.work(1, true))),
        );
        threads.push(spawn("search-turns".to_string(), Shared::watch));
        Pool { shared, threads: Mutex::new(threads) }
    }

    /// Queues a job. A client that has too many is refused.
    pub(crate) fn submit(&self, kind: WorkKind, client: Owner, work: SearchWork) -> Result<Ticket, AppError> {
        let mut inner = self.shared.lock();
        let Sizes { per_client, in_all, .. } = self.shared.sizes;
        if inner.closed {
            return Err(Cause::ServerEnding {}.into());
        }
        if inner.jobs.get(&client).copied().unwrap_or(0) >= per_client {
            return Err(Cause::RateHeld { what: "searches", most: per_client }.into());
        }
        if inner.jobs.values().sum::<usize>() >= in_all {
            return Err(Cause::ServerFull { what: "searches", most: in_all }.into());
        }
        *inner.jobs.entry(client).or_default() += 1;
        Ok(self.shared.push(&mut inner, (kind, client, true), work))
    }

    /// Queues a move of a game, which no limit refuses: there is at most one for each game.
    pub(crate) fn submit_move(&self, kind: WorkKind, client: Owner, work: SearchWork) -> Ticket {
        self.shared.push(&mut self.shared.lock(), (kind, client, false), work)
    }

    /// Whether the threads have ended, or are about to.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.lock().closed
    }

    /// Lets so many searches panic.
    #[cfg(test)]
    pub(crate) fn break_searches(&self, count: usize) {
        self.shared.breaks.store(count, Ordering::SeqCst);
    }

    /// Ends all searches and the threads.
    pub(crate) fn close(&self) {
        {
            let mut inner = self.shared.lock();
            inner.closed = true;
            inner.queue.clear();
            for running in inner.running.values() {
                running.ticket.cancelled.store(true, Ordering::SeqCst);
                running.ticket.stop.request();
            }
        }
        self.shared.wake.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(
        &self,
        inner: &mut Inner,
        (kind, client, counted): (WorkKind, Owner, bool),
        work: SearchWork,
    ) -> Ticket {
        let some = Arc::clone(&self.some_cancelled);
        let ticket = Arc::new(TicketState { some, ..TicketState::default() });
        // Who comes is level with what the others have had up to now.
        inner.settle(Instant::now());
        inner.queue.push(kind, client, Job { ticket: Arc::clone(&ticket), work, counted });
        self.metrics.waiting.set(inner.queue.len() as i64);
        // Not every thread takes every kind.
        self.wake.notify_all();
        Ticket(ticket)
    }

    /// Whether a kind may take one more thread: one is always left for what is more urgent than reviews.
    fn may(&self, inner: &Inner, kind: WorkKind) -> bool {
        let reviews = || inner.running.values().filter(|running| running.kind == WorkKind::Review).count();
        kind != WorkKind::Review || reviews() < (self.sizes.threads - 1).max(1)
    }

    /// The next job for a thread, which begins. Quick work of one client is done one by one, so that no client fills all
    /// threads that are there for it.
    fn take(&self, inner: &mut Inner, only_quick: bool) -> Option<(u64, WorkKind, Owner, Job)> {
        inner.settle(Instant::now());
        let allowed =
            WorkKind::ALL.map(|kind| (!only_quick || kind == WorkKind::Quick) && self.may(inner, kind));
        let running = &inner.running;
        let has_quick =
            |client| running.values().any(|job| (job.kind, job.client) == (WorkKind::Quick, client));
        let (kind, client, job) = inner
            .queue
            .pop(|kind, client| allowed[kind as usize] && (kind != WorkKind::Quick || !has_quick(client)))?;
        self.metrics.waiting.set(inner.queue.len() as i64);
        self.metrics.running.add(1);
        self.metrics.searches.add(1);
        Some((inner.begin(kind, client, &job), kind, client, job))
    }

    /// What a thread does, until the pool is closed.
    fn work(&self, hash: usize, only_quick: bool) {
        if !only_quick {
            stand_back();
        }
        let mut bench = Bench::new(hash);
        #[cfg(test)]
        {
            bench.breaks = Arc::clone(&self.breaks);
        }
        loop {
            let mut inner = self.lock();
            let (number, kind, client, job) = loop {
                if inner.closed {
                    return;
                }
                if let Some(next) = self.take(&mut inner, only_quick) {
                    break next;
                }
                inner.idle += usize::from(!only_quick);
                inner = self.wake.wait(inner).unwrap_or_else(PoisonError::into_inner);
                inner.idle -= usize::from(!only_quick);
            };
            drop(inner);
            self.run((number, kind, client), job, &mut bench);
        }
    }

    fn run(&self, (number, kind, client): (u64, WorkKind, Owner), mut job: Job, bench: &mut Bench) {
        let mut turn = Turn { bench, stop: job.ticket.stop.clone(), ticket: &job.ticket, held: &self.held };
        let next = if turn.is_cancelled() {
            // Nobody hears of it any more.
            Next::Done
        } else {
            // A search that panics must not take its thread along. Its work is dropped below, and whoever waits for
            // the result sees that.
            catch_unwind(AssertUnwindSafe(|| (job.work)(&mut turn))).unwrap_or_else(|_| {
                tracing::error!(?kind, "a search panicked");
                Next::Done
            })
        };
        let mut inner = self.lock();
        inner.settle(Instant::now());
        inner.running.remove(&number);
        self.metrics.running.add(-1);
        let goes_on = next == Next::Again && !job.ticket.cancelled.load(Ordering::SeqCst) && !inner.closed;
        let ended = if goes_on {
            inner.queue.push_again(kind, client, job);
            self.metrics.waiting.set(inner.queue.len() as i64);
            None
        } else {
            inner.queue.done(client);
            inner.uncount(client, &job);
            Some(job)
        };
        drop(inner);
        // Not under the lock: this may tell others.
        drop(ended);
        // A place for a review may have become free.
        self.wake.notify_all();
    }

    /// Looks again and again who must give way.
    fn watch(&self) {
        loop {
            thread::sleep(LOOK);
            let mut inner = self.lock();
            if inner.closed {
                return;
            }
            let gone =
                if self.some_cancelled.swap(false, Ordering::SeqCst) { inner.weed() } else { Vec::new() };
            self.metrics.waiting.set(inner.queue.len() as i64);
            inner.settle(Instant::now());
            let reviews = self.may(&inner, WorkKind::Review);
            if inner.idle == 0 {
                // Quick work has its own thread, and is not worth an interruption.
                inner.interrupt(
                    |kind| kind != WorkKind::Quick && (kind != WorkKind::Review || reviews),
                    |_| true,
                );
            }
            if !reviews {
                // Reviews have all the threads that they may have: they take turns among themselves.
                inner.interrupt(|kind| kind == WorkKind::Review, |kind| kind == WorkKind::Review);
            }
            drop(inner);
            // Not under the lock: this may tell others.
            drop(gone);
        }
    }
}

/// When there are not cores enough for all, long searches leave them to quick work and to the threads that answer
/// requests. What they do not want is there for them as before.
#[cfg(target_os = "linux")]
fn stand_back() {
    // Here this is the calling thread alone, and the threads that it starts.
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "searches cannot stand back");
    }
}

#[cfg(not(target_os = "linux"))]
fn stand_back() {}

impl Inner {
    /// Puts the time of what runs into the clients' accounts.
    fn settle(&mut self, now: Instant) {
        for running in self.running.values_mut() {
            self.queue.charge(running.client, now.saturating_duration_since(running.charged));
            running.charged = now;
        }
    }

    /// A job begins, or goes on after it gave way, unless it was cancelled meanwhile.
    fn begin(&mut self, kind: WorkKind, client: Owner, job: &Job) -> u64 {
        self.started += 1;
        job.ticket.stop.clear();
        if job.ticket.cancelled.load(Ordering::SeqCst) {
            job.ticket.stop.request();
        }
        let (since, ticket) = (Instant::now(), Arc::clone(&job.ticket));
        let running = Running { kind, client, since, charged: since, asked: false, ticket };
        self.running.insert(self.started, running);
        self.started
    }

    fn uncount(&mut self, client: Owner, job: &Job) {
        if job.counted
            && let Some(jobs) = self.jobs.get_mut(&client)
        {
            *jobs -= 1;
            if *jobs == 0 {
                self.jobs.remove(&client);
            }
        }
    }

    /// Takes out what was cancelled while it waited.
    fn weed(&mut self) -> Vec<Job> {
        let gone = self.queue.weed(|job| job.ticket.cancelled.load(Ordering::SeqCst));
        for (client, job) in &gone {
            self.uncount(*client, job);
        }
        gone.into_iter().map(|(_, job)| job).collect()
    }

    /// Of the kinds that may have a thread, the job that waits first; of those that can lose theirs, the one that is
    /// furthest ahead of it: that one is interrupted, if it is far enough.
    fn interrupt(&mut self, may: impl Fn(WorkKind) -> bool, can: impl Fn(WorkKind) -> bool) {
        let Some((kind, client)) = self.queue.peek(|kind, _| may(kind)) else { return };
        let waits = self.queue.key(kind, client);
        let far = |running: &Running| {
            let ahead = self.queue.key(running.kind, running.client).saturating_sub(waits);
            // Studies of one client have no end, so they take turns among themselves.
            let own = running.client == client && running.kind == kind && kind == WorkKind::Study;
            let since = running.since.elapsed();
            since >= LEAST && ahead >= SLICE || own && since >= SLICE
        };
        let able = |running: &&mut Running| {
            running.kind.gives_way() && can(running.kind) && !running.asked && far(running)
        };
        let key = |running: &&mut Running| self.queue.key(running.kind, running.client);
        if let Some(running) = self.running.values_mut().filter(able).max_by_key(key) {
            running.asked = true;
            running.ticket.stop.request();
        }
    }
}

#[cfg(test)]
mod tests;

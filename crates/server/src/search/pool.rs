//! The threads that search. There are as many as cores, each of which takes the next job of the queue, and one more for
//! quick work alone, so that a person at a level never waits for other people's long searches. A study has no end, so it
//! gives way when others wait: it is stopped, queued again, and goes on with the table that it has filled. A review
//! lets waiting moves through after each of its positions.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sumito_agents::Stop;

use super::bench::Bench;
pub(crate) use super::queue::Kind;
use super::queue::Queue;
use crate::client::Client;
use crate::error::AppError;
use crate::metrics::Metrics;

/// What a job does when it has a thread: once, or for a study again after it gave way.
pub(crate) type Work = Box<dyn FnMut(&mut Turn<'_>) -> Next + Send>;

/// Whether a job is through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It is.
    Done,
    /// It was stopped to give way, and wants to go on.
    Again,
}

/// A job's time on a thread.
pub(crate) struct Turn<'a> {
    /// The thread's engine and agents.
    pub(crate) bench: &'a mut Bench,
    /// Ends the search.
    pub(crate) stop: Stop,
    pool: &'a Shared,
}

impl Turn<'_> {
    /// Runs the moves that wait, in the middle of other work.
    pub(crate) fn let_moves_through(&mut self) {
        while let Some((kind, client, job)) = self.pool.next(|kind| matches!(kind, Kind::Quick | Kind::Move))
        {
            self.pool.run(kind, client, job, self.bench);
        }
    }
}

struct Job {
    ticket: Arc<TicketState>,
    work: Work,
    /// Whether it counts among the jobs of its client.
    counted: bool,
}

#[derive(Default)]
struct TicketState {
    cancelled: AtomicBool,
    stop: Stop,
}

/// A job in the pool. It is cancelled when this is dropped.
pub(crate) struct Ticket(Arc<TicketState>);

impl Ticket {
    /// Ends the search; whether it has a result is up to the job.
    pub(crate) fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.stop.request();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancel();
    }
}

struct Running {
    kind: Kind,
    since: Instant,
    ticket: Arc<TicketState>,
}

struct Inner {
    queue: Queue<Client, Job>,
    /// By a number that grows.
    running: HashMap<u64, Running>,
    started: u64,
    /// Jobs of each client, waiting and running.
    jobs: HashMap<Client, usize>,
    idle: usize,
    closed: bool,
}

struct Shared {
    inner: Mutex<Inner>,
    wake: Condvar,
    threads: usize,
    metrics: Arc<Metrics>,
    per_client: usize,
    in_all: usize,
}

/// The threads.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// How often the pool looks whether someone must give way.
const LOOK: Duration = Duration::from_millis(20);
/// A study's time on a thread while moves wait, and while other studies do.
const FOR_MOVES: Duration = Duration::from_millis(50);
const FOR_STUDIES: Duration = Duration::from_millis(700);

/// The sizes of a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) threads: usize,
    /// The table of each thread's engine in megabytes.
    pub(crate) hash: usize,
    /// Jobs of a client at a time, not counting its games.
    pub(crate) per_client: usize,
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
            threads: sizes.threads,
            metrics,
            per_client: sizes.per_client,
            in_all: sizes.in_all,
        });
        let mut threads: Vec<JoinHandle<()>> = (0..sizes.threads)
            .map(|number| {
                let shared = Arc::clone(&shared);
                let builder = thread::Builder::new().name(format!("search-{number}"));
                builder.spawn(move || shared.work(Bench::new(sizes.hash))).expect("the system gives threads")
            })
            .collect();
        let quick = Arc::clone(&shared);
        let builder = thread::Builder::new().name("search-quick".to_string());
        threads.push(
            builder.spawn(move || quick.work_quickly(Bench::new(1))).expect("the system gives threads"),
        );
        let watched = Arc::clone(&shared);
        let builder = thread::Builder::new().name("search-turns".to_string());
        threads.push(builder.spawn(move || watched.watch()).expect("the system gives threads"));
        Pool { shared, threads: Mutex::new(threads) }
    }

    /// Queues a job. A client that has too many is refused.
    pub(crate) fn submit(&self, kind: Kind, client: Client, work: Work) -> Result<Ticket, AppError> {
        let mut inner = self.shared.lock();
        let jobs = inner.jobs.get(&client).copied().unwrap_or(0);
        if inner.closed {
            return Err(AppError::busy("the server is about to end"));
        }
        if jobs >= self.shared.per_client {
            let message = format!("expected at most {} searches at a time", self.shared.per_client);
            return Err(AppError::too_many(message));
        }
        if inner.queue.len() >= self.shared.in_all {
            return Err(AppError::too_many("too many searches wait already"));
        }
        *inner.jobs.entry(client).or_default() += 1;
        Ok(self.shared.push(&mut inner, (kind, client, true), work))
    }

    /// Queues a move of a game, which no limit refuses: there is at most one for each game.
    pub(crate) fn submit_move(&self, kind: Kind, client: Client, work: Work) -> Ticket {
        self.shared.push(&mut self.shared.lock(), (kind, client, false), work)
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
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
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
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn push(&self, inner: &mut Inner, (kind, client, counted): (Kind, Client, bool), work: Work) -> Ticket {
        let ticket = Arc::new(TicketState::default());
        inner.queue.push(kind, client, Job { ticket: Arc::clone(&ticket), work, counted });
        self.metrics.waiting.set(inner.queue.len() as i64);
        // Not every thread takes every kind.
        self.wake.notify_all();
        Ticket(ticket)
    }

    /// Whether a kind may take one more thread: one is always left for what is more urgent than reviews.
    fn may(&self, inner: &Inner, kind: Kind) -> bool {
        let reviews = || inner.running.values().filter(|running| running.kind == Kind::Review).count();
        kind != Kind::Review || reviews() < (self.threads - 1).max(1)
    }

    fn take(&self, inner: &mut Inner, wanted: impl Fn(Kind) -> bool) -> Option<(Kind, Client, Job)> {
        let allowed = Kind::ALL.map(|kind| wanted(kind) && self.may(inner, kind));
        let next = inner.queue.pop(|kind| allowed[kind as usize]);
        self.metrics.waiting.set(inner.queue.len() as i64);
        next
    }

    fn next(&self, wanted: impl Fn(Kind) -> bool) -> Option<(Kind, Client, Job)> {
        self.take(&mut self.lock(), wanted)
    }

    fn work(&self, mut bench: Bench) {
        loop {
            let mut inner = self.lock();
            let (kind, client, job) = loop {
                if inner.closed {
                    return;
                }
                if let Some(next) = self.take(&mut inner, |_| true) {
                    break next;
                }
                inner.idle += 1;
                inner = self.wake.wait(inner).unwrap_or_else(std::sync::PoisonError::into_inner);
                inner.idle -= 1;
            };
            drop(inner);
            self.run(kind, client, job, &mut bench);
        }
    }

    /// The thread for quick work.
    fn work_quickly(&self, mut bench: Bench) {
        loop {
            let mut inner = self.lock();
            let (kind, client, job) = loop {
                if inner.closed {
                    return;
                }
                if let Some(next) = self.take(&mut inner, |kind| kind == Kind::Quick) {
                    break next;
                }
                inner = self.wake.wait(inner).unwrap_or_else(std::sync::PoisonError::into_inner);
            };
            drop(inner);
            self.run(kind, client, job, &mut bench);
        }
    }

    fn run(&self, kind: Kind, client: Client, mut job: Job, bench: &mut Bench) {
        let number = self.begin(kind, &job);
        let mut turn = Turn { bench, stop: job.ticket.stop.clone(), pool: self };
        let next = if job.ticket.cancelled.load(Ordering::SeqCst) {
            // Nobody hears of it any more.
            Next::Done
        } else {
            // A search that panics must not take its thread along.
            catch_unwind(AssertUnwindSafe(|| (job.work)(&mut turn))).unwrap_or(Next::Done)
        };
        let mut inner = self.lock();
        inner.running.remove(&number);
        self.metrics.running.add(-1);
        let goes_on = next == Next::Again && !job.ticket.cancelled.load(Ordering::SeqCst) && !inner.closed;
        if goes_on {
            inner.queue.push(kind, client, job);
            self.metrics.waiting.set(inner.queue.len() as i64);
        } else if job.counted
            && let Some(jobs) = inner.jobs.get_mut(&client)
        {
            *jobs -= 1;
            if *jobs == 0 {
                inner.jobs.remove(&client);
            }
        }
        drop(inner);
        // A place for a review may have become free.
        self.wake.notify_all();
    }

    fn begin(&self, kind: Kind, job: &Job) -> u64 {
        let mut inner = self.lock();
        inner.started += 1;
        let number = inner.started;
        // It may have given way before; unless it was cancelled meanwhile, it goes on.
        job.ticket.stop.clear();
        if job.ticket.cancelled.load(Ordering::SeqCst) {
            job.ticket.stop.request();
        }
        let ticket = Arc::clone(&job.ticket);
        inner.running.insert(number, Running { kind, since: Instant::now(), ticket });
        self.metrics.running.add(1);
        self.metrics.searches.add(1);
        number
    }

    /// Stops studies that have had their time while others wait.
    fn watch(&self) {
        loop {
            thread::sleep(LOOK);
            let inner = self.lock();
            if inner.closed {
                return;
            }
            let time = match () {
                () if inner.idle > 0 => continue,
                () if inner.queue.waits(Kind::Quick) || inner.queue.waits(Kind::Move) => FOR_MOVES,
                () if inner.queue.waits(Kind::Study) => FOR_STUDIES,
                () => continue,
            };
            let studies = inner.running.values().filter(|running| running.kind == Kind::Study);
            if let Some(oldest) = studies.min_by_key(|running| running.since)
                && oldest.since.elapsed() >= time
            {
                oldest.ticket.stop.request();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};

    fn pool() -> Pool {
        let sizes = Sizes { threads: 1, hash: 1, per_client: 2, in_all: 10 };
        Pool::new(sizes, Arc::new(Metrics::default()))
    }

    /// A job that says its name and is through.
    fn says(name: &'static str, to: &Sender<&'static str>) -> Work {
        let to = to.clone();
        Box::new(move |_| {
            to.send(name).expect("the test listens");
            Next::Done
        })
    }

    /// A job that says its name and goes on until it is stopped, again and again.
    fn endless(name: &'static str, to: &Sender<&'static str>) -> Work {
        let to = to.clone();
        Box::new(move |turn| {
            to.send(name).expect("the test listens");
            while !turn.stop.is_requested() {
                thread::sleep(Duration::from_millis(1));
            }
            Next::Again
        })
    }

    #[test]
    fn a_study_gives_way_to_moves_and_to_other_studies_and_goes_on() {
        let (pool, (to, heard)) = (pool(), channel());
        let (me, other) = (Client::unknown(), Client::new([127, 0, 0, 1].into()));
        let _first = pool.submit(Kind::Study, me, endless("study", &to)).expect("taken");
        assert_eq!(heard.recv(), Ok("study"));
        let _move = pool.submit_move(Kind::Move, me, says("move", &to));
        assert_eq!((heard.recv(), heard.recv()), (Ok("move"), Ok("study")));
        let _second = pool.submit(Kind::Study, other, endless("other", &to)).expect("taken");
        assert_eq!((heard.recv(), heard.recv()), (Ok("other"), Ok("study")));
    }

    #[test]
    fn quick_work_does_not_wait_for_long_moves() {
        let (pool, (to, heard)) = (pool(), channel());
        let _long = pool.submit_move(Kind::Move, Client::unknown(), endless("long", &to));
        assert_eq!(heard.recv(), Ok("long"));
        let _quick = pool.submit_move(Kind::Quick, Client::unknown(), says("quick", &to));
        assert_eq!(heard.recv(), Ok("quick"));
    }

    #[test]
    fn a_job_whose_ticket_is_dropped_ends_and_makes_room() {
        let (pool, (to, heard)) = (pool(), channel());
        let me = Client::unknown();
        let first = pool.submit(Kind::Study, me, endless("first", &to)).expect("taken");
        assert_eq!(heard.recv(), Ok("first"));
        let second = pool.submit(Kind::Study, me, says("second", &to)).expect("taken");
        let refused = pool.submit(Kind::Study, me, says("third", &to)).err().expect("too many");
        assert_eq!(refused.fault().code, "too_many");
        drop((first, second));
        let again = loop {
            match pool.submit(Kind::Study, me, says("again", &to)) {
                Ok(ticket) => break ticket,
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        };
        let next = heard.iter().find(|name| *name != "first");
        assert_eq!(next, Some("again"), "a job that waited and was dropped never runs");
        drop(again);
    }

    #[test]
    fn a_job_that_panics_does_not_take_its_thread_along() {
        let (pool, (to, heard)) = (pool(), channel());
        let _bad = pool.submit_move(Kind::Move, Client::unknown(), Box::new(|_| panic!("on purpose")));
        let _good = pool.submit_move(Kind::Move, Client::unknown(), says("good", &to));
        assert_eq!(heard.recv(), Ok("good"));
    }
}

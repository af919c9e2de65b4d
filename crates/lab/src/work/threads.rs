//! Units done by threads of this program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use sumito_agents::Stop;

use super::{Executor, Factory, Networks, Unit, UnitOutcome, UnitWorker, Work, WorkError, registered};

/// Threads of this program.
pub struct Threads<'a> {
    /// How many.
    pub threads: usize,
    /// Who builds the players.
    pub build: Factory<'a>,
    /// The networks besides the shipped one.
    pub networks: Networks,
    /// Whether the players' clocks stand still: then outcomes do not depend on how long moves take.
    pub is_timeless: bool,
}

/// A unit's number and what came of it.
type Done = (usize, Result<Option<UnitOutcome>, WorkError>);

/// How often it is seen whether a stop was requested.
const LOOK: Duration = Duration::from_millis(50);

impl Threads<'static> {
    /// So many threads, with every agent of the registry.
    pub fn new(threads: usize) -> Threads<'static> {
        Threads { threads, build: &registered, networks: Networks::default(), is_timeless: false }
    }
}

impl Executor for Threads<'_> {
    fn width(&self) -> usize {
        self.threads.max(1)
    }

    fn games_per_unit(&self) -> usize {
        1
    }

    fn execute(&self, work: &mut Work<'_>, stop: &Stop) -> Result<(), WorkError> {
        let halt = Stop::default();
        let (giver, taker) = mpsc::channel();
        let (sender, done) = mpsc::channel();
        let taker = Mutex::new(taker);
        std::thread::scope(|scope| {
            for _ in 0..self.width() {
                let (sender, taker, halt) = (sender.clone(), &taker, &halt);
                scope.spawn(move || self.work(taker, halt, &sender));
            }
            drop(sender);
            self.hand_over(work, stop, &halt, giver, &done)
        })
    }
}

impl Threads<'_> {
    /// Gives units to the threads and takes back what came of them, until no unit is under way any more.
    fn hand_over(
        &self,
        work: &mut Work<'_>,
        stop: &Stop,
        halt: &Stop,
        giver: Sender<(usize, Unit)>,
        done: &Receiver<Done>,
    ) -> Result<(), WorkError> {
        let (mut under_way, mut failed) = (0, Ok(()));
        loop {
            if stop.is_requested() || work.is_over() || failed.is_err() {
                halt.request();
            }
            // None lies ready beyond what the threads do: after a stop no more is done than was begun.
            while !halt.is_requested() && under_way < self.width() {
                let Some(unit) = work.next_unit() else { break };
                giver.send(unit).expect("threads wait for units as long as there are any");
                under_way += 1;
            }
            if under_way == 0 {
                return failed;
            }
            match done.recv_timeout(LOOK) {
                Ok((number, outcome)) => {
                    under_way -= 1;
                    match outcome {
                        Ok(Some(outcome)) => work.take(number, outcome),
                        Ok(None) => {}
                        Err(why) => failed = failed.and(Err(why)),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return failed,
            }
        }
    }

    /// Does units until no more come.
    fn work(&self, units: &Mutex<Receiver<(usize, Unit)>>, halt: &Stop, done: &Sender<Done>) {
        let mut worker = UnitWorker::new(self.build, &self.networks, self.is_timeless);
        loop {
            let next = units.lock().expect("nobody panics with the lock").recv();
            let Ok((number, unit)) = next else { return };
            let outcome = catch_unwind(AssertUnwindSafe(|| worker.perform(&unit, halt)));
            let outcome = outcome.unwrap_or_else(|_| {
                worker = UnitWorker::new(self.build, &self.networks, self.is_timeless);
                Err(WorkError(format!("unit {number} broke down: a mistake of this program")))
            });
            if done.send((number, outcome)).is_err() {
                return;
            }
        }
    }
}

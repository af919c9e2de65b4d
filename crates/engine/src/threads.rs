//! The threads of an engine. They live as long as it does, and the answer waits for none of them beyond its time: what a
//! thread has found so far counts while the machine holds it up. It sees that the search is over when it runs again, and
//! takes up the next one then.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;

use sumito_rules::Move;

use crate::finish::{Finish, finish};
use crate::ideas::Idea;
use crate::info::Info;
use crate::limits::Stop;
use crate::options::EngineOptions;
use crate::search::{Shared, Worker};

/// All threads, the first one first. It alone keeps to the limits and reports.
pub(crate) struct Threads(Vec<Thread>);

struct Thread {
    /// Searches to take part in; none any more when the engine is dropped.
    parts: Option<Sender<Part>>,
    handle: Option<JoinHandle<()>>,
}

/// A thread's part in a search.
struct Part {
    shared: Arc<Shared>,
    number: u32,
    /// Where the first thread's news go.
    news: Option<Sender<News>>,
}

/// What the first thread has to say.
enum News {
    Found(Info),
    Best(Option<Move>),
}

/// Ends a search for all threads when it is dropped.
struct End(Stop);

impl Drop for End {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl Threads {
    pub(crate) fn new(options: &EngineOptions) -> Threads {
        Threads((0..options.threads.max(1)).map(|_| Thread::new(options)).collect())
    }

    /// All of them search. The best move, or the one that was told last when the time is over.
    pub(crate) fn search(&self, shared: &Arc<Shared>, report: &mut dyn FnMut(&Info)) -> Option<Move> {
        let (sender, news) = channel();
        let mut sender = Some(sender);
        let _end = End(shared.finished.clone());
        for (thread, number) in self.0.iter().zip(0..) {
            let part = Part { shared: Arc::clone(shared), number, news: sender.take() };
            // A helper that died can help no more; that the first thread did is seen below.
            let _ = thread.parts.as_ref().map(|parts| parts.send(part));
        }
        let mut told = None;
        loop {
            let left = shared.budget.left();
            let next = match left {
                Some(left) => news.recv_timeout(left),
                None => news.recv().map_err(RecvTimeoutError::from),
            };
            match next {
                Ok(News::Found(info)) => {
                    if info.rank == 0 {
                        told = info.line.first().copied();
                    }
                    report(&info);
                }
                Ok(News::Best(best)) => return best,
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => return told,
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => panic!("the search broke off"),
            }
        }
    }
}

impl Thread {
    fn new(options: &EngineOptions) -> Thread {
        let (parts, received) = channel::<Part>();
        let mut worker = Worker::new(options);
        let handle = std::thread::spawn(move || {
            for part in received {
                part.play(&mut worker);
            }
        });
        Thread { parts: Some(parts), handle: Some(handle) }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.parts = None;
        if let Some(handle) = self.handle.take() {
            // Its panic has been printed.
            let _ = handle.join();
        }
    }
}

impl Part {
    fn play(self, worker: &mut Worker) {
        let shared = &*self.shared;
        let Some(news) = self.news else {
            worker.run(shared, self.number, &mut |_| ());
            return;
        };
        // Nobody listens any more when the time is over.
        let tell = |what| drop(news.send(what));
        if shared.finished.is_requested() {
            return;
        }
        let finish = if worker.ideas.has(Idea::Proof) { finish(shared) } else { Finish::default() };
        shared.helped.fetch_add(finish.nodes, Relaxed);
        let best = match finish.win {
            Some(win) => {
                let best = win.line.first().copied();
                tell(News::Found(win));
                best
            }
            None => worker.run(shared, self.number, &mut |info| tell(News::Found(info.clone()))),
        };
        tell(News::Best(best));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::search::Deepest;
    use crate::table::TranspositionTable;
    use crate::time::Budget;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;
    use sumito_rules::{Color, Game, Layout, Rules};

    fn shared(limits: Limits) -> Arc<Shared> {
        Arc::new(Shared {
            table: Arc::new(TranspositionTable::new(1)),
            age: 1,
            budget: Budget::new(&limits, Color::Black, Duration::ZERO),
            limits,
            game: Game::new(Rules::OFFICIAL, Layout::all()[0].position()),
            finished: Stop::default(),
            helped: AtomicU64::new(0),
            deepest: Deepest::default(),
        })
    }

    #[test]
    fn an_answer_does_not_wait_for_a_thread_that_is_held_up() {
        let threads = Threads::new(&EngineOptions { hash: 1, ..EngineOptions::default() });
        let holdup = shared(Limits::default());
        let part = Part { shared: Arc::clone(&holdup), number: 0, news: None };
        assert!(threads.0[0].parts.as_ref().expect("an open channel").send(part).is_ok());
        let search = shared(Limits { move_time: Some(Duration::from_millis(10)), ..Limits::default() });
        assert_eq!(threads.search(&search, &mut |_| ()), None);
        assert!(search.finished.is_requested(), "it need not begin any more");
        holdup.finished.request();
        let next = shared(Limits { depth: Some(2), ..Limits::default() });
        assert!(threads.search(&next, &mut |_| ()).is_some(), "it takes up the next search");
    }

    #[test]
    fn a_proof_ends_with_its_search() {
        let shared = shared(Limits { mate: Some(20), ..Limits::default() });
        shared.finished.request();
        assert!(finish(&shared).win.is_none(), "and it ends at all");
    }
}

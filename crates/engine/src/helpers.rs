//! The threads that search beside the first one. They live as long as the engine and nobody waits for them: a thread
//! that the machine holds up must not hold up the answer. It sees that the search is over when it runs again, and
//! takes up the next one then.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use crate::engine::{Options, Stop};
use crate::search::{Shared, Worker};

/// All threads but the first.
pub(crate) struct Helpers(Vec<Helper>);

struct Helper {
    /// Searches to help with; none any more when the engine is dropped.
    searches: Option<Sender<Arc<Shared>>>,
    thread: Option<JoinHandle<()>>,
}

/// A search in which the helpers take part; it is over for them when this is dropped.
pub(crate) struct Help(Stop);

impl Drop for Help {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl Helpers {
    pub(crate) fn new(options: &Options) -> Helpers {
        Helpers((1..options.threads.max(1) as u32).map(|number| Helper::new(options, number)).collect())
    }

    /// All of them help with a search.
    pub(crate) fn start(&self, shared: &Arc<Shared>) -> Help {
        for searches in self.0.iter().filter_map(|helper| helper.searches.as_ref()) {
            // One that died can help no more; the search goes on without it.
            let _ = searches.send(Arc::clone(shared));
        }
        Help(shared.finished.clone())
    }
}

impl Helper {
    fn new(options: &Options, number: u32) -> Helper {
        let (searches, received) = channel::<Arc<Shared>>();
        let mut worker = Worker::new(options);
        let thread = std::thread::spawn(move || {
            for shared in received {
                worker.run(&shared, number, &mut |_| ());
            }
        });
        Helper { searches: Some(searches), thread: Some(thread) }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.searches = None;
        if let Some(thread) = self.thread.take() {
            // Its panic has been printed.
            let _ = thread.join();
        }
    }
}

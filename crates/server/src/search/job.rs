//! A job in the pool: its work, its time on a thread, and the ticket with which it is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sumito_agents::Stop;

use super::bench::Bench;

/// What a job does when it has a thread: once, or again each time after it gave way.
pub(crate) type SearchWork = Box<dyn FnMut(&mut Turn<'_>) -> Next + Send>;

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
    /// Ends the search: to give way, or because nobody wants it any more.
    pub(crate) stop: Stop,
    pub(super) ticket: &'a TicketState,
    pub(super) held: &'a Arc<AtomicUsize>,
}

impl Turn<'_> {
    /// Whether nobody wants the result any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.ticket.cancelled.load(Ordering::SeqCst)
    }

    /// A place to keep an interrupted search with all its memory, if there is one.
    pub(crate) fn hold(&self) -> Option<HeldPlace> {
        let taken = self.held.fetch_add(1, Ordering::SeqCst);
        let held = HeldPlace(Arc::clone(self.held));
        (taken < MOST_HELD).then_some(held)
    }
}

/// A place for an interrupted search; it is given back when dropped.
pub(crate) struct HeldPlace(Arc<AtomicUsize>);

impl Drop for HeldPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Interrupted searches that keep their agent, up to some 32 MB each. Beyond that they answer with what they have.
pub(super) const MOST_HELD: usize = 16;

pub(super) struct Job {
    pub(super) ticket: Arc<TicketState>,
    pub(super) work: SearchWork,
    /// Whether it counts among the jobs of its client.
    pub(super) counted: bool,
}

/// What a job and its ticket share.
#[derive(Default)]
pub(super) struct TicketState {
    pub(super) cancelled: AtomicBool,
    pub(super) stop: Stop,
    /// Whether some job of the pool was cancelled since it last looked.
    pub(super) some: Arc<AtomicBool>,
}

/// A job in the pool. It is cancelled when this is dropped.
pub(crate) struct Ticket(pub(super) Arc<TicketState>);

impl Ticket {
    /// Ends the search; whether it has a result is up to the job.
    pub(crate) fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.stop.request();
        self.0.some.store(true, Ordering::SeqCst);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancel();
    }
}

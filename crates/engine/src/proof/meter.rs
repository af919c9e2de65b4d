//! Counts positions and says when to pause or stop.

use std::time::{Duration, Instant};

use super::ProofLimits;

/// What all parts of a proof search share.
pub(super) struct Meter<'a> {
    limits: &'a ProofLimits,
    start: Instant,
    /// Positions looked at.
    pub(super) nodes: u64,
    /// The search pauses at so many.
    pause: u64,
    /// The limits have run out.
    pub(super) stopped: bool,
}

impl<'a> Meter<'a> {
    pub(super) fn new(limits: &'a ProofLimits) -> Meter<'a> {
        Meter { limits, start: Instant::now(), nodes: 0, pause: u64::MAX, stopped: false }
    }

    /// Counts a position.
    #[inline]
    pub(super) fn count(&mut self) {
        self.nodes += 1;
        let over = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if over || self.nodes.is_multiple_of(256) {
            // What it waited comes off its time.
            self.start += self.limits.pause.wait();
            let late = self.limits.time.is_some_and(|time| self.elapsed() >= time);
            self.stopped |= over || late || self.limits.stop.is_requested();
        }
    }

    /// Pauses after so many more positions.
    pub(super) fn pause_after(&mut self, nodes: u64) {
        self.pause = self.nodes.saturating_add(nodes);
    }

    /// Whether to leave the search, for now or for good.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.stopped || self.nodes >= self.pause
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

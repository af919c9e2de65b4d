//! Keeps an eye on an agent's limits while it searches.

use std::time::{Duration, Instant};

use sumito_rules::Color;

use crate::agent::{Limits, Pause, Ponder, Stop};

/// Counts nodes, and says when to stop.
#[derive(Debug)]
pub struct Watch {
    start: Instant,
    time: Option<Duration>,
    deadline: Option<Instant>,
    ponder: Option<Ponder>,
    nodes: u64,
    max_nodes: u64,
    stop: Stop,
    pause: Pause,
    expired: bool,
}

/// How many nodes pass between two looks at the clock.
const INTERVAL: u64 = 128;
/// What is kept back of the time for a move, for the way from the search to the referee's clock.
const OVERHEAD: Duration = Duration::from_millis(3);
/// Part of the remaining time that goes into a move: games last about 44 moves a side (Chorus 2009).
const MOVES_LEFT: u32 = 44;

impl Watch {
    /// Starts the clock for a move of `turn`. `own` is a time that the agent sets itself.
    pub fn new(limits: &Limits, own: Option<Duration>, turn: Color) -> Watch {
        let start = Instant::now();
        let from_clock = limits.clock.map(|clock| {
            let clock = clock[turn];
            (clock.left / MOVES_LEFT + clock.increment).min(clock.left * 9 / 10)
        });
        let times = [limits.move_time, from_clock, own];
        let time = times.into_iter().flatten().min().filter(|_| !limits.infinite);
        let time = time.map(|time| time.saturating_sub(OVERHEAD));
        Watch {
            start,
            time,
            deadline: time.map(|time| start + time),
            ponder: limits.ponder.clone(),
            nodes: 0,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            stop: limits.stop.clone(),
            pause: limits.pause.clone(),
            expired: false,
        }
    }

    /// Counts one node. True if the search must stop, and from then on always.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(INTERVAL) || self.nodes >= self.max_nodes {
            self.look();
        }
        self.expired
    }

    /// Looks at the clock now. True if the search must stop.
    pub fn look(&mut self) -> bool {
        let held = self.pause.wait();
        if !held.is_zero() {
            self.start += held;
            self.deadline = self.deadline.map(|deadline| deadline + held);
        }
        // While the other side thinks, the time has yet to begin.
        if self.ponder.as_ref().is_some_and(Ponder::is_on) {
            self.deadline = self.time.map(|time| Instant::now() + time);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.expired |= late || self.nodes >= self.max_nodes || self.stop.is_requested();
        self.expired
    }

    /// Whether the search must stop, as of the last look.
    pub fn expired(&self) -> bool {
        self.expired
    }

    /// Whether anything but the depth limits the search.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some() || self.max_nodes < u64::MAX
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time so far.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time until the deadline, if there is one.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_time_that_a_search_was_held_does_not_count() {
        let hour = Duration::from_secs(3600);
        let limits = Limits { move_time: Some(hour), ..Limits::default() };
        let mut watch = Watch::new(&limits, None, Color::Black);
        let deadline = watch.deadline.expect("a time");
        limits.pause.hold();
        let looks = thread::spawn(move || {
            let is_over = watch.look();
            (is_over, watch)
        });
        while limits.pause.held() < Duration::from_millis(20) {
            assert!(!looks.is_finished(), "it was not held");
            thread::sleep(Duration::from_millis(1));
        }
        limits.pause.release();
        let (is_over, watch) = looks.join().expect("no panic");
        assert!(!is_over && watch.deadline.expect("a time") >= deadline + Duration::from_millis(20));
    }
}

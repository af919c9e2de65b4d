//! How long to think: a time that is wanted, and one that is never overstepped.

use std::time::{Duration, Instant};

use crate::engine::Limits;

/// When a search should end, and when it must.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// A game is taken to last so many more moves.
const MOVES_LEFT: u32 = 35;

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Budget {
        let start = Instant::now();
        let overhead = limits.overhead;
        let (mut soft, mut hard) = (None, limits.move_time.map(|time| time.saturating_sub(overhead)));
        if let Some((left, increment)) = limits.clock {
            let usable = left.saturating_sub(overhead);
            let share = usable / MOVES_LEFT + increment * 3 / 4;
            soft = Some(share.min(usable / 3));
            let most = (share * 4).min(usable / 2);
            hard = Some(hard.map_or(most, |time| time.min(most)));
        }
        Budget { start, soft, hard }
    }

    /// Whether the search must stop now.
    pub(crate) fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.start.elapsed() >= hard)
    }

    /// Whether another iteration should begin. `unrest` is 1 for a settled best move, more for one that changes.
    pub(crate) fn goes_on(&self, unrest: f64) -> bool {
        self.soft.is_none_or(|soft| self.start.elapsed() < soft.mul_f64(unrest))
    }
}

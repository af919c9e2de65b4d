//! How long to think: a time that is wanted, and one that is never overstepped.
//!
//! A machine that is busy with other work may hold a search up at any moment, also the last one. The time between two
//! looks at the clock shows it, and the longest such lag is kept free at the end. It is forgotten over
//! some twenty moves.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sumito_rules::Color;

use crate::limits::{Limits, Ponder};
use crate::pause::Pause;

/// When a search should end, and when it must.
#[derive(Debug)]
pub(crate) struct Budget {
    start: Instant,
    /// While this is on, no time counts.
    ponder: Option<Ponder>,
    /// While the search is held, none counts either: this is how long it had been before.
    pause: Pause,
    held: Duration,
    /// When time began to count.
    counted: OnceLock<Instant>,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// The last look at the clock since the start, and the longest time between two looks, in microseconds.
    looked: AtomicU64,
    lag: AtomicU64,
}

/// A game is taken to last so many more moves.
const MOVES_LEFT: u32 = 35;
/// An answer is waited for at least so long.
const LEAST: Duration = Duration::from_millis(2);
/// More time than this is as much as this: a month.
const ENDLESS: Duration = Duration::from_secs(30 * 24 * 3600);

impl Budget {
    /// The time for a move of `turn`, after searches that were held up by so much.
    pub(crate) fn new(limits: &Limits, turn: Color, lag: Duration) -> Budget {
        let start = Instant::now();
        let overhead = limits.overhead;
        let move_time = limits.move_time.filter(|_| !limits.infinite);
        let (mut soft, mut hard) = (None, move_time.map(|time| time.saturating_sub(overhead)));
        if let Some(clock) = limits.clock.filter(|_| !limits.infinite).map(|clock| clock[turn]) {
            let usable = clock.left.min(ENDLESS).saturating_sub(overhead);
            let share = usable / MOVES_LEFT + clock.increment.min(ENDLESS) * 3 / 4;
            soft = Some(share.min(usable / 3));
            let most = (share * 4).min(usable / 2);
            hard = Some(hard.map_or(most, |time| time.min(most)));
        }
        Budget {
            start,
            ponder: limits.ponder.clone(),
            held: limits.pause.held(),
            pause: limits.pause.clone(),
            counted: OnceLock::new(),
            soft,
            hard,
            looked: AtomicU64::new(u64::MAX),
            lag: AtomicU64::new(lag.as_micros() as u64 * 15 / 16),
        }
    }

    /// How long searches were held up recently.
    pub(crate) fn lag(&self) -> Duration {
        Duration::from_micros(self.lag.load(Relaxed))
    }

    /// Time since the search began, without what it was held.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.pause.held().saturating_sub(self.held))
    }

    /// Waits as long as the search is held. For the thread that asks whether it is over.
    pub(crate) fn pause(&self) {
        if !self.pause.wait().is_zero() {
            // The machine did not hold it up: that is no lag.
            self.looked.store(u64::MAX, Relaxed);
        }
    }

    /// A part of the time that the search may take; none if there is no limit.
    pub(crate) fn part(&self, part: f64) -> Option<Duration> {
        self.soft.or(self.hard).map(|whole| whole.mul_f64(part))
    }

    /// Time that counts; none yet while the other side thinks.
    fn spent(&self) -> Option<Duration> {
        match &self.ponder {
            None => Some(self.elapsed()),
            Some(ponder) if ponder.is_on() => None,
            Some(_) => Some(self.counted.get_or_init(Instant::now).elapsed()),
        }
    }

    /// Looks at the clock, whatever it says: how long ago was the last look? For one thread.
    pub(crate) fn look(&self) {
        let now = self.start.elapsed().as_micros() as u64;
        let before = self.looked.swap(now, Relaxed);
        self.lag.fetch_max(now.saturating_sub(before), Relaxed);
    }

    /// Whether the search must stop now. One thread asks, again and again.
    pub(crate) fn is_over(&self) -> bool {
        let Some(hard) = self.hard else { return false };
        self.look();
        self.spent().is_some_and(|spent| spent + self.lag().min(hard * 3 / 4) >= hard)
    }

    /// How long an answer may be waited for; none if there is no limit. Ask again when the time is over: the other side
    /// may have been thinking.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.max(LEAST).saturating_sub(self.spent().unwrap_or_default()))
    }

    /// Whether another iteration should begin. `wanted` is 1 for a settled best move, more for one that changes.
    pub(crate) fn goes_on(&self, wanted: f64) -> bool {
        self.soft.is_none_or(|soft| self.spent() < Some(soft.mul_f64(wanted)))
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::ByColor;

    use super::*;
    use crate::limits::Clock;

    /// Black's clock, White having no time.
    fn clock(left: Duration, increment: Duration) -> Option<ByColor<Clock>> {
        Some(ByColor::new(Clock { left, increment }, Clock::default()))
    }

    #[test]
    fn a_clock_is_never_used_up_in_one_move() {
        for left in [0, 1, 10, 100, 1000, 60_000] {
            for increment in [0, 10, 5000] {
                let clock = clock(Duration::from_millis(left), Duration::from_millis(increment));
                let limits = Limits { clock, overhead: Duration::from_millis(3), ..Limits::default() };
                let budget = Budget::new(&limits, Color::Black, Duration::ZERO);
                assert!(budget.hard.expect("a limit") <= Duration::from_millis(left) / 2);
                assert!(budget.soft <= budget.hard);
            }
        }
    }

    #[test]
    fn a_search_that_is_held_up_ends_so_much_earlier() {
        let hour = Duration::from_secs(3600);
        let limits = Limits { move_time: Some(hour), ..Limits::default() };
        let budget = Budget::new(&limits, Color::Black, hour * 2);
        assert!(!budget.is_over(), "a quarter of the time is there in any case");
        let budget =
            Budget { start: Instant::now() - hour * 2 / 3, ..Budget::new(&limits, Color::Black, hour / 2) };
        assert!(budget.is_over());
        let budget = Budget {
            start: Instant::now() - hour * 2 / 3,
            ..Budget::new(&limits, Color::Black, Duration::ZERO)
        };
        assert!(!budget.is_over() && budget.lag() < hour / 9, "the time before the first look is no lag");
        budget.looked.store(0, Relaxed);
        assert!(budget.is_over() && budget.lag() >= hour / 2);
    }

    #[test]
    fn the_time_that_a_search_was_held_does_not_count() {
        let hour = Duration::from_secs(3600);
        let limits = Limits { move_time: Some(hour), pause: Pause::after(hour), ..Limits::default() };
        let budget = Budget {
            start: Instant::now() - hour * 3 / 2,
            ..Budget::new(&limits, Color::Black, Duration::ZERO)
        };
        assert!(budget.is_over(), "what it was held before it began is none of its time");
        let budget = Budget { held: Duration::ZERO, ..budget };
        assert!(!budget.is_over() && budget.elapsed() < hour && budget.left() > Some(hour / 3));
    }

    #[test]
    fn any_clock_is_a_clock() {
        let limits = Limits { clock: clock(Duration::MAX, Duration::MAX), ..Limits::default() };
        assert!(Budget::new(&limits, Color::Black, Duration::ZERO).goes_on(10.0));
    }

    #[test]
    fn no_time_counts_while_the_other_side_thinks() {
        let ponder = Ponder::default();
        let limits =
            Limits { move_time: Some(Duration::ZERO), ponder: Some(ponder.clone()), ..Limits::default() };
        let budget = Budget::new(&limits, Color::Black, Duration::ZERO);
        assert!(!budget.is_over());
        ponder.hit();
        assert!(budget.is_over());
    }
}

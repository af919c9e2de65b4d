//! Who is there: which seats of a game between two persons have an open socket, and how many others look on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sumito_rules::{ByColor, Color};

use super::event::Event;
use super::game::LiveGame;

/// So long changes are gathered before they are told, so that a reload of a page, or a hundred spectators who come at
/// once, is one message.
const GATHERED: Duration = Duration::from_millis(700);

/// Who follows a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Audience {
    /// All open sockets.
    pub(crate) watchers: usize,
    /// The seats whose player has one.
    pub(crate) here: ByColor<bool>,
    /// Sockets of those who have no seat.
    pub(crate) spectators: usize,
    /// Since when the seats' players have none.
    pub(crate) gone: ByColor<Option<Instant>>,
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    seats: ByColor<usize>,
    /// The seats whose player was ever there.
    came: ByColor<bool>,
    others: usize,
    /// When the last socket of a seat was closed; before there was one, since when the game is in memory.
    left: ByColor<Instant>,
    /// How long the line of a seat takes, there and back.
    lag: ByColor<Duration>,
}

impl Default for Counts {
    fn default() -> Counts {
        let now = Instant::now();
        Counts {
            seats: ByColor::default(),
            came: ByColor::default(),
            others: 0,
            left: ByColor::new(now, now),
            lag: ByColor::default(),
        }
    }
}

impl Counts {
    fn of(&mut self, seat: Option<Color>) -> &mut usize {
        match seat {
            Some(color) => &mut self.seats[color],
            None => &mut self.others,
        }
    }

    /// One socket less.
    fn leave(&mut self, seat: Option<Color>) {
        *self.of(seat) -= 1;
        if let Some(color) = seat
            && self.seats[color] == 0
        {
            self.left[color] = Instant::now();
            self.lag[color] = Duration::ZERO;
        }
    }
}

/// The sockets that follow a game.
#[derive(Debug, Default)]
pub(super) struct Presence {
    counts: Mutex<Counts>,
    /// Whether a change is about to be told.
    pending: AtomicBool,
}

impl Presence {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn audience(&self, watchers: usize) -> Audience {
        let Counts { seats, others, left, .. } = *self.lock();
        let gone = |color: Color| (seats[color] == 0).then_some(left[color]);
        Audience {
            watchers,
            here: seats.map(|count| count > 0),
            spectators: others,
            gone: ByColor::new(gone(Color::Black), gone(Color::White)),
        }
    }

    /// How long the line of a seat takes, there and back; nothing if it is not known.
    pub(super) fn lag(&self, color: Color) -> Duration {
        self.lock().lag[color]
    }

    /// As if whoever sits there had been gone for so long already.
    #[cfg(test)]
    pub(super) fn long_gone(&self, color: Color, time: Duration) {
        let mut counts = self.lock();
        counts.left[color] = counts.left[color].checked_sub(time).unwrap_or(counts.left[color]);
    }
}

/// A socket among those that follow a game; it leaves when this is dropped.
pub(crate) struct Attendance {
    live: Arc<LiveGame>,
    seat: Option<Color>,
}

impl Attendance {
    /// Somebody comes, as a spectator first.
    pub(crate) fn new(live: &Arc<LiveGame>) -> Attendance {
        *live.presence.lock().of(None) += 1;
        live.people_changed();
        Attendance { live: Arc::clone(live), seat: None }
    }

    /// The same socket speaks for a seat from here on.
    pub(crate) fn sit(&mut self, seat: Color) {
        {
            let mut counts = self.live.presence.lock();
            counts.leave(self.seat);
            *counts.of(Some(seat)) += 1;
            counts.came[seat] = true;
        }
        self.seat = Some(seat);
        self.live.people_changed();
    }

    /// The seat that the socket speaks for.
    pub(crate) fn seat(&self) -> Option<Color> {
        self.seat
    }

    /// The line of the socket was found to take so long.
    pub(crate) fn takes(&self, lag: Duration) {
        if let Some(color) = self.seat {
            self.live.presence.lock().lag[color] = lag;
        }
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.live.presence.lock().leave(self.seat);
        self.live.people_changed();
    }
}

impl LiveGame {
    /// Whether somebody who was there has left: one who never came has not.
    pub(crate) fn has_left(&self, seat: Color) -> bool {
        let counts = self.presence.lock();
        counts.came[seat] && counts.seats[seat] == 0
    }

    /// Tells soon who is there, in a game in which that matters.
    pub(super) fn people_changed(self: &Arc<Self>) {
        if !self.is_pair || self.presence.pending.swap(true, Ordering::Relaxed) {
            return;
        }
        // A server that ends tells nobody any more.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let live = Arc::clone(self);
        runtime.spawn(async move {
            tokio::time::sleep(GATHERED).await;
            live.presence.pending.store(false, Ordering::Relaxed);
            let table = live.lock().await;
            live.tell(|| Event::People { table: &table, audience: live.audience() });
            live.changed();
        });
    }
}

//! The table: a game being played by two seats against the clock. Who sits there, a person or an agent, in a terminal,
//! a match or on the web, is not its business.
//!
//! It never looks at a watch. Moments are passed in, as the time since any moment that the caller likes (the start of
//! the program, the year 1970), so that a test of an hour's game takes no time. One clock runs at most, that of the side
//! to move: [`Table::start_clock`] starts it, a move, an end or [`Table::stop_clock`] stops it.

#[cfg(test)]
mod tests;

use std::time::Duration;

use sumito_rules::{ByColor, Color, Game, Move, Outcome, PlayError, Reason};

use crate::agent::{AgentError, Clock, Limits};

/// A game, and the time of both players. A copy is a table of its own: what may fail to be kept is tried on a copy first.
///
/// ```
/// use std::time::Duration;
/// use sumito_agents::{Clock, Table, TimeControl};
/// use sumito_rules::{ByColor, Color, Game, Layout, Rules};
/// let minute = Clock { left: Duration::from_secs(60), increment: Duration::from_secs(1) };
/// let time = TimeControl { clock: Some(minute), ..TimeControl::default() };
/// let start = Layout::named("belgian-daisy").expect("a layout").position();
/// let mut table = Table::new(Game::new(Rules::OFFICIAL, start), ByColor::new(time, time));
/// let noon = Duration::ZERO;
/// table.start_clock(noon);
/// let m = table.game().legal_moves()[0];
/// table.play(m, Duration::from_secs(10)).expect("a legal move, in time");
/// assert_eq!(table.left(Color::Black, noon), Some(Duration::from_secs(51)));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    game: Game,
    time: ByColor<TimeControl>,
    /// When the clock of the side to move was started, if it runs.
    began: Option<Duration>,
    /// What the side to move had used of the time for its move when its clock was last stopped.
    used: Duration,
}

/// The time of a seat: what limits it at the moment. Without either limit it may think for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// What is left for the game, and what each move adds.
    pub clock: Option<Clock>,
    /// What may be taken beyond that without losing, for agents whose timers are not exact.
    pub grace: Duration,
}

impl TimeControl {
    /// What the next move may take, the grace left aside.
    fn allowed(&self) -> Option<Duration> {
        self.move_time.into_iter().chain(self.clock.map(|clock| clock.left)).min()
    }
}

/// Why a move was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// It came too late, and the game is lost.
    #[error("{used:.1?} used of {allowed:.1?}")]
    Late {
        /// What it took.
        used: Duration,
        /// What it might have taken.
        allowed: Duration,
    },
    /// It is not legal, or the game was over; nothing has changed.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl Table {
    /// A game, and the time of both players, with no clock running yet.
    pub fn new(game: Game, time: ByColor<TimeControl>) -> Table {
        Table { game, time, began: None, used: Duration::ZERO }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// What limits both players, as of when the clock was last started or stopped.
    pub fn time(&self) -> &ByColor<TimeControl> {
        &self.time
    }

    /// Sets what limits both players, as after a takeback that gives the time back.
    pub fn set_time(&mut self, time: ByColor<TimeControl>) {
        self.time = time;
    }

    /// Starts the clock of the side to move, if it does not run yet and the game is not over.
    pub fn start_clock(&mut self, now: Duration) {
        if self.outcome().is_none() {
            self.began.get_or_insert(now);
        }
    }

    /// Stops the clock of the side to move; what it has used is gone.
    pub fn stop_clock(&mut self, now: Duration) {
        let used = self.used(now);
        if let Some(clock) = &mut self.time[self.game.turn()].clock {
            clock.left = clock.left.saturating_sub(used);
        }
        self.used += used;
        self.began = None;
    }

    /// Whether the clock of the side to move runs.
    pub fn is_running(&self) -> bool {
        self.began.is_some()
    }

    /// How long the side to move has been thinking since its clock was started.
    pub fn used(&self, now: Duration) -> Duration {
        self.began.map_or(Duration::ZERO, |began| now.saturating_sub(began))
    }

    /// What a player may still use for the move at hand, or the next one; nothing if no time limits it.
    pub fn left(&self, color: Color, now: Duration) -> Option<Duration> {
        let flagged = Outcome { winner: Some(!color), reason: Reason::Time };
        let used = match color == self.game.turn() {
            true if self.outcome() == Some(flagged) => Duration::MAX,
            true => self.used(now),
            false => Duration::ZERO,
        };
        self.allowed(color).map(|allowed| allowed.saturating_sub(used))
    }

    /// What a player might use when the clock was last started or stopped.
    fn allowed(&self, color: Color) -> Option<Duration> {
        let mut time = self.time[color];
        if color == self.game.turn() {
            time.move_time = time.move_time.map(|limit| limit.saturating_sub(self.used));
        }
        time.allowed()
    }

    /// By how much a move of the side to move that takes so long exceeds its time, the grace included.
    pub fn overstep(&self, time: Duration) -> Duration {
        let allowed = self.allowed(self.game.turn());
        allowed.map_or(Duration::ZERO, |allowed| time.saturating_sub(allowed))
    }

    fn is_late(&self, time: Duration) -> bool {
        self.overstep(time) > self.time[self.game.turn()].grace
    }

    /// Ends the game if the time of the side to move is up, and says whether it did.
    pub fn flag(&mut self, now: Duration) -> bool {
        let is_up = self.outcome().is_none() && self.is_late(self.used(now));
        if is_up {
            self.lose_on_time();
        }
        is_up
    }

    fn lose_on_time(&mut self) {
        self.end(|game| game.lose_on_time(game.turn()));
    }

    /// Plays a move that took so long since the clock was started. If that was too long, the game is lost instead.
    pub fn play(&mut self, m: Move, time: Duration) -> Result<(), TurnError> {
        let mover = self.game.turn();
        if self.outcome().is_none() && self.is_late(time) {
            let allowed = self.allowed(mover).unwrap_or_default();
            self.lose_on_time();
            return Err(TurnError::Late { used: time, allowed });
        }
        self.game.play(m)?;
        if let Some(clock) = &mut self.time[mover].clock {
            clock.left = clock.left.saturating_sub(time) + clock.increment;
        }
        (self.began, self.used) = (None, Duration::ZERO);
        Ok(())
    }

    /// Takes the last move back, and whatever ended the game. No clock runs then, and none is set back.
    pub fn take_back(&mut self) -> Option<Move> {
        let taken = self.game.take_back()?;
        (self.began, self.used) = (None, Duration::ZERO);
        Some(taken)
    }

    /// A player gives up.
    pub fn resign(&mut self, loser: Color) {
        self.end(|game| game.resign(loser));
    }

    /// A player broke the rules or stopped playing.
    pub fn forfeit(&mut self, loser: Color) {
        self.end(|game| game.forfeit(loser));
    }

    /// An agent has no move to play, and loses.
    pub fn fail(&mut self, loser: Color, error: &AgentError) {
        match error {
            AgentError::Resigned => self.resign(loser),
            _ => self.forfeit(loser),
        }
    }

    /// A player offers a draw, or accepts the other's offer.
    pub fn offer_draw(&mut self, by: Color) {
        self.end(|game| game.offer_draw(by));
    }

    /// The offer of a draw is declined or withdrawn.
    pub fn drop_draw_offer(&mut self) {
        self.game.drop_draw_offer();
    }

    /// Does what may end the game, and stops the clock if it has.
    fn end(&mut self, deed: impl FnOnce(&mut Game)) {
        deed(&mut self.game);
        if self.outcome().is_some() {
            self.began = None;
        }
    }

    /// The time within which the side to move has to choose, as an agent is told.
    pub fn limits(&self) -> Limits {
        let time = &self.time[self.game.turn()];
        let clocks = self.time.map(|time| time.clock.unwrap_or_default());
        Limits { move_time: time.move_time, clock: time.clock.map(|_| clocks), ..Limits::default() }
    }
}

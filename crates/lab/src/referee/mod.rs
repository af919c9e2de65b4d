//! The referee: plays one game between two agents, keeps their clocks, and judges what they do.
//!
//! A player that oversteps its time, answers an illegal move, breaks down (an error or a panic) or does not
//! answer loses, and the record says why. An agent inside this process that never returns cannot be stopped;
//! external engines give up by themselves with an error.

mod record;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sumito_agents::{Agent, AgentError, Clock, Info, Limits, Stop};
use sumito_rules::{ByColor, Color, Game, Move, Notation, Outcome, Rules};

use crate::limit::LimitSpec;
use crate::opening::{Opening, OpeningError};
pub use record::{Fault, GameResult, MoveRecord};

/// How the referee judges, apart from the players' limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conduct {
    /// The endings in force. Their ply cap also serves as the referee's.
    pub rules: Rules,
    /// What a player may take beyond its time, since timers are not exact.
    pub grace: Duration,
    /// When a game is given up for a player.
    pub resign: Option<ResignRule>,
}

/// A game is over when both players have said for so many plies on end that the same side is so far ahead. Only
/// for players whose scores have the same unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignRule {
    /// How far ahead; a win that a player sees is always far enough.
    pub score: f64,
    /// For how many plies.
    pub plies: usize,
}

impl Conduct {
    /// 20 ms of grace, and no game given up.
    pub const fn new(rules: Rules) -> Conduct {
        Conduct { rules, grace: Duration::from_millis(20), resign: None }
    }
}

/// Time since some moment. Tests have clocks of their own.
pub type Now<'a> = &'a dyn Fn() -> Duration;

/// The time since the first call.
pub fn real_time() -> impl Fn() -> Duration {
    let start = Instant::now();
    move || start.elapsed()
}

/// A player at the board.
pub struct Seat<'a> {
    /// What tables and records call it.
    pub name: &'a str,
    /// Who chooses the moves.
    pub agent: &'a mut dyn Agent,
    /// How long it may think.
    pub limit: LimitSpec,
    /// What its random choices follow from, unless its spec says so.
    pub seed: u64,
}

/// Who runs games.
pub struct Referee<'a> {
    /// How it judges.
    pub conduct: &'a Conduct,
    /// Its clock.
    pub now: Now<'a>,
    /// Set from outside to break a game off.
    pub stop: &'a Stop,
}

impl Referee<'_> {
    /// Plays a game, given its place in the schedule. `None` if it was broken off.
    pub fn play(
        &self,
        index: usize,
        opening: &Opening,
        seats: ByColor<Seat<'_>>,
    ) -> Result<Option<GameResult>, OpeningError> {
        let game = opening.game(self.conduct.rules)?;
        let players = ByColor::new(seats.black.name.to_string(), seats.white.name.to_string());
        let clock = |seat: &Seat<'_>| {
            let (left, increment) = seat.limit.clock.unwrap_or_default();
            Clock { left, increment }
        };
        let clocks = ByColor::new(clock(&seats.black), clock(&seats.white));
        let (moves, oversteps) = (Vec::new(), ByColor::default());
        let mut table = Table { referee: self, game, seats, clocks, oversteps, moves };
        let Some((outcome, fault, reason)) = table.run() else { return Ok(None) };
        let score = ByColor::new(Color::Black, Color::White).map(|color| table.game.position().score(color));
        let overstep_us = table.oversteps.map(|time| time.as_micros() as u64);
        let (opening, moves) = (opening.clone(), table.moves);
        Ok(Some(GameResult { index, players, opening, moves, outcome, fault, reason, score, overstep_us }))
    }
}

/// A game in progress, with everything around it.
struct Table<'a, 's> {
    referee: &'a Referee<'a>,
    game: Game,
    seats: ByColor<Seat<'s>>,
    clocks: ByColor<Clock>,
    oversteps: ByColor<Duration>,
    moves: Vec<MoveRecord>,
}

/// A fault and what happened, in words.
type Failure = (Option<Fault>, String);

impl Table<'_, '_> {
    /// Plays to the end, or until stopped.
    fn run(&mut self) -> Option<(Outcome, Option<Fault>, String)> {
        let rules = self.referee.conduct.rules;
        for color in Color::ALL {
            let seat = &mut self.seats[color];
            if let Err(why) = guarded(|| seat.agent.new_game(&rules, Some(seat.seed))) {
                return Some(self.lose(color, (Some(Fault::Crash), why)));
            }
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Some((outcome, None, outcome.reason.to_string()));
            }
            let color = self.game.turn();
            let failure = self.turn(color).err();
            if self.referee.stop.is_requested() {
                return None;
            }
            if let Some(failure) = failure {
                return Some(self.lose(color, failure));
            }
            if let Some(loser) = self.hopeless() {
                return Some(self.lose(loser, (None, "both players' scores agree".to_string())));
            }
        }
    }

    /// Asks a player for a move and plays it.
    fn turn(&mut self, color: Color) -> Result<(), Failure> {
        let limits = self.limits_for(color);
        let mut last: Option<Info> = None;
        let start = (self.referee.now)();
        let (agent, game) = (&mut self.seats[color].agent, &self.game);
        let answer = guarded(|| agent.choose(game, &limits, &mut |info| keep_best(&mut last, info)));
        let time = (self.referee.now)().saturating_sub(start);
        let m = answer.map_err(|why| (Some(Fault::Crash), why))?.map_err(refusal)?;
        self.keep_time(color, time)?;
        self.make_move(m, last.as_ref(), time)
    }

    fn limits_for(&self, color: Color) -> Limits {
        let limit = self.seats[color].limit;
        Limits {
            move_time: limit.move_time,
            clock: limit.clock.map(|_| self.clocks),
            nodes: limit.nodes,
            depth: limit.depth,
            stop: self.referee.stop.clone(),
            ..Limits::default()
        }
    }

    /// Books the time of a move. Time beyond the limit is recorded, and beyond the grace it loses.
    fn keep_time(&mut self, color: Color, time: Duration) -> Result<(), Failure> {
        let (limit, clock) = (self.seats[color].limit, &mut self.clocks[color]);
        let on_clock = limit.clock.map(|_| clock.left);
        let allowed = limit.move_time.into_iter().chain(on_clock).min();
        clock.left = clock.left.saturating_sub(time) + clock.increment;
        let over = allowed.map_or(Duration::ZERO, |allowed| time.saturating_sub(allowed));
        self.oversteps[color] = self.oversteps[color].max(over);
        if over <= self.referee.conduct.grace {
            return Ok(());
        }
        let used = format!("{time:.1?} used of {:.1?}", allowed.unwrap_or_default());
        Err((Some(Fault::Time), used))
    }

    fn make_move(&mut self, m: Move, info: Option<&Info>, time: Duration) -> Result<(), Failure> {
        let position = *self.game.position();
        let illegal = |why: &dyn std::fmt::Display| (Some(Fault::Illegal), format!("{m:?}: {why}"));
        self.game.play(m).map_err(|why| illegal(&why))?;
        self.moves.push(MoveRecord::new(Notation::AbaPro.write(&position, m), info, time));
        Ok(())
    }

    /// Ends the game for its loser.
    fn lose(&mut self, loser: Color, (fault, why): Failure) -> (Outcome, Option<Fault>, String) {
        match fault {
            None => self.game.resign(loser),
            Some(Fault::Time) => self.game.lose_on_time(loser),
            Some(_) => self.game.forfeit(loser),
        }
        let outcome = self.game.outcome().expect("the game was just ended");
        let what = match fault {
            None => "gave up",
            Some(Fault::Time) => "lost on time",
            Some(Fault::Illegal) => "made an illegal move",
            Some(Fault::Crash) => "broke down",
            Some(Fault::Stall) => "stalled",
        };
        (outcome, fault, format!("{loser} {what}: {why}"))
    }

    /// Who has lost in the opinion of both players.
    fn hopeless(&self) -> Option<Color> {
        let rule = self.referee.conduct.resign?;
        if self.game.outcome().is_some() || rule.plies == 0 || self.moves.len() < rule.plies {
            return None;
        }
        let mover = !self.game.turn();
        let recent = self.moves.iter().rev().take(rule.plies).enumerate();
        let for_mover = recent.map(|(i, m)| m.value().map(|value| if i % 2 == 0 { value } else { -value }));
        let values = for_mover.collect::<Option<Vec<f64>>>()?;
        if values.iter().all(|&value| value <= -rule.score) {
            Some(mover)
        } else if values.iter().all(|&value| value >= rule.score) {
            Some(!mover)
        } else {
            None
        }
    }
}

/// Keeps the last report about the best line.
fn keep_best(last: &mut Option<Info>, info: &Info) {
    if info.rank == 0 {
        *last = Some(info.clone());
    }
}

/// What an agent's error means for the game.
fn refusal(error: AgentError) -> Failure {
    let fault = match error {
        AgentError::Resigned => None,
        AgentError::Illegal(_) => Some(Fault::Illegal),
        AgentError::TimedOut(_) => Some(Fault::Stall),
        AgentError::NoMove | AgentError::Crashed(_) => Some(Fault::Crash),
    };
    (fault, error.to_string())
}

/// Runs an agent's code; a panic becomes its message.
fn guarded<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_string()
    })
}

//! The referee: plays one game between two agents, keeps their clocks, and judges what they do.
//!
//! A player that oversteps its time, answers an illegal move, breaks down (an error or a panic) or does not
//! answer loses, and the record says why. An agent inside this process that never returns cannot be stopped;
//! external engines give up by themselves with an error.

mod record;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sumito_agents::{Agent, AgentError, Info, Limits, Stop, Table, TurnError, guarded};
use sumito_rules::{ByColor, Color, Move, Notation, Outcome, Rules};

use crate::limit::LimitSpec;
use crate::opening::{Opening, OpeningError};
pub use record::{GameRecord, MoveRecord, PlayerFault};

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
pub struct RefereeSeat<'a> {
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
        seats: ByColor<RefereeSeat<'_>>,
    ) -> Result<Option<GameRecord>, OpeningError> {
        let game = opening.game(self.conduct.rules)?;
        let players = ByColor::new(seats.black.name.to_string(), seats.white.name.to_string());
        let time = |limit: LimitSpec| limit.time_control(self.conduct.grace);
        let time = ByColor::new(time(seats.black.limit), time(seats.white.limit));
        let (table, moves, oversteps) = (Table::new(game, time), Vec::new(), ByColor::default());
        let mut contest = Contest { referee: self, table, seats, oversteps, moves };
        let Some(Verdict { outcome, fault, reason }) = contest.run() else { return Ok(None) };
        let position = contest.table.game().position();
        let score = ByColor::new(Color::Black, Color::White).map(|color| position.score(color));
        let overstep_us = contest.oversteps.map(|time| time.as_micros() as u64);
        let (opening, moves) = (opening.clone(), contest.moves);
        Ok(Some(GameRecord { index, players, opening, moves, outcome, fault, reason, score, overstep_us }))
    }
}

/// A game in progress, with everything around it.
struct Contest<'a, 's> {
    referee: &'a Referee<'a>,
    table: Table,
    seats: ByColor<RefereeSeat<'s>>,
    oversteps: ByColor<Duration>,
    moves: Vec<MoveRecord>,
}

/// How a player lost otherwise than on the board: by a fault, or it gave up; and what happened, in words.
struct Failure {
    fault: Option<PlayerFault>,
    why: String,
}

impl Failure {
    fn new(fault: impl Into<Option<PlayerFault>>, why: impl ToString) -> Failure {
        Failure { fault: fault.into(), why: why.to_string() }
    }
}

/// How a game ended.
struct Verdict {
    outcome: Outcome,
    fault: Option<PlayerFault>,
    /// The end in words.
    reason: String,
}

impl Contest<'_, '_> {
    /// Plays to the end, or until stopped.
    fn run(&mut self) -> Option<Verdict> {
        let rules = self.referee.conduct.rules;
        for color in Color::ALL {
            let seat = &mut self.seats[color];
            if let Err(why) = guarded(|| seat.agent.new_game(&rules, Some(seat.seed))) {
                return Some(self.lose(color, Failure::new(PlayerFault::Crash, why)));
            }
        }
        loop {
            if let Some(outcome) = self.table.outcome() {
                return Some(Verdict { outcome, fault: None, reason: outcome.reason.to_string() });
            }
            let color = self.table.game().turn();
            let failure = self.turn(color).err();
            if self.referee.stop.is_requested() {
                return None;
            }
            if let Some(failure) = failure {
                return Some(self.lose(color, failure));
            }
            if let Some(loser) = self.hopeless() {
                return Some(self.lose(loser, Failure::new(None, "both players' scores agree")));
            }
        }
    }

    /// Asks a player for a move and plays it.
    fn turn(&mut self, color: Color) -> Result<(), Failure> {
        let limits = self.limits_for(color);
        let mut last: Option<Info> = None;
        let start = (self.referee.now)();
        let (agent, game) = (&mut self.seats[color].agent, self.table.game());
        let answer = guarded(|| agent.choose(game, &limits, &mut |info| keep_best(&mut last, info)));
        let time = (self.referee.now)().saturating_sub(start);
        let m = answer.map_err(|why| Failure::new(PlayerFault::Crash, why))?.map_err(refusal)?;
        self.oversteps[color] = self.oversteps[color].max(self.table.overstep(time));
        self.make_move(m, last.as_ref(), time)
    }

    fn limits_for(&self, color: Color) -> Limits {
        let LimitSpec { nodes, depth, .. } = self.seats[color].limit;
        Limits { nodes, depth, stop: self.referee.stop.clone(), ..self.table.limits() }
    }

    fn make_move(&mut self, m: Move, info: Option<&Info>, time: Duration) -> Result<(), Failure> {
        let position = *self.table.game().position();
        self.table.play(m, time).map_err(|error| match error {
            TurnError::Late { .. } => Failure::new(PlayerFault::Time, error),
            TurnError::Play(why) => Failure::new(PlayerFault::Illegal, format!("{m:?}: {why}")),
        })?;
        self.moves.push(MoveRecord::new(Notation::AbaPro.write(&position, m), info, time));
        Ok(())
    }

    /// Ends the game for its loser.
    fn lose(&mut self, loser: Color, Failure { fault, why }: Failure) -> Verdict {
        match fault {
            None => self.table.resign(loser),
            // Who was late has lost already.
            Some(_) => self.table.forfeit(loser),
        }
        let outcome = self.table.outcome().expect("the game was just ended");
        let what = match fault {
            None => "gave up",
            Some(PlayerFault::Time) => "lost on time",
            Some(PlayerFault::Illegal) => "made an illegal move",
            Some(PlayerFault::Crash) => "broke down",
            Some(PlayerFault::Stall) => "stalled",
        };
        Verdict { outcome, fault, reason: format!("{loser} {what}: {why}") }
    }

    /// Who has lost in the opinion of both players.
    fn hopeless(&self) -> Option<Color> {
        let rule = self.referee.conduct.resign?;
        if self.table.outcome().is_some() || rule.plies == 0 || self.moves.len() < rule.plies {
            return None;
        }
        let mover = !self.table.game().turn();
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
        AgentError::Illegal(_) => Some(PlayerFault::Illegal),
        AgentError::TimedOut(_) => Some(PlayerFault::Stall),
        AgentError::NoMove | AgentError::Crashed(_) => Some(PlayerFault::Crash),
    };
    Failure::new(fault, error)
}

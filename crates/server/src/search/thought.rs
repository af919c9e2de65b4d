//! An agent's thought about a position, over one turn on a search thread or several.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sumito_agents::{AgentError, Info, Limits};
use sumito_rules::{Game, Move};

use super::bench::BenchPlayer;
use super::guest::{Guest, GuestAnswer, told};
use super::job::{HeldPlace, Turn};
use crate::domain::seat::Spec;

/// What came of a thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ThoughtResult {
    /// The agent's move, or why it has none.
    Chosen(Result<Move, AgentError>),
    /// There is no such agent.
    Unmade(String),
    /// The agent panicked.
    Broken(String),
}

/// A thought.
pub(crate) struct Thought {
    pub(crate) spec: Spec,
    pub(crate) game: Game,
    /// The number of the game, if the agent is to remember it.
    number: Option<u64>,
    /// The seed of its random choices, if there is no such number.
    seed: Option<u64>,
    /// How long it may take; counts from its first turn on.
    pub(crate) limits: Limits,
    guest: Option<Guest>,
    held: Option<HeldPlace>,
}

impl Thought {
    pub(crate) fn new(spec: Spec, game: Game, number: Option<u64>, limits: Limits) -> Thought {
        Thought { spec, game, number, seed: None, limits, guest: None, held: None }
    }

    /// The same with this seed for the agent's random choices.
    pub(crate) fn seeded(self, seed: Option<u64>) -> Thought {
        Thought { seed, ..self }
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.guest.is_some()
    }

    /// Thinks until it is done or the turn is over; then there is nothing yet, and it goes on in its next turn. If it
    /// must not wait for that, or there is no place to keep what it has in memory, it answers with what it has.
    pub(crate) fn go_on(
        &mut self,
        turn: &mut Turn<'_>,
        may_wait: bool,
        hear: &mut dyn FnMut(&Info),
    ) -> Option<ThoughtResult> {
        self.held = None;
        if self.guest.is_none() {
            let player = match turn.bench.take(&self.spec, (self.number, self.seed), self.game.rules()) {
                Ok(player) => player,
                Err(why) => return Some(ThoughtResult::Unmade(why)),
            };
            if !self.spec.kind().gives_way() {
                return Some(self.at_once(turn, player, hear));
            }
            self.guest = Some(Guest::new(player, self.game.clone(), &self.limits));
        }
        let guest = self.guest.as_mut()?;
        let answer = match guest.go_on(&turn.stop, hear) {
            Some(answer) => answer,
            None if turn.is_cancelled() => {
                self.guest = None;
                return None;
            }
            None => {
                self.held = if may_wait { turn.hold() } else { None };
                if self.held.is_some() {
                    return None;
                }
                guest.finish(hear)
            }
        };
        self.guest = None;
        Some(match answer {
            GuestAnswer::Chosen(chosen, player) => {
                turn.bench.keep(player);
                ThoughtResult::Chosen(chosen)
            }
            GuestAnswer::Broken(why) => ThoughtResult::Broken(why),
        })
    }

    /// What takes so little time that it need not be interrupted.
    fn at_once(
        &self,
        turn: &mut Turn<'_>,
        mut player: BenchPlayer,
        hear: &mut dyn FnMut(&Info),
    ) -> ThoughtResult {
        let limits = Limits { stop: turn.stop.clone(), ..self.limits.clone() };
        let choose = || {
            let chosen = player.agent.choose(&self.game, &limits, hear);
            (chosen, player)
        };
        match catch_unwind(AssertUnwindSafe(choose)) {
            Ok((chosen, player)) => {
                turn.bench.keep(player);
                ThoughtResult::Chosen(chosen)
            }
            Err(why) => ThoughtResult::Broken(told(&*why)),
        }
    }
}

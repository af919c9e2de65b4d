//! What a tournament is: its system, its terms, and who may join.

use serde::{Deserialize, Serialize};
use sumito_rules::Layout;
use utoipa::ToSchema;

use crate::domain::class::Class;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::game::ClockSetting;
use crate::domain::pairing::lot::Lot;
use crate::domain::pairing::round_robin::Cycles;

/// How players are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// Everybody meets everybody.
    RoundRobin(Cycles),
    /// So many rounds.
    Swiss(u32),
    /// So many minutes.
    Arena(u32),
}

/// Who may join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Welcome {
    People,
    Bots,
    Both,
}

/// What a tournament is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) system: System,
    /// Another one for each round if none.
    pub(crate) layout: Option<&'static Layout>,
    pub(crate) clock: ClockSetting,
    pub(crate) rated: bool,
    pub(crate) welcome: Welcome,
    /// Whether one may join after it has begun.
    pub(crate) late: bool,
}

/// The longest name.
pub(crate) const LONGEST_NAME: usize = 60;
/// Players of a tournament: a Swiss round of so many is paired within seconds.
pub(crate) const MOST_PLAYERS: usize = 500;
/// Players of a round robin: 24 are 23 rounds.
pub(crate) const MOST_IN_ROUND_ROBIN: usize = 24;
/// Rounds of a Swiss tournament.
pub(crate) const MOST_ROUNDS: u32 = 30;
/// Minutes of an arena: all of its games are looked at each second.
pub(crate) const MOST_MINUTES: u32 = 240;
/// How far ahead a tournament may be planned.
pub(crate) const MOST_DAYS_AHEAD: u64 = 90;

impl Welcome {
    pub(crate) const ALL: [Welcome; 3] = [Welcome::People, Welcome::Bots, Welcome::Both];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Welcome::People => "people",
            Welcome::Bots => "bots",
            Welcome::Both => "both",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Welcome> {
        Welcome::ALL.into_iter().find(|welcome| welcome.name() == name)
    }

    /// Whether a bot, or somebody who is none, may join.
    pub(crate) fn admits(self, is_bot: bool) -> bool {
        match self {
            Welcome::People => !is_bot,
            Welcome::Bots => is_bot,
            Welcome::Both => true,
        }
    }
}

impl System {
    /// The word for it, and the one number that goes with it: cycles, rounds or minutes.
    pub(crate) fn parts(self) -> (&'static str, u32) {
        match self {
            System::RoundRobin(Cycles::One) => ("round-robin", 1),
            System::RoundRobin(Cycles::Two) => ("round-robin", 2),
            System::Swiss(rounds) => ("swiss", rounds),
            System::Arena(minutes) => ("arena", minutes),
        }
    }

    /// The system for a word and its number.
    pub(crate) fn from_parts(name: &str, number: u32) -> Option<System> {
        Some(match (name, number) {
            ("round-robin", 1) => System::RoundRobin(Cycles::One),
            ("round-robin", 2) => System::RoundRobin(Cycles::Two),
            ("swiss", rounds) => System::Swiss(rounds),
            ("arena", minutes) => System::Arena(minutes),
            _ => return None,
        })
    }

    /// The most players that it can have.
    pub(crate) fn most_players(self) -> usize {
        if matches!(self, System::RoundRobin(_)) { MOST_IN_ROUND_ROBIN } else { MOST_PLAYERS }
    }

    /// The rounds with so many players; an arena has as many as there is time for.
    pub(crate) fn rounds(self, players: usize) -> Option<usize> {
        match self {
            System::RoundRobin(cycles) => {
                let once = players.next_multiple_of(2).saturating_sub(1);
                Some(if cycles == Cycles::Two { 2 * once } else { once })
            }
            System::Swiss(rounds) => Some(rounds as usize),
            System::Arena(_) => None,
        }
    }
}

impl Settings {
    /// Refuses what no tournament can be.
    pub(crate) fn check(&self) -> Result<(), AppError> {
        let letters = self.name.chars().count();
        if self.name.trim().is_empty() {
            return Err(Cause::FieldMissing { name: "name".to_string() }.at("name"));
        }
        if letters > LONGEST_NAME || self.name.chars().any(char::is_control) {
            return Err(Cause::TextTooLong { most: LONGEST_NAME }.at("name"));
        }
        match self.system {
            System::RoundRobin(_) => {}
            System::Swiss(rounds) => within("system.rounds", rounds, 1, MOST_ROUNDS.into())?,
            System::Arena(minutes) => within("system.minutes", minutes, 1, MOST_MINUTES.into())?,
        }
        // Without a class there is no rating.
        Class::of(Some(self.clock)).ok_or_else(AppError::internal).map(|_| ())
    }

    /// The layout of a round.
    pub(crate) fn layout_of(&self, round: u32, seed: u64) -> &'static Layout {
        self.layout.unwrap_or_else(|| {
            let sound = sound_layouts();
            sound[(Lot::of(seed, round) % sound.len() as u64) as usize]
        })
    }

    /// Within so many milliseconds a side makes its first move, or has not come: a fifth of its time, and at least as long as it takes to see that
    /// one's game has begun.
    pub(crate) fn first_move_ms(clock: ClockSetting) -> u64 {
        match clock {
            ClockSetting::Move { ms } => ms.max(20_000),
            ClockSetting::Game { base_ms, .. } => (base_ms / 5).clamp(20_000, 120_000),
        }
    }
}

/// The layouts of which no source doubts a cell.
pub(crate) fn sound_layouts() -> Vec<&'static Layout> {
    Layout::all().iter().filter(|layout| !layout.is_disputed()).collect()
}

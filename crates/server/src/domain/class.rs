//! Classes of games by their clocks, each with ratings of its own, and what a side is worth before the first move.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::{ClockSetting, DAY};

/// A class of clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Class {
    Bullet,
    Blitz,
    Rapid,
    Correspondence,
}

/// Moves of a side in a usual game between people: they play 87 plies on average, and long games have more.
const MOVES: u64 = 40;
const MINUTE: u64 = 60_000;

impl Class {
    pub(crate) const ALL: [Class; 4] = [Class::Bullet, Class::Blitz, Class::Rapid, Class::Correspondence];

    /// The class of a game with this clock, by the time that a side has for a usual game; none without one.
    pub(crate) fn of(clock: Option<ClockSetting>) -> Option<Class> {
        let (ms, is_slow) = match clock? {
            ClockSetting::Move { ms } => (ms * MOVES, ms >= DAY),
            ClockSetting::Game { base_ms, increment_ms } => (base_ms + increment_ms * MOVES, base_ms >= DAY),
        };
        Some(match ms {
            _ if is_slow => Class::Correspondence,
            ms if ms < 3 * MINUTE => Class::Bullet,
            ms if ms < 8 * MINUTE => Class::Blitz,
            _ => Class::Rapid,
        })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Class::Bullet => "bullet",
            Class::Blitz => "blitz",
            Class::Rapid => "rapid",
            Class::Correspondence => "correspondence",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// Which table a game's advantage was taken from: it stays with the game when there is another table.
pub(crate) const ADVANTAGES: i64 = 1;

/// What Black is worth in a layout before the first move, in Elo.
///
/// Version 1: of 1,518 decided games of people on the Belgian Daisy (the public corpus of 2016 and 2017) Black won 848, 55.9 %. No other layout has
/// enough games of people; agents score 63.0 ± 2.9 % with Black over all of them (`experiments/results/ours/first-player`), so that nothing says
/// that Black is worth less there.
pub(crate) fn advantage(_layout: Option<&str>, version: i64) -> f64 {
    match version {
        1 => 40.9,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_the_class_of_the_time_that_it_gives() {
        let game = |minutes: u64, seconds: u64| {
            Class::of(Some(ClockSetting::Game { base_ms: minutes * MINUTE, increment_ms: seconds * 1000 }))
        };
        assert_eq!(
            [game(1, 0), game(2, 1), game(3, 0)],
            [Some(Class::Bullet), Some(Class::Bullet), Some(Class::Blitz)]
        );
        assert_eq!(
            [game(5, 3), game(5, 5), game(10, 0)],
            [Some(Class::Blitz), Some(Class::Rapid), Some(Class::Rapid)]
        );
        let per_move = |ms| Class::of(Some(ClockSetting::Move { ms }));
        assert_eq!(
            [per_move(DAY), per_move(30_000), per_move(3_000)],
            [Some(Class::Correspondence), Some(Class::Rapid), Some(Class::Bullet)]
        );
        assert_eq!(Class::of(None), None);
        for class in Class::ALL {
            assert_eq!(Class::named(class.name()), Some(class));
        }
    }

    #[test]
    fn the_advantage_is_what_the_games_of_people_say() {
        let share: f64 = 848.0 / (848.0 + 670.0);
        let elo = 400.0 * (share / (1.0 - share)).log10();
        assert!((elo - advantage(Some("belgian-daisy"), ADVANTAGES)).abs() < 0.05, "{elo}");
    }
}

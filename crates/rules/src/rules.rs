//! How a game ends, as data. How marbles move is the same everywhere.

use std::time::Duration;

/// The endings in force in a game.
///
/// ```
/// use sumito_rules::{Repetition, Rules};
/// assert_eq!(Rules::named("bcit").and_then(|rules| rules.ply_cap), Some(60));
/// let mine = Rules { marbles_to_win: 3, repetition: Repetition::Threefold, ..Rules::OFFICIAL };
/// assert!(mine != Rules::OFFICIAL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// Who pushes off this many marbles wins.
    pub marbles_to_win: u8,
    /// When repeating oneself is a draw.
    pub repetition: Repetition,
    /// After this many plies the game is over.
    pub ply_cap: Option<u32>,
    /// After this many plies in a row without an ejection the game is over.
    pub quiet_cap: Option<u32>,
    /// Who wins when a cap ends the game.
    pub at_cap: AtCap,
    /// The usual time, for whoever runs the clock.
    pub clock: Option<TimeRule>,
}

/// When repeating positions is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Repetition {
    /// Never.
    Off,
    /// When a position comes up for the third time.
    Threefold,
    /// When both players make a move, undo it, make it again and undo it again: eight plies, the ruling of
    /// the game's authors (Verloop 2021, appendix A.1).
    MakeAndUndo,
}

/// Who wins when a cap ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum AtCap {
    /// Who has pushed off more marbles; a draw if both have pushed off the same number.
    Ejections,
    /// Nobody.
    Draw,
}

/// The time that a set of rules gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TimeRule {
    /// So much for each move.
    PerMove(Duration),
    /// So much for each player for the whole game.
    PerGame(Duration),
}

impl Rules {
    /// The booklet's six marbles, and the authors' ruling on draws.
    pub const OFFICIAL: Rules = Rules {
        marbles_to_win: 6,
        repetition: Repetition::MakeAndUndo,
        ply_cap: None,
        quiet_cap: None,
        at_cap: AtCap::Ejections,
        clock: None,
    };
    /// The site's: the third repetition since the last ejection is a draw.
    pub const PLAYSTRATEGY: Rules = Rules { repetition: Repetition::Threefold, ..Rules::OFFICIAL };
    /// The BCIT course's: 30 moves each at five seconds, then more ejections win.
    pub const BCIT: Rules = Rules {
        repetition: Repetition::Off,
        ply_cap: Some(60),
        clock: Some(TimeRule::PerMove(Duration::from_secs(5))),
        ..Rules::OFFICIAL
    };
    /// Lee and Noh's: 200 moves without an ejection, or 1,000 in all, then more ejections win.
    pub const CORNELL: Rules =
        Rules { repetition: Repetition::Off, ply_cap: Some(1000), quiet_cap: Some(200), ..Rules::OFFICIAL };
    /// The engine tournaments': 350 plies, then more ejections win.
    pub const TOURNAMENT: Rules =
        Rules { repetition: Repetition::Off, ply_cap: Some(350), ..Rules::OFFICIAL };
    /// The Mind Sports Olympiad's: as on PlayStrategy, where it is played, with 15 minutes for each player.
    pub const MSO: Rules =
        Rules { clock: Some(TimeRule::PerGame(Duration::from_secs(15 * 60))), ..Rules::PLAYSTRATEGY };

    /// The presets by name.
    pub const PRESETS: [(&'static str, Rules); 6] = [
        ("official", Rules::OFFICIAL),
        ("playstrategy", Rules::PLAYSTRATEGY),
        ("bcit", Rules::BCIT),
        ("cornell", Rules::CORNELL),
        ("tournament", Rules::TOURNAMENT),
        ("mso", Rules::MSO),
    ];

    /// The name of the preset under which games end like this, whatever its clock.
    pub fn preset(&self) -> Option<&'static str> {
        let ends = |rules: &Rules| Rules { clock: None, ..*rules };
        Rules::PRESETS.iter().find(|(_, preset)| ends(preset) == ends(self)).map(|(name, _)| *name)
    }

    /// The preset with this name.
    pub fn named(name: &str) -> Option<Rules> {
        Rules::PRESETS.into_iter().find(|(preset, _)| *preset == name).map(|(_, rules)| rules)
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::OFFICIAL
    }
}

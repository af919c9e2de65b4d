//! How training data is made. The settings decide every game, and go into the file's header.

use serde::{Deserialize, Serialize};
use sumito_rules::Rules;

use crate::opening;

/// How self-play is conducted, and which of its positions are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The seed of all random choices.
    pub seed: u64,
    /// Positions that the engine looks at for each move.
    pub nodes: u64,
    /// By how much of itself the number of nodes may vary from move to move, 0 to 1.
    pub nodes_jitter: f64,
    /// The engine's table in megabytes.
    pub hash: usize,
    /// What judges positions: `hand`, or the network's fingerprint.
    #[serde(default = "by_hand")]
    pub judge: String,
    /// The layouts to start from, as for matches.
    pub layouts: String,
    /// The least and the most random plies after a layout.
    pub random_plies: [usize; 2],
    /// The part of the games that starts from scattered marbles instead of a layout.
    pub scattered: f64,
    /// The rules' name.
    pub rules: String,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
    /// A game without an ejection for so many plies is drawn; never if absent.
    #[serde(default)]
    pub max_quiet: Option<u16>,
    /// When a game is over before the rules say so.
    pub decided: Option<Decided>,
    /// Which positions are kept.
    pub keep: Keep,
    /// A score of this size or more is decided, and its position not kept.
    pub max_score: i32,
}

/// A game is won when both sides have agreed on it for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The winner's score, in hundredths of a marble.
    pub score: i32,
    /// For so many plies on end.
    pub plies: usize,
}

/// Which positions are kept, of those after the opening whose score is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All.
    All,
    /// Those whose best move pushes nothing off.
    Quiet,
    /// Those in which the side to move can push nothing off.
    Calm,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            nodes: 1500,
            nodes_jitter: 0.0,
            hash: 4,
            layouts: "sound".to_string(),
            random_plies: [4, 11],
            scattered: 0.5,
            rules: "playstrategy".to_string(),
            max_plies: 400,
            max_quiet: Some(150),
            decided: None,
            keep: Keep::Quiet,
            max_score: 10_000,
            judge: by_hand(),
        }
    }
}

/// The fewest nodes for a move. A position is kept with its score, and there is none before the search has looked at every
/// move once: measured in November 2026 with the shipped network, 20 nodes keep no position at all, 28 keep two of a game,
/// 50 keep 25.
pub const LEAST_NODES: u64 = 30;

impl Settings {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let expected =
            |what: &str, found: &dyn std::fmt::Display| Err(format!("expected {what}, found {found}"));
        let part = 0.0..=1.0;
        match self {
            _ if self.nodes < LEAST_NODES => {
                expected(&format!("at least {LEAST_NODES} nodes for each move"), &self.nodes)
            }
            _ if !part.contains(&self.nodes_jitter) => {
                expected("a jitter of nodes between 0 and 1", &self.nodes_jitter)
            }
            _ if !part.contains(&self.scattered) => {
                expected("a part of scattered starts between 0 and 1", &self.scattered)
            }
            _ if self.hash == 0 => expected("a table of at least 1 MB", &0),
            _ if self.random_plies[0] > self.random_plies[1] => {
                let [least, most] = self.random_plies;
                expected("at least as many random plies at most as at least", &format!("{least} to {most}"))
            }
            _ if self.max_plies == 0 || self.max_plies > 10_000 => {
                expected("a limit of 1 to 10000 plies", &self.max_plies)
            }
            _ if self.max_quiet == Some(0) => expected("at least one ply without an ejection", &0),
            _ if self.max_score < 1 || self.max_score > i32::from(i16::MAX) => {
                expected("a decided score between 1 and 32767", &self.max_score)
            }
            _ if Rules::named(&self.rules).is_none() => {
                let names: Vec<&str> = Rules::PRESETS.iter().map(|(name, _)| *name).collect();
                expected(&format!("rules out of {}", names.join(", ")), &self.rules)
            }
            _ => opening::layouts(&self.layouts).map(|_| ()).map_err(|why| why.to_string()),
        }
    }
}

fn by_hand() -> String {
    "hand".to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_sense_are_refused_with_what_was_expected() {
        let base = Settings::default;
        assert_eq!(base().check(), Ok(()));
        for (settings, words) in [
            (Settings { nodes: 0, ..base() }, "expected at least 30 nodes for each move, found 0"),
            (Settings { nodes: 29, ..base() }, "expected at least 30 nodes for each move, found 29"),
            (Settings { scattered: 1.5, ..base() }, "found 1.5"),
            (Settings { nodes_jitter: f64::NAN, ..base() }, "jitter"),
            (Settings { random_plies: [5, 4], ..base() }, "5 to 4"),
            (Settings { rules: "chess".to_string(), ..base() }, "playstrategy"),
            (Settings { layouts: "standart".to_string(), ..base() }, "did you mean standard"),
            (Settings { max_score: 40_000, ..base() }, "32767"),
        ] {
            let why = settings.check().expect_err("no sense");
            assert!(why.contains(words), "{why}");
        }
    }
}

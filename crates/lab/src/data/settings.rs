//! How training data is made. The settings decide every game, and go into the file's header.

use serde::{Deserialize, Serialize};
use sumito_rules::Rules;

use crate::opening;
use crate::settings::{check, settings};

settings! {
    /// How self-play is conducted, and which of its positions are kept.
    #[serde(deny_unknown_fields)]
    pub struct DataSettings {
        /// Seed of starts and of the nodes' jitter.
        seed: u64 = 1, "S";
        /// Positions that the engine looks at for each move, at least 30.
        nodes: u64 = 1500, "N";
        /// By how much of itself the number of nodes varies from move to move, 0 to 1.
        nodes_jitter: f64 = 0.0, "PART";
        /// The engine's table in megabytes, for each game at a time.
        hash: usize = 4, "MB";
        /// What judges positions: `hand`, or the network's fingerprint.
        #[serde(default = "by_hand")]
        judge: String = by_hand(), (skip = by_hand());
        /// Starting layouts: names or FENs with commas, `all`, or `sound` (those whose cells no source disputes).
        layouts: String = "sound".to_string(), "LIST";
        /// The least and the most random plies after a layout, none of which pushes a marble off.
        random_plies: [usize; 2] = [4, 11],
            (long, default_value = "4,11", value_parser = pairs::plies, value_name = "LEAST,MOST");
        /// The part of the games that starts from scattered marbles instead of a layout, with up to three off on each side.
        scattered: f64 = 0.5, "PART";
        /// How games end: official, playstrategy, bcit, cornell, tournament or mso, without their limits of plies.
        rules: String = "playstrategy".to_string(), "PRESET";
        /// A game of so many plies is drawn.
        max_plies: usize = 400, "N";
        /// A game without an ejection for so many plies is drawn; 0 for never.
        #[serde(default)]
        max_quiet: Option<u16> = Some(150), (long, default_value = "150", value_name = "N");
        /// End a game when the winner's score has been SCORE or more for PLIES on end, by both sides' searches; a forced
        /// win always ends it.
        decided: Option<Decided> = None, (long, value_parser = pairs::decided, value_name = "SCORE,PLIES");
        /// Positions to keep, of those after the random plies with an undecided score.
        keep: Keep = Keep::Quiet, "WHICH", (value_enum);
        /// A score of this size, in hundredths of a marble, is decided, and its position not kept.
        max_score: i32 = 10_000, "SCORE";
    }
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
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All.
    All,
    /// Those whose best move pushes nothing off.
    Quiet,
    /// Those in which the side to move can push nothing off.
    Calm,
}

/// Settings of two numbers, as arguments.
#[cfg(feature = "clap")]
mod pairs {
    use super::Decided;

    pub(super) fn plies(text: &str) -> Result<[usize; 2], String> {
        two(text).ok_or_else(|| format!("expected two numbers such as 4,11, found '{text}'"))
    }

    pub(super) fn decided(text: &str) -> Result<Decided, String> {
        let parts = two(text).and_then(|[score, plies]| Some((i32::try_from(score).ok()?, plies)));
        let (score, plies) = parts.filter(|&(score, plies)| score > 0 && plies > 0).ok_or_else(|| {
            format!("expected a score and a number of plies such as 1500,6, found '{text}'")
        })?;
        Ok(Decided { score, plies })
    }

    fn two(text: &str) -> Option<[usize; 2]> {
        let (one, other) = text.split_once(',')?;
        Some([one.trim().parse().ok()?, other.trim().parse().ok()?])
    }
}

/// The fewest nodes for a move. A position is kept with its score, and there is none before the search has looked at every
/// move once: measured in November 2026 with the shipped network, 20 nodes keep no position at all, 28 keep two of a game,
/// 50 keep 25.
pub const LEAST_NODES: u64 = 30;

impl DataSettings {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        let (part, [least, most]) = (0.0..=1.0, self.random_plies);
        let names: Vec<&str> = Rules::PRESETS.iter().map(|(name, _)| *name).collect();
        check(&[
            (self.nodes >= LEAST_NODES, &format!("at least {LEAST_NODES} nodes for each move"), &self.nodes),
            (part.contains(&self.nodes_jitter), "a jitter of nodes between 0 and 1", &self.nodes_jitter),
            (part.contains(&self.scattered), "a part of scattered starts between 0 and 1", &self.scattered),
            (self.hash > 0, "a table of at least 1 MB", &self.hash),
            (
                least <= most,
                "at least as many random plies at most as at least",
                &format!("{least} to {most}"),
            ),
            ((1..=10_000).contains(&self.max_plies), "a limit of 1 to 10000 plies", &self.max_plies),
            (self.max_quiet != Some(0), "at least one ply without an ejection", &0),
            (
                (1..=i32::from(i16::MAX)).contains(&self.max_score),
                "a decided score between 1 and 32767",
                &self.max_score,
            ),
            (Rules::named(&self.rules).is_some(), &format!("rules out of {}", names.join(", ")), &self.rules),
        ])?;
        opening::layouts(&self.layouts).map(|_| ()).map_err(|why| why.to_string())
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
        let base = DataSettings::default;
        assert_eq!(base().check(), Ok(()));
        for (settings, words) in [
            (DataSettings { nodes: 0, ..base() }, "expected at least 30 nodes for each move, found 0"),
            (DataSettings { nodes: 29, ..base() }, "expected at least 30 nodes for each move, found 29"),
            (DataSettings { scattered: 1.5, ..base() }, "found 1.5"),
            (DataSettings { nodes_jitter: f64::NAN, ..base() }, "jitter"),
            (DataSettings { random_plies: [5, 4], ..base() }, "5 to 4"),
            (DataSettings { rules: "chess".to_string(), ..base() }, "playstrategy"),
            (DataSettings { layouts: "standart".to_string(), ..base() }, "did you mean standard"),
            (DataSettings { max_score: 40_000, ..base() }, "32767"),
        ] {
            let why = settings.check().expect_err("no sense");
            assert!(why.contains(words), "{why}");
        }
    }
}

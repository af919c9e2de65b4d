//! Everything that decides a run: the report's parameters, and what it leaves open.

use serde::{Deserialize, Serialize};
use sumito_agents::cornell::{Encoding, Network};
use sumito_rules::{Layout, Repetition, Rules};

use crate::settings::settings;

settings! {
    /// What decides a run. The defaults are those of section 3.1.1, with which its agent beat random moves. Section 3.1.2 did
    /// best with alpha 0.0005 and a move penalty of 0.0001; with so small an alpha a network that starts badly (seed 2) still
    /// lost to random after 1,900 games.
    pub struct LearnSettings {
        /// The layout from which every game starts.
        layout: String = "german-daisy".to_string(), "NAME";
        /// Games of self-play.
        games: usize = 2000, "N";
        /// Hidden nodes of the network.
        hidden: usize = 16, "N";
        /// How its inputs are counted.
        inputs: InputScale = InputScale::Scaled, "HOW", (value_enum);
        /// Also show it how many pushes each side has.
        pushes: bool = false, (long);
        /// Also show it how many marbles each side has on its own half of the board and on the other's.
        sides: bool = false, (long);
        /// How long the trace of earlier positions lasts, 0 to 1.
        lambda: f64 = 0.7, "X";
        /// The learning rate.
        alpha: f64 = 0.05, "X";
        /// The discount of each step.
        gamma: f64 = 0.5, "X";
        /// Gains count 1 - X times and losses 1 + X times, -1 to 1: above 0 shuns risk, below 0 seeks it.
        kappa: f64 = -0.5, "X", (allow_negative_numbers = true);
        /// Which gains and losses these are.
        risk: Risk = Risk::Reward, "WHICH", (value_enum);
        /// What every move costs.
        move_penalty: f64 = 0.0, "X";
        /// What is rewarded.
        reward: Reward = Reward::Lead, "WHAT", (value_enum);
        /// The chance of a random move at the start.
        epsilon: f64 = 0.1, "X";
        /// The least chance of a random move.
        epsilon_end: f64 = 0.01, "X";
        /// By what the chance is multiplied.
        epsilon_decay: f64 = 0.9, "X";
        /// How often it is.
        decay_per: Pace = Pace::Game, "WHEN", (value_enum);
        /// What ends a game that nobody wins.
        ends: StopRule = StopRule::Caps, (long = "stop", value_enum, default_value_t = StopRule::Caps, value_name = "RULE");
        /// After so many plies without an ejection a game ends.
        quiet_cap: u32 = 200, "N";
        /// After so many plies a game ends.
        ply_cap: u32 = 1000, "N";
        /// Games of self-play between two tests against random.
        test_every: usize = 100, "N";
        /// Games of a test.
        test_games: usize = 100, "N";
        /// Seed of the first weights, of random moves, and of the tests' opponent.
        seed: u64 = 1, "S";
    }
}

/// How a network's inputs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum InputScale {
    /// As they are: what the text says, if it says anything. A compactness of hundreds drives the sigmoids to their ends at each of the
    /// report's learning rates, and no network that learned so does what the report's did against random (`cornell/td-random`).
    Raw,
    /// Divided by about the most that they can be: with these the report's first result comes out.
    Scaled,
}

/// What is rewarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Reward {
    /// At every step the lead in marbles, six counting 1; what the end shows lasts for ever.
    Lead,
    /// A sixth for each marble pushed off or lost, when it is; and 1 or -1 at the end.
    Ejections,
    /// 1 or -1 at the end.
    Result,
}

/// What the risk parameter acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// The reward, as section 2.3 says.
    Reward,
    /// The error, as Mihatsch and Neuneier say.
    Error,
}

/// When epsilon falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// After every game.
    Game,
    /// After every move.
    Move,
}

/// What ends a game that nobody wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum StopRule {
    /// The caps alone, as in the report.
    Caps,
    /// Also the first position that comes up again, as in Abalearn.
    Revisit,
}

impl LearnSettings {
    /// Says what makes no sense, if anything.
    pub fn check(&self) -> Result<(), String> {
        Layout::find(&self.layout).map_err(|why| why.to_string())?;
        let most = Network::MAX_HIDDEN;
        let whole = [
            ("at least one game", self.games, 1..=usize::MAX),
            ("1 to 1024 hidden nodes", self.hidden, 1..=most),
            ("a cap of at least one quiet ply", self.quiet_cap as usize, 1..=usize::MAX),
            ("a cap of 1 to 60000 plies", self.ply_cap as usize, 1..=60_000),
            ("at least one game between tests", self.test_every, 1..=usize::MAX),
        ];
        if let Some((what, found, _)) = whole.iter().find(|(_, found, range)| !range.contains(found)) {
            return Err(format!("expected {what}, found {found}"));
        }
        // The lead's reward lasts for ever, and without a discount that has no sum.
        let gamma = if self.reward == Reward::Lead { 0.0..=0.999 } else { 0.0..=1.0 };
        let numbers = [
            ("lambda", self.lambda, 0.0..=1.0),
            ("alpha", self.alpha, f64::MIN_POSITIVE..=1.0),
            ("gamma", self.gamma, gamma),
            ("kappa", self.kappa, -1.0..=1.0),
            ("a move penalty", self.move_penalty, 0.0..=1.0),
            ("epsilon", self.epsilon, 0.0..=1.0),
            ("epsilon at the end", self.epsilon_end, 0.0..=self.epsilon.clamp(0.0, 1.0)),
            ("decay of epsilon", self.epsilon_decay, 0.0..=1.0),
        ];
        match numbers.into_iter().find(|(_, found, range)| !range.contains(found)) {
            None => Ok(()),
            Some(("alpha", found, _)) => Err(format!("expected alpha above 0 to 1, found {found}")),
            Some((what, found, range)) => {
                Err(format!("expected {what} from {} to {}, found {found}", range.start(), range.end()))
            }
        }
    }

    /// What the network sees.
    pub fn encoding(&self) -> Encoding {
        Encoding { scaled: self.inputs == InputScale::Scaled, pushes: self.pushes, sides: self.sides }
    }

    /// The chance of a random move, after so many games and so many moves.
    pub(super) fn epsilon_at(&self, games: usize, moves: u64) -> f64 {
        let steps = match self.decay_per {
            Pace::Game => games as u64,
            Pace::Move => moves,
        };
        // Further on, the least chance is reached, or it never falls.
        let steps = i32::try_from(steps).unwrap_or(i32::MAX);
        (self.epsilon * self.epsilon_decay.powi(steps)).max(self.epsilon_end)
    }

    /// How games end, apart from revisiting.
    pub(super) fn rules(&self) -> Rules {
        Rules {
            repetition: Repetition::Off,
            ply_cap: Some(self.ply_cap),
            quiet_cap: Some(self.quiet_cap),
            ..Rules::CORNELL
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_sense_are_refused_with_what_was_expected() {
        let base = LearnSettings::default;
        assert_eq!(base().check(), Ok(()));
        for (settings, words) in [
            (LearnSettings { layout: "german-dasy".to_string(), ..base() }, "did you mean german-daisy"),
            (LearnSettings { games: 0, ..base() }, "at least one game, found 0"),
            (LearnSettings { hidden: 1025, ..base() }, "1 to 1024 hidden nodes, found 1025"),
            (LearnSettings { lambda: 1.5, ..base() }, "lambda from 0 to 1, found 1.5"),
            (LearnSettings { alpha: 0.0, ..base() }, "alpha above 0 to 1, found 0"),
            (LearnSettings { gamma: 1.0, ..base() }, "gamma from 0 to 0.999, found 1"),
            (LearnSettings { kappa: f64::NAN, ..base() }, "kappa from -1 to 1, found NaN"),
            (LearnSettings { move_penalty: -0.1, ..base() }, "move penalty from 0 to 1, found -0.1"),
            (LearnSettings { epsilon: 2.0, ..base() }, "epsilon from 0 to 1, found 2"),
            (LearnSettings { epsilon_end: 0.2, ..base() }, "epsilon at the end from 0 to 0.1, found 0.2"),
            (LearnSettings { ply_cap: 0, ..base() }, "found 0"),
            (LearnSettings { test_every: 0, ..base() }, "between tests"),
        ] {
            let why = settings.check().expect_err("no sense");
            assert!(why.contains(words), "{why}");
        }
        assert_eq!(LearnSettings { gamma: 1.0, reward: Reward::Result, ..base() }.check(), Ok(()));
    }

    #[test]
    fn epsilon_falls_as_the_report_says() {
        let settings = LearnSettings::default();
        let near = |epsilon: f64, expected: f64| (epsilon - expected).abs() < 1e-12;
        assert!(near(settings.epsilon_at(0, 50), 0.1) && near(settings.epsilon_at(2, 500), 0.081));
        // 0.9^21 is 0.109, 0.9^22 is 0.098.
        assert!(settings.epsilon_at(21, 0) > 0.01 && near(settings.epsilon_at(22, 0), 0.01));
        assert!(near(settings.epsilon_at(usize::MAX, 0), 0.01));
        let by_move = LearnSettings { decay_per: Pace::Move, ..settings };
        assert!(near(by_move.epsilon_at(9, 1), 0.09) && near(by_move.epsilon_at(0, u64::MAX), 0.01));
    }
}

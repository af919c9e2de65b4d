//! Networks that an experiment trains before its games: Lee and Noh's, with any of their parameters changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::definition::{BySize, Size};
use crate::learn::LearnSettings;

/// A network to train, or with `pairs` one for every two parameters changed at a time; with `seeds` several of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Learn {
    /// What players call it: `cornell-td:weights={id}`.
    pub id: String,
    /// Games of self-play.
    pub games: BySize<usize>,
    /// Other parameters than the defaults, by their names in `settings.json`.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// One network from each of these seeds; without any one, from the experiment's. All that are compared have the same list, so
    /// that luck is not mistaken for the parameters or the layout.
    #[serde(default = "none")]
    pub seeds: BySize<Vec<u64>>,
    /// Values to try for parameters, two parameters at a time: section 3.1.1 of the report.
    #[serde(default)]
    pub pairs: BTreeMap<String, Vec<Value>>,
}

fn none() -> BySize<Vec<u64>> {
    BySize::Same(Vec::new())
}

/// Networks that differ in nothing but their seeds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trained {
    /// Where they are, in the order of the seeds.
    pub(super) files: Vec<String>,
    /// What they have in common.
    pub(super) settings: LearnSettings,
}

impl Trained {
    /// The value of a parameter, if it is a number.
    pub(super) fn parameter(&self, name: &str) -> Option<f64> {
        serde_json::to_value(&self.settings).expect("plain data").get(name)?.as_f64()
    }
}

/// Networks by what players call them.
pub(super) type Networks = BTreeMap<String, Trained>;

impl Learn {
    /// All networks with their settings, by id, one for each seed.
    pub(super) fn settings(
        &self,
        size: Size,
        seed: u64,
    ) -> Result<BTreeMap<String, Vec<LearnSettings>>, String> {
        if self.pairs.is_empty() {
            return Ok([(self.id.clone(), self.seeded(size, seed, &[])?)].into());
        }
        let mut networks = BTreeMap::new();
        let parameters: Vec<(&String, &Vec<Value>)> = self.pairs.iter().collect();
        for (place, (one, values)) in parameters.iter().enumerate() {
            for (other, others) in &parameters[place + 1..] {
                for value in *values {
                    for with in *others {
                        let id = format!("{}-{one}={value}-{other}={with}", self.id);
                        networks.insert(id, self.seeded(size, seed, &[(one, value), (other, with)])?);
                    }
                }
            }
        }
        Ok(networks)
    }

    fn seeded(
        &self,
        size: Size,
        seed: u64,
        changes: &[(&str, &Value)],
    ) -> Result<Vec<LearnSettings>, String> {
        match &self.seeds.of(size)[..] {
            [] => Ok(vec![self.one(size, seed, changes)?]),
            seeds => seeds.iter().map(|&seed| self.one(size, seed, changes)).collect(),
        }
    }

    fn one(&self, size: Size, seed: u64, changes: &[(&str, &Value)]) -> Result<LearnSettings, String> {
        let games = *self.games.of(size);
        // The experiment's own games are the test; those of the training would take longer than it.
        let (test_every, test_games) = (games.max(1), 1);
        let defaults = LearnSettings { games, seed, test_every, test_games, ..LearnSettings::default() };
        let mut value = serde_json::to_value(&defaults).expect("plain data");
        let own = self.set.iter().map(|(name, value)| (name.as_str(), value));
        for (name, change) in own.chain(changes.iter().copied()) {
            let slot = value.get_mut(name).ok_or_else(|| {
                format!(
                    "learn '{}': expected a parameter of `sumito learn cornell-td`, found '{name}'",
                    self.id
                )
            })?;
            *slot = change.clone();
        }
        let settings: LearnSettings =
            serde_json::from_value(value).map_err(|why| format!("learn '{}': {why}", self.id))?;
        settings.check().map_err(|why| format!("learn '{}': {why}", self.id))?;
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_parameters_at_a_time_are_the_reports_seventy_sets() {
        let text = "id = 'set'\ngames = 10\n[pairs]\nlambda = [0.1, 0.35]\nalpha = [0.005, 0.0005]\n\
                    gamma = [0.1, 0.7]\nkappa = [-1.0, 0.0, 0.5]\nmove_penalty = [0.001, 0.0001]\nhidden = [32, 64]";
        let learn: Learn = toml::from_str(text).expect("a definition");
        let networks = learn.settings(Size::Full, 1).expect("settings");
        assert_eq!(networks.len(), 70);
        let one = &networks["set-alpha=0.0005-move_penalty=0.0001"][0];
        assert_eq!((one.alpha, one.move_penalty, one.lambda), (0.0005, 0.0001, 0.7));
    }

    #[test]
    fn every_set_is_trained_with_the_same_seeds() {
        let text = "id = 'set'\ngames = 10\nseeds = { quick = [7], full = [3, 4] }\n[pairs]\n\
                    lambda = [0.1, 0.35]\nalpha = [0.005]";
        let learn: Learn = toml::from_str(text).expect("a definition");
        let seeds = |size| {
            let networks = learn.settings(size, 1).expect("settings");
            let seeds = networks.values().map(|set| set.iter().map(|one| one.seed).collect::<Vec<_>>());
            seeds.collect::<Vec<_>>()
        };
        assert_eq!((seeds(Size::Quick), seeds(Size::Full)), (vec![vec![7]; 2], vec![vec![3, 4]; 2]));
    }

    #[test]
    fn an_unknown_parameter_is_refused_by_name() {
        let learn: Learn = toml::from_str("id = 'n'\ngames = 1\nset = { alfa = 1 }").expect("a definition");
        assert!(learn.settings(Size::Quick, 1).expect_err("refused").contains("'alfa'"));
    }
}

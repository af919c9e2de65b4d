//! A part of an experiment's games: one match, or with `each` one for every value of a parameter.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sumito_rules::Rules;

use super::definition::{BySize, Size};
use super::games::Games;
use crate::config::{MatchConfig, Player};
use crate::limit::LimitSpec;
use crate::opening;
use crate::referee::Conduct;
use crate::schedule::Format;

/// A match, as a definition describes it. What is not given is that of all parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Part {
    /// What values call it.
    pub id: String,
    /// What tables call it.
    #[serde(default)]
    pub label: String,
    /// Which curve of a picture it belongs to.
    #[serde(default)]
    pub series: String,
    /// Where on the horizontal axis of a picture it is.
    #[serde(default)]
    pub x: Option<f64>,
    /// One match for each of these: `{x}` in the texts above and in the players stands for it.
    #[serde(default = "none")]
    pub each: BySize<Vec<Value>>,
    /// One match for each network that was trained under this id: `{x}` is its name, `{network}` its file.
    #[serde(default)]
    pub each_network: String,
    /// With `each`: whether all games count together, under the id alone. Each match then has a seed of its own, so that
    /// players who are alike do not play the same games.
    #[serde(default)]
    pub pool: bool,
    /// The agents, as `sumito match` takes them; `{id}` stands for the file of a trained network.
    #[serde(default)]
    pub players: Vec<String>,
    /// What tables call them.
    #[serde(default)]
    pub names: Vec<String>,
    /// Who meets whom.
    #[serde(default = "round_robin")]
    pub format: Format,
    /// Games for each two players, an even number.
    pub games: BySize<usize>,
    /// Starting layouts.
    #[serde(default)]
    pub layouts: Option<String>,
    /// Random moves at the start of every pair of games.
    #[serde(default)]
    pub random_plies: Option<usize>,
    /// How games end.
    #[serde(default)]
    pub rules: Option<String>,
    /// After so many plies a game ends, whatever the rules say.
    #[serde(default)]
    pub max_plies: Option<u32>,
    /// After so many plies without an ejection a game ends, whatever the rules say.
    #[serde(default)]
    pub quiet_plies: Option<u32>,
    /// How long players without a limit of their own may think.
    #[serde(default)]
    pub limit: Option<BySize<LimitSpec>>,
    /// Only in runs of this size.
    #[serde(default)]
    pub only: Option<Size>,
    /// The paper's result, in words; with `each`, one for every value.
    #[serde(default)]
    pub paper: Papers,
}

fn none() -> BySize<Vec<Value>> {
    BySize::Same(Vec::new())
}

fn round_robin() -> Format {
    Format::RoundRobin
}

/// The paper's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Papers {
    /// The same for all.
    One(String),
    /// One after the other.
    Each(Vec<String>),
    /// By player.
    Players(BTreeMap<String, String>),
}

impl Default for Papers {
    fn default() -> Papers {
        Papers::One(String::new())
    }
}

impl Papers {
    /// The result of the match with this number.
    fn at(&self, number: usize) -> String {
        match self {
            Papers::One(text) => text.clone(),
            Papers::Each(texts) => texts.get(number).cloned().unwrap_or_default(),
            Papers::Players(_) => String::new(),
        }
    }

    /// The result of a player.
    pub(super) fn of_player(&self, name: &str) -> String {
        match self {
            Papers::Players(by_name) => by_name.get(name).cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }
}

/// Texts, and what stands in for them.
type Swaps = Vec<(String, String)>;

/// A match to play.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) series: String,
    pub(super) x: Option<f64>,
    /// The id under which it counts together with others.
    pub(super) pool: Option<String>,
    pub(super) paper: String,
    pub(super) by_player: Papers,
    pub(super) config: MatchConfig,
}

impl Part {
    /// The matches of a run of some size; none if the part is not in it.
    pub(super) fn meetings(
        &self,
        games: &Games,
        size: Size,
        seed: u64,
        networks: &BTreeMap<String, String>,
    ) -> Result<Vec<Meeting>, String> {
        let wrong = |why: String| format!("part '{}': {why}", self.id);
        if self.only.is_some_and(|only| only != size) {
            return Ok(Vec::new());
        }
        let mut meetings = Vec::new();
        for (number, (x, swaps)) in self.swaps(size, networks).into_iter().enumerate() {
            let swapped =
                |text: &str| swaps.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to));
            let seed = if self.pool { seed + number as u64 } else { seed };
            let config = self.config(games, size, seed, &swapped).map_err(wrong)?;
            let suffix = if swaps.iter().any(|(from, _)| from == "{x}") && !self.id.contains("{x}") {
                "-{x}"
            } else {
                ""
            };
            let id = swapped(&format!("{}{suffix}", self.id));
            let label = if self.label.is_empty() { id.clone() } else { swapped(&self.label) };
            meetings.push(Meeting {
                id,
                label,
                series: swapped(&self.series),
                x: self.x.or(x),
                pool: self.pool.then(|| self.id.clone()),
                paper: self.paper.at(number),
                by_player: self.paper.clone(),
                config,
            });
        }
        Ok(meetings)
    }

    /// What stands for what, match by match, and the parameter if it is a number.
    fn swaps(&self, size: Size, networks: &BTreeMap<String, String>) -> Vec<(Option<f64>, Swaps)> {
        let files: Swaps = networks.iter().map(|(id, file)| (format!("{{{id}}}"), file.clone())).collect();
        let with = |own: Swaps| own.into_iter().chain(files.clone()).collect::<Swaps>();
        if !self.each_network.is_empty() {
            let prefix = format!("{}-", self.each_network);
            let ours = networks.iter().filter_map(|(id, file)| Some((id.strip_prefix(&prefix)?, file)));
            return ours
                .map(|(id, file)| {
                    (None, with(vec![("{x}".into(), id.into()), ("{network}".into(), file.clone())]))
                })
                .collect();
        }
        let each = self.each.of(size);
        if each.is_empty() {
            return vec![(None, with(Vec::new()))];
        }
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
        each.iter().map(|value| (value.as_f64(), with(vec![("{x}".into(), text(value))]))).collect()
    }

    fn config(
        &self,
        games: &Games,
        size: Size,
        seed: u64,
        swapped: &dyn Fn(&str) -> String,
    ) -> Result<MatchConfig, String> {
        let text = |why: &dyn std::fmt::Display| why.to_string();
        let wanted = *self.games.of(size);
        if wanted == 0 || !wanted.is_multiple_of(2) {
            return Err(format!("expected an even number of games, found {wanted}"));
        }
        let limit = self.limit.as_ref().map_or(games.limit, |limit| *limit.of(size));
        let (specs, names) = if self.players.is_empty() {
            (&games.players, &games.names)
        } else {
            (&self.players, &self.names)
        };
        let mut players = Vec::new();
        for (place, spec) in specs.iter().enumerate() {
            let spec = swapped(spec);
            let (agent, own) = LimitSpec::split(&spec).map_err(|why| text(&why))?;
            let name = names.get(place).map_or_else(|| spec.clone(), |name| swapped(name));
            if players.iter().any(|player: &Player| player.name == name) {
                return Err(format!("expected different names, found '{name}' twice"));
            }
            players.push(Player { name, spec: agent.to_string(), limit: own.unwrap_or(limit) });
        }
        let rules = swapped(self.rules.as_deref().unwrap_or(&games.rules));
        let mut rules = Rules::named(&rules).ok_or_else(|| format!("unknown rules '{rules}'"))?;
        rules.ply_cap = self.max_plies.or(games.max_plies).or(rules.ply_cap);
        rules.quiet_cap = self.quiet_plies.or(rules.quiet_cap);
        let bases = opening::layouts(&swapped(self.layouts.as_deref().unwrap_or(&games.layouts)));
        let bases = bases.map_err(|why| text(&why))?;
        let pairs = wanted / 2;
        let openings = match self.random_plies.unwrap_or(games.random_plies) {
            0 => bases,
            plies => opening::randomised(&bases, plies, pairs, seed).map_err(|why| text(&why))?,
        };
        // A machine that does other things as well must not decide games.
        let conduct = Conduct { grace: Duration::from_secs(2), ..Conduct::new(rules) };
        let (format, grown) = (self.format, Vec::new());
        let config = MatchConfig { players, format, pairs, seed, conduct, sprt: None, openings, grown };
        config.check().map_err(|why| text(&why))?;
        Ok(config)
    }
}

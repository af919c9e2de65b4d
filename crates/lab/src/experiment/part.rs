//! A part of an experiment's games: one match, or with `each` one for every value of a parameter.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sumito_rules::Rules;

use super::definition::{BySize, Size};
use super::games::Games;
use super::learn::Networks;
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
    /// One match for each set of parameters that was trained under this id: `{x}` is its name, `{network}` its file.
    #[serde(default)]
    pub each_network: String,
    /// With `each-network`: the parameter that is the place on the horizontal axis.
    #[serde(default)]
    pub over: String,
    /// Which of its matches the table has.
    #[serde(default)]
    pub rows: Rows,
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
    /// The paper's result, in words; with `each`, one for every value; with `each-network`, by the names of the sets.
    #[serde(default)]
    pub paper: Papers,
}

fn none() -> BySize<Vec<Value>> {
    BySize::Same(Vec::new())
}

fn round_robin() -> Format {
    Format::RoundRobin
}

/// Which matches of a part the table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// All.
    #[default]
    All,
    /// The five with the best score, the five with the worst, and those for which the paper has a result.
    Extremes,
}

/// The paper's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Papers {
    /// The same for all.
    One(String),
    /// One after the other.
    Each(Vec<String>),
    /// By player, or by set of parameters.
    Named(BTreeMap<String, String>),
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
            Papers::Named(_) => String::new(),
        }
    }

    /// The result of a player or a set.
    pub(super) fn of(&self, name: &str) -> String {
        match self {
            Papers::Named(by_name) => by_name.get(name).cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }
}

/// Texts, and what stands in for them.
type Swaps = Vec<(String, String)>;

/// One value of `each`, or one set of `each-network`.
struct Case {
    /// Its name, if there are several.
    name: Option<String>,
    x: Option<f64>,
    swaps: Swaps,
}

/// A match to play.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) series: String,
    pub(super) x: Option<f64>,
    /// The id of its part, of which `rows` speaks.
    pub(super) part: String,
    pub(super) rows: Rows,
    /// The id under which it counts together with others.
    pub(super) pool: Option<String>,
    /// Whether these others have the same players, but for the seeds of their networks.
    pub(super) is_seeded: bool,
    pub(super) paper: String,
    pub(super) by_player: Papers,
    pub(super) config: MatchConfig,
}

impl Meeting {
    /// What values call it, together with those that have the same players but for the seeds of their networks.
    pub(super) fn key(&self) -> &str {
        self.pool.as_deref().filter(|_| self.is_seeded).unwrap_or(&self.id)
    }
}

impl Part {
    /// The matches of a run of some size; none if the part is not in it.
    pub(super) fn meetings(
        &self,
        games: &Games,
        size: Size,
        seed: u64,
        networks: &Networks,
    ) -> Result<Vec<Meeting>, String> {
        if self.only.is_some_and(|only| only != size) {
            return Ok(Vec::new());
        }
        let mut meetings = Vec::new();
        for (number, case) in self.cases(size, networks).into_iter().enumerate() {
            let seeded = self.seeded(games, &case.swaps, networks);
            for (place, files) in seeded.iter().enumerate() {
                let swaps: Swaps = case.swaps.iter().chain(files).cloned().collect();
                // Matches that count together shall not be the same games.
                let own = if self.pool { number } else { place };
                let config = self.config(games, size, seed + own as u64, &|text| swapped(text, &swaps));
                let config = config.map_err(|why| format!("part '{}': {why}", self.id))?;
                meetings.push(self.meeting(&case, number, (place, seeded.len()), config));
            }
        }
        Ok(meetings)
    }

    /// A match: the case with its number, and which of how many networks play it.
    fn meeting(
        &self,
        case: &Case,
        number: usize,
        (place, networks): (usize, usize),
        config: MatchConfig,
    ) -> Meeting {
        let swapped = |text: &str| swapped(text, &case.swaps);
        let suffix = if case.name.is_some() && !self.id.contains("{x}") { "-{x}" } else { "" };
        let id = swapped(&format!("{}{suffix}", self.id));
        let is_seeded = networks > 1;
        let named = case.name.as_ref().map(|name| self.paper.of(name)).filter(|paper| !paper.is_empty());
        Meeting {
            label: if self.label.is_empty() { id.clone() } else { swapped(&self.label) },
            series: swapped(&self.series),
            x: self.x.or(case.x),
            part: self.id.clone(),
            rows: self.rows,
            pool: if is_seeded && !self.pool { Some(id.clone()) } else { self.pool.then(|| self.id.clone()) },
            is_seeded: is_seeded && !self.pool,
            paper: named.unwrap_or_else(|| self.paper.at(number)),
            by_player: self.paper.clone(),
            id: if is_seeded { format!("{id}-network-{}", place + 1) } else { id },
            config,
        }
    }

    /// What `{x}` stands for, match by match.
    fn cases(&self, size: Size, networks: &Networks) -> Vec<Case> {
        let x = |name: String| vec![("{x}".to_string(), name)];
        if !self.each_network.is_empty() {
            let prefix = format!("{}-", self.each_network);
            let ours = networks.iter().filter_map(|(id, set)| Some((id, id.strip_prefix(&prefix)?, set)));
            return ours
                .map(|(id, name, set)| Case {
                    name: Some(name.to_string()),
                    x: set.parameter(&self.over),
                    swaps: [x(name.to_string()), vec![("{network}".to_string(), format!("{{{id}}}"))]]
                        .concat(),
                })
                .collect();
        }
        let each = self.each.of(size);
        if each.is_empty() {
            return vec![Case { name: None, x: None, swaps: Vec::new() }];
        }
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
        let case = |value: &Value| Case { name: Some(text(value)), x: value.as_f64(), swaps: x(text(value)) };
        each.iter().map(case).collect()
    }

    /// The files of the networks that the players name: for the first seed of each, for the second, and so on.
    fn seeded(&self, games: &Games, swaps: &Swaps, networks: &Networks) -> Vec<Swaps> {
        let players = if self.players.is_empty() { &games.players } else { &self.players };
        let text = players.iter().map(|player| swapped(player, swaps)).collect::<Vec<_>>().join(" ");
        let named: Vec<_> = networks.iter().filter(|(id, _)| text.contains(&format!("{{{id}}}"))).collect();
        let several = named.iter().map(|(_, set)| set.files.len()).max().unwrap_or(1);
        let file = |place: usize| {
            let swap = |(id, set): &(&String, &super::learn::Trained)| {
                (format!("{{{id}}}"), set.files[place % set.files.len()].clone())
            };
            named.iter().map(swap).collect()
        };
        (0..several).map(file).collect()
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

fn swapped(text: &str, swaps: &Swaps) -> String {
    swaps.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
}

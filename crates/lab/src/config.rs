//! What a match is: players, openings, rules, and how many games. It decides every game of the schedule.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sumito_agents::AgentSpec;

use crate::limit::{LimitError, LimitSpec};
use crate::opening::{self, Opening, OpeningError};
use crate::referee::Conduct;
use crate::schedule::{self, Extent, Fixture, Format, SchedulePlan};
use crate::sprt::Sprt;

/// One of the players of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// What tables and records call it; no two players share a name.
    pub name: String,
    /// The spec string that builds it.
    pub spec: String,
    /// How long it may think.
    pub limit: LimitSpec,
}

/// Everything that decides how a match goes. Two matches with equal configurations are the same match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// Who plays.
    pub players: Vec<Player>,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games for each two players.
    pub pairs: usize,
    /// The seed of the order of openings and of players that make random choices.
    pub seed: u64,
    /// How games are judged.
    pub conduct: Conduct,
    /// A test that may end the match early; for two players.
    pub sprt: Option<Sprt>,
    /// The openings.
    pub openings: Vec<Opening>,
    /// How long the match was before, each time that it was made longer: the games of then stay what they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown: Vec<Extent>,
}

/// Why a configuration is no match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchConfigError {
    /// Too few players.
    #[error("expected at least two players, found {0}")]
    Players(usize),
    /// A test with more than two players.
    #[error("expected two players for a sequential test, found {0}")]
    Sprt(usize),
    /// No games.
    #[error("expected at least one pair of games")]
    NoGames,
    /// There are no openings, or games are over before they begin.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

impl MatchConfig {
    /// Refuses what cannot be played.
    pub fn check(&self) -> Result<(), MatchConfigError> {
        let players = self.players.len();
        if players < 2 {
            return Err(MatchConfigError::Players(players));
        }
        if players > 2 && self.sprt.is_some() {
            return Err(MatchConfigError::Sprt(players));
        }
        if self.pairs == 0 || self.format == Format::Neighbours(0) {
            return Err(MatchConfigError::NoGames);
        }
        Ok(opening::check(&self.openings, self.conduct.rules)?)
    }

    /// All games of the match.
    pub fn schedule(&self) -> Vec<Fixture> {
        schedule::schedule(&SchedulePlan {
            players: self.players.len(),
            format: self.format,
            extents: self.grown.iter().copied().chain([self.extent()]).collect(),
            seed: self.seed,
        })
    }

    fn extent(&self) -> Extent {
        Extent { pairs: self.pairs, openings: self.openings.len() }
    }

    /// This match as the continuation of an earlier one, with the schedule that one had. Whether they are the same but for
    /// their length is seen when its folder is opened.
    #[must_use]
    pub fn going_on(self, there: &MatchConfig) -> MatchConfig {
        let mut grown = there.grown.clone();
        if self.pairs > there.pairs {
            grown.push(there.extent());
        }
        MatchConfig { grown, ..self }
    }

    /// The match before it was made longer the last time.
    pub(crate) fn shorter(&self) -> Option<MatchConfig> {
        let (last, earlier) = self.grown.split_last()?;
        let openings = self.openings.get(..last.openings)?.to_vec();
        Some(MatchConfig { pairs: last.pairs, openings, grown: earlier.to_vec(), ..self.clone() })
    }
}

/// The players that specs such as `aba-pro:depth=4` or `random@nodes=10` describe. One without a limit of its
/// own gets the common one; one that comes up again gets a number.
pub fn players(specs: &[String], common: LimitSpec) -> Result<Vec<Player>, LimitError> {
    let mut seen: HashMap<&String, usize> = HashMap::new();
    let mut players = Vec::with_capacity(specs.len());
    for text in specs {
        let (spec, limit) = LimitSpec::split(text)?;
        let count = seen.entry(text).or_default();
        *count += 1;
        let name = if *count == 1 { text.clone() } else { format!("{text} #{count}") };
        players.push(Player { name, spec: spec.to_string(), limit: limit.unwrap_or(common) });
    }
    Ok(players)
}

/// Whether the agent of a spec makes random choices. Such a one is built anew for each game: what it plays must not
/// depend on the games before.
pub(crate) fn is_seeded(spec: &str) -> bool {
    spec.parse::<AgentSpec>().is_ok_and(|spec| spec.is_seeded())
}

#[cfg(test)]
mod tests {
    use sumito_rules::Rules;

    use super::*;

    fn specs(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn players_get_unique_names_and_their_own_or_the_common_limit() {
        let common = "depth=2".parse().expect("a limit");
        let players = players(&specs(&["random", "random@nodes=9", "random"]), common).expect("players");
        let found: Vec<(&str, &str, String)> =
            players.iter().map(|p| (&p.name[..], &p.spec[..], p.limit.to_string())).collect();
        let expected = [
            ("random", "random", "depth=2".to_string()),
            ("random@nodes=9", "random", "nodes=9".to_string()),
            ("random #2", "random", "depth=2".to_string()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let good = MatchConfig {
            players: players(&specs(&["random", "random"]), LimitSpec::default()).expect("players"),
            format: Format::RoundRobin,
            pairs: 1,
            seed: 1,
            conduct: Conduct::new(Rules::TOURNAMENT),
            sprt: Some(Sprt::new(0.0, 5.0)),
            openings: opening::layouts("standard").expect("a layout"),
            grown: Vec::new(),
        };
        assert_eq!(good.check(), Ok(()));
        let alone = MatchConfig { players: good.players[..1].to_vec(), ..good.clone() };
        assert_eq!(alone.check(), Err(MatchConfigError::Players(1)));
        let three = players(&specs(&["random"; 3]), LimitSpec::default()).expect("players");
        assert_eq!(MatchConfig { players: three, ..good.clone() }.check(), Err(MatchConfigError::Sprt(3)));
        assert_eq!(MatchConfig { pairs: 0, ..good.clone() }.check(), Err(MatchConfigError::NoGames));
        let apart = MatchConfig { format: Format::Neighbours(0), ..good.clone() };
        assert_eq!(apart.check(), Err(MatchConfigError::NoGames));
        let openings = opening::from_fens("5/6/7/8/4S4/8/7/6/4s 6 0 w 0 40").expect("a position");
        assert!(MatchConfig { openings, ..good }.check().is_err());
    }
}

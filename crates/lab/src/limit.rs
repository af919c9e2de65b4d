//! How long each player may think, as text: `movetime=100ms`, `clock=60s+0.6s`, `nodes=1000`, `depth=4`, or
//! several of them with commas.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sumito_agents::TimeControl;
use sumito_agents::options::parse_time;
use sumito_rules::{Rules, TimeRule};

/// The limits of one player for every move of a game. What is absent does not limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LimitSpec {
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Time for the whole game, and what each move adds to it.
    pub clock: Option<(Duration, Duration)>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

/// The words with which a limit begins.
const WORDS: [&str; 5] = ["movetime", "clock", "nodes", "depth", "none"];

impl LimitSpec {
    /// So much time for each move.
    pub const fn move_time(time: Duration) -> LimitSpec {
        LimitSpec { move_time: Some(time), clock: None, nodes: None, depth: None }
    }

    /// Whether it limits the time.
    pub fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some()
    }

    /// The time that a set of rules gives, if it does.
    pub fn of_rules(rules: &Rules) -> Option<LimitSpec> {
        Some(match rules.clock? {
            TimeRule::PerMove(time) => LimitSpec::move_time(time),
            TimeRule::PerGame(time) => {
                LimitSpec { clock: Some((time, Duration::ZERO)), ..LimitSpec::default() }
            }
        })
    }

    /// The part that a table keeps, with what may be taken beyond it.
    pub fn time_control(&self, grace: Duration) -> TimeControl {
        let clock = self.clock.map(|(left, increment)| sumito_agents::Clock { left, increment });
        TimeControl { move_time: self.move_time, clock, grace }
    }

    /// Splits `SPEC@LIMIT` into the agent's spec and its own limit, if it has one. An `@` that no limit
    /// follows belongs to the spec.
    pub fn split(text: &str) -> Result<(&str, Option<LimitSpec>), LimitError> {
        match text.rsplit_once('@') {
            Some((spec, limit)) if WORDS.iter().any(|word| limit.starts_with(word)) => {
                Ok((spec, Some(limit.parse()?)))
            }
            _ => Ok((text, None)),
        }
    }

    fn set(&mut self, part: &str) -> Option<()> {
        let (name, value) = part.split_once('=')?;
        match name.trim() {
            "movetime" => self.move_time = Some(parse_time(value)?),
            "clock" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                self.clock = Some((parse_time(base)?, parse_time(increment)?));
            }
            "nodes" => self.nodes = Some(value.parse().ok().filter(|&nodes| nodes > 0)?),
            "depth" => self.depth = Some(value.parse().ok().filter(|&depth| depth > 0)?),
            _ => return None,
        }
        Some(())
    }
}

/// A text that is no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a limit such as movetime=100ms, clock=60s+0.6s, nodes=1000, depth=4, or none, found '{found}'"
)]
pub struct LimitError {
    /// The part that was not understood.
    pub found: String,
}

impl FromStr for LimitSpec {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<LimitSpec, LimitError> {
        let mut limit = LimitSpec::default();
        if text.trim() == "none" {
            return Ok(limit);
        }
        for part in text.split(',') {
            limit.set(part).ok_or_else(|| LimitError { found: part.to_string() })?;
        }
        Ok(limit)
    }
}

impl TryFrom<String> for LimitSpec {
    type Error = LimitError;

    fn try_from(text: String) -> Result<LimitSpec, LimitError> {
        text.parse()
    }
}

impl From<LimitSpec> for String {
    fn from(limit: LimitSpec) -> String {
        limit.to_string()
    }
}

impl fmt::Display for LimitSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.move_time.map(|time| format!("movetime={}", time_text(time))),
            self.clock.map(|(base, add)| format!("clock={}+{}", time_text(base), time_text(add))),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.pad(&if parts.is_empty() { "none".to_string() } else { parts.join(",") })
    }
}

fn time_text(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{}ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{}s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> LimitSpec {
        text.parse().expect("a limit")
    }

    #[test]
    fn each_kind_is_read() {
        assert_eq!(parse("movetime=100ms"), LimitSpec::move_time(Duration::from_millis(100)));
        let clock = Some((Duration::from_secs(60), Duration::from_millis(600)));
        assert_eq!(parse("clock=60s+0.6s"), LimitSpec { clock, ..LimitSpec::default() });
        assert_eq!(parse("clock=5m").clock, Some((Duration::from_secs(300), Duration::ZERO)));
        let both = LimitSpec { nodes: Some(1000), depth: Some(4), ..LimitSpec::default() };
        assert_eq!(parse("nodes=1000,depth=4"), both);
        assert_eq!(parse("none"), LimitSpec::default());
    }

    #[test]
    fn text_is_read_back_as_written() {
        for text in ["movetime=100ms", "clock=60s+600ms", "movetime=1.5s,nodes=7,depth=2", "none"] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused_with_the_part_that_is_wrong() {
        for (text, found) in [
            ("depth=4,nodes=x", "nodes=x"),
            ("depth=0", "depth=0"),
            ("fast", "fast"),
            ("movetime=-1s", "movetime=-1s"),
        ] {
            assert_eq!(text.parse::<LimitSpec>(), Err(LimitError { found: found.to_string() }));
        }
    }

    #[test]
    fn an_agent_may_carry_its_own_limit() {
        let (spec, limit) = LimitSpec::split("aba-pro:depth=7@movetime=50ms,nodes=9").expect("a limit");
        assert_eq!((spec, limit), ("aba-pro:depth=7", Some(parse("movetime=50ms,nodes=9"))));
        assert_eq!(LimitSpec::split("ugi:me@home/engine"), Ok(("ugi:me@home/engine", None)));
        assert!(LimitSpec::split("random@depth=x").is_err());
    }

    #[test]
    fn rules_with_a_clock_give_a_limit() {
        assert_eq!(LimitSpec::of_rules(&Rules::BCIT), Some(parse("movetime=5s")));
        assert_eq!(LimitSpec::of_rules(&Rules::MSO), Some(parse("clock=900s+0ms")));
        assert_eq!(LimitSpec::of_rules(&Rules::OFFICIAL), None);
    }
}

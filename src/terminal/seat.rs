//! The two players of a game: people and agents by name, and how long each may think.

use std::time::Duration;

use anyhow::{Context, ensure};
use sumito_agents::Agent;
use sumito_agents::registry::Entry;
use sumito_lab::limit::LimitSpec;
use sumito_rules::{ByColor, Color};

/// A person at the terminal, as `sumito agents` lists it. Nothing but `sumito play` can make one.
pub(crate) static HUMAN: Entry = Entry {
    name: "human",
    summary: "a person at the terminal; `sumito play` only",
    source: "",
    options: &[],
    build: |_, _| Err("a person plays at the terminal, with `sumito play` only".to_string()),
};

/// Whether a spec, whatever follows the name, means a person.
pub(crate) fn is_person(spec: &str) -> bool {
    spec.split(['@', ':']).next() == Some(HUMAN.name)
}

/// Agents for the colours that no person plays.
pub(crate) type Agents = ByColor<Option<Box<dyn Agent>>>;

/// A player.
#[derive(Clone, Debug)]
pub(crate) struct TerminalSeat {
    /// The spec that was given.
    pub(super) name: String,
    pub(super) is_person: bool,
    pub(super) limit: LimitSpec,
}

/// The limits of a player without one of its own.
#[derive(Clone, Copy)]
pub(crate) struct DefaultLimit {
    /// Asked for on the command line.
    pub(crate) given: Option<LimitSpec>,
    /// What the rules say.
    pub(crate) of_rules: Option<LimitSpec>,
}

/// How long an agent thinks if nobody says how long.
const AGENT_LIMIT: LimitSpec = LimitSpec::move_time(Duration::from_secs(1));

impl DefaultLimit {
    /// The limit for an agent.
    fn for_agent(self) -> LimitSpec {
        self.given.or(self.of_rules).unwrap_or(AGENT_LIMIT)
    }

    /// The limit for a person: the rules' time or a clock that was asked for. A time for each move is meant for
    /// the agents.
    fn for_person(self) -> LimitSpec {
        match self.given {
            Some(given) => LimitSpec { clock: given.clock, ..LimitSpec::default() },
            None => self.of_rules.unwrap_or_default(),
        }
    }
}

/// The players that two specs describe.
pub(crate) fn seats(
    specs: &ByColor<String>,
    default: DefaultLimit,
) -> anyhow::Result<(ByColor<TerminalSeat>, Agents)> {
    let (black, black_agent) = seat(&specs[Color::Black], default).context("black")?;
    let (white, white_agent) = seat(&specs[Color::White], default).context("white")?;
    Ok((ByColor::new(black, white), ByColor::new(black_agent, white_agent)))
}

fn seat(text: &str, default: DefaultLimit) -> anyhow::Result<(TerminalSeat, Option<Box<dyn Agent>>)> {
    let (spec, own) = LimitSpec::split(text)?;
    let is_person = is_person(spec);
    ensure!(!is_person || spec == HUMAN.name, "expected 'human' without options, found '{spec}'");
    let agent = if is_person { None } else { Some(sumito_agents::build(spec)?) };
    let default = if is_person { default.for_person() } else { default.for_agent() };
    Ok((TerminalSeat { name: text.to_string(), is_person, limit: own.unwrap_or(default) }, agent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> LimitSpec {
        text.parse().unwrap()
    }

    fn limit_of(spec: &str, given: Option<&str>, of_rules: Option<&str>) -> LimitSpec {
        let default = DefaultLimit { given: given.map(limit), of_rules: of_rules.map(limit) };
        seat(spec, default).unwrap().0.limit
    }

    #[test]
    fn a_person_has_the_clock_but_not_the_time_for_a_move() {
        assert_eq!(limit_of("human", Some("movetime=1s,clock=5m"), None), limit("clock=5m"));
        assert_eq!(limit_of("random", Some("movetime=1s,clock=5m"), None), limit("movetime=1s,clock=5m"));
    }

    #[test]
    fn the_rules_time_is_for_everybody_unless_a_limit_is_given() {
        assert_eq!(limit_of("human", None, Some("movetime=5s")), limit("movetime=5s"));
        assert_eq!(limit_of("human", Some("depth=3"), Some("movetime=5s")), limit("none"));
        assert_eq!(limit_of("random", None, None), AGENT_LIMIT);
    }

    #[test]
    fn an_own_limit_comes_first() {
        assert_eq!(limit_of("human@movetime=9s", Some("clock=1m"), None), limit("movetime=9s"));
        assert_eq!(limit_of("random@nodes=9", Some("clock=1m"), None), limit("nodes=9"));
    }

    #[test]
    fn a_person_has_no_options() {
        let error = seat("human:depth=3", DefaultLimit { given: None, of_rules: None }).err().unwrap();
        assert_eq!(error.to_string(), "expected 'human' without options, found 'human:depth=3'");
    }

    #[test]
    fn a_person_is_told_from_an_agent_by_the_whole_name() {
        assert!(is_person("human") && is_person("human@clock=1m") && is_person("human:x=1"));
        assert!(!is_person("humane") && !is_person("ugi:human"));
    }
}

//! Who plays: a person at the page, or an agent. Specs that come from outside are checked here: no client may start a
//! process, read a file, or take all memory.

use serde::Serialize;
use sumito_agents::AgentSpec;
use sumito_engine::Level;
use utoipa::ToSchema;

use super::error::{self, AppError, Cause};
use super::work::WorkKind;

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Seat {
    /// A person.
    Human { name: String },
    /// An agent of the registry.
    Agent { spec: String, name: String, level: Option<u8> },
}

/// The longest spec.
const LONGEST_SPEC: usize = 200;

impl Seat {
    pub(crate) fn person() -> Seat {
        Seat::Human { name: String::new() }
    }

    pub(crate) fn is_human(&self) -> bool {
        matches!(self, Seat::Human { .. })
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Seat::Human { name } | Seat::Agent { name, .. } => name,
        }
    }

    /// The spec of an agent.
    pub(crate) fn spec(&self) -> Option<&str> {
        match self {
            Seat::Human { .. } => None,
            Seat::Agent { spec, .. } => Some(spec),
        }
    }
}

/// A spec that the server builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    /// As it was given.
    pub(crate) text: String,
    /// The agent's name.
    pub(crate) agent: &'static str,
    /// The flagship's level, if it plays below its full strength.
    pub(crate) level: Option<Level>,
}

/// The highest level whose moves take a few hundredths of a second: it looks at 14,000 positions, the next one at 250,000.
const QUICK_LEVEL: u8 = 11;
/// Agents that look one ply ahead at most, whatever their time.
const QUICK: [&str; 3] = ["random", "greedy", "maastricht-rules"];

impl Spec {
    /// A spec as a client gives it.
    pub(crate) fn new(text: &str) -> Result<Spec, AppError> {
        let spec = Spec::stored(text)?;
        spec.parsed().check_guest().map_err(|why| error::agent(&why))?;
        Ok(spec)
    }

    /// A spec of a game that was begun some day: what it says beyond what the server can afford is lowered.
    pub(crate) fn stored(text: &str) -> Result<Spec, AppError> {
        let text = text.trim();
        if text.len() > LONGEST_SPEC {
            return Err(Cause::TextTooLong { most: LONGEST_SPEC }.at("agent"));
        }
        let given: AgentSpec = text.parse().map_err(|why| error::agent(&why))?;
        let (entry, options) = given.resolve().map_err(|why| error::agent(&why))?;
        let thrifty = given.for_guest().map_err(|why| error::agent(&why))?;
        let level = if entry.name == "sumito" { Level::new(options.int("level") as u8) } else { None };
        let spec = Spec { text: text.to_string(), agent: entry.name, level };
        // Some mistakes show only when an agent is made: the number of its weights, options that do not go together.
        if !spec.is_flagship() && options.given().next().is_some() {
            thrifty.build().map_err(|why| error::agent(&why))?;
        }
        Ok(spec)
    }

    fn parsed(&self) -> AgentSpec {
        self.text.parse().expect("checked when made")
    }

    /// The spec with no more memory and cores than the server can afford.
    pub(crate) fn thrifty(&self) -> AgentSpec {
        self.parsed().for_guest().expect("checked when made")
    }

    pub(crate) fn is_flagship(&self) -> bool {
        self.agent == "sumito"
    }

    /// What kind of work its moves are.
    pub(crate) fn kind(&self) -> WorkKind {
        match self.level {
            Some(level) if level.number() <= QUICK_LEVEL => WorkKind::Quick,
            Some(_) => WorkKind::Short,
            None if QUICK.contains(&self.agent) => WorkKind::Quick,
            None => WorkKind::Move,
        }
    }

    /// What people call it.
    pub(crate) fn title(&self) -> String {
        match self.level {
            Some(level) => format!("Sumito, level {}: {}", level.number(), level.name()),
            None if self.text == "sumito" => "Sumito, full strength".to_string(),
            None => self.text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use sumito_agents::registry;

    use super::*;

    #[test]
    fn no_client_starts_a_process_reads_a_file_or_takes_all_memory() {
        for spec in [
            "ugi:./engine",
            "ugi:/bin/sh",
            "sumito:net=/etc/passwd",
            "cornell-td:weights=/etc/passwd",
            "sumito:hash=65536",
            "sumito:threads=200",
            "bcit:threads=64",
            "bcit:slots=28",
            "verloop:table-bits=26",
            "maastricht-mcts:memory=4096",
            // More than the server can afford, though the agents' own defaults.
            "sumito:hash=64",
            "sumito:level=3,hash=64",
            "sumito:hash=8,hash=64",
            "verloop:table-bits=22",
            "nobody",
            "greedy:eval=x",
            // What does not go together.
            "plain:killers=on",
            "bcit:magic=on,heuristic=sam",
            "",
        ] {
            assert!(Spec::new(spec).is_err(), "{spec}");
        }
    }

    #[test]
    fn a_game_that_was_begun_with_more_memory_goes_on_with_what_there_is() {
        for (text, thrifty) in [
            ("sumito:hash=64", "sumito:hash=64,hash=16"),
            ("verloop:table-bits=22", "verloop:table-bits=22,table-bits=20"),
        ] {
            let spec = Spec::stored(text).expect("a spec");
            assert_eq!((spec.thrifty().as_str(), spec.text.as_str()), (thrifty, text));
        }
        assert!(Spec::stored("nobody").is_err() && Spec::stored("ugi:sh").is_err());
    }

    #[test]
    fn quick_is_only_what_looks_at_few_positions_whatever_its_time() {
        let kind = |text: &str| Spec::new(text).expect("a spec").kind();
        for spec in ["sumito:level=1", "sumito:level=11,seed=5", "random", "greedy:eval=verloop"] {
            assert_eq!(kind(spec), WorkKind::Quick, "{spec}");
        }
        assert_eq!(kind("sumito:level=12"), WorkKind::Short);
        for entry in registry::entries().iter().filter(|entry| !QUICK.contains(&entry.name)) {
            assert_eq!(kind(entry.name), WorkKind::Move, "{}", entry.name);
        }
    }
}

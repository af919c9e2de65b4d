//! Who plays: a person at the page, or an agent. Specs that come from outside are checked here: no client may start a
//! process, read a file, or take all memory.

use serde::{Deserialize, Serialize};
use sumito_agents::options::Kind;
use sumito_agents::{AgentSpec, SpecError};
use sumito_engine::Level;
use utoipa::ToSchema;

use crate::error::AppError;
use crate::search::pool::Kind as Work;

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Seat {
    /// A person.
    Human { name: String },
    /// An agent of the registry.
    Agent { spec: String, name: String, level: Option<u8> },
}

/// A player as a request names it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum SeatRequest {
    /// A person.
    Human { name: Option<String> },
    /// An agent, such as `sumito:level=3`.
    Agent { spec: String, name: Option<String> },
}

/// The longest name.
const LONGEST: usize = 80;
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

impl SeatRequest {
    /// The player, if there is one like this.
    pub(crate) fn seat(self, field: &str) -> Result<Seat, AppError> {
        match self {
            SeatRequest::Human { name } => {
                Ok(Seat::Human { name: checked_name(name.unwrap_or_default(), &format!("{field}.name"))? })
            }
            SeatRequest::Agent { spec, name } => {
                let spec = Spec::new(&spec).map_err(|error| error.at(format!("{field}.spec")))?;
                let name = match name {
                    Some(name) => checked_name(name, &format!("{field}.name"))?,
                    None => spec.title(),
                };
                Ok(Seat::Agent { level: spec.level.map(Level::number), spec: spec.text, name })
            }
        }
    }
}

fn checked_name(name: String, field: &str) -> Result<String, AppError> {
    let name = name.trim().to_string();
    if name.chars().count() > LONGEST || name.chars().any(char::is_control) {
        return Err(AppError::invalid(
            field,
            format!("expected a name of at most {LONGEST} letters in one line"),
        ));
    }
    Ok(name)
}

fn refuse(why: SpecError) -> AppError {
    AppError::invalid("agent", why.to_string())
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
        spec.parsed().check_guest().map_err(refuse)?;
        Ok(spec)
    }

    /// A spec of a game that was begun some day: what it says beyond what the server can afford is lowered.
    pub(crate) fn stored(text: &str) -> Result<Spec, AppError> {
        let text = text.trim();
        if text.len() > LONGEST_SPEC {
            let why = format!("expected a spec of at most {LONGEST_SPEC} letters");
            return Err(AppError::invalid("agent", why));
        }
        let given: AgentSpec = text.parse().map_err(refuse)?;
        let (entry, options) = given.resolve().map_err(refuse)?;
        let thrifty = given.for_guest().map_err(refuse)?;
        let level = if entry.name == "sumito" { Level::new(options.int("level") as u8) } else { None };
        let spec = Spec { text: text.to_string(), agent: entry.name, level };
        // Some mistakes show only when an agent is made, such as the number of its weights.
        let is_checked = |kind: Kind| !matches!(kind, Kind::Numbers | Kind::Range { .. } | Kind::File(_));
        if !spec.is_flagship() && !options.given().all(|(option, _)| is_checked(option.kind)) {
            thrifty.build().map_err(refuse)?;
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
    pub(crate) fn kind(&self) -> Work {
        match self.level {
            Some(level) if level.number() <= QUICK_LEVEL => Work::Quick,
            Some(_) => Work::Short,
            None if QUICK.contains(&self.agent) => Work::Quick,
            None => Work::Move,
        }
    }

    /// What people call it.
    fn title(&self) -> String {
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
            assert_eq!(kind(spec), Work::Quick, "{spec}");
        }
        assert_eq!(kind("sumito:level=12"), Work::Short);
        for entry in registry::entries().iter().filter(|entry| !QUICK.contains(&entry.name)) {
            assert_eq!(kind(entry.name), Work::Move, "{}", entry.name);
        }
    }

    #[test]
    fn a_level_is_called_by_its_name() {
        let seat =
            SeatRequest::Agent { spec: "sumito:level=4".into(), name: None }.seat("black").expect("an agent");
        assert_eq!((seat.name(), seat.spec()), ("Sumito, level 4: casual player", Some("sumito:level=4")));
    }
}

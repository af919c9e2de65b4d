//! Who plays: a person at the page, or an agent. Specs that come from outside are checked here: no client may start a
//! process, read a file, or take all memory.

use serde::{Deserialize, Serialize};
use sumito_agents::external;
use sumito_agents::options::Kind;
use sumito_agents::registry;
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

/// Options that name files, which clients must not.
const FILES: [(&str, &str); 2] = [("sumito", "net"), ("cornell-td", "weights")];
/// Options that take memory or cores: the most that a client may ask for, which is also what an agent gets here whose
/// default is more.
const CAPS: [(&str, i64); 6] =
    [("hash", 16), ("threads", 1), ("memory", 32), ("table-bits", 20), ("slots", 20), ("multipv", 10)];

/// Whether a client may set an option.
pub(crate) fn is_open(agent: &str, option: &str) -> bool {
    !FILES.contains(&(agent, option)) && option != "threads" && option != "multipv"
}

/// The most that an option may be here.
pub(crate) fn cap(option: &str) -> Option<i64> {
    CAPS.iter().find(|(name, _)| *name == option).map(|(_, most)| *most)
}

/// The highest level whose moves take a few hundredths of a second: it looks at 14,000 positions, the next one at 250,000.
const QUICK_LEVEL: u8 = 11;
/// Agents that look one ply ahead at most, whatever their time.
const QUICK: [&str; 3] = ["random", "greedy", "maastricht-rules"];

impl Spec {
    /// A spec as a client gives it.
    pub(crate) fn new(text: &str) -> Result<Spec, AppError> {
        let spec = Spec::stored(text)?;
        let (entry, options) =
            registry::parse(&spec.text).map_err(|error| AppError::invalid("agent", error.to_string()))?;
        for (option, most) in CAPS {
            let Some(known) = entry.options.iter().find(|known| known.name == option) else { continue };
            let found = options.int(option);
            // An option that is not set gets what the server can afford.
            let is_set = spec.sets(option) || found.to_string() != known.kind.default_text();
            if found > most && is_set {
                let message = format!(
                    "agent {}: option '{option}': expected at most {most}, found {found}",
                    entry.name
                );
                return Err(AppError::invalid("agent", message));
            }
        }
        Ok(spec)
    }

    /// A spec of a game that was begun some day: what it says beyond what the server can afford is lowered.
    pub(crate) fn stored(text: &str) -> Result<Spec, AppError> {
        let text = text.trim();
        let refuse = |why: String| AppError::invalid("agent", why);
        if text.len() > LONGEST_SPEC {
            return Err(refuse(format!("expected a spec of at most {LONGEST_SPEC} letters")));
        }
        let (entry, options) = registry::parse(text).map_err(|error| refuse(error.to_string()))?;
        if entry.name == external::ENTRY.name {
            return Err(refuse(
                "expected an agent of the registry; external engines play on the command line".into(),
            ));
        }
        for (agent, option) in FILES {
            let given = if agent == entry.name { options.text(option) } else { "" };
            if !given.is_empty() && given != "hand" {
                return Err(refuse(format!(
                    "agent {agent}: option '{option}' names a file, which pages may not"
                )));
            }
        }
        let level = if entry.name == "sumito" { Level::new(options.int("level") as u8) } else { None };
        let spec = Spec { text: text.to_string(), agent: entry.name, level };
        // Mistakes in texts show only when an agent is made, such as the name of an evaluation.
        if !spec.is_flagship()
            && entry.options.iter().any(|option| option.kind == Kind::Text && spec.sets(option.name))
        {
            registry::build(&spec.thrifty()).map_err(|error| refuse(error.to_string()))?;
        }
        Ok(spec)
    }

    /// The spec with no more memory and cores than the server can afford.
    pub(crate) fn thrifty(&self) -> String {
        let (entry, options) = registry::parse(&self.text).expect("checked when made");
        let mut text = self.text.clone();
        for (option, most) in CAPS {
            let known = entry.options.iter().any(|known| known.name == option);
            if known && options.int(option) > most {
                text.push_str(if text.contains(':') { "," } else { ":" });
                // Of an option that is given twice the last one counts.
                text.push_str(&format!("{option}={most}"));
            }
        }
        text
    }

    fn sets(&self, option: &str) -> bool {
        let options = self.text.split_once(':').map_or("", |(_, options)| options);
        options.split(',').any(|one| one.split('=').next().unwrap_or_default().trim() == option)
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
    fn every_agent_is_built_with_what_the_server_can_afford() {
        for entry in registry::entries() {
            let spec = Spec::new(entry.name).expect("an agent");
            let (_, options) = registry::parse(&spec.thrifty()).expect("a spec");
            for (option, most) in
                CAPS.iter().filter(|(name, _)| entry.options.iter().any(|o| o.name == *name))
            {
                assert!(options.int(option) <= *most, "{}: {option}", entry.name);
            }
        }
        assert_eq!(Spec::new("sumito:hash=8").expect("a spec").thrifty(), "sumito:hash=8");
    }

    #[test]
    fn a_game_that_was_begun_with_more_memory_goes_on_with_what_there_is() {
        for (text, thrifty) in [
            ("sumito:hash=64", "sumito:hash=64,hash=16"),
            ("verloop:table-bits=22", "verloop:table-bits=22,table-bits=20"),
        ] {
            let spec = Spec::stored(text).expect("a spec");
            assert_eq!((spec.thrifty().as_str(), spec.text.as_str()), (thrifty, text));
            let (_, options) = registry::parse(&spec.thrifty()).expect("a spec");
            for (option, most) in CAPS.iter().filter(|(name, _)| text.contains(name)) {
                assert_eq!(options.int(option), *most);
            }
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

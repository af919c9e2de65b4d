//! Which player: the text that names an agent and sets its options.
//!
//! `NAME` or `NAME:option=value,flag,...`; for an engine in a process of its own `ugi:COMMAND` or
//! `ugi[Name=Value,...]:COMMAND`. A spec is read in two steps. Its parts are found when it is made; whether there is such an
//! agent, with such options, is asked with [`AgentSpec::resolve`]. So whoever brings agents of their own can name them too.

use std::fmt;
use std::str::FromStr;

use crate::agent::Agent;
use crate::entry::Entry;
use crate::external::{self, EngineSpec};
use crate::options::{Access, Kind, OptionError, OptionSpec, Options};
use crate::registry::{entries, entry};
use crate::spelling::suggestion;

/// A player by name and options. It is printed as it was given, since stored games and ratings know it by its text.
///
/// ```
/// use sumito_agents::AgentSpec;
/// let spec: AgentSpec = "aba-pro:depth=4".parse()?;
/// assert_eq!(spec.with("time", "2s").to_string(), "aba-pro:depth=4,time=2s");
/// assert!(spec.with("time", "2s").is_timed() && !spec.is_timed());
/// assert!(spec.with("depth", 99).resolve().is_err());
/// # Ok::<(), sumito_agents::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentSpec(String);

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<AgentSpec, SpecError> {
        if external::is_spec(text) {
            let wrong = |why| SpecError::Build { spec: text.to_string(), why };
            EngineSpec::parse(text).map_err(wrong)?;
        }
        let spec = AgentSpec(text.to_string());
        if spec.agent().is_empty() {
            return Err(SpecError::UnknownAgent { name: String::new() });
        }
        Ok(spec)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AgentSpec {
    /// An agent of an entry, with all its defaults.
    pub fn of(entry: &Entry) -> AgentSpec {
        AgentSpec(entry.name.to_string())
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The agent's name.
    pub fn agent(&self) -> &str {
        if self.is_external() { external::ENTRY.name } else { self.split().0 }
    }

    /// Whether it is an engine in a process of its own.
    pub fn is_external(&self) -> bool {
        external::is_spec(&self.0)
    }

    fn split(&self) -> (&str, &str) {
        self.0.split_once(':').unwrap_or((&self.0, ""))
    }

    /// The options that it sets, in its order; of an option that comes up twice the last one counts. What is set in an
    /// external engine is not among them.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = if self.is_external() { "" } else { self.split().1 };
        options.split(',').filter(|option| !option.is_empty()).map(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, "on"));
            (name.trim(), value.trim())
        })
    }

    /// Whether it sets an option.
    pub fn sets(&self, option: &str) -> bool {
        self.options().any(|(name, _)| name == option)
    }

    /// The same agent with an option set, in place of what the spec said about it before.
    pub fn with(&self, option: &str, value: impl fmt::Display) -> AgentSpec {
        if let Some(rest) = self.0.strip_prefix(external::ENTRY.name).filter(|_| self.is_external()) {
            let (before, command) = match rest.strip_prefix('[').and_then(|rest| rest.split_once("]:")) {
                Some((before, command)) => (format!("{before},"), command),
                None => (String::new(), rest.strip_prefix(':').unwrap_or(rest)),
            };
            return AgentSpec(format!("{}[{before}{option}='{value}']:{command}", external::ENTRY.name));
        }
        let joint = if self.0.contains(':') { ',' } else { ':' };
        AgentSpec(format!("{self}{joint}{option}={value}"))
    }

    /// The agent alone, with none of its options set.
    pub fn bare(&self) -> AgentSpec {
        if self.is_external() { self.clone() } else { AgentSpec(self.agent().to_string()) }
    }

    /// The agent's entry and the values of all its options, or what is wrong with the spec.
    pub fn resolve(&self) -> Result<(&'static Entry, Options), SpecError> {
        if self.is_external() {
            let mut options = Options::defaults(external::ENTRY.options);
            let wrong = |why| SpecError::Option { agent: external::ENTRY.name, why };
            options.set(external::COMMAND, &self.0).map_err(wrong)?;
            return Ok((&external::ENTRY, options));
        }
        let unknown = || SpecError::UnknownAgent { name: self.agent().to_string() };
        let entry = entry(self.agent()).ok_or_else(unknown)?;
        let mut options = Options::defaults(entry.options);
        for (name, value) in self.options() {
            options.set(name, value).map_err(|why| SpecError::Option { agent: entry.name, why })?;
        }
        Ok((entry, options))
    }

    /// Builds the agent.
    pub fn build(&self) -> Result<Box<dyn Agent>, SpecError> {
        let (entry, options) = self.resolve()?;
        (entry.build)(self.as_str(), &options).map_err(|why| SpecError::Build { spec: self.to_string(), why })
    }

    /// Whether the agent makes choices that follow from a seed.
    pub fn is_seeded(&self) -> bool {
        self.resolve().is_ok_and(|(entry, options)| entry.is_seeded(&options))
    }

    /// The agent with this seed, if it makes choices that follow from one and its spec gives none.
    pub fn seeded(&self, seed: u64) -> AgentSpec {
        if self.is_seeded() && !self.sets("seed") { self.with("seed", seed) } else { self.clone() }
    }

    /// Whether the agent sets itself a time, so that what it plays depends on the machine.
    pub fn is_timed(&self) -> bool {
        let is_time = |(option, _): (&OptionSpec, &str)| option.kind == Kind::Time;
        self.resolve().is_ok_and(|(_, options)| options.given().any(is_time))
    }

    /// Refuses what somebody may not set who is not the owner of the machine: files, processes, free text, and more
    /// memory or threads than the share of one among many.
    pub fn check_guest(&self) -> Result<(), SpecError> {
        self.for_guest()?;
        let (entry, options) = self.resolve()?;
        for (option, value) in options.given() {
            if let Access::UpTo(most) = option.kind.access()
                && options.int(option.name) > most
            {
                let why = OptionError::Value {
                    name: option.name.to_string(),
                    expected: format!("at most {most}"),
                    found: value.to_string(),
                };
                return Err(SpecError::Option { agent: entry.name, why });
            }
        }
        Ok(())
    }

    /// The agent with no more memory and threads than the share of one among many. Fails where the spec sets what a
    /// guest may not.
    pub fn for_guest(&self) -> Result<AgentSpec, SpecError> {
        let (entry, options) = self.resolve()?;
        let is_closed = |kind: Kind, value: &str| match kind.access() {
            Access::Closed => !value.is_empty(),
            Access::Words(words) => !value.is_empty() && !words.contains(&value),
            Access::Open | Access::UpTo(_) => false,
        };
        if let Some((option, _)) = options.given().find(|(option, value)| is_closed(option.kind, value)) {
            let what = match option.kind {
                Kind::File(_) => "names a file",
                Kind::Process => "starts a process",
                _ => "is a free text",
            };
            return Err(SpecError::Closed { agent: entry.name, option: option.name, what });
        }
        let mut spec = self.clone();
        for option in entry.options {
            match option.kind.access() {
                Access::UpTo(most) if options.int(option.name) > most => spec = spec.with(option.name, most),
                _ => {}
            }
        }
        Ok(spec)
    }
}

/// Builds the agent of a spec.
///
/// ```
/// let agent = sumito_agents::build("aba-pro:depth=2")?;
/// assert_eq!(agent.name(), "aba-pro:depth=2");
/// # Ok::<(), sumito_agents::SpecError>(())
/// ```
pub fn build(spec: &str) -> Result<Box<dyn Agent>, SpecError> {
    spec.parse::<AgentSpec>()?.build()
}

/// Reads a spec without building the agent: its entry and the values of all its options.
pub fn resolve(spec: &str) -> Result<(&'static Entry, Options), SpecError> {
    spec.parse::<AgentSpec>()?.resolve()
}

#[cfg(feature = "serde")]
impl serde::Serialize for AgentSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for AgentSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<AgentSpec, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What is wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// No agent has this name.
    UnknownAgent {
        /// The name.
        name: String,
    },
    /// An option is unknown or has a value that does not fit.
    Option {
        /// Whose option.
        agent: &'static str,
        /// What is wrong with it.
        why: OptionError,
    },
    /// An option is not for guests.
    Closed {
        /// Whose option.
        agent: &'static str,
        /// The option.
        option: &'static str,
        /// What it does.
        what: &'static str,
    },
    /// The agent could not be made.
    Build {
        /// The whole spec.
        spec: String,
        /// What went wrong.
        why: String,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::UnknownAgent { name } => {
                let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
                write!(f, "unknown agent '{name}' ({})", suggestion(name, &names))
            }
            SpecError::Option { agent, why } => write!(f, "agent {agent}: {why}"),
            SpecError::Closed { agent, option, what } => {
                write!(f, "agent {agent}: option '{option}' {what}, which pages may not")
            }
            SpecError::Build { spec, why } => write!(f, "agent {spec}: {why}"),
        }
    }
}

impl std::error::Error for SpecError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> AgentSpec {
        text.parse().expect("a spec")
    }

    #[test]
    fn a_spec_is_printed_as_it_was_given() {
        for text in ["random", "aba-pro: round , depth = 3", "sumito:", "ugi[Hash=1]:./x -y", "mine:a=1,,b"] {
            assert_eq!(spec(text).to_string(), text);
        }
    }

    #[test]
    fn a_spec_needs_a_name_and_an_engine_a_command() {
        for text in ["", ":depth=3", "ugi", "ugi:", "ugi[Hash]:x"] {
            assert!(text.parse::<AgentSpec>().is_err(), "{text}");
        }
    }

    #[test]
    fn options_are_read_without_blanks_and_flags_are_on() {
        let spec = spec("aba-pro: round , depth = 3,,width");
        let options: Vec<(&str, &str)> = spec.options().collect();
        assert_eq!(
            (spec.agent(), options),
            ("aba-pro", vec![("round", "on"), ("depth", "3"), ("width", "on")])
        );
        assert!(spec.sets("round") && !spec.sets("rou"));
    }

    #[test]
    fn what_is_set_last_counts() {
        let spec = spec("random").with("seed", 3).with("seed", 9);
        assert_eq!(spec.as_str(), "random:seed=3,seed=9");
        assert_eq!(spec.resolve().expect("an agent").1.int("seed"), 9);
        assert_eq!(spec.bare().as_str(), "random");
    }

    #[test]
    fn the_options_of_an_engine_stand_before_its_command() {
        let spec = spec("ugi:./engine --fast").with("Hash", 64).with("Book", "a, b");
        assert_eq!(spec.as_str(), "ugi[Hash='64',Book='a, b']:./engine --fast");
        let engine = EngineSpec::parse(spec.as_str()).expect("an engine");
        assert_eq!(engine.options, [("Hash".into(), "64".into()), ("Book".into(), "a, b".into())]);
        assert_eq!((engine.command.len(), spec.agent(), spec.options().count()), (2, "ugi", 0));
    }

    #[test]
    fn a_seed_is_added_only_where_it_matters_and_there_is_none() {
        let seeded = |text: &str| spec(text).seeded(5).to_string();
        assert_eq!(seeded("random"), "random:seed=5");
        assert_eq!(seeded("random: seed = 3"), "random: seed = 3");
        assert_eq!(seeded("sumito:level=3"), "sumito:level=3,seed=5");
        for text in ["sumito", "aba-pro", "unknown", "ugi:./engine"] {
            assert_eq!(seeded(text), text);
        }
    }

    #[test]
    fn a_spec_is_timed_if_an_option_sets_a_time_and_not_by_its_letters() {
        assert!(spec("aba-pro:time=2s").is_timed() && spec("bcit: time = 1").is_timed());
        for text in ["aba-pro", "ugi:./engine --movetime=5", "random:seed=1", "unknown:time=1s"] {
            assert!(!spec(text).is_timed(), "{text}");
        }
    }

    /// A value of an option that is not its default, and as much as it takes.
    fn most(option: &OptionSpec) -> String {
        match option.kind {
            Kind::Float { max, .. } => max.to_string(),
            Kind::Flag(default) => if default { "off" } else { "on" }.to_string(),
            Kind::Choice(words) => words[words.len() - 1].to_string(),
            Kind::Numbers => "1".to_string(),
            Kind::Range { .. } => "1".to_string(),
            Kind::Time => "1s".to_string(),
            Kind::File(_) | Kind::Process | Kind::Text => "/etc/passwd".to_string(),
            _ => option.kind.whole().expect("a whole number").end().to_string(),
        }
    }

    #[test]
    fn guests_set_what_is_a_number_or_a_word_and_nothing_else_of_any_agent() {
        for entry in entries() {
            for option in entry.options {
                let spec = AgentSpec::of(entry).with(option.name, most(option));
                let is_refused = spec.check_guest().is_err();
                let is_closed = matches!(
                    option.kind,
                    Kind::Memory { .. }
                        | Kind::Threads { .. }
                        | Kind::Lines { .. }
                        | Kind::File(_)
                        | Kind::Process
                        | Kind::Text
                );
                assert_eq!(is_refused, is_closed, "{spec}");
            }
        }
        for text in ["ugi:./engine", "ugi[Hash=1]:/bin/sh"] {
            assert!(spec(text).check_guest().is_err() && spec(text).for_guest().is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_that_an_agent_declares_from_now_on_is_closed() {
        use crate::options::{file, process, text};
        for option in [file("book", &[], ""), process("helper", ""), text("note", "")] {
            let is_open =
                matches!(option.kind.access(), Access::Open | Access::UpTo(_) | Access::Words([_, ..]));
            assert!(!is_open, "{}", option.name);
        }
    }

    #[test]
    fn a_guest_gets_no_more_than_a_share_also_where_the_default_is_more() {
        for entry in entries() {
            let spec = AgentSpec::of(entry);
            assert_eq!(spec.check_guest(), Ok(()), "{spec}");
            let (_, options) = spec.for_guest().expect("open").resolve().expect("a spec");
            for option in entry.options {
                if let Access::UpTo(most) = option.kind.access() {
                    assert!(options.int(option.name) <= most, "{spec}: {}", option.name);
                }
            }
        }
        assert_eq!(spec("sumito:hash=8").for_guest(), Ok(spec("sumito:hash=8")));
        assert_eq!(spec("sumito:hash=64").for_guest(), Ok(spec("sumito:hash=64,hash=16")));
        assert_eq!(
            spec("sumito:hash=8,hash=64").check_guest().expect_err("too much").to_string(),
            "agent sumito: option 'hash': expected at most 16, found '64'"
        );
    }

    #[test]
    fn words_in_place_of_a_file_are_open() {
        assert_eq!(spec("sumito:net=hand").check_guest(), Ok(()));
        assert_eq!(
            spec("sumito:net=/etc/passwd").check_guest().expect_err("a file").to_string(),
            "agent sumito: option 'net' names a file, which pages may not"
        );
    }

    fn refusal(spec: &str) -> String {
        build(spec).err().expect("refused").to_string()
    }

    #[test]
    fn every_agent_is_built_by_its_name_alone() {
        for entry in entries() {
            let agent = build(entry.name).expect("an agent");
            assert_eq!(agent.name(), entry.name);
        }
    }

    #[test]
    fn the_flagship_makes_random_choices_only_at_a_level() {
        let is_seeded =
            |spec| resolve(spec).map(|(entry, options)| entry.is_seeded(&options)).expect("a spec");
        assert_eq!(
            ["sumito", "sumito:level=3", "random", "aba-pro"].map(is_seeded),
            [false, true, true, false]
        );
    }

    #[test]
    fn a_misspelt_agent_is_answered_with_the_near_misses() {
        assert_eq!(refusal("verlop:depth=4"), "unknown agent 'verlop' (did you mean verloop)");
        assert!(
            refusal("xyzzy").contains("expected one of sumito, aba-pro, verloop"),
            "{}",
            refusal("xyzzy")
        );
    }

    #[test]
    fn a_misspelt_option_is_answered_with_the_near_misses() {
        let found = refusal("aba-pro:dept=4");
        assert!(found.starts_with("agent aba-pro: unknown option 'dept' (did you mean depth"), "{found}");
    }

    #[test]
    fn a_value_out_of_range_is_answered_with_the_range() {
        let expected = "agent aba-pro: option 'depth': expected a whole number from 1 to 12, found '99'";
        assert_eq!(refusal("aba-pro:depth=99"), expected);
    }

    #[test]
    fn an_option_without_a_value_is_switched_on() {
        let (_, options) = resolve("aba-pro: round , depth = 3").expect("a spec");
        assert!(options.flag("round") && options.int("depth") == 3);
    }
}

//! All agents by name, and the spec strings that build them: `aba-pro:depth=6,search=heuristic`.

use std::fmt;

use sumito_rules::near_misses;

use crate::agent::Agent;
use crate::external;
use crate::options::{OptionError, OptionSpec, Options};

/// Makes an agent of a spec, its name from then on, and checked options. Fails with a sentence, for example
/// about a file that cannot be read.
pub type Build = fn(&str, &Options) -> Result<Box<dyn Agent>, String>;

/// An agent that can be built by name.
pub struct Entry {
    /// The name, such as `aba-pro`.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Where it comes from: a paper, or empty.
    pub source: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Makes it.
    pub build: Build,
}

/// Every agent that its name alone builds, in the order of `sumito agents`. Beside them there is
/// [`external::ENTRY`], which needs a command.
pub fn entries() -> &'static [&'static Entry] {
    ENTRIES
}

static ENTRIES: &[&Entry] = &[
    &crate::aba_pro::ENTRY,
    &crate::verloop::ENTRY,
    &crate::maastricht::ABTS,
    &crate::maastricht::MCTS,
    &crate::maastricht::RULES,
    &crate::bcit::ENTRY,
    &crate::cornell::MINIMAX,
    &crate::cornell::TD,
    &crate::greedy::ENTRY,
    &crate::random::ENTRY,
];

/// The agent with this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    entries().iter().copied().find(|entry| entry.name == name)
}

/// Builds the agent that a spec string describes: a name, then `:`, then options `name=value` with commas; or
/// `ugi:` and the command of an engine, see [`external`].
pub fn build(spec: &str) -> Result<Box<dyn Agent>, SpecError> {
    let (entry, options) = parse(spec)?;
    (entry.build)(spec, &options).map_err(|why| SpecError::Build { spec: spec.to_string(), why })
}

/// Reads a spec string without building the agent.
pub fn parse(spec: &str) -> Result<(&'static Entry, Options), SpecError> {
    if external::is_spec(spec) {
        return Ok((&external::ENTRY, Options::defaults(external::ENTRY.options)));
    }
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let entry = entry(name).ok_or_else(|| SpecError::UnknownAgent { name: name.to_string() })?;
    let mut options = Options::defaults(entry.options);
    for option in rest.split(',').filter(|option| !option.is_empty()) {
        let (option, value) = option.split_once('=').unwrap_or((option, "on"));
        options
            .set(option.trim(), value.trim())
            .map_err(|why| SpecError::Option { agent: entry.name, why })?;
    }
    Ok((entry, options))
}

/// What is wrong with a spec string.
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
                let near = near_misses(name, names.iter().copied());
                let (hint, shown) =
                    if near.is_empty() { ("expected one of", names) } else { ("did you mean", near) };
                write!(f, "unknown agent '{name}' ({hint} {})", shown.join(", "))
            }
            SpecError::Option { agent, why } => write!(f, "agent {agent}: {why}"),
            SpecError::Build { spec, why } => write!(f, "agent {spec}: {why}"),
        }
    }
}

impl std::error::Error for SpecError {}

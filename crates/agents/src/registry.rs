//! All agents by name.

use crate::agent::Agent;
use crate::options::{OptionSpec, Options};
use crate::spec::AgentSpec;
pub use crate::spec::SpecError;

/// Makes an agent of a spec, its name from then on, and checked options. Fails with a sentence, for example
/// about a file that cannot be read.
pub type Build = fn(&AgentSpec, &Options) -> Result<Box<dyn Agent>, String>;

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

impl Entry {
    /// Whether an agent with these options makes choices that follow from its `seed`. The flagship does so only at a
    /// level below its full strength.
    pub fn is_seeded(&self, options: &Options) -> bool {
        let has = |name| self.options.iter().any(|option| option.name == name);
        has("seed") && !(has("level") && options.int("level") == 0)
    }
}

/// Every agent that its name alone builds, in the order of `sumito agents`. Beside them there is
/// [`external::ENTRY`](crate::external::ENTRY), which needs a command.
pub fn entries() -> &'static [&'static Entry] {
    ENTRIES
}

static ENTRIES: &[&Entry] = &[
    &crate::flagship::ENTRY,
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

/// Builds the agent of a spec.
pub fn build(spec: &str) -> Result<Box<dyn Agent>, SpecError> {
    spec.parse::<AgentSpec>()?.build()
}

/// Reads a spec without building the agent.
pub fn parse(spec: &str) -> Result<(&'static Entry, Options), SpecError> {
    spec.parse::<AgentSpec>()?.resolve()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_names_are_those_of_the_documents() {
        let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
        let expected = "aba-pro verloop maastricht maastricht-mcts maastricht-rules bcit cornell cornell-td";
        for name in expected.split(' ').chain(["random", "greedy"]) {
            assert!(names.contains(&name), "{name}");
        }
    }

    #[test]
    fn every_default_is_a_value_of_its_own_option() {
        for entry in entries() {
            let mut options = Options::defaults(entry.options);
            for spec in entry.options {
                let default = spec.kind.default_text();
                let unset = default.is_empty();
                assert!(unset || options.set(spec.name, &default).is_ok(), "{}:{}", entry.name, spec.name);
            }
        }
    }

    #[test]
    fn the_flagship_makes_random_choices_only_at_a_level() {
        let is_seeded = |spec| parse(spec).map(|(entry, options)| entry.is_seeded(&options)).expect("a spec");
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
        let (_, options) = parse("aba-pro: round , depth = 3").expect("a spec");
        assert!(options.flag("round") && options.int("depth") == 3);
    }
}

//! What an agent declares about itself, so that others can list it, set its options and build it.

use crate::agent::Agent;
use crate::options::{OptionSpec, Options};

/// Makes an agent of its name, which is the whole spec that asks for it, and checked options. Fails with a sentence, for
/// example about a file that cannot be read.
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

impl Entry {
    /// Whether an agent with these options makes choices that follow from its `seed`. The flagship does so only at a
    /// level below its full strength.
    pub fn is_seeded(&self, options: &Options) -> bool {
        let has = |name| self.options.iter().any(|option| option.name == name);
        has("seed") && !(has("level") && options.int("level") == 0)
    }
}

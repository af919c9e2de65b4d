//! All agents by name. It knows every agent; no agent knows it, nor the specs, which look names up here.

pub use crate::entry::{Build, Entry};

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
    &crate::plain::ENTRY,
    &crate::greedy::ENTRY,
    &crate::random::ENTRY,
];

/// The agent with this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    entries().iter().copied().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

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
}

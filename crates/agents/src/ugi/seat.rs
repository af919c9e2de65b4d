//! The agent that is served, with the options set for it so far.

use crate::agent::Agent;
use crate::options::Options;
use crate::registry::{self, Entry, SpecError};
use crate::ugi::option;

/// A spec, what was set on top of it, and how to build the agent from both.
pub(super) struct Seat {
    spec: String,
    entry: &'static Entry,
    settings: Vec<(&'static str, String)>,
}

impl Seat {
    /// The seat for the agent of a spec string.
    pub(super) fn new(spec: &str) -> Result<Seat, SpecError> {
        let (entry, _) = registry::parse(spec)?;
        Ok(Seat { spec: spec.to_string(), entry, settings: Vec::new() })
    }

    /// The spec with everything that was set.
    pub(super) fn name(&self) -> String {
        let settings: Vec<String> =
            self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let joint = match settings.as_slice() {
            [] => "",
            _ if self.spec.contains(':') => ",",
            _ => ":",
        };
        format!("{}{joint}{}", self.spec, settings.join(","))
    }

    /// The `option` lines, those of the hidden options only if `all` are asked for.
    pub(super) fn option_lines(&self, all: bool) -> Result<Vec<String>, String> {
        let options = self.options()?;
        let shown = self.entry.options.iter().filter(|spec| all || !spec.is_hidden);
        Ok(shown.map(|spec| option::write(spec, options.text(spec.name))).collect())
    }

    fn options(&self) -> Result<Options, String> {
        let (_, mut options) = registry::parse(&self.spec).map_err(|why| why.to_string())?;
        for (name, value) in &self.settings {
            options.set(name, value).map_err(|why| why.to_string())?;
        }
        Ok(options)
    }

    /// Builds the agent.
    pub(super) fn build(&self) -> Result<Box<dyn Agent>, String> {
        (self.entry.build)(&self.name(), &self.options()?)
    }

    /// Sets an option and builds the agent anew. An empty value takes back what was set. If it does not
    /// work out, nothing has changed.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Box<dyn Agent>, String> {
        let known = self.entry.options.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
        let Some(spec) = known else {
            let why = Options::defaults(self.entry.options).set(name, value);
            return Err(why.expect_err("the name is unknown").to_string());
        };
        let before = self.settings.clone();
        self.settings.retain(|(set, _)| *set != spec.name);
        let value = option::from_protocol(&spec.kind, value);
        if !value.is_empty() {
            self.settings.push((spec.name, value));
        }
        self.build().inspect_err(|_| self.settings = before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_shows_in_the_agents_name_and_in_its_option_lines() {
        let mut seat = Seat::new("random").expect("an agent");
        assert_eq!(seat.set("Seed", "7").expect("a value").name(), "random:seed=7");
        assert!(seat.option_lines(false).expect("options")[0].contains("default 7 "));
    }

    #[test]
    fn hidden_options_can_be_set_and_are_shown_when_asked_for() {
        let mut seat = Seat::new("sumito:hash=1").expect("an agent");
        assert_eq!(seat.set("RFP_Margin", "77").expect("a value").name(), "sumito:hash=1,rfp_margin=77");
        let shown = |all| {
            let lines = seat.option_lines(all).expect("options");
            lines
                .iter()
                .filter(|line| line.starts_with("option name rfp_margin type spin default 77 "))
                .count()
        };
        assert_eq!((shown(false), shown(true)), (0, 1));
    }

    #[test]
    fn a_refused_value_leaves_the_old_one() {
        let mut seat = Seat::new("random:seed=3").expect("an agent");
        assert!(seat.set("seed", "-1").is_err());
        assert!(seat.set("sed", "5").is_err());
        assert_eq!(seat.name(), "random:seed=3");
    }

    #[test]
    fn an_empty_value_takes_back_what_was_set() {
        let mut seat = Seat::new("random:seed=3").expect("an agent");
        seat.set("seed", "9").expect("a value");
        assert_eq!(seat.set("seed", "<empty>").expect("the spec's own").name(), "random:seed=3");
    }
}

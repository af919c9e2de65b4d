//! The agent that is served, with the options set for it so far.

use crate::agent::Agent;
use crate::entry::Entry;
use crate::options::{Kind, OptionSpec, Options};
use crate::protocol::option;
use crate::spec::AgentSpec;

/// A spec, what was set on top of it, and how to build the agent from both.
pub(super) struct Seat {
    base: AgentSpec,
    entry: &'static Entry,
    given: Options,
    settings: Vec<(&'static str, String)>,
}

impl Seat {
    /// The seat for an agent of this name, with the options that it gives.
    pub(super) fn new(spec: AgentSpec, entry: &'static Entry, given: Options) -> Seat {
        Seat { base: spec, entry, given, settings: Vec::new() }
    }

    /// The spec with everything that was set.
    pub(super) fn spec(&self) -> AgentSpec {
        self.settings.iter().fold(self.base.clone(), |spec, (name, value)| spec.with(name, value))
    }

    /// The `option` lines, those of the hidden options only if `all` are asked for.
    pub(super) fn option_lines(&self, all: bool) -> Result<Vec<String>, String> {
        let options = self.options()?;
        let is_shown = |spec: &&OptionSpec| (all || !spec.is_hidden) && spec.kind != Kind::Process;
        let shown = self.entry.options.iter().filter(is_shown);
        Ok(shown.map(|spec| option::write(spec, options.text(spec.name))).collect())
    }

    fn options(&self) -> Result<Options, String> {
        let mut options = self.given.clone();
        for (name, value) in &self.settings {
            options.set(name, value).map_err(|why| why.to_string())?;
        }
        Ok(options)
    }

    /// Builds the agent.
    pub(super) fn build(&self) -> Result<Box<dyn Agent>, String> {
        (self.entry.build)(self.spec().as_str(), &self.options()?)
    }

    /// Sets an option of the agent, which adopts it or else is built anew. An empty value takes back what was set.
    /// If it does not work out, nothing is set, and the agent may be gone. The answer is whether it is a new one.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &str,
        agent: &mut Option<Box<dyn Agent>>,
    ) -> Result<bool, String> {
        let is_settable = |spec: &&OptionSpec| spec.is_called(name) && spec.kind != Kind::Process;
        let known = self.entry.options.iter().find(is_settable);
        let Some(spec) = known else {
            return Err(Options::defaults(self.entry.options).unknown(name).to_string());
        };
        let before = self.settings.clone();
        self.settings.retain(|(set, _)| *set != spec.name);
        let value = option::from_protocol(&spec.kind, value);
        if !value.is_empty() {
            self.settings.push((spec.name, value));
        }
        self.fit(agent).inspect_err(|_| self.settings = before)
    }

    fn fit(&self, agent: &mut Option<Box<dyn Agent>>) -> Result<bool, String> {
        let (spec, options) = (self.spec(), self.options()?);
        if agent.as_mut().is_some_and(|agent| agent.adopt(spec.as_str(), &options)) {
            return Ok(false);
        }
        // First the old one goes: two large tables may be more than the memory holds.
        *agent = None;
        *agent = Some((self.entry.build)(spec.as_str(), &options)?);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(spec: &str) -> Seat {
        let spec: AgentSpec = spec.parse().expect("a spec");
        let (entry, given) = spec.resolve().expect("an agent");
        Seat::new(spec, entry, given)
    }

    /// The name of the agent after a setting.
    fn name_with(seat: &mut Seat, name: &str, value: &str) -> String {
        let mut agent = None;
        seat.set(name, value, &mut agent).expect("a value");
        agent.expect("an agent").name().to_string()
    }

    #[test]
    fn what_is_set_shows_in_the_agents_name_and_in_its_option_lines() {
        let mut seat = seat("random");
        assert_eq!(name_with(&mut seat, "Seed", "7"), "random:seed=7");
        assert!(seat.option_lines(false).expect("options")[0].contains("default 7 "));
    }

    #[test]
    fn hidden_options_can_be_set_and_are_shown_when_asked_for() {
        let mut seat = seat("sumito:hash=1");
        assert_eq!(name_with(&mut seat, "RFP_Margin", "77"), "sumito:hash=1,rfp_margin=77");
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
        let mut seat = seat("random:seed=3");
        assert!(seat.set("seed", "-1", &mut None).is_err());
        assert!(seat.set("sed", "5", &mut None).is_err());
        assert_eq!(seat.spec().as_str(), "random:seed=3");
    }

    #[test]
    fn an_empty_value_takes_back_what_was_set() {
        let mut seat = seat("random:seed=3");
        assert_eq!(name_with(&mut seat, "seed", "9"), "random:seed=3,seed=9");
        assert_eq!(name_with(&mut seat, "seed", "<empty>"), "random:seed=3");
    }

    #[test]
    fn an_agent_that_can_adopt_an_option_is_not_built_anew() {
        let mut seat = seat("sumito:hash=1");
        let mut agent = Some(seat.build().expect("an agent"));
        assert_eq!(seat.set("MultiPV", "3", &mut agent), Ok(false));
        assert_eq!(agent.as_ref().expect("an agent").name(), "sumito:hash=1,multipv=3");
        assert_eq!(seat.set("Hash", "2", &mut agent), Ok(true));
        assert_eq!(agent.as_ref().expect("an agent").name(), "sumito:hash=1,multipv=3,hash=2");
    }
}

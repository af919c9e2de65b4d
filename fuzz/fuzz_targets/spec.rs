//! Any text: read as the spec of an agent, with or without a limit, as that of an external engine, as a limit, as the
//! bounds of an SPRT and as the inputs of a network. Agents are built if they take no file, no process and little memory.
#![no_main]

use sumito_agents::AgentSpec;
use sumito_agents::external::{EngineSpec, split_words};
use sumito_agents::options::{Kind, OptionSpec, Options};
use sumito_engine::network::Inputs;
use sumito_fuzz::fuzz_target;
use sumito_lab::limit::LimitSpec;
use sumito_lab::sprt::Sprt;

/// The spec with the least memory that its agent can do with, unless it names a file or starts a process.
fn small(spec: &AgentSpec) -> Option<AgentSpec> {
    let small = spec.for_guest().ok()?;
    let (entry, _) = small.resolve().expect("a guest's spec");
    let least = |small: AgentSpec, option: &OptionSpec| match option.kind {
        Kind::Memory { min, .. } => small.with(option.name, min),
        _ => small,
    };
    Some(entry.options.iter().fold(small, least))
}

fuzz_target!(|text: &str| {
    let _ = (EngineSpec::parse(text), split_words(text), text.parse::<Inputs>());
    if let Ok(sprt) = text.parse::<Sprt>() {
        assert!(sprt.elo0.is_finite() && sprt.elo1.is_finite(), "{text}");
    }
    if let Ok(limit) = text.parse::<LimitSpec>() {
        assert_eq!(limit.to_string().parse(), Ok(limit), "{text}");
    }
    let Ok((spec, _)) = LimitSpec::split(text) else { return };
    let Ok(spec) = spec.parse::<AgentSpec>() else { return };
    let Ok((entry, options)) = spec.resolve() else { return };
    let mut again = Options::defaults(entry.options);
    for option in entry.options.iter().filter(|option| !options.text(option.name).is_empty()) {
        again.set(option.name, options.text(option.name)).expect("a value that was accepted before");
    }
    assert_eq!(again.changes(&options).count(), 0, "{spec}");
    if let Some(small) = small(&spec)
        && let Ok(agent) = small.build()
    {
        assert_eq!(agent.name(), small.as_str());
    }
});

//! Any text: read as the spec of an agent, with or without a limit, as that of an external engine, as a limit, as the
//! bounds of an SPRT and as the inputs of a network. Agents are built if they take no file, no process and little memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sumito_agents::external::{self, EngineSpec, split_words};
use sumito_agents::options::{Kind, Options};
use sumito_agents::registry;
use sumito_engine::network::Inputs;
use sumito_lab::limit::LimitSpec;
use sumito_lab::sprt::Sprt;

/// The largest value of an option that takes memory or threads.
const SMALL: i64 = 16;
const LARGE: [&str; 5] = ["hash", "threads", "memory", "table-bits", "slots"];

/// The spec with small values for what takes memory, unless it names a file.
fn small(spec: &str) -> Option<String> {
    let (entry, options) = registry::parse(spec).ok()?;
    if entry.name == external::ENTRY.name || entry.name == "cornell-td" && !options.text("weights").is_empty()
    {
        return None;
    }
    if entry.name == "sumito" && !["", "hand"].contains(&options.text("net")) {
        return None;
    }
    let mut small = spec.to_string();
    for option in entry.options.iter().filter(|option| LARGE.contains(&option.name)) {
        if matches!(option.kind, Kind::Int { .. }) && options.int(option.name) > SMALL {
            let joint = if small.contains(':') { ',' } else { ':' };
            small.push_str(&format!("{joint}{}={SMALL}", option.name));
        }
    }
    Some(small)
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
    let Ok((entry, options)) = registry::parse(spec) else { return };
    let mut again = Options::defaults(entry.options);
    for option in entry.options.iter().filter(|option| !options.text(option.name).is_empty()) {
        again.set(option.name, options.text(option.name)).expect("a value that was accepted before");
    }
    assert_eq!(again, options, "{spec}");
    if let Some(small) = small(spec)
        && let Ok(agent) = registry::build(&small)
    {
        assert_eq!(agent.name(), small);
    }
});

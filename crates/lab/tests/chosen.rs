//! Defaults that an experiment chose are those that its published result says.

use std::path::Path;

use sumito_agents::options::Options;
use sumito_agents::registry::entry;

/// The values of a published result by name: the number, then the ends of its interval.
fn values(experiment: &str) -> serde_json::Value {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/results");
    let text = std::fs::read_to_string(results.join(experiment).join("result.json")).expect("a result");
    let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    result["values"].clone()
}

/// The options of an agent as they are if nobody changes them.
fn defaults(agent: &str) -> Options {
    Options::defaults(entry(agent).expect("an agent").options)
}

/// The narrowest of the widths that wins at every depth, and beyond its error at all of them together.
fn narrowest(experiment: &str, widths: &[&'static str]) -> Option<&'static str> {
    let values = values(experiment);
    let number = |name: String, place: usize| values[&name][place].as_f64().expect("a number");
    widths.iter().copied().find(|width| {
        number(format!("w{width}.worst"), 0) > 50.0 && number(format!("w{width}.score"), 1) > 50.0
    })
}

#[test]
fn the_width_of_aba_pros_funnel_is_the_narrowest_that_passes_the_papers_rule() {
    let widths = ["0.1", "0.15", "0.2", "0.25", "0.5", "1.0"];
    let chosen = narrowest("aba-pro/choice", &widths).expect("a width that passes");
    assert_eq!(chosen.parse(), Ok(defaults("aba-pro").float("width")));
    // The funnel is the same idea wherever it is tried.
    assert_eq!(chosen.parse(), Ok(defaults("plain").float("width")));
}

#[test]
fn the_window_of_verloops_nodes_is_the_narrowest_that_passes_the_same_rule() {
    let windows = ["10", "20", "40", "60", "100", "150", "200", "300", "400", "500"];
    let chosen = narrowest("verloop/windows", &windows).expect("a window that passes");
    assert_eq!(chosen.parse(), Ok(defaults("verloop").int("window")));
}

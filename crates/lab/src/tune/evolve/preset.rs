//! The weights of the agents that have an evaluation to evolve, with ranges: what evolves when nobody names any.

use sumito_agents::maastricht::{Neutral, Weights};
use sumito_agents::options::Options;
use sumito_agents::{AgentSpec, SpecError};

/// An agent's spec with values for all its weights, and the weights with their ranges as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The spec.
    pub agent: String,
    /// Such as `factor:0:5`.
    pub weights: Vec<String>,
}

/// Why there is nothing to evolve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// The agent's spec is wrong.
    #[error("{0}")]
    Agent(String),
    /// The agent has no weights that we know ranges for.
    #[error(
        "{0}: no weights are known for it (they are for maastricht, bcit with jason's heuristic, and verloop): name those to evolve"
    )]
    None(String),
    /// Nine sets of an agent that has one.
    #[error("{0}: expected maastricht's neutral evaluation for nine sets of weights")]
    Nine(String),
}

/// The neutral evaluation's w1 to w6.
const NEUTRAL: [(f64, f64); 6] =
    [(0.0, 10.0), (0.0, 10.0), (0.0, 30.0), (0.0, 10.0), (0.0, 500.0), (0.0, 2000.0)];
/// The offensive one's w1, w2, w5, w7, w8.
const OFFENSIVE: [(f64, f64); 5] = [(-10.0, 10.0), (0.0, 10.0), (0.0, 20_000.0), (0.0, 600.0), (0.0, 200.0)];
/// The defensive one's w1, w2, w4, w6.
const DEFENSIVE: [(f64, f64); 4] = [(-50.0, 50.0), (0.0, 50.0), (0.0, 300.0), (-20_000.0, 0.0)];

/// What to evolve of an agent; with `nine` the neutral evaluation's weights for each state of the board, figure 2.
pub fn preset(spec: &str, nine: bool) -> Result<Preset, PresetError> {
    let wrong = |why: SpecError| PresetError::Agent(why.to_string());
    let spec: AgentSpec = spec.parse().map_err(wrong)?;
    let (entry, options) = spec.resolve().map_err(wrong)?;
    let found = match entry.name {
        "maastricht" | "maastricht-mcts" => maastricht(&spec, &options, nine),
        _ if nine => return Err(PresetError::Nine(spec.to_string())),
        "bcit" if options.text("heuristic") == "jason" => Some(bcit(&spec, &options)),
        "verloop" if options.text("eval") == "source" => Some(verloop(&spec)),
        _ => None,
    };
    found.ok_or_else(|| {
        if nine { PresetError::Nine(spec.to_string()) } else { PresetError::None(spec.to_string()) }
    })
}

fn maastricht(spec: &AgentSpec, options: &Options, nine: bool) -> Option<Preset> {
    let (weights, given) = (Weights::default(), options.text("weights"));
    let nine = nine || given.split(';').count() == NEUTRAL.len() * 9;
    let nine_sets = || Neutral::DOCUMENT.sets.as_flattened().to_vec();
    let (values, ranges) = match options.text("eval") {
        "neutral" if nine => (nine_sets(), NEUTRAL.repeat(9)),
        // Of the nine lines the second, for an even board.
        "neutral" => (Neutral::DOCUMENT.sets[1].to_vec(), NEUTRAL.to_vec()),
        _ if nine => return None,
        "offensive" => (weights.offensive.to_vec(), OFFENSIVE.to_vec()),
        "defensive" => (weights.defensive.to_vec(), DEFENSIVE.to_vec()),
        _ => return None,
    };
    let list: Vec<String> = values.iter().map(ToString::to_string).collect();
    let agent = if given.is_empty() { spec.with("weights", list.join(";")) } else { spec.clone() };
    let texts = (1..).zip(ranges).map(|(place, (min, max))| format!("weights.{place}:{min}:{max}"));
    Some(Preset { agent: agent.to_string(), weights: texts.collect() })
}

/// Jason's numbers, which the agent takes for its own where they are not given.
fn bcit(spec: &AgentSpec, options: &Options) -> Preset {
    let (map, bonus) = match (options.flag("magic"), options.text("compat")) {
        (true, _) => ("2", "1"),
        (false, "program") => ("5", "1"),
        _ => ("1", "5"),
    };
    let mut agent = spec.clone();
    for (name, value) in [("map", map), ("bonus", bonus), ("extra", "10"), ("factor", "1.2")] {
        let is_given = options.text(name).parse::<f64>().is_ok_and(|number| number >= 0.0);
        if !is_given {
            agent = agent.with(name, value);
        }
    }
    Preset {
        agent: agent.to_string(),
        weights: texts(&["map:0:20", "bonus:0:50", "extra:0:200", "factor:0:5"]),
    }
}

fn verloop(spec: &AgentSpec) -> Preset {
    let weights = [
        "marbles:0:2000",
        "coherence:0:20",
        "distance:0:40",
        "formation:0:50",
        "single:0:100",
        "double:0:100",
        "immediate:0:100",
    ];
    Preset { agent: spec.to_string(), weights: texts(&weights) }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::tune::param::{ranged, spec_with};

    #[test]
    fn every_preset_is_an_agent_with_weights_that_can_be_set() {
        for (spec, nine, count) in [
            ("maastricht", false, 6),
            ("maastricht:depth=1", true, 54),
            ("maastricht:eval=offensive", false, 5),
            ("maastricht:eval=defensive,defence=own", false, 4),
            ("maastricht-mcts", false, 6),
            ("bcit", false, 4),
            ("bcit:factor=2,compat=program", false, 4),
            ("verloop:depth=2", false, 7),
        ] {
            let Preset { agent, weights } = preset(spec, nine).expect("a preset");
            let params = ranged(&agent, &weights).expect("weights");
            assert_eq!(params.len(), count, "{spec}");
            for values in [
                params.iter().map(|param| param.min).collect::<Vec<f64>>(),
                params.iter().map(|param| param.max).collect(),
            ] {
                let spec = spec_with(&agent, &params, &values);
                assert!(sumito_agents::build(&spec).is_ok(), "{spec}");
            }
        }
    }

    #[test]
    fn nine_sets_begin_as_the_paper_s() {
        let Preset { agent, weights } = preset("maastricht", true).expect("a preset");
        let params = ranged(&agent, &weights).expect("weights");
        let own: Vec<f64> = params.iter().map(|param| param.start).collect();
        assert_eq!(own, Neutral::DOCUMENT.sets.as_flattened());
        // Nine sets that are given evolve all nine without being asked to.
        assert_eq!(preset(&agent, false), Ok(Preset { agent, weights }));
    }

    #[test]
    fn given_weights_stay() {
        let agent = |spec| preset(spec, false).expect("a preset").agent;
        assert_eq!(agent("maastricht:weights=1;2;3;4;5;6"), "maastricht:weights=1;2;3;4;5;6");
        assert_eq!(agent("bcit:factor=2"), "bcit:factor=2,map=1,bonus=5,extra=10");
    }

    #[test]
    fn agents_without_known_weights_are_refused() {
        let refusal = |spec, nine| preset(spec, nine).expect_err("refused").to_string();
        assert!(refusal("random", false).contains("no weights are known"));
        assert!(refusal("maastricht:eval=mix", false).contains("no weights are known"));
        assert!(refusal("bcit", true).contains("expected maastricht's neutral evaluation"));
        assert!(refusal("maastricht:eval=offensive", true).contains("expected maastricht's neutral"));
        assert!(refusal("maastrich", false).contains("unknown agent"));
    }
}

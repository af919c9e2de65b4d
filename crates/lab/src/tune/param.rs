//! The numbers that can be tuned: any numeric option of an agent, with range and step, and any number of an option
//! that is a list of them: `weights.3` is the third of `weights=3;2;6`.

use serde::Serialize;
use sumito_agents::AgentSpec;
use sumito_agents::options::{Kind, OptionSpec, Options};
use sumito_agents::registry::Entry;
use sumito_agents::spelling::suggestion;
use sumito_engine::Params;

/// A number to tune.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedParam {
    /// The option's name, in a list followed by a point and the place from 1.
    pub name: String,
    /// Where the tuning starts.
    pub start: f64,
    /// The least value to try.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// How far the games look to either side at the end of the tuning; at its beginning a few times as far.
    pub step: f64,
    /// Whether the agent takes whole numbers only.
    pub whole: bool,
}

/// Why an option cannot be tuned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// The agent's spec is wrong.
    #[error("{0}")]
    Agent(String),
    /// The text is no parameter.
    #[error("expected {expected}, found '{found}'")]
    Syntax {
        /// What fits.
        expected: &'static str,
        /// The text.
        found: String,
    },
    /// No such option, or none that is a number.
    #[error("agent {agent} has no numeric option '{name}' ({suggestion})")]
    Unknown {
        /// The agent.
        agent: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        suggestion: String,
    },
    /// A place in a list that is not there.
    #[error(
        "parameter {name}: expected {option}=... in the agent's spec with at least {place} numbers and \
         semicolons between them, found '{found}'"
    )]
    List {
        /// The parameter.
        name: String,
        /// The option.
        option: String,
        /// The place.
        place: usize,
        /// The option's value.
        found: String,
    },
    /// A fraction where the agent takes none.
    #[error("parameter {name}: expected a range between whole numbers, found {range}")]
    Fraction {
        /// The parameter.
        name: String,
        /// The range asked for.
        range: String,
    },
    /// The same name again.
    #[error("parameter {0} comes up twice")]
    Twice(String),
    /// The range is wider than the option's.
    #[error("parameter {name}: expected a range within {expected}, found {found}")]
    Range {
        /// The parameter.
        name: String,
        /// The option's range.
        expected: String,
        /// The range asked for.
        found: String,
    },
    /// The tuning would start outside its range.
    #[error("parameter {name}: expected a start within {range}, found {start}; set it in the agent's spec")]
    Start {
        /// The parameter.
        name: String,
        /// The range.
        range: String,
        /// The agent's value.
        start: f64,
    },
    /// The agent declares nothing as tunable by itself.
    #[error("agent {0} has no options made for tuning: name those to tune")]
    NoneHidden(&'static str),
}

/// The numbers to tune, from texts such as `factor` or `factor:0.5:3:0.1`, starting at the values that the agent's
/// spec gives them.
pub fn tunables(spec: &str, texts: &[String]) -> Result<Vec<TunedParam>, ParamError> {
    const EXPECTED: &str = "NAME or NAME:min:max:step with min < max and 0 < step <= max - min";
    read(spec, texts, EXPECTED, |numbers| match *numbers {
        [] => Some(None),
        [min, max, step] => Some(Some((min, max, Some(step)))),
        _ => None,
    })
}

/// The numbers to vary, from texts such as `factor` or `factor:0.5:3`: without steps.
pub fn ranged(spec: &str, texts: &[String]) -> Result<Vec<TunedParam>, ParamError> {
    read(spec, texts, "NAME or NAME:MIN:MAX with MIN < MAX", |numbers| match *numbers {
        [] => Some(None),
        [min, max] => Some(Some((min, max, None))),
        _ => None,
    })
}

/// A range, and a step if one was given.
type Range = (f64, f64, Option<f64>);

fn read(
    spec: &str,
    texts: &[String],
    expected: &'static str,
    range: impl Fn(&[f64]) -> Option<Option<Range>>,
) -> Result<Vec<TunedParam>, ParamError> {
    let (entry, options) = sumito_agents::resolve(spec).map_err(|why| ParamError::Agent(why.to_string()))?;
    let mut params: Vec<TunedParam> = Vec::with_capacity(texts.len());
    for text in texts {
        let syntax = || ParamError::Syntax { expected, found: text.clone() };
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default().trim();
        let numbers: Option<Vec<f64>> = parts.map(|part| part.trim().parse().ok()).collect();
        let range = numbers.and_then(|numbers| range(&numbers)).ok_or_else(syntax)?;
        let param = param(entry, &options, name, range, &syntax)?;
        if params.iter().any(|other| other.name == param.name) {
            return Err(ParamError::Twice(param.name));
        }
        params.push(param);
    }
    Ok(params)
}

/// The names of the options that an agent declares for tuners alone.
pub fn declared(spec: &str) -> Result<Vec<String>, ParamError> {
    let (entry, _) = sumito_agents::resolve(spec).map_err(|why| ParamError::Agent(why.to_string()))?;
    let hidden = entry.options.iter().filter(|option| option.is_hidden && range(option).is_some());
    let names: Vec<String> = hidden.map(|option| option.name.to_string()).collect();
    if names.is_empty() { Err(ParamError::NoneHidden(entry.name)) } else { Ok(names) }
}

/// The range of a numeric option.
fn range(option: &OptionSpec) -> Option<(f64, f64)> {
    match option.kind {
        Kind::Float { min, max, .. } => Some((min, max)),
        kind => kind.whole().map(|range| (*range.start() as f64, *range.end() as f64)),
    }
}

fn param(
    entry: &Entry,
    options: &Options,
    name: &str,
    given: Option<Range>,
    syntax: &dyn Fn() -> ParamError,
) -> Result<TunedParam, ParamError> {
    if let Some((option, place)) = element(entry, name) {
        return element_param(options, (name, option, place), given, syntax);
    }
    let numeric = || entry.options.iter().filter_map(|option| Some((option, range(option)?)));
    let Some((option, (least, most))) = numeric().find(|(option, _)| option.name == name) else {
        let known: Vec<&str> = numeric().map(|(option, _)| option.name).collect();
        let suggestion =
            if known.is_empty() { "it has none that we know".to_string() } else { suggestion(name, &known) };
        return Err(ParamError::Unknown { agent: entry.name, name: name.to_string(), suggestion });
    };
    let (min, max, step) = given.unwrap_or((least, most, Some(default_step(option, most - least))));
    let step = checked_step((min, max, step), syntax)?;
    let (name, range) = (name.to_string(), format!("{min} to {max}"));
    if min < least || max > most {
        return Err(ParamError::Range { name, expected: format!("{least} to {most}"), found: range });
    }
    let whole = option.kind.whole().is_some();
    if whole && (min.fract() != 0.0 || max.fract() != 0.0) {
        return Err(ParamError::Fraction { name, range });
    }
    let start = if whole { options.int(&name) as f64 } else { options.float(&name) };
    started(TunedParam { name, start, min, max, step, whole })
}

/// The option and the place, from 1, that a name such as `weights.3` means.
fn element<'n>(entry: &Entry, name: &'n str) -> Option<(&'n str, usize)> {
    let (option, place) = split(name)?;
    let is_list = |spec: &OptionSpec| spec.name == option && spec.kind == Kind::Numbers;
    entry.options.iter().any(is_list).then_some((option, place))
}

fn split(name: &str) -> Option<(&str, usize)> {
    let (option, place) = name.split_once('.')?;
    Some((option, place.parse().ok().filter(|&place| place > 0)?))
}

fn element_param(
    options: &Options,
    (name, option, place): (&str, &str, usize),
    given: Option<Range>,
    syntax: &dyn Fn() -> ParamError,
) -> Result<TunedParam, ParamError> {
    let text = options.text(option);
    let start = text.split(';').nth(place - 1).and_then(|number| number.trim().parse().ok());
    let name = name.to_string();
    let Some(start) = start.filter(|start: &f64| start.is_finite()) else {
        return Err(ParamError::List { name, option: option.to_string(), place, found: text.to_string() });
    };
    // The agent declares no range for the numbers of a list.
    let (min, max, step) = given.ok_or_else(syntax)?;
    let step = checked_step((min, max, step), syntax)?;
    started(TunedParam { name, start, min, max, step, whole: false })
}

/// The step of a range, a twentieth of it if none was given.
fn checked_step((min, max, step): Range, syntax: &dyn Fn() -> ParamError) -> Result<f64, ParamError> {
    let step = step.unwrap_or((max - min) / 20.0);
    let is_range = min < max && (max - min).is_finite() && step > 0.0 && step <= max - min;
    if is_range { Ok(step) } else { Err(syntax()) }
}

fn started(param: TunedParam) -> Result<TunedParam, ParamError> {
    let TunedParam { ref name, start, min, max, .. } = param;
    if (min..=max).contains(&start) {
        return Ok(param);
    }
    Err(ParamError::Start { name: name.clone(), range: format!("{min} to {max}"), start })
}

/// The step of the engine's own table, else a twentieth of the range.
fn default_step(option: &OptionSpec, width: f64) -> f64 {
    let row = Params::ALL.iter().find(|row| option.is_hidden && row.name == option.name);
    row.map_or(width / 20.0, |row| f64::from(row.step))
}

impl TunedParam {
    /// A value as the agent gets it: within the range, and a whole number if it must be one, rounded up for as many
    /// chances in [0, 1) as it has a fraction.
    pub(crate) fn playable(&self, value: f64, chance: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        // A chance next to one can round the sum up to the next whole number.
        if self.whole { (value + chance).floor().min(self.max) } else { value }
    }

    /// The value nearest to what was found, as text in a spec.
    pub fn text(&self, value: f64) -> String {
        if self.whole {
            return format!("{}", value.round() + 0.0);
        }
        // A thousandth of a step is far below what games can tell.
        let digits = (3.0 - self.step.log10()).ceil().clamp(0.0, 12.0) as usize;
        let text = format!("{value:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    }
}

/// The lines of the engine's table with these values, for those that are the engine's.
pub fn table_lines(spec: &str, params: &[TunedParam], values: &[f64]) -> Vec<String> {
    let is_hidden = |name: &str| {
        let entry = sumito_agents::resolve(spec).map(|(entry, _)| entry);
        entry.is_ok_and(|entry| entry.options.iter().any(|option| option.is_hidden && option.name == name))
    };
    let line = |(param, value): (&TunedParam, &f64)| {
        let row = Params::ALL.iter().find(|row| row.name == param.name && is_hidden(row.name))?;
        Some(format!("{} = {}, {}..{}, {};", row.name, param.text(*value), row.min, row.max, row.step))
    };
    params.iter().zip(values).filter_map(line).collect()
}

/// An agent's spec with these values, in place of those that it sets already.
pub fn spec_with(spec: &str, params: &[TunedParam], values: &[f64]) -> String {
    let spec: AgentSpec = spec.parse().expect("the parameters were read from it");
    let own = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
    let mut all: Vec<(String, String)> = spec.options().map(own).collect();
    // Numbers come last, in the order of the parameters; a list stays where the spec has it.
    let is_number = |name: &str| params.iter().any(|param| param.name == name);
    all.retain(|(name, _)| !is_number(name));
    for (param, &value) in params.iter().zip(values) {
        let text = param.text(value);
        let list = split(&param.name)
            .and_then(|(option, place)| Some((all.iter_mut().find(|(name, _)| name == option)?, place)));
        match list {
            Some(((_, list), place)) => *list = replaced(list, place, &text),
            None => all.push((param.name.clone(), text)),
        }
    }
    all.iter().fold(spec.bare(), |spec, (name, value)| spec.with(name, value)).to_string()
}

/// A list with another text at a place, from 1.
fn replaced(list: &str, place: usize, text: &str) -> String {
    let numbers = (1..).zip(list.split(';')).map(|(at, number)| if at == place { text } else { number });
    numbers.collect::<Vec<&str>>().join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(spec: &str, text: &str) -> Result<TunedParam, ParamError> {
        tunables(spec, &[text.to_string()]).map(|mut params| params.remove(0))
    }

    #[test]
    fn an_option_comes_with_its_own_range_and_the_tables_step() {
        let row = Params::ALL.iter().find(|row| row.name == "rfp_margin").expect("a row");
        let param = one("sumito", "rfp_margin").expect("a parameter");
        let expected = [row.default, row.min, row.max, row.step].map(f64::from);
        assert_eq!([param.start, param.min, param.max, param.step], expected);
        assert!(param.whole);
    }

    #[test]
    fn the_spec_says_where_to_start_and_the_text_how_far_to_go() {
        let param = one("bcit:factor=1.2", "factor:0.5:3:0.1").expect("a parameter");
        let expected = TunedParam {
            name: "factor".to_string(),
            start: 1.2,
            min: 0.5,
            max: 3.0,
            step: 0.1,
            whole: false,
        };
        assert_eq!(param, expected);
    }

    #[test]
    fn what_cannot_be_tuned_is_refused_with_the_reason() {
        let refusal = |spec, text| one(spec, text).expect_err("refused").to_string();
        assert!(refusal("sumito", "rfp_margn").contains("did you mean rfp_margin"));
        assert!(refusal("ugi:x", "Hash").contains("agent ugi has no numeric option 'Hash' (it has none"));
        assert!(refusal("bcit", "heuristic").contains("no numeric option 'heuristic'"));
        assert!(refusal("bcit", "factor:0:3:0.1").contains("expected a start within 0 to 3, found -1"));
        assert!(refusal("sumito", "rfp_margin:0:300:5").contains("expected a range within 10 to 200"));
        assert!(
            refusal("sumito", "rfp_margin:20.5:90:5").contains("between whole numbers, found 20.5 to 90")
        );
        for text in ["rfp_margin:10:20", "rfp_margin:a:b:c", "rfp_margin:90:20:1", "rfp_margin:20:90:0"] {
            assert!(refusal("sumito", text).contains("expected NAME or NAME:min:max:step"), "{text}");
        }
        assert!(refusal("sumitto", "x").contains("unknown agent"));
        let twice = ["window", "window:5:50:3"].map(str::to_string);
        assert_eq!(tunables("sumito", &twice), Err(ParamError::Twice("window".to_string())));
    }

    #[test]
    fn the_engine_declares_its_whole_table_for_tuning_and_others_nothing() {
        let table: Vec<&str> = Params::ALL.iter().map(|row| row.name).collect();
        assert_eq!(declared("sumito:hash=4"), Ok(table.iter().map(ToString::to_string).collect()));
        assert_eq!(declared("bcit"), Err(ParamError::NoneHidden("bcit")));
    }

    #[test]
    fn values_replace_those_of_the_spec_and_build_the_agent() {
        let texts = ["factor:0.5:3:0.1", "bonus:0:20:1"].map(str::to_string);
        let params = tunables("bcit:depth=2,factor=1.2,bonus=3", &texts).expect("parameters");
        let spec = spec_with("bcit:depth=2,factor=1.2,bonus=3", &params, &[1.251_04, 6.6]);
        assert_eq!(spec, "bcit:depth=2,factor=1.251,bonus=7");
        assert!(sumito_agents::build(&spec).is_ok());
        assert_eq!(spec_with("bcit", &params[..1], &[2.0]), "bcit:factor=2");
    }

    #[test]
    fn whole_numbers_are_rounded_by_chance_and_never_leave_the_range() {
        let param = one("sumito", "rfp_depth").expect("a parameter");
        assert_eq!([0.0, 0.7, 0.8].map(|chance| param.playable(5.25, chance)), [5.0, 5.0, 6.0]);
        assert_eq!(param.playable(99.0, 0.999), param.max);
        assert_eq!(param.playable(-99.0, 0.0), param.min);
    }

    #[test]
    fn a_number_of_a_list_is_tuned_at_its_place() {
        let spec = "maastricht:weights=3;2;6;1.8;35;1750,depth=2";
        let texts = ["weights.6:0:3000", "weights.1:-1:5"].map(str::to_string);
        let params = ranged(spec, &texts).expect("parameters");
        assert_eq!((params[0].start, params[1].start, params[1].step), (1750.0, 3.0, 0.3));
        let found = spec_with(spec, &params, &[20.5, 1.25]);
        assert_eq!(found, "maastricht:weights=1.25;2;6;1.8;35;20.5,depth=2");
        assert!(sumito_agents::build(&found).is_ok());
    }

    #[test]
    fn a_place_that_is_not_in_the_list_and_a_list_without_a_range_are_refused() {
        let refusal = |spec, text: &str| ranged(spec, &[text.to_string()]).expect_err("refused").to_string();
        let list = "maastricht:weights=3;2;6;1.8;35;1750";
        assert!(refusal(list, "weights.7:0:1").contains("at least 7 numbers and semicolons"));
        assert!(refusal("maastricht", "weights.1:0:1").contains("expected weights=... in the agent's spec"));
        assert!(refusal(list, "weights.1").contains("expected NAME or NAME:MIN:MAX"));
        assert!(refusal(list, "weights.1:0:inf").contains("expected NAME or NAME:MIN:MAX"));
        assert!(refusal(list, "weights.1:4:5").contains("expected a start within 4 to 5, found 3"));
        assert!(refusal(list, "weights.0:4:5").contains("no numeric option 'weights.0'"));
    }

    #[test]
    fn a_line_of_the_table_has_the_new_value_and_the_old_range() {
        let params = [one("sumito", "rfp_margin:20:90:5").expect("a parameter")];
        assert_eq!(table_lines("sumito", &params, &[72.4]), ["rfp_margin = 72, 10..200, 10;"]);
        assert_eq!(table_lines("bcit", &params, &[72.4]), [""; 0]);
    }
}

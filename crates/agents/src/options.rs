//! An agent's options: declared once, with name, default, range and a line of help; read from a spec string.

use std::fmt;
use std::time::Duration;

use sumito_rules::{near_misses, suggestion};

/// The declaration of one option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// The name in a spec string.
    pub name: &'static str,
    /// The name in the protocol, where others have settled on one.
    pub label: &'static str,
    /// What it may be, and what it is when not given.
    pub kind: Kind,
    /// One line for `sumito agents`.
    pub help: &'static str,
    /// Whether it is shown only to those who ask for everything.
    pub is_hidden: bool,
}

impl OptionSpec {
    /// The same option with another name in the protocol.
    pub const fn labelled(self, label: &'static str) -> OptionSpec {
        OptionSpec { label, ..self }
    }

    /// Whether it goes by this name, in small letters or capitals.
    pub fn is_called(&self, name: &str) -> bool {
        [self.name, self.label].iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// The same option, shown only to those who ask for everything.
    pub const fn hidden(self) -> OptionSpec {
        OptionSpec { is_hidden: true, ..self }
    }
}

/// What an option may be, and its default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number within a range.
    Int {
        /// When not given.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// A number within a range.
    Float {
        /// When not given.
        default: f64,
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
    /// `on` or `off`.
    Flag(bool),
    /// One of a few words; the first is the default.
    Choice(&'static [&'static str]),
    /// A time such as `10s` or `500ms`; none when not given.
    Time,
    /// Any text, such as a file's name; empty when not given.
    Text,
}

const fn declare(name: &'static str, kind: Kind, help: &'static str) -> OptionSpec {
    OptionSpec { name, label: name, kind, help, is_hidden: false }
}

/// Declares an option: a whole number with default and range.
pub const fn int(name: &'static str, default: i64, (min, max): (i64, i64), help: &'static str) -> OptionSpec {
    declare(name, Kind::Int { default, min, max }, help)
}

/// Declares an option: a number with default and range.
pub const fn float(
    name: &'static str,
    default: f64,
    (min, max): (f64, f64),
    help: &'static str,
) -> OptionSpec {
    declare(name, Kind::Float { default, min, max }, help)
}

/// Declares an option: `on` or `off`.
pub const fn flag(name: &'static str, default: bool, help: &'static str) -> OptionSpec {
    declare(name, Kind::Flag(default), help)
}

/// Declares an option: one of a few words, the first of them by default.
pub const fn choice(name: &'static str, words: &'static [&'static str], help: &'static str) -> OptionSpec {
    declare(name, Kind::Choice(words), help)
}

/// Declares an option: a time, none by default.
pub const fn time(name: &'static str, help: &'static str) -> OptionSpec {
    declare(name, Kind::Time, help)
}

/// Declares an option: a text, empty by default.
pub const fn text(name: &'static str, help: &'static str) -> OptionSpec {
    declare(name, Kind::Text, help)
}

impl Kind {
    /// What a value must be, for help and errors.
    pub fn expected(&self) -> String {
        match self {
            Kind::Int { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Float { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Flag(_) => "on or off".to_string(),
            Kind::Choice(words) => words.join(" or "),
            Kind::Time => "a time such as 10s or 500ms".to_string(),
            Kind::Text => "a text".to_string(),
        }
    }

    /// The default as a spec string would say it.
    pub fn default_text(&self) -> String {
        match self {
            Kind::Int { default, .. } => default.to_string(),
            Kind::Float { default, .. } => default.to_string(),
            Kind::Flag(default) => if *default { "on" } else { "off" }.to_string(),
            Kind::Choice(words) => words.first().copied().unwrap_or_default().to_string(),
            Kind::Time | Kind::Text => String::new(),
        }
    }

    fn accepts(&self, value: &str) -> bool {
        match self {
            Kind::Int { min, max, .. } => value.parse().is_ok_and(|n: i64| (*min..=*max).contains(&n)),
            Kind::Float { min, max, .. } => value.parse().is_ok_and(|x: f64| (*min..=*max).contains(&x)),
            Kind::Flag(_) => matches!(value, "on" | "off"),
            Kind::Choice(words) => words.contains(&value),
            Kind::Time => parse_time(value).is_some(),
            Kind::Text => true,
        }
    }
}

/// The longest time that an option or a limit may be, 100 days: sums of times stay far from overflow.
const LONGEST: Duration = Duration::from_secs(100 * 24 * 3600);

/// Reads `10s`, `1.5s`, `500ms`, `2m`, `1h`, or a bare number of milliseconds; no more than 100 days.
pub fn parse_time(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" | "" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = digits.parse::<f64>().ok()? * unit;
    Duration::try_from_secs_f64(seconds).ok().filter(|&time| time <= LONGEST)
}

/// The values of an agent's options: checked, and complete by their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    values: Vec<(OptionSpec, String)>,
}

impl Options {
    /// All defaults.
    pub fn defaults(specs: &[OptionSpec]) -> Options {
        Options { values: specs.iter().map(|spec| (*spec, spec.kind.default_text())).collect() }
    }

    /// Sets an option, or says what is wrong with its name or value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let known = self.known(name);
        let Some((spec, slot)) = self.values.iter_mut().find(|(spec, _)| spec.name == name) else {
            return Err(OptionError::Unknown { name: name.to_string(), known });
        };
        if !spec.kind.accepts(value) {
            return Err(OptionError::Value {
                name: name.to_string(),
                expected: spec.kind.expected(),
                found: value.to_string(),
            });
        }
        *slot = value.to_string();
        Ok(())
    }

    /// The names to tell someone who asks for one that does not exist: a hidden one only if it is much like it.
    fn known(&self, name: &str) -> Vec<&'static str> {
        let names = |hidden| {
            let specs = self.values.iter().map(|(spec, _)| spec);
            specs.filter(move |spec| hidden || !spec.is_hidden).map(|spec| spec.name)
        };
        match near_misses(name, names(true)) {
            near if near.is_empty() => names(false).collect(),
            near => near,
        }
    }

    /// The names of the options that have another value there.
    pub fn changes<'a>(&'a self, other: &'a Options) -> impl Iterator<Item = &'static str> {
        let pairs = self.values.iter().zip(&other.values);
        pairs.filter(|(ours, theirs)| ours != theirs).map(|((spec, _), _)| spec.name)
    }

    fn value(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(spec, _)| spec.name == name);
        &found.unwrap_or_else(|| panic!("the agent declares no option '{name}'")).1
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> i64 {
        self.value(name).parse().expect("checked when set")
    }

    /// A number.
    pub fn float(&self, name: &str) -> f64 {
        self.value(name).parse().expect("checked when set")
    }

    /// `on` or `off`.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == "on"
    }

    /// A word or a text.
    pub fn text(&self, name: &str) -> &str {
        self.value(name)
    }

    /// A time, if one was given.
    pub fn time(&self, name: &str) -> Option<Duration> {
        parse_time(self.value(name))
    }
}

/// What is wrong with an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The value does not fit.
    Value {
        /// The option's name.
        name: String,
        /// What fits.
        expected: String,
        /// The value.
        found: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { name, known } => {
                write!(f, "unknown option '{name}' ({})", suggestion(name, known))
            }
            OptionError::Value { name, expected, found } => {
                write!(f, "option '{name}': expected {expected}, found '{found}'")
            }
        }
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_or_are_milliseconds() {
        let ms = |text| parse_time(text).map(|time| time.as_millis());
        let read = ["500", "500ms", "1.5s", "2m", "1h"].map(ms);
        assert_eq!(read, [500, 500, 1500, 120_000, 3_600_000].map(Some));
    }

    #[test]
    fn what_is_no_time_or_too_long_is_refused() {
        for text in ["", "s", "fast", "-1s", "1 s", "1d", "nans", "infs", "1e300s", "1e19s", "2401h"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
        assert_eq!(parse_time("2400h"), Some(LONGEST));
    }

    #[test]
    fn each_kind_takes_what_fits_and_refuses_the_rest() {
        let specs = [
            int("int", 4, (1, 9), ""),
            float("float", 0.5, (0.0, 1.0), ""),
            flag("flag", true, ""),
            choice("choice", &["a", "b"], ""),
            time("time", ""),
        ];
        let mut options = Options::defaults(&specs);
        for (name, good, bad) in [
            ("int", "9", "10"),
            ("float", "1", "NaN"),
            ("flag", "off", "no"),
            ("choice", "b", "c"),
            ("time", "2s", "2x"),
        ] {
            assert_eq!(options.set(name, good), Ok(()));
            assert!(matches!(options.set(name, bad), Err(OptionError::Value { .. })), "{name}={bad}");
        }
        assert_eq!((options.int("int"), options.float("float"), options.flag("flag")), (9, 1.0, false));
        assert_eq!((options.text("choice"), options.time("time")), ("b", Some(Duration::from_secs(2))));
    }

    #[test]
    fn hidden_options_are_told_only_to_those_who_nearly_name_one() {
        let mut options =
            Options::defaults(&[int("depth", 4, (1, 9), ""), flag("margin", true, "").hidden()]);
        let mut told = |name| options.set(name, "1").expect_err("unknown").to_string();
        assert_eq!(told("xyzzy"), "unknown option 'xyzzy' (expected one of depth)");
        assert_eq!(told("margins"), "unknown option 'margins' (did you mean margin)");
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let options = Options::defaults(&[int("int", 4, (1, 9), ""), time("time", ""), text("text", "")]);
        assert_eq!((options.int("int"), options.time("time"), options.text("text")), (4, None, ""));
    }
}

//! An agent's options: declared once, with name, default, range and a line of help; read from a spec string.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::kind::parse_range;
pub use crate::kind::{Access, Kind, parse_time};
use crate::spelling::{near_misses, suggestion};

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

/// Declares an option: numbers with semicolons between them, none by default.
pub const fn numbers(name: &'static str, help: &'static str) -> OptionSpec {
    declare(name, Kind::Numbers, help)
}

/// Declares an option: a range of places from 1, none by default.
pub const fn range(name: &'static str, last: u32, help: &'static str) -> OptionSpec {
    declare(name, Kind::Range { last }, help)
}

/// Declares an option: a file, or one of a few words in its place; none by default.
pub const fn file(name: &'static str, words: &'static [&'static str], help: &'static str) -> OptionSpec {
    declare(name, Kind::File(words), help)
}

/// Declares an option: memory, with default and range, and the most for one of many who share a machine.
pub const fn memory(
    name: &'static str,
    default: i64,
    (min, max): (i64, i64),
    share: i64,
    help: &'static str,
) -> OptionSpec {
    declare(name, Kind::Memory { default, min, max, share }, help)
}

/// Declares an option: threads, one by default.
pub const fn threads(max: i64, help: &'static str) -> OptionSpec {
    declare("threads", Kind::Threads { default: 1, max }, help)
}

/// Declares an option: how many lines are told, one by default.
pub const fn lines(name: &'static str, max: i64, help: &'static str) -> OptionSpec {
    declare(name, Kind::Lines { max }, help)
}

/// Declares an option: the command of a process.
pub const fn process(name: &'static str, help: &'static str) -> OptionSpec {
    declare(name, Kind::Process, help)
}

/// Declares an option: any text, empty by default. Say more if you can: nobody but the owner of the machine may set one.
pub const fn text(name: &'static str, help: &'static str) -> OptionSpec {
    declare(name, Kind::Text, help)
}

/// The values of an agent's options: checked, and complete by their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    values: Vec<Setting>,
}

/// An option and what it is set to.
#[derive(Clone, Debug, PartialEq)]
struct Setting {
    spec: OptionSpec,
    value: String,
    is_given: bool,
}

impl Options {
    /// All defaults.
    pub fn defaults(specs: &[OptionSpec]) -> Options {
        let unset =
            |spec: &OptionSpec| Setting { spec: *spec, value: spec.kind.default_text(), is_given: false };
        Options { values: specs.iter().map(unset).collect() }
    }

    /// Sets an option, or says what is wrong with its name or value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let Some(at) = self.values.iter().position(|setting| setting.spec.name == name) else {
            return Err(self.unknown(name));
        };
        let setting = &mut self.values[at];
        let kind = setting.spec.kind;
        if !kind.accepts(value) {
            return Err(OptionError::Value {
                name: name.to_string(),
                expected: kind.expected(),
                found: value.to_string(),
            });
        }
        (setting.value, setting.is_given) = (value.to_string(), true);
        Ok(())
    }

    /// The error for a name that does not exist. A hidden option is told only to who nearly names it.
    pub(crate) fn unknown(&self, name: &str) -> OptionError {
        let names = |hidden| {
            let specs = self.values.iter().map(|setting| &setting.spec);
            specs.filter(move |spec| hidden || !spec.is_hidden).map(|spec| spec.name)
        };
        let known = match near_misses(name, names(true)) {
            near if near.is_empty() => names(false).collect(),
            near => near,
        };
        OptionError::Unknown { name: name.to_string(), known }
    }

    /// The names of the options that have another value there.
    pub fn changes<'a>(&'a self, other: &'a Options) -> impl Iterator<Item = &'static str> {
        let pairs = self.values.iter().zip(&other.values);
        pairs.filter(|(ours, theirs)| ours.value != theirs.value).map(|(ours, _)| ours.spec.name)
    }

    /// The options that were set, with their values.
    pub fn given(&self) -> impl Iterator<Item = (&OptionSpec, &str)> {
        self.values.iter().filter(|setting| setting.is_given).map(|setting| (&setting.spec, &*setting.value))
    }

    fn setting(&self, name: &str) -> &Setting {
        let found = self.values.iter().find(|setting| setting.spec.name == name);
        found.unwrap_or_else(|| panic!("the agent declares no option '{name}'"))
    }

    fn value(&self, name: &str) -> &str {
        &self.setting(name).value
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

    /// A range of places, if one was given.
    pub(crate) fn range(&self, name: &str) -> Option<RangeInclusive<u32>> {
        parse_range(self.value(name))
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
    fn values_are_read_as_their_kind_says() {
        let specs = [
            int("int", 4, (1, 9), ""),
            float("float", 0.5, (0.0, 1.0), ""),
            flag("flag", true, ""),
            choice("choice", &["a", "b"], ""),
            time("time", ""),
            range("range", 9, ""),
        ];
        let mut options = Options::defaults(&specs);
        for (name, value) in
            [("int", "9"), ("float", "1"), ("flag", "off"), ("choice", "b"), ("time", "2s"), ("range", "2-3")]
        {
            assert_eq!(options.set(name, value), Ok(()));
        }
        assert!(matches!(options.set("int", "10"), Err(OptionError::Value { .. })));
        assert_eq!((options.int("int"), options.float("float"), options.flag("flag")), (9, 1.0, false));
        assert_eq!((options.text("choice"), options.time("time")), ("b", Some(Duration::from_secs(2))));
        assert_eq!(options.range("range"), Some(2..=3));
    }

    #[test]
    fn an_option_set_to_its_default_is_given_all_the_same() {
        let mut options = Options::defaults(&[int("int", 4, (1, 9), ""), flag("flag", true, "")]);
        options.set("int", "4").expect("a value");
        let given: Vec<(&str, &str)> = options.given().map(|(spec, value)| (spec.name, value)).collect();
        assert_eq!(given, [("int", "4")]);
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

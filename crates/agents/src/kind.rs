//! What an option is: a number, a word, a time, a file, memory, ... Its values, its default, and who may set it follow
//! from that.

use std::ops::RangeInclusive;
use std::time::Duration;

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
    /// Any number of numbers with semicolons between them; none when not given.
    Numbers,
    /// `off`, a place such as `3`, or places such as `1-2`, up to the last; none when not given.
    Range {
        /// The last place.
        last: u32,
    },
    /// `on` or `off`.
    Flag(bool),
    /// One of a few words; the first is the default.
    Choice(&'static [&'static str]),
    /// A time such as `10s` or `500ms`; none when not given.
    Time,
    /// A file's name, or one of a few words in its place; none when not given.
    File(&'static [&'static str]),
    /// Memory, as a whole number in the agent's own unit.
    Memory {
        /// When not given.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
        /// The most for one of many who share a machine.
        share: i64,
    },
    /// Threads, from one.
    Threads {
        /// When not given.
        default: i64,
        /// The most.
        max: i64,
    },
    /// How many of the best lines are told, from one.
    Lines {
        /// The most.
        max: i64,
    },
    /// The command of a process.
    Process,
    /// Any text; empty when not given.
    Text,
}

/// Who may set an option to what, other than the owner of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody, to whatever fits.
    Open,
    /// Everybody, up to so much.
    UpTo(i64),
    /// Everybody, to one of these words.
    Words(&'static [&'static str]),
    /// Nobody.
    Closed,
}

/// The most lines for one of many who share a machine.
const SHARED_LINES: i64 = 10;

impl Kind {
    /// What somebody may set who is not the owner of the machine, such as a visitor of a web page. Every kind is
    /// named: a new one is open to nobody until it is said to be.
    pub const fn access(&self) -> Access {
        match *self {
            Kind::Int { .. }
            | Kind::Float { .. }
            | Kind::Numbers
            | Kind::Range { .. }
            | Kind::Flag(_)
            | Kind::Choice(_)
            | Kind::Time => Access::Open,
            Kind::Memory { share, .. } => Access::UpTo(share),
            Kind::Threads { .. } => Access::UpTo(1),
            Kind::Lines { .. } => Access::UpTo(SHARED_LINES),
            Kind::File(words) => Access::Words(words),
            Kind::Process | Kind::Text => Access::Closed,
        }
    }

    /// The range of a whole number, whatever it stands for.
    pub fn whole(&self) -> Option<RangeInclusive<i64>> {
        match *self {
            Kind::Int { min, max, .. } | Kind::Memory { min, max, .. } => Some(min..=max),
            Kind::Threads { max, .. } | Kind::Lines { max } => Some(1..=max),
            _ => None,
        }
    }

    /// The word for it in lists for programs: how a value is written, not what it stands for.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Int { .. } | Kind::Memory { .. } | Kind::Threads { .. } | Kind::Lines { .. } => "int",
            Kind::Float { .. } => "float",
            Kind::Flag(_) => "flag",
            Kind::Choice(_) => "choice",
            Kind::Time => "time",
            Kind::Numbers | Kind::Range { .. } | Kind::File(_) | Kind::Process | Kind::Text => "text",
        }
    }

    /// What a value must be, for help and errors.
    pub fn expected(&self) -> String {
        if let Some(range) = self.whole() {
            return format!("a whole number from {} to {}", range.start(), range.end());
        }
        match self {
            Kind::Float { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Numbers => "numbers with semicolons between them".to_string(),
            Kind::Range { last } => format!("off, or a range such as 1-2, up to {last}"),
            Kind::Flag(_) => "on or off".to_string(),
            Kind::Choice(words) => words.join(" or "),
            Kind::Time => "a time such as 10s or 500ms".to_string(),
            Kind::File(words) => {
                words.iter().map(|word| format!("{word} or ")).collect::<String>() + "a file"
            }
            Kind::Process => "a command".to_string(),
            _ => "a text".to_string(),
        }
    }

    /// The default as a spec string would say it.
    pub fn default_text(&self) -> String {
        match self {
            Kind::Int { default, .. } | Kind::Memory { default, .. } | Kind::Threads { default, .. } => {
                default.to_string()
            }
            Kind::Lines { .. } => "1".to_string(),
            Kind::Float { default, .. } => default.to_string(),
            Kind::Flag(default) => if *default { "on" } else { "off" }.to_string(),
            Kind::Choice(words) => words.first().copied().unwrap_or_default().to_string(),
            Kind::Numbers | Kind::Range { .. } | Kind::Time | Kind::File(_) | Kind::Process | Kind::Text => {
                String::new()
            }
        }
    }

    pub(crate) fn accepts(&self, value: &str) -> bool {
        if let Some(range) = self.whole() {
            return value.parse().is_ok_and(|n: i64| range.contains(&n));
        }
        match self {
            Kind::Float { min, max, .. } => value.parse().is_ok_and(|x: f64| (*min..=*max).contains(&x)),
            Kind::Numbers => value.split(';').all(|word| word.trim().parse().is_ok_and(f64::is_finite)),
            Kind::Range { last } => parse_range(value).is_some_and(|range| range.end() <= last),
            Kind::Flag(_) => matches!(value, "on" | "off"),
            Kind::Choice(words) => words.contains(&value),
            Kind::Time => parse_time(value).is_some(),
            _ => true,
        }
    }
}

/// No place at all.
const NO_PLACES: RangeInclusive<u32> = RangeInclusive::new(1, 0);

/// Reads `off`, `3` or `1-2`: places from 1, none for `off`.
pub(crate) fn parse_range(text: &str) -> Option<RangeInclusive<u32>> {
    if text == "off" {
        return Some(NO_PLACES);
    }
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (1 <= first && first <= last).then_some(first..=last)
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
    fn a_range_begins_at_one_and_does_not_run_backwards() {
        assert_eq!(["off", "3", "1-2"].map(parse_range), [Some(NO_PLACES), Some(3..=3), Some(1..=2)]);
        for text in ["", "0", "0-3", "3-2", "1-", "-1", "1-2-3", "a"] {
            assert_eq!(parse_range(text), None, "{text}");
        }
    }

    #[test]
    fn each_kind_takes_what_fits_and_refuses_the_rest() {
        let (min, max) = (1, 9);
        for (kind, good, bad) in [
            (Kind::Int { default: 4, min, max }, "9", "10"),
            (Kind::Memory { default: 4, min, max, share: 2 }, "9", "0"),
            (Kind::Threads { default: 1, max }, "1", "0"),
            (Kind::Lines { max }, "9", "1.5"),
            (Kind::Float { default: 0.5, min: 0.0, max: 1.0 }, "1", "NaN"),
            (Kind::Numbers, "1; -2.5;3e2", "1;x"),
            (Kind::Range { last: 9 }, "1-9", "1-10"),
            (Kind::Flag(true), "off", "no"),
            (Kind::Choice(&["a", "b"]), "b", "c"),
            (Kind::Time, "2s", "2x"),
        ] {
            assert!(kind.accepts(good) && !kind.accepts(bad), "{kind:?}");
            let default = kind.default_text();
            assert!(default.is_empty() || kind.accepts(&default), "{kind:?}");
        }
    }

    #[test]
    fn files_processes_and_free_text_are_closed_to_guests() {
        assert_eq!([Kind::Process, Kind::Text].map(|kind| kind.access()), [Access::Closed; 2]);
        assert_eq!(Kind::File(&["hand"]).access(), Access::Words(&["hand"]));
    }
}

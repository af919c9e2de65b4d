//! What was measured, by name: `heuristic.opening.branching`, `depth-3.score`. Reports, checks and texts all read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::quoted;
use crate::stats::{WdlCount, Z95};

/// A measured number with its 95 % interval. What was counted once and for all has none: both ends are the number.
///
/// In files it is a list: the number, then both ends of the interval where there is one; `null` for an end that is not
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Option<f64>>", into = "Vec<Option<f64>>")]
pub struct MeasuredValue {
    /// The number.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl MeasuredValue {
    /// A number without an interval.
    pub fn exact(value: f64) -> MeasuredValue {
        MeasuredValue { value, low: value, high: value }
    }

    /// The part of the points that games brought, in percent, with Wilson's interval, which does not collapse when
    /// every game was won.
    pub fn score(games: WdlCount) -> MeasuredValue {
        MeasuredValue::share(games.points(), games.games() as f64)
    }

    /// A part of a whole in percent, with Wilson's interval.
    pub fn share(part: f64, whole: f64) -> MeasuredValue {
        if whole == 0.0 {
            return MeasuredValue { value: 50.0, low: 0.0, high: 100.0 };
        }
        let (p, z2) = (part / whole, Z95 * Z95);
        let middle = (p + z2 / (2.0 * whole)) / (1.0 + z2 / whole);
        let half = Z95 * (p * (1.0 - p) / whole + z2 / (4.0 * whole * whole)).sqrt() / (1.0 + z2 / whole);
        MeasuredValue {
            value: 100.0 * p,
            low: 100.0 * (middle - half).clamp(0.0, p),
            high: 100.0 * (middle + half).clamp(p, 1.0),
        }
    }

    /// The mean of a sample, with the normal interval. One number alone says nothing about how far off it is: its interval
    /// is everything.
    pub fn mean(sample: &[f64]) -> Option<MeasuredValue> {
        let count = sample.len() as f64;
        if sample.is_empty() {
            return None;
        }
        let mean = sample.iter().sum::<f64>() / count;
        if sample.len() == 1 {
            return Some(MeasuredValue { value: mean, low: f64::NEG_INFINITY, high: f64::INFINITY });
        }
        let spread = sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let half = Z95 * (spread / count).sqrt();
        Some(MeasuredValue { value: mean, low: mean - half, high: mean + half })
    }

    /// Half of the interval, the wider side.
    pub fn error(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }

    /// The number with so many digits after the point, and its error where it has one.
    pub fn text(&self, digits: usize) -> String {
        let text = number(self.value, digits);
        match self.error() {
            0.0 => text,
            f64::INFINITY => format!("{text} ± ∞"),
            error => format!("{text} ± {}", number(error, digits)),
        }
    }
}

impl MeasuredValue {
    /// The number with the ends of its interval, where it has one: `61.0 (52.3 to 69.1)`.
    pub fn range(&self) -> String {
        let [value, low, high] = [self.value, self.low, self.high]
            .map(|end| if end.is_finite() { number(end, digits(self.value)) } else { "∞".to_string() });
        match self.error() {
            0.0 => value,
            f64::INFINITY => format!("{value} ± ∞"),
            _ => format!("{value} ({low} to {high})"),
        }
    }
}

impl From<MeasuredValue> for Vec<Option<f64>> {
    fn from(MeasuredValue { value, low, high }: MeasuredValue) -> Vec<Option<f64>> {
        let known = |end: f64| Some(end).filter(|end| end.is_finite());
        if [low, high] == [value; 2] { vec![Some(value)] } else { vec![Some(value), known(low), known(high)] }
    }
}

impl TryFrom<Vec<Option<f64>>> for MeasuredValue {
    type Error = String;

    fn try_from(list: Vec<Option<f64>>) -> Result<MeasuredValue, String> {
        match list[..] {
            [Some(value)] => Ok(MeasuredValue::exact(value)),
            [Some(value), low, high] => Ok(MeasuredValue {
                value,
                low: low.unwrap_or(f64::NEG_INFINITY),
                high: high.unwrap_or(f64::INFINITY),
            }),
            _ => Err(format!("expected a number, or a number and the ends of its interval, found {list:?}")),
        }
    }
}

/// A number to nine digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.8e}").parse().unwrap_or(number)
}

/// A number for people: so many digits after the point, and commas between the thousands.
pub(super) fn number(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    let is_zero = out.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if value < 0.0 && !is_zero { format!("-{out}") } else { out }
}

/// The digits after the point that leave about three in all.
pub(super) fn digits(value: f64) -> usize {
    match value.abs() {
        x if x >= 100.0 || x == 0.0 => 0,
        x if x >= 10.0 => 1,
        x if x >= 1.0 => 2,
        x if x >= 0.1 => 3,
        _ => 4,
    }
}

/// All values of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, MeasuredValue>);

impl Values {
    /// Adds a value, to nine digits: more say nothing about a measurement.
    pub fn set(&mut self, key: impl Into<String>, MeasuredValue { value, low, high }: MeasuredValue) {
        let [value, low, high] = [value, low, high].map(rounded);
        self.0.insert(key.into(), MeasuredValue { value, low, high });
    }

    /// The value of this name: a measured one, or a number that a paper states (`quoted.KEY`).
    pub fn get(&self, key: &str) -> Option<MeasuredValue> {
        let quoted = || quoted::named(key)?.value.map(MeasuredValue::exact);
        self.0.get(key).copied().or_else(quoted)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, MeasuredValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), *value))
    }

    /// Adds all of the others.
    pub fn extend(&mut self, others: Values) {
        self.0.extend(others.0);
    }

    /// A text with every `{key}` and `{key:digits}` replaced by the value of this name; unknown ones by a dash. What is quoted
    /// stands there as the paper prints it.
    pub fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('{') {
            let Some((inside, after)) = tail.split_once('}') else { break };
            out.push_str(before);
            let (key, wanted) = inside.split_once(':').unwrap_or((inside, ""));
            let measured = || {
                self.get(key).map(|value| value.text(wanted.parse().unwrap_or_else(|_| digits(value.value))))
            };
            let quoted = quoted::named(key).map(|number| number.printed.clone());
            out.push_str(&quoted.or_else(measured).unwrap_or_else(|| "–".to_string()));
            rest = after;
        }
        out + rest
    }

    /// The names in a text's braces that no value has.
    pub fn missing(&self, text: &str) -> Vec<String> {
        let inside = text.split('{').skip(1).filter_map(|tail| tail.split_once('}')).map(|(key, _)| key);
        let keys = inside.map(|key| key.split(':').next().unwrap_or(key));
        let is_known = |key: &str| self.get(key).is_some() || quoted::named(key).is_some();
        keys.filter(|key| !is_known(key)).map(str::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_of_twenty_wins_is_not_certain() {
        let value = MeasuredValue::score(WdlCount::new(20, 0, 0));
        assert_eq!((value.value, value.high), (100.0, 100.0));
        // Wilson: n / (n + z^2).
        assert!((value.low - 100.0 * 20.0 / (20.0 + Z95 * Z95)).abs() < 1e-9, "{value:?}");
        let none = MeasuredValue::score(WdlCount::default());
        assert_eq!((none.low, none.high), (0.0, 100.0));
    }

    #[test]
    fn a_mean_has_the_normal_interval() {
        let value = MeasuredValue::mean(&[1.0, 3.0]).expect("two numbers");
        // Variance 2, error of the mean 1.
        assert_eq!(value.value, 2.0);
        assert!((value.error() - Z95).abs() < 1e-9, "{value:?}");
        assert_eq!(MeasuredValue::mean(&[]), None);
    }

    #[test]
    fn the_mean_of_a_single_number_is_not_certain() {
        let value = MeasuredValue::mean(&[7.0]).expect("a number");
        assert_eq!((value.value, value.low, value.high), (7.0, f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(value.text(1), "7.0 ± ∞");
        let text = serde_json::to_string(&value).expect("plain data");
        assert_eq!((text.as_str(), serde_json::from_str(&text).ok()), ("[7.0,null,null]", Some(value)));
    }

    #[test]
    fn numbers_are_written_for_people() {
        let found =
            [number(1_234_567.0, 0), number(999.4, 0), number(-1234.5, 1), number(-0.01, 1), number(0.5, 2)];
        assert_eq!(found, ["1,234,567", "999", "-1,234.5", "0.0", "0.50"]);
    }

    #[test]
    fn an_interval_is_told_by_its_ends() {
        let text = |value, low, high| MeasuredValue { value, low, high }.range();
        assert_eq!(text(61.0, 52.31, 69.1), "61.0 (52.3 to 69.1)");
        assert_eq!(text(1234.0, 1234.0, 1234.0), "1,234");
        assert_eq!(text(7.0, f64::NEG_INFINITY, f64::INFINITY), "7.00 ± ∞");
    }

    #[test]
    fn names_in_braces_become_numbers() {
        let mut values = Values::default();
        values.set("a.b", MeasuredValue::exact(12.345));
        assert_eq!(values.fill("x {a.b} and {a.b:2}, {c} {"), "x 12.3 and 12.35, – {");
        assert_eq!(values.missing("{a.b:1} {c:0} {d}"), ["c", "d"]);
        assert_eq!(values.fill("{quoted.aba-pro-minimax-opening} moves"), "60 moves");
    }
}

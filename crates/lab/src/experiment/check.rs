//! A comparison of values: whether it holds beyond the errors, with which threshold, and how many games would decide it.

use serde::{Deserialize, Serialize};

use super::quoted;
use super::values::{MeasuredValue, Values, digits, number};

/// A comparison of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimCheck {
    /// The value.
    pub value: String,
    /// It is above this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Operand>,
    /// It is below this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Operand>,
    /// It is this, give or take what `within` says: a number that a paper states and that ours shall be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Operand>,
    /// How far off `near` it may be on either side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// The other value is multiplied by this first.
    #[serde(default = "one")]
    pub times: f64,
    /// Then this is added to it.
    #[serde(default)]
    pub plus: f64,
}

fn one() -> f64 {
    1.0
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Operand {
    /// A number.
    Number(f64),
    /// Another value, by name.
    Value(String),
}

impl Operand {
    /// The name of the other value.
    pub(super) fn key(&self) -> Option<&str> {
        match self {
            Operand::Value(key) => Some(key),
            Operand::Number(_) => None,
        }
    }

    /// The number, with its error if it was measured.
    pub(super) fn measured(&self, values: &Values) -> Option<MeasuredValue> {
        match self {
            Operand::Number(number) => Some(MeasuredValue::exact(*number)),
            Operand::Value(key) => values.get(key),
        }
    }
}

/// A point of a paper's curve: each coordinate a number, or the name of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaperPoint(pub Operand, pub Operand);

impl PaperPoint {
    /// Where it is, if its names are known.
    pub(super) fn place(&self, values: &Values) -> Option<(f64, MeasuredValue)> {
        Some((self.0.measured(values)?.value, self.1.measured(values)?))
    }
}

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckFinding {
    /// The name of the value.
    pub value: String,
    /// What it must be, with the number that it was compared with: `above 50`, `below 0.5 x other (1,234)`.
    pub threshold: String,
    /// The value, if it was measured.
    pub ours: Option<MeasuredValue>,
    /// Whether it holds beyond the errors; neither if they leave it open.
    pub holds: Option<bool>,
    /// Whether the value itself, without its error, is where it must be.
    #[serde(skip)]
    pub(super) is_inside: bool,
    /// About how much would decide it, if it is open and how much there is, is known.
    pub needs: Option<Needed>,
}

/// How much would decide what is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Needed {
    /// So many.
    pub count: u64,
    /// Of what.
    pub of: Sample,
}

/// What an interval is taken over: more of these make it smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// The games of a match.
    Games,
    /// The networks of a match, from other seeds.
    Networks,
    /// The matches of a summary.
    Matches,
}

impl std::fmt::Display for Needed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = match self.of {
            Sample::Games => "games",
            Sample::Networks => "networks",
            Sample::Matches => "matches",
        };
        write!(f, "{} {of}", number(self.count as f64, 0))
    }
}

/// How far a value is from a threshold.
#[derive(Clone, Copy)]
struct Edge {
    /// On the right side of it if positive.
    distance: f64,
    /// The half of the interval that points to it.
    error: f64,
    /// Whether a value that is exactly there has failed.
    is_strict: bool,
}

impl Edge {
    /// Whether the value is on the right side beyond its error, or on the wrong one.
    fn holds(self) -> Option<bool> {
        let Edge { distance, error, is_strict } = self;
        let cleared = if is_strict { distance > error } else { distance >= error };
        let failed = if is_strict { distance <= -error } else { distance < -error };
        if cleared { Some(true) } else { failed.then_some(false) }
    }

    /// By which factor more games would bring the error down to the distance.
    fn factor(self) -> f64 {
        (self.error / self.distance).powi(2)
    }
}

impl ClaimCheck {
    /// Whether it says with what the value is compared.
    pub(super) fn compares(&self) -> bool {
        let is_near = self.near.is_some();
        is_near == self.within.is_some() && (is_near || self.above.is_some() || self.below.is_some())
    }

    /// The names of the values that it compares.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let operands = [&self.above, &self.below, &self.near].into_iter().flatten();
        std::iter::once(self.value.as_str()).chain(operands.filter_map(Operand::key))
    }

    /// What the values say about it.
    pub(super) fn judge(&self, values: &Values) -> CheckFinding {
        let edges = self.edges(values);
        let holds = edges.as_deref().and_then(all_hold);
        CheckFinding {
            value: self.value.clone(),
            threshold: self.threshold(values),
            ours: values.get(&self.value),
            holds,
            is_inside: edges.iter().flatten().all(|edge| edge.distance > 0.0),
            needs: if holds.is_none() { self.needs(values, &edges.unwrap_or_default()) } else { None },
        }
    }

    /// Every threshold with the value's distance; `None` if a value is not there. The error of a difference is the root of the
    /// sum of both errors' squares (Newcombe's way).
    fn edges(&self, values: &Values) -> Option<Vec<Edge>> {
        let value = values.get(&self.value)?;
        let mut edges = Vec::new();
        let within = self.within.unwrap_or_default();
        let thresholds = [
            (&self.above, 1.0, 0.0, true),
            (&self.below, -1.0, 0.0, true),
            (&self.near, 1.0, within, false),
            (&self.near, -1.0, within, false),
        ];
        for (operand, side, room, is_strict) in thresholds {
            let Some(operand) = operand else { continue };
            let other = self.scaled(operand.measured(values)?);
            let by = value.value - other.value;
            let below = (value.value - value.low).hypot(other.high - other.value);
            let above = (value.high - value.value).hypot(other.value - other.low);
            let distance = side * by + room;
            // Up to a threshold below reaches the lower half of the interval, unless the value is beyond it.
            let is_low = (side > 0.0) == (distance > 0.0);
            edges.push(Edge { distance, error: if is_low { below } else { above }, is_strict });
        }
        Some(edges)
    }

    fn scaled(&self, MeasuredValue { value, low, high }: MeasuredValue) -> MeasuredValue {
        let [value, low, high] = [value, low, high].map(|number| number * self.times + self.plus);
        MeasuredValue { value, low, high }
    }

    /// How much would decide it: the error shrinks with the root of the number of games, or of whatever else the interval is taken
    /// over. Where the value is on the wrong side of a threshold, so many that it fails there; otherwise so many that every threshold
    /// is cleared.
    fn needs(&self, values: &Values, edges: &[Edge]) -> Option<Needed> {
        let (there, of) = self.sample(values)?;
        let open = || edges.iter().filter(|edge| edge.holds().is_none());
        let wrong = open().filter(|edge| edge.distance <= 0.0).map(|edge| edge.factor()).reduce(f64::min);
        let factor = wrong.or_else(|| open().map(|edge| edge.factor()).reduce(f64::max))?;
        let needed = there * factor;
        (needed < MOST).then(|| Needed { count: two_digits(needed), of })
    }

    /// What the interval of the value is taken over, and how many of these there are.
    fn sample(&self, values: &Values) -> Option<(f64, Sample)> {
        let (part, measure) = self.value.rsplit_once('.')?;
        let count = |name: &str| values.get(&format!("{part}.{name}")).map(|count| count.value);
        if measure == "by-network" {
            return Some((count("networks")?, Sample::Networks));
        }
        let games = count("games").map(|games| (games, Sample::Games));
        // A summary has no number of games; of its values these are means over its matches.
        let is_mean = ["marbles", "mean-score", "score-white", "luck", "drawn", "black"].contains(&measure);
        games.or_else(|| Some((count("parts").filter(|_| is_mean)?, Sample::Matches)))
    }

    /// What the value must be, with the number behind each name.
    fn threshold(&self, values: &Values) -> String {
        let mut parts = Vec::new();
        for (word, operand) in [("above", &self.above), ("below", &self.below)] {
            if let Some(operand) = operand {
                parts.push(format!("{word} {}", self.operand(operand, values)));
            }
        }
        if let (Some(operand), Some(within)) = (&self.near, self.within) {
            parts.push(format!("within {} of {}", plain(within), self.operand(operand, values)));
        }
        parts.join(" and ")
    }

    fn operand(&self, operand: &Operand, values: &Values) -> String {
        let key = match operand {
            Operand::Number(number) => return plain(number * self.times + self.plus),
            Operand::Value(key) => key,
        };
        let times = if self.times == 1.0 { String::new() } else { format!("{} x ", plain(self.times)) };
        let plus = match self.plus {
            0.0 => String::new(),
            plus if plus < 0.0 => format!(" - {}", plain(-plus)),
            plus => format!(" + {}", plain(plus)),
        };
        let quoted = quoted::named(key).map(|number| number.printed.clone());
        if let Some(printed) = quoted.clone().filter(|_| times.is_empty() && plus.is_empty()) {
            return printed;
        }
        let found = values.get(key).map(|value| self.scaled(value));
        let found = found.map_or("–".to_string(), |value| value.text(digits(value.value)));
        format!("{times}{}{plus} ({found})", quoted.unwrap_or_else(|| short(key, &self.value)))
    }
}

/// More than anybody plays: then the value is at the threshold, as far as anybody can tell.
const MOST: f64 = 1e8;

/// One threshold on whose wrong side the value is refutes, and one that is open leaves it open.
fn all_hold(edges: &[Edge]) -> Option<bool> {
    let said: Vec<Option<bool>> = edges.iter().map(|edge| edge.holds()).collect();
    if said.contains(&Some(false)) {
        return Some(false);
    }
    said.into_iter().all(|one| one == Some(true)).then_some(true)
}

/// A number of games to two digits, rounded up.
fn two_digits(games: f64) -> u64 {
    let unit = 10f64.powf((games.max(1.0).log10().floor() - 1.0).max(0.0));
    // A hair less, so that a number that is exact is not rounded up.
    ((games / unit - 1e-9).ceil() * unit) as u64
}

/// A number of a definition with all its digits.
fn plain(value: f64) -> String {
    let text = format!("{:.9}", value.abs());
    let digits = text.trim_end_matches('0').split_once('.').map_or(0, |(_, fraction)| fraction.len());
    number(value, digits)
}

/// The parts of a name, which points divide but for those of numbers: `w0.25-d4.won` has two.
fn parts(key: &str) -> Vec<&str> {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = key.as_bytes();
    let within = |at: usize| at > 0 && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1));
    let points = key.match_indices('.').map(|(at, _)| at).filter(|&at| !within(at));
    let (mut parts, mut start) = (Vec::new(), 0);
    for at in points {
        parts.push(&key[start..at]);
        start = at + 1;
    }
    parts.push(&key[start..]);
    parts
}

/// A name without what it shares at both ends with another of as many parts: `a.c.elo` beside `a.b.elo` is `c`.
fn short(key: &str, beside: &str) -> String {
    let (key_parts, other) = (parts(key), parts(beside));
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let end = same(&mut key_parts.iter().rev().zip(other.iter().rev()));
    let start = same(&mut key_parts.iter().zip(&other));
    if start + end >= key_parts.len() || key_parts.len() != other.len() {
        return key.to_string();
    }
    key_parts[start..key_parts.len() - end].join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        let mut values = Values::default();
        values.set("a.score", MeasuredValue { value: 60.0, low: 48.0, high: 71.0 });
        values.set("a.games", MeasuredValue::exact(100.0));
        values.set("b.score", MeasuredValue { value: 77.0, low: 67.0, high: 87.0 });
        let wide = MeasuredValue { value: 55.0, low: 45.0, high: 65.0 };
        for (key, value) in [
            ("n.by-network", wide),
            ("n.games", MeasuredValue::exact(800.0)),
            ("n.networks", MeasuredValue::exact(4.0)),
            ("s.drawn", wide),
            ("s.score", wide),
            ("s.parts", MeasuredValue::exact(60.0)),
        ] {
            values.set(key, value);
        }
        values.set("t.one.elo", MeasuredValue { value: 5.0, low: -5.0, high: 15.0 });
        values.set("t.other.elo", MeasuredValue { value: 0.0, low: -10.0, high: 10.0 });
        values.set("plain.set.nodes", MeasuredValue::exact(500.0));
        values.set("sorted.set.nodes", MeasuredValue::exact(2468.0));
        values
    }

    fn judged(check: &str) -> CheckFinding {
        let check: ClaimCheck = toml::from_str(&check.replace(", ", "\n")).expect("a check");
        check.judge(&values())
    }

    #[test]
    fn a_threshold_is_told_with_the_number_behind_each_name() {
        let threshold = |check: &str| judged(check).threshold;
        assert_eq!(threshold("value = 'a.score', above = 50"), "above 50");
        assert_eq!(threshold("value = 'a.score', above = 54.5, below = 66"), "above 54.5 and below 66");
        assert_eq!(threshold("value = 'a.score', near = 86, within = 10"), "within 10 of 86");
        assert_eq!(threshold("value = 'a.score', below = 'b.score'"), "below b (77.0 ± 10.0)");
        assert_eq!(
            threshold("value = 'plain.set.nodes', below = 'sorted.set.nodes', times = 0.5"),
            "below 0.5 x sorted (1,234)"
        );
        assert_eq!(
            threshold("value = 't.one.elo', above = 't.other.elo', plus = -5"),
            "above other - 5 (-5.00 ± 10.00)"
        );
        assert_eq!(threshold("value = 'a.score', above = 'absent.score'"), "above absent (–)");
        let quoted = "value = 'a.score', near = 'quoted.maastricht-abts-wins', within = 10";
        assert_eq!(threshold(quoted), "within 10 of 86");
        let half = "value = 'a.score', above = 'quoted.maastricht-abts-wins', times = 0.5";
        assert_eq!(threshold(half), "above 0.5 x 86 (43.0)");
    }

    #[test]
    fn names_lose_what_they_share_but_never_everything() {
        assert_eq!(short("text.Rongyi.elo", "text.Jason.elo"), "Rongyi");
        assert_eq!(short("p-cmo.standard.total-seconds", "p-acmo.standard.total-seconds"), "p-cmo");
        assert_eq!(short("summary.parts", "summary.even-or-better"), "parts");
        assert_eq!(short("a.score", "a.score"), "a.score");
        assert_eq!(short("summary.nodes", "a.b.nodes"), "summary.nodes");
        assert_eq!(short("w0.25-d4.won", "w0.2-d4.won"), "w0.25-d4");
        assert_eq!(short("width-1.nodes-a", "width-0.5.nodes-a"), "width-1");
    }

    #[test]
    fn an_open_check_says_how_many_games_would_decide_it() {
        let games = |check: &str| {
            let needs = judged(check).needs.expect("an open check");
            assert_eq!(needs.of, Sample::Games);
            needs.count
        };
        // 10 above with 12 of error below: 100 games times 1.44.
        assert_eq!(games("value = 'a.score', above = 50"), 150);
        // 10 on the wrong side, and 11 of error above.
        assert_eq!(games("value = 'a.score', below = 50"), 150);
        assert_eq!(games("value = 'a.score', above = 64"), 760);
        // The farther edge is cleared; the nearer one, 4 away, needs 100 times (11 / 4) squared.
        assert_eq!(games("value = 'a.score', near = 46, within = 18"), 760);
        // The error of both: 14.9 for a distance of 7.
        assert_eq!(games("value = 'a.score', below = 'b.score', plus = -10"), 460);
    }

    #[test]
    fn what_is_a_mean_over_networks_or_matches_needs_more_of_these() {
        // 5 above with 10 of error: four times as many.
        let needs = |check: &str| judged(check).needs.expect("an open check").to_string();
        assert_eq!(needs("value = 'n.by-network', above = 50"), "16 networks");
        assert_eq!(needs("value = 's.drawn', above = 50"), "240 matches");
        assert_eq!(
            judged("value = 's.score', above = 50").needs,
            None,
            "it is over all games, of which it has no number"
        );
    }

    #[test]
    fn nothing_is_said_about_games_where_their_number_is_unknown_or_the_check_decided() {
        assert_eq!(judged("value = 'b.score', above = 70").needs, None, "no number of games");
        assert_eq!(judged("value = 'a.score', above = 40").needs, None, "decided");
        assert_eq!(judged("value = 'a.score', above = 60").needs, None, "exactly at the threshold");
        assert_eq!(judged("value = 'absent.score', above = 60").needs, None, "not measured");
    }

    #[test]
    fn numbers_of_games_are_rounded_up_to_two_digits() {
        assert_eq!([7.2, 144.0, 1000.0, 1001.0, 98_765.0].map(two_digits), [8, 150, 1000, 1100, 99_000]);
    }
}

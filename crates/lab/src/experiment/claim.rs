//! A paper's claim, and what our values say about it.

use serde::{Deserialize, Serialize};

use super::values::{MeasuredValue, Values};

/// A claim of a paper as an experiment's definition states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    /// The claim in one sentence.
    pub says: String,
    /// The paper's numbers.
    #[serde(default)]
    pub paper: String,
    /// Ours: a text with values in braces.
    #[serde(default)]
    pub ours: String,
    /// What must all hold for the claim to be confirmed.
    #[serde(default)]
    pub check: Vec<ClaimCheck>,
    /// Why a program cannot check it.
    #[serde(default)]
    pub cannot: String,
}

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

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// Our values agree with it, beyond their errors.
    Confirmed,
    /// Our values contradict it, beyond their errors.
    NotConfirmed,
    /// The errors are too large to say.
    Undecided,
    /// A program cannot check it.
    Unchecked,
    /// Not run yet.
    Open,
}

impl std::fmt::Display for ClaimVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            ClaimVerdict::Confirmed => "confirmed",
            ClaimVerdict::NotConfirmed => "not confirmed",
            ClaimVerdict::Undecided => "undecided",
            ClaimVerdict::Unchecked => "cannot be checked",
            ClaimVerdict::Open => "not run yet",
        })
    }
}

/// A claim with our numbers and the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim in one sentence.
    pub says: String,
    /// The paper's numbers.
    pub paper: String,
    /// Our numbers, or why there are none.
    pub ours: String,
    /// What they say.
    pub verdict: ClaimVerdict,
}

impl Claim {
    /// What the values say about it.
    pub(super) fn judge(&self, values: &Values) -> Finding {
        let (ours, verdict) = if self.cannot.is_empty() {
            (values.fill(&self.ours), self.verdict(values))
        } else {
            (self.cannot.clone(), ClaimVerdict::Unchecked)
        };
        Finding { says: self.says.clone(), paper: self.paper.clone(), ours, verdict }
    }

    /// Before it was run.
    pub(super) fn open(&self) -> Finding {
        let is_open = self.cannot.is_empty();
        Finding {
            says: self.says.clone(),
            paper: self.paper.clone(),
            ours: self.cannot.clone(),
            verdict: if is_open { ClaimVerdict::Open } else { ClaimVerdict::Unchecked },
        }
    }

    /// One comparison that fails refutes it, and one that is open leaves it open.
    fn verdict(&self, values: &Values) -> ClaimVerdict {
        let verdicts = self.check.iter().map(|check| check.holds(values));
        verdicts.fold(ClaimVerdict::Confirmed, |all, one| match (all, one) {
            (ClaimVerdict::NotConfirmed, _) | (_, Some(false)) => ClaimVerdict::NotConfirmed,
            (ClaimVerdict::Undecided, _) | (_, None) => ClaimVerdict::Undecided,
            _ => ClaimVerdict::Confirmed,
        })
    }

    /// The values that its checks and texts name.
    pub(super) fn keys(&self) -> Vec<String> {
        let operands = |check: &ClaimCheck| {
            let other =
                [&check.above, &check.below, &check.near].into_iter().flatten().filter_map(|operand| {
                    match operand {
                        Operand::Value(key) => Some(key.clone()),
                        Operand::Number(_) => None,
                    }
                });
            std::iter::once(check.value.clone()).chain(other).collect::<Vec<_>>()
        };
        let named = Values::default().missing(&self.ours);
        self.check.iter().flat_map(operands).chain(named).collect()
    }
}

impl ClaimCheck {
    /// Whether it says with what the value is compared.
    pub(super) fn compares(&self) -> bool {
        let is_near = self.near.is_some();
        is_near == self.within.is_some() && (is_near || self.above.is_some() || self.below.is_some())
    }

    /// Whether it holds beyond the errors; `None` if they leave it open or a value is not there. The error of a difference is
    /// the root of the sum of both errors' squares (Newcombe's way).
    fn holds(&self, values: &Values) -> Option<bool> {
        let value = values.get(&self.value)?;
        let scaled = |number: f64| number * self.times + self.plus;
        let difference = |operand: &Operand| {
            let other = match operand {
                Operand::Number(number) => MeasuredValue::exact(*number),
                Operand::Value(key) => values.get(key)?,
            };
            let (middle, low, high) = (scaled(other.value), scaled(other.low), scaled(other.high));
            let by = value.value - middle;
            Some((
                by - (value.value - value.low).hypot(high - middle),
                by + (value.high - value.value).hypot(middle - low),
            ))
        };
        let is_above = self.above.as_ref().map(|operand| {
            let (low, high) = difference(operand)?;
            if low > 0.0 { Some(true) } else { (high <= 0.0).then_some(false) }
        });
        let is_below = self.below.as_ref().map(|operand| {
            let (low, high) = difference(operand)?;
            if high < 0.0 { Some(true) } else { (low >= 0.0).then_some(false) }
        });
        let is_near = self.near.as_ref().map(|operand| {
            let ((low, high), within) = (difference(operand)?, self.within?);
            if -within <= low && high <= within {
                Some(true)
            } else {
                (high < -within || low > within).then_some(false)
            }
        });
        let said: Vec<Option<bool>> = [is_above, is_below, is_near].into_iter().flatten().collect();
        if said.contains(&Some(false)) {
            Some(false)
        } else {
            said.into_iter().all(|one| one == Some(true)).then_some(true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(check: &str) -> ClaimVerdict {
        let mut values = Values::default();
        values.set("count", MeasuredValue::exact(5.0));
        values.set("score", MeasuredValue { value: 60.0, low: 48.0, high: 71.0 });
        values.set("other", MeasuredValue { value: 77.0, low: 67.0, high: 87.0 });
        values.set("near", MeasuredValue { value: 74.0, low: 64.0, high: 84.0 });
        let claim: Claim = toml::from_str(&format!("says = 'x'\n{check}")).expect("a claim");
        claim.judge(&values).verdict
    }

    #[test]
    fn a_verdict_needs_the_whole_interval_on_one_side() {
        assert_eq!(verdict("check = [{ value = 'count', below = 9 }]"), ClaimVerdict::Confirmed);
        assert_eq!(verdict("check = [{ value = 'count', above = 9 }]"), ClaimVerdict::NotConfirmed);
        assert_eq!(verdict("check = [{ value = 'score', above = 50 }]"), ClaimVerdict::Undecided);
        assert_eq!(verdict("check = [{ value = 'score', above = 40 }]"), ClaimVerdict::Confirmed);
        assert_eq!(
            verdict("check = [{ value = 'score', above = 'count', times = 20 }]"),
            ClaimVerdict::NotConfirmed
        );
        assert_eq!(verdict("check = [{ value = 'count', above = 4, below = 6 }]"), ClaimVerdict::Confirmed);
        assert_eq!(
            verdict("check = [{ value = 'count', below = 'score', plus = -45 }]"),
            ClaimVerdict::Undecided
        );
        assert_eq!(
            verdict("check = [{ value = 'count', below = 'score', plus = -40 }]"),
            ClaimVerdict::Confirmed
        );
    }

    #[test]
    fn a_number_is_confirmed_by_a_band_on_both_sides_of_it() {
        // 60, from 48 to 71.
        let near = |near: &str| verdict(&format!("check = [{{ value = 'score', {near} }}]"));
        assert_eq!(near("near = 60, within = 12"), ClaimVerdict::Confirmed);
        assert_eq!(near("near = 60, within = 11"), ClaimVerdict::Undecided);
        assert_eq!(near("near = 86, within = 12"), ClaimVerdict::NotConfirmed);
        assert_eq!(near("near = 30, within = 12"), ClaimVerdict::NotConfirmed);
        assert_eq!(near("near = 'count', times = 12, within = 12"), ClaimVerdict::Confirmed);
    }

    #[test]
    fn two_values_differ_by_more_than_the_error_of_their_difference() {
        // The intervals overlap, but 17 is more than the root of 11 and 10 squared, 14.9; 14 is not.
        assert_eq!(verdict("check = [{ value = 'score', below = 'other' }]"), ClaimVerdict::Confirmed);
        assert_eq!(verdict("check = [{ value = 'score', above = 'other' }]"), ClaimVerdict::NotConfirmed);
        assert_eq!(verdict("check = [{ value = 'score', below = 'near' }]"), ClaimVerdict::Undecided);
        assert_eq!(
            verdict("check = [{ value = 'score', below = 'near', plus = 1 }]"),
            ClaimVerdict::Confirmed
        );
    }

    #[test]
    fn a_single_game_confirms_nothing_and_refutes_nothing() {
        let mut values = Values::default();
        values.set("marbles", MeasuredValue::mean(&[6.0]).expect("a number"));
        values.set("many", MeasuredValue::mean(&[6.0, 5.0, 6.0, 5.0]).expect("numbers"));
        let verdict = |check: &str| {
            let claim: Claim =
                toml::from_str(&format!("says = 'x'\ncheck = [{{ {check} }}]")).expect("a claim");
            claim.judge(&values).verdict
        };
        assert_eq!(verdict("value = 'many', above = 3"), ClaimVerdict::Confirmed);
        for check in ["above = 3", "below = 3", "below = 'many'", "above = 3, below = 9"] {
            assert_eq!(verdict(&format!("value = 'marbles', {check}")), ClaimVerdict::Undecided, "{check}");
        }
    }

    #[test]
    fn a_failed_check_outweighs_an_open_one() {
        let both = "check = [{ value = 'score', above = 50 }, { value = 'count', above = 9 }]";
        assert_eq!(verdict(both), ClaimVerdict::NotConfirmed);
        assert_eq!(verdict("check = [{ value = 'absent', above = 9 }]"), ClaimVerdict::Undecided);
    }

    #[test]
    fn what_cannot_be_checked_says_why() {
        let claim: Claim = toml::from_str("says = 'x'\ncannot = 'a person played'").expect("a claim");
        let finding = claim.judge(&Values::default());
        assert_eq!((finding.verdict, finding.ours.as_str()), (ClaimVerdict::Unchecked, "a person played"));
    }

    #[test]
    fn a_claim_names_its_values() {
        let text = "says = 'x'\nours = '{a:1} of {b}'\ncheck = [{ value = 'c', below = 'd' }]";
        let claim: Claim = toml::from_str(text).expect("a claim");
        assert_eq!(claim.keys(), ["c", "d", "a", "b"]);
    }
}

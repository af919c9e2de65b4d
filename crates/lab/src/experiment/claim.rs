//! A paper's claim, and what our values say about it.

use serde::{Deserialize, Serialize};

use super::check::{CheckFinding, ClaimCheck, Needed};
use super::values::Values;

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
    /// The comparisons behind it.
    pub checks: Vec<CheckFinding>,
}

impl Finding {
    /// What our values had to be for the claim to be confirmed.
    pub fn threshold(&self) -> String {
        let text = |check: &CheckFinding| format!("{} {}", check.value, check.threshold);
        self.checks.iter().map(text).collect::<Vec<_>>().join("; ")
    }

    /// About how much would decide it, if it is undecided and that can be said: so much that one comparison fails which
    /// the values themselves fail, or else that all hold.
    pub fn needs(&self) -> Option<Needed> {
        if self.verdict != ClaimVerdict::Undecided {
            return None;
        }
        let open = || self.checks.iter().filter(|check| check.holds.is_none());
        match open().filter(|check| !check.is_inside).filter_map(|check| check.needs).min() {
            Some(needs) => Some(needs),
            None => open().map(|check| check.needs).collect::<Option<Vec<Needed>>>()?.into_iter().max(),
        }
    }

    /// The verdict in words, with what an undecided one needs.
    pub fn outcome(&self) -> String {
        let needs = self.needs().map(|needs| format!(", needs about {needs}"));
        format!("**{}**{}", self.verdict, needs.unwrap_or_default())
    }
}

impl Claim {
    /// What the values say about it.
    pub(super) fn judge(&self, values: &Values) -> Finding {
        let checks: Vec<CheckFinding> = self.check.iter().map(|check| check.judge(values)).collect();
        let (ours, verdict) = if self.cannot.is_empty() {
            (values.fill(&self.ours), verdict(&checks))
        } else {
            (values.fill(&self.cannot), ClaimVerdict::Unchecked)
        };
        Finding { says: values.fill(&self.says), paper: values.fill(&self.paper), ours, verdict, checks }
    }

    /// Before it was run.
    pub(super) fn open(&self) -> Finding {
        let finding = self.judge(&Values::default());
        match finding.verdict {
            ClaimVerdict::Unchecked => finding,
            _ => Finding { ours: String::new(), verdict: ClaimVerdict::Open, ..finding },
        }
    }

    /// The values that its checks and texts name.
    pub(super) fn keys(&self) -> Vec<String> {
        let compared = self.check.iter().flat_map(ClaimCheck::keys).map(str::to_string);
        let named =
            [&self.says, &self.paper, &self.ours, &self.cannot].map(|text| Values::default().missing(text));
        compared.chain(named.into_iter().flatten()).collect()
    }
}

/// One comparison that fails refutes a claim, and one that is open leaves it open.
fn verdict(checks: &[CheckFinding]) -> ClaimVerdict {
    checks.iter().fold(ClaimVerdict::Confirmed, |all, one| match (all, one.holds) {
        (ClaimVerdict::NotConfirmed, _) | (_, Some(false)) => ClaimVerdict::NotConfirmed,
        (ClaimVerdict::Undecided, _) | (_, None) => ClaimVerdict::Undecided,
        _ => ClaimVerdict::Confirmed,
    })
}

#[cfg(test)]
mod tests {
    use super::super::values::MeasuredValue;
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

    #[test]
    fn an_undecided_claim_says_how_many_games_it_needs() {
        let mut values = Values::default();
        values.set("a.games", MeasuredValue::exact(100.0));
        values.set("a.score", MeasuredValue { value: 60.0, low: 48.0, high: 71.0 });
        let found = |checks: &str| {
            let claim: Claim = toml::from_str(&format!("says = 'x'\ncheck = [{checks}]")).expect("a claim");
            claim.judge(&values)
        };
        let close = "{ value = 'a.score', above = 50 }";
        let closer = "{ value = 'a.score', above = 56 }";
        let wrong = "{ value = 'a.score', above = 70 }";
        assert_eq!(found(close).outcome(), "**undecided**, needs about 150 games");
        assert_eq!(found(close).threshold(), "a.score above 50");
        assert_eq!(
            found(&format!("{close}, {closer}")).needs().map(|needs| needs.count),
            Some(900),
            "all must hold"
        );
        assert_eq!(
            found(&format!("{closer}, {wrong}")).needs().map(|needs| needs.count),
            Some(130),
            "one that fails decides"
        );
        assert_eq!(found("{ value = 'a.score', above = 40 }").outcome(), "**confirmed**");
        let unknown = format!("{close}, {{ value = 'absent', above = 1 }}");
        assert_eq!(found(&unknown).needs(), None, "the other check stays open");
    }
}

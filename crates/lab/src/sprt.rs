//! The sequential probability ratio test on game pairs: plays on until the result favours one of two Elo
//! differences strongly enough.
//!
//! It is the generalised test (GSPRT) in its exact form: for each hypothesis, the distribution over the five
//! pair results that has the hypothesis' mean and makes the observed pairs likeliest, and the logarithm of the
//! ratio of the two likelihoods (Van den Bergh, "A practical introduction to the GSPRT" and "Multinomial
//! maximum likelihood"; the framework of Stockfish's developers computes the same numbers).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::stats::{Pentanomial, score_of};

/// What stands in for a pair result that has not come up, so that every likelihood is positive.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses and the chances of error. Its text is `elo0=0,elo1=5,alpha=0.05,beta=0.05`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The null hypothesis: the first player is this much stronger, in logistic Elo.
    pub elo0: f64,
    /// The other hypothesis, with the greater Elo.
    pub elo1: f64,
    /// The chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// More games are needed.
    Undecided,
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl Sprt {
    /// A test with the usual 5 % for both errors.
    pub const fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The values of the log-likelihood ratio at which the test ends, by Wald.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the pairs are under `elo1` than under `elo0`.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let under = |elo| likeliest_with_mean(&counts, score_of(elo));
        let (h0, h1) = (under(self.elo0), under(self.elo1));
        (0..5).map(|i| counts[i] * (h1[i] / h0[i]).ln()).sum()
    }

    /// What the pairs say.
    pub fn verdict(&self, pairs: &Pentanomial) -> SprtVerdict {
        let ((lower, upper), llr) = (self.bounds(), self.llr(pairs));
        if llr >= upper {
            SprtVerdict::H1
        } else if llr <= lower {
            SprtVerdict::H0
        } else {
            SprtVerdict::Undecided
        }
    }
}

/// The distribution over the five results with this mean score under which the counts are likeliest.
///
/// By Lagrange it is p_i / (1 + x (a_i - mean)), where p is the observed distribution, a the results, and x
/// the root of sum p_i (a_i - mean) / (1 + x (a_i - mean)). The sum falls strictly between the two poles that
/// enclose the root, so halving the interval finds it to the last bit.
fn likeliest_with_mean(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let offset = |i: usize| i as f64 / 4.0 - mean;
    let slope = |x: f64| (0..5).map(|i| counts[i] * offset(i) / (1.0 + x * offset(i))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break std::array::from_fn(|i| counts[i] / total / (1.0 + middle * offset(i)));
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// A text that is no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a test such as elo0=0,elo1=5 (and alpha, beta below 0.5), {0}")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let mut sprt = Sprt::new(f64::NAN, f64::NAN);
        for part in text.split(',') {
            let found = || SprtError(format!("found '{part}'"));
            let (name, value) = part.split_once('=').ok_or_else(found)?;
            let slot = match name.trim() {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                _ => return Err(found()),
            };
            *slot = value.trim().parse().map_err(|_| found())?;
        }
        let is_chance = |x: f64| x > 0.0 && x < 0.5;
        if !(is_chance(sprt.alpha) && is_chance(sprt.beta)) {
            return Err(SprtError(format!("found alpha={} and beta={}", sprt.alpha, sprt.beta)));
        }
        if sprt.elo0.is_nan() || sprt.elo1.is_nan() {
            return Err(SprtError(format!("found '{text}', in which elo0 or elo1 is missing")));
        }
        if !(sprt.elo0 < sprt.elo1 && sprt.elo0 > -2000.0 && sprt.elo1 < 2000.0) {
            return Err(SprtError(format!("found elo0={} and elo1={}", sprt.elo0, sprt.elo1)));
        }
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "elo0={},elo1={},alpha={},beta={}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SprtVerdict::Undecided => "undecided",
            SprtVerdict::H0 => "H0 accepted",
            SprtVerdict::H1 => "H1 accepted",
        })
    }
}

#[cfg(test)]
mod tests {
    use sumito_engine::Rng;

    use super::*;

    /// Log-likelihood ratios that fishtest's own statistics give for its self-test samples.
    #[test]
    fn the_ratio_is_that_of_fishtest() {
        let known = [
            ([10789, 19328, 33806, 19402, 10543], -3.0, 1.0, 2.131_067_811_785),
            ([39, 2226, 31451, 2412, 40], 0.2, 0.9, 2.162_542_580_05),
            ([0, 10, 20, 50, 20], 0.0, 5.0, 1.428_686_106_47),
            ([3, 20, 45, 25, 7], 0.0, 10.0, 0.695_972_606_50),
            ([0, 0, 50, 0, 0], 0.0, 5.0, -0.717_605_836_11),
            ([2, 5, 80, 8, 5], 0.0, 5.0, 0.538_486_257_26),
        ];
        for (counts, elo0, elo1, llr) in known {
            let found = Sprt::new(elo0, elo1).llr(&Pentanomial(counts));
            assert!((found - llr).abs() < 1e-8, "{counts:?}: expected {llr}, found {found}");
        }
    }

    #[test]
    fn the_ratio_is_that_which_fastchess_tests_for() {
        for (counts, elo0, elo1, llr) in [
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
        ] {
            let found = Sprt::new(elo0, elo1).llr(&Pentanomial(counts));
            assert!((found - llr).abs() < 0.006, "{counts:?}: expected {llr}, found {found}");
        }
    }

    #[test]
    fn five_percent_give_the_usual_bounds() {
        let (lower, upper) = Sprt::new(0.0, 5.0).bounds();
        assert!((upper - 2.944_438_979).abs() < 1e-9 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn the_likeliest_distribution_has_the_mean_and_sums_to_one() {
        for mean in [0.1, 0.5, 0.507, 0.93] {
            let p = likeliest_with_mean(&[3.0, 20.0, 45.0, 25.0, 7.0], mean);
            let found: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
            assert!((found - mean).abs() < 1e-12 && (p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn no_other_distribution_with_the_mean_is_likelier() {
        let counts = [3.0, 20.0, 45.0, 25.0, 7.0];
        let best = likeliest_with_mean(&counts, 0.55);
        let likelihood = |p: &[f64; 5]| (0..5).map(|i| counts[i] * p[i].ln()).sum::<f64>();
        // Steps that keep both the sum and the mean: second differences.
        for (i, step) in [(1, 1e-3), (1, -1e-3), (2, 1e-3), (2, -1e-3), (3, 1e-3), (3, -1e-3)] {
            let mut other = best;
            other[i - 1] += step;
            other[i] -= 2.0 * step;
            other[i + 1] += step;
            assert!(likelihood(&other) < likelihood(&best));
        }
    }

    #[test]
    fn exchanging_players_and_hypotheses_changes_the_sign() {
        let pairs = Pentanomial([3, 20, 45, 25, 7]);
        let (one, other) = (Sprt::new(-2.0, 9.0), Sprt::new(-9.0, 2.0));
        assert!((one.llr(&pairs) + other.llr(&pairs.reversed())).abs() < 1e-10);
    }

    #[test]
    fn a_won_pair_instead_of_a_lost_one_raises_the_ratio() {
        let sprt = Sprt::new(0.0, 10.0);
        let ratios: Vec<f64> =
            (0..=20).map(|won| sprt.llr(&Pentanomial([20 - won, 10, 30, 10, won]))).collect();
        assert!(ratios.windows(2).all(|pair| pair[0] < pair[1]), "{ratios:?}");
    }

    #[test]
    fn without_games_nothing_is_decided() {
        assert_eq!(Sprt::new(0.0, 5.0).llr(&Pentanomial::default()), 0.0);
    }

    /// Plays pairs of a simulated match, with a tenth of draws, until the test ends.
    fn simulate(sprt: Sprt, elo: f64, seed: u64) -> SprtVerdict {
        use crate::stats::Ending;
        let mut rng = Rng::new(seed);
        let mut pairs = Pentanomial::default();
        loop {
            let mut game = || match rng.unit() - (score_of(elo) - 0.05) {
                x if x < 0.0 => Ending::Win,
                x if x < 0.1 => Ending::Draw,
                _ => Ending::Loss,
            };
            pairs.add(game(), game());
            match sprt.verdict(&pairs) {
                SprtVerdict::Undecided => {}
                verdict => return verdict,
            }
        }
    }

    #[test]
    fn simulated_matches_end_at_the_right_bound_as_often_as_promised() {
        let sprt = Sprt::new(0.0, 60.0);
        let wrong = |elo, expected| (0..200).filter(|&seed| simulate(sprt, elo, seed) != expected).count();
        // 5 % of 200 are 10, give or take 3; the test overshoots its bounds a little, which helps.
        assert!(wrong(0.0, SprtVerdict::H0) <= 16);
        assert!(wrong(60.0, SprtVerdict::H1) <= 16);
        assert_eq!(wrong(-60.0, SprtVerdict::H0) + wrong(120.0, SprtVerdict::H1), 0);
    }

    #[test]
    fn a_test_is_read_back_as_written_and_nonsense_refused() {
        let sprt: Sprt = "elo0=-3, elo1=1.5,beta=0.1".parse().expect("a test");
        assert_eq!(sprt, Sprt { beta: 0.1, ..Sprt::new(-3.0, 1.5) });
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
        for bad in ["", "elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=5,alpha=0.7", "elo0=0,elo1=x", "elo2=0"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }
}

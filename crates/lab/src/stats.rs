//! What a match result says about strength: score, Elo, normalised Elo and likelihood of superiority, from
//! single games or from pairs of games on one opening with colours changed.
//!
//! Elo is logistic: a score of 1 / (1 + 10^(-Elo/400)). The error bars are half the 95 % interval of the mean
//! score, carried over to Elo. Normalised Elo divides the lead by the standard deviation of a game, and so
//! does not change when openings or rules make more or fewer games drawn (Van den Bergh, "Normalized Elo").

use serde::{Deserialize, Serialize};

/// The normal quantile that leaves 2.5 % on each side.
pub const Z95: f64 = 1.959_963_984_540_054;
/// Normalised Elo for a lead of one standard deviation a game: 800 / ln 10.
pub const NELO: f64 = 347.435_585_522_601_46;

/// The score that an Elo difference promises.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that a score shows; infinite for 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The standard normal distribution function, by the series that Marsaglia gives ("Evaluating the Normal
/// Distribution", 2004): exact to rounding within eight standard deviations, 0 or 1 beyond.
pub fn normal_cdf(z: f64) -> f64 {
    if z.abs() > 8.0 {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    (0.5 + sum * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt()).clamp(0.0, 1.0)
}

/// How a game ended for one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Ending {
    /// The same ending for the other player.
    #[must_use]
    pub fn reversed(self) -> Ending {
        match self {
            Ending::Loss => Ending::Win,
            Ending::Draw => Ending::Draw,
            Ending::Win => Ending::Loss,
        }
    }

    /// Twice the points: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        self as usize
    }
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WdlCount {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl WdlCount {
    /// A result from its three numbers.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> WdlCount {
        WdlCount { wins, draws, losses }
    }

    /// Counts a game.
    pub fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Win => self.wins += 1,
            Ending::Draw => self.draws += 1,
            Ending::Loss => self.losses += 1,
        }
    }

    /// The same games for the other player.
    #[must_use]
    pub fn reversed(self) -> WdlCount {
        WdlCount::new(self.losses, self.draws, self.wins)
    }

    /// Games in all.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The part of the games that was drawn.
    pub fn draw_ratio(self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// What the games say, each taken as independent of the others.
    pub fn estimate(self) -> Estimate {
        Estimate::of(&[self.losses, self.draws, self.wins])
    }
}

impl std::ops::AddAssign for WdlCount {
    fn add_assign(&mut self, other: WdlCount) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games on one opening with colours changed, by what they brought the first player together:
/// 0 (LL), 1/2 (LD), 1 (WL and DD), 1 1/2 (WD) and 2 points (WW).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts the two games of a pair.
    pub fn add(&mut self, one: Ending, other: Ending) {
        self.0[one.half_points() + other.half_points()] += 1;
    }

    /// The same pairs for the other player.
    #[must_use]
    pub fn reversed(self) -> Pentanomial {
        let [ll, ld, even, wd, ww] = self.0;
        Pentanomial([ww, wd, even, ld, ll])
    }

    /// These pairs and others together.
    #[must_use]
    pub fn with(self, others: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|points| self.0[points] + others.0[points]))
    }

    /// Pairs in all.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The standard error of the score of a game, 0 to 1, that the pairs give.
    pub fn error(self) -> f64 {
        let (_, variance) = mean_and_variance(&self.0);
        (variance / self.pairs().max(1) as f64).sqrt()
    }

    /// What the pairs say. The two games of a pair are not independent, since the opening may favour a
    /// colour; counting pairs takes that into account, and usually gives the smaller error.
    pub fn estimate(self) -> Estimate {
        Estimate::of(&self.0)
    }
}

/// What a result says about the strength of the first player against the second.
///
/// With a score of 0 or 1 there is no finite Elo: the values are infinite then, and `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Points per game.
    pub score: f64,
    /// Logistic Elo.
    pub elo: f64,
    /// Half of the 95 % interval of `elo`.
    pub elo_error: f64,
    /// Normalised Elo.
    pub nelo: f64,
    /// Half of the 95 % interval of `nelo`.
    pub nelo_error: f64,
    /// Likelihood of superiority: the chance that the first player is the stronger one.
    pub los: f64,
}

impl Estimate {
    /// From how often each sum of points came up: 0, 1/2, 1 for single games, and up to 2 for pairs.
    fn of(counts: &[u64]) -> Estimate {
        let units = counts.iter().sum::<u64>() as f64;
        let games_per_unit = (counts.len() - 1) as f64 / 2.0;
        if units == 0.0 {
            let none = f64::INFINITY;
            return Estimate { score: 0.5, elo: 0.0, elo_error: none, nelo: 0.0, nelo_error: none, los: 0.5 };
        }
        let (score, variance) = mean_and_variance(counts);
        let error = (variance / units).sqrt();
        // The variance of one game, if games of a pair were independent.
        let deviation = (variance * games_per_unit).sqrt();
        let lead = score - 0.5;
        let ratio = |spread: f64| if lead == 0.0 { 0.0 } else { lead / spread };
        Estimate {
            score,
            elo: elo_of(score),
            elo_error: (elo_of(score + Z95 * error) - elo_of(score - Z95 * error)) / 2.0,
            nelo: ratio(deviation) * NELO,
            nelo_error: Z95 * NELO / (units * games_per_unit).sqrt(),
            los: normal_cdf(ratio(error)),
        }
        .bounded()
    }

    /// Where every game ended alike, the interval is the whole side of the scale, not "infinity less infinity".
    fn bounded(mut self) -> Estimate {
        if self.elo.is_infinite() {
            self.elo_error = f64::INFINITY;
        }
        self
    }
}

/// Mean and variance of the score of a unit, on the scale from 0 to 1.
fn mean_and_variance(counts: &[u64]) -> (f64, f64) {
    let total = counts.iter().sum::<u64>() as f64;
    let top = (counts.len() - 1) as f64;
    let values = || counts.iter().enumerate().map(|(i, &n)| (i as f64 / top, n as f64 / total));
    let mean = values().map(|(value, part)| value * part).sum::<f64>();
    (mean, values().map(|(value, part)| part * (value - mean).powi(2)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "expected {expected}, found {found}");
    }

    #[test]
    fn sixty_percent_are_seventy_elo() {
        assert_close(elo_of(0.6), 70.437, 0.001);
        assert_close(score_of(70.437), 0.6, 1e-5);
        assert_close(elo_of(10.0 / 11.0), 400.0, 1e-9);
    }

    #[test]
    fn the_normal_distribution_has_its_tabulated_values() {
        for (z, p) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-1.0, 0.158_655_253_931_457), (Z95, 0.975)]
        {
            assert_close(normal_cdf(z), p, 1e-14);
        }
        assert_close(normal_cdf(-4.0), 3.167_124_183_311_99e-5, 1e-16);
        assert_eq!((normal_cdf(40.0), normal_cdf(-40.0)), (1.0, 0.0));
    }

    /// Published by match runners: `Score of A vs B: W - L - D ... Elo difference, LOS, DrawRatio`.
    #[test]
    fn games_give_the_elo_and_los_that_match_runners_print() {
        let known = [
            (WdlCount::new(869, 357, 646), 41.6, 14.2, 1.0, 0.191),
            (WdlCount::new(409, 133, 197), 102.5, 23.5, 1.0, 0.180),
            (WdlCount::new(449, 275, 276), 60.7, 18.5, 1.0, 0.275),
            (WdlCount::new(382, 298, 320), 21.6, 18.1, 0.990, 0.298),
            (WdlCount::new(372, 306, 322), 17.4, 17.9, 0.971, 0.306),
            (WdlCount::new(136, 111, 96), 40.70, 30.43, 0.9960, 0.3236),
        ];
        for (games, elo, error, los, draws) in known {
            let estimate = games.estimate();
            assert_close(estimate.elo, elo, 0.06);
            // Their normal quantile is approximate: 1.957 for 1.960.
            assert_close(estimate.elo_error, error, 0.05 + 0.002 * error);
            assert_close(estimate.los, los, 0.0006);
            assert_close(games.draw_ratio(), draws, 0.0006);
        }
    }

    #[test]
    fn games_give_the_normalised_elo_that_fastchess_tests_for() {
        for (games, nelo, error) in
            [(WdlCount::new(76, 123, 89), -20.76, 40.13), (WdlCount::new(136, 111, 96), 49.77, 36.77)]
        {
            let estimate = games.estimate();
            assert_close(estimate.nelo, nelo, 0.01);
            assert_close(estimate.nelo_error, error, 0.01);
        }
    }

    #[test]
    fn pairs_give_the_values_that_fastchess_prints() {
        let known = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([307, 619, 1202, 725, 353], 10.73, 6.70, 13.63, 8.50),
            ([84, 124, 343, 125, 164], 33.40, 14.24, 39.23, 16.61),
            ([11, 1, 32, 8, 48], 149.26, 55.24, 148.57, 48.15),
        ];
        for (counts, elo, elo_error, nelo, nelo_error) in known {
            let estimate = Pentanomial(counts).estimate();
            assert_close(estimate.elo, elo, 0.006);
            assert_close(estimate.elo_error, elo_error, 0.006);
            assert_close(estimate.nelo, nelo, 0.006);
            assert_close(estimate.nelo_error, nelo_error, 0.006);
        }
    }

    #[test]
    fn the_other_player_sees_the_mirror_image() {
        let (pairs, games) = (Pentanomial([3, 20, 45, 25, 7]), WdlCount::new(136, 111, 96));
        for (one, other) in
            [(pairs.estimate(), pairs.reversed().estimate()), (games.estimate(), games.reversed().estimate())]
        {
            assert_close(one.elo, -other.elo, 1e-9);
            assert_close(one.nelo, -other.nelo, 1e-9);
            assert_close(one.elo_error, other.elo_error, 1e-9);
            assert_close(one.los, 1.0 - other.los, 1e-12);
        }
    }

    #[test]
    fn independent_pairs_and_single_games_agree() {
        // 1/4 W, 1/2 D, 1/4 L, twice in a row: 1/16, 4/16, 6/16, 4/16, 1/16.
        let pairs = Pentanomial([10, 40, 60, 40, 10]).estimate();
        let games = WdlCount::new(80, 160, 80).estimate();
        assert_close(pairs.elo_error, games.elo_error, 1e-9);
    }

    #[test]
    fn a_clean_sweep_is_infinitely_better() {
        let sweep = WdlCount::new(10, 0, 0).estimate();
        assert_eq!((sweep.score, sweep.elo, sweep.los), (1.0, f64::INFINITY, 1.0));
        assert_eq!(sweep.elo_error, f64::INFINITY);
    }

    #[test]
    fn draws_alone_are_even() {
        let drawn = WdlCount::new(0, 10, 0).estimate();
        assert_eq!((drawn.elo, drawn.elo_error, drawn.nelo, drawn.los), (0.0, 0.0, 0.0, 0.5));
        assert!(drawn.elo.is_sign_positive(), "tables would show -0.0");
    }

    #[test]
    fn a_pair_is_counted_by_its_points() {
        let mut pairs = Pentanomial::default();
        for (one, other) in [
            (Ending::Loss, Ending::Loss),
            (Ending::Draw, Ending::Loss),
            (Ending::Win, Ending::Loss),
            (Ending::Draw, Ending::Draw),
            (Ending::Draw, Ending::Win),
            (Ending::Win, Ending::Win),
        ] {
            pairs.add(one, other);
        }
        assert_eq!(pairs.0, [1, 1, 2, 1, 1]);
    }
}

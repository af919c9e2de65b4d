//! Ratings: Glicko-2 (Glickman 2013, "Example of the Glicko-2 system") after every game instead of once in a period. A
//! period passes in fractions, by which a rating becomes less sure; a side may have an advantage, such as the first move; and what a rating can
//! be has bounds.

use std::f64::consts::PI;

/// How good somebody is, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    /// In Elo.
    pub(crate) value: f64,
    /// The standard deviation of the value.
    pub(crate) deviation: f64,
    /// How much the strength itself changes in a period, on the scale of Glicko-2.
    pub(crate) volatility: f64,
}

/// A game as one of its players sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatedGame {
    /// The other player before the game.
    pub(crate) opponent: Rating,
    /// 1 for a win, a half for a draw, 0 for a loss.
    pub(crate) points: f64,
    /// What the player's side, in this layout, is worth before a move is made, in Elo.
    pub(crate) advantage: f64,
}

/// The numbers of a rating system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatingSystem {
    /// A new player's.
    pub(crate) start: Rating,
    /// How much the volatility itself may change: Glickman's τ.
    pub(crate) tau: f64,
    pub(crate) least_deviation: f64,
    pub(crate) most_deviation: f64,
    pub(crate) most_volatility: f64,
    pub(crate) least_value: f64,
    /// The most that one game changes.
    pub(crate) most_change: f64,
    /// Rating periods in a day.
    pub(crate) periods_a_day: f64,
    /// From this deviation on a rating is provisional.
    pub(crate) provisional: f64,
}

/// lichess's numbers (`modules/rating/src/main/Glicko.scala`, read in 2026), and τ and the bound of provisional ratings of its fork PlayStrategy,
/// the only place where this game is rated: a deviation of 60 grows to 110 within a year (with a volatility of 0.06).
pub(crate) const SYSTEM: RatingSystem = RatingSystem {
    start: Rating { value: 1500.0, deviation: 500.0, volatility: 0.09 },
    tau: 0.75,
    least_deviation: 45.0,
    most_deviation: 500.0,
    most_volatility: 0.1,
    least_value: 400.0,
    most_change: 700.0,
    periods_a_day: 0.21436,
    provisional: 110.0,
};

/// Elo in one unit of Glicko-2's scale, as Glickman rounds 400 / ln 10.
const SCALE: f64 = 173.7178;
/// Elo of the middle of that scale.
const CENTRE: f64 = 1500.0;
/// How exactly the volatility is found.
const TOLERANCE: f64 = 1e-9;

/// How little a game against somebody says whose deviation is this: Glickman's g.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * (phi / PI).powi(2)).sqrt()
}

impl Rating {
    fn mu(self) -> f64 {
        (self.value - CENTRE) / SCALE
    }

    fn phi(self) -> f64 {
        self.deviation / SCALE
    }

    /// The rating of somebody whose strength is known, and does not change.
    pub(crate) fn fixed(value: f64, deviation: f64) -> Rating {
        Rating { value, deviation, volatility: 0.0 }
    }

    /// Whether it never changes.
    pub(crate) fn is_fixed(self) -> bool {
        self.volatility == 0.0
    }

    /// The part of the points that the player of a game can expect.
    pub(crate) fn expected(self, game: &RatedGame) -> f64 {
        let lead = self.mu() + game.advantage / SCALE - game.opponent.mu();
        1.0 / (1.0 + (-weight(game.opponent.phi()) * lead).exp())
    }
}

impl RatingSystem {
    /// A rating after so many periods without a game: as high, and less sure.
    pub(crate) fn aged(&self, rating: Rating, periods: f64) -> Rating {
        let phi = rating.phi().hypot(rating.volatility * periods.sqrt());
        Rating { deviation: (phi * SCALE).min(self.most_deviation), ..rating }
    }

    /// A rating after games, at the end of so many periods since it last changed.
    pub(crate) fn rated(&self, before: Rating, games: &[RatedGame], periods: f64) -> Rating {
        if games.is_empty() {
            return self.aged(before, periods);
        }
        let after = self.unbounded(before, games, periods);
        let change = (after.value - before.value).clamp(-self.most_change, self.most_change);
        Rating {
            value: (before.value + change).max(self.least_value),
            deviation: after.deviation.clamp(self.least_deviation, self.most_deviation),
            volatility: after.volatility.min(self.most_volatility),
        }
    }

    /// Whether a rating is not sure yet.
    pub(crate) fn is_provisional(&self, rating: Rating) -> bool {
        rating.deviation >= self.provisional
    }

    /// Glickman's steps 3 to 7, without bounds.
    fn unbounded(&self, before: Rating, games: &[RatedGame], periods: f64) -> Rating {
        let (mut information, mut surprise) = (0.0, 0.0);
        for game in games {
            let (g, expected) = (weight(game.opponent.phi()), before.expected(game));
            information += g * g * expected * (1.0 - expected);
            surprise += g * (game.points - expected);
        }
        let volatility = self.volatility(before, 1.0 / information, surprise / information);
        let aged = before.phi().hypot(volatility * periods.sqrt());
        let phi = 1.0 / (1.0 / (aged * aged) + information).sqrt();
        let mu = before.mu() + phi * phi * surprise;
        Rating { value: mu * SCALE + CENTRE, deviation: phi * SCALE, volatility }
    }

    /// Step 5: the volatility under which games with this variance and this improvement are the least surprising, found by the
    /// Illinois method.
    fn volatility(&self, before: Rating, variance: f64, improvement: f64) -> f64 {
        let (phi2, gain2) = (before.phi().powi(2), improvement.powi(2));
        let a = before.volatility.powi(2).ln();
        let f = |x: f64| {
            let spread = phi2 + variance + x.exp();
            x.exp() * (gain2 - spread) / (2.0 * spread * spread) - (x - a) / self.tau.powi(2)
        };
        let (mut low, mut high) = (a, (gain2 - phi2 - variance).ln());
        if !high.is_finite() {
            let steps = (1..).map(|k| a - f64::from(k) * self.tau);
            high = steps.take(1000).find(|&x| f(x) >= 0.0).unwrap_or(a);
        }
        let (mut at_low, mut at_high) = (f(low), f(high));
        while (high - low).abs() > TOLERANCE {
            let middle = low + (low - high) * at_low / (at_high - at_low);
            let at_middle = f(middle);
            if at_middle * at_high <= 0.0 {
                (low, at_low) = (high, at_high);
            } else {
                at_low /= 2.0;
            }
            (high, at_high) = (middle, at_middle);
        }
        (low / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

    use super::*;

    const FREE: RatingSystem = RatingSystem {
        least_deviation: 0.0,
        most_deviation: f64::INFINITY,
        most_volatility: f64::INFINITY,
        least_value: f64::NEG_INFINITY,
        most_change: f64::INFINITY,
        ..SYSTEM
    };

    fn rating() -> impl Strategy<Value = Rating> {
        (400.0..3000.0, 30.0..500.0, 0.03..0.1f64).prop_map(|(value, deviation, volatility)| Rating {
            value,
            deviation,
            volatility,
        })
    }

    fn games(most: f64) -> impl Strategy<Value = Vec<RatedGame>> {
        let game = (rating(), prop_oneof![Just(0.0), Just(0.5), Just(1.0)], -most..=most);
        let game = game.prop_map(|(opponent, points, advantage)| RatedGame { opponent, points, advantage });
        proptest::collection::vec(game, 1..12)
    }

    /// The crate's result for a whole period without advantages.
    fn oracle(player: Rating, games: &[RatedGame]) -> Rating {
        let theirs = |rating: Rating| Glicko2Rating {
            rating: rating.value,
            deviation: rating.deviation,
            volatility: rating.volatility,
        };
        let results: Vec<_> = games
            .iter()
            .map(|game| {
                let outcome = match game.points {
                    1.0 => Outcomes::WIN,
                    0.0 => Outcomes::LOSS,
                    _ => Outcomes::DRAW,
                };
                (theirs(game.opponent), outcome)
            })
            .collect();
        let config = Glicko2Config { tau: SYSTEM.tau, convergence_tolerance: 1e-10 };
        let Glicko2Rating { rating, deviation, volatility } =
            glicko2_rating_period(&theirs(player), &results, &config);
        Rating { value: rating, deviation, volatility }
    }

    /// A second implementation: everything in Elo, the volatility by halving.
    fn plain(player: Rating, games: &[RatedGame], periods: f64) -> Rating {
        let q = 1.0 / 173.7178;
        let g = |deviation: f64| 1.0 / (1.0 + 3.0 * (q * deviation / PI).powi(2)).sqrt();
        let parts: Vec<(f64, f64, f64)> = games
            .iter()
            .map(|game| {
                let g = g(game.opponent.deviation);
                let lead = player.value + game.advantage - game.opponent.value;
                (g, 1.0 / (1.0 + (-g * q * lead).exp()), game.points)
            })
            .collect();
        // In Elo squared.
        let variance = 1.0 / parts.iter().map(|(g, e, _)| q * q * g * g * e * (1.0 - e)).sum::<f64>();
        let improvement = variance * q * parts.iter().map(|(g, e, points)| g * (points - e)).sum::<f64>();
        let start = player.volatility.powi(2).ln();
        let slope = |x: f64| {
            let own = (x.exp().sqrt() / q).powi(2);
            let spread = player.deviation.powi(2) + variance + own;
            let gained = own * (improvement.powi(2) - spread) / (2.0 * spread * spread);
            gained - (x - start) / SYSTEM.tau.powi(2)
        };
        // The best one is the first at which the slope changes its sign, up or down from the old one.
        let step = if slope(start) > 0.0 { 0.01 } else { -0.01 };
        let far = (1..).map(|k| start + f64::from(k) * step).find(|&x| (slope(x) > 0.0) != (step > 0.0));
        let far = far.expect("it ends somewhere");
        let (mut low, mut high) = (start.min(far), start.max(far));
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            // Where it is still rising the best one lies higher.
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        let volatility = (low / 2.0).exp();
        let aged = player.deviation.powi(2) + periods * (volatility / q).powi(2);
        let deviation = 1.0 / (1.0 / aged + 1.0 / variance).sqrt();
        let value = player.value + deviation.powi(2) * improvement / variance;
        Rating { value, deviation, volatility }
    }

    fn assert_near(found: Rating, expected: Rating) -> Result<(), TestCaseError> {
        let differences = [
            found.value - expected.value,
            found.deviation - expected.deviation,
            found.volatility - expected.volatility,
        ];
        prop_assert!(differences.iter().all(|d| d.abs() < 1e-6), "{found:?} instead of {expected:?}");
        Ok(())
    }

    proptest! {
        #[test]
        fn whole_periods_without_advantage_are_those_of_skillratings(player in rating(), games in games(0.0)) {
            assert_near(FREE.rated(player, &games, 1.0), oracle(player, &games))?;
        }

        #[test]
        fn parts_of_periods_and_advantages_are_those_of_another_implementation(
            player in rating(), games in games(150.0), periods in 0.0..40.0
        ) {
            assert_near(FREE.rated(player, &games, periods), plain(player, &games, periods))?;
        }

        #[test]
        fn bounds_hold_whatever_happens(player in rating(), games in games(150.0), periods in 0.0..4000.0) {
            let after = SYSTEM.rated(player, &games, periods);
            prop_assert!((45.0..=500.0).contains(&after.deviation) && after.volatility <= 0.1);
            prop_assert!(after.value >= 400.0 && (after.value - player.value).abs() < 700.000_001);
        }

        #[test]
        fn who_scores_as_expected_stays_and_who_scores_more_rises(player in rating(), game in rating()) {
            let mut game = RatedGame { opponent: game, points: 0.0, advantage: 35.0 };
            game.points = player.expected(&game);
            prop_assert!((FREE.rated(player, &[game], 0.5).value - player.value).abs() < 1e-9);
            game.points += 0.01;
            prop_assert!(FREE.rated(player, &[game], 0.5).value > player.value);
        }
    }

    #[test]
    fn glickmans_example_comes_out() {
        let player = Rating { value: 1500.0, deviation: 200.0, volatility: 0.06 };
        let game = |value, deviation, points| RatedGame {
            opponent: Rating { value, deviation, volatility: 0.06 },
            points,
            advantage: 0.0,
        };
        let games = [game(1400.0, 30.0, 1.0), game(1550.0, 100.0, 0.0), game(1700.0, 300.0, 0.0)];
        let after = RatingSystem { tau: 0.5, ..FREE }.rated(player, &games, 1.0);
        assert!((after.value - 1464.06).abs() < 0.01 && (after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 1e-5);
    }

    #[test]
    fn a_year_without_games_makes_a_sure_rating_provisional() {
        let sure = Rating { value: 1700.0, deviation: 60.0, volatility: 0.09 };
        let after = SYSTEM.aged(sure, 365.0 * SYSTEM.periods_a_day);
        assert!(!SYSTEM.is_provisional(sure) && (105.0..=160.0).contains(&after.deviation), "{after:?}");
        assert_eq!(after.value, sure.value);
        assert_eq!(SYSTEM.aged(sure, 1e9).deviation, 500.0);
    }

    #[test]
    fn the_first_move_counts() {
        let even = SYSTEM.start;
        let won = |advantage| {
            SYSTEM.rated(even, &[RatedGame { opponent: even, points: 1.0, advantage }], 0.0).value
        };
        assert!(won(41.0) < won(0.0) && won(0.0) < won(-41.0), "a win with the better side is worth less");
    }
}

//! What a rated game does to the ratings of its two players.

use sumito_rules::ByColor;

use super::class::{Class, advantage};
use super::person::PersonId;
use super::rating::{RatedGame, Rating, SYSTEM};

const DAY: f64 = 24.0 * 3600.0 * 1000.0;

/// A rated game that is over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatedResult {
    pub(crate) at: i64,
    pub(crate) class: Class,
    pub(crate) layout: Option<String>,
    /// The version of the table of advantages.
    pub(crate) advantages: i64,
    /// The version of the table of anchors.
    pub(crate) anchors: i64,
    pub(crate) players: ByColor<PersonId>,
    /// Black's.
    pub(crate) points: f64,
}

/// Somebody's rating in a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    pub(crate) rating: Rating,
    pub(crate) games: i64,
    /// When it last changed.
    pub(crate) updated: i64,
}

impl Standing {
    /// That of somebody who has not played yet.
    pub(crate) fn new(at: i64) -> Standing {
        Standing { rating: SYSTEM.start, games: 0, updated: at }
    }

    /// The same with what a game took or gave taken back.
    #[must_use]
    pub(crate) fn refunded(mut self, points: f64) -> Standing {
        if !self.rating.is_fixed() {
            self.rating.value = (self.rating.value + points).max(SYSTEM.least_value);
        }
        self
    }

    /// The periods that have passed by then.
    fn periods(&self, at: i64) -> f64 {
        (at - self.updated).max(0) as f64 / DAY * SYSTEM.periods_a_day
    }

    /// As sure as it still is by then.
    pub(crate) fn now(&self, at: i64) -> Rating {
        SYSTEM.aged(self.rating, self.periods(at))
    }
}

impl RatedResult {
    /// What the ratings of both players become.
    pub(crate) fn rated(&self, before: ByColor<Standing>) -> ByColor<Standing> {
        let black = advantage(self.layout.as_deref(), self.advantages);
        let now = before.map(|standing| standing.now(self.at));
        let of = |standing: Standing, opponent: Rating, points: f64, advantage: f64| {
            let game = RatedGame { opponent, points, advantage };
            let rating = match standing.rating {
                fixed if fixed.is_fixed() => fixed,
                before => SYSTEM.rated(before, &[game], standing.periods(self.at)),
            };
            Standing { rating, games: standing.games + 1, updated: self.at }
        };
        ByColor::new(
            of(before.black, now.white, self.points, black),
            of(before.white, now.black, 1.0 - self.points, -black),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::anchor;

    fn result(points: f64) -> RatedResult {
        let players = ByColor::new(PersonId(1), PersonId(2));
        RatedResult { at: 0, class: Class::Blitz, layout: None, advantages: 1, anchors: 1, players, points }
    }

    #[test]
    fn who_wins_rises_and_black_has_to_win_more_often_to_stay() {
        let sure = Standing { rating: Rating { deviation: 60.0, ..SYSTEM.start }, games: 50, updated: 0 };
        let after = |points| result(points).rated(ByColor::new(sure, sure));
        let won = after(1.0);
        assert!(won.black.rating.value > 1500.0 && won.white.rating.value < 1500.0);
        let drawn = after(0.5);
        assert!(drawn.black.rating.value < 1500.0 && drawn.white.rating.value > 1500.0);
        assert!((drawn.black.rating.value + drawn.white.rating.value - 3000.0).abs() < 1e-9);
        // With Black's share of the games among people nobody gains in the long run.
        let mean = |at: fn(&ByColor<Standing>) -> f64| 0.5586 * at(&after(1.0)) + 0.4414 * at(&after(0.0));
        assert!((mean(|after| after.black.rating.value) - 1500.0).abs() < 0.05);
        assert_eq!((won.black.games, won.black.updated), (51, 0));
    }

    #[test]
    fn an_anchor_never_moves_and_moves_others() {
        let anchor = Standing { rating: Rating::fixed(-170.0, 50.0), games: 3, updated: 0 };
        let person = Standing::new(0);
        for points in [0.0, 0.5, 1.0] {
            let result = RatedResult { at: 400 * DAY as i64, ..result(points) };
            let after = result.rated(ByColor::new(person, anchor));
            assert_eq!(
                after.white,
                Standing { games: 4, updated: result.at, ..anchor },
                "below the floor, years later"
            );
            assert_ne!(after.black.rating.value, 1500.0);
            assert_eq!(after.white.refunded(0.0), after.white, "nor is it lifted to the floor");
        }
    }

    #[test]
    fn a_rating_becomes_less_sure_while_nothing_is_played() {
        let sure = Standing {
            rating: Rating { deviation: 60.0, volatility: 0.06, ..SYSTEM.start },
            games: 50,
            updated: 0,
        };
        let year = sure.now(365 * DAY as i64);
        assert!((year.deviation - 110.0).abs() < 1.0 && year.value == 1500.0, "{year:?}");
    }

    /// Numbers that are the same in each run.
    struct Lot(u64);

    impl Lot {
        /// From 0 to 1.
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// A normal one, as the sum of twelve.
        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.next()).sum::<f64>() - 6.0
        }
    }

    /// The correlation of pairs, and the mean of how far apart they are.
    fn agreement(pairs: &[(f64, f64)]) -> (f64, f64) {
        let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
        let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
        let both = sum(&|pair| (pair.0 - x) * (pair.1 - y));
        let (own, other) = (sum(&|pair| (pair.0 - x).powi(2)), sum(&|pair| (pair.1 - y).powi(2)));
        (both / (own * other).sqrt(), mean(|pair| (pair.0 - pair.1).abs()))
    }

    /// Five hundred players of known strength play fifty games each: as in a lobby against somebody of about their rating, each tenth
    /// against the nearest anchor. Whoever has Black has what Black is worth.
    #[test]
    fn five_hundred_players_of_known_strength_are_found_within_fifty_games() {
        const PLAYERS: usize = 500;
        const GAMES: usize = 50;
        let mut lot = Lot(7);
        let strengths: Vec<f64> = (0..PLAYERS).map(|_| 1500.0 + 350.0 * lot.normal()).collect();
        let mut players = vec![Standing::new(0); PLAYERS];
        let anchors = anchor::ALL.map(|anchor| anchor.rating(anchor::ANCHORS));
        let mut fixed = anchors.map(|rating| Standing { rating, games: 0, updated: 0 });
        for round in 0..GAMES {
            let at = round as i64 * (DAY as i64 / 5);
            let mut order: Vec<(f64, usize)> =
                (0..PLAYERS).map(|who| (players[who].rating.value + 150.0 * lot.normal(), who)).collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            for pair in order.chunks(2) {
                let (one, other) = (pair[0].1, pair[1].1);
                let mut play = |one: (Standing, f64), other: (Standing, f64)| {
                    // Colours by lot.
                    let is_black = lot.next() < 0.5;
                    let (black, white) = if is_black { (one, other) } else { (other, one) };
                    let lead = black.1 + advantage(None, 1) - white.1;
                    let won = lot.next() < 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
                    let rated =
                        RatedResult { at, ..result(f64::from(won)) }.rated(ByColor::new(black.0, white.0));
                    if is_black { (rated.black, rated.white) } else { (rated.white, rated.black) }
                };
                if round % 10 != 9 {
                    let both = play((players[one], strengths[one]), (players[other], strengths[other]));
                    (players[one], players[other]) = both;
                    continue;
                }
                for who in [one, other] {
                    let far = |standing: &Standing| (standing.rating.value - players[who].rating.value).abs();
                    let nearest = (0..fixed.len()).min_by(|&a, &b| far(&fixed[a]).total_cmp(&far(&fixed[b])));
                    let nearest = nearest.expect("an anchor");
                    let strength = anchor::ALL[nearest].value;
                    (players[who], fixed[nearest]) =
                        play((players[who], strengths[who]), (fixed[nearest], strength));
                }
            }
        }
        let found: Vec<(f64, f64)> = strengths
            .iter()
            .zip(&players)
            .map(|(&strength, player)| (strength, player.rating.value))
            .collect();
        let (correlation, error) = agreement(&found);
        let off = found.iter().map(|(strength, value)| value - strength).sum::<f64>() / PLAYERS as f64;
        println!(
            "{PLAYERS} players after {GAMES} games: correlation {correlation:.4}, mean error {error:.1}, all together {off:+.1} off"
        );
        assert!(players.iter().all(|player| player.games == GAMES as i64));
        assert!(correlation > 0.96 && error < 80.0 && off.abs() < 30.0);
        assert!(
            fixed.iter().zip(&anchors).all(|(after, before)| after.rating == *before),
            "anchors that moved"
        );
        assert_eq!(fixed.iter().map(|anchor| anchor.games).sum::<i64>(), (PLAYERS * GAMES / 10) as i64);
    }
}

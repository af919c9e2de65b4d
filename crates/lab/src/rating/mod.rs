//! Ratings over any number of matches: the Bradley-Terry model, by which a player that is d Elo stronger scores
//! 1 / (1 + 10^(-d/400)), with a draw as half a win.
//!
//! The ratings are those under which the results are likeliest, found by Newton's method. The errors are 95 %
//! intervals from the curvature of the likelihood there, relative to the anchor: the mean of all players, or
//! one of them. Draws make the true errors a little smaller than these.
//!
//! The likelihood has a maximum only if no group of players won all its games against the others, or never
//! met them. Where that is so, every player is given one virtual draw, and the result says that it was done. It
//! is spread over the player's opponents as its games are: a draw against an average player would pull those who
//! met only their neighbours in strength far towards the middle, and out of order. Only where groups of players
//! never met is the average player needed, to tie them together.

mod model;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sumito_rules::{ByColor, Color, Outcome};

use crate::run::{RunError, for_each_line};
use crate::stats::{Ending, WdlCount, Z95};
use model::{ELO, RatingModel, VirtualDraws, invert};

/// Results between any number of players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// By the players' numbers, the lower first, as it sees them.
    games: BTreeMap<(usize, usize), WdlCount>,
}

/// What the ratings are relative to.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// The mean of all players is 0.
    Mean,
    /// A player has this rating.
    Player(String, f64),
}

/// The ratings, the best player first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// Whether every player was given a virtual draw, because the results alone leave ratings infinite.
    pub virtual_draws: bool,
    /// The players.
    pub players: Vec<Rating>,
    /// How the ratings vary together, in Elo squared, by the players' places.
    #[serde(skip)]
    covariance: Vec<Vec<f64>>,
}

/// How much stronger one player is than another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// In Elo.
    pub elo: f64,
    /// Half of its own 95 % interval: smaller than those of both ratings suggest where the two met the same opponents.
    pub error: f64,
}

impl Ratings {
    /// How much stronger a player is than another, by their places in the list.
    pub fn difference(&self, one: usize, other: usize) -> Difference {
        let covariance = |i: usize, j: usize| self.covariance[i][j];
        let variance = covariance(one, one) + covariance(other, other) - 2.0 * covariance(one, other);
        Difference {
            elo: self.players[one].elo - self.players[other].elo,
            error: Z95 * variance.max(0.0).sqrt(),
        }
    }

    /// The place of a player.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.name == name)
    }
}

/// A player's rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Its name.
    pub name: String,
    /// Elo relative to the anchor.
    pub elo: f64,
    /// Half of the 95 % interval; 0 for the anchor itself.
    pub error: f64,
    /// Won, drawn, lost.
    pub games: WdlCount,
    /// Points per game.
    pub score: f64,
}

/// Why there are no ratings.
#[derive(Debug, thiserror::Error)]
pub enum RatingError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There are no games.
    #[error("expected at least one game, found none")]
    NoGames,
    /// The anchor did not play.
    #[error("expected one of the players as anchor ({players}), found '{name}'")]
    NoAnchor {
        /// The name.
        name: String,
        /// The players there are.
        players: String,
    },
}

/// What ratings need of a game.
#[derive(Deserialize)]
struct Line {
    players: ByColor<String>,
    outcome: Outcome,
}

impl Results {
    /// Adds a game.
    pub fn add(&mut self, black: &str, white: &str, winner: Option<Color>) {
        let ending = match winner {
            Some(Color::Black) => Ending::Win,
            Some(Color::White) => Ending::Loss,
            None => Ending::Draw,
        };
        let (b, w) = (self.number(black), self.number(white));
        let (key, ending) = if b < w { ((b, w), ending) } else { ((w, b), ending.reversed()) };
        if b != w {
            self.games.entry(key).or_default().add(ending);
        }
    }

    /// Adds the games of a match: its folder, or its `games.jsonl`.
    pub fn read(&mut self, path: &Path) -> Result<(), RatingError> {
        let file: PathBuf = if path.is_dir() { path.join("games.jsonl") } else { path.to_path_buf() };
        for_each_line(&file, |_, text| {
            let line: Line = serde_json::from_str(text).map_err(|why| why.to_string())?;
            self.add(&line.players.black, &line.players.white, line.outcome.winner);
            Ok(())
        })?;
        Ok(())
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// The ratings of all players.
    pub fn ratings(&self, anchor: &Anchor) -> Result<Ratings, RatingError> {
        if self.games.is_empty() {
            return Err(RatingError::NoGames);
        }
        let anchored = self.anchor(anchor)?;
        let virtual_draws = self.virtual_draws();
        let model = RatingModel::new(self.names.len(), &self.games, virtual_draws);
        let values = model.fit();
        let covariance = invert(model.curvature(&values));
        let n = self.names.len();
        let rating = |i: usize| {
            // The rating relative to the anchor is a sum over players with these weights.
            let weight = |j: usize| f64::from(u8::from(i == j)) - anchored.weight(j, n);
            let value: f64 = (0..n).map(|j| weight(j) * values[j]).sum();
            let terms = (0..n).flat_map(|j| (0..n).map(move |k| (j, k)));
            let variance: f64 = terms.map(|(j, k)| weight(j) * weight(k) * covariance[j][k]).sum();
            let games = self.games_of(i);
            Rating {
                name: self.names[i].clone(),
                elo: anchored.value + value * ELO,
                error: Z95 * variance.max(0.0).sqrt() * ELO,
                games,
                score: games.points() / games.games().max(1) as f64,
            }
        };
        let mut players: Vec<(usize, Rating)> = (0..n).map(|i| (i, rating(i))).collect();
        players.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
        let row = |&(i, _): &(usize, Rating)| {
            players.iter().map(|&(j, _)| covariance[i][j] * ELO * ELO).collect::<Vec<f64>>()
        };
        let covariance = players.iter().map(row).collect();
        let players = players.into_iter().map(|(_, rating)| rating).collect();
        Ok(Ratings { virtual_draws: virtual_draws != VirtualDraws::None, players, covariance })
    }

    fn anchor(&self, anchor: &Anchor) -> Result<Anchored, RatingError> {
        match anchor {
            Anchor::Mean => Ok(Anchored { player: None, value: 0.0 }),
            Anchor::Player(name, value) => match self.numbers.get(name) {
                Some(&player) => Ok(Anchored { player: Some(player), value: *value }),
                None => Err(RatingError::NoAnchor { name: name.clone(), players: self.names.join(", ") }),
            },
        }
    }

    fn games_of(&self, player: usize) -> WdlCount {
        let mut sum = WdlCount::default();
        for (&(low, high), &games) in &self.games {
            if low == player {
                sum += games;
            } else if high == player {
                sum += games.reversed();
            }
        }
        sum
    }

    /// What it takes to keep all ratings finite.
    fn virtual_draws(&self) -> VirtualDraws {
        let tied = self.reaches_all(|games| games.wins + games.draws > 0)
            && self.reaches_all(|games| games.losses + games.draws > 0);
        if tied {
            VirtualDraws::None
        } else if self.reaches_all(|_| true) {
            VirtualDraws::AgainstOpponents
        } else {
            VirtualDraws::AgainstAverage
        }
    }

    /// Whether from the first player steps to opponents, where the results between the two allow it, lead to all.
    fn reaches_all(&self, leads: impl Fn(WdlCount) -> bool) -> bool {
        let mut reached = vec![false; self.names.len()];
        let mut todo = vec![0];
        while let Some(player) = todo.pop() {
            if std::mem::replace(&mut reached[player], true) {
                continue;
            }
            for (&(low, high), &games) in &self.games {
                if low == player && leads(games) {
                    todo.push(high);
                } else if high == player && leads(games.reversed()) {
                    todo.push(low);
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    }
}

/// The anchor by number, and its rating.
struct Anchored {
    player: Option<usize>,
    value: f64,
}

impl Anchored {
    /// How much a player counts in what is subtracted from every rating.
    fn weight(&self, player: usize, players: usize) -> f64 {
        match self.player {
            None => 1.0 / players as f64,
            Some(anchor) => f64::from(u8::from(anchor == player)),
        }
    }
}

#[cfg(test)]
mod tests {
    use sumito_engine::Rng;

    use super::*;
    use crate::stats::score_of;

    /// Results from (first, second, won, drawn, lost).
    fn results(meetings: &[(&str, &str, u64, u64, u64)]) -> Results {
        let mut results = Results::default();
        for &(one, other, won, drawn, lost) in meetings {
            (0..won).for_each(|_| results.add(one, other, Some(Color::Black)));
            (0..drawn).for_each(|_| results.add(one, other, None));
            (0..lost).for_each(|_| results.add(other, one, Some(Color::Black)));
        }
        results
    }

    fn rate(results: &Results, anchor: &Anchor) -> Ratings {
        results.ratings(anchor).expect("ratings")
    }

    fn find<'a>(ratings: &'a Ratings, name: &str) -> &'a Rating {
        ratings.players.iter().find(|rating| rating.name == name).expect("a player")
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let ratings = rate(&results(&[("a", "b", 50, 20, 30)]), &Anchor::Mean);
        assert!(!ratings.virtual_draws);
        let difference = find(&ratings, "a").elo - find(&ratings, "b").elo;
        assert!((difference - 70.4365).abs() < 1e-3, "{difference}");
        assert!((find(&ratings, "a").elo + find(&ratings, "b").elo).abs() < 1e-9);
    }

    #[test]
    fn the_error_of_two_players_is_that_of_the_logistic_curve() {
        let ratings = rate(&results(&[("a", "b", 60, 0, 40)]), &Anchor::Player("b".into(), 1000.0));
        // 1.96 * 173.7 / sqrt(100 * 0.6 * 0.4)
        assert!((find(&ratings, "a").error - 69.50).abs() < 0.01, "{}", find(&ratings, "a").error);
        assert_eq!((find(&ratings, "b").elo, find(&ratings, "b").error), (1000.0, 0.0));
    }

    #[test]
    fn a_difference_has_an_error_of_its_own() {
        let meetings = [("a", "b", 60, 0, 40), ("b", "c", 60, 0, 40), ("c", "d", 60, 0, 40)];
        let ratings = rate(&results(&meetings), &Anchor::Mean);
        let between = |one: &str, other: &str| {
            let place = |name| ratings.place(name).expect("a player");
            ratings.difference(place(one), place(other))
        };
        // Neighbours know of each other by their own games alone: 1.96 * 173.7 / sqrt(100 * 0.6 * 0.4).
        assert!((between("a", "b").error - 69.50).abs() < 0.01, "{:?}", between("a", "b"));
        // Along a chain the errors add up as squares do.
        assert!((between("a", "d").error - 69.50 * 3f64.sqrt()).abs() < 0.02, "{:?}", between("a", "d"));
        assert!((between("a", "d").elo - 3.0 * 70.4365).abs() < 0.01);
        assert_eq!(between("d", "a").elo, -between("a", "d").elo);
        assert_eq!(between("a", "a"), Difference { elo: 0.0, error: 0.0 });
    }

    #[test]
    fn expected_and_actual_points_agree_for_every_player() {
        let meetings = [
            ("a", "b", 7, 3, 4),
            ("b", "c", 9, 1, 2),
            ("c", "d", 3, 3, 5),
            ("a", "d", 2, 0, 1),
            ("a", "c", 5, 1, 1),
        ];
        let ratings = rate(&results(&meetings), &Anchor::Mean);
        for rating in &ratings.players {
            let expected: f64 = meetings
                .iter()
                .filter(|m| m.0 == rating.name || m.1 == rating.name)
                .map(|m| {
                    let other = if m.0 == rating.name { m.1 } else { m.0 };
                    (m.2 + m.3 + m.4) as f64 * score_of(rating.elo - find(&ratings, other).elo)
                })
                .sum();
            assert!((expected - rating.games.points()).abs() < 1e-6, "{}", rating.name);
        }
    }

    #[test]
    fn an_anchor_shifts_all_alike() {
        let results = results(&[("a", "b", 7, 3, 4), ("b", "c", 9, 1, 2), ("a", "c", 5, 1, 1)]);
        let mean = rate(&results, &Anchor::Mean);
        let anchored = rate(&results, &Anchor::Player("c".into(), 1500.0));
        let shift = |name| find(&anchored, name).elo - find(&mean, name).elo;
        assert_eq!(find(&anchored, "c").elo, 1500.0);
        assert!((shift("a") - shift("b")).abs() < 1e-9 && (shift("a") - shift("c")).abs() < 1e-9);
    }

    #[test]
    fn a_player_that_won_everything_stays_finite_by_virtual_draws() {
        let ratings = rate(&results(&[("a", "b", 10, 0, 0), ("b", "c", 6, 0, 4)]), &Anchor::Mean);
        assert!(ratings.virtual_draws);
        assert_eq!(ratings.players.iter().map(|r| &r.name[..]).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert!(ratings.players.iter().all(|r| r.elo.is_finite() && r.error.is_finite() && r.error > 0.0));
    }

    #[test]
    fn groups_that_never_met_are_tied_by_virtual_draws() {
        let ratings = rate(&results(&[("a", "b", 6, 0, 4), ("c", "d", 6, 0, 4)]), &Anchor::Mean);
        assert!(ratings.virtual_draws);
        assert!((find(&ratings, "a").elo - find(&ratings, "c").elo).abs() < 1e-6);
        let tied = find(&rate(&results(&[("a", "b", 6, 0, 4)]), &Anchor::Mean), "a").error;
        assert!(find(&ratings, "a").error > tied);
    }

    #[test]
    fn virtual_draws_leave_a_ladder_of_neighbours_its_steps() {
        // Each beats the next by 3 to 1, 191 Elo a step; the last loses everything.
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
        let steps = names.windows(2).map(|pair| (pair[0], pair[1], 6, 0, 2)).collect::<Vec<_>>();
        let ratings = rate(&results(&[&steps[..], &[("l", "z", 8, 0, 0)]].concat()), &Anchor::Mean);
        assert!(ratings.virtual_draws);
        let span = find(&ratings, "a").elo - find(&ratings, "l").elo;
        assert!((0.8..1.0).contains(&(span / (11.0 * 190.85))), "{span}");
        assert_eq!(ratings.players.iter().map(|r| &r.name[..]).collect::<String>(), "abcdefghijklz");
    }

    #[test]
    fn more_games_make_smaller_errors() {
        let error = |n: u64| find(&rate(&results(&[("a", "b", 6 * n, 0, 4 * n)]), &Anchor::Mean), "a").error;
        assert!((error(1) / error(4) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn simulated_players_get_their_ratings_back_within_the_errors() {
        let truth = [("a", 150.0), ("b", 50.0), ("c", 0.0), ("d", -60.0), ("e", -140.0)];
        let mut rng = Rng::new(5);
        let (mut inside, mut all) = (0, 0);
        for _ in 0..40 {
            let mut results = Results::default();
            for (i, &(one, r)) in truth.iter().enumerate() {
                for &(other, s) in &truth[..i] {
                    for _ in 0..100 {
                        let winner = if rng.unit() < score_of(r - s) { Color::Black } else { Color::White };
                        results.add(one, other, Some(winner));
                    }
                }
            }
            let ratings = rate(&results, &Anchor::Mean);
            for (name, elo) in truth {
                let rating = find(&ratings, name);
                all += 1;
                inside += usize::from((rating.elo - elo).abs() <= rating.error);
            }
        }
        // 95 % of 200, give or take three standard deviations of 3.
        assert!((181..=199).contains(&inside), "{inside} of {all}");
    }

    #[test]
    fn an_unknown_anchor_and_no_games_are_refused() {
        let error = results(&[("a", "b", 1, 1, 1)]).ratings(&Anchor::Player("x".into(), 0.0));
        assert_eq!(
            error.expect_err("unknown").to_string(),
            "expected one of the players as anchor (a, b), found 'x'"
        );
        assert!(matches!(Results::default().ratings(&Anchor::Mean), Err(RatingError::NoGames)));
    }
}

//! Who plays whom, with which colour, on which opening: a pure function of the plan.

use serde::{Deserialize, Serialize};
use sumito_engine::Rng;
use sumito_rules::ByColor;

/// Which players meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Each player meets so many that come next in the list.
    Neighbours(usize),
}

/// What a schedule is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulePlan {
    /// How many players there are.
    pub players: usize,
    /// Which of them meet.
    pub format: Format,
    /// How long it is; before that, how long it was each time that it was made longer.
    pub extents: Vec<Extent>,
    /// The seed of the order of openings and of the players' seeds.
    pub seed: u64,
}

/// How long a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// How many pairs of games each two players play.
    pub pairs: usize,
    /// How many openings there are.
    pub openings: usize,
}

/// One game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule. Games 2n and 2n+1 are a pair: the same opening with colours changed.
    pub index: usize,
    /// The players by number.
    pub players: ByColor<usize>,
    /// The opening by number.
    pub opening: usize,
    /// Seeds for players that make random choices, different in every game.
    pub seeds: ByColor<u64>,
}

impl Fixture {
    /// The pair that the game belongs to.
    pub fn pair(&self) -> usize {
        self.index / 2
    }
}

/// The players that meet, the lower number first.
pub fn pairings(players: usize, format: Format) -> Vec<(usize, usize)> {
    let (firsts, reach) = match format {
        Format::RoundRobin => (players, players),
        Format::Gauntlet => (players.min(1), players),
        Format::Neighbours(reach) => (players, reach),
    };
    let seconds = |first: usize| first + 1..players.min(first + 1 + reach);
    (0..firsts).flat_map(|first| seconds(first).map(move |second| (first, second))).collect()
}

/// All games in order: in each round every pairing plays one pair of games, all on the same opening; among
/// neighbours, who play few rounds, each pairing on the opening after that of the pairing before. Every opening
/// comes up once for a pairing before any comes up again. What is added to a match comes after its games: the openings
/// added are in an order of their own.
pub fn schedule(plan: &SchedulePlan) -> Vec<Fixture> {
    let pairings = pairings(plan.players, plan.format);
    let shift = usize::from(matches!(plan.format, Format::Neighbours(_)));
    let (mut order, mut round, mut fixtures) = (Vec::new(), 0, Vec::new());
    for extent in &plan.extents {
        let mut added: Vec<usize> = (order.len()..extent.openings).collect();
        Rng::new(plan.seed).shuffle(&mut added);
        order.extend(added);
        for round in round..extent.pairs {
            for (place, &(one, other)) in pairings.iter().enumerate() {
                let opening = order[(round + shift * place) % order.len()];
                for players in [ByColor::new(one, other), ByColor::new(other, one)] {
                    let index = fixtures.len();
                    fixtures.push(Fixture { index, players, opening, seeds: seeds(plan.seed, index) });
                }
            }
        }
        round = extent.pairs;
    }
    fixtures
}

/// Two seeds for a game. They fit into 31 bits: every seed option takes that.
pub(crate) fn seeds(seed: u64, index: usize) -> ByColor<u64> {
    let mut rng = Rng::new(seed ^ Rng::new(index as u64).next_u64());
    ByColor::new(rng.next_u64() >> 33, rng.next_u64() >> 33)
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    fn plan(extents: &[(usize, usize)]) -> SchedulePlan {
        let extents = extents.iter().map(|&(pairs, openings)| Extent { pairs, openings }).collect();
        SchedulePlan { players: 4, format: Format::RoundRobin, extents, seed: 7 }
    }

    /// Ten pairs on five openings.
    fn ten() -> SchedulePlan {
        plan(&[(10, 5)])
    }

    #[test]
    fn every_two_players_meet_equally_often_with_each_colour() {
        let mut met: HashMap<(usize, usize), usize> = HashMap::new();
        for game in schedule(&ten()) {
            *met.entry((game.players.black, game.players.white)).or_default() += 1;
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|&games| games == 10), "{met:?}");
    }

    #[test]
    fn a_pair_is_one_opening_with_colours_changed() {
        for pair in schedule(&ten()).chunks(2) {
            assert_eq!(pair[0].players.swapped(), pair[1].players);
            assert_eq!((pair[0].opening, pair[0].pair()), (pair[1].opening, pair[1].pair()));
        }
    }

    #[test]
    fn the_gauntlet_is_the_first_against_all() {
        assert_eq!(pairings(4, Format::Gauntlet), [(0, 1), (0, 2), (0, 3)]);
        let games = schedule(&SchedulePlan { format: Format::Gauntlet, ..ten() });
        assert_eq!(games.len(), 3 * 10 * 2);
        assert!(games.iter().all(|game| game.players.black == 0 || game.players.white == 0));
    }

    #[test]
    fn neighbours_meet_within_their_reach_on_changing_openings() {
        let format = Format::Neighbours(2);
        assert_eq!(pairings(4, format), [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
        let games = schedule(&SchedulePlan { format, ..plan(&[(1, 5)]) });
        let openings: HashSet<usize> = games.iter().map(|game| game.opening).collect();
        assert_eq!((games.len(), openings.len()), (5 * 2, 5));
    }

    #[test]
    fn every_pairing_plays_every_opening_equally_often() {
        let mut played: HashMap<(usize, usize, usize), usize> = HashMap::new();
        for game in schedule(&ten()) {
            *played.entry((game.players.black, game.players.white, game.opening)).or_default() += 1;
        }
        assert_eq!(played.len(), 12 * 5);
        assert!(played.values().all(|&games| games == 2), "{played:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_schedule_and_another_another() {
        assert_eq!(schedule(&ten()), schedule(&ten()));
        let openings = |seed| {
            schedule(&SchedulePlan { seed, ..ten() }).iter().map(|game| game.opening).collect::<Vec<_>>()
        };
        assert_ne!(openings(7), openings(8));
    }

    #[test]
    fn a_longer_match_begins_with_the_shorter_one() {
        let short = schedule(&ten());
        // With as many openings, told of the shorter one or not; with more, only if told of it.
        for long in [plan(&[(13, 5)]), plan(&[(10, 5), (13, 5)]), plan(&[(10, 5), (13, 8)])] {
            let long = schedule(&long);
            assert_eq!((&short[..], long.len()), (&long[..short.len()], 13 * 12));
        }
        let added: HashSet<usize> =
            schedule(&plan(&[(5, 5), (8, 8)]))[5 * 12..].iter().map(|game| game.opening).collect();
        assert_eq!(added, HashSet::from([5, 6, 7]));
    }

    #[test]
    fn no_two_players_share_a_seed() {
        let games = schedule(&ten());
        let seeds: HashSet<u64> =
            games.iter().flat_map(|game| [game.seeds.black, game.seeds.white]).collect();
        assert_eq!(seeds.len(), 2 * games.len());
    }
}

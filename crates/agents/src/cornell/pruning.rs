//! Heuristic alpha-beta (section 3.2): which values of the presorting heuristics are not worth a search,
//! learned as percentiles from the agent's own first moves.

use super::presort::{Traits, Weights};

/// After so many moves of a game the cutoffs are known.
const LEARNING_MOVES: u32 = 4;

/// The percentiles to prune at, which narrow by a constant amount with each ply (section 3.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Percentiles {
    /// Values below this one are pruned at the first ply.
    pub(super) floor: f64,
    /// Values above this one are pruned at the second ply; at the first none are.
    pub(super) ceiling: f64,
    /// By how much the floor rises and the ceiling falls with each further ply.
    pub(super) step: f64,
}

impl Percentiles {
    /// The 10th; the 15th and 90th; the 20th and 85th.
    pub(super) const DEFAULT: Percentiles = Percentiles { floor: 10.0, ceiling: 90.0, step: 5.0 };

    /// Floor and ceiling at a ply, from 1; 0 and 100 prune nothing.
    fn at(&self, ply: u32) -> (f64, f64) {
        let floor = self.floor + self.step * f64::from(ply - 1);
        let ceiling = if ply == 1 { 100.0 } else { self.ceiling - self.step * f64::from(ply - 2) };
        (floor.min(100.0), ceiling.max(0.0))
    }
}

/// The values that are worth a search, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    /// The least.
    pub(super) floor: f64,
    /// The most.
    pub(super) ceiling: f64,
}

impl Band {
    /// Every value.
    pub(super) const ALL: Band = Band { floor: f64::NEG_INFINITY, ceiling: f64::INFINITY };
}

/// What the agent knows about pruning, as a game goes on.
#[derive(Clone, Debug)]
pub(super) enum Pruning {
    /// The plain search.
    Off,
    /// The first moves: every child's traits are noted.
    Learning {
        /// Those seen so far.
        pool: Pool,
        /// Moves made so far.
        moves: u32,
    },
    /// The bands from the first ply on.
    On(Vec<Band>),
}

impl Pruning {
    /// At the start of a game.
    pub(super) fn new(on: bool) -> Pruning {
        if on { Pruning::Learning { pool: Pool::new(), moves: 0 } } else { Pruning::Off }
    }

    /// Notes a child, if it is the time for it.
    #[inline]
    pub(super) fn see(&mut self, traits: Traits) {
        if let Pruning::Learning { pool, .. } = self {
            pool.add(traits);
        }
    }

    /// The values to search at a ply, from 1.
    #[inline]
    pub(super) fn band(&self, ply: u32) -> Band {
        match self {
            Pruning::On(bands) => bands[ply as usize - 1],
            _ => Band::ALL,
        }
    }

    /// A move has been chosen: after the fourth the cutoffs are set, for `depth` plies.
    pub(super) fn end_move(&mut self, weights: &Weights, percentiles: &Percentiles, depth: u32) {
        if let Pruning::Learning { pool, moves } = self {
            *moves += 1;
            if *moves == LEARNING_MOVES {
                *self = Pruning::On(pool.bands(weights, percentiles, depth));
            }
        }
    }
}

/// How often each of the possible traits was seen: as good as a list of all values, in constant space.
#[derive(Clone, Debug)]
pub(super) struct Pool(Vec<u64>);

impl Pool {
    fn new() -> Pool {
        Pool(vec![0; Traits::COUNT])
    }

    #[inline]
    fn add(&mut self, traits: Traits) {
        self.0[traits.index()] += 1;
    }

    fn bands(&self, weights: &Weights, percentiles: &Percentiles, depth: u32) -> Vec<Band> {
        let values = self.values(weights);
        let cutoff = |percent| nearest_rank(&values, percent);
        let band = |(floor, ceiling)| Band {
            floor: if floor > 0.0 { cutoff(floor) } else { None }.unwrap_or(Band::ALL.floor),
            ceiling: if ceiling < 100.0 { cutoff(ceiling) } else { None }.unwrap_or(Band::ALL.ceiling),
        };
        (1..=depth).map(|ply| band(percentiles.at(ply))).collect()
    }

    /// The values seen and how often, in ascending order.
    fn values(&self, weights: &Weights) -> Vec<(f64, u64)> {
        let seen = self.0.iter().enumerate().filter(|&(_, &count)| count > 0);
        let mut values: Vec<(f64, u64)> =
            seen.map(|(index, &count)| (weights.value(Traits::from_index(index)), count)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        values
    }
}

/// The least value that so many percent of all do not exceed; none if there are no values.
fn nearest_rank(values: &[(f64, u64)], percent: f64) -> Option<f64> {
    let total: u64 = values.iter().map(|&(_, count)| count).sum();
    let rank = (percent * total as f64 / 100.0).ceil() as u64;
    let mut seen = 0;
    let reached = |&&(_, count): &&(f64, u64)| {
        seen += count;
        seen >= rank
    };
    values.iter().find(reached).map(|&(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_nearest_rank() {
        // The textbook's 15, 20, 35, 40, 50: rank ceil(5 p / 100) is 1, 2, 2, 3, 5.
        let values = [15.0, 20.0, 35.0, 40.0, 50.0].map(|value| (value, 1));
        let at = [5.0, 30.0, 40.0, 50.0, 100.0].map(|p| nearest_rank(&values, p).expect("values"));
        assert_eq!(at, [15.0, 20.0, 20.0, 35.0, 50.0]);
    }

    #[test]
    fn whole_percentiles_of_a_hundred_values_are_these_values() {
        let values: Vec<(f64, u64)> = (1..=100).map(|value| (f64::from(value), 1)).collect();
        assert!(values.iter().all(|&(value, _)| nearest_rank(&values, value) == Some(value)));
    }

    #[test]
    fn a_value_counts_as_often_as_it_was_seen() {
        // 1 once, 2 eight times, 3 once: ranks 1, 2, 9 and 10 of ten.
        let values = [(1.0, 1), (2.0, 8), (3.0, 1)];
        let at = [10.0, 11.0, 90.0, 91.0].map(|p| nearest_rank(&values, p).expect("values"));
        assert_eq!(at, [1.0, 2.0, 2.0, 3.0]);
    }

    #[test]
    fn nothing_seen_prunes_nothing() {
        let bands = Pool::new().bands(&Weights::DEFAULT, &Percentiles::DEFAULT, 3);
        assert_eq!(bands, [Band::ALL; 3]);
    }

    #[test]
    fn the_documents_percentiles_are_the_default() {
        let plies = [1, 2, 3].map(|ply| Percentiles::DEFAULT.at(ply));
        assert_eq!(plies, [(10.0, 100.0), (15.0, 90.0), (20.0, 85.0)]);
    }

    #[test]
    fn cutoffs_come_from_the_pool_of_four_moves() {
        // Twenty values 1 to 20, five in each of four moves: the 10th percentile is rank 2, the 15th rank 3,
        // the 20th rank 4, the 85th rank 17, the 90th rank 18.
        let weights = Weights { centre: 1.0, border: 0.0, push: 0.0 };
        let centred = |centre| {
            let mut all = (0..Traits::COUNT).map(Traits::from_index);
            all.find(|traits| weights.value(*traits) == centre).expect("such traits")
        };
        let mut pruning = Pruning::new(true);
        for value in 1..=20 {
            assert_eq!(pruning.band(1), Band::ALL);
            pruning.see(centred(f64::from(value)));
            if value % 5 == 0 {
                pruning.end_move(&weights, &Percentiles::DEFAULT, 3);
            }
        }
        let band = |floor, ceiling| Band { floor, ceiling };
        let expected = [band(2.0, f64::INFINITY), band(3.0, 18.0), band(4.0, 17.0)];
        assert_eq!([1, 2, 3].map(|ply| pruning.band(ply)), expected);
    }
}

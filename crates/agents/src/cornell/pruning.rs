//! Heuristic alpha-beta (section 3.2): which values of the presorting heuristics are not worth a search,
//! learned as percentiles from the agent's own first moves.

use sumito_rules::{Move, Position};

use super::presort::{Traits, Weights};

/// After so many moves of a game the cutoffs are known.
const LEARNING_MOVES: u32 = 4;

/// The percentiles to prune at, which narrow by a constant amount with each ply; section 3.3 wishes for other functions of
/// the depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Percentiles {
    /// Values below this one are pruned at the first ply.
    pub(super) floor: f64,
    /// Values above this one are pruned at the second ply; at the first none are.
    pub(super) ceiling: f64,
    /// By how much the floor rises and the ceiling falls with the next ply.
    pub(super) step: f64,
    /// After n plies they have moved by the step times n to this power: 1 is the report's constant amount.
    pub(super) power: f64,
}

impl Percentiles {
    /// The 10th; the 15th and 90th; the 20th and 85th.
    pub(super) const DEFAULT: Percentiles = Percentiles { floor: 10.0, ceiling: 90.0, step: 5.0, power: 1.0 };

    /// Floor and ceiling at a ply, from 1; 0 and 100 prune nothing.
    fn at(&self, ply: u32) -> (f64, f64) {
        let moved = |plies: u32| if plies == 0 { 0.0 } else { self.step * f64::from(plies).powf(self.power) };
        let floor = self.floor + moved(ply - 1);
        let ceiling = if ply == 1 { 100.0 } else { self.ceiling - moved(ply - 2) };
        (floor.min(100.0), ceiling.max(0.0))
    }
}

/// Whose view a move's value takes when it is judged by the cutoffs. Lee and Noh (section 3.2) speak of one heuristic value of a node and
/// do not say whose; for the order of moves it is always the mover's. Their heuristic agent is slightly worse than the original, 3.85
/// to 4.5 marbles, with considerably fewer nodes. Over half of their weight sets, two games each, it is 3.12 to 4.00 with 2,826 instead
/// of 4,569 nodes with the root's marbles, and 3.15 to 3.80 with 3,661 instead of 3,872 in the root's view; over all sets it is 3.11 to
/// 4.37 with 3,073 instead of 4,563 in the mover's. The root's marbles are the default: they alone give both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Of the side that makes the move: the ceiling cuts its best-looking moves, first of all the enemy's pushes.
    Mover,
    /// Of the side that searches: the enemy's values count negative, so that the floor cuts what looks best to the enemy.
    Root,
    /// The marbles of the side that searches, after whoever's move, and whether that move pushes.
    Marbles,
}

impl View {
    /// What there is to judge about a legal move with these traits, at a ply from 1.
    #[inline]
    pub(super) fn of(self, position: &Position, m: Move, traits: Traits, ply: u32) -> Judged {
        let is_own = ply % 2 == 1;
        match self {
            View::Marbles if !is_own => Judged { traits: Traits::of_enemy(position, m), is_negative: false },
            _ => Judged { traits, is_negative: self == View::Root && !is_own },
        }
    }
}

/// What the cutoffs see of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    traits: Traits,
    /// Whether its value counts against the side that searches.
    is_negative: bool,
}

impl Judged {
    const COUNT: usize = 2 * Traits::COUNT;

    /// Its value.
    #[inline]
    pub(super) fn value(self, weights: &Weights) -> f64 {
        let value = weights.value(self.traits);
        if self.is_negative { -value } else { value }
    }

    #[inline]
    fn index(self) -> usize {
        2 * self.traits.index() + usize::from(self.is_negative)
    }

    fn from_index(index: usize) -> Judged {
        Judged { traits: Traits::from_index(index / 2), is_negative: index % 2 == 1 }
    }
}

/// How cutoffs are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cutoffs {
    /// Of the values that they are percentiles of.
    pub(super) weights: Weights,
    pub(super) percentiles: Percentiles,
    /// After so many further moves they are made anew from the values of these (a wish of section 3.3); 0 for never.
    pub(super) refresh: u32,
    /// Plies to make them for.
    pub(super) depth: u32,
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
    /// Whether a value is one of them.
    #[inline]
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.floor..=self.ceiling).contains(&value)
    }

    /// Every value.
    pub(super) const ALL: Band = Band { floor: f64::NEG_INFINITY, ceiling: f64::INFINITY };
}

/// What the agent knows about pruning, as a game goes on.
#[derive(Clone, Debug)]
pub(super) enum Pruning {
    /// The plain search.
    Off,
    /// The first moves: every child is noted.
    Learning(Notes),
    /// The cutoffs are known.
    On {
        /// The bands from the first ply on.
        bands: Vec<Band>,
        /// What the next ones will be made of, if there are to be any.
        next: Option<Notes>,
    },
}

/// What was seen in the moves since the last cutoffs.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    pool: Pool,
    /// Moves made.
    pub(super) moves: u32,
}

impl Notes {
    fn new() -> Notes {
        Notes { pool: Pool::new(), moves: 0 }
    }
}

impl Pruning {
    /// At the start of a game.
    pub(super) fn new(on: bool) -> Pruning {
        if on { Pruning::Learning(Notes::new()) } else { Pruning::Off }
    }

    /// Whether nothing will ever be pruned.
    #[inline]
    pub(super) fn is_off(&self) -> bool {
        matches!(self, Pruning::Off)
    }

    /// Notes a child, if it is the time for it.
    #[inline]
    pub(super) fn see(&mut self, judged: Judged) {
        if let Pruning::Learning(notes) | Pruning::On { next: Some(notes), .. } = self {
            notes.pool.add(judged);
        }
    }

    /// The values to search at a ply, from 1; none if all are.
    #[inline]
    pub(super) fn band(&self, ply: u32) -> Option<Band> {
        match self {
            Pruning::On { bands, .. } => Some(bands[ply as usize - 1]),
            _ => None,
        }
    }

    /// A move has been chosen: after the fourth the cutoffs are set, and then again as often as wished.
    pub(super) fn end_move(&mut self, cutoffs: &Cutoffs) {
        let (notes, moves) = match self {
            Pruning::Learning(notes) => (notes, LEARNING_MOVES),
            Pruning::On { next: Some(notes), .. } => (notes, cutoffs.refresh),
            _ => return,
        };
        notes.moves += 1;
        if notes.moves >= moves {
            let bands = notes.pool.bands(cutoffs);
            *self = Pruning::On { bands, next: (cutoffs.refresh > 0).then(Notes::new) };
        }
    }
}

/// How often each of the possible cases was seen: as good as a list of all values, in constant space.
#[derive(Clone, Debug)]
pub(super) struct Pool(Vec<u64>);

impl Pool {
    fn new() -> Pool {
        Pool(vec![0; Judged::COUNT])
    }

    #[inline]
    fn add(&mut self, judged: Judged) {
        self.0[judged.index()] += 1;
    }

    fn bands(&self, cutoffs: &Cutoffs) -> Vec<Band> {
        let values = self.values(&cutoffs.weights);
        let cutoff = |percent| nearest_rank(&values, percent);
        let band = |(floor, ceiling)| Band {
            floor: if floor > 0.0 { cutoff(floor) } else { None }.unwrap_or(Band::ALL.floor),
            ceiling: if ceiling < 100.0 { cutoff(ceiling) } else { None }.unwrap_or(Band::ALL.ceiling),
        };
        (1..=cutoffs.depth).map(|ply| band(cutoffs.percentiles.at(ply))).collect()
    }

    /// The values seen and how often, in ascending order.
    fn values(&self, weights: &Weights) -> Vec<(f64, u64)> {
        let seen = self.0.iter().enumerate().filter(|&(_, &count)| count > 0);
        let mut values: Vec<(f64, u64)> =
            seen.map(|(index, &count)| (Judged::from_index(index).value(weights), count)).collect();
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
    use sumito_rules::{Notation, fen};

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
        let bands = Pool::new().bands(&cutoffs(Weights::DEFAULT, 0));
        assert_eq!(bands, [Band::ALL; 3]);
    }

    #[test]
    fn the_documents_percentiles_are_the_default() {
        let plies = [1, 2, 3].map(|ply| Percentiles::DEFAULT.at(ply));
        assert_eq!(plies, [(10.0, 100.0), (15.0, 90.0), (20.0, 85.0)]);
    }

    #[test]
    fn a_power_bends_the_percentiles_over_the_depth() {
        let at = |power| [1, 2, 3, 4].map(|ply| Percentiles { power, ..Percentiles::DEFAULT }.at(ply));
        // 5 times 1, 4, 9 and 5 times 1, 1.41, 1.73.
        assert_eq!(at(2.0), [(10.0, 100.0), (15.0, 90.0), (30.0, 85.0), (55.0, 70.0)]);
        let (floor, ceiling) = at(0.5)[3];
        assert!((floor - 18.66).abs() < 0.01 && (ceiling - 82.93).abs() < 0.01, "{floor} and {ceiling}");
    }

    fn cutoffs(weights: Weights, refresh: u32) -> Cutoffs {
        Cutoffs { weights, percentiles: Percentiles::DEFAULT, refresh, depth: 3 }
    }

    const CENTRE: Weights = Weights { centre: 1.0, border: 0.0, push: 0.0 };

    /// Lets it see these values, five in each move, and tells the bands after that.
    fn bands(
        pruning: &mut Pruning,
        values: std::ops::RangeInclusive<u32>,
        cutoffs: &Cutoffs,
    ) -> [Option<Band>; 3] {
        for value in values {
            let mut all = (0..Traits::COUNT).map(Traits::from_index);
            let traits = all.find(|traits| CENTRE.value(*traits) == f64::from(value)).expect("such traits");
            pruning.see(Judged { traits, is_negative: false });
            if value % 5 == 0 {
                pruning.end_move(cutoffs);
            }
        }
        [1, 2, 3].map(|ply| pruning.band(ply))
    }

    #[test]
    fn cutoffs_come_from_the_pool_of_four_moves() {
        // Twenty values 1 to 20, five in each of four moves: the 10th percentile is rank 2, the 15th rank 3,
        // the 20th rank 4, the 85th rank 17, the 90th rank 18.
        let (mut pruning, cutoffs) = (Pruning::new(true), cutoffs(CENTRE, 0));
        assert_eq!(bands(&mut pruning, 1..=19, &cutoffs), [None; 3]);
        let band = |floor, ceiling| Some(Band { floor, ceiling });
        let expected = [band(2.0, f64::INFINITY), band(3.0, 18.0), band(4.0, 17.0)];
        assert_eq!(bands(&mut pruning, 20..=20, &cutoffs), expected);
        assert_eq!(bands(&mut pruning, 21..=40, &cutoffs), expected, "they stay");
    }

    #[test]
    fn refreshed_cutoffs_come_from_the_moves_since_the_last() {
        let (mut pruning, cutoffs) = (Pruning::new(true), cutoffs(CENTRE, 2));
        let first = bands(&mut pruning, 1..=20, &cutoffs);
        assert_eq!(bands(&mut pruning, 21..=25, &cutoffs), first, "one move is not two");
        // Ten values 21 to 30: the 15th percentile is rank 2, the 90th rank 9.
        let second = bands(&mut pruning, 26..=30, &cutoffs)[1];
        assert_eq!(second, Some(Band { floor: 22.0, ceiling: 29.0 }));
    }

    #[test]
    fn each_view_judges_the_enemys_push_as_it_says() {
        // White C3, B2 push A1 off: White's distances are 3 + 4 with one on the border, Black's are E5 alone, 0.
        let position = fen::parse("5/6/7/8/4S4/8/2s4/1s4/S4 0 0 w 0 1").expect("a FEN");
        let m = Notation::AbaPro.parse(&position, "c3b2").expect("a legal move");
        let value =
            |view: View, ply| view.of(&position, m, Traits::of(&position, m), ply).value(&Weights::DEFAULT);
        let of_ply = |ply| [View::Mover, View::Root, View::Marbles].map(|view| value(view, ply));
        assert_eq!((of_ply(1), of_ply(2)), ([92.0; 3], [92.0, -92.0, 100.0]));
    }
}

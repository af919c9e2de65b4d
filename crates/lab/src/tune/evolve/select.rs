//! Who has children, who leaves the island, and who meets whom.

use sumito_engine::Rng;

use super::Member;

/// How parents are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// By place: the chance falls evenly from the best to the last, who has as much as the step.
    Rank,
    /// By fitness above the worst of the island, as slices of a pie (roulette).
    Pie,
}

impl Selection {
    /// What tables and pictures call it.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Rank => "rank",
            Selection::Pie => "pie",
        }
    }

    /// The chances of members with these fitnesses, the best first. They add up to one.
    pub fn chances(self, fitness: &[f64]) -> Vec<f64> {
        let worst = fitness.iter().copied().fold(f64::INFINITY, f64::min);
        let shares: Vec<f64> = match self {
            Selection::Rank => (1..=fitness.len()).rev().map(|share| share as f64).collect(),
            Selection::Pie => fitness.iter().map(|fitness| fitness - worst).collect(),
        };
        let whole: f64 = shares.iter().sum();
        if whole > 0.0 {
            shares.iter().map(|share| share / whole).collect()
        } else {
            vec![1.0 / fitness.len() as f64; fitness.len()]
        }
    }
}

/// Two different parents by these chances.
pub(super) fn parents(chances: &[f64], rng: &mut Rng) -> (usize, usize) {
    let one = spin(chances, rng);
    let mut others = chances.to_vec();
    others[one] = 0.0;
    if others.iter().sum::<f64>() <= 0.0 {
        others.fill(1.0);
        others[one] = 0.0;
    }
    (one, spin(&others, rng))
}

/// One of the slices, by its size.
fn spin(slices: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * slices.iter().sum::<f64>();
    let mut last = 0;
    for (i, &slice) in slices.iter().enumerate().filter(|(_, slice)| **slice > 0.0) {
        last = i;
        if left < slice {
            break;
        }
        left -= slice;
    }
    last
}

/// The islands exchange half of their members, chosen by lot.
pub(super) fn exchange(one: &mut [Member], other: &mut [Member], rng: &mut Rng) {
    rng.shuffle(one);
    rng.shuffle(other);
    let half = one.len().min(other.len()) / 2;
    one[..half].swap_with_slice(&mut other[..half]);
}

/// Everybody against everybody in groups of this size, by place among all.
pub(super) fn pairings(entrants: usize, group: usize) -> Vec<(usize, usize)> {
    let firsts = (0..entrants).step_by(group);
    let in_group = |first: usize| {
        let end = (first + group).min(entrants);
        (first..end).flat_map(move |i| (i + 1..end).map(move |j| (i, j)))
    };
    firsts.flat_map(in_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: &[f64], expected: &[f64]) {
        let near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12);
        assert!(near && found.len() == expected.len(), "expected {expected:?}, found {found:?}");
    }

    #[test]
    fn rank_looks_at_the_place_alone() {
        let expected = [0.4, 0.3, 0.2, 0.1];
        assert_close(&Selection::Rank.chances(&[0.9, 0.5, 0.49, 0.1]), &expected);
        assert_close(&Selection::Rank.chances(&[1.0, 1.0, 1.0, 1.0]), &expected);
    }

    #[test]
    fn pie_looks_at_the_fitness_above_the_worst() {
        assert_close(
            &Selection::Pie.chances(&[0.9, 0.5, 0.3, 0.1]),
            &[8.0 / 14.0, 4.0 / 14.0, 2.0 / 14.0, 0.0],
        );
        assert_close(&Selection::Pie.chances(&[0.5, 0.5]), &[0.5, 0.5]);
    }

    #[test]
    fn slices_come_up_as_often_as_they_are_large() {
        let (slices, mut rng, mut counts) = ([0.5, 0.0, 0.3, 0.2], Rng::new(1), [0.0; 4]);
        for _ in 0..20_000 {
            counts[spin(&slices, &mut rng)] += 1.0 / 20_000.0;
        }
        for (count, slice) in counts.iter().zip(slices) {
            assert!((count - slice).abs() < 0.015, "{counts:?}");
        }
        assert_eq!(counts[1], 0.0);
    }

    #[test]
    fn parents_are_never_one_member_twice() {
        let mut rng = Rng::new(2);
        for chances in [&[1.0, 0.0, 0.0][..], &[0.9, 0.1], &[0.25; 4]] {
            for _ in 0..200 {
                let (one, other) = parents(chances, &mut rng);
                assert_ne!(one, other, "{chances:?}");
            }
        }
    }

    #[test]
    fn half_of_each_island_moves_and_nobody_is_lost() {
        let island =
            |from: i32| (from..from + 7).map(|x| Member::new(vec![f64::from(x)])).collect::<Vec<_>>();
        let (mut one, mut other) = (island(0), island(100));
        exchange(&mut one, &mut other, &mut Rng::new(3));
        let moved = |island: &[Member], is_native: fn(f64) -> bool| {
            island.iter().filter(|member| !is_native(member.values[0])).count()
        };
        assert_eq!((moved(&one, |x| x < 50.0), moved(&other, |x| x > 50.0)), (3, 3));
        let mut all: Vec<f64> = one.iter().chain(&other).map(|member| member.values[0]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        assert_eq!(all.len(), 14);
    }

    #[test]
    fn in_each_group_everybody_meets_everybody_once() {
        assert_eq!(pairings(6, 3), [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]);
        assert_eq!(pairings(100, 10).len(), 450);
    }
}

//! New sets of weights: by lot, from two parents, and by chance changes.

use serde::Serialize;
use sumito_engine::Rng;

use super::select::parents;
use super::{EvolvePlan, Member, Selection};

/// How two parents make a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// The mean of both, weighted by fitness.
    #[default]
    Blend,
    /// Each number from one of them, by lot. Keeps a population from shrinking to its middle.
    Uniform,
}

/// A set by lot, within the plan's spread around the agent's own values.
pub(super) fn random(plan: &EvolvePlan, rng: &mut Rng) -> Vec<f64> {
    let weights = plan.weights.iter();
    weights
        .map(|weight| {
            let width = plan.spread * (weight.max - weight.min);
            // The whole width lies within the range, moved there if the agent's value is near an end.
            let low = (weight.start - width / 2.0).clamp(weight.min, weight.max - width);
            weight.playable(low + width * rng.unit(), rng.unit())
        })
        .collect()
}

/// The next generation of an island whose members are sorted, the best first.
pub(super) fn next(plan: &EvolvePlan, selection: Selection, island: &mut [Member], rng: &mut Rng) {
    let fitness: Vec<f64> = island.iter().map(Member::fitness).collect();
    let chances = selection.chances(&fitness);
    let children: Vec<Member> = (plan.survivors..island.len())
        .map(|_| {
            let (one, other) = parents(&chances, rng);
            let mut values = cross(plan, &island[one], &island[other], rng);
            mutate(plan, &mut values, rng);
            Member::new(values)
        })
        .collect();
    for (place, child) in island[plan.survivors..].iter_mut().zip(children) {
        *place = child;
    }
}

/// A child of every two winners in either order; with itself, a winner stays as it is.
pub(super) fn offspring(plan: &EvolvePlan, winners: &[Member], rng: &mut Rng) -> Vec<Member> {
    let mut children = Vec::with_capacity(winners.len() * winners.len());
    for (i, one) in winners.iter().enumerate() {
        for (j, other) in winners.iter().enumerate() {
            let mut values = if i == j { one.values.clone() } else { cross(plan, one, other, rng) };
            if i != j {
                mutate(plan, &mut values, rng);
            }
            children.push(Member::new(values));
        }
    }
    children
}

fn cross(plan: &EvolvePlan, one: &Member, other: &Member, rng: &mut Rng) -> Vec<f64> {
    let (mine, theirs) = (one.fitness(), other.fitness());
    let part = if mine + theirs > 0.0 { mine / (mine + theirs) } else { 0.5 };
    let pairs = one.values.iter().zip(&other.values).zip(&plan.weights);
    pairs
        .map(|((&mine, &theirs), weight)| match plan.crossover {
            Crossover::Blend => weight.playable(part * mine + (1.0 - part) * theirs, rng.unit()),
            Crossover::Uniform => {
                if rng.unit() < 0.5 {
                    mine
                } else {
                    theirs
                }
            }
        })
        .collect()
}

/// With the plan's chance, changes one of the numbers within its range.
fn mutate(plan: &EvolvePlan, values: &mut [f64], rng: &mut Rng) {
    if rng.unit() >= plan.mutation {
        return;
    }
    let at = rng.below(values.len());
    let weight = &plan.weights[at];
    let change = plan.reach * (2.0 * rng.unit() - 1.0) * (weight.max - weight.min);
    values[at] = weight.playable(values[at] + change, rng.unit());
}

#[cfg(test)]
mod tests {
    use super::super::tests::plan;
    use super::*;
    use crate::tune::param::TunedParam;

    fn is_within(weight: &TunedParam, value: f64) -> bool {
        (weight.min..=weight.max).contains(&value) && (!weight.whole || value.fract() == 0.0)
    }

    fn assert_within(plan: &EvolvePlan, values: &[f64]) {
        assert_eq!(values.len(), plan.weights.len());
        let fits = plan.weights.iter().zip(values).all(|(weight, &value)| is_within(weight, value));
        assert!(fits, "{values:?} of {:?}", plan.weights);
    }

    #[test]
    fn sets_by_lot_fill_the_range_or_the_part_around_the_agents_values() {
        let mut rng = Rng::new(1);
        let whole = plan();
        let near = EvolvePlan { spread: 0.1, ..plan() };
        for _ in 0..300 {
            assert_within(&whole, &random(&whole, &mut rng));
            let values = random(&near, &mut rng);
            assert_within(&near, &values);
            for (weight, value) in near.weights.iter().zip(values) {
                let far = (value - weight.start).abs() / (weight.max - weight.min);
                assert!(far <= 0.1 + 1e-9 || weight.whole && far <= 0.25, "{}: {value}", weight.name);
            }
        }
    }

    #[test]
    fn a_child_is_between_its_parents_nearer_to_the_fitter() {
        let plan = EvolvePlan { mutation: 0.0, ..plan() };
        let member = |values: [f64; 3], twelfths| Member {
            values: values.to_vec(),
            record: super::super::GameSums::from([0, 1, 0, twelfths, 0, 0]),
        };
        let (one, other) = (member([0.0, 2.0, 4.0], 9), member([8.0, -2.0, 4.0], 3));
        let child = cross(&plan, &one, &other, &mut Rng::new(1));
        assert_eq!((child[0], child[1]), (2.0, 1.0));
        let plan = EvolvePlan { crossover: Crossover::Uniform, ..plan };
        for seed in 0..20 {
            let child = cross(&plan, &one, &other, &mut Rng::new(seed));
            let from_either = child.iter().zip(one.values.iter().zip(&other.values));
            assert!(from_either.clone().all(|(x, (one, other))| x == one || x == other), "{child:?}");
        }
    }

    #[test]
    fn children_and_changes_stay_within_the_range() {
        for crossover in [Crossover::Blend, Crossover::Uniform] {
            let plan = EvolvePlan { mutation: 1.0, reach: 1.0, crossover, ..plan() };
            let mut rng = Rng::new(4);
            let mut island: Vec<Member> =
                (0..plan.island).map(|_| Member::new(random(&plan, &mut rng))).collect();
            let before = island.clone();
            for selection in [Selection::Rank, Selection::Pie] {
                next(&plan, selection, &mut island, &mut rng);
                island.iter().for_each(|member| assert_within(&plan, &member.values));
            }
            assert_eq!(island[..plan.survivors], before[..plan.survivors]);
            assert_ne!(island[plan.survivors..], before[plan.survivors..]);
        }
    }

    #[test]
    fn mutation_changes_one_number_by_no_more_than_its_reach() {
        let plan = EvolvePlan { mutation: 1.0, reach: 0.1, ..plan() };
        let mut rng = Rng::new(5);
        for _ in 0..100 {
            let before = random(&plan, &mut rng);
            let mut after = before.clone();
            mutate(&plan, &mut after, &mut rng);
            let changed: Vec<usize> = (0..3).filter(|&i| before[i] != after[i]).collect();
            assert!(changed.len() <= 1);
            for i in changed {
                let weight = &plan.weights[i];
                let room = 0.1 * (weight.max - weight.min) + f64::from(u8::from(weight.whole));
                assert!((before[i] - after[i]).abs() <= room, "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn winners_have_a_child_of_every_two_and_stay_themselves() {
        let plan = plan();
        let mut rng = Rng::new(6);
        let winners: Vec<Member> = (0..3).map(|_| Member::new(random(&plan, &mut rng))).collect();
        let children = offspring(&plan, &winners, &mut rng);
        assert_eq!(children.len(), 9);
        for (i, winner) in winners.iter().enumerate() {
            assert_eq!(children[4 * i].values, winner.values);
        }
    }
}

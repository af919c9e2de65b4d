//! A weight with several criteria: a better first one is worth more than everything that follows it.

use std::array;
use std::ops::{AddAssign, SubAssign};

/// What `K` criteria say, the most important first. Weights are compared like words in a dictionary and added criterion by criterion, so
/// that no factor between criteria has to be chosen, and none can be too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weight<const K: usize>(pub(crate) [i64; K]);

impl<const K: usize> Weight<K> {
    /// Nothing.
    pub(crate) const ZERO: Weight<K> = Weight([0; K]);

    /// Twice as much.
    #[must_use]
    pub(crate) fn doubled(self) -> Weight<K> {
        Weight(array::from_fn(|k| self.0[k] * 2))
    }

    /// Half of a weight whose criteria are all even.
    #[must_use]
    pub(crate) fn halved(self) -> Weight<K> {
        debug_assert!(self.0.iter().all(|part| part % 2 == 0), "an odd weight is halved: {self:?}");
        Weight(array::from_fn(|k| self.0[k] / 2))
    }

    /// `self + other - less`.
    #[must_use]
    pub(crate) fn plus_minus(self, other: Weight<K>, less: Weight<K>) -> Weight<K> {
        Weight(array::from_fn(|k| self.0[k] + other.0[k] - less.0[k]))
    }
}

impl<const K: usize> AddAssign for Weight<K> {
    fn add_assign(&mut self, other: Weight<K>) {
        for (mine, its) in self.0.iter_mut().zip(other.0) {
            *mine += its;
        }
    }
}

impl<const K: usize> SubAssign for Weight<K> {
    fn sub_assign(&mut self, other: Weight<K>) {
        for (mine, its) in self.0.iter_mut().zip(other.0) {
            *mine -= its;
        }
    }
}

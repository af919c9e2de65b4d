//! What somebody may have in a time: a share that is used up and comes back steadily.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many are kept in mind before those who have their whole share again are forgotten.
const KEPT: usize = 4096;

/// The shares of many.
pub(crate) struct Buckets<K> {
    /// A whole share.
    pub(crate) most: f64,
    /// What comes back in a second.
    rate: f64,
    of: Mutex<HashMap<K, Left>>,
}

#[derive(Clone, Copy)]
struct Left {
    amount: f64,
    at: Instant,
}

impl<K: Eq + Hash> Buckets<K> {
    /// A share of so much, which comes back in so many seconds.
    pub(crate) fn new(most: f64, seconds: f64) -> Buckets<K> {
        Buckets { most, rate: most / seconds, of: Mutex::default() }
    }

    /// What somebody has by now.
    fn now(&self, left: Left, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(left.at).as_secs_f64() * self.rate;
        (left.amount + gained).min(self.most)
    }

    /// Takes an amount; else gives the seconds after which there is so much, or a whole share.
    pub(crate) fn take(&self, who: K, amount: f64, now: Instant) -> Result<(), u32> {
        let mut all = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > KEPT {
            all.retain(|_, left| self.now(*left, now) < self.most);
        }
        let left = all.entry(who).or_insert(Left { amount: self.most, at: now });
        *left = Left { amount: self.now(*left, now), at: now };
        if left.amount < amount {
            return Err(((amount.min(self.most) - left.amount) / self.rate).ceil() as u32);
        }
        left.amount -= amount;
        Ok(())
    }

    /// Gives back what was taken.
    pub(crate) fn give_back(&self, who: &K, amount: f64) {
        let mut all = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = all.get_mut(who) {
            left.amount = (left.amount + amount).min(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_share_comes_back_with_time_and_others_have_their_own() {
        let (buckets, start) = (Buckets::new(3.0, 30.0), Instant::now());
        let taken = (0..5).map(|_| buckets.take("one", 1.0, start)).collect::<Vec<_>>();
        assert_eq!(taken, [Ok(()), Ok(()), Ok(()), Err(10), Err(10)]);
        assert_eq!(buckets.take("other", 3.0, start), Ok(()));
        assert_eq!(buckets.take("one", 1.0, start + Duration::from_secs(9)), Err(1));
        assert_eq!(buckets.take("one", 1.0, start + Duration::from_secs(10)), Ok(()));
        buckets.give_back(&"one", 1.0);
        assert_eq!(buckets.take("one", 1.0, start + Duration::from_secs(10)), Ok(()));
    }

    #[test]
    fn who_has_a_whole_share_again_is_forgotten() {
        let (buckets, start) = (Buckets::new(1.0, 1.0), Instant::now());
        for who in 0..=KEPT {
            assert_eq!(buckets.take(who, 1.0, start), Ok(()));
        }
        assert_eq!(buckets.take(0, 1.0, start + Duration::from_secs(2)), Ok(()));
        assert_eq!(buckets.of.lock().expect("one thread").len(), 1);
    }
}

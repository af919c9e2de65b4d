//! The transposition table that the authors tried and dropped (section 3.2): shared by the threads, without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use sumito_engine::Rng;

/// Values of positions that were searched before.
#[derive(Debug)]
pub(super) struct Table {
    /// Key and data; the key is stored exclusive-or the data, so that a slot written by two threads at once
    /// matches neither.
    slots: Box<[[AtomicU64; 2]]>,
    /// Differs from move to move: the heuristics depend on the player who searches, so old values must not match.
    salt: Rng,
    key: u64,
    trusting: bool,
}

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact = 1,
    AtLeast = 2,
    AtMost = 3,
}

impl Table {
    /// A table of two to this many slots. A `trusting` one repeats the authors' error: it keeps the values of
    /// nodes without a cutoff, and takes each for exact at any smaller level.
    pub(super) fn new(log_slots: u32, trusting: bool) -> Table {
        let slots = (0..1usize << log_slots).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
        let mut table = Table { slots, salt: Rng::new(0), key: 0, trusting };
        table.forget();
        table
    }

    /// Makes all that is stored unknown.
    pub(super) fn forget(&mut self) {
        self.key = self.salt.next_u64();
    }

    /// Whether leaves are looked up as well.
    pub(super) fn is_trusting(&self) -> bool {
        self.trusting
    }

    /// The value of a position at a level, if what is stored settles it within the window. Only a value of the
    /// very same level does: the search then finds what it would find without the table.
    pub(super) fn get(&self, hash: u64, level: i32, alpha: i32, beta: i32) -> Option<i32> {
        let (stored, value, bound) = self.load(hash)?;
        if self.trusting {
            return (stored >= level).then_some(value);
        }
        let settles = match bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        };
        (stored == level && settles).then_some(value)
    }

    /// Keeps what a search with this window found, unless the same position is there with a deeper level.
    pub(super) fn put(&self, hash: u64, level: i32, value: i32, alpha: i32, beta: i32) {
        let bound = if value >= beta {
            Bound::AtLeast
        } else if value <= alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let is_deeper = self.load(hash).is_some_and(|(stored, ..)| stored > level);
        if is_deeper || self.trusting && bound == Bound::AtLeast {
            return;
        }
        let data = u64::from(value as u32) | (level as u64 & 0xff) << 32 | (bound as u64) << 40;
        let [key, slot] = &self.slots[self.index(hash)];
        key.store(hash ^ self.key ^ data, Ordering::Relaxed);
        slot.store(data, Ordering::Relaxed);
    }

    fn load(&self, hash: u64) -> Option<(i32, i32, Bound)> {
        let [key, slot] = &self.slots[self.index(hash)];
        let data = slot.load(Ordering::Relaxed);
        if key.load(Ordering::Relaxed) ^ data != hash ^ self.key {
            return None;
        }
        let bound = match data >> 40 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            3 => Bound::AtMost,
            _ => return None,
        };
        Some(((data >> 32 & 0xff) as i32, data as u32 as i32, bound))
    }

    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_answers_only_outside_of_the_window() {
        let table = Table::new(4, false);
        table.put(7, 2, -50, -50, 0);
        assert_eq!(table.get(7, 2, -40, 0), Some(-50));
        assert_eq!(table.get(7, 2, -60, 0), None);
        assert_eq!(table.get(7, 1, -40, 0), None);
    }

    #[test]
    fn the_authors_table_takes_bounds_and_deeper_values_for_exact_and_keeps_no_cutoffs() {
        let table = Table::new(4, true);
        table.put(7, 2, -50, -50, 0);
        table.put(8, 2, 10, -50, 0);
        assert_eq!((table.get(7, 1, -60, 0), table.get(8, 1, -60, 0)), (Some(-50), None));
    }

    #[test]
    fn nothing_is_known_after_forgetting() {
        let mut table = Table::new(4, false);
        table.put(7, 2, 5, 0, 9);
        assert_eq!(table.get(7, 2, 0, 9), Some(5));
        table.forget();
        assert_eq!(table.get(7, 2, 0, 9), None);
    }

    #[test]
    fn a_deeper_value_of_the_same_position_stays() {
        let table = Table::new(4, false);
        table.put(7, 3, 5, 0, 9);
        table.put(7, 2, 6, 0, 9);
        assert_eq!(table.get(7, 3, 0, 9), Some(5));
        table.put(7 + 16, 1, 8, 0, 9);
        assert_eq!((table.get(7, 3, 0, 9), table.get(7 + 16, 1, 0, 9)), (None, Some(8)));
    }
}

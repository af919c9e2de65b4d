//! The transposition table: shared by all threads without a lock. An entry is two words; the first is the key
//! mixed with the second, so that a torn entry does not match.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use sumito_rules::Move;

use crate::memory::{prefetch, use_large_pages};
use crate::score::{Value, WON};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// Whether a value with this bound settles a node.
    pub(crate) fn decides(self, value: Value, alpha: Value, beta: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Whether a value with this bound shows that another one is off.
    pub(crate) fn corrects(self, value: Value, other: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > other,
            Bound::Upper => value < other,
        }
    }
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) best: Option<Move>,
    pub(crate) value: Value,
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Entry {
    /// A static value, or the stored value if that says more and is no win.
    pub(crate) fn refine(&self, eval: Value) -> Value {
        if self.value.abs() < WON && self.bound.corrects(self.value, eval) { self.value } else { eval }
    }
}

#[derive(Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

/// Four entries in one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
}

impl TranspositionTable {
    /// A table of so many megabytes.
    pub(crate) fn new(megabytes: usize) -> TranspositionTable {
        let count = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let mut buckets = Vec::with_capacity(count);
        use_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        TranspositionTable { buckets }
    }

    pub(crate) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.mixed.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Fetches the place of a position into the cache, for a look at it soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let stored = self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.mixed.load(Relaxed) ^ data == key).then_some(data)
        });
        unpack(stored?)
    }

    /// Stores an entry: over the same position, or else over the least useful of the four.
    pub(crate) fn put(&self, key: u64, entry: Entry, age: u8) {
        let slots = &self.bucket(key).0;
        let worth = |slot: &Slot| {
            let data = slot.data.load(Relaxed);
            if slot.mixed.load(Relaxed) ^ data == key {
                return i32::MIN;
            }
            // Each search that has passed since counts like four plies.
            let years = age.wrapping_sub((data >> 58) as u8) & 63;
            ((data >> 48) & 255) as i32 - 4 * i32::from(years)
        };
        let Some(slot) = slots.iter().min_by_key(|slot| worth(slot)) else { return };
        let data = slot.data.load(Relaxed);
        let same = slot.mixed.load(Relaxed) ^ data == key;
        let old = if same { unpack(data) } else { None };
        // A deeper result of the same search stays, unless the new one is exact.
        if let Some(old) = old
            && entry.bound != Bound::Exact
            && (data >> 58) as u8 == age & 63
            && old.depth > entry.depth + 3
        {
            return;
        }
        let best = entry.best.or(old.and_then(|old| old.best));
        let data = pack(Entry { best, ..entry }, age);
        slot.mixed.store(key ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub(crate) fn fullness(&self, age: u8) -> u32 {
        let slots = self.buckets.iter().take(250).flat_map(|bucket| &bucket.0);
        slots
            .filter(|slot| {
                let data = slot.data.load(Relaxed);
                data != 0 && (data >> 58) as u8 == age & 63
            })
            .count() as u32
    }
}

// Bits 0-15: move; 16-31: value; 32-47: evaluation; 48-55: depth; 56-57: bound; 58-63: age.
fn pack(entry: Entry, age: u8) -> u64 {
    let best = u64::from(entry.best.map_or(0, Move::bits));
    let word = |value: Value| u64::from(value as i16 as u16);
    best | word(entry.value) << 16
        | word(entry.eval) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(age & 63) << 58
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        best: Move::from_bits(data as u16),
        value: Value::from((data >> 16) as i16),
        eval: Value::from((data >> 32) as i16),
        depth: (data >> 48 & 255) as i32,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = TranspositionTable::new(1);
        let entry =
            Entry { best: Move::all().nth(7), value: -29_950, eval: 123, depth: 17, bound: Bound::Lower };
        table.put(0x1234_5678_9abc_def0, entry, 63);
        assert_eq!(table.get(0x1234_5678_9abc_def0), Some(entry));
        assert_eq!(table.get(0x1234_5678_9abc_def1), None);
    }

    #[test]
    fn a_static_value_is_refined_by_what_a_bound_allows() {
        let refine = |bound, value| Entry { best: None, value, eval: 0, depth: 1, bound }.refine(10);
        assert_eq!([Bound::Exact, Bound::Lower, Bound::Upper].map(|bound| refine(bound, 30)), [30, 30, 10]);
        assert_eq!([Bound::Exact, Bound::Lower, Bound::Upper].map(|bound| refine(bound, -5)), [-5, 10, -5]);
        assert_eq!(refine(Bound::Exact, WON), 10);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = TranspositionTable::new(1);
        let entry = Entry { best: Move::all().next(), value: 1, eval: 2, depth: 3, bound: Bound::Exact };
        table.put(99, entry, 0);
        table.put(99, Entry { best: None, value: 5, ..entry }, 0);
        assert_eq!(table.get(99), Some(Entry { value: 5, ..entry }));
    }
}

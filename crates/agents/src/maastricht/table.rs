//! The transposition table of section 3.4: static values by position, so that none is computed twice.

/// Static values of one search, with the whole 64-bit key to tell positions apart.
pub(super) struct Table {
    slots: Vec<(u64, f64)>,
    /// Goes into every key: losses count from the root, so the values of one search are wrong in the next.
    salt: u64,
}

/// 1 MiB, which the processor's cache holds. Alpha-beta evaluates about 10,000 positions at depth 3.
const SLOTS: usize = 1 << 16;
/// An empty slot. Not zero: memory asked for as zeros would only be laid out at the first move's expense.
const EMPTY: (u64, f64) = (u64::MAX, 0.0);

impl Table {
    /// An empty table, which takes no memory if it is not `used`.
    pub(super) fn new(used: bool) -> Table {
        Table { slots: vec![EMPTY; if used { SLOTS } else { 0 }], salt: 0 }
    }

    /// Forgets all values, without the time to clear them.
    pub(super) fn begin_search(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<f64> {
        let key = hash ^ self.salt;
        let (stored, value) = self.slots[key as usize % SLOTS];
        (stored == key).then_some(value)
    }

    /// Keeps a value in place of whatever was there.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, value: f64) {
        let key = hash ^ self.salt;
        self.slots[key as usize % SLOTS] = (key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_again_until_the_next_search() {
        let mut table = Table::new(true);
        table.begin_search();
        table.put(7, 1.5);
        assert_eq!(table.get(7), Some(1.5));
        table.begin_search();
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn another_position_in_the_same_slot_is_told_apart() {
        let mut table = Table::new(true);
        table.begin_search();
        table.put(7, 1.5);
        assert_eq!(table.get(7 + SLOTS as u64), None);
    }
}

//! The transposition table (2.3, 4.5): one entry for each key of the first step, the whole hash to tell
//! boards apart in the second, and two ways to decide which of two boards stays.

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    /// For the side that the key names.
    pub(super) value: i32,
    /// Plies searched below the position; 0 for its static value.
    pub(super) depth: u32,
    pub(super) bound: Bound,
}

/// Which of two boards with the same key of the first step stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Replacement {
    /// The newer, as in the thesis (4.6).
    New,
    /// The older if it has been of use, as in the source paper (4.5).
    Used,
}

/// A table of 2^bits entries. An entry is the hash and a word with value, depth, bound and the flag of use;
/// a word of zeros is an empty entry, since bounds are stored from 1.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<[u64; 2]>,
    shift: u32,
    replacement: Replacement,
}

const DEPTH: u32 = 32;
const BOUND: u32 = 40;
const USED: u64 = 1 << 42;

impl Table {
    pub(super) fn new(bits: u32, replacement: Replacement) -> Table {
        Table { entries: vec![[0; 2]; 1 << bits], shift: 64 - bits, replacement }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill([0; 2]);
    }

    /// What is known about the board with this hash; where that matters, it counts as used from then on.
    #[inline]
    pub(super) fn get(&mut self, hash: u64) -> Option<Known> {
        let [stored, word] = &mut self.entries[(hash >> self.shift) as usize];
        if *stored != hash || *word == 0 {
            return None;
        }
        if self.replacement == Replacement::Used {
            *word |= USED;
        }
        Some(unpack(*word))
    }

    /// Stores what is known about a board, unless more is known about the same board already, or the
    /// replacement scheme keeps another one.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, known: Known) {
        let [stored, word] = &mut self.entries[(hash >> self.shift) as usize];
        let same = *stored == hash;
        let keep = if same {
            *word != 0 && unpack(*word).depth > known.depth
        } else {
            self.replacement == Replacement::Used && *word & USED != 0
        };
        if !keep {
            let used = if same { *word & USED } else { 0 };
            (*stored, *word) = (hash, pack(known) | used);
        }
    }
}

fn pack(known: Known) -> u64 {
    let bound = known.bound as u64 + 1;
    u64::from(known.value as u32) | u64::from(known.depth & 0xff) << DEPTH | bound << BOUND
}

fn unpack(word: u64) -> Known {
    let bound = match word >> BOUND & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    Known { value: word as u32 as i32, depth: (word >> DEPTH & 0xff) as u32, bound }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The first step uses the top four bits: these two collide.
    const ONE: u64 = 0x1000_0000_0000_0001;
    const OTHER: u64 = 0x1000_0000_0000_0002;

    fn known(value: i32, depth: u32) -> Known {
        Known { value, depth, bound: Bound::Lower }
    }

    #[test]
    fn an_entry_comes_back_as_it_was_stored() {
        let mut table = Table::new(4, Replacement::New);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let entry = Known { value: -1_000_000_000, depth: 50, bound };
            table.put(ONE, entry);
            assert_eq!(table.get(ONE), Some(entry));
        }
        assert_eq!(table.get(OTHER), None);
    }

    #[test]
    fn a_shallower_result_does_not_replace_a_deeper_one_of_the_same_board() {
        let mut table = Table::new(4, Replacement::New);
        table.put(ONE, known(1, 3));
        table.put(ONE, known(2, 2));
        assert_eq!(table.get(ONE), Some(known(1, 3)));
        table.put(ONE, known(3, 3));
        assert_eq!(table.get(ONE), Some(known(3, 3)));
    }

    #[test]
    fn the_newer_board_wins_under_new() {
        let mut table = Table::new(4, Replacement::New);
        table.put(ONE, known(1, 3));
        table.get(ONE);
        table.put(OTHER, known(2, 0));
        assert_eq!((table.get(ONE), table.get(OTHER)), (None, Some(known(2, 0))));
    }

    #[test]
    fn a_used_board_stays_and_an_unused_one_goes_under_used() {
        let mut table = Table::new(4, Replacement::Used);
        table.put(ONE, known(1, 3));
        table.put(OTHER, known(2, 0));
        assert_eq!(table.get(OTHER), Some(known(2, 0)));
        table.put(ONE, known(1, 3));
        assert_eq!((table.get(ONE), table.get(OTHER)), (None, Some(known(2, 0))));
    }
}

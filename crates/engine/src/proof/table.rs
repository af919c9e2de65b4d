//! What is known about positions. A position is kept whole, not as a hash, so that no two are ever taken for one
//! another: a proof must not rest on luck.

use sumito_rules::{Color, Position};

use super::numbers::Numbers;

/// Two words of marbles, one of numbers, one of the rest: see [`Entry`]. All zero is an empty slot, and zeroed
/// memory costs nothing until it is used, so that a large table does not slow a small search.
type Slot = [u64; 4];

/// Slots that share a place: a position may be known with several numbers of moves left.
const BUCKET: usize = 4;

/// The node and what depends on how it was reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    black: u64,
    white: u64,
    /// Plies since the last ejection, where a cap on them is near enough to matter; else 0.
    quiet: u16,
}

impl Key {
    pub(super) fn new(position: &Position, quiet: u16) -> Key {
        let turn = u64::from(position.turn() == Color::White) << 63;
        let [black, white] = Color::ALL.map(|color| position.marbles(color).bits());
        // The topmost bit says that there is an entry; the board has only 61 cells.
        Key { black: black | turn, white: white | 1 << 63, quiet }
    }

    fn place(self, buckets: usize) -> usize {
        let mixed = (self.black.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(29)
            ^ self.white.wrapping_mul(0xbf58_476d_1ce4_e5b9)
            ^ u64::from(self.quiet);
        let spread = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(spread ^ spread >> 32) * buckets as u128) >> 64) as usize
    }
}

/// What is known about a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The numbers for exactly the number of moves left that was asked for.
    pub(super) numbers: Option<Numbers>,
    /// The attacker wins in so many moves or fewer.
    pub(super) won: Option<u8>,
    /// The attacker cannot win in so many moves or fewer.
    pub(super) lost: Option<u8>,
}

pub(super) struct Table {
    slots: Vec<Slot>,
}

impl Table {
    /// A table of so many megabytes.
    pub(super) fn new(megabytes: usize) -> Table {
        let buckets = (megabytes.max(1) << 20) / size_of::<[Slot; BUCKET]>();
        Table { slots: vec![[0; 4]; buckets * BUCKET] }
    }

    fn bucket(&self, key: Key) -> std::ops::Range<usize> {
        let start = key.place(self.slots.len() / BUCKET) * BUCKET;
        start..start + BUCKET
    }

    /// Everything known about a node with so many moves left to the attacker.
    pub(super) fn get(&self, key: Key, left: u8) -> Entry {
        let mut entry = Entry::default();
        for slot in self.slots[self.bucket(key)].iter().filter(|slot| holds(slot, key)) {
            let rest = Rest::unpack(slot[3]);
            if rest.left == left {
                entry.numbers = Some(Numbers { proof: (slot[2] >> 32) as u32, disproof: slot[2] as u32 });
            }
            entry.won = [entry.won, rest.won].into_iter().flatten().min();
            entry.lost = entry.lost.max(rest.lost);
        }
        entry
    }

    /// Keeps numbers: over those of the same node, or else over those that took the least work.
    pub(super) fn put(&mut self, key: Key, left: u8, numbers: Numbers, moves: u8, work: u64) {
        let bucket = self.bucket(key);
        let worth = |slot: &Slot| match Rest::unpack(slot[3]) {
            _ if slot[1] == 0 => -2,
            rest if holds(slot, key) && rest.left == left => -3,
            // What a deeper proof or disproof of the same node says, it says about this one as well.
            rest => i32::from(rest.work),
        };
        let Some(slot) = self.slots[bucket].iter_mut().min_by_key(|slot| worth(slot)) else { return };
        let rest = Rest {
            left,
            won: numbers.is_proved().then_some(moves),
            lost: numbers.is_disproved().then_some(left),
            work: work.max(1).ilog2() as u8,
            quiet: key.quiet,
        };
        let pair = u64::from(numbers.proof) << 32 | u64::from(numbers.disproof);
        *slot = [key.black, key.white, pair, rest.pack()];
    }
}

fn holds(slot: &Slot, key: Key) -> bool {
    slot[0] == key.black && slot[1] == key.white && Rest::unpack(slot[3]).quiet == key.quiet
}

/// The last word of a slot.
struct Rest {
    left: u8,
    won: Option<u8>,
    lost: Option<u8>,
    work: u8,
    quiet: u16,
}

impl Rest {
    // Bits 0-7: moves left; 8-15: won, plus one; 16-23: lost, plus one; 24-31: work; 32-47: quiet plies.
    fn pack(&self) -> u64 {
        let byte = |number: Option<u8>| number.map_or(0, |number| u64::from(number) + 1);
        u64::from(self.left)
            | byte(self.won) << 8
            | byte(self.lost) << 16
            | u64::from(self.work) << 24
            | u64::from(self.quiet) << 32
    }

    fn unpack(word: u64) -> Rest {
        let byte = |shift: u32| (word >> shift & 255) as u8;
        Rest {
            left: byte(0),
            won: byte(8).checked_sub(1),
            lost: byte(16).checked_sub(1),
            work: byte(24),
            quiet: (word >> 32) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn what_is_known_for_other_numbers_of_moves_is_told_as_a_bound() {
        let position = Layout::all()[0].position();
        let (key, mut table) = (Key::new(&position, 0), Table::new(1));
        assert_eq!(table.get(key, 3), Entry::default());
        table.put(key, 3, Numbers::DISPROVED, 0, 100);
        table.put(key, 5, Numbers { proof: 7, disproof: 9 }, 0, 10);
        table.put(key, 9, Numbers::PROVED, 8, 1);
        let numbers = Some(Numbers { proof: 7, disproof: 9 });
        assert_eq!(table.get(key, 5), Entry { numbers, won: Some(8), lost: Some(3) });
        assert_eq!(table.get(Key::new(&position, 1), 5), Entry::default());
        assert_eq!(table.get(Key::new(&position.with_turn(!position.turn()), 0), 5), Entry::default());
    }
}

//! Zobrist keys: the hash of a position is the exclusive or of the keys of what it consists of.

use crate::cell::Cell;
use crate::color::Color;

struct Keys {
    marble: [[u64; 61]; 2],
    score: [[u64; 16]; 2],
    white_to_move: u64,
}

static KEYS: Keys = make_keys();

/// The key of a marble on a cell.
#[inline]
pub(crate) fn marble(color: Color, cell: Cell) -> u64 {
    KEYS.marble[color.index()][cell.index()]
}

/// The key of a player's score.
#[inline]
pub(crate) fn score(color: Color, score: u8) -> u64 {
    KEYS.score[color.index()][(score & 15) as usize]
}

/// The key that is in while White is to move.
#[inline]
pub(crate) fn white_to_move() -> u64 {
    KEYS.white_to_move
}

/// The next number of the SplitMix64 sequence (Steele, Lea, Flood 2014).
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn fill<const N: usize>(state: &mut u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = split_mix(state);
        i += 1;
    }
    keys
}

const fn make_keys() -> Keys {
    let mut state = 0x5355_4d49_544f;
    Keys {
        marble: [fill(&mut state), fill(&mut state)],
        score: [fill(&mut state), fill(&mut state)],
        white_to_move: split_mix(&mut state),
    }
}

//! How fast a client may make the database grow, and how large it may be in all. What is counted are bytes, roughly as the
//! database takes them.

use std::time::Instant;

use super::buckets::Buckets;
use crate::domain::client::Owner;
use crate::domain::error::{AppError, Cause};

/// What a new game takes at least, and each of its moves: the row, its place by position, what is known of it.
const GAME_BYTES: u64 = 600;
const PLY_BYTES: u64 = 120;
/// What a person's move counts for, with that of an agent which may follow it.
pub(crate) const MOVE_BYTES: u64 = 2 * PLY_BYTES;

/// About what a game of so many plies takes, with so many bytes of texts.
pub(crate) const fn game_bytes(plies: usize, texts: usize) -> u64 {
    GAME_BYTES + PLY_BYTES * plies as u64 + texts as u64
}

/// What each owner may still add.
pub(crate) struct Growth(Buckets<Owner>);

const DAY: f64 = 24.0 * 3600.0;

impl Growth {
    /// So many megabytes a day for each.
    pub(crate) fn new(mb_a_day: u64) -> Growth {
        Growth(Buckets::new((mb_a_day << 20) as f64, DAY))
    }

    /// Takes bytes out of an owner's share.
    pub(crate) fn take(&self, owner: Owner, bytes: u64, now: Instant) -> Result<(), AppError> {
        self.0.take(owner, bytes as f64, now).map_err(|seconds| {
            AppError::from(Cause::RateGrowth { mb: self.0.most as u64 >> 20 }).retry_after(seconds)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_owner_gets_its_share_back_within_a_day_and_others_have_their_own() {
        let (growth, start) = (Growth::new(24), Instant::now());
        let (one, other) = (Owner(1), Owner(2));
        assert!(growth.take(one, 24 << 20, start).is_ok());
        assert!(growth.take(one, 1 << 20, start).is_err());
        assert!(growth.take(other, 1 << 20, start).is_ok());
        assert!(growth.take(one, 1 << 20, start + Duration::from_secs(3500)).is_err());
        assert!(growth.take(one, 1 << 20, start + Duration::from_secs(3601)).is_ok());
    }
}

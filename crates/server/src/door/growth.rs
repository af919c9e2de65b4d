//! How fast a client may make the database grow, and how large it may be in all. What is counted are bytes, roughly as the
//! database takes them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::domain::client::Owner;
use crate::domain::error::{AppError, Cause};

/// What a new game takes at least, and each of its moves: the row, its place by position, what is known of it.
const GAME_BYTES: u64 = 600;
const PLY_BYTES: u64 = 120;
/// What a person's move counts for, with that of an agent which may follow it.
pub(crate) const MOVE_BYTES: u64 = 2 * PLY_BYTES;
/// Owners that are kept in mind before those that have their whole share again are forgotten.
const KEPT: usize = 4096;

/// About what a game of so many plies takes, with so many bytes of texts.
pub(crate) const fn game_bytes(plies: usize, texts: usize) -> u64 {
    GAME_BYTES + PLY_BYTES * plies as u64 + texts as u64
}

/// What each owner may still add.
pub(crate) struct Growth {
    /// Bytes at once.
    most: f64,
    /// Bytes a second in the long run.
    rate: f64,
    of: Mutex<HashMap<Owner, Left>>,
}

#[derive(Clone, Copy)]
struct Left {
    bytes: f64,
    at: Instant,
}

impl Growth {
    /// So many megabytes a day from one owner.
    pub(crate) fn new(mb_a_day: u64) -> Growth {
        let most = (mb_a_day << 20) as f64;
        Growth { most, rate: most / (24.0 * 3600.0), of: Mutex::default() }
    }

    fn full(&self, left: Left, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(left.at).as_secs_f64() * self.rate;
        (left.bytes + gained).min(self.most)
    }

    /// Takes bytes out of the owner's share, unless they are not there.
    pub(crate) fn take(&self, owner: Owner, bytes: u64, now: Instant) -> Result<(), AppError> {
        let mut all = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > KEPT {
            all.retain(|_, left| self.full(*left, now) < self.most);
        }
        let left = all.entry(owner).or_insert(Left { bytes: self.most, at: now });
        *left = Left { bytes: self.full(*left, now), at: now };
        let bytes = bytes as f64;
        if left.bytes < bytes {
            let seconds = (bytes.min(self.most) - left.bytes) / self.rate;
            let cause = Cause::RateGrowth { mb: self.most as u64 >> 20 };
            return Err(AppError::from(cause).retry_after(seconds.ceil() as u32));
        }
        left.bytes -= bytes;
        Ok(())
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

//! What programs may have: requests with a token, challenges, streams.

use std::sync::Arc;
use std::time::Instant;

use super::buckets::Buckets;
use super::quota::{Held, Quota};
use crate::config::Config;
use crate::domain::error::{AppError, Cause};
use crate::domain::person::PersonId;

/// Challenges that an account may send in an hour.
const CHALLENGES: u32 = 200;
const HOUR: f64 = 3600.0;
/// Seconds of requests that may come at once.
const BURST: f64 = 5.0;
/// Messages of an account in a game's chat within these seconds.
const MESSAGES: (u32, u32) = (10, 30);

pub(crate) struct Programs {
    requests: Buckets<PersonId>,
    challenges: Buckets<PersonId>,
    messages: Buckets<PersonId>,
    streams: Arc<Quota<PersonId>>,
    rate: u32,
}

impl Programs {
    pub(crate) fn new(config: &Config) -> Programs {
        Programs {
            requests: Buckets::new(f64::from(config.token_rate) * BURST, BURST),
            challenges: Buckets::new(CHALLENGES.into(), HOUR),
            messages: Buckets::new(MESSAGES.0.into(), MESSAGES.1.into()),
            streams: Quota::new("streams", config.streams, config.connections),
            rate: config.token_rate,
        }
    }

    /// Counts a request with a token.
    pub(crate) fn request(&self, person: PersonId) -> Result<(), AppError> {
        let taken = self.requests.take(person, 1.0, Instant::now());
        taken.map_err(|seconds| AppError::from(Cause::RateToken { most: self.rate }).retry_after(seconds))
    }

    /// Counts a challenge.
    pub(crate) fn challenge(&self, person: PersonId) -> Result<(), AppError> {
        let taken = self.challenges.take(person, 1.0, Instant::now());
        taken.map_err(|seconds| {
            AppError::from(Cause::RateChallenges { most: CHALLENGES }).retry_after(seconds)
        })
    }

    /// Counts a message in a game's chat.
    pub(crate) fn message(&self, person: PersonId) -> Result<(), AppError> {
        let taken = self.messages.take(person, 1.0, Instant::now());
        let (most, seconds) = MESSAGES;
        taken.map_err(|after| AppError::from(Cause::RateMessages { most, seconds }).retry_after(after))
    }

    /// A place for one more stream of an account.
    pub(crate) fn stream(&self, person: PersonId) -> Result<Held<PersonId>, AppError> {
        self.streams.take(person, 1)
    }
}

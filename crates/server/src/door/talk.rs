//! How much somebody may say: by address, and by account.

use std::time::Instant;

use super::buckets::Buckets;
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};
use crate::domain::person::PersonId;

/// Lines of an account within so many seconds.
const OF_PERSON: (u32, u32) = (6, 15);
/// Lines of an address: a household has several people.
const OF_CLIENT: (u32, u32) = (15, 15);

/// Searches for a game of an account, and of an address, within so many seconds.
const SEEKS_OF_PERSON: (u32, u32) = (20, 60);
const SEEKS_OF_CLIENT: (u32, u32) = (60, 60);

/// Reports of an account in a day.
const REPORTS: u32 = 10;
const DAY: f64 = 24.0 * 3600.0;

/// How often something may be done: by each account, and by all of an address.
struct Pace {
    of_person: (u32, u32),
    of_client: (u32, u32),
    persons: Buckets<PersonId>,
    clients: Buckets<Client>,
}

impl Pace {
    fn new(of_person: (u32, u32), of_client: (u32, u32)) -> Pace {
        let (persons, clients) = (
            Buckets::new(of_person.0.into(), of_person.1.into()),
            Buckets::new(of_client.0.into(), of_client.1.into()),
        );
        Pace { of_person, of_client, persons, clients }
    }

    /// Counts it once; `refused` says why it may not be, with the most within so many seconds.
    fn take(
        &self,
        (client, person): (Client, Option<PersonId>),
        now: Instant,
        refused: impl Fn((u32, u32)) -> Cause,
    ) -> Result<(), AppError> {
        let refused = |of, later| AppError::from(refused(of)).retry_after(later);
        if let Some(person) = person {
            self.persons.take(person, 1.0, now).map_err(|later| refused(self.of_person, later))?;
        }
        self.clients.take(client, 1.0, now).map_err(|later| refused(self.of_client, later))
    }
}

/// What each may still say.
pub(crate) struct Talk {
    reports: Buckets<PersonId>,
    lines: Pace,
    seeks: Pace,
}

impl Default for Talk {
    fn default() -> Talk {
        Talk {
            reports: Buckets::new(REPORTS.into(), DAY),
            lines: Pace::new(OF_PERSON, OF_CLIENT),
            seeks: Pace::new(SEEKS_OF_PERSON, SEEKS_OF_CLIENT),
        }
    }
}

impl Talk {
    /// Counts a report to the moderators.
    pub(crate) fn report(&self, person: PersonId) -> Result<(), AppError> {
        let taken = self.reports.take(person, 1.0, Instant::now());
        taken.map_err(|later| AppError::from(Cause::RateReports { most: REPORTS }).retry_after(later))
    }

    /// Counts a line.
    pub(crate) fn take(
        &self,
        client: Client,
        person: Option<PersonId>,
        now: Instant,
    ) -> Result<(), AppError> {
        self.lines.take((client, person), now, |(most, seconds)| Cause::RateChat { most, seconds })
    }

    /// Counts a search for a game, which everybody in the lobby is told of.
    pub(crate) fn seek(&self, client: Client, person: PersonId) -> Result<(), AppError> {
        let refused = |(most, seconds)| Cause::RateMessages { most, seconds };
        self.seeks.take((client, Some(person)), Instant::now(), refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn who_says_too_much_has_to_wait_and_others_do_not() {
        let (talk, start) = (Talk::default(), Instant::now());
        let client = |last: u8| Client::new([10, 0, 0, last].into());
        let said = (0..30).filter(|_| talk.take(client(1), Some(PersonId(1)), start).is_ok()).count();
        assert_eq!(said, 6);
        assert!(talk.take(client(1), Some(PersonId(2)), start).is_ok(), "another at the same address");
        assert!(talk.take(client(1), Some(PersonId(1)), start + Duration::from_secs(3)).is_ok());
        let guests = (0..30).filter(|_| talk.take(client(2), None, start).is_ok()).count();
        assert_eq!(guests, 15);
    }
}

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

/// Reports of an account in a day.
const REPORTS: u32 = 10;
const DAY: f64 = 24.0 * 3600.0;

/// What each may still say.
pub(crate) struct Talk {
    reports: Buckets<PersonId>,
    persons: Buckets<PersonId>,
    clients: Buckets<Client>,
}

impl Default for Talk {
    fn default() -> Talk {
        let ((person, person_time), (client, client_time)) = (OF_PERSON, OF_CLIENT);
        Talk {
            reports: Buckets::new(REPORTS.into(), DAY),
            persons: Buckets::new(person.into(), person_time.into()),
            clients: Buckets::new(client.into(), client_time.into()),
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
        let refused = |(most, seconds): (u32, u32), later: u32| {
            AppError::from(Cause::RateChat { most, seconds }).retry_after(later)
        };
        if let Some(person) = person {
            self.persons.take(person, 1.0, now).map_err(|later| refused(OF_PERSON, later))?;
        }
        self.clients.take(client, 1.0, now).map_err(|later| refused(OF_CLIENT, later))
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

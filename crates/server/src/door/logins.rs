//! How often somebody may try to get into an account, or make one.

use std::time::Instant;

use super::buckets::Buckets;
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};

/// Wrong passwords of a client within these minutes.
const OF_CLIENT: (u32, u32) = (10, 10);
/// Passwords of a client, right ones as well: each takes a core a while.
const ALL_OF_CLIENT: (u32, u32) = (60, 10);
/// Wrong passwords for a name, from clients that were never logged in to it: its owner, who was, is not locked out by others.
const OF_NAME: (u32, u32) = (50, 60);
/// New accounts of a client in a day.
const ACCOUNTS: u32 = 20;
const DAY: f64 = 24.0 * 3600.0;

pub(crate) struct Logins {
    clients: Buckets<Client>,
    all: Buckets<Client>,
    names: Buckets<String>,
    accounts: Buckets<Client>,
}

impl Default for Logins {
    fn default() -> Logins {
        let tries = |(most, minutes): (u32, u32)| (f64::from(most), f64::from(minutes) * 60.0);
        let ((client, client_time), (name, name_time)) = (tries(OF_CLIENT), tries(OF_NAME));
        let (all, all_time) = tries(ALL_OF_CLIENT);
        Logins {
            clients: Buckets::new(client, client_time),
            all: Buckets::new(all, all_time),
            names: Buckets::new(name, name_time),
            accounts: Buckets::new(ACCOUNTS.into(), DAY),
        }
    }
}

/// A try that counts unless it succeeds.
pub(crate) struct Try<'a> {
    logins: &'a Logins,
    client: Client,
    name: Option<String>,
}

impl Logins {
    /// Counts a try to get into the account with this name. `known` is somebody who was logged in to it from there.
    pub(crate) fn try_in(&self, client: Client, name: &str, known: bool) -> Result<Try<'_>, AppError> {
        let (now, name) = (Instant::now(), (!known).then(|| name.to_lowercase()));
        let refused = |(most, minutes): (u32, u32), seconds: u32| {
            AppError::from(Cause::RateLogins { most, minutes }).retry_after(seconds)
        };
        self.all.take(client, 1.0, now).map_err(|seconds| refused(ALL_OF_CLIENT, seconds))?;
        self.clients.take(client, 1.0, now).map_err(|seconds| refused(OF_CLIENT, seconds))?;
        if let Some(name) = &name {
            self.names.take(name.clone(), 1.0, now).map_err(|seconds| refused(OF_NAME, seconds))?;
        }
        Ok(Try { logins: self, client, name })
    }

    /// Counts a new account. The owner of the machine has no limit.
    pub(crate) fn sign_up(&self, client: Client) -> Result<(), AppError> {
        if client.is_local() {
            return Ok(());
        }
        let taken = self.accounts.take(client, 1.0, Instant::now());
        taken.map_err(|seconds| AppError::from(Cause::RateAccounts { most: ACCOUNTS }).retry_after(seconds))
    }
}

impl Try<'_> {
    /// It was the right password: it does not count as a wrong one.
    pub(crate) fn succeeded(self) {
        self.logins.clients.give_back(&self.client, 1.0);
        if let Some(name) = &self.name {
            self.logins.names.give_back(name, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(last: u8) -> Client {
        Client::new(Ipv4Addr::new(10, 0, 0, last).into())
    }

    #[test]
    fn a_client_that_guesses_is_slowed_down_and_its_right_passwords_do_not_count() {
        let logins = Logins::default();
        for _ in 0..30 {
            logins.try_in(client(1), "Anna", false).expect("a right one").succeeded();
        }
        let tries = (0..20).filter(|_| logins.try_in(client(1), "Anna", false).is_ok()).count();
        assert_eq!(tries, 10);
        for _ in 0..60 {
            logins.try_in(client(3), "Anna", false).expect("a right one").succeeded();
        }
        assert!(logins.try_in(client(3), "Anna", false).is_err(), "each takes a core a while");
        assert!(logins.try_in(client(2), "anna", false).is_ok(), "another one");
    }

    #[test]
    fn many_who_guess_at_a_name_are_slowed_down_and_its_owner_is_not() {
        let logins = Logins::default();
        let tries = (0..100).filter(|&one| logins.try_in(client(one), "Anna", false).is_ok()).count();
        assert_eq!(tries, 50);
        assert!(logins.try_in(client(200), "ANNA", false).is_err());
        assert!(logins.try_in(client(200), "ANNA", true).is_ok(), "who was logged in from there");
        assert!(logins.try_in(client(201), "Ben", false).is_ok());
    }
}

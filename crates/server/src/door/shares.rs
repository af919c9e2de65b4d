//! Each client's share of requests and sockets.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use super::quota::Quota;
use crate::config::Config;
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};

/// What each client has left.
pub(crate) struct Shares {
    rate: f64,
    burst: f64,
    sockets: usize,
    /// Sockets of all clients together.
    most_sockets: usize,
    of: Mutex<HashMap<Client, Share>>,
    open: AtomicUsize,
    /// Requests under way, until their answer is sent.
    pub(crate) requests: Arc<Quota<Client>>,
    /// Bytes of long bodies that are being received, and of long answers that are being sent.
    pub(crate) bytes: Arc<Quota<Client>>,
}

struct Share {
    /// Requests that may come at once.
    left: f64,
    at: Instant,
    sockets: usize,
}

/// Bytes of long bodies and answers of one client at a time, and of all clients.
const BYTES: usize = 32 << 20;
const ALL_BYTES: usize = 256 << 20;
/// So many clients are kept in mind before those that have their whole share again are forgotten.
const KEPT: usize = 4096;

impl Shares {
    pub(crate) fn new(config: &Config) -> Shares {
        Shares {
            rate: config.rate.into(),
            burst: config.burst.into(),
            sockets: config.sockets,
            most_sockets: config.connections,
            of: Mutex::default(),
            open: AtomicUsize::new(0),
            requests: Quota::new("requests", config.address_connections, config.connections),
            bytes: Quota::new(
                "bytes of long requests and answers",
                BYTES.max(2 * config.body_bytes),
                ALL_BYTES.max(8 * config.body_bytes),
            ),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Client, Share>> {
        self.of.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn full(&self, share: &Share, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(share.at).as_secs_f64() * self.rate;
        (share.left + gained).min(self.burst)
    }

    /// Takes a request out of the client's share, unless it is used up.
    pub(crate) fn take(&self, client: Client, now: Instant) -> Result<(), AppError> {
        let mut all = self.lock();
        if all.len() > KEPT {
            all.retain(|_, share| share.sockets > 0 || self.full(share, now) < self.burst);
        }
        let share = all.entry(client).or_insert(Share { left: self.burst, at: now, sockets: 0 });
        share.left = self.full(share, now);
        share.at = now;
        if share.left < 1.0 {
            return Err(Cause::RateRequests { most: self.rate as u64 }.into());
        }
        share.left -= 1.0;
        Ok(())
    }

    /// A place for one more socket of the client; it is given back when dropped.
    pub(crate) fn socket(self: &Arc<Self>, client: Client) -> Result<Socket, AppError> {
        let mut all = self.lock();
        let fresh = Share { left: self.burst, at: Instant::now(), sockets: 0 };
        let share = all.entry(client).or_insert(fresh);
        if self.open.load(Ordering::Relaxed) >= self.most_sockets {
            return Err(Cause::ServerFull { what: "sockets", most: self.most_sockets }.into());
        }
        if share.sockets >= self.sockets {
            return Err(Cause::RateHeld { what: "sockets", most: self.sockets }.into());
        }
        share.sockets += 1;
        self.open.fetch_add(1, Ordering::Relaxed);
        Ok(Socket { shares: Arc::clone(self), client })
    }
}

/// A client's place for a socket.
pub(crate) struct Socket {
    shares: Arc<Shares>,
    client: Client,
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let Some(share) = self.shares.lock().get_mut(&self.client) {
            share.sockets -= 1;
            self.shares.open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn client(text: &str) -> Client {
        Client::new(text.parse().expect("an address"))
    }

    #[test]
    fn a_client_gets_its_share_back_with_time_and_others_have_their_own() {
        let shares = Shares::new(&Config { rate: 2, burst: 3, ..Config::default() });
        let (start, one, other) = (Instant::now(), client("1.2.3.4"), client("1.2.3.5"));
        let taken = (0..5).filter(|_| shares.take(one, start).is_ok()).count();
        assert_eq!(taken, 3);
        assert!(shares.take(other, start).is_ok());
        assert!(shares.take(one, start + Duration::from_millis(500)).is_ok());
        assert!(shares.take(one, start + Duration::from_millis(500)).is_err());
    }

    #[test]
    fn a_socket_takes_a_place_until_it_is_dropped() {
        let shares = Arc::new(Shares::new(&Config { sockets: 1, ..Config::default() }));
        let socket = shares.socket(client("::1")).expect("the first");
        assert!(shares.socket(client("::1")).is_err());
        drop(socket);
        assert!(shares.socket(client("::1")).is_ok());
    }
}

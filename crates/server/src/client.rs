//! Who asks: a client is an address, and each has its share of requests and sockets.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};
use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::error::{AppError, Cause};
use crate::quota::Quota;
use crate::state::App;

/// A client: its address, or for version 6 the network that one household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    address: IpAddr,
    /// Whether it is the owner of this machine, on a server for this machine alone.
    local: bool,
}

impl Client {
    pub(crate) fn new(address: IpAddr) -> Client {
        let address = match address.to_canonical() {
            // The address of this machine has no network.
            IpAddr::V6(address) if !address.is_loopback() => {
                let mut parts = address.segments();
                parts[4..].fill(0);
                IpAddr::V6(Ipv6Addr::from(parts))
            }
            address => address,
        };
        Client { address, local: false }
    }

    /// Whether it is the owner of this machine, on a server for this machine alone: nobody else's room is taken by
    /// what it keeps, so limits on growth do not count for it.
    pub(crate) fn is_local(self) -> bool {
        self.local
    }

    /// The client as the database knows it: the same one for the same secret, and no address.
    pub(crate) fn owner(self, secret: &[u8]) -> Owner {
        let mut hash = Sha256::new();
        hash.update(secret);
        hash.update(self.address.to_string());
        let hash = hash.finalize();
        Owner(hash.iter().take(8).fold(0, |number, &byte| number << 8 | i64::from(byte)))
    }

    /// The address that the proxies in front tell, if they are believed, else the other end of the connection.
    pub(crate) fn of(headers: &HeaderMap, extensions: &Extensions, config: &Config) -> Client {
        let peer = peer(extensions);
        let told = config.trusts(peer).then(|| forwarded(headers, config)).flatten();
        // A proxy that nobody has told the server of speaks for others, too.
        let speaks = headers.contains_key(FORWARDED_FOR) || headers.contains_key(header::FORWARDED);
        let local = config.is_private() && peer.is_loopback() && !speaks;
        Client { local, ..Client::new(told.unwrap_or(peer)) }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The other end of a request's connection; this machine for a request without one, as tests make them.
pub(crate) fn peer(extensions: &Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip().to_canonical())
}

/// The last address that is not that of a proxy: each proxy adds the one that it has heard from.
fn forwarded(headers: &HeaderMap, config: &Config) -> Option<IpAddr> {
    let mut last = None;
    for value in headers.get_all(FORWARDED_FOR).iter().rev() {
        for part in value.to_str().ok()?.rsplit(',').map(str::trim) {
            let with_port = || part.parse::<SocketAddr>().map(|address| address.ip());
            let Ok(address) = part.parse::<IpAddr>().or_else(|_| with_port()) else { return last };
            last = Some(address);
            if !config.trusts(address) {
                return last;
            }
        }
    }
    last
}

impl FromRequestParts<App> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Client::of(&parts.headers, &parts.extensions, &app.config))
    }
}

/// A client by a number that follows from its address and a secret of the database's own, so that no address is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner(pub(crate) i64);

impl Owner {
    /// Whoever began a game of which it is not known.
    #[allow(dead_code, reason = "rows of older databases have it")]
    pub(crate) const UNKNOWN: Owner = Owner(0);
}

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

    #[test]
    fn a_household_with_version_6_is_one_client() {
        assert_eq!(client("2001:db8:1:2::5"), client("2001:db8:1:2:9::7"));
        assert_ne!(client("2001:db8:1:2::5"), client("2001:db8:1:3::5"));
        assert_eq!(client("::ffff:1.2.3.4"), client("1.2.3.4"));
    }

    fn seen(peer: &str, told: &[&str], config: &Config) -> Client {
        let mut headers = HeaderMap::new();
        for value in told {
            headers.append(FORWARDED_FOR, value.parse().expect("a value"));
        }
        let mut extensions = Extensions::new();
        let address = SocketAddr::new(peer.parse().expect("an address"), 1);
        extensions.insert(ConnectInfo(address));
        Client::of(&headers, &extensions, config)
    }

    #[test]
    fn only_a_listed_proxy_is_believed_about_its_clients() {
        let near = Config { behind_proxy: true, ..Config::default() };
        let proxies = vec!["10.0.0.0/8".parse().expect("a network")];
        let far = Config { proxies, listen: Ipv4Addr::UNSPECIFIED.into(), ..Config::default() };
        for (peer, told, config, expected) in [
            ("127.0.0.1", &["9.9.9.9, 1.2.3.4"][..], &near, "1.2.3.4"),
            ("127.0.0.1", &["9.9.9.9, 1.2.3.4"], &Config::default(), "127.0.0.1"),
            // Someone who is no proxy can say what he likes.
            ("8.8.8.8", &["1.2.3.4"], &near, "8.8.8.8"),
            ("8.8.8.8", &["1.2.3.4"], &far, "8.8.8.8"),
            // Two proxies in a row; what the client wrote itself comes before.
            ("10.0.0.1", &["6.6.6.6, 1.2.3.4, 10.0.0.2"], &far, "1.2.3.4"),
            ("10.0.0.1", &["6.6.6.6", "1.2.3.4:5678"], &far, "1.2.3.4"),
            ("10.0.0.1", &["nonsense"], &far, "10.0.0.1"),
            ("10.0.0.1", &[], &far, "10.0.0.1"),
        ] {
            let found = seen(peer, told, config).to_string();
            assert_eq!(found, expected, "{peer} {told:?}");
        }
    }

    #[test]
    fn only_the_owner_of_a_machine_on_a_server_for_it_alone_is_local() {
        let private = Config::default();
        let proxied = Config { behind_proxy: true, ..Config::default() };
        let open = Config { listen: Ipv4Addr::UNSPECIFIED.into(), ..Config::default() };
        assert!(seen("127.0.0.1", &[], &private).is_local() && seen("::1", &[], &private).is_local());
        assert!(!seen("127.0.0.1", &["1.2.3.4"], &private).is_local(), "a proxy that is not listed");
        assert!(!seen("127.0.0.1", &[], &proxied).is_local());
        assert!(!seen("127.0.0.1", &[], &open).is_local());
    }
}

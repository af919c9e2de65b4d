//! Who asks: a client is an address, and each has its share of requests and sockets.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::AppError;
use crate::state::App;

/// A client: its address, or for version 6 the network that one household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    pub(crate) fn new(address: IpAddr) -> Client {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let mut parts = address.segments();
                parts[4..].fill(0);
                Client(IpAddr::V6(Ipv6Addr::from(parts)))
            }
            address => Client(address),
        }
    }

    /// The client of a game of which it is not known who began it.
    pub(crate) const fn unknown() -> Client {
        Client(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }

    /// The last address that a proxy in front has added, if there is one, else the other end of the connection.
    fn of(headers: &HeaderMap, extensions: &Extensions, behind_proxy: bool) -> Client {
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?;
            last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
        };
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let address = if behind_proxy { forwarded().or(peer) } else { peer };
        Client::new(address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Client::of(&parts.headers, &parts.extensions, app.config.behind_proxy))
    }
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
}

struct Share {
    /// Requests that may come at once.
    left: f64,
    at: Instant,
    sockets: usize,
}

/// So many clients are kept in mind before those that have their whole share again are forgotten.
const KEPT: usize = 4096;

impl Shares {
    pub(crate) fn new((rate, burst): (u32, u32), sockets: usize, most_sockets: usize) -> Shares {
        let (of, open) = (Mutex::default(), AtomicUsize::new(0));
        Shares { rate: rate.into(), burst: burst.into(), sockets, most_sockets, of, open }
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
            let message = format!("expected at most {} requests a second", self.rate);
            return Err(AppError::too_many(message));
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
            return Err(AppError::too_many("too many sockets are open"));
        }
        if share.sockets >= self.sockets {
            let message = format!("expected at most {} open sockets", self.sockets);
            return Err(AppError::too_many(message));
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

/// Refuses what goes beyond a client's share.
pub(crate) async fn limit(State(app): State<App>, client: Client, request: Request, next: Next) -> Response {
    match app.shares.take(client, Instant::now()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
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
        let shares = Shares::new((2, 3), 1, 9);
        let (start, one, other) = (Instant::now(), client("1.2.3.4"), client("1.2.3.5"));
        let taken = (0..5).filter(|_| shares.take(one, start).is_ok()).count();
        assert_eq!(taken, 3);
        assert!(shares.take(other, start).is_ok());
        assert!(shares.take(one, start + Duration::from_millis(500)).is_ok());
        assert!(shares.take(one, start + Duration::from_millis(500)).is_err());
    }

    #[test]
    fn a_socket_takes_a_place_until_it_is_dropped() {
        let shares = Arc::new(Shares::new((1, 1), 1, 9));
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

    #[test]
    fn only_behind_a_proxy_the_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "9.9.9.9, 1.2.3.4".parse().expect("a value"));
        let extensions = Extensions::new();
        assert_eq!(Client::of(&headers, &extensions, true), client("1.2.3.4"));
        assert_eq!(Client::of(&headers, &extensions, false), client("127.0.0.1"));
    }
}

//! Who asks, as a request tells it: the other end of its connection, or whom a proxy in front speaks for.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};

use super::Door;
use crate::config::Config;
use crate::domain::client::Client;

/// The address that the proxies in front tell, if they are believed, else the other end of the connection.
pub(crate) fn caller(headers: &HeaderMap, extensions: &Extensions, config: &Config) -> Client {
    let peer = peer(extensions);
    let told = config.trusts(peer).then(|| forwarded(headers, config)).flatten();
    // A proxy that nobody has told the server of speaks for others, too.
    let speaks = headers.contains_key(FORWARDED_FOR) || headers.contains_key(header::FORWARDED);
    let local = config.is_private() && peer.is_loopback() && !speaks;
    Client::new(told.unwrap_or(peer)).local(local)
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

impl<S: Send + Sync> FromRequestParts<S> for Client
where
    Door: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(caller(&parts.headers, &parts.extensions, &Door::from_ref(state).config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, told: &[&str], config: &Config) -> Client {
        let mut headers = HeaderMap::new();
        for value in told {
            headers.append(FORWARDED_FOR, value.parse().expect("a value"));
        }
        let mut extensions = Extensions::new();
        let address = SocketAddr::new(peer.parse().expect("an address"), 1);
        extensions.insert(ConnectInfo(address));
        caller(&headers, &extensions, config)
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

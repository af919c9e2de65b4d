//! Who asks: a client is an address, and an owner is what is kept of one.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use sha2::{Digest, Sha256};

/// A client: its address, or for version 6 the network that one household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    address: IpAddr,
    /// Whether it is the owner of this machine, on a server for this machine alone.
    local: bool,
    /// Whether it is one of the house's own players.
    house: bool,
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
        Client { address, local: false, house: false }
    }

    /// The same client as the owner of this machine, or as somebody else.
    #[must_use]
    pub(crate) fn local(self, local: bool) -> Client {
        Client { local, ..self }
    }

    /// Whether it is the owner of this machine, on a server for this machine alone: nobody else's room is taken by
    /// what it keeps, so limits on growth do not count for it.
    pub(crate) fn is_local(self) -> bool {
        self.local
    }

    /// One of the house's own players.
    #[must_use]
    pub(crate) fn of_house(self) -> Client {
        Client { house: true, ..self }
    }

    /// Whether what it adds to the database is in nobody's share: the owner of the machine has no limit, and a player of the house
    /// plays whoever asks.
    pub(crate) fn is_free(self) -> bool {
        self.local || self.house
    }

    /// The client as the database knows it: the same one for the same secret, and no address.
    pub(crate) fn owner(self, secret: &[u8]) -> Owner {
        let mut hash = Sha256::new();
        hash.update(secret);
        hash.update(self.address.to_string());
        let hash = hash.finalize();
        Owner(hash.iter().take(8).fold(0, |number, &byte| number << 8 | i64::from(byte)))
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

/// A client by a number that follows from its address and a secret of the database's own, so that no address is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner(pub(crate) i64);

impl Owner {
    /// Whoever began a game of which it is not known.
    pub(crate) const UNKNOWN: Owner = Owner(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        Client::new(text.parse().expect("an address"))
    }

    #[test]
    fn a_household_with_version_6_is_one_client() {
        assert_eq!(client("2001:db8:1:2::5"), client("2001:db8:1:2:9::7"));
        assert_ne!(client("2001:db8:1:2::5"), client("2001:db8:1:3::5"));
        assert_eq!(client("::ffff:1.2.3.4"), client("1.2.3.4"));
    }
}

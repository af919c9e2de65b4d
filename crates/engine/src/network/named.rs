//! Networks by the names that options and flags give them.
//!
//! What a name means is said here, once, for the agent and for every command. The file behind it is read by whoever
//! calls: the engine touches no files, and runs where there are none.

use std::sync::Arc;
use std::{fmt, io};

use super::{Network, NetworkError};

/// The network with a name: the shipped one if it is empty, none for `hand` (the hand-written evaluation), else that of
/// the file, which `read` reads.
///
/// ```
/// use sumito_engine::network::named;
/// assert!(named("", std::fs::read)?.is_some() && named("hand", std::fs::read)?.is_none());
/// assert!(named("no-such-file", std::fs::read).is_err());
/// # Ok::<(), sumito_engine::network::LoadError>(())
/// ```
pub fn named<'a>(
    name: &'a str,
    read: impl FnOnce(&'a str) -> io::Result<Vec<u8>>,
) -> Result<Option<Arc<Network>>, LoadError> {
    let file = match name {
        "" => return Ok(Some(Network::shipped())),
        "hand" => return Ok(None),
        file => file,
    };
    let bytes = read(file).map_err(|why| LoadError::Unreadable { file: file.to_string(), why })?;
    let network = Network::from_bytes(&bytes);
    let network = network.map_err(|why| LoadError::Unusable { file: file.to_string(), why })?;
    Ok(Some(Arc::new(network)))
}

/// Why there is no network with a name.
#[derive(Debug)]
pub enum LoadError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        file: String,
        /// What went wrong.
        why: io::Error,
    },
    /// The file holds no network that can be computed with.
    Unusable {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: NetworkError,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Unreadable { file, why } => write!(f, "the network {file} cannot be read: {why}"),
            LoadError::Unusable { file, why } => write!(f, "the network {file}: {why}"),
        }
    }
}

impl std::error::Error for LoadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_network_is_named_in_the_error() {
        let error = named("x.net", |_| Ok(b"something".to_vec())).expect_err("no network").to_string();
        assert!(error.starts_with("the network x.net: not a usable network: expected "), "{error}");
        let error = named("x.net", |_| Err(io::ErrorKind::NotFound.into())).expect_err("no file").to_string();
        assert!(error.starts_with("the network x.net cannot be read: "), "{error}");
    }

    #[test]
    fn the_bytes_of_the_shipped_network_are_that_network() {
        let read =
            named("x.net", |_| Ok(sumito_nets::SUMITO.to_vec())).expect("a network").expect("a file's");
        assert_eq!(read.fingerprint(), Network::shipped().fingerprint());
    }
}

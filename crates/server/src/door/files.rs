//! How many files the process may have open: each connection is one.

use crate::config::Config;

/// Files besides connections: the database's, logs, the socket that listens.
const OTHERS: u64 = 256;
/// Connections that there are room for at least, however few files the system allows.
const LEAST: usize = 16;

/// Raises the process's own limit on open files as far as the connections need it. If the system does not allow as
/// many, there are fewer connections.
pub(crate) fn make_room(config: &mut Config) {
    let wanted = config.connections as u64 + OTHERS;
    let Some(most) = raise(wanted) else { return };
    if let Some(fewer) = fitting(config.connections, most) {
        tracing::warn!(files = most, connections = fewer, "the limit on open files allows fewer connections");
        config.connections = fewer;
    }
}

/// The connections that there is room for, if they are fewer than wanted.
fn fitting(connections: usize, files: u64) -> Option<usize> {
    let room = usize::try_from(files.saturating_sub(OTHERS)).unwrap_or(usize::MAX).max(LEAST);
    (room < connections).then_some(room)
}

/// The files that may be open, after raising that to what is wanted if the system allows it. Nothing if there is no
/// limit.
#[cfg(unix)]
fn raise(wanted: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let now = limit.current?;
    let next = limit.maximum.map_or(wanted, |most| most.min(wanted));
    if now >= next {
        return Some(now);
    }
    match setrlimit(Resource::Nofile, Rlimit { current: Some(next), maximum: limit.maximum }) {
        Ok(()) => {
            tracing::info!(from = now, to = next, "the limit on open files was raised");
            Some(next)
        }
        Err(error) => {
            tracing::warn!(%error, files = now, "the limit on open files cannot be raised");
            Some(now)
        }
    }
}

#[cfg(not(unix))]
fn raise(_: u64) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_fit_into_the_files_that_there_are() {
        assert_eq!(fitting(2048, 2048 + OTHERS), None);
        assert_eq!(fitting(2048, 1024), Some(1024 - OTHERS as usize));
        assert_eq!(fitting(2048, 10), Some(LEAST));
        assert_eq!(fitting(8, 10), None);
    }
}

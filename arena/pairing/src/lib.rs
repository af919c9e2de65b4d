//! Pairings of tournaments: to be taken over as `crates/server/src/domain/pairing`.

pub mod pairing;

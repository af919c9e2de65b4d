//! Tests of the pairings that play whole tournaments, and what they share.

#![allow(clippy::needless_range_loop, reason = "matrices are read and written by two indices")]

mod arena;
mod ledger;
mod matching;
mod oracle;
mod proof;
mod speed;
mod standings;
mod swiss;

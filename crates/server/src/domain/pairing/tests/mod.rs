//! Tests of the pairings that play whole tournaments, and what they share.

mod arena;
mod ledger;
mod matching;
mod oracle;
mod proof;
mod speed;
mod standings;
mod swiss;

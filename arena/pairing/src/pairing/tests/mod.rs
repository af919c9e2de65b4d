//! Tests of the pairings that play whole tournaments, and what they share.

#![allow(clippy::needless_range_loop)]

mod arena;
mod ledger;
mod matching;
mod proof;
mod speed;
mod standings;
mod swiss;

use std::fs;
use std::path::Path;

/// Writes a file for `scripts/check.py`.
fn write_check(name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/checks");
    fs::create_dir_all(&folder).expect("target can be written");
    fs::write(folder.join(name), text).expect("target can be written");
}

//! The pages in a real Chromium without a window, driven over its DevTools protocol: mouse, touch, keyboard.
//!
//! Each test has a server of its own on a free port of this machine, and a browser of its own. Every test ends by
//! looking at the browser's console: an error there is a failure. They need a Chromium, and so are run on request:
//! `cargo test --release --test browser -- --include-ignored`.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a failed test may panic, and a test needs no description but its name"
)]

mod account;
mod analyse;
mod axe;
mod board;
mod chromium;
mod cut;
mod draft;
mod ending;
mod firefox;
mod friend;
mod frozen;
mod games;
mod launch;
mod learn;
mod line;
mod lobby;
mod looks;
mod moving;
mod newcomer;
mod package;
mod page;
mod phone;
mod play;
mod replay;
mod review;
mod running;
mod server;
mod start;
mod study;
mod talk;
mod texts;
mod tournament;
mod truth;
mod turn;
mod watch;

//! The program as its users run it: the real binary, in a temporary folder. One module for each group of commands, all of them in
//! one test binary, which is built and linked once.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod analyse;
mod data;
mod evolve;
mod lab;
mod learn;
mod matches;
mod pipes;
mod plain;
mod play;
mod solve;
mod support;
mod train;
mod tune;

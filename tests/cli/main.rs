//! The program as its users run it: the real binary, in a temporary folder. One module for each group of commands, all of them in
//! one test binary, which is built and linked once.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod analyse;
mod data;
mod evolve;
mod lab;
mod learn;
mod matches;
mod plain;
mod play;
mod solve;
mod train;
mod tune;

use assert_cmd::Command;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The program in a folder, with arguments.
fn sumito(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("sumito").unwrap();
    command.current_dir(folder.path()).args(args);
    command
}

/// The same with the arguments in one line, between blanks.
fn sumito_line(folder: &TempDir, args: &str) -> Command {
    sumito(folder, &args.split(' ').collect::<Vec<_>>())
}

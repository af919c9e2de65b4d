//! What the tests with processes share: where the mock engine is.

#![allow(dead_code, reason = "not every test file needs all of it")]

use std::path::PathBuf;
use std::time::Duration;

/// How long a test waits for what must come: a bound against hanging on the busiest machine, never reached otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The mock engine, which `cargo test` builds beside the tests.
fn mock_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test has an executable");
    let target = test.ancestors().nth(2).expect("tests lie in target/PROFILE/deps");
    let path = target.join("examples").join(format!("mock_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "{} is missing: build it with `cargo build --example mock_engine`",
        path.display()
    );
    path
}

/// The mock engine's command with these arguments.
pub(crate) fn mock_command(arguments: &[&str]) -> Vec<String> {
    let mut command = vec![mock_engine().display().to_string()];
    command.extend(arguments.iter().map(ToString::to_string));
    command
}

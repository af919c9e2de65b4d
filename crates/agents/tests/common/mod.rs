//! What the tests with processes share: where the mock engine is.

use std::path::PathBuf;

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

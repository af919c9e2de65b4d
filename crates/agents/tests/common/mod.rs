//! What the tests with processes share: where the mock engine is.

use std::path::PathBuf;

/// The mock engine, which `cargo test` builds beside the tests.
pub(crate) fn mock_engine() -> PathBuf {
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

/// The spec string of a mock engine with these arguments.
pub(crate) fn mock_spec(arguments: &str) -> String {
    format!("ugi:'{}' {arguments}", mock_engine().display())
}

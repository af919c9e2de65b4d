//! The matchings against those of others: networkx, by `oracle.py` beside this file.

use std::path::Path;
use std::process::Command;

use super::{matching, swiss};

/// The Python that has networkx is on the path, or the variable `PYTHON` names it.
#[test]
#[ignore = "needs Python and networkx from PyPI"]
fn networkx_finds_the_same_weights_and_no_round_without_a_rematch_where_we_have_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let checks = swiss::tournaments();
    for (name, text) in
        [("graphs.txt", matching::graphs()), ("rounds.txt", checks.rounds), ("worths.txt", checks.worths)]
    {
        std::fs::write(folder.path().join(name), text).expect("a folder of ours");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain/pairing/tests/oracle.py");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_string());
    let run = Command::new(python).arg(script).arg(folder.path()).output().expect("Python");
    println!("{}", String::from_utf8_lossy(&run.stdout));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

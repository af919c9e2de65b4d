//! What made a result: the program's version, the commit of its sources, the engine's bench number, its network, and the
//! machine that it ran on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use sumito_engine::bench;
use sumito_engine::network::Network;

use super::machine::Machine;

/// Where the sources of this program were when it was built.
const SOURCES: &str = env!("CARGO_MANIFEST_DIR");
/// The depth of `sumito bench`, whose nodes name the engine's behaviour.
const BENCH_DEPTH: u32 = 12;

/// What made a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program's version.
    pub version: String,
    /// The commit of the sources, with `+dirty` if they were changed since; `unknown` outside of a checkout.
    pub commit: String,
    /// The nodes of `sumito bench`.
    pub bench: u64,
    /// The fingerprint of the shipped network.
    pub network: String,
    /// The machine; earlier results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

impl Provenance {
    /// That of this program. The commit is asked for once, the first time that somebody wants to know.
    pub fn of_this_program() -> &'static Provenance {
        static OWN: OnceLock<Provenance> = OnceLock::new();
        OWN.get_or_init(|| Provenance {
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: commit(&|args| git(Path::new(SOURCES), args)),
            bench: bench_number(),
            network: format!("{:016x}", Network::shipped().fingerprint()),
            machine: Some(Machine::this()),
        })
    }
}

/// What git says about the sources; `ask` has no answer where git fails.
fn commit(ask: &dyn Fn(&[&str]) -> Option<String>) -> String {
    // A registry's copy may lie within somebody's own repository, which does not know it.
    let is_ours = ask(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_some();
    let Some(commit) = ask(&["rev-parse", "--short=12", "HEAD"]).filter(|_| is_ours) else {
        return "unknown".to_string();
    };
    // Only what the program is made of: published results change while they are being made.
    let code = [
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ":/crates",
        ":/src",
        ":/nets",
        ":/Cargo.lock",
    ];
    let is_clean = ask(&code).is_some_and(|changes| changes.trim().is_empty());
    format!("{}{}", commit.trim(), if is_clean { "" } else { "+dirty" })
}

fn git(dir: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // Set while git runs a hook, and then of another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    let run =
        command.arg("-C").arg(dir).args(args).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    run.status.success().then(|| String::from_utf8_lossy(&run.stdout).into_owned())
}

/// As written down in a checkout, which a test compares with the engine; elsewhere as counted.
fn bench_number() -> u64 {
    let text = std::fs::read_to_string(Path::new(SOURCES).join("../../data/bench.txt")).unwrap_or_default();
    let written = text.lines().find_map(|line| line.strip_prefix(&format!("{BENCH_DEPTH} "))?.parse().ok());
    written.unwrap_or_else(|| bench(BENCH_DEPTH, Some(&Network::shipped())).nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(known: bool, head: Option<&str>, changes: Option<&str>) -> String {
        commit(&|args| match args[0] {
            "ls-files" => known.then(String::new),
            "rev-parse" => head.map(str::to_string),
            _ => changes.map(str::to_string),
        })
    }

    #[test]
    fn a_commit_is_named_with_what_was_changed_since() {
        assert_eq!(said(true, Some("0123456789ab\n"), Some("")), "0123456789ab");
        assert_eq!(
            said(true, Some("0123456789ab\n"), Some(" M crates/lab/src/lib.rs\n")),
            "0123456789ab+dirty"
        );
        assert_eq!(said(true, Some("0123456789ab\n"), None), "0123456789ab+dirty");
    }

    #[test]
    fn sources_that_no_repository_knows_have_no_commit() {
        assert_eq!(said(false, Some("0123456789ab\n"), Some("")), "unknown");
        assert_eq!(said(true, None, None), "unknown");
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(commit(&|args| git(folder.path(), args)), "unknown");
    }

    #[test]
    fn the_bench_number_is_that_of_the_checkout() {
        let own = Provenance::of_this_program();
        assert!(own.bench > 100_000 && own.network.len() == 16, "{own:?}");
    }
}

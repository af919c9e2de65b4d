//! What made a result: the program's version, the commit of its sources, the engine's bench number, its network, and the
//! machine that it ran on.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::SystemTime;

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
    /// The commit of the sources that the program was built from, with `+dirty` if some of them were not as in that commit;
    /// `unknown` outside of a checkout.
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
    /// That of this program. The commit is asked for once, the first time that somebody wants to know; it is that which was checked out
    /// when the program's file was made, whatever happened to the checkout since.
    pub fn of_this_program() -> &'static Provenance {
        static OWN: OnceLock<Provenance> = OnceLock::new();
        OWN.get_or_init(|| Provenance {
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: commit(built(), Path::new(SOURCES), &|args| git(Path::new(SOURCES), args)),
            bench: bench_number(),
            network: format!("{:016x}", Network::shipped().fingerprint()),
            machine: Some(Machine::this()),
        })
    }
}

/// When the file of this program was made.
fn built() -> Option<SystemTime> {
    std::env::current_exe().and_then(fs::metadata).and_then(|file| file.modified()).ok()
}

/// What the program is made of.
const CODE: [&str; 5] = [":/crates", ":/src", ":/nets", ":/Cargo.lock", ":/experiments/definitions"];

/// What git says about the sources at the time when the program was made; `ask` has no answer where git fails.
fn commit(built: Option<SystemTime>, dir: &Path, ask: &dyn Fn(&[&str]) -> Option<String>) -> String {
    // A registry's copy may lie within somebody's own repository, which does not know it.
    let is_ours = ask(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_some();
    let seconds = built.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    // What was checked out then, of which git keeps a log.
    let then =
        seconds.and_then(|time| ask(&["rev-parse", "--short=12", &format!("HEAD@{{{}}}", time.as_secs())]));
    let head = || ask(&["rev-parse", "--short=12", "HEAD"]);
    let Some(commit) = then.or_else(head).map(|commit| commit.trim().to_string()).filter(|_| is_ours) else {
        return "unknown".to_string();
    };
    // What differs from that commit and was not changed after the program was made was built as it is.
    let differing = ask(&[&["diff", "--name-only", &commit, "--"], &CODE[..]].concat());
    let root = ask(&["rev-parse", "--show-cdup"]).unwrap_or_default();
    let changed =
        |name: &str| fs::metadata(dir.join(root.trim()).join(name)).and_then(|file| file.modified());
    let is_later = |name: &str| built.zip(changed(name).ok()).is_some_and(|(built, changed)| changed > built);
    let is_clean = differing.is_some_and(|names| names.lines().all(is_later));
    format!("{commit}{}", if is_clean { "" } else { "+dirty" })
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
    use std::time::Duration;

    use super::*;

    fn said(known: bool, head: Option<&str>, differing: Option<&str>) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("early.rs"), "").expect("a file");
        let built = Some(SystemTime::now() + Duration::from_secs(60));
        fs::write(folder.path().join("late.rs"), "").expect("a file");
        let late = fs::File::options().write(true).open(folder.path().join("late.rs")).expect("a file");
        late.set_modified(SystemTime::now() + Duration::from_secs(120)).expect("a time");
        commit(built, folder.path(), &|args| match args {
            ["ls-files", ..] => known.then(String::new),
            ["rev-parse", "--show-cdup"] => Some("\n".to_string()),
            ["rev-parse", ..] => head.map(str::to_string),
            _ => differing.map(str::to_string),
        })
    }

    #[test]
    fn a_commit_is_named_with_what_differed_from_it_when_the_program_was_made() {
        assert_eq!(said(true, Some("0123456789ab\n"), Some("")), "0123456789ab");
        assert_eq!(said(true, Some("0123456789ab\n"), Some("early.rs\n")), "0123456789ab+dirty");
        assert_eq!(said(true, Some("0123456789ab\n"), Some("late.rs\n")), "0123456789ab");
        assert_eq!(said(true, Some("0123456789ab\n"), Some("removed.rs\n")), "0123456789ab+dirty");
        assert_eq!(said(true, Some("0123456789ab\n"), None), "0123456789ab+dirty");
    }

    #[test]
    fn it_is_the_commit_that_was_checked_out_when_the_program_was_made() {
        let built = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let found = commit(Some(built), Path::new("."), &|args| match args {
            ["rev-parse", "--short=12", "HEAD@{1700000000}"] => Some("then\n".to_string()),
            ["rev-parse", "--short=12", ..] => Some("now\n".to_string()),
            _ => Some(String::new()),
        });
        assert_eq!(found, "then");
    }

    #[test]
    fn sources_that_no_repository_knows_have_no_commit() {
        assert_eq!(said(false, Some("0123456789ab\n"), Some("")), "unknown");
        assert_eq!(said(true, None, None), "unknown");
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(commit(built(), folder.path(), &|args| git(folder.path(), args)), "unknown");
    }

    #[test]
    fn the_bench_number_is_that_of_the_checkout() {
        let own = Provenance::of_this_program();
        assert!(own.bench > 100_000 && own.network.len() == 16, "{own:?}");
    }
}

//! What all these tests need: a folder, the program in it, and what it printed and wrote.

use std::fs;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

/// The arguments of a command: a list, or a text with blanks between them.
pub(crate) trait Arguments {
    fn list(&self) -> Vec<&str>;
}

impl Arguments for str {
    fn list(&self) -> Vec<&str> {
        self.split(' ').collect()
    }
}

impl Arguments for String {
    fn list(&self) -> Vec<&str> {
        self.as_str().list()
    }
}

impl Arguments for [&str] {
    fn list(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Arguments for Vec<&str> {
    fn list(&self) -> Vec<&str> {
        self.clone()
    }
}

impl<const N: usize> Arguments for [&str; N] {
    fn list(&self) -> Vec<&str> {
        self.to_vec()
    }
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A folder with a file of training data, `some.data`.
pub(crate) fn folder_with_data(more: &str) -> TempDir {
    let folder = folder();
    let args = format!("datagen --out some.data --nodes 50 --threads 1 --hash 1 {more}");
    sumito(&folder, &args).assert().success();
    folder
}

/// A folder with a run that an earlier version made, in `out`.
pub(crate) fn folder_of_earlier_run(name: &str) -> TempDir {
    let folder = folder();
    let (from, out) = (Path::new("tests/folders").join(name), folder.path().join("out"));
    fs::create_dir(&out).unwrap();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(from)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, out.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// The program with these arguments in this folder.
pub(crate) fn sumito(folder: &TempDir, args: &(impl Arguments + ?Sized)) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sumito"));
    command.current_dir(folder).args(args.list());
    command
}

/// The same, started, with pipes to its input, output and errors.
pub(crate) fn started(folder: &TempDir, args: &(impl Arguments + ?Sized)) -> Child {
    Process::new(env!("CARGO_BIN_EXE_sumito"))
        .args(args.list())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Standard output of a run that must succeed.
pub(crate) fn output(folder: &TempDir, args: &(impl Arguments + ?Sized)) -> String {
    let run = sumito(folder, args).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// The same as JSON.
pub(crate) fn json(folder: &TempDir, args: &(impl Arguments + ?Sized)) -> Value {
    serde_json::from_str(&output(folder, args)).unwrap()
}

/// A run that must end with exit code 2 and these words, print nothing else and not make this file or folder.
pub(crate) fn assert_refused(folder: &TempDir, args: &(impl Arguments + ?Sized), words: &str, out: &str) {
    sumito(folder, args).assert().code(2).stdout("").stderr(contains(words));
    assert!(!folder.path().join(out).exists(), "{:?}", args.list());
}

/// The text of a file in the folder.
pub(crate) fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

pub(crate) fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_string).collect()
}

#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) -> bool {
    Process::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
}

/// Interrupts a run when its journal has two lines, and gives what it said then on standard error.
#[cfg(unix)]
pub(crate) fn interrupted(folder: &TempDir, args: &(impl Arguments + ?Sized), journal: &str) -> String {
    let mut child = started(folder, args);
    let path = folder.path().join(journal);
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until interrupted");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(interrupt(&child));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    String::from_utf8(output.stderr).unwrap()
}

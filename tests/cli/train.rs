//! Training as its users run it: the real binary, in a temporary folder, on a little data of its own.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{assert_refused, folder_with_data, json, started, sumito};

fn folder() -> TempDir {
    folder_with_data("--positions 600")
}

const SHORT: &str = "train some.data --width 16 --epochs 2 --batch 100 --threads 1";

#[test]
fn training_makes_a_network_and_a_report() {
    let folder = folder();
    let report = json(&folder, &format!("{SHORT} --out run --json"));
    assert_eq!((&report["finished"], report["epochs"].as_array().unwrap().len()), (&Value::from(true), 2));
    let out = folder.path().join("run");
    assert!(fs::read(out.join("network.net")).unwrap().starts_with(b"sumitonn"));
    assert!(fs::read_to_string(out.join("loss.svg")).unwrap().starts_with("<svg"));
    assert_eq!(fs::read_to_string(out.join("loss.csv")).unwrap().lines().count(), 3);
    // A second time there is nothing left to do, and the same report.
    assert_eq!(json(&folder, &format!("{SHORT} --out run --json")), report);
    sumito(&folder, &format!("{SHORT} --out run"))
        .assert()
        .success()
        .stdout(contains("marbles ahead").and(contains("network.net: ")));
}

#[test]
fn training_goes_on_when_nobody_reads_its_progress() {
    let folder = folder();
    let mut train = started(&folder, &format!("{SHORT} --out run"));
    drop(train.stderr.take());
    assert!(train.wait_with_output().unwrap().status.success());
}

#[test]
fn the_same_command_makes_the_same_network() {
    let folder = folder();
    for out in ["one", "two"] {
        sumito(&folder, &format!("{SHORT} --inputs cells+lines3+scores --buckets pairs --out {out}"))
            .assert()
            .success();
    }
    let network = |out| fs::read(folder.path().join(out).join("network.net")).unwrap();
    assert_eq!(network("one"), network("two"));
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let folder = folder();
    fs::write(folder.path().join("text"), "no data at all, but long enough for a header").unwrap();
    for (args, words) in [
        ("train none.data --out run", "none.data"),
        ("train text --out run", "SUMITODT"),
        ("train some.data --out run --width 17", "a multiple of 16"),
        ("train some.data --out run --inputs cells+colours", "found 'colours'"),
        ("train some.data --out run --inputs clock", "the ply of the cap"),
        ("train some.data --out run --threads 0", "at least one"),
        ("train some.data --out run --start none.net", "none.net"),
        ("train some.data --out run --start text", "begins with 'sumitonn'"),
        ("train some.data --out run --score-part 2", "found 2"),
    ] {
        assert_refused(&folder, args, words, "run");
    }
}

#[test]
fn another_run_in_the_same_folder_is_refused() {
    let folder = folder();
    sumito(&folder, &format!("{SHORT} --out run")).assert().success();
    let before = fs::read(folder.path().join("run/network.net")).unwrap();
    sumito(&folder, &format!("{SHORT} --out run --rate 0.1"))
        .assert()
        .code(2)
        .stderr(contains("holds another training run (its rate differ)"));
    assert_eq!(fs::read(folder.path().join("run/network.net")).unwrap(), before);
}

//! Learning as its users run it: the real binary, in a temporary folder, for a few short games.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::support::{assert_refused, folder, json, sumito};

const SHORT: &str = "learn cornell-td --games 4 --hidden 3 --ply-cap 40 --test-every 2 --test-games 2";

#[test]
fn learning_makes_a_network_that_the_agent_plays() {
    let folder = folder();
    let report = json(&folder, &format!("{SHORT} --out run --json"));
    let points = report["points"].as_array().unwrap();
    assert_eq!((&report["finished"], points.len()), (&Value::from(true), 3));
    let out = folder.path().join("run");
    assert!(fs::read_to_string(out.join("curve.svg")).unwrap().starts_with("<svg"));
    assert_eq!(fs::read_to_string(out.join("curve.csv")).unwrap().lines().count(), 4);
    // A second time there is nothing left to do, and the same report.
    assert_eq!(json(&folder, &format!("{SHORT} --out run --json")), report);
    sumito(&folder, &format!("{SHORT} --out run"))
        .assert()
        .success()
        .stdout(contains("4 games").and(contains("cornell-td:weights=")));
    let played = "match cornell-td:weights=run/network.txt random --games 2 --max-plies 20 --limit none";
    sumito(&folder, played).assert().success().stdout(contains("network.txt"));
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let folder = folder();
    for (args, words) in [
        ("--layout german-dasy", "did you mean german-daisy"),
        ("--games 0", "at least one game"),
        ("--hidden 2000", "1 to 1024 hidden nodes, found 2000"),
        ("--alpha 0", "alpha above 0"),
        ("--kappa -1.5", "kappa from -1 to 1, found -1.5"),
        ("--gamma 1", "gamma from 0 to 0.999"),
        ("--reward marbles", "marbles"),
        ("--epsilon x", "epsilon"),
    ] {
        assert_refused(&folder, &format!("learn cornell-td --out run {args}"), words, "run");
    }
}

#[test]
fn another_run_in_the_same_folder_is_refused() {
    let folder = folder();
    sumito(&folder, &format!("{SHORT} --out run")).assert().success();
    let before = fs::read(folder.path().join("run/network.txt")).unwrap();
    sumito(&folder, &format!("{SHORT} --out run --alpha 0.1"))
        .assert()
        .code(2)
        .stderr(contains("holds another run (its alpha differ)"));
    assert_eq!(fs::read(folder.path().join("run/network.txt")).unwrap(), before);
}

//! Tuning as its users run it: the real binary, in a temporary folder.

use std::fs;

use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

#[cfg(unix)]
use crate::support::interrupted;
use crate::support::{assert_refused, folder, folder_of_earlier_run, folder_with_data, output, read, sumito};

/// A tuning with short games, kept in `out`.
fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = "tune spsa --limit nodes=50 --layouts standard --max-plies 20 --out out";
    args.split(' ').chain(more.iter().copied()).collect()
}

fn engine<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = "--agent sumito:hash=1 --param rfp_margin --param lmr_base:0:120:20 --rate 0.1 --pairs 2";
    short(&args.split(' ').chain(more.iter().copied()).collect::<Vec<_>>())
}

#[test]
fn a_tuning_gives_values_as_spec_table_and_picture() {
    let folder = folder();
    let text = output(&folder, &engine(&["--iterations", "3"]));
    assert!(text.contains("3 iterations, 12 games"), "{text}");
    assert!(text.contains("sumito:hash=1,rfp_margin="), "{text}");
    let result: Value = serde_json::from_str(&read(&folder, "out/result.json")).unwrap();
    assert_eq!((&result["finished"], result["params"].as_array().unwrap().len()), (&Value::from(true), 2));
    for line in result["table"].as_array().unwrap() {
        assert!(text.contains(line.as_str().unwrap()), "{line} in {text}");
    }
    let spec = result["spec"].as_str().unwrap();
    let games = ["match", spec, "random", "--games", "2", "--limit", "nodes=50", "--max-plies", "10"];
    sumito(&folder, &games).assert().success();
    let picture = read(&folder, "out/values.svg");
    assert!(picture.starts_with("<svg") && picture.contains("rfp_margin: 60 to "), "{picture}");
    assert_eq!(read(&folder, "out/iterations.jsonl").lines().count(), 3);
}

#[test]
fn the_same_command_gives_the_same_values_and_goes_on_where_it_was_cut_off() {
    let (whole, cut) = (folder(), folder());
    let args = engine(&["--games", "12", "--random-plies", "2", "--threads", "1", "--json"]);
    let report = output(&whole, &args);
    output(&cut, &args);
    let path = cut.path().join("out/iterations.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), &text), (3, &read(&whole, "out/iterations.jsonl")));
    // An iteration and a piece of the second are left.
    let end = text.find('\n').unwrap() + 30;
    fs::write(&path, &text[..end]).unwrap();
    assert_eq!(output(&cut, &args), report);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_tuning_of_an_earlier_version_goes_on_to_the_same_end() {
    let (old, new) = (folder_of_earlier_run("spsa"), folder());
    let args = short(&[
        "--agent",
        "bcit:factor=1.2",
        "--param",
        "factor:0.5:3:0.5",
        "--iterations",
        "3",
        "--pairs",
        "2",
    ]);
    assert_eq!(read(&old, "out/iterations.jsonl").lines().count(), 1);
    output(&old, &args);
    output(&new, &args);
    assert_eq!(read(&old, "out/iterations.jsonl"), read(&new, "out/iterations.jsonl"));
}

#[test]
fn options_of_other_agents_are_tuned_too() {
    let folder = folder();
    let args = ["--agent", "bcit:factor=1.2", "--param", "factor:0.5:3:0.5", "--iterations", "2", "--json"];
    let report: Value = serde_json::from_str(&output(&folder, &short(&args))).unwrap();
    assert!(report["spec"].as_str().unwrap().starts_with("bcit:factor="), "{report}");
    assert_eq!(report["table"], Value::Array(Vec::new()));
}

#[test]
fn what_cannot_be_tuned_is_refused_and_nothing_is_written() {
    let folder = folder();
    for (args, error) in [
        (&["--param", "rfp_margn"][..], "did you mean rfp_margin"),
        (&["--param", "rfp_margin:1:2"], "expected NAME or NAME:min:max:step"),
        (&["--agent", "bcit", "--all"], "agent bcit has no options made for tuning"),
        (&["--agent", "human", "--all"], "a person cannot be tuned"),
        (&["--agent", "ugi:x", "--param", "y"], "no numeric option 'y'"),
        (&["--all", "--games", "10"], "--games: expected a multiple of 8"),
        (&["--all", "--rate", "0"], "learning rate above 0"),
        (&["--all", "--pairs", "0"], "at least one parameter, one iteration and one pair"),
        (&[], "--param"),
    ] {
        sumito(&folder, &short(args)).assert().code(2).stderr(contains(error));
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn the_folder_of_another_tuning_is_refused() {
    let folder = folder();
    output(&folder, &engine(&["--iterations", "1"]));
    let other = engine(&["--iterations", "2"]);
    sumito(&folder, &other).assert().code(2).stderr(contains("holds another tuning (its iterations"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_tuning_keeps_what_it_has_and_says_how_to_go_on() {
    let folder = folder();
    let said = interrupted(&folder, &engine(&["--iterations", "100000"]), "out/iterations.jsonl");
    assert!(said.contains("Go on with:") && said.contains("tune spsa"), "{said}");
    let lines = read(&folder, "out/iterations.jsonl").lines().count();
    let result: Value = serde_json::from_str(&read(&folder, "out/result.json")).unwrap();
    assert_eq!((&result["finished"], &result["iterations"]), (&Value::from(false), &Value::from(lines)));
}

fn with_data() -> TempDir {
    folder_with_data("--positions 500 --net hand")
}

#[test]
fn weights_are_fitted_to_positions_and_kept_with_a_picture() {
    let folder = with_data();
    let args = ["tune", "texel", "some.data", "--out", "out", "--epochs", "3", "--batch", "100", "--json"];
    let report: Value = serde_json::from_str(&output(&folder, &args)).unwrap();
    assert_eq!((&report["finished"], report["epochs"].as_array().unwrap().len()), (&Value::from(true), 3));
    assert_eq!(report["source"].as_str().unwrap(), read(&folder, "out/weights.rs"));
    assert!(read(&folder, "out/weights.rs").contains("Distance = \"distance\", ["));
    assert!(read(&folder, "out/loss.svg").starts_with("<svg"));
    assert_eq!(read(&folder, "out/loss.csv").lines().count(), 4);
    // A second time there is nothing left to do, and the same report.
    assert_eq!(serde_json::from_str::<Value>(&output(&folder, &args)).unwrap(), report);
    let text = output(&folder, &args[..args.len() - 1]);
    assert!(text.contains("pub const MATERIAL") && text.contains("Kept in out"), "{text}");
}

#[test]
fn a_fit_without_sense_is_refused_before_anything_is_written() {
    let folder = with_data();
    fs::write(folder.path().join("text"), "no data at all, but long enough for a header").unwrap();
    for (args, words) in [
        ("tune texel none.data --out out", "none.data"),
        ("tune texel text --out out", "SUMITODT"),
        ("tune texel some.data --out out --lambda 2", "from 0 to 1, found 2"),
        ("tune texel some.data --out out --epochs 0", "at least one epoch"),
        ("tune texel some.data --out out --rate 0", "a rate above 0"),
    ] {
        assert_refused(&folder, args, words, "out");
    }
}

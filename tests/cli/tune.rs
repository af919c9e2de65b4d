//! Tuning as its users run it: the real binary, in a temporary folder.

use std::fs;

use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::{folder, sumito};

/// A tuning with short games, kept in `out`.
fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = "tune spsa --limit nodes=50 --layouts standard --max-plies 20 --out out";
    args.split(' ').chain(more.iter().copied()).collect()
}

fn engine<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = "--agent sumito:hash=1 --param rfp_margin --param lmr_base:0:120:20 --rate 0.1 --pairs 2";
    short(&args.split(' ').chain(more.iter().copied()).collect::<Vec<_>>())
}

fn output(folder: &TempDir, args: &[&str]) -> String {
    let run = sumito(folder, args).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join("out").join(name)).unwrap()
}

#[test]
fn a_tuning_gives_values_as_spec_table_and_picture() {
    let folder = folder();
    let text = output(&folder, &engine(&["--iterations", "3"]));
    assert!(text.contains("3 iterations, 12 games"), "{text}");
    assert!(text.contains("sumito:hash=1,rfp_margin="), "{text}");
    let result: Value = serde_json::from_str(&read(&folder, "result.json")).unwrap();
    assert_eq!((&result["finished"], result["params"].as_array().unwrap().len()), (&Value::from(true), 2));
    for line in result["table"].as_array().unwrap() {
        assert!(text.contains(line.as_str().unwrap()), "{line} in {text}");
    }
    let spec = result["spec"].as_str().unwrap();
    let games = ["match", spec, "random", "--games", "2", "--limit", "nodes=50", "--max-plies", "10"];
    sumito(&folder, &games).assert().success();
    let picture = read(&folder, "values.svg");
    assert!(picture.starts_with("<svg") && picture.contains("rfp_margin: 60 to "), "{picture}");
    assert_eq!(read(&folder, "iterations.jsonl").lines().count(), 3);
}

#[test]
fn the_same_command_gives_the_same_values_and_goes_on_where_it_was_cut_off() {
    let (whole, cut) = (folder(), folder());
    let args = engine(&["--games", "12", "--random-plies", "2", "--threads", "1", "--json"]);
    let report = output(&whole, &args);
    output(&cut, &args);
    let path = cut.path().join("out/iterations.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), &text), (3, &read(&whole, "iterations.jsonl")));
    // An iteration and a piece of the second are left.
    let end = text.find('\n').unwrap() + 30;
    fs::write(&path, &text[..end]).unwrap();
    assert_eq!(output(&cut, &args), report);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_tuning_of_an_earlier_version_goes_on_to_the_same_end() {
    let (old, new) = (folder(), folder());
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/folders/spsa");
    fs::create_dir(old.path().join("out")).unwrap();
    for name in ["tune.json", "iterations.jsonl"] {
        fs::copy(from.join(name), old.path().join("out").join(name)).unwrap();
    }
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
    assert_eq!(read(&old, "iterations.jsonl").lines().count(), 1);
    output(&old, &args);
    output(&new, &args);
    assert_eq!(read(&old, "iterations.jsonl"), read(&new, "iterations.jsonl"));
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
    use std::io::Read;
    use std::process::{Command as Process, Stdio};

    let folder = folder();
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("sumito"))
        .args(engine(&["--iterations", "100000"]))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let path = folder.path().join("out/iterations.jsonl");
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until interrupted");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Process::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("Go on with:") && said.contains("tune spsa"), "{said}");
    let lines = read(&folder, "iterations.jsonl").lines().count();
    let result: Value = serde_json::from_str(&read(&folder, "result.json")).unwrap();
    assert_eq!((&result["finished"], &result["iterations"]), (&Value::from(false), &Value::from(lines)));
}

/// A folder with a file of data.
fn with_data() -> TempDir {
    let folder = folder();
    let args = "datagen --out some.data --positions 500 --nodes 50 --threads 1 --hash 1 --net hand";
    sumito(&folder, &args.split(' ').collect::<Vec<_>>()).assert().success();
    folder
}

#[test]
fn weights_are_fitted_to_positions_and_kept_with_a_picture() {
    let folder = with_data();
    let args = ["tune", "texel", "some.data", "--out", "out", "--epochs", "3", "--batch", "100", "--json"];
    let report: Value = serde_json::from_str(&output(&folder, &args)).unwrap();
    assert_eq!((&report["finished"], report["epochs"].as_array().unwrap().len()), (&Value::from(true), 3));
    assert_eq!(report["source"].as_str().unwrap(), read(&folder, "weights.rs"));
    assert!(read(&folder, "weights.rs").contains("Distance = \"distance\", ["));
    assert!(read(&folder, "loss.svg").starts_with("<svg"));
    assert_eq!(read(&folder, "loss.csv").lines().count(), 4);
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
        let args: Vec<&str> = args.split(' ').collect();
        sumito(&folder, &args).assert().code(2).stderr(contains(words));
        assert!(!folder.path().join("out").exists(), "{args:?}");
    }
}

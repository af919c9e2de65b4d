//! The experiments as their users run them: the real binary, in a temporary folder.

use std::fs;
use std::path::Path;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::support::{assert_refused, folder, json, sumito};

/// The quickest of each kind: searches that count, searches that are timed, games, and games of trained networks.
const QUICKEST: [&str; 4] = ["aba-pro/table-1", "maastricht/table", "cornell/weights", "cornell/table-2"];

/// A report has its parts, a picture for every link, and no value that is missing.
fn assert_complete(dir: &Path) {
    let report = fs::read_to_string(dir.join("report.md")).unwrap();
    for part in ["# ", "## Claims", "## Numbers", "## Why", "## Again", "sumito lab run", "Seed 1"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(!report.contains('–') && !report.contains("NaN") && !report.contains('{'), "{report}");
    for link in report.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        if link.ends_with(".svg") {
            assert!(fs::read_to_string(dir.join(link)).unwrap().trim_end().ends_with("</svg>"), "{link}");
        }
    }
    let data = fs::read_to_string(dir.join("data.csv")).unwrap();
    assert!(data.lines().count() > 10, "{data}");
    let result: Value = serde_json::from_slice(&fs::read(dir.join("result.json")).unwrap()).unwrap();
    assert_eq!((&result["size"], &result["seed"]), (&Value::from("quick"), &Value::from(1)));
}

#[test]
fn the_quickest_experiments_write_complete_reports() {
    let folder = folder();
    let names = QUICKEST.join(" ");
    sumito(&folder, &format!("lab run {names} --quick --out out"))
        .assert()
        .success()
        .stdout(contains("aba-pro/table-1: ").and(contains("report.md")));
    for name in QUICKEST {
        assert_complete(&folder.path().join("out").join(name));
    }
    let list = json(&folder, "lab list --json --results out");
    let list = list.as_array().unwrap();
    let quick = list.iter().filter(|one| one["result"] == "quick").count();
    assert_eq!((quick, list.len() > 20), (QUICKEST.len(), true));
    sumito(&folder, "lab overview --results out --link out")
        .assert()
        .success()
        .stdout(contains("(out/aba-pro/table-1/report.md)").and(contains("not run yet")));
}

#[test]
fn an_experiment_of_ones_own_is_a_file() {
    let folder = folder();
    let text = "title = 'Mine'\nwhere = 'here'\nabout = 'A test.'\n[games]\nmax-plies = 60\n[[games.part]]\n\
                id = 'p'\nplayers = ['greedy', 'random']\ngames = 4\n";
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/test.toml"), text).unwrap();
    sumito(&folder, "lab run mine/test.toml").assert().success().stdout(contains("mine/test: Mine"));
    let data = fs::read_to_string(folder.path().join("runs/lab/mine/test/data.csv")).unwrap();
    assert_eq!(data.lines().count(), 5, "{data}");
    // The same again finds everything done; another definition is not taken for it, unless one wants that.
    sumito(&folder, "lab run mine/test.toml").assert().success();
    fs::write(folder.path().join("mine/test.toml"), text.replace("games = 4", "games = 2")).unwrap();
    sumito(&folder, "lab run mine/test.toml").assert().code(2).stderr(contains("--fresh begins anew"));
    sumito(&folder, "lab run mine/test.toml --fresh").assert().success();
}

#[test]
fn the_guides_example_runs_and_has_all_its_values() {
    let guide = include_str!("../../docs/experiments.md");
    let example = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = folder();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/one-ply.toml"), example).unwrap();
    sumito(&folder, "lab run mine/one-ply.toml --quick")
        .assert()
        .success()
        .stdout(contains("One more ply wins"));
    assert_complete(&folder.path().join("runs/lab/mine/one-ply"));
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), "title = 'x'").unwrap();
    let unknown = "title = 'a'\nwhere = 'b'\nabout = 'c'\n[games]\n[[games.part]]\nid = 'p'\n\
                   players = ['verlop', 'random']\ngames = 2";
    fs::write(folder.path().join("unknown.toml"), unknown).unwrap();
    for (args, words) in [
        ("lab run aba-pro/table1", "did you mean aba-pro/table-1"),
        ("lab run nothing", "unknown"),
        ("lab run bad.toml", "missing field"),
        ("lab run unknown.toml", "did you mean verloop"),
        ("lab run absent.toml", "absent.toml"),
        ("lab run aba-pro/unchecked", "no program can check"),
    ] {
        assert_refused(&folder, args, words, "runs");
    }
}

#[test]
fn the_list_names_paper_place_and_time() {
    let folder = folder();
    sumito(&folder, "lab list").assert().success().stdout(
        contains("verloop/speed")
            .and(contains("table 6.1"))
            .and(contains("none"))
            .and(contains("cornell/table-2")),
    );
}

/// A definition whose result is made up: 60 % of 100 games, 12 points off at most.
const CLAIMED: &str = "title = 'Mine'\nwhere = 'here'\nabout = 'A test.'\n\
    [[claim]]\nsays = 'Greedy wins'\npaper = 'always'\nours = '{p.score} %'\n\
    check = [{ value = 'p.score', above = 50 }]\n\
    [[claim]]\nsays = 'People like it'\ncannot = 'it needs people'\n\
    [games]\n[[games.part]]\nid = 'p'\nplayers = ['greedy', 'random']\ngames = 100\n";
const RESULT: &str = r#"{ "name": "mine/test", "size": "full", "seed": 1, "version": "0.2.0", "threads": 1, "seconds": 2,
    "values": { "p.games": [100], "p.score": [60, 48, 71] } }"#;

fn claimed() -> tempfile::TempDir {
    let folder = folder();
    for dir in ["mine", "results/mine/test"] {
        fs::create_dir_all(folder.path().join(dir)).unwrap();
    }
    fs::write(folder.path().join("mine/test.toml"), CLAIMED).unwrap();
    fs::write(folder.path().join("results/mine/test/result.json"), RESULT).unwrap();
    folder
}

#[test]
fn a_claim_is_shown_with_threshold_interval_and_the_games_it_needs() {
    let folder = claimed();
    let shown = sumito(&folder, "lab show mine/test.toml --results results").assert().success();
    let text = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    let lines = [
        "mine/test: Mine",
        "here; full run",
        "",
        " 1. Greedy wins",
        "    paper    always",
        "    ours     60.0 ± 12.0 %",
        "    check    p.score above 50: 60.0 (48.0 to 71.0), open",
        "    verdict  undecided, needs about 150 games",
        "",
        " 2. People like it",
        "    why not  it needs people",
        "    verdict  cannot be checked",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    let shown = json(&folder, "lab show mine/test.toml --results results --json");
    let claim = &shown[0]["claims"][0];
    assert_eq!((&claim["verdict"], &claim["needs"]["count"]), (&Value::from("undecided"), &Value::from(150)));
    assert_eq!(claim["threshold"], "p.score above 50");
    assert_eq!(claim["checks"][0]["ours"], serde_json::json!([60.0, 48.0, 71.0]));
}

#[test]
fn every_experiment_of_a_paper_is_shown_in_lines_that_fit() {
    let folder = folder();
    let shown = sumito(&folder, "lab show verloop").assert().success().stdout(contains("not run yet"));
    let text = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(wide.is_empty(), "{wide:?}");
    sumito(&folder, "lab show verlop").assert().code(2).stderr(contains("unknown"));
}

#[test]
fn the_paper_is_one_file_that_needs_no_other() {
    let folder = folder();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/results");
    let args = format!("lab paper --out made/paper --results {}", results.display());
    // Without a browser there is no PDF, which is said.
    sumito(&folder, &args)
        .env_remove("CHROMIUM")
        .env("PATH", folder.path())
        .assert()
        .success()
        .stdout(contains("index.html").and(contains("paper.pdf").not()))
        .stderr(contains("No paper.pdf: expected one of chromium"));
    let html = fs::read_to_string(folder.path().join("made/paper/index.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert!(!folder.path().join("made/paper/paper.pdf").exists());
}

#[test]
fn a_browser_that_cannot_print_is_named() {
    let folder = folder();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/results");
    let args = format!("lab paper --out paper --results {}", results.display());
    sumito(&folder, &args)
        .env("CHROMIUM", "/absent/browser")
        .assert()
        .code(2)
        .stderr(contains("/absent/browser"));
}

#[test]
fn a_paper_without_results_or_with_a_file_for_a_folder_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("taken"), "mine").unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (args, words) in [
        ("lab paper --out paper --results absent", "absent: expected a folder of results"),
        ("lab paper --out paper --results empty", "expected results of experiments, found none"),
        ("lab paper --out taken --results empty", "taken: expected a folder, found a file"),
        ("lab paper --results empty", "--out"),
    ] {
        assert_refused(&folder, args, words, "paper");
    }
    assert_eq!(fs::read_to_string(folder.path().join("taken")).unwrap(), "mine");
}

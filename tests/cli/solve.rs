//! `sumito solve` as its users run it: the real binary, in a temporary folder.

use std::fs;

use assert_cmd::Command;
use predicates::str::{contains, starts_with};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{folder, sumito};

/// Black pushes a5 off at once.
const ONE: &str = "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1";
/// White can save one marble of two.
const FORK: &str = "5/6/7/8/sSS6/8/7/6/2SSs 5 3 w 0 1";
/// The sides are far apart.
const QUIET: &str = "s4/6/7/8/9/8/7/6/4S 1 0 b 0 1";

fn solve(folder: &TempDir, args: &[&str]) -> Command {
    sumito(folder, &[&["solve"], args].concat())
}

#[test]
fn a_win_is_printed_with_its_moves() {
    solve(&folder(), &[ONE]).assert().success().stdout(starts_with("Black wins in 1 move: a3a4 ("));
    solve(&folder(), &[ONE, "--notation", "bcit"]).assert().success().stdout(contains(": i-A3-3 ("));
    solve(&folder(), &[FORK]).assert().success().stdout(starts_with("Black wins in 1 move: "));
}

#[test]
fn only_the_win_that_was_asked_for_counts() {
    let none = starts_with("No forced win in 1 move (");
    solve(&folder(), &[FORK, "--winner", "mover", "--mate", "1"]).assert().success().stdout(none);
    let text = starts_with("Black wins in 1 move");
    solve(&folder(), &[FORK, "--winner", "other", "--mate", "1"]).assert().success().stdout(text);
}

#[test]
fn what_is_not_settled_is_said_and_told_by_the_exit_code() {
    let run = solve(&folder(), &[QUIET, "--nodes", "3000"]).assert().code(1);
    run.stdout(starts_with("Not settled: no win in "));
}

#[test]
fn programs_get_json() {
    let run = solve(&folder(), &[FORK, "--json"]).assert().success();
    let answer: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!((&answer["result"], &answer["winner"]), (&"win".into(), &"black".into()));
    assert_eq!((&answer["moves"], &answer["shortest"]), (&1.into(), &true.into()));
    assert_eq!(answer["line"].as_array().unwrap().len(), 2);
    assert_eq!(answer["fen"], FORK);
    assert!(answer["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn a_file_is_solved_line_by_line() {
    let folder = folder();
    fs::write(folder.path().join("list.txt"), format!("# two\n{ONE}\n\n{QUIET}\n")).unwrap();
    let run = solve(&folder, &["list.txt", "--mate", "2"]).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("line 2: Black wins in 1 move: a3a4"), "{text}");
    assert!(lines[1].starts_with("line 4: No forced win in 2 moves"), "{text}");
    let run = solve(&folder, &["-", "--json"]).write_stdin(ONE).assert().success();
    let answers: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!((answers.as_array().unwrap().len(), &answers[0]["line"][0]), (1, &"a3a4".into()));
}

#[test]
fn bad_input_is_refused_before_anything_is_solved() {
    let folder = folder();
    fs::write(folder.path().join("list.txt"), format!("{ONE}\nno position\n")).unwrap();
    fs::write(folder.path().join("empty.txt"), "\n").unwrap();
    for (args, expected) in [
        (&["list.txt"][..], "list.txt: line 2, column 1: expected"),
        (&["empty.txt"], "expected one position a line, found none"),
        (&["missing.txt"], "expected a position or the name of a file"),
        (&["5/6/7/8/9/8/7/5S/2SSs 6 3 w 0 1"], "found one that is over (marbles pushed off)"),
        (&[ONE, "--time", "soon"], "--time: expected a time such as 10s"),
        (&[ONE, "--rules", "chess"], "--rules: expected one of official"),
        (&[ONE, "--mate", "0"], "--mate"),
    ] {
        solve(&folder, args).assert().code(2).stdout("").stderr(contains(expected));
    }
}

//! `sumito play` without a terminal, and a person where none can play.

use predicates::prelude::*;
use predicates::str::contains;
use sumito_rules::record::{Reader, Record};

use crate::support::{folder, started, sumito};

/// Two lines of marbles, of which Black's can push off a sixth with `a3a4`.
const LAST_PUSH: &str = "5/6/7/8/s8/8/7/5S/2SSs 5 3 b 0 1";

fn records(path: &std::path::Path) -> Vec<Record> {
    let file = std::fs::File::open(path).expect("the file was written");
    Reader::new(std::io::BufReader::new(file)).map(|record| record.expect("well formed")).collect()
}

#[test]
fn two_agents_play_a_line_for_each_move_and_the_end() {
    sumito(&folder(), &["play", "random", "greedy", "--limit", "depth=1"])
        .assert()
        .success()
        .stdout(contains("  1.  Black  ").and(contains("  1.  White  ")))
        .stdout(contains("White (greedy) wins: marbles pushed off"));
}

#[test]
fn two_agents_play_as_json() {
    let args = ["play", "random", "greedy", "--limit", "depth=1", "--notation", "nacre", "--json"];
    let output = sumito(&folder(), &args).assert().success().get_output().stdout.clone();
    let game: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!((&game["white"], &game["notation"]), (&"greedy".into(), &"nacre".into()));
    assert_eq!(game["outcome"]["winner"], "white");
    let moves = game["moves"].as_array().expect("a list");
    assert!(moves.len() > 10 && moves[1]["depth"] == 1, "{moves:?}");
}

#[test]
fn a_person_plays_by_lines_until_the_input_ends() {
    sumito(&folder(), &["play", "human", "random", "--layout", "standard"])
        .write_stdin("c3d4\n")
        .assert()
        .success()
        .stdout(contains(" D  · · · ● · · · ·  9"))
        .stdout(contains("  1.  White  "))
        .stdout(contains("The game: unfinished, Black to move"));
}

#[test]
fn a_bad_move_is_reported_and_asked_again() {
    sumito(&folder(), &["play", "human", "human", "--layout", "standard"])
        .write_stdin("c3e5\nnonsense\nc3d4\nquit\n")
        .assert()
        .success()
        .stdout(contains("Not possible: c3e5: ").and(contains("Not possible: expected ")))
        .stdout(contains("The game: unfinished, White to move"));
}

#[test]
fn moves_can_be_listed_hinted_and_taken_back() {
    sumito(&folder(), &["play", "human", "greedy", "--layout", "standard"])
        .write_stdin("moves\nhint\nc3d4\nundo\nundo\nquit\n")
        .assert()
        .success()
        .stdout(contains("a1b2 ").and(contains(" c3c4d3")))
        .stdout(contains("Hint of sumito: "))
        .stdout(contains("There is no move of yours to take back."))
        .stdout(contains("The game: unfinished, Black to move"));
}

#[test]
fn another_notation_is_read_and_written() {
    sumito(&folder(), &["play", "human", "human", "--layout", "belgian-daisy", "--notation", "bcit"])
        .write_stdin("moves\ni-A1-1\nquit\n")
        .assert()
        .success()
        .stdout(contains("i-A1-1 ").and(contains("unfinished, White to move")));
}

#[test]
fn a_finished_game_is_saved_and_an_unfinished_one_is_not() {
    let folder = folder();
    let path = folder.path().join("game.apgn");
    let file = path.to_str().expect("UTF-8");
    let args = ["play", "human", "random", "--fen", LAST_PUSH, "--save", file];
    sumito(&folder, &args).write_stdin("quit\n").assert().success().stdout(contains("nothing was saved"));
    assert!(!path.exists());
    sumito(&folder, &args)
        .write_stdin("a3a4\n")
        .assert()
        .success()
        .stdout(contains("Black (human) wins: marbles pushed off").and(contains("Saved in ")));
    let records = records(&path);
    let tags = |name| records[0].tag(name).map(str::to_string);
    assert_eq!((tags("Black"), tags("Result")), (Some("human".into()), Some("1-0".into())));
    assert_eq!(records[0].replay().expect("legal").moves().len(), 1);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "no other file is left");
}

#[test]
fn the_game_of_two_agents_is_saved_whole() {
    let folder = folder();
    let path = folder.path().join("game.apgn");
    let args = ["play", "random", "greedy", "--limit", "depth=1", "--save", path.to_str().expect("UTF-8")];
    sumito(&folder, &args).assert().success();
    let game = records(&path)[0].replay().expect("legal");
    assert!(game.outcome().is_some());
}

#[test]
fn resigning_ends_the_game() {
    sumito(&folder(), &["play", "human", "random"])
        .write_stdin("resign\n")
        .assert()
        .success()
        .stdout(contains("White (random) wins: resignation"));
}

#[test]
fn a_clock_runs_out_while_nobody_moves() {
    let mut child = started(&folder(), "play human random --limit clock=50ms");
    let silent = child.stdin.take();
    let output = child.wait_with_output().expect("the program ends by itself");
    drop(silent);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("The time is up.") && text.contains("White (random) wins: time"), "{text}");
}

#[test]
fn an_engine_that_does_not_start_is_an_error() {
    sumito(&folder(), &["play", "random", "ugi:/no/such/engine"])
        .assert()
        .code(2)
        .stderr(contains("/no/such/engine"));
}

#[test]
fn what_is_wrong_with_the_arguments_is_said_with_code_2() {
    for (args, part) in [
        (&["play", "nobody", "random"][..], "black: unknown agent 'nobody'"),
        (&["play", "random", "aba-pro:depth=x"], "white: agent aba-pro: option 'depth'"),
        (&["play", "human:depth=3"], "expected 'human' without options"),
        (&["play", "--rules", "mine"], "--rules: expected one of official"),
        (&["play", "--limit", "fast"], "expected a limit such as"),
        (&["play", "random", "random", "--delay", "soon"], "--delay: expected a time"),
        (&["play", "--json"], "--json: expected two agents"),
        (&["play", "--save", "/no/such/folder/x.apgn"], "cannot write /no/such/folder/x.apgn"),
        (&["play", "--fen", "5/6/7/8/4S4/8/7/6/s4 6 0 w 0 9"], "the game is over"),
        (&["match", "human", "random"], "a person cannot play in a match"),
        (&["match", "random", "human@clock=5s"], "a person cannot play in a match"),
    ] {
        sumito(&folder(), args).assert().code(2).stderr(contains(part));
    }
}

#[test]
fn a_person_is_listed_among_the_agents() {
    sumito(&folder(), &["agents"]).assert().success().stdout(contains("human: a person at the terminal"));
    sumito(&folder(), &["agents", "human", "--json"])
        .assert()
        .success()
        .stdout(contains("\"name\": \"human\""));
}

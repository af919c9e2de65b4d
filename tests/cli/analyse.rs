//! `sumito analyse` as its users run it: positions, games, and requests of programs.

use std::fs;

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::{Value, json};
use sumito_rules::record::{Reader, Record};
use tempfile::TempDir;

use crate::support;

/// Both sides can push a sixth marble off; Black is to move and misses it, White does not.
const MISSED: &str = "[Event \"a < b\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[SetUp \"1\"]\n\
    [Position \"Sss2/6/7/8/9/8/7/6/2SSs 5 5 b 0 1\"]\n[Notation \"Aba-Pro\"]\n\n1. a4b4! {hm} i7i6 0-1\n";
const OPENING: &str =
    "[Event \"x\"]\n[Variant \"belgian\"]\n[Notation \"Nacre\"]\n\n1. a1d4 i5f5 2. a2c4 *\n";

fn sumito(folder: &TempDir, args: &[&str]) -> Command {
    support::sumito(folder, &[&["analyse", "--hash", "1"], args].concat())
}

fn folder() -> TempDir {
    let folder = support::folder();
    fs::write(folder.path().join("missed.apgn"), MISSED).unwrap();
    fs::write(folder.path().join("two.apgn"), format!("{OPENING}\n{MISSED}")).unwrap();
    folder
}

fn output(folder: &TempDir, args: &[&str]) -> String {
    let run = sumito(folder, args).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn json(folder: &TempDir, args: &[&str]) -> Value {
    serde_json::from_str(&output(folder, args)).unwrap()
}

#[test]
fn a_position_is_shown_with_its_best_line_and_chances() {
    let folder = folder();
    let won = "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1";
    let text = output(&folder, &[won, "--depth", "3"]);
    assert!(text.contains("Black to move") && text.contains("win in 1"), "{text}");
    assert!(text.contains("100 / 0 / 0") && text.contains("a3a4"), "{text}");
    let report = json(&folder, &[won, "--depth", "3", "--json", "--notation", "bcit"]);
    assert_eq!((&report["best"], &report["lines"][0]["score"]), (&json!("i-A3-3"), &json!({ "win_in": 1 })));
}

#[test]
fn a_position_is_found_by_layout_option_file_and_pipe() {
    let folder = folder();
    let fen = json(&folder, &["--layout", "standard", "--depth", "1", "--json"])["fen"].clone();
    fs::write(folder.path().join("start.fen"), fen.as_str().unwrap()).unwrap();
    for args in
        [&["standard"][..], &["start.fen"], &["--fen", fen.as_str().unwrap()], &[fen.as_str().unwrap()]]
    {
        let report = json(&folder, &[args, &["--depth", "1", "--json"]].concat());
        assert_eq!(report["fen"], fen, "{args:?}");
    }
    let piped = sumito(&folder, &["-", "--depth", "1", "--json"]).write_stdin(fen.as_str().unwrap()).assert();
    let report: Value = serde_json::from_slice(&piped.success().get_output().stdout).unwrap();
    assert_eq!(report["fen"], fen);
}

#[test]
fn the_same_command_gives_the_same_nodes_and_lines() {
    let folder = folder();
    let run = || {
        let mut report = json(&folder, &["belgian-daisy", "--depth", "6", "--json"]);
        report["seconds"] = Value::Null;
        report
    };
    assert_eq!(run(), run());
}

#[test]
fn a_finished_game_is_said_to_be_over() {
    let text = output(&folder(), &["5/6/7/8/4S4/8/7/6/4s 6 0 w 0 40"]);
    assert!(text.contains("The game is over: Black has won (marbles pushed off)."), "{text}");
}

#[test]
fn a_game_is_reviewed_with_graph_moves_and_accuracy() {
    let folder = folder();
    let text = output(&folder, &["missed.apgn", "--depth", "4"]);
    for part in
        ["a < b: Ann v Bob, 0-1", "Black's winning chance", "1. a4b4", "??", "a3a4 (win in 1)", "accuracy"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let marks = text.lines().find(|line| line.starts_with("Black  ")).unwrap();
    assert!(marks.contains('×'), "{marks}");
    let review = json(&folder, &["missed.apgn", "--depth", "4", "--json"]);
    assert_eq!(review["tags"]["Black"], "Ann");
    assert_eq!(
        (&review["moves"][0]["judgement"], &review["moves"][0]["loss"]),
        (&json!("blunder"), &json!(1.0))
    );
    assert_eq!(review["sides"]["black"]["blunders"], 1);
    assert_eq!((&review["sides"]["white"]["accuracy"], &review["complete"]), (&json!(100.0), &json!(true)));
}

#[test]
fn the_annotated_game_has_marks_values_and_better_lines_and_keeps_its_comments() {
    let folder = folder();
    output(&folder, &["missed.apgn", "--depth", "4", "--apgn", "out.apgn"]);
    let text = fs::read_to_string(folder.path().join("out.apgn")).unwrap();
    let record: Record = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    record.rewritten(sumito_rules::Notation::Nacre).expect("every move is legal, variations included");
    let blunder = &record.line.plies[0];
    assert_eq!((&blunder.glyphs[..], blunder.comments[0].as_str()), (&[4][..], "hm"), "{text}");
    assert!(blunder.comments[1].starts_with("-W1/4 0.0%, 100.0% lost"), "{text}");
    assert_eq!(blunder.variations[0].plies[0].text, "a3a4", "{text}");
    assert_eq!(record.line.plies[1].comments.len(), 1);
    assert!(record.tag("Annotator").unwrap().starts_with("Sumito "));
}

#[test]
fn the_picture_has_a_curve_and_a_disc_for_each_bad_move() {
    let folder = folder();
    output(&folder, &["missed.apgn", "--depth", "4", "--svg", "out.svg"]);
    let svg = fs::read_to_string(folder.path().join("out.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title>a &lt; b: Ann v Bob, 0-1</title>"), "{svg}");
    assert_eq!(svg.matches("was better</title>").count(), 1);
    assert!(svg.contains("1. a4b4?? loses 100.0 %; a3a4 was better"), "{svg}");
    assert!(svg.contains("class=\"curve\"") && svg.contains("Black's winning chance"));
}

#[test]
fn of_several_games_the_first_is_taken_unless_another_is_chosen() {
    let folder = folder();
    let first = sumito(&folder, &["two.apgn", "--depth", "1"]).assert().success();
    first.stdout(contains("2. a2b3")).stderr(contains("two.apgn has several games: this is the first"));
    let second = sumito(&folder, &["two.apgn", "--game", "2", "--depth", "1"]).assert().success();
    second.stdout(contains("Ann v Bob")).stderr("");
}

#[test]
fn one_position_of_a_game_can_be_chosen() {
    let folder = folder();
    let report = json(&folder, &["two.apgn", "--ply", "1", "--depth", "1", "--json"]);
    assert_eq!((&report["turn"], report["positions"].is_null()), (&json!("white"), true));
}

#[test]
fn a_game_that_goes_on_after_a_repetition_is_reviewed_with_a_note_but_not_under_rules_that_forbid_it() {
    let folder = folder();
    let shuffle = "a1b1 i9h9 b1a1 h9i9 ".repeat(3);
    fs::write(folder.path().join("long.apgn"), format!("[Variant \"standard\"]\n\n{shuffle}*\n")).unwrap();
    let review = sumito(&folder, &["long.apgn", "--depth", "1"]).assert().success();
    review.stderr(contains("over after 10 plies (repetition)"));
    let refused = sumito(&folder, &["long.apgn", "--rules", "playstrategy"]).assert().code(2).stdout("");
    refused.stderr(contains("expected rules under which the game has all its 12 plies"));
}

#[test]
fn bad_input_is_refused_and_leaves_nothing_behind() {
    let folder = folder();
    fs::write(folder.path().join("illegal.apgn"), OPENING.replace("a2c4", "e5e6")).unwrap();
    fs::write(folder.path().join("no-moves.apgn"), "[Event \"x\"]\n\n*\n").unwrap();
    fs::write(folder.path().join("empty"), "").unwrap();
    fs::write(folder.path().join("binary"), [0xff, 0xfe, 0x00]).unwrap();
    let before = fs::read_dir(folder.path()).unwrap().count();
    for (args, expected) in [
        (&["missing.apgn"][..], "expected a FEN, the name of a layout, or a file that is there"),
        (&["belgian-dasy"], "did you mean belgian-daisy"),
        (&["ss1SS/sssSSS/1ss1SS1/8"], "column 23: expected '/' and row E"),
        (&["--layout", "belgian-dasy"], "did you mean belgian-daisy"),
        (&["illegal.apgn", "--svg", "out.svg"], "illegal.apgn, game 1: ply 3"),
        (&["no-moves.apgn"], "expected a game with moves"),
        (&["empty"], "expected a position or a game, found nothing"),
        (&["binary"], "expected a text in UTF-8"),
        (&["."], "found a folder"),
        (&["two.apgn", "--game", "3"], "--game: expected at most 2, the games in two.apgn, found 3"),
        (&["two.apgn", "--game", "0"], "--game"),
        (&["two.apgn", "--ply", "4"], "--ply: expected at most 3"),
        (&["standard", "--ply", "4"], "--ply: expected a file of games"),
        (&["standard", "--svg", "out.svg"], "--svg: expected a game to review"),
        (&["standard", "--apgn", "out.apgn"], "--apgn: expected a game to review"),
        (&["standard", "--moves", "a1b1 e5e6"], "--moves: 'e5e6'"),
        (&["standard", "--depth", "0"], "--depth"),
        (&["standard", "--time", "soon"], "expected a time such as 500ms"),
        (&["standard", "--rules", "mine"], "official, playstrategy"),
        (&["standard", "--infinite", "--depth", "3"], "cannot be used with"),
        (&["standard", "--fen", "x"], "cannot be used with"),
        (&["missed.apgn", "--infinite"], "--infinite: expected a position"),
        (&["missed.apgn", "--svg", "no/such/folder/out.svg"], "cannot write no/such/folder/out.svg"),
        (&["missed.apgn", "--svg", "-"], "--svg: expected a file"),
        (&["standard", "--net", "missing.net"], "--net: the network missing.net cannot be read"),
        (&["standard", "--serve"], "cannot be used with"),
    ] {
        let run = sumito(&folder, args).assert().code(2).stdout("");
        let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(error.contains(expected), "{args:?}: {error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
}

#[test]
fn programs_are_answered_line_by_line() {
    let input =
        "{\"do\":\"analyse\",\"id\":\"a\",\"layout\":\"standard\"}\nnonsense\n{\"do\":\"ping\",\"id\":3}\n";
    let folder = folder();
    let run = sumito(&folder, &["--serve", "--depth", "2"]).write_stdin(input).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let mut answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["type"].as_str().unwrap().to_string());
    let types: Vec<&str> = answers.iter().map(|answer| answer["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["error", "pong", "result"]);
    assert_eq!((&answers[0]["id"], &answers[0]["line"]), (&Value::Null, &json!(2)));
    assert_eq!(
        (&answers[2]["id"], &answers[2]["result"]["depth"]),
        (&json!("a"), &json!(2)),
        "the given default"
    );
}

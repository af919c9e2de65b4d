//! The program as its users run it: the real binary, in a temporary folder.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::{folder, json, output, sumito};

const BELGIAN: &str = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";

/// Standard error of a run that must end with exit code 2 and print nothing else.
fn refusal(command: &mut Command) -> String {
    let run = command.assert().code(2).stdout("");
    let text = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(!text.trim().contains("\n\n"), "more than a paragraph: {text}");
    text
}

#[test]
fn perft_prints_the_count_alone() {
    assert_eq!(output(&folder(), &["perft", "--layout", "standard", "4"]), "5045110\n");
    assert_eq!(output(&folder(), &["perft", "--fen", BELGIAN, "0"]), "1\n");
    assert_eq!(output(&folder(), &["perft", "--threads", "3", "4"]), "8270666\n");
}

#[test]
fn perft_tells_programs_nodes_seconds_and_speed() {
    let report = json(&folder(), &["perft", "--layout", "german-daisy", "--json", "--divide", "3"]);
    assert_eq!(report["nodes"], 493480);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    let speed = report["nodes"].as_f64().unwrap() / report["seconds"].as_f64().unwrap();
    assert!((report["leaves_per_second"].as_f64().unwrap() / speed - 1.0).abs() < 1e-6);
    let parts = report["divide"].as_object().unwrap();
    assert_eq!((parts.len(), parts.values().map(|n| n.as_u64().unwrap()).sum::<u64>()), (80, 493480));
}

#[test]
fn perft_divides_by_move() {
    let text = output(&folder(), &["perft", "--divide", "2"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), *lines.last().unwrap()), (53, "2692"));
    assert!(lines[..52].iter().all(|line| line.split(' ').count() == 2));
}

#[test]
fn moves_are_listed_in_every_notation() {
    for (notation, first) in
        [("aba-pro", "a1b1"), ("nacre", "a1b1"), ("playstrategy", "a1b1"), ("bcit", "i-A1-1")]
    {
        let text = output(&folder(), &["moves", "--layout", "standard", "--notation", notation]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 44, "{notation}");
        assert!(lines.contains(&first) || notation != "bcit", "{text}");
    }
}

#[test]
fn a_finished_game_has_no_moves() {
    assert_eq!(output(&folder(), &["moves", "--fen", "5/6/7/8/4S4/8/7/6/4s 6 0 w 0 40"]), "");
}

#[test]
fn show_draws_text_pictures_and_facts() {
    assert!(output(&folder(), &["show", "--play", "a1b2 i5h5"]).contains("Black ······ 0   to move"));
    assert!(output(&folder(), &["show", "--svg", "--move", "a1b2"]).starts_with("<svg"));
    let facts = json(&folder(), &["show", "--json", "--layout", "standard"]);
    assert_eq!((facts["legal_moves"].as_u64(), facts["turn"].as_str()), (Some(44), Some("black")));
    let folder = folder();
    sumito(&folder, &[]).args(["show", "-o", "board.svg"]).assert().success().stdout("");
    assert!(fs::read_to_string(folder.path().join("board.svg")).unwrap().ends_with("</svg>\n"));
}

#[test]
fn states_writes_boards_and_moves_and_verifies_them() {
    let folder = folder();
    fs::write(folder.path().join("Test1.input"), "b\nA1b,A2b,A3b,A4w,A5w\n").unwrap();
    sumito(&folder, &[]).args(["states", "Test1.input"]).assert().success().stdout(contains("13 boards"));
    let boards = fs::read_to_string(folder.path().join("Test1.board")).unwrap();
    let moves = fs::read_to_string(folder.path().join("Test1.move")).unwrap();
    assert_eq!((boards.lines().count(), moves.lines().count()), (13, 13));
    let at = moves.lines().position(|m| m == "i-A1-3").expect("the push");
    assert_eq!(boards.lines().nth(at), Some("A2b,A3b,A4b,A5w"));
    sumito(&folder, &[])
        .args(["states", "--verify", "Test1.input"])
        .assert()
        .success()
        .stdout(contains("equal"));

    sumito(&folder, &[]).args(["states", "--form", "action", "Test1.input"]).assert().success();
    let actions = fs::read_to_string(folder.path().join("Test1.move")).unwrap();
    assert_eq!(actions.lines().nth(at), Some("{n=1, direction=3, index=56}"));

    let mut lines: Vec<&str> = boards.lines().rev().collect();
    lines[0] = "A1b,A2b,A3b,A4w,A5w";
    fs::write(folder.path().join("Test1.board"), lines.join("\r\n")).unwrap();
    let verify = sumito(&folder, &[]).args(["states", "--verify", "Test1.input"]).assert();
    verify.code(1).stdout(contains("1 missing, 1 wrong"));
}

#[test]
fn positions_convert_between_all_formats() {
    let kaa = "0a12b123c23g78h789i89_0a45b456c56g45h456i56";
    let cells = "ww.bbwwwbbb.ww.bb...........................bb.ww.bbbwwwbb.ww";
    let folder = folder();
    for (from, text) in [("fen", BELGIAN), ("kaa", kaa), ("cells", cells)] {
        for (to, expected) in [("fen", BELGIAN), ("kaa", kaa), ("cells", cells)] {
            let mut convert = sumito(&folder, &[]);
            convert.args(["convert", "--from", from, "--to", to]).write_stdin(format!("{text}\n\n{text}\n"));
            convert.assert().success().stdout(format!("{expected}\n{expected}\n"));
        }
    }
    let mut convert = sumito(&folder, &[]);
    convert.args(["convert", "--to", "bcit"]).write_stdin(BELGIAN);
    let bcit = String::from_utf8(convert.assert().success().get_output().stdout.clone()).unwrap();
    assert!(bcit.starts_with("b\nA1b,A2b,B1b"), "{bcit}");
    let mut convert = sumito(&folder, &[]);
    convert
        .args(["convert", "--to", "kaa"])
        .write_stdin(bcit.repeat(2))
        .assert()
        .success()
        .stdout(format!("{kaa}\n{kaa}\n"));
}

const GAME: &str = "[Event \"x\"]\n[Variant \"belgian\"]\n[Result \"*\"]\n[Notation \"Aba-Pro\"]\n\n1. a1b2 {wide} i5h5 (1... i6h6) 2. a2b3 *\n";

#[test]
fn games_convert_between_notations_and_to_positions() {
    let folder = folder();
    fs::write(folder.path().join("x.apgn"), GAME).unwrap();
    sumito(&folder, &[])
        .args(["convert", "--to", "apgn", "--notation", "nacre", "x.apgn", "-o", "n.apgn"])
        .assert()
        .success();
    let nacre = fs::read_to_string(folder.path().join("n.apgn")).unwrap();
    assert!(
        nacre.contains("[Notation \"Nacre\"]")
            && nacre.contains("1. a1d4 {wide} 1... i5f5 (1... i6g6) 2. a2c4 *"),
        "{nacre}"
    );
    sumito(&folder, &[]).args(["convert", "--to", "apgn", "n.apgn", "-o", "back.apgn"]).assert().success();
    let back = fs::read_to_string(folder.path().join("back.apgn")).unwrap();
    assert!(back.contains("1. a1b2 {wide} 1... i5h5 (1... i6h6) 2. a2b3 *"), "{back}");
    let last = sumito(&folder, &[]).args(["convert", "--to", "fen", "n.apgn"]).assert().success();
    last.stdout(contains(" 0 0 w 3 2"));
    sumito(&folder, &[])
        .args(["convert", "--to", "fen", "--ply", "0", "n.apgn"])
        .assert()
        .success()
        .stdout(format!("{BELGIAN}\n"));
    sumito(&folder, &[])
        .args(["convert", "--json", "n.apgn"])
        .assert()
        .success()
        .stdout(contains("\"moves\":[\"a1b2\""));
}

#[test]
fn replay_sums_up_and_names_the_illegal_move() {
    let folder = folder();
    let bad = GAME.replace("a2b3", "e5e6").replace("\"x\"", "\"the bad one\"");
    fs::write(folder.path().join("good.apgn"), GAME.repeat(3)).unwrap();
    fs::write(folder.path().join("mixed.apgn"), format!("{GAME}\n{bad}\n{GAME}")).unwrap();
    let good = sumito(&folder, &[]).args(["replay", "good.apgn"]).assert().success();
    good.stdout(contains("3 games, 9 plies").and(contains("games with an illegal move: 0")));
    let mixed = sumito(&folder, &[]).args(["replay", "mixed.apgn"]).assert().code(1);
    mixed.stdout(contains("mixed.apgn, game 2 (the bad one, ? v ?): ply 3: line 13, column 36: expected a legal move, found 'e5e6'"));
    let report = sumito(&folder, &[]).args(["replay", "--json", "mixed.apgn"]).assert().code(1);
    let report: serde_json::Value = serde_json::from_slice(&report.get_output().stdout).unwrap();
    assert_eq!((report["games"].as_u64(), report["illegal"][0]["game"].as_u64()), (Some(3), Some(2)));
}

#[test]
fn layouts_are_listed_with_their_sources() {
    assert_eq!(output(&folder(), &["layouts"]).lines().filter(|line| !line.trim().is_empty()).count(), 74);
    let all = json(&folder(), &["layouts", "--json"]);
    assert_eq!(all.as_array().unwrap().len(), 73);
    let star = json(&folder(), &["layouts", "--json", "etoile"]);
    assert!(star[0]["name"] == "star" && star[0]["agree"] == 1 && star[0]["dispute"] != "");
    assert!(output(&folder(), &["layouts", "star"]).contains("1 of 3 disputed"));
}

#[test]
fn the_help_says_what_the_program_can_do() {
    let text = output(&folder(), &["--help"]);
    for command in ["perft", "show", "moves", "states", "convert", "replay", "layouts", "completions", "man"]
    {
        assert!(text.contains(command), "{text}");
    }
    assert!(output(&folder(), &["completions", "bash"]).contains("_sumito"));
    assert!(output(&folder(), &["man"]).contains(".TH"));
}

#[test]
fn bad_positions_are_refused_with_the_place() {
    let folder = folder();
    for (fen, expected) in [
        ("ss1SS/sssSSS/1ss1SS1/8", "column 23: expected '/' and row E, found the end of the text"),
        ("SSSSS/SSSSSS/SSSS3/8/9/8/7/6/5 0 0 b 0 1", "expected at most 14 marbles of Black, found 15"),
        ("6/6/7/8/9/8/7/6/5", "column 1: expected 5 more cells of row I"),
        ("ss1SSs/sssSSS/1ss1SS1/8/9/8/7/6/5", "column 6: expected '/' after row I, found 's'"),
        ("", "expected"),
        ("\u{0}\u{1}", "expected"),
    ] {
        for command in ["moves", "show", "perft"] {
            let depth = if command == "perft" { vec!["2"] } else { vec![] };
            // A zero byte cannot be an argument; it is for the pipe below.
            if !fen.contains('\0') {
                let error = refusal(sumito(&folder, &[]).arg(command).args(["--fen", fen]).args(depth));
                assert!(error.contains(expected), "{error}");
            }
        }
        let mut convert = sumito(&folder, &[]);
        let error = refusal(convert.args(["convert", "--to", "kaa", "-o", "out.txt"]).write_stdin(fen));
        assert!(error.contains(expected) || fen.is_empty(), "{error}");
        assert!(!folder.path().join("out.txt").exists());
    }
    let error = refusal(sumito(&folder, &[]).args(["moves", "--layout", "belgian-dasy"]));
    assert!(error.contains("did you mean belgian-daisy"), "{error}");
}

#[test]
fn bad_files_are_refused_and_leave_nothing_behind() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("klingon.apgn", GAME.replace("Aba-Pro", "Klingon").as_bytes());
    write("binary.apgn", &(0..=255).cycle().take(3000).collect::<Vec<u8>>());
    write("empty.apgn", b"");
    write("half.apgn", GAME.replace("2. a2b3 *", "{never closed").as_bytes());
    for (file, expected) in [
        (
            "klingon.apgn",
            "expected a notation (aba-pro, nacre, playstrategy, bcit, verloop), found 'Klingon'",
        ),
        ("binary.apgn", "expected"),
        ("empty.apgn", "found no"),
        ("missing.apgn", "cannot read missing.apgn"),
        ("half.apgn", "expected '}' to close the comment"),
        (".", "found a folder"),
    ] {
        let replay = sumito(&folder, &[]).args(["replay", file]).assert().code(2);
        let error = String::from_utf8(replay.get_output().stderr.clone()).unwrap();
        assert!(error.contains(expected), "{error}");
        let mut convert = sumito(&folder, &[]);
        refusal(convert.args(["convert", "--from", "apgn", "--to", "apgn", file, "-o", "out.apgn"]));
        refusal(sumito(&folder, &[]).args(["states", file]));
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "only the inputs: {left:?}");
}

#[test]
fn an_unwritable_output_is_an_error() {
    let folder = folder();
    let error = refusal(sumito(&folder, &[]).args(["show", "-o", "no/such/folder/board.svg"]));
    assert!(error.contains("cannot write no/such/folder/board.svg"), "{error}");
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = folder();
    for args in [
        &["perft"][..],
        &["perft", "-1"],
        &["perft", "--threads", "0", "3"],
        &["perft", "--layout", "standard", "--fen", BELGIAN, "3"],
        &["moves", "--notation", "klingon"],
        &["show", "--move", "e5e6"],
        &["show", "--play", "a1b2 a1b2"],
        &["convert"],
        &["states"],
        &["frobnicate"],
    ] {
        sumito(&folder, &[]).args(args).assert().code(2).stdout("").stderr(predicate::str::is_empty().not());
    }
}

#[test]
fn bench_counts_the_nodes_that_are_written_down() {
    let written = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/bench.txt")).unwrap();
    let nodes = written.lines().find_map(|line| line.strip_prefix("7 ")).unwrap();
    assert_eq!(json(&folder(), &["bench", "--json", "7"])["nodes"].to_string(), nodes);
    assert!(output(&folder(), &["bench", "7"]).starts_with(&format!("{nodes} nodes, ")));
}

#[test]
fn a_position_to_evaluate_is_named_like_one_to_analyse() {
    let by_option = output(&folder(), &["eval", "--fen", BELGIAN]);
    assert_eq!(output(&folder(), &["eval", BELGIAN]), by_option);
    assert_eq!(output(&folder(), &["eval", "belgian-daisy"]), by_option);
    let folder = folder();
    let refused = refusal(sumito(&folder, &[]).args(["eval", "no such layout"]));
    assert!(refused.starts_with("sumito: FEN: line 1, column 1: expected"), "{refused}");
}

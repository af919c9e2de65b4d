//! Training data as its users make it: the real binary, in a temporary folder.

use std::fs;

use predicates::str::contains;
use tempfile::TempDir;

use crate::support::{assert_refused, folder, json, sumito};

/// A little data, quickly. With the fewest nodes that are allowed it takes a hundred times as long: most positions of a
/// game have no score then.
const SMALL: &str = "datagen --nodes 80 --hash 1 --max-plies 60 --decided 300,2";

fn generate(folder: &TempDir, rest: &str) {
    sumito(folder, &format!("{SMALL} {rest}")).assert().success().stdout(contains("positions of"));
}

#[test]
fn data_is_the_same_for_the_same_seed_and_counted_by_info() {
    let folder = folder();
    generate(&folder, "--out one --positions 200 --threads 1");
    generate(&folder, "--out two --positions 200 --threads 2");
    generate(&folder, "--out other --positions 200 --threads 1 --seed 2");
    let [one, two, other] = ["one", "two", "other"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert!(one == two && one != other);
    let info = json(&folder, "data info one --json");
    let sum = |name: &str| info[name].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
    let positions = info["positions"].as_u64().unwrap();
    assert!(positions >= 200);
    assert_eq!([sum("scores"), sum("marbles"), sum("depths"), sum("results")], [positions; 4]);
    let both = json(&folder, "data info one two --json");
    assert_eq!(both["positions"], positions * 2);
    assert_eq!(both["games"]["draws"].as_u64(), info["games"]["draws"].as_u64().map(|n| 2 * n));
    sumito(&folder, "data info one").assert().success().stdout(contains("marbles left"));
}

#[test]
fn an_interrupted_file_is_an_error_until_the_same_command_goes_on_with_it() {
    let folder = folder();
    generate(&folder, "--out whole --positions 300 --threads 1");
    generate(&folder, "--out cut --positions 100 --threads 1");
    let path = folder.path().join("cut");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let error = "the end of the file";
    sumito(&folder, "data info cut")
        .assert()
        .code(2)
        .stderr(contains("cut at byte "))
        .stderr(contains(error));
    generate(&folder, "--out cut --positions 300 --threads 1");
    assert_eq!(json(&folder, "data info cut --json"), json(&folder, "data info whole --json"));
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let folder = folder();
    for (args, words) in [
        ("--out x --scattered 1.5", "found 1.5"),
        ("--out x --nodes 20", "expected at least 30 nodes for each move, found 20"),
        ("--out x --random-plies 4", "such as 4,11"),
        ("--out x --decided 0,3", "such as 1500,6"),
        ("--out x --layouts belgian-dasy", "did you mean belgian-daisy"),
        ("--out x --rules chess", "playstrategy"),
        ("--out x --positions 0", "at least one"),
        ("--out no/x", "no/x"),
    ] {
        assert_refused(&folder, &format!("datagen {args}"), words, "x");
    }
}

#[test]
fn a_run_that_finds_nothing_to_keep_says_so() {
    let folder = folder();
    let args = "datagen --out x --positions 10 --nodes 30 --hash 1 --max-plies 4 --scattered 0";
    let words = "expected positions to keep, found none in 1000 games on end";
    sumito(&folder, args).assert().code(2).stdout("").stderr(contains(words));
}

#[test]
fn a_file_made_otherwise_or_by_another_program_is_left_alone() {
    let folder = folder();
    generate(&folder, "--out x --positions 20 --threads 1");
    fs::write(folder.path().join("notes"), "a text that is no training data").unwrap();
    let bytes = fs::read(folder.path().join("x")).unwrap();
    let other = sumito(&folder, "datagen --out x --nodes 81").assert().code(2);
    other.stderr(contains("made with other settings (its nodes, "));
    sumito(&folder, "datagen --out notes").assert().code(2).stderr(contains("notes at byte 0: expected"));
    sumito(&folder, "data info notes").assert().code(2).stderr(contains("notes at byte 0: expected"));
    assert_eq!(fs::read(folder.path().join("x")).unwrap(), bytes);
    assert_eq!(fs::read(folder.path().join("notes")).unwrap(), b"a text that is no training data");
}

#[test]
fn winning_chances_are_fitted_and_drawn() {
    let folder = folder();
    generate(&folder, "--out x --positions 600");
    let fit = json(&folder, "data fit-wdl x --svg plot.svg --json");
    assert!(fit["loss"].as_f64().unwrap() < (3.0_f64).ln());
    assert!(fit["even"][0].as_f64().unwrap() > 0.0 && fit["spread"][0].as_f64().unwrap() > 0.0);
    let svg = fs::read_to_string(folder.path().join("plot.svg")).unwrap();
    let bins = fit["calibration"].as_array().unwrap().len();
    assert!(bins > 0 && svg.matches("<circle").count() == bins);
    sumito(&folder, "data fit-wdl x").assert().success().stdout(contains("WdlModel { even: ["));
    generate(&folder, "--out few --positions 1 --threads 1");
    sumito(&folder, "data fit-wdl few").assert().code(2).stderr(contains("won, drawn and lost"));
}

#[test]
fn recorded_games_are_read_once_when_their_searches_are_kept() {
    let folder = folder();
    let mut games = String::new();
    for result in ["1-0", "0-1", "1/2-1/2"].repeat(4) {
        games += &format!(
            "[Result \"{result}\"]\n[Notation \"Aba-Pro\"]\n\n1. a1b2 h5g5 2. b2c3 g5f5 {result}\n\n"
        );
    }
    fs::write(folder.path().join("games.apgn"), games).unwrap();
    let fit = || json(&folder, "data fit-wdl games.apgn --nodes 10 --threads 2 --out kept --json");
    let moves = || fs::read_to_string(folder.path().join("kept/moves.jsonl")).unwrap();
    let (first, kept) = (fit(), moves());
    assert_eq!((first["positions"].as_f64(), kept.lines().count()), (Some(44.0), 12));
    assert_eq!((fit(), moves()), (first, kept));
    let other = sumito(&folder, "data fit-wdl games.apgn --nodes 11 --out kept").assert().code(2);
    other.stderr(contains("another review of recorded games (its nodes differ)"));
}

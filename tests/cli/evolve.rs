//! Evolution as its users run it: the real binary, in a temporary folder.

use std::fs;

use predicates::str::contains;
use serde_json::Value;

#[cfg(unix)]
use crate::support::interrupted;
use crate::support::{folder, output, read, sumito};

/// An evolution with few and short games, kept in `out`.
fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = "evolve --island 4 --generations 2 --rounds 1 --final-pairs 1 --layouts standard --random-plies 2 \
                --max-plies 20 --threads 1 --out out";
    args.split_whitespace().chain(more.iter().copied()).collect()
}

#[test]
fn an_evolution_gives_weights_as_spec_table_and_picture() {
    let folder = folder();
    let text = output(&folder, &short(&[]));
    assert!(
        text.contains("generation 2") && text.contains("tournament 1") && text.contains("final"),
        "{text}"
    );
    let result: Value = serde_json::from_str(&read(&folder, "out/result.json")).unwrap();
    assert_eq!((&result["finished"], &result["games"]), (&Value::from(true), &Value::from(44)));
    assert_eq!(result["weights"].as_array().unwrap().len(), 6);
    let spec = result["spec"].as_str().unwrap();
    assert!(spec.starts_with("maastricht:weights=") && text.contains(spec), "{text}");
    let games = ["match", spec, "maastricht", "--games", "2", "--limit", "depth=1", "--max-plies", "10"];
    sumito(&folder, &games).assert().success();
    assert_eq!(read(&folder, "out/steps.csv").lines().count(), 5);
    assert!(read(&folder, "out/fitness.svg").contains("games drawn"));
}

#[test]
fn the_same_command_gives_the_same_weights_and_goes_on_where_it_was_cut_off() {
    let (whole, cut) = (folder(), folder());
    let args = short(&["--score", "ejections", "--crossover", "uniform", "--json"]);
    let report = output(&whole, &args);
    output(&cut, &args);
    let path = cut.path().join("out/steps.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), &text), (4, &read(&whole, "out/steps.jsonl")));
    // A generation and a piece of the second are left.
    let end = text.find('\n').unwrap() + 30;
    fs::write(&path, &text[..end]).unwrap();
    assert_eq!(output(&cut, &args), report);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn other_agents_and_the_nine_sets_evolve_too() {
    for (args, start, count) in [
        (&["--agent", "bcit", "--limit", "depth=1"][..], "bcit:map=", 4),
        (&["--agent", "verloop:table-bits=8", "--weight", "single:0:90"], "verloop:table-bits=8,single=", 1),
        (&["--nine", "--spread", "0.2"], "maastricht:weights=", 54),
    ] {
        let folder = folder();
        let report: Value =
            serde_json::from_str(&output(&folder, &short(&[args, &["--json"]].concat()))).unwrap();
        assert!(report["spec"].as_str().unwrap().starts_with(start), "{report}");
        assert_eq!(report["weights"].as_array().unwrap().len(), count);
        assert_eq!(report["faults"], Value::from(0));
    }
}

#[test]
fn what_cannot_evolve_is_refused_and_nothing_is_written() {
    let folder = folder();
    for (args, error) in [
        (&["--agent", "random"][..], "no weights are known for it"),
        (&["--agent", "human"], "a person cannot play"),
        (&["--coach", "maastricht:weights=1"], "expected 6 or 54 numbers, found 1"),
        (&["--weight", "weights.1:0:5"], "expected weights=... in the agent's spec"),
        (&["--agent", "bcit", "--nine"], "expected maastricht's neutral evaluation"),
        (&["--agent", "verloop", "--weight", "sinlge:0:5"], "did you mean single"),
        (&["--agent", "verloop", "--weight", "single:5:0"], "expected NAME or NAME:MIN:MAX"),
        (&["--group", "9"], "group: expected a whole number from 2 to 2, found 9"),
        (&["--survivors", "4"], "survivors: expected a whole number from 1 to 3"),
        (&["--mutation", "-1"], "mutation: expected a number from 0 to 1, found -1"),
        (&["--nine", "--weight", "depth"], "cannot be used with"),
    ] {
        sumito(&folder, &short(args)).assert().code(2).stderr(contains(error));
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn the_folder_of_another_evolution_is_refused() {
    let folder = folder();
    output(&folder, &short(&[]));
    let other = short(&["--seed", "2"]);
    sumito(&folder, &other)
        .assert()
        .code(2)
        .stderr(contains("holds another evolution (its seed, openings differ)"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_evolution_keeps_what_it_has_and_says_how_to_go_on() {
    let folder = folder();
    let mut args = short(&[]);
    for (name, value) in [("--generations", "90000"), ("--random-plies", "0")] {
        let at = args.iter().position(|arg| *arg == name).unwrap();
        args[at + 1] = value;
    }
    let said = interrupted(&folder, &args, "out/steps.jsonl");
    assert!(said.contains("Go on with:") && said.contains("evolve"), "{said}");
    let lines = read(&folder, "out/steps.jsonl").lines().count();
    let result: Value = serde_json::from_str(&read(&folder, "out/result.json")).unwrap();
    assert_eq!((&result["finished"], &result["steps"]), (&Value::from(false), &Value::from(lines)));
}

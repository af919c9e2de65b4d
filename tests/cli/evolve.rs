//! Evolution as its users run it: the real binary, in a temporary folder.

use std::fs;

use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::{folder, sumito};

/// An evolution with few and short games, kept in `out`.
fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = "evolve --island 4 --generations 2 --rounds 1 --final-pairs 1 --layouts standard --random-plies 2 \
                --max-plies 20 --threads 1 --out out";
    args.split_whitespace().chain(more.iter().copied()).collect()
}

fn output(folder: &TempDir, args: &[&str]) -> String {
    let run = sumito(folder, args).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join("out").join(name)).unwrap()
}

#[test]
fn an_evolution_gives_weights_as_spec_table_and_picture() {
    let folder = folder();
    let text = output(&folder, &short(&[]));
    assert!(
        text.contains("generation 2") && text.contains("tournament 1") && text.contains("final"),
        "{text}"
    );
    let result: Value = serde_json::from_str(&read(&folder, "result.json")).unwrap();
    assert_eq!((&result["finished"], &result["games"]), (&Value::from(true), &Value::from(44)));
    assert_eq!(result["weights"].as_array().unwrap().len(), 6);
    let spec = result["spec"].as_str().unwrap();
    assert!(spec.starts_with("maastricht:weights=") && text.contains(spec), "{text}");
    let games = ["match", spec, "maastricht", "--games", "2", "--limit", "depth=1", "--max-plies", "10"];
    sumito(&folder, &games).assert().success();
    assert_eq!(read(&folder, "steps.csv").lines().count(), 5);
    assert!(read(&folder, "fitness.svg").contains("games drawn"));
}

#[test]
fn the_same_command_gives_the_same_weights_and_goes_on_where_it_was_cut_off() {
    let (whole, cut) = (folder(), folder());
    let args = short(&["--score", "ejections", "--crossover", "uniform", "--json"]);
    let report = output(&whole, &args);
    output(&cut, &args);
    let path = cut.path().join("out/steps.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), &text), (4, &read(&whole, "steps.jsonl")));
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
    use std::io::Read;
    use std::process::{Command as Process, Stdio};

    let folder = folder();
    let mut args = short(&[]);
    for (name, value) in [("--generations", "90000"), ("--random-plies", "0")] {
        let at = args.iter().position(|arg| *arg == name).unwrap();
        args[at + 1] = value;
    }
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("sumito"))
        .args(args)
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let path = folder.path().join("out/steps.jsonl");
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until interrupted");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Process::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("Go on with:") && said.contains("evolve"), "{said}");
    let lines = read(&folder, "steps.jsonl").lines().count();
    let result: Value = serde_json::from_str(&read(&folder, "result.json")).unwrap();
    assert_eq!((&result["finished"], &result["steps"]), (&Value::from(false), &Value::from(lines)));
}

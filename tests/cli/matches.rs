//! Agents and matches as their users run them: the real binary, in a temporary folder, with engines that
//! behave and engines that do not.

use std::fs;

use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{folder, folder_of_earlier_run, json, lines, output, sumito};
#[cfg(unix)]
use crate::support::{interrupt, started};

/// A short match, kept in `out`.
fn short<'a>(agents: &[&'a str]) -> Vec<&'a str> {
    let settings =
        "--games 4 --layouts standard,belgian-daisy --limit nodes=200 --max-plies 30 --out out --json";
    ["match"].into_iter().chain(agents.iter().copied()).chain(settings.split(' ')).collect()
}

#[test]
fn a_match_is_kept_as_games_and_results() {
    let folder = folder();
    let report = json(&folder, &short(&["random", "greedy", "cornell"]));
    assert_eq!((&report["finished"], &report["games"]), (&Value::from(true), &Value::from(12)));
    let out = folder.path().join("out");
    assert_eq!(lines(&out.join("games.jsonl")).len(), 12);
    // A line for the titles, three pairings, three players.
    assert_eq!(lines(&out.join("results.csv")).len(), 7);
    let kept: Value = serde_json::from_slice(&fs::read(out.join("results.json")).unwrap()).unwrap();
    assert_eq!(kept, report);
    let replayed = json(&folder, &["replay", "out/games.apgn", "--json"]);
    assert_eq!((&replayed["games"], &replayed["illegal"]), (&Value::from(12), &Value::Array(Vec::new())));
}

#[test]
fn the_same_command_goes_on_where_a_match_was_cut_off() {
    let (whole, cut) = (folder(), folder());
    let args = short(&["random", "greedy:seed=4"]);
    let report = json(&whole, &args);
    json(&cut, &args);
    let path = cut.path().join("out/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    // One game and a half are left.
    let end = text.find('\n').unwrap() + 100;
    fs::write(&path, &text[..end]).unwrap();
    let again = json(&cut, &args);
    let endings = |report: &Value| report["pairings"][0]["games"].clone();
    assert_eq!(endings(&again), endings(&report));
    assert_eq!(lines(&path).len(), 4);
}

#[test]
fn the_folder_of_another_match_is_refused() {
    let folder = folder();
    output(&folder, &short(&["random", "greedy"]));
    let mut args = short(&["random", "greedy"]);
    args.extend(["--seed", "2"]);
    sumito(&folder, &args).assert().code(2).stderr(contains("holds another match (its seed differ"));
}

#[test]
fn with_more_games_than_before_a_match_goes_on() {
    let folder = folder();
    let args = |games| {
        let rest = "--layouts standard,belgian-daisy --random-plies 3 --limit nodes=200 --max-plies 30 --out out --json";
        ["match", "random", "greedy", "--games", games].into_iter().chain(rest.split(' ')).collect::<Vec<_>>()
    };
    let path = folder.path().join("out/games.jsonl");
    output(&folder, &args("4"));
    let first = lines(&path);
    output(&folder, &args("8"));
    let second = lines(&path);
    // Interrupted on its way to twice as many.
    fs::write(&path, second[..6].join("\n") + "\n").unwrap();
    let report = json(&folder, &args("10"));
    assert_eq!((&report["finished"], &report["games"]), (&Value::from(true), &Value::from(10)));
    let last = lines(&path);
    assert_eq!((last.len(), &last[..4], &last[..6]), (10, &first[..], &second[..6]));
    let index = |line: &String| serde_json::from_str::<Value>(line).unwrap()["index"].as_u64().unwrap();
    let opening = |line: &String| serde_json::from_str::<Value>(line).unwrap()["opening"]["name"].to_string();
    let indices: std::collections::BTreeSet<u64> = last.iter().map(index).collect();
    assert_eq!(indices, (0..10).collect());
    let openings: std::collections::BTreeSet<String> = last.iter().map(opening).collect();
    assert_eq!(openings.len(), 5, "every pair has an opening of its own");
    // The same again finds all of them there, and fewer are another match.
    assert_eq!(json(&folder, &args("10")), report);
    sumito(&folder, &args("8")).assert().code(2).stderr(contains("holds another match (its pairs"));
}

#[test]
fn a_match_of_an_earlier_version_goes_on() {
    let folder = folder_of_earlier_run("match");
    let path = folder.path().join("out/games.jsonl");
    let before = lines(&path);
    let report = json(&folder, &short(&["random", "greedy"]));
    assert_eq!(
        (before.len(), &report["games"], &report["finished"]),
        (2, &Value::from(4), &Value::from(true))
    );
    assert_eq!(lines(&path)[..2], before);
}

#[test]
fn matches_are_rated_together() {
    let folder = folder();
    output(&folder, &short(&["random", "greedy", "cornell"]));
    let ratings = json(&folder, &["rate", "out", "out/games.jsonl", "--anchor", "random=100", "--json"]);
    let players = ratings["players"].as_array().unwrap();
    let random = players.iter().find(|player| player["name"] == "random").unwrap();
    assert_eq!((players.len(), &random["elo"]), (3, &Value::from(100.0)));
    sumito(&folder, &["rate", "nothing"]).assert().code(2).stderr(contains("nothing"));
}

#[test]
fn a_sequential_test_ends_a_match_by_itself() {
    let args =
        "match random greedy --games 2000 --layouts standard --random-plies 4 --limit nodes=200 --json";
    let mut args: Vec<&str> = args.split(' ').collect();
    args.extend(["--sprt", "elo0=0,elo1=100"]);
    let report = json(&folder(), &args);
    assert_eq!((&report["finished"], &report["sprt"]["verdict"]), (&Value::from(true), &Value::from("h0")));
    assert!(report["games"].as_u64().unwrap() < 200, "{report}");
}

/// An engine that answers every `go` with a line of shell.
#[cfg(unix)]
fn engine(folder: &TempDir, name: &str, answer: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         ugi) echo 'id name {name}'; echo ugiok;;\nisready) echo readyok;;\ngo*) {answer};;\nquit) exit;;\n\
         esac; done\n"
    );
    fs::write(folder.path().join(name), script).unwrap();
    format!("ugi:sh {name}")
}

#[cfg(unix)]
#[test]
fn engines_that_crash_or_cheat_lose_with_the_reason_and_the_match_goes_on() {
    let folder = folder();
    let crash = engine(&folder, "crash", "echo out of marbles >&2; exit 3");
    let cheat = engine(&folder, "cheat", "echo bestmove e5e6");
    let report = json(&folder, &short(&["random", &crash, &cheat]));
    assert_eq!(report["finished"], true);
    let faults = |player: usize| report["players"][player]["faults"].clone();
    assert_eq!((faults(0)["crash"].as_u64(), faults(0)["illegal"].as_u64()), (Some(0), Some(0)));
    // Against each other, whoever moves first fails first.
    assert_eq!((faults(1)["crash"].as_u64(), faults(2)["illegal"].as_u64()), (Some(6), Some(6)));
    let games = fs::read_to_string(folder.path().join("out/games.apgn")).unwrap();
    assert!(games.contains("broke down") && games.contains("out of marbles"), "{games}");
    assert!(games.contains("made an illegal move") && games.contains("e5e6"), "{games}");
}

#[test]
fn agents_are_listed_with_source_and_options() {
    let folder = folder();
    let agents = json(&folder, &["agents", "--json"]);
    let agents = agents.as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert!(["verloop", "maastricht-mcts", "cornell-td", "ugi"].iter().all(|name| names.contains(name)));
    let text = output(&folder, &["agents", "verloop"]);
    assert!(text.contains("source: Verloop 2021") && text.contains("depth=4"), "{text}");
    sumito(&folder, &["agents", "verlop"]).assert().code(2).stderr(contains("did you mean verloop"));
}

#[test]
fn a_served_agent_passes_the_check_and_a_missing_engine_fails_it() {
    let folder = folder();
    let program = assert_cmd::cargo::cargo_bin("sumito");
    let program = program.to_str().unwrap();
    // An agent that knows none of the protocol's extensions, and the flagship, which knows them all.
    let check = ["check-engine", "--grace", "300000", "--patience", "300000", "--", program, "ugi"];
    let greedy = [&check[..], &["--agent", "greedy"]].concat();
    sumito(&folder, &greedy).assert().success().stdout(contains("0 failed"));
    sumito(&folder, &check).assert().success().stdout(contains("0 failed, 0 skipped"));
    sumito(&folder, &["check-engine", "./no-such-engine"]).assert().code(1).stdout(contains("FAIL"));
}

/// How long a test waits for what must come: a bound against hanging, never reached otherwise.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(300);

/// Waits until something is so.
#[cfg(unix)]
fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = std::time::Instant::now() + PATIENCE;
    while !is_so() {
        assert!(std::time::Instant::now() < until, "expected {what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn an_engines_children_end_with_the_program_when_that_is_interrupted() {
    use std::io::Write;
    use std::process::Command as Process;

    let hang = "echo $$ >searching; sleep 3600";
    for args in [
        // The engine starts a child before it says anything, and leaves every search without an answer.
        &["check-engine", "--patience", "3600000", "sh engine"][..],
        &["match", "ugi:sh engine", "random", "--games", "2", "--limit", "none"],
        &["play", "ugi:sh engine", "random", "--limit", "none"],
        &["ugi", "--agent", "ugi:sh engine"],
    ] {
        let folder = folder();
        engine(&folder, "engine", hang);
        let script = fs::read_to_string(folder.path().join("engine")).unwrap();
        let child = "sleep 3600 & echo $! >child.part; mv child.part child\n";
        fs::write(folder.path().join("engine"), format!("{child}{script}")).unwrap();
        let mut program = started(&folder, args);
        if args[0] == "ugi" {
            program.stdin.as_mut().unwrap().write_all(b"go infinite\n").unwrap();
        }
        wait("a search", || folder.path().join("searching").exists());
        let number = fs::read_to_string(folder.path().join("child")).unwrap();
        // The first one asks a match to end in good order, the second one ends it.
        wait("an end", || {
            interrupt(&program);
            program.try_wait().unwrap().is_some()
        });
        assert_eq!(program.wait().unwrap().code(), Some(130), "{args:?}");
        wait("no child", || {
            let listed = Process::new("ps").args(["-o", "stat=", "-p", number.trim()]).output().unwrap();
            let state = String::from_utf8(listed.stdout).unwrap();
            // One that has ended may wait for its new parent to notice.
            state.trim().is_empty() || state.starts_with('Z')
        });
    }
}

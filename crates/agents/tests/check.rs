//! The conformance suite against engines that pass it and engines that don't.

mod common;

use std::time::Duration;

use common::{PATIENCE, mock_command};
use sumito_agents::check::{Check, Waits, run};
use sumito_agents::registry::entries;

/// Waits for an engine that does what is waited for, however busy the machine is.
const PATIENT: Waits = Waits { grace: PATIENCE, start: PATIENCE, search: PATIENCE, quit: PATIENCE };
/// For what an engine never does.
const IN_VAIN: Duration = Duration::from_millis(100);

fn checks(arguments: &[&str]) -> Vec<Check> {
    checks_within(arguments, PATIENT)
}

fn checks_within(arguments: &[&str], waits: Waits) -> Vec<Check> {
    run(&mock_command(arguments), waits, |_| {})
}

fn find<'a>(checks: &'a [Check], start: &str) -> &'a Check {
    checks.iter().find(|check| check.name.starts_with(start)).expect("a check of this name")
}

fn failed(checks: &[Check]) -> Vec<&str> {
    checks.iter().filter(|check| check.passed == Some(false)).map(|check| check.name).collect()
}

#[test]
fn every_agent_passes_every_check_that_applies_when_served() {
    // All at once: most of the time goes by in waiting.
    std::thread::scope(|scope| {
        for entry in entries() {
            scope.spawn(|| {
                let checks = checks(&["serve", entry.name]);
                // Only the flagship knows the words that an engine may leave out.
                let may_skip =
                    if entry.name == "sumito" { vec![] } else { vec!["go searchmoves", "MultiPV"] };
                let is_open = |check: &&Check| {
                    check.passed != Some(true) && !(check.passed.is_none() && may_skip.contains(&check.name))
                };
                let open: Vec<&Check> = checks.iter().filter(is_open).collect();
                assert!(open.is_empty() && checks.len() > 20, "{}: {open:?}", entry.name);
            });
        }
    });
}

#[test]
fn every_check_is_shown_as_it_is_done() {
    let mut shown = Vec::new();
    let command = mock_command(&["serve", "random"]);
    let table = run(&command, PATIENT, |check| shown.push(check.clone()));
    assert_eq!(shown, table);
}

#[test]
fn without_a_handshake_the_rest_is_skipped() {
    let checks = checks_within(&["mute"], Waits { start: IN_VAIN, quit: IN_VAIN, ..PATIENT });
    assert_eq!(failed(&checks), ["handshake: ugi, ugiok"]);
    assert!(checks[1..].iter().all(|check| check.passed.is_none() && check.detail == "no handshake"));
}

#[test]
fn a_program_that_does_not_exist_fails_the_handshake() {
    let checks = run(&["./no-such-engine".to_string()], Waits::default(), |_| {});
    assert!(checks[0].detail.contains("could not be started"), "{}", checks[0].detail);
}

#[test]
fn a_cheat_fails_where_its_move_is_illegal() {
    let checks = checks(&["cheat"]);
    let check = find(&checks, "legal move: opening");
    assert_eq!(check.passed, Some(false));
    assert!(check.detail.starts_with("'e5e6' is not legal after 'position startpos"), "{}", check.detail);
}

#[test]
fn words_after_the_move_fail() {
    let checks = checks(&["chatty"]);
    assert!(find(&checks, "legal move: opening").detail.starts_with("expected 'bestmove' and one move"));
}

/// The checks that an engine can pass which leaves every search without an answer.
const WITHOUT_SEARCH: [&str; 7] = [
    "handshake: ugi, ugiok",
    "options can be read",
    "isready, readyok",
    "unknown commands survived",
    "bad positions survived",
    "illegal moves survived",
    "quit ends the process",
];

#[test]
fn a_stalling_engine_fails_its_first_search_and_no_other_one_is_tried() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let waits = Waits { search: IN_VAIN, ..PATIENT };
    let checks = checks_within(&["log-and-stall", log.to_str().expect("a text")], waits);
    assert_eq!(failed(&checks), ["legal move: opening"]);
    let passed: Vec<&str> =
        checks.iter().filter(|check| check.passed == Some(true)).map(|check| check.name).collect();
    assert_eq!(passed, WITHOUT_SEARCH);
    let not_run = |check: &&Check| check.detail == "not run: an earlier search was not answered";
    // All but those, the first search, and the queries, which this engine does not answer.
    assert_eq!(checks.iter().filter(not_run).count(), checks.len() - WITHOUT_SEARCH.len() - 2);
    let heard = std::fs::read_to_string(&log).expect("a log");
    // One line of nonsense begins with the word, too.
    let searches = heard.lines().filter(|line| line.starts_with("go ") && !line.starts_with("go go"));
    assert_eq!(searches.count(), 1, "{heard}");
    assert_eq!(heard.lines().filter(|line| *line == "stop").count(), 1, "{heard}");
}

#[test]
fn an_engine_that_hangs_after_stop_is_not_asked_to_search_again() {
    // It answers searches with an end, and leaves the others without an answer.
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    // Long enough for the answers that it does give.
    let waits = Waits { search: IN_VAIN * 100, ..PATIENT };
    let checks = checks_within(&["log-and-hang", log.to_str().expect("a text")], waits);
    let check = find(&checks, "go infinite");
    assert_eq!((check.passed, check.detail.contains("of 'stop'")), (Some(false), true), "{check:?}");
    for name in ["stop right after go", "isready while searching", "uginewgame twice", "go ponder"] {
        assert_eq!(find(&checks, name).passed, None, "{name}");
    }
    let heard = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(heard.lines().filter(|line| *line == "go infinite").count(), 1, "{heard}");
}

#[test]
fn an_introduction_without_an_end_fails_the_handshake() {
    for (manner, why) in [
        ("endless-hello", "the engine ended: expected lines of at most 65536 bytes, found a longer one"),
        ("talkative-hello", "expected 'ugiok' within 1048576 bytes, found more"),
    ] {
        let checks = checks_within(&[manner], Waits { quit: IN_VAIN, ..PATIENT });
        assert_eq!((checks[0].passed, &*checks[0].detail), (Some(false), why));
    }
}

#[test]
fn an_answer_before_stop_fails() {
    let checks = checks(&["plain"]);
    let check = find(&checks, "go infinite");
    assert_eq!((check.passed, check.detail.contains("before 'stop'")), (Some(false), true));
}

#[test]
fn an_answer_before_isready_leaves_nothing_to_check() {
    let checks = checks(&["plain"]);
    assert_eq!(find(&checks, "isready while searching").passed, None);
}

#[test]
fn an_engine_that_ponders_without_end_fails() {
    let checks = checks_within(&["dreamer"], Waits { grace: Duration::from_millis(50), ..PATIENT });
    let check = find(&checks, "go ponder");
    assert_eq!((check.passed, check.detail.contains("of 'ponderhit'")), (Some(false), true), "{check:?}");
}

#[test]
fn an_engine_that_does_not_know_an_extension_is_not_failed_for_it() {
    let checks = checks(&["plain"]);
    for (name, why) in [
        ("go searchmoves", "a1b2 is none of the moves asked for"),
        ("MultiPV", "no option MultiPV"),
        ("go ponder", "it answers without waiting for ponderhit"),
    ] {
        let check = find(&checks, name);
        assert_eq!((check.passed, &*check.detail), (None, why), "{name}");
    }
}

#[test]
fn an_engine_that_offers_lines_and_does_not_tell_them_fails() {
    let checks = checks(&["one-line"]);
    let check = find(&checks, "MultiPV");
    assert_eq!(check.passed, Some(false));
    assert!(check.detail.starts_with("expected 3 lines with a pv, none with multipv 2: a1b2"), "{check:?}");
}

#[test]
fn a_late_answer_fails() {
    let checks = checks_within(&["slow"], Waits { grace: Duration::from_millis(20), ..PATIENT });
    // It thinks for 150 milliseconds when it has 20.
    let check = find(&checks, "go movetime");
    assert_eq!((check.passed, check.detail.starts_with("answered after ")), (Some(false), true), "{check:?}");
}

#[test]
fn an_engine_that_ends_at_an_unknown_word_fails() {
    let check = find(&checks(&["touchy"]), "unknown commands").clone();
    assert_eq!(check.passed, Some(false));
    assert!(check.detail.starts_with("after 'hello': the engine ended"), "{}", check.detail);
}

#[test]
fn queries_that_nobody_answers_are_skipped() {
    let checks = checks(&["plain"]);
    assert_eq!(find(&checks, "query").passed, None);
}

#[test]
fn an_engine_that_ignores_quit_fails() {
    let checks = checks_within(&["stubborn"], Waits { quit: IN_VAIN, ..PATIENT });
    assert_eq!(failed(&checks).iter().filter(|name| name.starts_with("quit")).count(), 1);
}

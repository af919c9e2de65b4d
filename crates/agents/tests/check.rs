//! The conformance suite against engines that pass it and engines that don't.

mod common;

use std::time::Duration;

use common::mock_command;
use sumito_agents::check::{Check, Waits, run};
use sumito_agents::registry::entries;

/// A machine under load must not fail an engine here, nor a stalling one hold the tests for long.
fn checks(arguments: &[&str], patience_ms: u64) -> Vec<Check> {
    let command = mock_command(arguments);
    let waits = Waits { grace: Duration::from_secs(10), patience: Duration::from_millis(patience_ms) };
    run(&command, waits, |_| {})
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
                let checks = checks(&["serve", entry.name], 20_000);
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
    let waits = Waits { patience: Duration::from_secs(20), ..Waits::default() };
    let table = run(&command, waits, |check| shown.push(check.clone()));
    assert_eq!(shown, table);
}

#[test]
fn without_a_handshake_the_rest_is_skipped() {
    let checks = checks(&["mute"], 200);
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
    let checks = checks(&["cheat"], 2000);
    let check = find(&checks, "legal move: opening");
    assert_eq!(check.passed, Some(false));
    assert!(check.detail.starts_with("'e5e6' is not legal after 'position startpos"), "{}", check.detail);
}

#[test]
fn words_after_the_move_fail() {
    let checks = checks(&["chatty"], 2000);
    assert!(find(&checks, "legal move: opening").detail.starts_with("expected 'bestmove' and one move"));
}

#[test]
fn a_stalling_engine_fails_each_search_and_nothing_else() {
    let checks = checks(&["stall"], 100);
    for name in ["handshake", "options", "isready, readyok", "quit"] {
        assert_eq!(find(&checks, name).passed, Some(true), "{name}");
    }
    for name in ["legal", "go movetime", "go with clocks", "go depth", "go nodes", "go infinite"] {
        assert_eq!(find(&checks, name).passed, Some(false), "{name}");
    }
}

#[test]
fn an_answer_before_stop_fails() {
    let checks = checks(&["plain"], 2000);
    let check = find(&checks, "go infinite");
    assert_eq!((check.passed, check.detail.contains("before 'stop'")), (Some(false), true));
}

#[test]
fn an_answer_before_isready_leaves_nothing_to_check() {
    let checks = checks(&["plain"], 2000);
    assert_eq!(find(&checks, "isready while searching").passed, None);
}

#[test]
fn an_engine_that_ponders_without_end_fails() {
    let waits = Waits { grace: Duration::from_millis(50), patience: Duration::from_secs(5) };
    let checks = run(&mock_command(&["dreamer"]), waits, |_| {});
    let check = find(&checks, "go ponder");
    assert_eq!((check.passed, check.detail.contains("of 'ponderhit'")), (Some(false), true), "{check:?}");
}

#[test]
fn an_engine_that_does_not_know_an_extension_is_not_failed_for_it() {
    let checks = checks(&["plain"], 2000);
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
    let checks = checks(&["one-line"], 2000);
    let check = find(&checks, "MultiPV");
    assert_eq!(check.passed, Some(false));
    assert!(check.detail.starts_with("expected 3 lines with a pv, none with multipv 2: a1b2"), "{check:?}");
}

#[test]
fn a_late_answer_fails() {
    let command = mock_command(&["slow"]);
    let waits = Waits { grace: Duration::from_millis(20), patience: Duration::from_secs(2) };
    let checks = run(&command, waits, |_| {});
    // It thinks for 150 milliseconds when it has 20.
    let check = find(&checks, "go movetime");
    assert_eq!((check.passed, check.detail.starts_with("answered after ")), (Some(false), true), "{check:?}");
}

#[test]
fn an_engine_that_ends_at_an_unknown_word_fails() {
    let check = find(&checks(&["touchy"], 2000), "unknown commands").clone();
    assert_eq!(check.passed, Some(false));
    assert!(check.detail.starts_with("after 'hello': the engine ended"), "{}", check.detail);
}

#[test]
fn queries_that_nobody_answers_are_skipped() {
    let checks = checks(&["plain"], 2000);
    assert_eq!(find(&checks, "query").passed, None);
}

#[test]
fn an_engine_that_ignores_quit_fails() {
    let checks = checks(&["stubborn"], 300);
    assert_eq!(failed(&checks).iter().filter(|name| name.starts_with("quit")).count(), 1);
}

//! Folders that are shared, damaged, changed and gone on with.

use std::fs;

use serde_json::json;

use super::*;

const KIND: RunKind =
    RunKind { what: "a test", settings: "test.json", progress: "steps.jsonl", repeats_settings: false };

fn refusal(dir: &Path, settings: &Value) -> String {
    RunFolder::open(dir, KIND).expect("a folder").begin(settings).expect_err("refused").to_string()
}

#[test]
fn a_run_keeps_its_settings_and_says_which_of_them_differ() {
    let dir = tempfile::tempdir().expect("a folder");
    let settings = json!({ "a": 1, "b": [0.1, 0.2], "c": null });
    Journal::open(dir.path(), KIND, &settings, |_| Ok(())).expect("a new run");
    Journal::open(dir.path(), KIND, &settings, |_| Ok(())).expect("the same run");
    let other = refusal(dir.path(), &json!({ "b": [0.1, 0.3], "a": 2, "c": null }));
    assert!(other.contains("holds another test (its a, b differ)"), "{other}");
    // A setting that came later is null in earlier runs, and one that is gone must have been.
    RunFolder::open(dir.path(), KIND).unwrap().begin(&json!({ "a": 1, "b": [0.1, 0.2], "d": null })).unwrap();
    assert!(refusal(dir.path(), &json!({ "b": [0.1, 0.2] })).contains("(its a differ)"));
}

#[test]
fn before_anything_is_done_a_run_may_become_another() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = RunFolder::open(dir.path(), KIND).expect("a folder");
    folder.begin(&json!({ "a": 1 })).expect("a new run");
    folder.begin(&json!({ "a": 2 })).expect("nothing was done");
    assert_eq!(folder.settings().expect("readable"), Some(json!({ "a": 2 })));
}

#[test]
fn steps_without_settings_are_refused_unless_they_have_them() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("steps.jsonl"), "").expect("written");
    assert!(refusal(dir.path(), &json!({})).contains("has steps.jsonl but no test.json"));
    let kind = RunKind { repeats_settings: true, ..KIND };
    RunFolder::open(dir.path(), kind).expect("a folder").begin(&json!({ "a": 1 })).expect("goes on");
}

#[test]
fn one_process_at_a_time_works_in_a_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = RunFolder::open(dir.path(), KIND).expect("a folder");
    let second = RunFolder::open(dir.path(), KIND).expect_err("in use");
    assert!(matches!(second, RunError::Locked(_)), "{second}");
    drop(first);
    RunFolder::open(dir.path(), KIND).expect("free again");
}

#[test]
fn every_program_that_worked_on_a_run_signs_it_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let signed = || -> Vec<Provenance> {
        serde_json::from_slice(&fs::read(dir.path().join(PROVENANCE)).expect("signed")).expect("provenance")
    };
    let begin = || RunFolder::open(dir.path(), KIND).expect("a folder").begin(&json!({})).expect("a run");
    begin();
    begin();
    let own = Provenance::of_this_program();
    assert_eq!(signed(), std::slice::from_ref(own));
    let other = Provenance { commit: "another".to_string(), ..own.clone() };
    fs::write(dir.path().join(PROVENANCE), pretty(&[&other])).expect("written");
    begin();
    assert_eq!(signed(), [other, own.clone()]);
}

#[test]
fn a_half_line_is_cut_off_and_a_bad_one_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(dir.path(), KIND, &json!({}), |_| Ok(())).expect("a run");
    journal.append(&json!(1)).expect("written");
    journal.append(&json!(2)).expect("written");
    let path = journal.path().to_path_buf();
    drop(journal);
    fs::write(&path, "1\n2\n3").expect("written");
    let mut found = Vec::new();
    let read = |text: &str| {
        found.push(text.to_string());
        Ok(())
    };
    Journal::open(dir.path(), KIND, &json!({}), read).expect("a run");
    assert_eq!(
        (found, fs::read_to_string(&path).expect("lines")),
        (vec!["1".into(), "2".into()], "1\n2\n".into())
    );
    let bad = |text: &str| if text == "2" { Err("expected no 2".to_string()) } else { Ok(()) };
    let error = Journal::open(dir.path(), KIND, &json!({}), bad).expect_err("a bad line").to_string();
    assert!(error.ends_with("steps.jsonl line 2: expected no 2"), "{error}");
}

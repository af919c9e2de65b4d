//! Whole runs of a few games: they learn, repeat themselves, and go on where they stopped.

use std::fs;
use std::path::Path;

use sumito_agents::Stop;
use sumito_agents::cornell::{Encoding, Network};
use tempfile::TempDir;

use super::*;

fn settings() -> LearnSettings {
    let base = LearnSettings { games: 7, test_every: 3, test_games: 2, ..LearnSettings::default() };
    LearnSettings { hidden: 2, quiet_cap: 20, ply_cap: 30, ..base }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn run(dir: &Path, settings: &LearnSettings) -> Result<LearnReport, LearnError> {
    Learner { settings, dir, stop: &Stop::default() }.run(&mut |_| ())
}

/// All files of a run, by name.
fn files(dir: &Path) -> Vec<(String, String)> {
    let names = ["learn.json", "checkpoint.json", "network.txt", "curve.csv", "curve.svg", "report.json"];
    names.map(|name| (name.to_string(), fs::read_to_string(dir.join(name)).expect(name))).to_vec()
}

#[test]
fn a_run_tests_before_the_first_game_then_now_and_then_and_at_the_end() {
    let folder = folder();
    let report = run(folder.path(), &settings()).expect("a run");
    let games: Vec<usize> = report.points.iter().map(|point| point.games).collect();
    assert_eq!((games, report.finished), (vec![0, 3, 6, 7], true));
    assert!(report.points.iter().all(|point| point.exam.games.games() == 2));
    let network = Network::load(folder.path().join("network.txt")).expect("a network for the agent");
    assert_eq!(network.hidden(), 2);
    assert_ne!(network, Network::new(Encoding::default(), 2, 1), "it has learned");
}

#[test]
fn the_same_seed_gives_the_same_network_and_another_seed_another() {
    let folders = [folder(), folder(), folder()];
    run(folders[0].path(), &settings()).expect("a run");
    run(folders[1].path(), &settings()).expect("a run");
    run(folders[2].path(), &LearnSettings { seed: 2, ..settings() }).expect("a run");
    assert_eq!(files(folders[0].path()), files(folders[1].path()));
    assert_ne!(files(folders[0].path())[2], files(folders[2].path())[2]);
}

#[test]
fn a_run_that_was_stopped_after_any_game_ends_as_if_it_had_not_been() {
    // Epsilon by moves and rewards that are no round numbers: all that a checkpoint must bring back.
    for settings in [settings(), LearnSettings { decay_per: Pace::Move, epsilon_decay: 0.999, ..settings() }]
    {
        let whole = folder();
        run(whole.path(), &settings).expect("a run");
        for after in [0, 1, 3, 5] {
            let (folder, stop) = (folder(), Stop::default());
            let learner = Learner { settings: &settings, dir: folder.path(), stop: &stop };
            let part = learner.run(&mut |progress| {
                if progress.games >= after {
                    stop.request();
                }
            });
            let part = part.expect("a part");
            assert!(!part.finished && part.games == after, "{part:?}");
            assert!(run(folder.path(), &settings).expect("the rest").finished);
            assert_eq!(files(folder.path()), files(whole.path()), "stopped after {after}");
        }
    }
}

#[test]
fn a_game_ends_where_a_position_comes_up_again_if_told_so() {
    let plies = |ends| {
        let base = LearnSettings { ends, games: 1, test_games: 0, seed: 2, ..LearnSettings::default() };
        let settings = LearnSettings { epsilon: 0.0, epsilon_end: 0.0, quiet_cap: 150, ply_cap: 150, ..base };
        run(folder().path(), &settings).expect("a run").moves
    };
    // Without random moves this untrained network keeps together and soon goes to and fro.
    let (caps, revisit) = (plies(StopRule::Caps), plies(StopRule::Revisit));
    assert!(revisit < caps, "{revisit} and {caps} plies");
}

#[test]
fn a_folder_with_another_run_is_left_alone() {
    let folder = folder();
    run(folder.path(), &settings()).expect("a run");
    let before = files(folder.path());
    let other = LearnSettings { kappa: 0.5, hidden: 5, ..settings() };
    let error = run(folder.path(), &other).expect_err("another run").to_string();
    assert!(error.contains("its hidden, kappa differ"), "{error}");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_broken_checkpoint_is_an_error_that_says_what_is_wrong() {
    let folder = folder();
    run(folder.path(), &settings()).expect("a run");
    let path = folder.path().join("checkpoint.json");
    let whole = fs::read_to_string(&path).unwrap();
    for (text, words) in [
        (whole[..whole.len() / 2].to_string(), "expected the checkpoint of a run"),
        (whole.replace("hidden 2", "hidden 3"), "its network: "),
    ] {
        fs::write(&path, text).unwrap();
        let error = run(folder.path(), &settings()).expect_err("a broken checkpoint").to_string();
        assert!(error.contains("checkpoint.json") && error.contains(words), "{error}");
    }
}

#[test]
fn a_folder_in_use_is_refused() {
    let (folder, settings) = (folder(), settings());
    let stop = Stop::default();
    let learner = Learner { settings: &settings, dir: folder.path(), stop: &stop };
    let mut second = None;
    let first = learner.run(&mut |_| {
        second.get_or_insert_with(|| run(folder.path(), &settings).expect_err("in use").to_string());
    });
    assert!(first.expect("a run").finished);
    assert!(second.expect("a try").contains("another process is at work there"));
}

#[test]
fn a_network_learns_with_the_inputs_that_the_settings_say() {
    for (inputs, pushes, sides) in [(InputScale::Scaled, false, false), (InputScale::Raw, true, true)] {
        let folder = folder();
        let settings = LearnSettings { inputs, pushes, sides, ..settings() };
        run(folder.path(), &settings).expect("a run");
        let network = Network::load(folder.path().join("network.txt")).expect("a network for the agent");
        assert_eq!(network.encoding(), settings.encoding());
    }
}

//! Whole runs on toy data: they learn, repeat themselves, and go on where they stopped.

use std::fs;
use std::path::Path;

use sumito_agents::Stop;
use sumito_engine::network::Network;
use sumito_rules::Layout;
use tempfile::TempDir;

use super::samples::tests::toy;
use super::*;

fn settings() -> TrainSettings {
    TrainSettings {
        width: 16,
        epochs: 3,
        batch: 500,
        rate: 0.01,
        score_part: 1.0,
        ..TrainSettings::default()
    }
}

fn run(dir: &Path, settings: &TrainSettings, samples: &TrainSamples, threads: usize) -> TrainReport {
    let trainer = Trainer { settings, samples, start: None, threads, dir, stop: &Stop::default() };
    trainer.run(&mut |_| ()).expect("a run")
}

fn network(dir: &TempDir) -> Vec<u8> {
    fs::read(dir.path().join("network.net")).expect("a network")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn training_makes_both_losses_small() {
    let folder = folder();
    let report = run(folder.path(), &TrainSettings { epochs: 6, ..settings() }, &toy(20_000), 1);
    let (first, last) = (report.epochs[0], report.epochs[5]);
    assert!(last.train < first.train / 3.0, "{report:?}");
    assert!(last.validation.unwrap() < first.validation.unwrap(), "{report:?}");
    assert!(report.rounding.engine_loss < 1.2 * report.rounding.trained_loss + 1e-4, "{report:?}");
    let network = Network::from_bytes(&network(&folder)).expect("a network for the engine");
    assert!(network.evaluate(&Layout::all()[0].position(), None).abs() < 1500);
    for name in ["train.json", "checkpoint", "loss.csv", "loss.svg", "report.json"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}

#[test]
fn entropy_is_made_small_too() {
    let settings = TrainSettings { loss: Loss::Entropy, epochs: 5, ..settings() };
    let report = run(folder().path(), &settings, &toy(10_000), 2);
    assert!(report.epochs[4].train < report.epochs[0].train / 2.0, "{report:?}");
}

#[test]
fn the_same_seed_gives_the_same_network() {
    let samples = toy(4000);
    let folders = [folder(), folder(), folder()];
    run(folders[0].path(), &settings(), &samples, 1);
    run(folders[1].path(), &settings(), &samples, 1);
    run(folders[2].path(), &TrainSettings { seed: 2, ..settings() }, &samples, 1);
    assert_eq!(network(&folders[0]), network(&folders[1]));
    assert_ne!(network(&folders[0]), network(&folders[2]));
}

#[test]
fn a_run_that_was_stopped_at_any_batch_ends_as_if_it_had_not_been() {
    let samples = toy(4000);
    let whole = folder();
    run(whole.path(), &settings(), &samples, 2);
    for after in [1, 8, 11] {
        let folder = folder();
        let (stop, settings) = (Stop::default(), settings());
        let mut seen = 0;
        let trainer = Trainer {
            settings: &settings,
            samples: &samples,
            start: None,
            threads: 2,
            dir: folder.path(),
            stop: &stop,
        };
        let report = trainer.run(&mut |_| {
            seen += 1;
            if seen > after {
                stop.request();
            }
        });
        assert!(!report.expect("a part").finished);
        assert!(run(folder.path(), &settings, &samples, 2).finished);
        for name in ["network.net", "checkpoint"] {
            let [one, other] = [&whole, &folder].map(|folder| fs::read(folder.path().join(name)).unwrap());
            // Times are part of the checkpoint's state; its numbers lie behind.
            let numbers = if name == "checkpoint" { 3 * 4 * 122 * 16 } else { one.len() };
            assert_eq!(
                one[one.len() - numbers..][..numbers - 8],
                other[other.len() - numbers..][..numbers - 8]
            );
        }
    }
}

#[test]
fn a_folder_with_another_run_is_left_alone() {
    let folder = folder();
    let samples = toy(1000);
    run(folder.path(), &settings(), &samples, 1);
    let before = network(&folder);
    let try_with = |settings: &TrainSettings, samples: &TrainSamples| {
        let stop = Stop::default();
        let trainer = Trainer { settings, samples, start: None, threads: 1, dir: folder.path(), stop: &stop };
        trainer.run(&mut |_| ()).expect_err("another run").to_string()
    };
    let error = try_with(&TrainSettings { width: 32, epochs: 9, ..settings() }, &samples);
    assert!(error.contains("its width, epochs differ"), "{error}");
    assert!(try_with(&settings(), &toy(1001)).contains("its positions differ"));
    assert_eq!(network(&folder), before);
    fs::write(folder.path().join("checkpoint"), "SUMITOCKx").unwrap();
    assert!(try_with(&settings(), &samples).contains("checkpoint: expected a checkpoint"));
}

#[test]
fn without_positions_there_is_no_run() {
    let folder = folder();
    let (settings, samples, stop) = (settings(), TrainSamples::default(), Stop::default());
    let trainer = Trainer {
        settings: &settings,
        samples: &samples,
        start: None,
        threads: 1,
        dir: folder.path(),
        stop: &stop,
    };
    assert!(trainer.run(&mut |_| ()).expect_err("nothing").to_string().contains("found none"));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

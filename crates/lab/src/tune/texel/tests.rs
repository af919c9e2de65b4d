//! A tuning finds weights that are known, and the same ones however often it is stopped.

use std::fs;

use sumito_agents::Stop;
use sumito_engine::eval::{DECLARED, TERMS};
use sumito_engine::{Engine, Rng};
use tempfile::TempDir;

use super::run::{TexelGoal, sigmoid};
use super::*;
use crate::data::DataRecord;
use crate::data::record::tests::records;
use crate::stats::Ending;
use crate::train::Epoch;

const SETTINGS: TexelSettings = TexelSettings {
    epochs: 3,
    batch: 500,
    rate: 0.02,
    lambda: 1.0,
    scale: 208.0,
    decay: 0.0,
    fresh: false,
    max_quiet: u16::MAX,
    validation: 0.2,
    seed: 1,
};

/// Random walks whose results the evaluation foretells as well as can be.
fn samples() -> TexelSamples {
    let mut rng = Rng::new(5);
    let mut all: Vec<DataRecord> = records(6000, 7);
    for record in &mut all {
        let value = value(record);
        record.score = value.clamp(-9000, 9000) as i16;
        record.ending =
            if rng.unit() < sigmoid(f64::from(value) / SETTINGS.scale) { Ending::Win } else { Ending::Loss };
    }
    let mut samples = TexelSamples::default();
    samples.add(&all, 4, &SETTINGS);
    samples
}

fn value(record: &DataRecord) -> i32 {
    use sumito_engine::EngineOptions;
    Engine::new(EngineOptions { hash: 1, network: None, ..EngineOptions::default() }).eval(&record.position)
}

fn run(settings: &TexelSettings, samples: &TexelSamples, dir: &TempDir) -> Result<TexelReport, TrainError> {
    TexelTuner { settings, samples, dir: dir.path(), stop: &Stop::default() }.run(&mut |_| ())
}

#[test]
fn the_model_says_what_the_engine_says() {
    let (model, mut samples) = (TexelModel::engine(), TexelSamples::default());
    let records = records(500, 3);
    samples.add(&records, 1, &TexelSettings { validation: 0.0, ..SETTINGS });
    let phases = model.phases();
    for (record, sample) in records.iter().zip(&samples.train) {
        let difference = model.value(&phases, sample) - f64::from(value(record));
        // The engine rounds the weights of a phase and the sum.
        assert!(difference.abs() < 40.0, "{difference}");
    }
}

#[test]
fn weights_that_made_the_results_are_found_again() {
    let (samples, dir) = (samples(), tempfile::tempdir().expect("a folder"));
    let settings = TexelSettings { fresh: true, epochs: 30, ..SETTINGS };
    let report = run(&settings, &samples, &dir).expect("a run");
    // 4,800 games of chance do not tell every weight, but nearly as much as the true ones foretell.
    assert!(report.results.tuned < report.results.engine + 0.03, "{:?}", report.results);
    let blind = TexelGoal { lambda: 1.0, scale: 208.0, score_scale: 208.0 }
        .loss(&TexelModel::fresh(), &samples.validation);
    assert!(report.results.tuned < blind.expect("positions") - 0.07, "{:?}", report.results);
    assert!(report.epochs[29].train < report.epochs[0].train);
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_end() {
    let samples = samples();
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let whole = run(&SETTINGS, &samples, &folders[0]).expect("a run");
    let stop = Stop::default();
    let mut stopped = |_: &Epoch| stop.request();
    let part = TexelTuner { settings: &SETTINGS, samples: &samples, dir: folders[1].path(), stop: &stop };
    assert!(!part.run(&mut stopped).expect("a run").finished);
    let rest = run(&SETTINGS, &samples, &folders[1]).expect("the rest");
    assert_eq!((rest.epochs.len(), &rest.source, rest.finished), (3, &whole.source, true));
    for name in ["checkpoint.json", "weights.rs", "loss.csv", "loss.svg", "report.json"] {
        assert!(folders[1].path().join(name).exists(), "{name}");
    }
}

#[test]
fn another_run_in_the_same_folder_is_refused() {
    let (samples, dir) = (samples(), tempfile::tempdir().expect("a folder"));
    run(&SETTINGS, &samples, &dir).expect("a run");
    let other = run(&TexelSettings { lambda: 0.5, ..SETTINGS }, &samples, &dir).expect_err("another run");
    assert!(other.to_string().contains("its lambda differ"), "{other}");
    fs::write(dir.path().join("checkpoint.json"), "{}").expect("written");
    let broken = run(&SETTINGS, &samples, &dir).expect_err("a broken checkpoint");
    assert!(broken.to_string().contains("expected a checkpoint"), "{broken}");
}

#[test]
fn the_source_has_every_term_with_its_weights() {
    let source = TexelModel::engine().source();
    for term in DECLARED {
        let [early, late] = term.weight;
        let line = format!("{} = \"{}\", [{early}, {late}];", term.slot, term.name);
        assert!(source.contains(&line), "{line} in {source}");
    }
    assert_eq!(source.matches("///").count(), TERMS);
}

#[test]
fn settings_without_sense_are_refused_with_what_was_expected() {
    assert_eq!(TexelSettings::default().check(), Ok(()));
    for (settings, words) in [
        (TexelSettings { epochs: 0, ..SETTINGS }, "one epoch"),
        (TexelSettings { batch: 0, ..SETTINGS }, "one position"),
        (TexelSettings { rate: f64::NAN, ..SETTINGS }, "a rate above 0"),
        (TexelSettings { lambda: 1.5, ..SETTINGS }, "from 0 to 1, found 1.5"),
        (TexelSettings { scale: 0.0, ..SETTINGS }, "a scale"),
        (TexelSettings { decay: 1.0, ..SETTINGS }, "a decay"),
        (TexelSettings { validation: 0.9, ..SETTINGS }, "validation"),
    ] {
        let why = settings.check().expect_err("no sense");
        assert!(why.contains(words), "{why}");
    }
}

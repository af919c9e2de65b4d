//! The models of winning chances against the data that they were fitted to, and against the shipped network.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a failed test may panic, and its name says what it is for"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sumito_engine::analysis::Judgement;
use sumito_engine::network::Network;
use sumito_engine::{Engine, EngineOptions, Limits, Score, WdlModel};
use sumito_lab::data::chances::{ChanceSample, MoveLosses};
use sumito_lab::data::{DataRecord, read_all};
use sumito_lab::stats::Ending;
use sumito_rules::{Game, Rules, fen};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/chances").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

#[test]
fn the_models_are_the_best_ones_for_their_data() {
    for (name, model) in [("self-play.tsv", WdlModel::SELF_PLAY), ("people.tsv", WdlModel::PEOPLE)] {
        let mut sample = ChanceSample::default();
        sample.add_table(&text(name)).unwrap();
        let fit = sample.fit().unwrap();
        let rounded =
            |[start, slope]: [f64; 2]| [(start * 10.0).round() / 10.0, (slope * 100.0).round() / 100.0];
        assert_eq!((rounded(fit.even), rounded(fit.spread)), (model.even, model.spread), "{name}");
        assert!(
            fit.held_back_loss < 0.6 * fit.blind_loss,
            "{name}: {} {}",
            fit.held_back_loss,
            fit.blind_loss
        );
    }
}

/// People's games are not ours to publish, so that their model cannot be fitted again here: who ships another network fits it again.
#[test]
fn both_models_are_those_of_the_shipped_network() {
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/logs/chances/README.md");
    let fitted = format!("network `{:016x}`", Network::shipped().fingerprint());
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains(&fitted), "the shipped one is the {fitted}, for which the log has no fit");
}

/// A few positions of each of the engine's games, with their results, searched as they were in the games.
#[test]
fn the_model_of_self_play_is_right_for_the_shipped_network() {
    if let Ok(data) = std::env::var("CHANCES_UPDATE") {
        update(Path::new(&data));
    }
    let mut engine = Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() });
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let mut sample = ChanceSample::default();
    let mut records = Vec::new();
    for (number, line) in text("sample.tsv").lines().skip(1).enumerate() {
        let (position, ending) = line.split_once('\t').unwrap();
        let position = fen::parse(position).unwrap();
        engine.new_game();
        let mut score = Score::Marbles(0);
        let best = engine.go(&Game::new(Rules::OFFICIAL, position), &limits, &mut |info| {
            score = info.score.unwrap_or(score);
        });
        let score = match score {
            Score::Marbles(value) => value.clamp(-30_000, 30_000) as i16,
            Score::Win(moves) => 30_000 * moves.signum() as i16,
            Score::Value(_) => unreachable!("the engine counts in marbles"),
        };
        let ending = [Ending::Loss, Ending::Draw, Ending::Win][ending.parse::<usize>().unwrap()];
        records.push(DataRecord {
            position,
            game: number as u32,
            score,
            best: best.unwrap(),
            ending,
            depth: 1,
        });
    }
    sample.add(&records);
    let fit = sample.fit().unwrap();
    let (fresh, ours) = (sample.loss(&fit.model()), sample.loss(&WdlModel::SELF_PLAY));
    assert!(
        ours < 1.05 * fresh,
        "a fresh fit has a log-loss of {fresh:.4}, the engine's model {ours:.4}: {:?}",
        fit.model()
    );
}

#[test]
fn few_of_peoples_moves_are_marked_and_worse_marks_are_rarer() {
    let losses = MoveLosses::parse(&text("losses.tsv")).unwrap();
    let [inaccuracies, mistakes, blunders] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder]
        .map(|judgement| losses.share(judgement));
    assert!(inaccuracies > mistakes && mistakes > blunders && blunders > 0.005);
    assert!(inaccuracies + mistakes + blunders < 0.2, "{inaccuracies} {mistakes} {blunders}");
}

/// Writes four positions of each game of a file of training data, none of them long after the last ejection.
fn update(data: &Path) {
    let mut records = read_all(data).unwrap();
    records.retain(|record| record.position.quiet() <= 100);
    let mut text = String::from("fen\thalf_points\n");
    for game in records.chunk_by(|one, next| one.game == next.game) {
        for record in [1, 3, 5, 7].map(|eighths| &game[eighths * game.len() / 8]) {
            writeln!(text, "{}\t{}", fen::write(&record.position), record.ending.half_points()).unwrap();
        }
    }
    std::fs::write(file("sample.tsv"), text).unwrap();
}

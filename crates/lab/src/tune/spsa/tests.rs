//! Tunings of a known landscape, and tunings that are stopped, resumed and damaged.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use sumito_rules::Rules;

use super::*;
use crate::opening;
use crate::referee::Conduct;
use crate::runner::MatchError;
use crate::stats::{Ending, score_of};
use crate::tune::param::{declared, tunables};
use crate::tune::steps::{TuneFolder, Tuner};
use crate::work::{Threads, registered};

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sumito-spsa-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn lines(&self) -> String {
        fs::read_to_string(self.0.join("iterations.jsonl")).expect("a file of the tuning")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn param(name: &str, start: f64, (min, max): (f64, f64), step: f64, whole: bool) -> TunedParam {
    TunedParam { name: name.to_string(), start, min, max, step, whole }
}

/// A whole number, a fraction, and a small whole number whose steps are finer than one.
fn plan(iterations: usize, pairs: usize, rate: f64) -> SpsaPlan {
    let params = vec![
        param("margin", 60.0, (10.0, 200.0), 10.0, true),
        param("factor", 1.2, (0.0, 5.0), 0.2, false),
        param("depth", 3.0, (0.0, 12.0), 0.6, true),
    ];
    SpsaPlan { params, iterations, pairs, rate, seed: 5 }
}

/// The best values of the landscape.
const BEST: [f64; 3] = [110.0, 0.6, 6.0];

/// How much Elo the values are below the best: ten for a step in one of them, rising with the square.
fn loss(plan: &SpsaPlan, values: &[f64]) -> f64 {
    let steps = plan.params.iter().zip(values).zip(BEST).map(|((param, v), best)| (v - best) / param.step);
    steps.map(|steps| 10.0 * steps * steps).sum()
}

/// Plays pairs by the dice: a third of the games are drawn, the rest go by the difference in Elo.
fn dice(plan: &SpsaPlan, probes: &[Probe], rng: &mut Rng) -> Vec<PairResult> {
    let one = |probe: &Probe| {
        let score = score_of(loss(plan, &probe.minus) - loss(plan, &probe.plus));
        let mut games = WdlCount::default();
        for _ in 0..2 {
            let drawn = 1.0 / 3.0 * 4.0 * score * (1.0 - score);
            let die = rng.unit();
            games.add(if die < drawn {
                Ending::Draw
            } else if die < score + drawn / 2.0 {
                Ending::Win
            } else {
                Ending::Loss
            });
        }
        PairResult { games, faults: 0 }
    };
    probes.iter().map(one).collect()
}

#[test]
fn noisy_games_lead_to_the_best_values() {
    let plan = plan(1500, 2, 0.02);
    let mut spsa = Spsa::new(&plan);
    let start = loss(&plan, spsa.values());
    let rng = RefCell::new(Rng::new(1));
    let play = |spsa: &Spsa<'_>| Ok(Some(dice(&plan, &spsa.probes(), &mut rng.borrow_mut())));
    Tuner { tuning: &mut spsa, folder: None }.run(play, |_| ()).expect("a tuning");
    assert!(spsa.is_finished() && spsa.games().games() == 6000);
    let end = loss(&plan, spsa.values());
    assert!(start > 500.0 && end < 20.0, "{start} Elo below the best, then {end} at {:?}", spsa.values());
}

#[test]
fn even_games_change_nothing_and_one_win_moves_every_number_by_its_gain() {
    let plan = plan(10, 1, 0.01);
    let mut spsa = Spsa::new(&plan);
    let start = spsa.values().to_vec();
    spsa.learn(&[PairResult { games: WdlCount::new(1, 0, 1), faults: 0 }]);
    assert_eq!(spsa.values(), start);
    let probe = &spsa.probes()[0];
    let (steps, rate) = plan.gains(1);
    spsa.learn(&[PairResult { games: WdlCount::new(1, 1, 0), faults: 0 }]);
    for (i, param) in plan.params.iter().enumerate() {
        let moved = spsa.values()[i] - start[i];
        assert!((moved.abs() - rate * steps * param.step).abs() < 1e-9, "{}", param.name);
        assert!(moved * (probe.plus[i] - probe.minus[i]) > 0.0, "{} goes to the winner", param.name);
    }
}

#[test]
fn the_last_pair_has_the_plan_s_step_and_rate() {
    let plan = plan(50, 2, 0.002);
    let (steps, rate) = plan.gains(99);
    assert!((steps - 1.0).abs() < 1e-12 && (rate - 0.002).abs() < 1e-12);
    assert!((plan.gains(0).0 - 100f64.powf(0.101)).abs() < 1e-12);
}

#[test]
fn both_sides_stay_within_the_range_and_whole_numbers_whole() {
    let plan = plan(40, 5, 1.0);
    let mut spsa = Spsa::new(&plan);
    let mut rng = Rng::new(3);
    while !spsa.is_finished() {
        let probes = spsa.probes();
        for (param, values) in probes.iter().flat_map(|probe| {
            plan.params.iter().zip(probe.plus.iter().zip(&probe.minus).map(|(&plus, &minus)| [plus, minus]))
        }) {
            assert!(values.iter().all(|value| (param.min..=param.max).contains(value)), "{values:?}");
            assert!(!param.whole || values.iter().all(|value| value.fract() == 0.0), "{values:?}");
        }
        let wins = |_: &Probe| PairResult { games: WdlCount::new(2 * rng.below(2) as u64, 0, 1), faults: 0 };
        let results: Vec<PairResult> = probes.iter().map(wins).collect();
        spsa.learn(&results);
    }
}

fn config(plan: SpsaPlan) -> SpsaConfig {
    SpsaConfig {
        agent: "greedy".to_string(),
        plan,
        limit: "nodes=100".parse().expect("a limit"),
        conduct: Conduct::new(Rules { ply_cap: Some(60), ..Rules::TOURNAMENT }),
        openings: opening::layouts("standard,belgian-daisy").expect("layouts"),
    }
}

/// Runs a tuning in a folder until it has so many iterations. Its games depend on nothing but the pair.
fn run(folder: &Folder, config: &SpsaConfig, until: usize) -> Vec<f64> {
    let mut spsa = Spsa::new(&config.plan);
    let mut folder = TuneFolder::open(&folder.0, config, &mut spsa).expect("a folder");
    let left = RefCell::new(until - spsa.iterations());
    let play = |spsa: &Spsa<'_>| {
        if *left.borrow() == 0 {
            return Ok(None);
        }
        *left.borrow_mut() -= 1;
        let rng = |probe: &Probe| Rng::new(probe.pair as u64);
        Ok(Some(
            spsa.probes()
                .iter()
                .flat_map(|p| dice(&config.plan, std::slice::from_ref(p), &mut rng(p)))
                .collect(),
        ))
    };
    Tuner { tuning: &mut spsa, folder: Some(&mut folder) }.run(play, |_| ()).expect("a tuning");
    spsa.values().to_vec()
}

#[test]
fn a_resumed_tuning_ends_as_an_uninterrupted_one() {
    let config = config(plan(30, 3, 0.05));
    let (whole, cut) = (Folder::new("whole"), Folder::new("cut"));
    let values = run(&whole, &config, 30);
    run(&cut, &config, 7);
    run(&cut, &config, 8);
    let text = cut.lines();
    // A line that was being written when the program died.
    fs::write(cut.0.join("iterations.jsonl"), format!("{text}{}", &text[..40]))
        .expect("a file of the tuning");
    assert_eq!(run(&cut, &config, 30), values);
    assert_eq!(cut.lines(), whole.lines());
}

#[test]
fn a_folder_is_read_back_as_it_was_left() {
    let config = config(plan(9, 2, 0.05));
    let folder = Folder::new("back");
    let values = run(&folder, &config, 6);
    let mut spsa = Spsa::new(&config.plan);
    TuneFolder::open(&folder.0, &config, &mut spsa).expect("a folder");
    assert_eq!((spsa.iterations(), spsa.values(), spsa.games().games()), (6, &values[..], 24));
    assert_eq!(spsa.history().len(), 7);
}

#[test]
fn a_folder_of_another_tuning_or_with_changed_lines_is_refused() {
    let config = config(plan(9, 2, 0.05));
    let folder = Folder::new("other");
    run(&folder, &config, 3);
    let refusal = |config: &SpsaConfig| {
        let mut spsa = Spsa::new(&config.plan);
        TuneFolder::open(&folder.0, config, &mut spsa).expect_err("refused").to_string()
    };
    let other = SpsaConfig { plan: SpsaPlan { seed: 6, ..config.plan.clone() }, ..config.clone() };
    assert!(refusal(&other).contains("holds another tuning (its seed differ)"), "{}", refusal(&other));
    let text = folder.lines();
    let (path, third) = (folder.0.join("iterations.jsonl"), text.lines().nth(2).expect("three lines"));
    fs::write(&path, text.replace("\"iteration\":2,", "\"iteration\":4,")).expect("written");
    assert!(refusal(&config).contains("line 2: expected iteration 2 of 9 with 2 pairs, found iteration 4"));
    let changed = third.replace("\"values\":[", "\"values\":[1");
    fs::write(&path, text.replace(third, &changed)).expect("written");
    assert!(refusal(&config).contains("line 3: its values do not follow"), "{}", refusal(&config));
    fs::remove_file(folder.0.join("tune.json")).expect("removed");
    assert!(refusal(&config).contains("no tune.json"));
}

fn real(agent: &str, texts: &[&str], pairs: usize) -> SpsaConfig {
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    let params = tunables(agent, &texts).expect("parameters");
    SpsaConfig { agent: agent.to_string(), ..config(SpsaPlan { params, pairs, ..plan(2, 1, 0.1) }) }
}

fn play(config: &SpsaConfig, threads: usize) -> Vec<f64> {
    config.check(&registered).expect("a tuning");
    let stop = sumito_agents::Stop::default();
    let executor = Threads::new(threads);
    let games = SpsaGames::new(config, &executor, &stop);
    let mut spsa = Spsa::new(&config.plan);
    Tuner { tuning: &mut spsa, folder: None }
        .run(|spsa| games.play(&spsa.probes(), &mut |_| ()), |_| ())
        .expect("a tuning");
    assert_eq!((spsa.games().games(), spsa.faults()), (4 * config.plan.pairs as u64, 0));
    spsa.values().to_vec()
}

#[test]
fn real_games_give_the_same_values_on_any_number_of_threads() {
    let config = real("bcit:factor=1.2,bonus=5", &["factor:0:6:2", "bonus:0:50:20"], 3);
    let values = play(&config, 1);
    assert_ne!(values, [1.2, 5.0], "some pairs were not even");
    assert_eq!(values, play(&config, 4));
}

#[test]
fn the_engine_s_numbers_are_tuned_by_name() {
    let names = declared("sumito").expect("the table");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let config = real("sumito:hash=1", &names, 1);
    assert_eq!(play(&config, 2), play(&config, 1));
}

#[test]
fn what_cannot_be_run_is_refused_before_it_begins() {
    let good = real("sumito:hash=1", &["window"], 1);
    let refusal = |config: SpsaConfig| config.check(&registered).expect_err("refused").to_string();
    let with = |plan: SpsaPlan| SpsaConfig { plan, ..good.clone() };
    assert!(
        refusal(with(SpsaPlan { params: Vec::new(), ..good.plan.clone() }))
            .contains("at least one parameter")
    );
    assert!(refusal(with(SpsaPlan { iterations: 0, ..good.plan.clone() })).contains("one iteration"));
    assert!(refusal(with(SpsaPlan { rate: 0.0, ..good.plan.clone() })).contains("learning rate above 0"));
    assert!(refusal(SpsaConfig { openings: Vec::new(), ..good.clone() }).contains("at least one opening"));
    // An option that only another heuristic takes.
    let mut wrong = real("bcit:bonus=3", &["bonus:0:9:1"], 1);
    wrong.agent = "bcit:heuristic=sam".to_string();
    assert!(refusal(wrong).contains("options of heuristic=jason"));
}

#[test]
fn games_that_are_stopped_give_no_result() {
    let config = real("sumito:hash=1", &["window"], 2);
    let stop = sumito_agents::Stop::default();
    stop.request();
    let executor = Threads::new(2);
    let games = SpsaGames::new(&config, &executor, &stop);
    let played = games.play(&Spsa::new(&config.plan).probes(), &mut |_| ());
    assert!(matches!(played, Ok(None)));
}

#[test]
fn an_agent_that_cannot_be_built_ends_the_tuning_with_the_reason() {
    let config = real("sumito:hash=1", &["window"], 2);
    let stop = sumito_agents::Stop::default();
    let executor = Threads { build: &|_| Err("no marbles".to_string()), ..Threads::new(2) };
    let games = SpsaGames::new(&config, &executor, &stop);
    let played = games.play(&Spsa::new(&config.plan).probes(), &mut |_| ());
    assert!(matches!(played, Err(MatchError::Work(why)) if why.to_string() == "no marbles"));
}

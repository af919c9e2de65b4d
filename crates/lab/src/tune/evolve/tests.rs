//! Evolutions of a known landscape, and evolutions that are stopped, resumed and damaged.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use sumito_agents::Stop;
use sumito_rules::Rules;

use super::*;
use crate::opening;
use crate::referee::Conduct;
use crate::stats::{Ending, score_of};
use crate::tune::games::EndedGame;
use crate::tune::param::ranged;
use crate::tune::steps::{TuneFolder, Tuner};
use crate::work::{Threads, registered};

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sumito-evolve-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn lines(&self) -> String {
        fs::read_to_string(self.0.join("steps.jsonl")).expect("a file of the evolution")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn weight(name: &str, start: f64, (min, max): (f64, f64), whole: bool) -> TunedParam {
    TunedParam { name: name.to_string(), start, min, max, step: (max - min) / 20.0, whole }
}

/// Two fractions and a whole number, on small islands.
pub(super) fn plan() -> EvolvePlan {
    EvolvePlan {
        weights: vec![
            weight("one", 1.0, (0.0, 10.0), false),
            weight("two", 4.5, (-5.0, 5.0), false),
            weight("three", 3.0, (0.0, 12.0), true),
        ],
        island: 20,
        generations: 8,
        pairs: 2,
        survivors: 5,
        spread: 1.0,
        crossover: Crossover::Blend,
        mutation: 0.2,
        reach: 0.2,
        scoring: Scoring::Points,
        group: 4,
        rounds: 2,
        round_openings: 3,
        final_pairs: 10,
        seed: 5,
    }
}

/// The best values of the landscape.
const BEST: [f64; 3] = [7.0, -2.0, 9.0];

/// How much Elo a set is below the best: 600 for the width of a range in one number, rising with the square.
fn loss(plan: &EvolvePlan, values: &[f64]) -> f64 {
    let parts = plan.weights.iter().zip(values).zip(BEST).map(|((w, v), best)| (v - best) / (w.max - w.min));
    parts.map(|part| 600.0 * part * part).sum()
}

/// Plays by the dice. The coach is 200 Elo below the best.
fn dice(plan: &EvolvePlan, bouts: &[Bout]) -> Vec<GameSums> {
    let one = |bout: &Bout| {
        let mut rng = Rng::new(bout.number as u64);
        let theirs = bout.second.as_ref().map_or(200.0, |values| loss(plan, values));
        let score = score_of(theirs - loss(plan, &bout.first));
        let mut record = GameSums::default();
        for _ in 0..2 {
            let win = rng.unit() < score;
            let (ending, pushed, lost) = if win { (Ending::Win, 6, 2) } else { (Ending::Loss, 2, 6) };
            record.add(EndedGame { ending, pushed, lost, is_fault: false }, plan.scoring, 6);
        }
        record
    };
    bouts.iter().map(one).collect()
}

fn config(plan: EvolvePlan) -> EvolveConfig {
    EvolveConfig {
        agent: "greedy".to_string(),
        coach: "greedy".to_string(),
        plan,
        limit: "depth=1".parse().expect("a limit"),
        final_limit: "depth=2".parse().expect("a limit"),
        conduct: Conduct::new(Rules { ply_cap: Some(30), ..Rules::TOURNAMENT }),
        openings: opening::layouts("standard,belgian-daisy").expect("layouts"),
    }
}

#[test]
fn both_islands_and_the_result_come_near_the_best_values() {
    let plan = EvolvePlan { island: 60, generations: 25, final_pairs: 60, ..plan() };
    let mut evolution = Evolution::new(&plan);
    let members = |evolution: &Evolution<'_>, island: usize| -> f64 {
        let losses = evolution.islands[island].iter().map(|member| loss(&plan, &member.values));
        losses.sum::<f64>() / plan.island as f64
    };
    let start = [members(&evolution, 0), members(&evolution, 1)];
    Tuner { tuning: &mut evolution, folder: None }
        .run(|evolution| Ok(Some(dice(&plan, &evolution.bouts()))), |_| ())
        .expect("an evolution");
    for island in [0, 1] {
        let end = members(&evolution, island);
        assert!(
            start[island] > 150.0 && end < start[island] / 3.0,
            "{} Elo below, then {end}",
            start[island]
        );
    }
    let end = loss(&plan, &evolution.best());
    assert!(end < 40.0, "{end} Elo below the best at {:?}", evolution.best());
    assert_eq!(evolution.games().games(), plan.all_games());
    assert!(evolution.champion().is_some_and(|record| record.games() == 120));
}

#[test]
fn the_stages_follow_each_other_with_as_many_games_as_foretold() {
    let plan = plan();
    let mut evolution = Evolution::new(&plan);
    let (mut stages, mut seen) = (Vec::new(), HashSet::new());
    while !evolution.is_finished() {
        let bouts = evolution.bouts();
        assert_eq!(bouts.len(), plan.bouts_in(evolution.stage()));
        assert!(bouts.iter().all(|bout| bout.round < plan.openings()));
        let is_tournament = matches!(evolution.stage(), EvolveStage::Tournament(_));
        assert!(bouts.iter().all(|bout| bout.second.is_some() == is_tournament), "{:?}", evolution.stage());
        let rounds: HashSet<usize> = bouts.iter().map(|bout| bout.round).collect();
        let openings = match evolution.stage() {
            EvolveStage::Islands(_) => plan.pairs,
            EvolveStage::Tournament(_) => plan.round_openings,
            _ => plan.final_pairs,
        };
        assert_eq!(rounds.len(), openings, "{:?}", evolution.stage());
        assert!(rounds.is_disjoint(&seen), "no opening comes up in two steps");
        seen.extend(rounds);
        stages.push(evolution.stage());
        evolution.learn(&dice(&plan, &bouts));
    }
    let expected: Vec<EvolveStage> = (0..8)
        .map(EvolveStage::Islands)
        .chain([EvolveStage::Tournament(0), EvolveStage::Tournament(1), EvolveStage::Final])
        .collect();
    assert_eq!(stages, expected);
    assert_eq!(seen.len(), plan.openings());
    assert!(evolution.bouts().is_empty());
}

#[test]
fn those_who_stay_keep_their_games_and_children_begin_anew() {
    let plan = plan();
    let mut evolution = Evolution::new(&plan);
    evolution.learn(&dice(&plan, &evolution.bouts()));
    let mut games: Vec<u64> =
        evolution.islands.iter().flatten().map(|member| member.record.games()).collect();
    games.sort_unstable();
    assert_eq!(games[..30], [0; 30]);
    assert_eq!(games[30..], [4; 10]);
    let stayed = |evolution: &Evolution<'_>| evolution.history().last().map(|step| step.parts[0].stayed);
    assert_eq!(stayed(&evolution), Some(None));
    // Only those who played before win: the score of those who stayed is whole, whatever the others have.
    let has_played = evolution.islands.iter().flatten().map(|member| member.record.games() > 0);
    let won = |won| GameSums::from(if won { [2, 0, 0, 24, 0, 0] } else { [0, 0, 2, 0, 0, 0] });
    let results: Vec<GameSums> = has_played.flat_map(|played| [won(played); 2]).collect();
    evolution.learn(&results);
    assert_eq!(stayed(&evolution), Some(Some(1.0)));
}

/// Runs an evolution in a folder until it has so many steps.
fn run(folder: &Folder, config: &EvolveConfig, until: usize) -> Vec<f64> {
    let mut evolution = Evolution::new(&config.plan);
    let mut folder = TuneFolder::open(&folder.0, config, &mut evolution).expect("a folder");
    let left = Cell::new(until - evolution.history().len());
    let play = |evolution: &Evolution<'_>| {
        let more = left.get() > 0;
        left.set(left.get().saturating_sub(1));
        Ok(more.then(|| dice(&config.plan, &evolution.bouts())))
    };
    Tuner { tuning: &mut evolution, folder: Some(&mut folder) }.run(play, |_| ()).expect("an evolution");
    evolution.best()
}

#[test]
fn a_resumed_evolution_ends_as_an_uninterrupted_one() {
    let config = config(plan());
    let (whole, cut) = (Folder::new("whole"), Folder::new("cut"));
    let best = run(&whole, &config, 11);
    for until in [3, 4, 9] {
        run(&cut, &config, until);
    }
    let text = cut.lines();
    // A line that was being written when the program died.
    fs::write(cut.0.join("steps.jsonl"), format!("{text}{}", &text[..60])).expect("written");
    assert_eq!(run(&cut, &config, 11), best);
    assert_eq!(cut.lines(), whole.lines());
}

#[test]
fn a_folder_of_another_evolution_or_with_changed_lines_is_refused() {
    let config = config(plan());
    let folder = Folder::new("other");
    run(&folder, &config, 3);
    let refusal = |config: &EvolveConfig| {
        let mut evolution = Evolution::new(&config.plan);
        TuneFolder::open(&folder.0, config, &mut evolution).expect_err("refused").to_string()
    };
    let other = EvolveConfig { plan: EvolvePlan { seed: 6, ..config.plan.clone() }, ..config.clone() };
    assert!(refusal(&other).contains("holds another evolution (its seed differ)"), "{}", refusal(&other));
    let (path, text) = (folder.0.join("steps.jsonl"), folder.lines());
    fs::write(&path, text.replace("\"islands\":1", "\"islands\":4")).expect("written");
    assert!(refusal(&config).contains("line 2: expected Islands(1) with 80 results, found Islands(4)"));
    fs::write(&path, text.replacen("\"best\":[", "\"best\":[1", 1)).expect("written");
    assert!(refusal(&config).contains("line 1: its best weights do not follow"), "{}", refusal(&config));
    fs::write(&path, text.replacen("[2,0,0,24,", "[3,0,0,24,", 1)).expect("written");
    assert!(refusal(&config).contains("expected results of two games each"), "{}", refusal(&config));
    fs::remove_file(folder.0.join("evolve.json")).expect("removed");
    assert!(refusal(&config).contains("expected the folder of an evolution"), "{}", refusal(&config));
}

/// A few real games of Maastricht's neutral evaluation one ply deep.
fn real() -> EvolveConfig {
    let Preset { agent, weights } = preset("maastricht:depth=1", false).expect("a preset");
    let weights = ranged(&agent, &weights).expect("weights");
    let plan = EvolvePlan {
        weights,
        island: 4,
        generations: 2,
        pairs: 1,
        survivors: 1,
        group: 2,
        rounds: 1,
        final_pairs: 1,
        scoring: Scoring::Ejections,
        ..plan()
    };
    EvolveConfig { agent, coach: "maastricht:depth=1".to_string(), ..config(plan) }
}

#[test]
fn real_games_give_the_same_steps_on_any_number_of_threads() {
    let config = real();
    config.check(&registered).expect("an evolution");
    let play = |threads| {
        let stop = Stop::default();
        let executor = Threads::new(threads);
        let games = EvolveGames::new(&config, &executor, &stop);
        let mut evolution = Evolution::new(&config.plan);
        Tuner { tuning: &mut evolution, folder: None }
            .run(|evolution| games.play(evolution.stage(), &evolution.bouts(), &mut |_| ()), |_| ())
            .expect("an evolution");
        (evolution.history().to_vec(), EvolveReport::new(&config, &evolution))
    };
    let (steps, report) = play(1);
    assert_eq!((steps.clone(), report.clone()), play(3));
    assert_eq!((report.games, report.faults, steps.len()), (config.plan.all_games(), 0, 4));
    assert!(report.spec.starts_with("maastricht:depth=1,weights="), "{}", report.spec);
    assert!(registered(&report.spec).is_ok());
}

#[test]
fn the_table_and_the_picture_have_every_step() {
    let config = config(plan());
    let mut evolution = Evolution::new(&config.plan);
    assert!(evolution.picture(&config).trim_end().ends_with("</svg>"));
    while !evolution.is_finished() {
        evolution.learn(&dice(&config.plan, &evolution.bouts()));
    }
    let csv = evolution.csv();
    let columns = |line: &str| line.split(',').count();
    assert!(csv.lines().all(|line| columns(line) == 12), "{csv}");
    assert_eq!(csv.lines().count(), 12);
    assert!(csv.contains("\ngeneration 8,160,") && csv.contains("\ntournament 2,48,,,,,,,"), "{csv}");
    let picture = evolution.picture(&config);
    for name in ["rank island: best", "pie island: mean", "games drawn"] {
        assert!(picture.contains(name), "{name}");
    }
}

#[test]
fn what_cannot_be_run_is_refused_before_it_begins() {
    let good = real();
    let refusal = |plan: EvolvePlan| {
        let config = EvolveConfig { plan, ..good.clone() };
        config.check(&registered).expect_err("refused").to_string()
    };
    let plan = || good.plan.clone();
    assert!(refusal(EvolvePlan { weights: Vec::new(), ..plan() }).contains("weights: expected at least one"));
    assert!(refusal(EvolvePlan { island: 3, ..plan() }).contains("island: expected a whole number from 4"));
    assert!(
        refusal(EvolvePlan { survivors: 4, ..plan() })
            .contains("survivors: expected a whole number from 1 to 3")
    );
    assert!(
        refusal(EvolvePlan { group: 3, ..plan() })
            .contains("group: expected a whole number from 2 to 2, found 3")
    );
    assert!(refusal(EvolvePlan { generations: 0, ..plan() }).contains("generations: expected"));
    assert!(
        refusal(EvolvePlan { mutation: 1.5, ..plan() }).contains("mutation: expected a number from 0 to 1")
    );
    assert!(refusal(EvolvePlan { spread: 0.0, ..plan() }).contains("spread: expected"));
    assert!(refusal(EvolvePlan { reach: f64::NAN, ..plan() }).contains("reach: expected"));
    let none = EvolveConfig { openings: Vec::new(), ..good.clone() };
    assert!(none.check(&registered).expect_err("refused").to_string().contains("at least one opening"));
    let coach = EvolveConfig { coach: "maastricht:weights=1".to_string(), ..good.clone() };
    assert!(coach.check(&registered).expect_err("refused").to_string().contains("expected 6 or 54"));
}

#[test]
fn games_that_are_stopped_give_no_result() {
    let config = real();
    let stop = Stop::default();
    stop.request();
    let executor = Threads::new(2);
    let games = EvolveGames::new(&config, &executor, &stop);
    let evolution = Evolution::new(&config.plan);
    assert!(matches!(games.play(evolution.stage(), &evolution.bouts(), &mut |_| ()), Ok(None)));
}

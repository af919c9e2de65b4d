//! The same work done by threads of one program, and by child processes that take units in any order, die with some of
//! them and do others twice, leaves the same folders, to the byte.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sumito_agents::Stop;
use sumito_lab::config::{MatchConfig, players};
use sumito_lab::data::DataSettings;
use sumito_lab::datagen::Generator;
use sumito_lab::opening;
use sumito_lab::referee::Conduct;
use sumito_lab::runner::Runner;
use sumito_lab::schedule::Format;
use sumito_lab::sprt::Sprt;
use sumito_lab::tune::evolve::{
    Crossover, Evolution, EvolveConfig, EvolveGames, EvolvePlan, Preset, Scoring, preset,
};
use sumito_lab::tune::param::{ranged, tunables};
use sumito_lab::tune::spsa::{Spsa, SpsaConfig, SpsaGames, SpsaPlan};
use sumito_lab::tune::steps::{TuneFolder, Tuner};
use sumito_lab::work::{Executor, Threads, Unit, UnitOutcome, Work, WorkError, registered};
use sumito_rules::Rules;

/// A process that does units.
struct Hand {
    process: Child,
    units: ChildStdin,
    outcomes: BufReader<ChildStdout>,
}

impl Hand {
    fn hire() -> Hand {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("sumito"));
        command.args(["unit", "--timeless"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (units, outcomes) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Hand { process, units, outcomes: BufReader::new(outcomes) }
    }

    fn give(&mut self, unit: &Unit) {
        writeln!(self.units, "{}", serde_json::to_string(unit).unwrap()).unwrap();
    }

    fn take(&mut self) -> Result<UnitOutcome, WorkError> {
        let mut line = String::new();
        self.outcomes.read_line(&mut line).unwrap();
        let outcome: Result<Option<UnitOutcome>, String> = serde_json::from_str(&line).unwrap();
        outcome.map(|outcome| outcome.unwrap()).map_err(WorkError)
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Child processes of which nothing can be relied on but their outcomes.
struct Children {
    /// Decides what goes wrong.
    chance: RefCell<u64>,
    /// Units that were lost, and units that were done twice.
    mishaps: RefCell<[usize; 2]>,
}

impl Children {
    fn new(seed: u64) -> Children {
        Children { chance: RefCell::new(seed), mishaps: RefCell::new([0; 2]) }
    }

    fn below(&self, bound: usize) -> usize {
        let mut chance = self.chance.borrow_mut();
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*chance >> 33) as usize % bound
    }
}

impl Executor for Children {
    fn width(&self) -> usize {
        2
    }

    fn games_per_unit(&self) -> usize {
        2
    }

    fn execute(&self, work: &mut Work<'_>, _: &Stop) -> Result<(), WorkError> {
        let (mut hand, mut open) = (Hand::hire(), Vec::new());
        loop {
            while let Some(unit) = (open.len() < 5).then(|| work.next_unit()).flatten() {
                open.push(unit);
            }
            if open.is_empty() || work.is_over() {
                return Ok(());
            }
            let (number, unit) = open.swap_remove(self.below(open.len()));
            hand.give(&unit);
            if self.below(4) == 0 {
                self.mishaps.borrow_mut()[0] += 1;
                hand = Hand::hire();
                open.push((number, unit));
                continue;
            }
            let outcome = hand.take()?;
            work.take(number, outcome.clone());
            if self.below(3) == 0 {
                self.mishaps.borrow_mut()[1] += 1;
                hand.give(&unit);
                assert_eq!(hand.take()?, outcome);
                work.take(number, outcome);
            }
        }
    }
}

/// Threads whose players have no time to measure.
fn threads(threads: usize) -> Threads<'static> {
    Threads { is_timeless: true, ..Threads::new(threads) }
}

/// All files of a folder by name.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(path).unwrap()))
        .collect()
}

/// Has the work done in a folder by everybody, and compares what is there then.
fn assert_same(work: impl Fn(&dyn Executor, &Path), expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let by = |name: &str, executor: &dyn Executor| {
        let dir = folder.path().join(name);
        fs::create_dir(&dir).unwrap();
        work(executor, &dir);
        files(&dir)
    };
    let (one, three) = (by("one", &threads(1)), by("three", &threads(3)));
    for name in expected {
        assert!(one.contains_key(*name), "{name} in {:?}", one.keys());
    }
    assert!(one == three, "one thread and three");
    for seed in [1, 2] {
        let children = Children::new(seed);
        let found = by(&format!("children {seed}"), &children);
        for (name, bytes) in &one {
            assert!(found.get(name) == Some(bytes), "{name} by child processes, seed {seed}");
        }
        assert_eq!(found.len(), one.len());
        let [lost, twice] = *children.mishaps.borrow();
        assert!(lost > 0 && twice > 0, "{lost} lost and {twice} done twice");
    }
}

fn short(pairs: usize, sprt: Option<Sprt>) -> MatchConfig {
    let specs = ["random", "greedy", "sumito:hash=1"].map(str::to_string);
    let specs = if sprt.is_some() { &specs[..2] } else { &specs[..] };
    let layouts = opening::layouts("standard,belgian-daisy").unwrap();
    MatchConfig {
        players: players(specs, "nodes=60".parse().unwrap()).unwrap(),
        format: Format::RoundRobin,
        pairs,
        seed: 3,
        conduct: Conduct::new(Rules { ply_cap: Some(24), ..Rules::TOURNAMENT }),
        sprt,
        openings: opening::randomised(&layouts, 4, pairs, 3).unwrap(),
        grown: Vec::new(),
    }
}

#[test]
fn a_match_does_not_depend_on_who_plays_it() {
    let play = |executor: &dyn Executor, dir: &Path| {
        let stop = Stop::default();
        let config = short(4, None);
        let runner = Runner { config: &config, executor, dir: Some(dir), build: &registered, stop: &stop };
        assert!(runner.run(&mut |_| ()).unwrap().finished);
    };
    assert_same(play, &["match.json", "games.jsonl", "games.apgn", "results.json", "results.csv"]);
}

#[test]
fn a_sequential_test_ends_at_the_same_game_whoever_plays() {
    let play = |executor: &dyn Executor, dir: &Path| {
        let stop = Stop::default();
        let config = MatchConfig {
            conduct: Conduct::new(Rules::TOURNAMENT),
            ..short(200, Some(Sprt::new(0.0, 200.0)))
        };
        let runner = Runner { config: &config, executor, dir: Some(dir), build: &registered, stop: &stop };
        let report = runner.run(&mut |_| ()).unwrap();
        assert!(report.finished && report.games < 400, "{} games", report.games);
        let kept = fs::read_to_string(dir.join("games.jsonl")).unwrap().lines().count();
        assert_eq!(kept as u64, report.games, "no game after the one that decides is kept");
    };
    assert_same(play, &["games.jsonl", "results.json"]);
}

#[test]
fn training_data_does_not_depend_on_who_makes_it() {
    let make = |executor: &dyn Executor, dir: &Path| {
        let settings = DataSettings { nodes: 80, hash: 1, max_plies: 40, ..DataSettings::default() };
        let (out, stop) = (dir.join("some.data"), Stop::default());
        let generator = Generator { settings: &settings, positions: 300, executor, out: &out, stop: &stop };
        assert!(generator.run(&mut |_| ()).unwrap().positions >= 300);
    };
    assert_same(make, &["some.data"]);
}

#[test]
fn a_tuning_does_not_depend_on_who_plays_its_games() {
    let agent = "bcit:factor=1.2,bonus=5";
    let params = tunables(agent, &["factor:0:6:2", "bonus:0:50:20"].map(str::to_string)).unwrap();
    let config = SpsaConfig {
        agent: agent.to_string(),
        plan: SpsaPlan { params, iterations: 4, pairs: 3, rate: 0.1, seed: 5 },
        limit: "nodes=100".parse().unwrap(),
        conduct: Conduct::new(Rules { ply_cap: Some(60), ..Rules::TOURNAMENT }),
        openings: opening::layouts("standard,belgian-daisy").unwrap(),
    };
    let tune = |executor: &dyn Executor, dir: &Path| {
        let (stop, mut spsa) = (Stop::default(), Spsa::new(&config.plan));
        let mut folder = TuneFolder::open(dir, &config, &mut spsa).unwrap();
        let games = SpsaGames::new(&config, executor, &stop);
        let mut tuner = Tuner { tuning: &mut spsa, folder: Some(&mut folder) };
        tuner.run(|spsa| games.play(&spsa.probes(), &mut |_| ()), |_| ()).unwrap();
        assert!(spsa.is_finished() && spsa.values() != [1.2, 5.0]);
    };
    assert_same(tune, &["tune.json", "iterations.jsonl"]);
}

#[test]
fn an_evolution_does_not_depend_on_who_plays_its_games() {
    let Preset { agent, weights } = preset("maastricht:depth=1", false).unwrap();
    let plan = EvolvePlan {
        weights: ranged(&agent, &weights).unwrap(),
        island: 4,
        generations: 2,
        pairs: 1,
        survivors: 1,
        spread: 1.0,
        crossover: Crossover::Blend,
        mutation: 0.2,
        reach: 0.2,
        scoring: Scoring::Ejections,
        group: 2,
        rounds: 1,
        round_openings: 2,
        final_pairs: 1,
        seed: 5,
    };
    let config = EvolveConfig {
        agent,
        coach: "maastricht:depth=1".to_string(),
        plan,
        limit: "depth=1".parse().unwrap(),
        final_limit: "depth=2".parse().unwrap(),
        conduct: Conduct::new(Rules { ply_cap: Some(30), ..Rules::TOURNAMENT }),
        openings: opening::layouts("standard,belgian-daisy").unwrap(),
    };
    let evolve = |executor: &dyn Executor, dir: &Path| {
        let (stop, mut evolution) = (Stop::default(), Evolution::new(&config.plan));
        let mut folder = TuneFolder::open(dir, &config, &mut evolution).unwrap();
        let games = EvolveGames::new(&config, executor, &stop);
        let mut tuner = Tuner { tuning: &mut evolution, folder: Some(&mut folder) };
        let play = |evolution: &Evolution<'_>| games.play(evolution.stage(), &evolution.bouts(), &mut |_| ());
        tuner.run(play, |_| ()).unwrap();
        assert_eq!(evolution.games().games(), config.plan.all_games());
    };
    assert_same(evolve, &["evolve.json", "steps.jsonl"]);
}

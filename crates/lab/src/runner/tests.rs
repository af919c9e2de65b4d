//! Matches on disk: stopped, resumed, damaged, and with players that fail.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sumito_agents::{Agent, AgentError, Info, Limits};
use sumito_rules::{Game, Move, Rules};

use super::*;
use crate::config::players;
use crate::limit::LimitSpec;
use crate::opening;
use crate::rating::{Anchor, Results};
use crate::referee::Conduct;
use crate::schedule::Format;
use crate::sprt::{Sprt, SprtVerdict};
use crate::stats::WdlCount;
use crate::work::{Threads, registered};

/// A folder that is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sumito-lab-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file of the match")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file of the match");
    }

    /// Moves and ends of all games by index, without what depends on the clock.
    fn games(&self) -> Vec<(usize, Vec<String>, String)> {
        let mut games: Vec<_> = self
            .read("games.jsonl")
            .lines()
            .map(|line| serde_json::from_str::<GameRecord>(line).expect("a game"))
            .map(|game| (game.index, game.moves.into_iter().map(|m| m.text).collect(), game.reason))
            .collect();
        games.sort();
        games
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn config(specs: &[&str], pairs: usize) -> MatchConfig {
    let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
    let layout = opening::layouts("standard,belgian-daisy").expect("layouts");
    MatchConfig {
        players: players(&specs, LimitSpec::default()).expect("players"),
        format: Format::RoundRobin,
        pairs,
        seed: 11,
        conduct: Conduct::new(Rules { ply_cap: Some(20), ..Rules::TOURNAMENT }),
        sprt: None,
        openings: opening::randomised(&layout, 4, 3, 1).expect("openings"),
        grown: Vec::new(),
    }
}

/// A player that fails, or does so every third time it is asked.
struct Bad(String, usize);

impl Agent for Bad {
    fn name(&self) -> &str {
        &self.0
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
        self.1 += 1;
        match &self.0[..] {
            "crash" => panic!("this player always panics"),
            "stall" => Err(AgentError::TimedOut(Duration::from_secs(1))),
            "cheat" if self.1 == 3 => {
                Ok(Move::all().find(|&m| !game.position().is_legal(m)).expect("an illegal move"))
            }
            _ => Ok(game.legal_moves()[0]),
        }
    }
}

fn build(spec: &str) -> Result<Box<dyn Agent>, String> {
    match spec {
        "crash" | "stall" | "cheat" => Ok(Box::new(Bad(spec.to_string(), 0))),
        _ => registered(spec),
    }
}

fn run(config: &MatchConfig, threads: usize, dir: Option<&Folder>) -> Result<MatchReport, MatchError> {
    let (executor, stop) = (Threads { build: &build, ..Threads::new(threads) }, Stop::default());
    let runner =
        Runner { config, executor: &executor, dir: dir.map(|dir| &*dir.0), build: &build, stop: &stop };
    runner.run(&mut |_| {})
}

/// Runs until so many games have been played, and says how many were found and played.
fn run_until(config: &MatchConfig, dir: &Folder, games: usize) -> (MatchReport, usize, usize) {
    let stop = Stop::default();
    let (mut found, mut played) = (0, 0);
    let executor = &Threads { build: &build, ..Threads::new(2) };
    let runner = Runner { config, executor, dir: Some(&dir.0), build: &build, stop: &stop };
    let report = runner.run(&mut |progress| {
        *if progress.resumed { &mut found } else { &mut played } += 1;
        if played == games {
            stop.request();
        }
    });
    (report.expect("a report"), found, played)
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let (one, three) = (Folder::new("one"), Folder::new("three"));
    let config = config(&["random", "random", "random"], 3);
    let report = run(&config, 1, Some(&one)).expect("a report");
    run(&config, 3, Some(&three)).expect("a report");
    assert_eq!((report.finished, report.games, report.scheduled), (true, 18, 18));
    assert_eq!(one.games(), three.games());
}

#[test]
fn random_players_play_different_games_on_the_same_opening() {
    let dir = Folder::new("different");
    run(&config(&["random", "random"], 6), 1, Some(&dir)).expect("a report");
    let mut games: Vec<Vec<String>> = dir.games().into_iter().map(|(_, moves, _)| moves).collect();
    games.sort();
    games.dedup();
    assert_eq!(games.len(), 12);
}

#[test]
fn a_match_that_was_stopped_goes_on_where_it_was() {
    let (whole, parts) = (Folder::new("whole"), Folder::new("parts"));
    let config = config(&["random", "random"], 8);
    run(&config, 2, Some(&whole)).expect("a report");
    let (first, found, played) = run_until(&config, &parts, 5);
    assert!(!first.finished && found == 0 && (5..=7).contains(&played), "{found} {played}");
    assert_eq!(parts.games().len(), played);
    let (second, found, rest) = run_until(&config, &parts, usize::MAX);
    assert_eq!((second.finished, found, rest), (true, played, 16 - played));
    assert_eq!(parts.games(), whole.games());
}

#[test]
fn a_finished_match_is_not_played_again() {
    let dir = Folder::new("finished");
    let config = config(&["random", "random"], 2);
    let report = run(&config, 2, Some(&dir)).expect("a report");
    let (again, found, played) = run_until(&config, &dir, usize::MAX);
    assert_eq!((again, found, played), (report, 4, 0));
}

#[test]
fn a_half_written_last_line_is_played_again() {
    let dir = Folder::new("half");
    let config = config(&["random", "random"], 3);
    run(&config, 1, Some(&dir)).expect("a report");
    let (games, text) = (dir.games(), dir.read("games.jsonl"));
    for cut in [1, 40] {
        dir.write("games.jsonl", &text[..text.len() - cut]);
        let (_, found, played) = run_until(&config, &dir, usize::MAX);
        assert_eq!((found, played), (5, 1));
        assert_eq!(dir.games(), games);
    }
}

#[test]
fn a_damaged_line_before_the_last_is_named() {
    let dir = Folder::new("damaged");
    let config = config(&["random", "random"], 2);
    run(&config, 1, Some(&dir)).expect("a report");
    let text = dir.read("games.jsonl");
    let damaged: Vec<&str> =
        text.lines().enumerate().map(|(i, line)| if i == 1 { "{" } else { line }).collect();
    dir.write("games.jsonl", &(damaged.join("\n") + "\n"));
    let error = run(&config, 1, Some(&dir)).expect_err("damaged").to_string();
    assert!(error.contains("games.jsonl line 2: "), "{error}");
}

#[test]
fn another_match_in_the_same_folder_is_refused_with_what_differs() {
    let dir = Folder::new("other");
    let there = config(&["random", "random"], 1);
    run(&there, 1, Some(&dir)).expect("a report");
    let other = MatchConfig { seed: 12, pairs: 2, ..there };
    let error = run(&other, 1, Some(&dir)).expect_err("another match").to_string();
    assert!(error.contains("another match (its pairs, seed differ)"), "{error}");
}

#[test]
fn a_folder_that_is_in_use_is_refused() {
    let dir = Folder::new("locked");
    let config = config(&["random", "random"], 1);
    let _store = MatchFolder::open(&dir.0, &config, |_| Ok(())).expect("a store");
    let error = run(&config, 1, Some(&dir)).expect_err("in use");
    assert!(matches!(error, MatchError::Run(RunError::Locked(_))), "{error}");
}

#[test]
fn players_that_fail_lose_and_the_match_goes_on() {
    let report = run(&config(&["random", "crash", "stall", "cheat"], 2), 2, None).expect("a report");
    assert!(report.finished);
    let faults: Vec<[u64; 4]> = report
        .players
        .iter()
        .map(|player| [player.faults.time, player.faults.illegal, player.faults.crash, player.faults.stall])
        .collect();
    // Whoever moves first fails first: each of the three pairings of two bad players shares its four games.
    assert_eq!(faults[0], [0; 4]);
    assert_eq!((faults[1][2], faults[2][3]), (4 + 2 + 4, 4 + 2 + 4));
    assert_eq!((faults[3][1], report.players[3].games), (4, WdlCount::new(8, 0, 4)));
    assert_eq!(report.players[0].games, WdlCount::new(12, 0, 0));
}

#[test]
fn a_player_that_cannot_be_built_stops_the_match_before_it_begins() {
    let error = run(&config(&["random", "randon"], 1), 1, None).expect_err("misspelt").to_string();
    assert!(error.contains("unknown agent 'randon'"), "{error}");
}

#[test]
fn a_player_that_cannot_be_built_again_loses_and_the_match_goes_on() {
    // It is built once to see that it can be, and once for the first game, which it loses; then never again.
    let built = AtomicUsize::new(0);
    let fragile = |spec: &str| match spec {
        "crash" if built.fetch_add(1, Ordering::Relaxed) >= 2 => Err("the engine is gone".to_string()),
        _ => build(spec),
    };
    let (config, dir) = (config(&["random", "crash"], 2), Folder::new("fragile"));
    let (executor, stop) = (&Threads { build: &fragile, ..Threads::new(1) }, Stop::default());
    let runner = Runner { config: &config, executor, dir: Some(&dir.0), build: &fragile, stop: &stop };
    let report = runner.run(&mut |_| {}).expect("a report");
    assert_eq!((report.finished, report.players[1].faults.crash), (true, 4));
    let reasons: Vec<String> = dir.games().into_iter().map(|(_, _, reason)| reason).collect();
    assert!(reasons[0].contains("always panics"), "{reasons:?}");
    assert!(reasons[1..].iter().all(|reason| reason.contains("the engine is gone")), "{reasons:?}");
}

#[test]
fn a_test_ends_the_match_at_the_same_pair_whatever_the_threads() {
    let config = MatchConfig { sprt: Some(Sprt::new(0.0, 100.0)), ..config(&["random", "crash"], 500) };
    let (one, three) = (run(&config, 1, None).expect("a report"), run(&config, 3, None).expect("a report"));
    let sprt = one.sprt.expect("a test");
    assert_eq!((sprt.verdict, one.finished), (SprtVerdict::H1, true));
    assert!(one.games < 100 && sprt.llr > sprt.upper, "{} games, {}", one.games, sprt.llr);
    assert_eq!((one.games, one.sprt), (three.games, three.sprt));
}

#[test]
fn a_decided_test_stays_decided_on_resuming() {
    let dir = Folder::new("decided");
    let config = MatchConfig { sprt: Some(Sprt::new(0.0, 100.0)), ..config(&["crash", "random"], 500) };
    let report = run(&config, 2, Some(&dir)).expect("a report");
    assert_eq!(report.sprt.expect("a test").verdict, SprtVerdict::H0);
    let (again, _, played) = run_until(&config, &dir, usize::MAX);
    assert_eq!((again, played), (report, 0));
}

#[test]
fn results_are_written_for_people_and_programs() {
    let dir = Folder::new("results");
    run(&config(&["random", "random", "crash"], 2), 2, Some(&dir)).expect("a report");
    let json: serde_json::Value = serde_json::from_str(&dir.read("results.json")).expect("JSON");
    assert_eq!(json["games"], 12);
    assert_eq!(json["players"][2]["faults"]["crash"], 8);
    assert_eq!(json["pairings"][1]["pentanomial"], serde_json::json!([0, 0, 0, 0, 2]));
    let csv = dir.read("results.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    assert_eq!(
        rows.iter().map(|row| row[0]).collect::<Vec<_>>().join(" "),
        "kind pairing pairing pairing player player player"
    );
    let apgn = dir.read("games.apgn");
    let rounds: Vec<String> = (1..=12).map(|round| format!("[Round \"{round}\"]")).collect();
    let found: Vec<&str> = apgn.lines().filter(|line| line.starts_with("[Round")).collect();
    assert_eq!(found, rounds);
}

#[test]
fn an_interrupted_match_leaves_its_results_too() {
    let dir = Folder::new("interrupted");
    let (report, _, played) = run_until(&config(&["random", "random"], 8), &dir, 3);
    let json: serde_json::Value = serde_json::from_str(&dir.read("results.json")).expect("JSON");
    assert_eq!((&json["finished"], &json["games"]), (&false.into(), &played.into()));
    assert_eq!(report.games, played as u64);
}

#[test]
fn ratings_are_made_from_the_folders_of_matches() {
    let (one, other) = (Folder::new("rate-one"), Folder::new("rate-other"));
    run(&config(&["random", "crash"], 2), 1, Some(&one)).expect("a report");
    run(&config(&["random", "stall"], 3), 1, Some(&other)).expect("a report");
    let mut results = Results::default();
    results.read(&one.0).expect("games");
    results.read(&other.0.join("games.jsonl")).expect("games");
    let ratings = results.ratings(&Anchor::Mean).expect("ratings");
    let order: Vec<(&str, u64)> = ratings.players.iter().map(|r| (&r.name[..], r.games.games())).collect();
    assert_eq!((order, ratings.virtual_draws), (vec![("random", 10), ("crash", 4), ("stall", 6)], true));
}

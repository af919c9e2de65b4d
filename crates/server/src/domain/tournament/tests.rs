//! Whole tournaments in virtual time, with everything that happens in them.

use std::collections::{HashMap, HashSet};

use sumito_rules::{Color, Layout};

use super::change::Applicant;
use super::plan::{BREAK, GATHERED};
use super::settings::{Settings, System, Welcome};
use super::{Board, Change, Next, Stage, Times, Tournament};
use crate::domain::error::AppError;
use crate::domain::game::ClockSetting;
use crate::domain::pairing::lot::Lot;
use crate::domain::pairing::round_robin::Cycles;
use crate::domain::pairing::{PairingResult, Points};
use crate::domain::person::PersonId;

const START: i64 = 1_000_000;

fn planned(system: System) -> Tournament {
    let settings = Settings {
        name: "Club".to_string(),
        system,
        layout: None,
        clock: ClockSetting::Game { base_ms: 180_000, increment_ms: 0 },
        rated: true,
        welcome: Welcome::Both,
        late: true,
    };
    settings.check().expect("a tournament");
    Tournament {
        num: 1,
        id: "t".to_string(),
        by: PersonId(1),
        by_name: "Anna".to_string(),
        settings,
        stage: Stage::Planned,
        version: 0,
        seed: 7,
        times: Times { starts: START, ..Times::default() },
        players: Vec::new(),
        boards: Vec::new(),
        resting: Vec::new(),
    }
}

fn applicant(person: i64) -> Applicant {
    let rating = 1500 + (person * 37 % 200) as i32;
    Applicant { person: PersonId(person), name: format!("P{person}"), is_bot: false, rating }
}

fn with(system: System, players: i64) -> Tournament {
    let mut tournament = planned(system);
    (0..players).for_each(|person| join(&mut tournament, person, 0));
    tournament
}

fn join(tournament: &mut Tournament, person: i64, at: i64) {
    let change = tournament.join(applicant(person), at).expect("welcome");
    tournament.apply(change);
}

fn code(refused: Result<Change, AppError>) -> &'static str {
    refused.expect_err("refused").fault().cause.code()
}

/// A tournament that is played.
struct Play {
    tournament: Tournament,
    at: i64,
    lot: Lot,
    /// When each game ends.
    running: HashMap<String, i64>,
    games: HashSet<String>,
}

impl Play {
    fn new(tournament: Tournament, seed: u64) -> Play {
        Play { tournament, at: 0, lot: Lot::new(seed), running: HashMap::new(), games: HashSet::new() }
    }

    /// Does what is to be done now; gives when to look again.
    fn step(&mut self) -> Option<i64> {
        loop {
            match self.tournament.next(self.at) {
                Next::Wait(until) => return until,
                Next::Make(change) => {
                    if let Change::Round(round) = &change {
                        for board in &round.boards {
                            self.begin(board);
                        }
                    }
                    self.tournament.apply(change);
                }
            }
        }
    }

    fn begin(&mut self, board: &Board) {
        assert!(Layout::named(&board.layout).is_some_and(|layout| !layout.is_disputed()));
        let Some(game) = &board.game else {
            assert!(board.pairing.result.is_some(), "what is not played has a result");
            return;
        };
        assert!(self.games.insert(game.clone()), "a game twice");
        for color in Color::ALL {
            let player = board.pairing.player(color);
            assert!(self.tournament.player(player).here, "{player} is away");
            assert!(self.tournament.open_board(player).is_none(), "{player} plays already");
        }
        let takes = 10_000 + self.lot.draw() % 50_000;
        self.running.insert(game.clone(), self.at + takes as i64);
    }

    /// Plays to the end, in which each whim may happen at any moment.
    fn play(&mut self, mut whim: impl FnMut(&mut Play)) {
        for _ in 0..100_000 {
            let until = self.step();
            if self.tournament.stage.is_final() {
                return;
            }
            whim(self);
            let next_end = self.running.values().min().copied();
            let next = until.into_iter().chain(next_end).min().expect("something comes");
            self.at = next.max(self.at + 1);
            let over: Vec<String> = self
                .running
                .iter()
                .filter(|(_, ends)| **ends <= self.at)
                .map(|(game, _)| game.clone())
                .collect();
            for game in over {
                self.running.remove(&game);
                let result = match self.lot.draw() % 20 {
                    0 => PairingResult::Forfeited(Color::Black),
                    1..=3 => PairingResult::Drawn,
                    4..=12 => PairingResult::Won(Color::Black),
                    _ => PairingResult::Won(Color::White),
                };
                self.tournament.end_board(&game, result, self.at);
            }
        }
        panic!("it does not end");
    }
}

/// Somebody now and then withdraws, comes back, comes late or asks for a bye.
fn whims(play: &mut Play) {
    let person = (play.lot.draw() % 40) as i64;
    let change = match play.lot.draw() % 12 {
        0 => play.tournament.withdraw(PersonId(person), play.at),
        1..=3 => play.tournament.join(applicant(person), play.at),
        4 => play.tournament.ask_bye(PersonId(person)),
        _ => return,
    };
    if let Ok(change) = change {
        play.tournament.apply(change);
    }
}

#[test]
fn a_round_robin_has_every_pair_once_and_ends_with_the_table() {
    for (cycles, games) in [(Cycles::One, 21), (Cycles::Two, 42)] {
        let mut play = Play::new(with(System::RoundRobin(cycles), 7), 3);
        play.at = START;
        play.play(|_| ());
        let tournament = &play.tournament;
        assert_eq!((tournament.stage, tournament.boards.len()), (Stage::Over, games));
        let rows = tournament.cross().expect("a cross table");
        let each = if cycles == Cycles::One { 1 } else { 2 };
        for (at, row) in rows.iter().enumerate() {
            let others = row.cells.iter().enumerate().filter(|(other, _)| *other != at);
            assert!(others.map(|(_, cell)| cell.len()).all(|met| met <= each));
        }
    }
}

#[test]
fn a_swiss_tournament_has_its_rounds_with_a_break_between_them() {
    let mut play = Play::new(with(System::Swiss(5), 9), 3);
    play.at = START;
    play.play(|_| ());
    let tournament = &play.tournament;
    assert_eq!((tournament.stage, tournament.rounds_begun()), (Stage::Over, 5));
    for round in 1..5 {
        let ended = tournament.boards_of(round - 1).iter().filter_map(|board| board.ended).max();
        assert!(tournament.boards_of(round)[0].paired >= ended.expect("ended") + BREAK);
    }
    let points: f64 = tournament.standings().iter().map(|line| line.points).sum();
    let away =
        tournament.boards.iter().filter(|it| it.pairing.result == Some(PairingResult::Unplayed)).count();
    let byes =
        tournament.resting.iter().filter(|(_, it)| it.rest == crate::domain::pairing::Rest::Bye).count();
    assert!((points - (tournament.boards.len() - away + byes) as f64).abs() < 1e-9);
}

#[test]
fn an_arena_pairs_until_its_time_is_over_and_counts_nothing_after_it() {
    let mut play = Play::new(with(System::Arena(20), 30), 3);
    play.at = START;
    play.play(|play| {
        // Who was away for a game comes back.
        let away: Vec<i64> =
            play.tournament.players.iter().filter(|it| !it.here).map(|it| it.person.0).collect();
        away.into_iter().for_each(|person| join(&mut play.tournament, person, play.at));
    });
    let tournament = &play.tournament;
    let ends = START + 20 * 60_000;
    assert_eq!((tournament.stage, tournament.times.ends), (Stage::Over, Some(ends)));
    assert!(tournament.boards.len() > 300, "{}", tournament.boards.len());
    assert!(tournament.boards.iter().all(|board| board.paired < ends));
    let moments: HashSet<i64> = tournament.boards.iter().map(|board| board.paired).collect();
    let mut moments: Vec<i64> = moments.into_iter().collect();
    moments.sort_unstable();
    assert!(moments.windows(2).all(|pair| pair[1] - pair[0] >= GATHERED));
    // The games that were under way end later: they change nothing.
    let (before, mut after) = (tournament.standings(), tournament.clone());
    let open: Vec<String> =
        tournament.boards.iter().filter(|it| it.is_open()).filter_map(|it| it.game.clone()).collect();
    assert!(!open.is_empty());
    open.iter().for_each(|game| after.end_board(game, PairingResult::Won(Color::Black), ends + 1));
    assert_eq!(after.standings(), before);
}

#[test]
fn whatever_players_do_nobody_plays_twice_at_a_time_and_every_tournament_ends() {
    let systems = [
        System::RoundRobin(Cycles::One),
        System::RoundRobin(Cycles::Two),
        System::Swiss(7),
        System::Arena(10),
    ];
    for system in systems {
        for seed in 0..25 {
            let mut play = Play::new(with(system, 4 + (seed % 20) as i64), seed);
            play.play(whims);
            assert!(play.tournament.stage.is_final());
            assert_eq!(play.tournament.standings().len(), play.tournament.players.len());
        }
    }
}

#[test]
fn a_tournament_to_which_nobody_comes_is_cancelled() {
    let tournament = with(System::Swiss(3), 1);
    assert_eq!(tournament.next(START - 1), Next::Wait(Some(START)));
    let Next::Make(Change::Stage(stage, _)) = tournament.next(START) else { panic!("nothing happens") };
    assert_eq!(stage, Stage::Cancelled);
    let Next::Make(Change::Stage(stage, times)) = with(System::Arena(5), 2).next(START) else {
        panic!("nothing happens")
    };
    assert_eq!((stage, times.ends), (Stage::Running, Some(START + 300_000)));
}

#[test]
fn a_pause_holds_back_what_comes_next_and_an_arena_ends_later_by_it() {
    let mut tournament = with(System::Arena(5), 4);
    let change = tournament.start(START).expect("enough");
    tournament.apply(change);
    assert_eq!(code(tournament.resume(START)), "tournament.stage");
    let change = tournament.pause(START + 1000).expect("running");
    tournament.apply(change);
    let forgotten = START + 1000 + super::plan::LONGEST_PAUSE;
    assert_eq!(tournament.next(START + 400_000), Next::Wait(Some(forgotten)));
    let Next::Make(Change::Stage(stage, times)) = tournament.next(forgotten) else { panic!("for ever") };
    assert_eq!((stage, times.ends), (Stage::Cancelled, Some(forgotten)));
    let change = tournament.resume(START + 401_000).expect("paused");
    tournament.apply(change);
    assert_eq!((tournament.stage, tournament.times.ends), (Stage::Running, Some(START + 700_000)));
    assert!(matches!(tournament.next(START + 401_000), Next::Make(Change::Round(_))));
}

#[test]
fn who_may_join_and_when() {
    let mut tournament = with(System::Swiss(4), 4);
    assert_eq!(code(tournament.join(applicant(0), 0)), "tournament.joined");
    assert_eq!(code(tournament.withdraw(PersonId(77), 0)), "tournament.not_joined");
    tournament.settings.welcome = Welcome::Bots;
    assert_eq!(code(tournament.join(applicant(9), 0)), "tournament.welcome");
    assert!(tournament.join(Applicant { is_bot: true, ..applicant(9) }, 0).is_ok());
    tournament.settings.welcome = Welcome::People;
    assert_eq!(code(tournament.join(Applicant { is_bot: true, ..applicant(9) }, 0)), "tournament.welcome");

    let mut play = Play::new(tournament, 1);
    play.at = START;
    play.step();
    // Late, for one round that was missed.
    let Ok(Change::Enter(player)) = play.tournament.join(applicant(9), START) else { panic!("welcome") };
    assert_eq!(player.head_start, Points::HALF);
    play.tournament.settings.late = false;
    assert_eq!(code(play.tournament.join(applicant(9), START)), "tournament.begun");
    // Who has withdrawn may come back all the same.
    let change = play.tournament.withdraw(PersonId(2), START).expect("takes part");
    play.tournament.apply(change);
    assert!(play.tournament.join(applicant(2), START).is_ok());
    let change = play.tournament.cancel(START).expect("running");
    play.tournament.apply(change);
    assert_eq!(code(play.tournament.join(applicant(9), START)), "tournament.over");

    let most = super::settings::MOST_IN_ROUND_ROBIN as i64;
    let full = with(System::RoundRobin(Cycles::One), most);
    assert_eq!(code(full.join(applicant(most), 0)), "tournament.full");
}

#[test]
fn a_bye_is_asked_for_once_and_gives_half_a_point() {
    let mut tournament = with(System::Swiss(3), 5);
    let change = tournament.ask_bye(PersonId(3)).expect("the first wish");
    tournament.apply(change);
    assert_eq!(code(tournament.ask_bye(PersonId(3))), "tournament.no_bye");
    let mut play = Play::new(tournament, 1);
    play.at = START;
    play.step();
    assert_eq!(play.tournament.boards.len(), 2);
    let line = play.tournament.standings().into_iter().find(|line| line.player.0 == 3).expect("a line");
    assert_eq!((line.points, line.games), (0.5, 0));
    assert_eq!(code(with(System::Arena(5), 3).ask_bye(PersonId(1))), "tournament.no_bye");
}

#[test]
fn a_setting_that_makes_no_sense_is_refused() {
    let refused = |change: fn(&mut Settings)| {
        let mut settings = planned(System::Swiss(3)).settings;
        change(&mut settings);
        settings.check().expect_err("refused").fault().field
    };
    let field = |name: &str| Some(name.to_string());
    assert_eq!(refused(|it| it.name = "  ".to_string()), field("name"));
    assert_eq!(refused(|it| it.name = "x".repeat(61)), field("name"));
    assert_eq!(refused(|it| it.system = System::Swiss(31)), field("system.rounds"));
    assert_eq!(refused(|it| it.system = System::Arena(0)), field("system.minutes"));
}

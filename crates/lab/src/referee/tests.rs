//! Games between scripted players, on a clock that only they move.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sumito_agents::Score;
use sumito_rules::{Game, Reason};

use super::*;
use crate::opening;

/// The clock on the wall, in milliseconds.
type Wall = Arc<AtomicU64>;

/// What a scripted player does each time.
#[derive(Clone)]
enum Deed {
    /// A legal move after so many milliseconds.
    Move(u64),
    /// A legal move, with a score.
    Say(Score),
    /// A move from an empty cell.
    Cheat,
    Panic,
    Fail(AgentError),
}

struct Scripted {
    wall: Wall,
    deeds: Vec<Deed>,
    next: usize,
    seen: Vec<Limits>,
}

impl Agent for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError> {
        self.seen.push(limits.clone());
        let deed = self.deeds[self.next.min(self.deeds.len() - 1)].clone();
        self.next += 1;
        let move_there = game.legal_moves()[self.next % game.legal_moves().len()];
        match deed {
            Deed::Move(time) => {
                self.wall.fetch_add(time, Ordering::Relaxed);
                Ok(move_there)
            }
            Deed::Say(score) => {
                report(&Info { depth: 1, nodes: 10, ..Info::default() });
                report(&Info { depth: 2, nodes: 20, score: Some(score), ..Info::default() });
                Ok(move_there)
            }
            Deed::Cheat => {
                Ok(Move::all().find(|&m| !game.position().is_legal(m)).expect("no position has all moves"))
            }
            Deed::Panic => panic!("out of marbles"),
            Deed::Fail(error) => Err(error),
        }
    }
}

struct Setup {
    conduct: Conduct,
    limits: ByColor<LimitSpec>,
    players: ByColor<Scripted>,
    wall: Wall,
}

fn setup(black: &[Deed], white: &[Deed]) -> Setup {
    let wall = Wall::default();
    let player =
        |deeds: &[Deed]| Scripted { wall: wall.clone(), deeds: deeds.to_vec(), next: 0, seen: Vec::new() };
    let rules = Rules { ply_cap: Some(12), ..Rules::TOURNAMENT };
    Setup {
        conduct: Conduct::new(rules),
        limits: ByColor::default(),
        players: ByColor::new(player(black), player(white)),
        wall,
    }
}

impl Setup {
    fn limit(mut self, text: &str) -> Setup {
        let limit = text.parse().expect("a limit");
        self.limits = ByColor::new(limit, limit);
        self
    }

    fn resign(mut self, score: f64, plies: usize) -> Setup {
        self.conduct.resign = Some(ResignRule { score, plies });
        self
    }

    fn play_on(&mut self, opening: &Opening) -> GameRecord {
        let wall = self.wall.clone();
        let now = move || Duration::from_millis(wall.load(Ordering::Relaxed));
        let referee = Referee { conduct: &self.conduct, now: &now, stop: &Stop::default() };
        let ByColor { black, white } = &mut self.players;
        let seats = ByColor::new(
            RefereeSeat { name: "one", agent: black, limit: self.limits.black, seed: 1 },
            RefereeSeat { name: "other", agent: white, limit: self.limits.white, seed: 2 },
        );
        referee.play(7, opening, seats).expect("an opening").expect("no stop")
    }

    fn play(&mut self) -> GameRecord {
        self.play_on(&opening::layouts("standard").expect("a layout")[0])
    }
}

const QUICK: Deed = Deed::Move(1);

#[test]
fn a_game_to_the_cap_is_recorded_move_by_move() {
    let result = setup(&[Deed::Say(Score::Value(1.5))], &[Deed::Move(3)]).play();
    assert_eq!(result.outcome, Outcome { winner: None, reason: Reason::PlyCap });
    assert_eq!((result.index, result.moves.len(), result.plies(), result.fault), (7, 12, 12, None));
    let said = MoveRecord { score: Some(1.5), depth: Some(2), nodes: Some(20), ..result.moves[0].clone() };
    assert_eq!(result.moves[0], said);
    assert_eq!((result.moves[1].score, result.moves[1].time_us), (None, 3000));
    assert_eq!(result.moves_of(Color::White).count(), 6);
    assert!(result.moves_of(Color::White).all(|m| m.time_us == 3000));
}

#[test]
fn the_opening_is_played_first_and_counts_for_the_cap() {
    let layout = opening::layouts("standard").expect("a layout");
    let opening = &opening::randomised(&layout, 5, 1, 1).expect("an opening")[0];
    let result = setup(&[QUICK], &[QUICK]).play_on(opening);
    assert_eq!((result.moves.len(), result.plies(), result.first_mover()), (7, 12, Color::White));
}

#[test]
fn an_illegal_move_loses() {
    let result = setup(&[QUICK], &[QUICK, Deed::Cheat]).play();
    assert_eq!(result.outcome, Outcome { winner: Some(Color::Black), reason: Reason::Forfeit });
    assert_eq!((result.fault, result.moves.len()), (Some(PlayerFault::Illegal), 3));
    assert!(result.reason.starts_with("White made an illegal move: "), "{}", result.reason);
}

#[test]
fn a_panic_loses() {
    let result = setup(&[Deed::Panic], &[QUICK]).play();
    assert_eq!(result.outcome, Outcome { winner: Some(Color::White), reason: Reason::Forfeit });
    assert_eq!(
        (result.fault, &result.reason[..]),
        (Some(PlayerFault::Crash), "Black broke down: out of marbles")
    );
}

#[test]
fn each_error_of_an_agent_loses_in_its_own_way() {
    let cases = [
        (AgentError::Crashed("signal 11".into()), Some(PlayerFault::Crash), Reason::Forfeit),
        (AgentError::NoMove, Some(PlayerFault::Crash), Reason::Forfeit),
        (AgentError::TimedOut(Duration::from_secs(9)), Some(PlayerFault::Stall), Reason::Forfeit),
        (AgentError::Illegal("z9".into()), Some(PlayerFault::Illegal), Reason::Forfeit),
        (AgentError::Resigned, None, Reason::Resignation),
    ];
    for (error, fault, reason) in cases {
        let result = setup(&[Deed::Fail(error.clone())], &[QUICK]).play();
        assert_eq!((result.outcome.winner, result.outcome.reason), (Some(Color::White), reason), "{error}");
        assert_eq!(result.fault, fault);
        assert!(result.reason.ends_with(&error.to_string()), "{}", result.reason);
    }
}

#[test]
fn time_for_a_move_may_be_exceeded_by_the_grace_and_no_more() {
    let within = setup(&[Deed::Move(120)], &[QUICK]).limit("movetime=100ms").play();
    assert_eq!((within.fault, within.overstep_us), (None, ByColor::new(20_000, 0)));
    let beyond = setup(&[QUICK, Deed::Move(121)], &[QUICK]).limit("movetime=100ms").play();
    assert_eq!(beyond.outcome, Outcome { winner: Some(Color::White), reason: Reason::Time });
    assert_eq!(
        (beyond.fault, beyond.overstep_us.black, beyond.moves.len()),
        (Some(PlayerFault::Time), 21_000, 2)
    );
    assert_eq!(beyond.reason, "Black lost on time: 121.0ms used of 100.0ms");
}

#[test]
fn the_clock_runs_down_and_is_incremented() {
    let mut setup = setup(&[Deed::Move(300)], &[QUICK]).limit("clock=1s+100ms");
    let result = setup.play();
    let left: Vec<u128> = setup
        .players
        .black
        .seen
        .iter()
        .map(|limits| limits.clock.expect("a clock").black.left.as_millis())
        .collect();
    // Each move takes 300 and adds 100; with 200 left the fifth is too long.
    assert_eq!(left, [1000, 800, 600, 400, 200]);
    assert_eq!((result.fault, result.outcome.winner), (Some(PlayerFault::Time), Some(Color::White)));
}

#[test]
fn the_clock_has_its_grace_too() {
    let result = setup(&[Deed::Move(520), Deed::Move(0)], &[QUICK]).limit("clock=500ms+10ms").play();
    assert_eq!((result.fault, result.overstep_us.black), (None, 20_000));
}

#[test]
fn each_side_has_its_own_limits() {
    let mut setup = setup(&[QUICK], &[QUICK]);
    setup.limits = ByColor::new("depth=3".parse().expect("a limit"), "nodes=50".parse().expect("a limit"));
    setup.play();
    let given = |player: &Scripted| (player.seen[0].depth, player.seen[0].nodes, player.seen[0].move_time);
    assert_eq!(given(&setup.players.black), (Some(3), None, None));
    assert_eq!(given(&setup.players.white), (None, Some(50), None));
}

fn say(value: f64) -> Deed {
    Deed::Say(Score::Value(value))
}

#[test]
fn a_game_is_given_up_when_both_agree_for_long_enough() {
    let result = setup(&[say(-9.0)], &[say(0.0), say(9.0)]).resign(8.0, 4).play();
    // White agrees from its second move on: plies 3, 4, 5 (Black, White, Black) and 6 are the first four.
    assert_eq!(result.outcome, Outcome { winner: Some(Color::White), reason: Reason::Resignation });
    assert_eq!((result.moves.len(), result.fault), (6, None));
}

#[test]
fn the_winner_may_have_the_last_word() {
    let result = setup(&[say(9.0)], &[Deed::Say(Score::Win(-3))]).resign(8.0, 3).play();
    assert_eq!((result.outcome.winner, result.moves.len()), (Some(Color::Black), 3));
}

#[test]
fn one_players_opinion_gives_up_nothing() {
    let optimists = setup(&[say(9.0)], &[say(9.0)]).resign(8.0, 2).play();
    assert_eq!(optimists.outcome.reason, Reason::PlyCap);
    let silent = setup(&[say(-9.0)], &[QUICK]).resign(8.0, 2).play();
    assert_eq!(silent.outcome.reason, Reason::PlyCap);
}

#[test]
fn no_game_is_given_up_by_default() {
    assert_eq!(setup(&[say(-9e9)], &[say(9e9)]).play().outcome.reason, Reason::PlyCap);
}

#[test]
fn a_stopped_game_has_no_result() {
    struct Stopper(Stop, Cell<usize>);
    impl Agent for Stopper {
        fn name(&self) -> &str {
            "stopper"
        }
        fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
            self.1.set(self.1.get() + 1);
            if self.1.get() == 3 {
                self.0.request();
            }
            Ok(game.legal_moves()[0])
        }
    }
    let stop = Stop::default();
    let (mut one, mut other) = (Stopper(stop.clone(), Cell::new(0)), Stopper(stop.clone(), Cell::new(0)));
    let opening = &opening::layouts("standard").expect("a layout")[0];
    let conduct = Conduct::new(Rules::OFFICIAL);
    let referee = Referee { conduct: &conduct, now: &|| Duration::ZERO, stop: &stop };
    let limit = LimitSpec::default();
    let seats = ByColor::new(
        RefereeSeat { name: "one", agent: &mut one, limit, seed: 1 },
        RefereeSeat { name: "other", agent: &mut other, limit, seed: 2 },
    );
    let result = referee.play(0, opening, seats).expect("an opening");
    assert_eq!((result, one.1.get(), other.1.get()), (None, 3, 2));
}

#[test]
fn a_result_is_read_back_as_written() {
    let result = setup(&[say(0.1)], &[Deed::Say(Score::Win(4)), Deed::Cheat]).play();
    let json = serde_json::to_string(&result).expect("serialised");
    assert!(!json.contains('\n'));
    assert_eq!(serde_json::from_str::<GameRecord>(&json).expect("read"), result);
}

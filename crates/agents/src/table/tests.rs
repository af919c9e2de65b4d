//! Games of hours that take no time, and whatever may happen at a table in any order.

use proptest::prelude::*;
use sumito_rules::{Layout, Rules};

use super::*;

const fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

const fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn clocked(left: u64, increment: u64) -> TimeControl {
    let clock = Clock { left: seconds(left), increment: seconds(increment) };
    TimeControl { clock: Some(clock), ..TimeControl::default() }
}

fn for_each_move(time: u64) -> TimeControl {
    TimeControl { move_time: Some(seconds(time)), ..TimeControl::default() }
}

fn table(black: TimeControl, white: TimeControl) -> Table {
    let start = Layout::named("standard").expect("a layout").position();
    Table::new(Game::new(Rules::OFFICIAL, start), ByColor::new(black, white))
}

fn play(table: &mut Table, time: Duration) -> Result<(), TurnError> {
    table.play(table.game().legal_moves()[0], time)
}

fn ending(table: &Table) -> Option<(Option<Color>, Reason)> {
    table.outcome().map(|outcome| (outcome.winner, outcome.reason))
}

#[test]
fn a_clock_runs_down_on_its_own_turn_and_grows_with_each_move() {
    let mut table = table(clocked(60, 5), clocked(60, 5));
    table.start_clock(seconds(100));
    table.start_clock(seconds(110));
    assert_eq!(table.left(Color::Black, seconds(120)), Some(seconds(40)));
    assert_eq!(table.left(Color::White, seconds(120)), Some(seconds(60)));
    play(&mut table, seconds(20)).expect("in time");
    assert_eq!((table.is_running(), table.left(Color::Black, seconds(500))), (false, Some(seconds(45))));
}

#[test]
fn the_time_for_a_move_is_there_again_for_the_next_one() {
    let mut table = table(for_each_move(5), for_each_move(7));
    for _ in 0..6 {
        play(&mut table, seconds(5)).expect("in time");
    }
    assert_eq!(table.left(Color::Black, seconds(9)), Some(seconds(5)));
}

#[test]
fn of_two_limits_the_smaller_one_counts() {
    let both = TimeControl { move_time: Some(seconds(4)), ..clocked(10, 0) };
    let mut table = table(both, TimeControl::default());
    for left in [4, 4, 2] {
        assert_eq!(table.left(Color::Black, seconds(0)), Some(seconds(left)));
        play(&mut table, seconds(left)).expect("in time");
        play(&mut table, seconds(1000)).expect("no limit");
    }
    assert_eq!(table.left(Color::Black, seconds(0)), Some(seconds(0)));
}

#[test]
fn the_clock_of_the_side_to_move_falls_after_its_last_moment() {
    let mut table = table(clocked(60, 0), clocked(60, 0));
    assert!(!table.flag(seconds(1000)), "it does not run");
    table.start_clock(seconds(1000));
    assert!(!table.flag(seconds(1060)));
    assert!(table.flag(seconds(1060) + millis(1)));
    assert_eq!(ending(&table), Some((Some(Color::White), Reason::Time)));
    assert!(!table.flag(seconds(2000)), "a game ends once");
    let left = Color::ALL.map(|color| table.left(color, seconds(2000)));
    assert_eq!(left, [Some(seconds(0)), Some(seconds(60))]);
}

#[test]
fn a_move_that_comes_too_late_loses_and_is_not_played() {
    let mut table = table(for_each_move(1), for_each_move(1));
    let late = TurnError::Late { used: millis(1500), allowed: seconds(1) };
    assert_eq!(play(&mut table, millis(1500)), Err(late));
    assert_eq!((table.game().moves().len(), ending(&table)), (0, Some((Some(Color::White), Reason::Time))));
    assert_eq!(late.to_string(), "1.5s used of 1.0s");
}

#[test]
fn grace_forgives_a_move_but_gives_no_time() {
    let mut table = table(TimeControl { grace: millis(20), ..clocked(1, 0) }, TimeControl::default());
    assert_eq!((table.overstep(millis(900)), table.overstep(millis(1020))), (millis(0), millis(20)));
    play(&mut table, millis(1020)).expect("within the grace");
    assert_eq!(table.left(Color::Black, seconds(0)), Some(seconds(0)));
    play(&mut table, seconds(1)).expect("no limit");
    assert!(matches!(play(&mut table, millis(21)), Err(TurnError::Late { .. })));
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut table = table(clocked(60, 5), clocked(60, 5));
    table.start_clock(seconds(0));
    let m = Move::all().find(|&m| !table.game().position().is_legal(m)).expect("no position has all moves");
    assert!(matches!(table.play(m, seconds(9)), Err(TurnError::Play(PlayError::Illegal(_)))));
    assert_eq!((table.outcome(), table.left(Color::Black, seconds(1))), (None, Some(seconds(59))));
    assert!(table.is_running());
}

#[test]
fn a_stopped_clock_keeps_what_was_used_and_no_more() {
    let mut table = table(for_each_move(10), clocked(60, 0));
    table.start_clock(seconds(0));
    table.stop_clock(seconds(4));
    assert_eq!(table.left(Color::Black, seconds(1000)), Some(seconds(6)));
    table.start_clock(seconds(1000));
    assert!(!table.flag(seconds(1006)));
    play(&mut table, seconds(6)).expect("in time");
    table.start_clock(seconds(2000));
    table.stop_clock(seconds(2050));
    table.start_clock(seconds(3000));
    assert!(table.flag(seconds(3011)));
}

#[test]
fn a_move_taken_back_gives_no_time_unless_that_is_wanted() {
    let mut table = table(clocked(60, 0), clocked(60, 0));
    let before = *table.time();
    assert_eq!(table.take_back(), None);
    play(&mut table, seconds(10)).expect("in time");
    table.start_clock(seconds(20));
    assert!(table.take_back().is_some() && !table.is_running());
    assert_eq!(
        (table.left(Color::Black, seconds(99)), table.game().turn()),
        (Some(seconds(50)), Color::Black)
    );
    table.set_time(before);
    assert_eq!(table.left(Color::Black, seconds(99)), Some(seconds(60)));
}

#[test]
fn taking_back_reopens_a_game_that_was_lost_on_time() {
    let mut table = table(clocked(60, 0), clocked(60, 0));
    play(&mut table, seconds(10)).expect("in time");
    assert!(play(&mut table, seconds(61)).is_err());
    assert!(table.take_back().is_some());
    assert_eq!((table.outcome(), table.game().turn()), (None, Color::Black));
    assert_eq!(table.left(Color::White, seconds(0)), Some(seconds(60)));
}

#[test]
fn an_agent_without_a_move_loses_in_the_way_that_it_failed() {
    for (error, reason) in [
        (AgentError::Resigned, Reason::Resignation),
        (AgentError::Crashed("gone".to_string()), Reason::Forfeit),
        (AgentError::NoMove, Reason::Forfeit),
    ] {
        let mut table = table(clocked(60, 0), clocked(60, 0));
        table.start_clock(seconds(0));
        table.fail(Color::White, &error);
        assert_eq!((ending(&table), table.is_running()), (Some((Some(Color::Black), reason)), false));
    }
}

#[test]
fn a_draw_needs_both_and_a_clock_runs_until_then() {
    let mut table = table(clocked(60, 0), clocked(60, 0));
    table.start_clock(seconds(0));
    table.offer_draw(Color::Black);
    table.drop_draw_offer();
    table.offer_draw(Color::White);
    assert_eq!((table.outcome(), table.is_running()), (None, true));
    table.offer_draw(Color::Black);
    assert_eq!((ending(&table), table.is_running()), (Some((None, Reason::Agreement)), false));
}

#[test]
fn an_agent_is_told_the_time_of_both_only_if_it_has_a_clock_itself() {
    let mut table = table(clocked(60, 2), for_each_move(3));
    let limits = table.limits();
    let clocks = limits.clock.expect("Black has a clock");
    assert_eq!((clocks.black.left, clocks.white, limits.move_time), (seconds(60), Clock::default(), None));
    play(&mut table, seconds(1)).expect("in time");
    assert_eq!((table.limits().clock, table.limits().move_time), (None, Some(seconds(3))));
}

/// Whatever may happen at a table.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Start,
    Stop,
    Wait(u64),
    Move,
    Flag,
    TakeBack,
    Offer(Color),
    Resign(Color),
}

fn deed() -> impl Strategy<Value = Deed> {
    let color = || prop_oneof![Just(Color::Black), Just(Color::White)];
    prop_oneof![
        4 => Just(Deed::Start),
        2 => Just(Deed::Stop),
        6 => (0..400_u64).prop_map(Deed::Wait),
        6 => Just(Deed::Move),
        2 => Just(Deed::Flag),
        1 => Just(Deed::TakeBack),
        1 => color().prop_map(Deed::Offer),
        1 => color().prop_map(Deed::Resign),
    ]
}

fn time() -> impl Strategy<Value = TimeControl> {
    let move_time = proptest::option::of((1..1000_u64).prop_map(millis));
    let clock = (0..3000_u64, 0..100_u64)
        .prop_map(|(left, increment)| Clock { left: millis(left), increment: millis(increment) });
    (move_time, proptest::option::of(clock), 0..30_u64).prop_map(|(move_time, clock, grace)| TimeControl {
        move_time,
        clock,
        grace: millis(grace),
    })
}

fn perform(table: &mut Table, deed: Deed, now: &mut Duration) {
    match deed {
        Deed::Start => table.start_clock(*now),
        Deed::Stop => table.stop_clock(*now),
        Deed::Wait(time) => *now += millis(time),
        Deed::Move if table.outcome().is_some() => {}
        Deed::Move => {
            let (is_late, used) = (table.clone().flag(*now), table.used(*now));
            assert_eq!(play(table, used).is_err(), is_late);
        }
        Deed::Flag => drop(table.flag(*now)),
        Deed::TakeBack => drop(table.take_back()),
        Deed::Offer(by) => table.offer_draw(by),
        Deed::Resign(loser) => table.resign(loser),
    }
}

proptest! {
    #[test]
    fn no_clock_runs_in_a_game_that_is_over_and_only_late_players_lose_on_time(
        black in time(), white in time(), deeds in proptest::collection::vec(deed(), 1..60),
    ) {
        let (mut table, mut now) = (table(black, white), Duration::ZERO);
        for deed in deeds {
            let before = table.clone();
            perform(&mut table, deed, &mut now);
            prop_assert!(table.outcome().is_none() || !table.is_running());
            let waits = !before.game().turn();
            let waited = if matches!(deed, Deed::Wait(_)) { before.left(waits, now) } else { None };
            prop_assert!(waited.is_none() || table.left(waits, now) == waited, "the other clock stands");
            if before.outcome().is_none() && table.outcome().is_some_and(|end| end.reason == Reason::Time) {
                let loser = before.game().turn();
                let grace = before.time()[loser].grace;
                prop_assert!(before.overstep(before.used(now)) > grace);
                prop_assert_eq!(before.left(loser, now), Some(Duration::ZERO));
            }
        }
    }

    #[test]
    fn a_clock_loses_what_was_used_however_often_it_was_stopped(
        pieces in proptest::collection::vec((0..50_u64, 0..1000_u64), 1..10),
        move_time in proptest::option::of(Just(seconds(1))),
    ) {
        let mut table = table(TimeControl { move_time, ..clocked(60, 3) }, TimeControl::default());
        let used = millis(pieces.iter().map(|(piece, _)| piece).sum());
        let (mut now, mut last) = (Duration::ZERO, Duration::ZERO);
        for (piece, pause) in pieces {
            table.stop_clock(now);
            now += millis(pause);
            table.start_clock(now);
            (now, last) = (now + millis(piece), millis(piece));
        }
        let allowed = move_time.unwrap_or(seconds(60));
        prop_assert_eq!(table.left(Color::Black, now), Some(allowed - used));
        play(&mut table, last).expect("in time");
        prop_assert_eq!(table.time().black.clock.map(|clock| clock.left), Some(seconds(63) - used));
    }
}

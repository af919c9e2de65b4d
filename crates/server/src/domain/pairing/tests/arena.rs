//! Arenas played to the end.

use std::collections::HashMap;

use sumito_rules::Color;

use crate::domain::pairing::PlayerId;
use crate::domain::pairing::arena::{LONGEST_STREAK, Millis, Pool, Waiting};
use crate::domain::pairing::colors::ColorHistory;
use crate::domain::pairing::lot::Lot;

const ENDS: Millis = Millis(1_200_000);

fn newcomer(player: u32) -> Waiting {
    Waiting {
        player: PlayerId(player),
        rank: player,
        since: Millis(0),
        last_opponent: None,
        colors: ColorHistory::default(),
    }
}

/// What was seen in one arena.
#[derive(Debug, Default)]
struct Seen {
    games: usize,
    immediate_rematches: usize,
    longest_streak: usize,
    longest_wait: u64,
    distance: u64,
    fewest_games: usize,
}

/// 20 minutes, a call each second; games take 10 to 60 s, and the standings change all the time.
fn play(players: u32, seed: u64) -> Seen {
    let mut lot = Lot::new(seed);
    let mut waiting: Vec<Waiting> = (0..players).map(newcomer).collect();
    let mut playing: Vec<(u64, Waiting)> = Vec::new();
    let (mut seen, mut games) = (Seen::default(), HashMap::<PlayerId, usize>::new());
    for now in (0..=ENDS.0).step_by(1000) {
        for (_, mut back) in playing.extract_if(.., |(ends, _)| *ends <= now) {
            back.since = Millis(now);
            back.rank = (i64::from(back.rank) + lot.below(7) as i64 - 3).clamp(0, i64::from(players)) as u32;
            waiting.push(back);
        }
        let pool = Pool { waiting: &waiting, playing: playing.len(), now: Millis(now), ends: ENDS, seed };
        let pairs = pool.pair();
        assert!(now < ENDS.0 || pairs.is_empty(), "nobody is paired at the end");
        for pair in pairs {
            let ends = now + 10_000 + lot.below(50_000);
            let mut take = |player: PlayerId, opponent: PlayerId, color: Color| {
                let at = waiting
                    .iter()
                    .position(|it| it.player == player)
                    .expect("only those who wait are paired");
                let mut it = waiting.swap_remove(at);
                seen.immediate_rematches += usize::from(it.last_opponent == Some(opponent));
                seen.longest_wait = seen.longest_wait.max(now - it.since.0);
                it.last_opponent = Some(opponent);
                it.colors.push(color);
                seen.longest_streak = seen.longest_streak.max(it.colors.streak());
                *games.entry(player).or_default() += 1;
                let rank = it.rank;
                playing.push((ends, it));
                rank
            };
            let (a, b) =
                (take(pair.black, pair.white, Color::Black), take(pair.white, pair.black, Color::White));
            seen.distance += u64::from(a.abs_diff(b));
            seen.games += 1;
        }
    }
    seen.fewest_games = games.values().copied().min().unwrap_or(0);
    seen
}

#[test]
fn nobody_meets_the_last_opponent_again_or_has_a_color_four_times_in_a_row() {
    for players in [4, 5, 8, 31, 100, 400] {
        let seen = play(players, 11);
        println!(
            "{players} players: {seen:?}, mean distance {:.1}",
            seen.distance as f64 / seen.games as f64
        );
        assert_eq!(seen.immediate_rematches, 0);
        assert!(seen.longest_streak <= LONGEST_STREAK);
        assert!(seen.fewest_games > 5);
        // Two may have to wait until two others have finished: a game of 60 s, and one more.
        assert!(seen.longest_wait <= 120_000);
    }
}

#[test]
fn two_who_are_alone_play_again_and_again() {
    let seen = play(2, 11);
    assert!(seen.games > 15 && seen.immediate_rematches > 0);
    assert!(seen.longest_streak <= 1, "they alternate");
}

#[test]
fn who_has_waited_longest_does_not_go_on_waiting() {
    let mut waiting: Vec<Waiting> = (0..5).map(newcomer).collect();
    for (i, it) in waiting.iter_mut().enumerate() {
        it.since = Millis(if i == 2 { 9_000 } else { i as u64 });
    }
    let pool = Pool { waiting: &waiting, playing: 10, now: Millis(10_000), ends: ENDS, seed: 1 };
    let pairs: Vec<_> =
        pool.pair().iter().map(|it| (it.black.0.min(it.white.0), it.black.0.max(it.white.0))).collect();
    assert_eq!(pairs, [(0, 1), (3, 4)]);
}

#[test]
fn the_order_of_the_list_does_not_matter() {
    let mut lot = Lot::new(4);
    let mut waiting: Vec<Waiting> = (0..60).map(newcomer).collect();
    waiting.iter_mut().for_each(|it| it.since = Millis(lot.below(9) * 1000));
    let pair =
        |waiting: &[Waiting]| Pool { waiting, playing: 3, now: Millis(9_000), ends: ENDS, seed: 1 }.pair();
    let first = pair(&waiting);
    waiting.reverse();
    assert_eq!(pair(&waiting), first);
}

//! How long a round takes to pair. Run alone: `cargo test --release speed -- --ignored --nocapture --test-threads=1`.

use std::fs;
use std::time::Duration;

use sumito_rules::Color;

use crate::domain::pairing::arena::{Millis, Pool, Waiting};
use crate::domain::pairing::colors::ColorHistory;
use crate::domain::pairing::lot::Lot;
use crate::domain::pairing::swiss::Swiss;
use crate::domain::pairing::{Entrant, PairingResult, PlayerId, Points, Presence};

/// The processor time of this thread, which a busy machine does not lengthen much. Linux only.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    Duration::from_nanos(text.split(' ').next().and_then(|it| it.parse().ok()).expect("a number"))
}

#[test]
#[ignore = "measures"]
fn speed_of_swiss_rounds() {
    for players in [100, 101, 400, 500] {
        let mut lot = Lot::new(9);
        let entrants: Vec<Entrant> = (0..players)
            .map(|i| Entrant {
                id: PlayerId(i),
                rating: 1000 + lot.below(1000) as i32,
                head_start: Points::NONE,
            })
            .collect();
        let (mut rounds, mut times) = (Vec::new(), Vec::new());
        for _ in 0..9 {
            let start = processor_time();
            let mut round =
                Swiss { entrants: &entrants, rounds: &rounds, seed: 1 }.pair(|_| Presence::Plays).unwrap();
            times.push((processor_time() - start).as_millis());
            for it in &mut round.pairings {
                it.result =
                    Some(PairingResult::Won(if lot.below(2) == 0 { Color::Black } else { Color::White }));
            }
            rounds.push(round);
        }
        println!("{players} players: {times:?} ms");
    }
}

#[test]
#[ignore = "measures"]
fn speed_of_arena_calls() {
    for players in [100, 400] {
        let mut lot = Lot::new(9);
        let waiting: Vec<Waiting> = (0..players)
            .map(|i| Waiting {
                player: PlayerId(i),
                rank: i,
                since: Millis(lot.below(10_000)),
                last_opponent: Some(PlayerId(lot.below(u64::from(players)) as u32)),
                colors: ColorHistory::default(),
            })
            .collect();
        let start = processor_time();
        let pairs =
            Pool { waiting: &waiting, playing: 0, now: Millis(10_000), ends: Millis(20_000), seed: 1 }.pair();
        println!("{players} waiting: {} pairs in {:?}", pairs.len(), processor_time() - start);
    }
}

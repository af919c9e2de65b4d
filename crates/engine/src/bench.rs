//! A fixed piece of work whose node count names the engine's behaviour.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sumito_rules::{Game, Layout, Rules, fen};

use crate::engine::Engine;
use crate::limits::Limits;
use crate::network::Network;
use crate::options::EngineOptions;

/// What the bench counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bench {
    /// Positions looked at: the same for the same engine on any machine.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Positions of all phases, besides the starting layouts.
const POSITIONS: [&str; 6] = [
    "2S2/2S1SS/7/4S3/3sssSS1/2ssSss1/2ssS2/SSs1SS/3Ss 3 0 b 0 1",
    "5/6/3SSs1/2SSSSS1/2Sss1S2/2ss1sS1/3ssSs/1S2s1/4S 4 1 b 0 1",
    "3SS/3SSS/1sSss2/2sSss2/2sssSS2/2sSSSs1/2sS3/S5/3ss 0 0 b 0 1",
    "5/4sS/2sSsS1/5sss/3S1sSss/2ssSs2/3SS2/4S1/3ss 0 5 b 0 1",
    "s2SS/s1sss1/1sSSS2/1s1SSsss/3SSSs1s/1SSSSs2/7/6/3s1 0 0 b 0 1",
    "4S/sssSSS/1sSsssS/2SSSS2/2SSssss1/4s3/1S2s2/5s/1S3 0 0 b 0 1",
];

/// Searches every position to a depth on one thread, with a network or the hand-written evaluation.
pub fn bench(depth: u32, network: Option<&Arc<Network>>) -> Bench {
    let layouts =
        ["belgian-daisy", "standard", "german-daisy"].map(|name| Layout::named(name).expect("a layout"));
    let positions = POSITIONS.map(|text| fen::parse(text).expect("a FEN"));
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut total = Bench { nodes: 0, time: Duration::ZERO };
    for position in layouts.into_iter().map(Layout::position).chain(positions) {
        let game = Game::new(Rules::OFFICIAL, position);
        let mut engine =
            Engine::new(EngineOptions { hash: 16, network: network.cloned(), ..EngineOptions::default() });
        let (start, mut last) = (Instant::now(), 0);
        engine.go(&game, &limits, &mut |info| last = info.nodes);
        total.nodes += last;
        total.time += start.elapsed();
    }
    total
}

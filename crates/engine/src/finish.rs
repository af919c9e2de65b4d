//! Forced wins near the end: a proof is tried before the search begins, with a small part of what it may spend.

use crate::info::Info;
use crate::proof::{Proof, ProofLimits, Win};
use crate::score::Score;
use crate::search::Shared;
use crate::wdl::WdlModel;

/// A proof is tried when the side to move needs so many more marbles or fewer.
const NEAR: u8 = 2;
/// The part of time or nodes that it may take.
const PART: f64 = 0.125;
/// The same when a win is asked for.
const PART_ASKED: f64 = 0.75;
/// How many positions it looks at when nothing limits the search.
const NODES: u64 = 100_000;
/// With fewer positions than this to look at it is not worth making its table.
const LEAST: u64 = 2000;
/// How many moves ahead it looks, unless a number is asked for.
const MOVES: u32 = 6;
/// Megabytes of its table; small, so that it is made in no time.
const MEMORY: usize = 2;
/// The same when a win is asked for.
const MEMORY_ASKED: usize = 256;

/// What a proof has found: the report on a win, if there is one, and the positions looked at.
#[derive(Default)]
pub(crate) struct Finish {
    pub(crate) win: Option<Info>,
    pub(crate) nodes: u64,
}

/// Tries to prove a win of the side to move, if the limits ask for one or the end is near.
pub(crate) fn finish(shared: &Shared) -> Finish {
    let Shared { game, limits, budget, .. } = shared;
    let position = game.position();
    let is_near = position.score(position.turn()) + NEAR >= game.rules().marbles_to_win;
    let asked = limits.mate.is_some();
    let is_plain = limits.lines <= 1 && limits.moves.is_empty();
    if !is_plain || !asked && (!is_near || limits.depth.is_some()) {
        return Finish::default();
    }
    let part = if asked { PART_ASKED } else { PART };
    let (nodes, time) = match (limits.nodes, budget.part(part)) {
        (Some(nodes), time) => (Some((nodes as f64 * part) as u64), time),
        (None, None) if !asked => (Some(NODES), None),
        (None, time) => (None, time),
    };
    if !asked && nodes.is_some_and(|nodes| nodes < LEAST) {
        return Finish::default();
    }
    let proof_limits = ProofLimits {
        winner: Some(game.turn()),
        moves: Some(limits.mate.unwrap_or(MOVES)),
        nodes,
        time,
        memory: if asked { MEMORY_ASKED } else { MEMORY },
        stop: limits.stop.or(&shared.finished),
        pause: limits.pause.clone(),
    };
    let mut looked = 0;
    let proof = Proof::search(game, &proof_limits, &mut |info| looked = info.nodes);
    let win = match proof {
        Proof::Proved(win) if !win.line.is_empty() => Some(info(win, looked, shared)),
        _ => None,
    };
    Finish { win, nodes: looked }
}

fn info(win: Win, nodes: u64, shared: &Shared) -> Info {
    let Shared { game, budget, .. } = shared;
    let (score, position) = (Score::Win(win.moves as i32), game.position());
    Info {
        depth: 2 * win.moves - 1,
        seldepth: 2 * win.moves - 1,
        rank: 0,
        nodes,
        time: budget.elapsed(),
        score: Some(score),
        wdl: Some(WdlModel::SELF_PLAY.worth(score, WdlModel::gone(position))),
        hashfull: Some(0),
        line: win.line,
    }
}

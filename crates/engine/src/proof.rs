//! Forced wins: a search that proves that a side can push off the last marble it needs, whatever the other does, or
//! that it cannot in so many moves. What it says is certain.
//!
//! ```
//! use sumito_engine::{Proof, ProofLimits};
//! use sumito_rules::{Game, Rules, fen};
//! let position = fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN");
//! let game = Game::new(Rules::OFFICIAL, position);
//! let proof = Proof::search(&game, &ProofLimits::default(), &mut |_| ());
//! assert!(matches!(proof, Proof::Proved(win) if win.moves == 1 && win.shortest));
//! ```

mod front;
mod goal;
mod line;
mod meter;
mod numbers;
mod prover;
mod table;

use std::time::Duration;

use sumito_rules::{Color, Game, Move};

use crate::limits::Stop;
use crate::pause::Pause;
use front::Front;
use goal::Goal;
use meter::Meter;

/// What to prove, and how long to try. What is absent does not limit the search.
#[derive(Clone, Debug)]
pub struct ProofLimits {
    /// Whose win to look for; either side's if absent.
    pub winner: Option<Color>,
    /// In at most so many moves of the winner.
    pub moves: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time to take.
    pub time: Option<Duration>,
    /// Memory to use, in megabytes.
    pub memory: usize,
    /// Ends the search from outside.
    pub stop: Stop,
    /// Holds the search up from outside; no time counts meanwhile.
    pub pause: Pause,
}

impl Default for ProofLimits {
    fn default() -> ProofLimits {
        ProofLimits {
            winner: None,
            moves: None,
            nodes: None,
            time: None,
            memory: 64,
            stop: Stop::default(),
            pause: Pause::default(),
        }
    }
}

/// A forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// Who wins.
    pub winner: Color,
    /// In how many moves of the winner at most.
    pub moves: u32,
    /// Whether it is certain that there is no shorter win.
    pub shortest: bool,
    /// The winner's moves and the replies that hold out longest. If the search was stopped, the end may be missing.
    pub line: Vec<Move>,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofInfo {
    /// A win, if one is proved; the search may go on for a shorter one.
    pub win: Option<Win>,
    /// There is no win in so many moves.
    pub disproved: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
}

/// What a search has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// There is a forced win.
    Proved(Win),
    /// There is none.
    Disproved {
        /// In so many moves.
        moves: u32,
    },
    /// The search ended before it was settled.
    Unknown {
        /// But there is none in so many moves.
        disproved: u32,
    },
}

/// Positions that each part of a search may look at in its first turn.
const FIRST_SLICE: u64 = 1 << 14;

impl Proof {
    /// Looks for a forced win, and then for a shorter one until there is none. Reports now and then, and at the end.
    pub fn search(game: &Game, limits: &ProofLimits, report: &mut dyn FnMut(&ProofInfo)) -> Proof {
        if game.outcome().is_some() {
            return Proof::Disproved { moves: limits.moves.unwrap_or(goal::MOST_MOVES.into()) };
        }
        let winners: Vec<Color> = [game.turn(), !game.turn()]
            .into_iter()
            .filter(|&color| limits.winner.is_none_or(|winner| winner == color))
            .collect();
        let memory = limits.memory / winners.len();
        let mut fronts: Vec<Front> = winners
            .iter()
            .map(|&winner| Front::new(game, Goal::new(game, winner, limits.moves), memory))
            .collect();
        let mut meter = Meter::new(limits);
        let mut slice = FIRST_SLICE;
        loop {
            for at in 0..fronts.len() {
                fronts[at].advance(&mut meter, slice);
                if fronts[at].won.is_some() && fronts.len() > 1 {
                    fronts = vec![fronts.swap_remove(at)]; // the other side cannot win as well
                    break;
                }
            }
            let info = inform(&fronts, &meter);
            report(&info);
            if meter.stopped || fronts.iter().all(Front::is_done) {
                let proof = conclude(&fronts, info, limits);
                // To give back a large table takes longer than a search may take to stop: not on the caller's time.
                let _ = std::thread::Builder::new().spawn(move || drop(fronts));
                return proof;
            }
            slice *= 2;
        }
    }
}

/// What the fronts know.
fn inform(fronts: &[Front], meter: &Meter<'_>) -> ProofInfo {
    let won = fronts.iter().find_map(|front| front.won.as_ref().map(|won| (front, won)));
    let win = won.map(|(front, (moves, line))| Win {
        winner: front.goal().attacker,
        moves: (*moves).into(),
        shortest: front.is_done() && !front.goal().is_strict,
        line: line.clone(),
    });
    let disproved = fronts.iter().map(|front| if front.goal().is_strict { 0 } else { front.lost.into() });
    ProofInfo { win, disproved: disproved.min().unwrap_or(0), nodes: meter.nodes, time: meter.elapsed() }
}

fn conclude(fronts: &[Front], info: ProofInfo, limits: &ProofLimits) -> Proof {
    let settled = fronts.iter().all(|front| front.is_done() && !front.goal().is_strict);
    // A cap may end the game before the moves asked for: then there is no win in more moves either.
    let asked = limits.moves.filter(|&moves| moves <= goal::MOST_MOVES.into());
    match info.win {
        Some(win) => Proof::Proved(win),
        None if settled => Proof::Disproved { moves: asked.unwrap_or(info.disproved) },
        None => Proof::Unknown { disproved: info.disproved },
    }
}

//! The sums over the games of a match, kept up to date game by game, and the report made from them.

use std::collections::HashMap;

use serde::Serialize;
use sumito_rules::Color;

use crate::config::MatchConfig;
use crate::referee::{GameRecord, PlayerFault};
use crate::schedule::{self, Fixture};
use crate::sprt::{Sprt, SprtVerdict};
use crate::stats::{Ending, Estimate, Pentanomial, WdlCount};

/// The sums over the games so far.
#[derive(Clone, Debug, Default)]
pub struct MatchTally {
    players: Vec<PlayerSums>,
    pairings: Vec<PairingSums>,
    /// How the first game of a pair ended for the pairing's first player, until the second is known.
    halves: HashMap<usize, Ending>,
}

#[derive(Clone, Debug, Default)]
struct PlayerSums {
    games: WdlCount,
    pairs: Pentanomial,
    moves: u64,
    time_us: u64,
    /// Over the moves whose player said something.
    told_moves: u64,
    told_time_us: u64,
    depth: u64,
    nodes: u64,
    faults: [u64; 4],
    overstep_us: u64,
}

#[derive(Clone, Debug, Default)]
struct PairingSums {
    players: (usize, usize),
    games: WdlCount,
    pairs: Pentanomial,
    plies: u64,
}

impl MatchTally {
    /// No games yet.
    pub fn new(config: &MatchConfig) -> MatchTally {
        let pairings = schedule::pairings(config.players.len(), config.format);
        MatchTally {
            players: vec![PlayerSums::default(); config.players.len()],
            pairings: pairings
                .into_iter()
                .map(|players| PairingSums { players, ..Default::default() })
                .collect(),
            halves: HashMap::new(),
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.games.games()).sum()
    }

    /// The pairs of the first pairing, which a sequential test looks at.
    pub fn pairs(&self) -> Pentanomial {
        self.pairings.first().map(|pairing| pairing.pairs).unwrap_or_default()
    }

    /// Adds a game.
    pub fn add(&mut self, fixture: &Fixture, result: &GameRecord) {
        for color in Color::ALL {
            let player = &mut self.players[fixture.players[color]];
            player.games.add(result.ending(color));
            player.add_moves(result, color);
        }
        let ByNumber { low, high, low_color } = ByNumber::of(fixture);
        let ending = result.ending(low_color);
        let pairing = self.pairings.iter_mut().find(|pairing| pairing.players == (low, high));
        let pairing = pairing.expect("scheduled players are a pairing");
        pairing.games.add(ending);
        pairing.plies += result.plies() as u64;
        let Some(other) = self.halves.remove(&fixture.pair()) else {
            self.halves.insert(fixture.pair(), ending);
            return;
        };
        pairing.pairs.add(ending, other);
        self.players[low].pairs.add(ending, other);
        self.players[high].pairs.add(ending.reversed(), other.reversed());
    }

    /// What the games say.
    pub fn report(&self, config: &MatchConfig, finished: bool) -> MatchReport {
        MatchReport {
            finished,
            games: self.games(),
            scheduled: (self.pairings.len() * config.pairs * 2) as u64,
            sprt: config.sprt.map(|sprt| SprtReport::new(sprt, self.pairs())),
            pairings: self.pairings.iter().map(|pairing| pairing.report(config)).collect(),
            players: (0..self.players.len()).map(|i| self.players[i].report(config, i)).collect(),
        }
    }
}

/// The players of a game, the lower number first.
struct ByNumber {
    low: usize,
    high: usize,
    low_color: Color,
}

impl ByNumber {
    fn of(fixture: &Fixture) -> ByNumber {
        let (black, white) = (fixture.players.black, fixture.players.white);
        let low_color = if black < white { Color::Black } else { Color::White };
        ByNumber { low: black.min(white), high: black.max(white), low_color }
    }
}

impl PlayerSums {
    fn add_moves(&mut self, result: &GameRecord, color: Color) {
        for m in result.moves_of(color) {
            self.moves += 1;
            self.time_us += m.time_us;
            if let (Some(depth), Some(nodes)) = (m.depth, m.nodes) {
                self.told_moves += 1;
                self.told_time_us += m.time_us;
                self.depth += u64::from(depth);
                self.nodes += nodes;
            }
        }
        self.overstep_us = self.overstep_us.max(result.overstep_us[color]);
        if let Some(fault) = result.fault.filter(|_| result.ending(color) == Ending::Loss) {
            self.faults[fault as usize] += 1;
        }
    }

    fn report(&self, config: &MatchConfig, number: usize) -> PlayerReport {
        let player = &config.players[number];
        let part = |sum: u64, of: u64| (of > 0).then(|| sum as f64 / of as f64);
        let [time, illegal, crash, stall] = PlayerFault::ALL.map(|fault| self.faults[fault as usize]);
        PlayerReport {
            name: player.name.clone(),
            spec: player.spec.clone(),
            limit: player.limit.to_string(),
            games: self.games,
            points: self.games.points(),
            estimate: estimate(self.games, self.pairs),
            pentanomial: self.pairs,
            draw_ratio: self.games.draw_ratio(),
            depth: part(self.depth, self.told_moves),
            nodes_per_second: part(self.nodes, self.told_time_us).map(|per_us| per_us * 1e6),
            ms_per_move: part(self.time_us, self.moves).map(|us| us / 1e3),
            worst_overstep_ms: self.overstep_us as f64 / 1e3,
            faults: Faults { time, illegal, crash, stall },
        }
    }
}

impl PairingSums {
    fn report(&self, config: &MatchConfig) -> PairingReport {
        let name = |number: usize| config.players[number].name.clone();
        let games = self.games.games();
        PairingReport {
            player: name(self.players.0),
            opponent: name(self.players.1),
            games: self.games,
            points: self.games.points(),
            estimate: estimate(self.games, self.pairs),
            pentanomial: self.pairs,
            draw_ratio: self.games.draw_ratio(),
            average_plies: (games > 0).then(|| self.plies as f64 / games as f64),
        }
    }
}

/// From pairs where there are any, since that is the smaller error; else from games.
fn estimate(games: WdlCount, pairs: Pentanomial) -> Estimate {
    if pairs.pairs() > 0 { pairs.estimate() } else { games.estimate() }
}

/// The result of a match, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchReport {
    /// Whether all games were played, or the test ended the match.
    pub finished: bool,
    /// Games counted.
    pub games: u64,
    /// Games of the whole schedule.
    pub scheduled: u64,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtReport>,
    /// Every two players that met.
    pub pairings: Vec<PairingReport>,
    /// Every player against all others together.
    pub players: Vec<PlayerReport>,
}

/// Two players' games, as the first sees them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingReport {
    /// The first player.
    pub player: String,
    /// The second player.
    pub opponent: String,
    /// Won, drawn, lost.
    pub games: WdlCount,
    /// Points.
    pub points: f64,
    /// Elo and the rest, from complete pairs where there are any.
    pub estimate: Estimate,
    /// The complete pairs.
    pub pentanomial: Pentanomial,
    /// The part of the games that was drawn.
    pub draw_ratio: f64,
    /// How long the games were, openings included.
    pub average_plies: Option<f64>,
}

/// A player's games against all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerReport {
    /// Its name.
    pub name: String,
    /// The spec that builds it.
    pub spec: String,
    /// How long it might think.
    pub limit: String,
    /// Won, drawn, lost.
    pub games: WdlCount,
    /// Points.
    pub points: f64,
    /// Elo and the rest against the field, from complete pairs where there are any.
    pub estimate: Estimate,
    /// The complete pairs.
    pub pentanomial: Pentanomial,
    /// The part of the games that was drawn.
    pub draw_ratio: f64,
    /// Plies searched completely, on average over the moves for which it told.
    pub depth: Option<f64>,
    /// Positions looked at in a second, over the same moves.
    pub nodes_per_second: Option<f64>,
    /// Time for a move, by the referee's clock.
    pub ms_per_move: Option<f64>,
    /// The most by which it exceeded its time in one move.
    pub worst_overstep_ms: f64,
    /// Games lost otherwise than on the board.
    pub faults: Faults,
}

/// Games lost otherwise than on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// On time.
    pub time: u64,
    /// By an illegal move.
    pub illegal: u64,
    /// By breaking down.
    pub crash: u64,
    /// By not answering.
    pub stall: u64,
}

/// A sequential test and how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The hypotheses.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Below this, `elo0` is accepted.
    pub lower: f64,
    /// Above this, `elo1` is accepted.
    pub upper: f64,
    /// What the test says.
    pub verdict: SprtVerdict,
}

impl SprtReport {
    fn new(sprt: Sprt, pairs: Pentanomial) -> SprtReport {
        let (lower, upper) = sprt.bounds();
        SprtReport { sprt, llr: sprt.llr(&pairs), lower, upper, verdict: sprt.verdict(&pairs) }
    }
}

//! Records that a player would enjoy: the position with the most legal moves, and the longest forced win.

use serde::{Deserialize, Serialize};
use sumito_agents::{Limits, Stop};
use sumito_engine::{Proof, ProofLimits, Rng};
use sumito_rules::{Bitboard, ByColor, Cell, Color, Game, Position, Rules, fen};

use super::definition::{BySize, check_agent};
use super::lab::{LabError, LabJob, Measured, Tell};
use super::table::ReportTable;
use super::values::{MeasuredValue, Values};
use crate::opening;
use crate::run::{Journal, RunKind};

/// How hard to look for records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Curiosities {
    /// From how many random placements of 14 against 14 marbles to climb to more legal moves.
    pub climbs: BySize<usize>,
    /// In how many games to look for forced wins before their end.
    pub games: BySize<usize>,
    /// Who plays them.
    pub player: String,
    /// Positions that a proof may look at.
    pub nodes: BySize<u64>,
}

/// A game and the longest forced win before its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ProvedEnding {
    game: usize,
    plies: usize,
    /// Moves of the winner, in fewer of which there is certainly no win; 0 without a winner.
    moves: u32,
    fen: String,
}

const KIND: RunKind = RunKind {
    what: "a search for records",
    settings: "curiosities.json",
    progress: "endings.jsonl",
    repeats_settings: false,
};
/// Marbles of each side.
const MARBLES: usize = 14;
/// Moves of a single marble without gain after which a climb ends.
const PATIENCE: usize = 2000;
/// A game is given up after so many plies.
const LONGEST: usize = 300;

impl Curiosities {
    pub(super) fn check(&self) -> Result<(), String> {
        check_agent(&self.player)
    }

    pub(super) fn run(&self, job: LabJob<'_>, tell: Tell<'_>) -> Result<Measured, LabError> {
        let LabJob { size, seed, dir, stop, .. } = job;
        let mut endings: Vec<ProvedEnding> = Vec::new();
        let identity = serde_json::json!({ "curiosities": self, "size": size, "seed": seed });
        let mut journal = Journal::open(dir, KIND, &identity, |line| {
            endings.push(serde_json::from_str(line).map_err(|why| why.to_string())?);
            Ok(())
        })?;
        let games = *self.games.of(size);
        let starts = opening::layouts("standard,belgian-daisy,german-daisy")
            .and_then(|bases| opening::randomised(&bases, 4, games, seed))
            .map_err(|why| LabError::Work(why.to_string()))?;
        for (number, start) in starts.iter().enumerate().skip(endings.len()) {
            tell("games", number, games);
            let start = start.game(Rules::PLAYSTRATEGY).map_err(|why| LabError::Work(why.to_string()))?;
            let ending = self.ending(number, start, *self.nodes.of(size), stop)?;
            journal.append(&ending)?;
            endings.push(ending);
        }
        let crowd = most_moves(*self.climbs.of(size), seed, stop)?;
        Ok(sum_up(&crowd, &endings))
    }

    /// Plays a game, and goes back from its end as long as the winner had a forced win.
    fn ending(
        &self,
        number: usize,
        mut game: Game,
        nodes: u64,
        stop: &Stop,
    ) -> Result<ProvedEnding, LabError> {
        let text = |why: &dyn std::fmt::Display| LabError::Work(why.to_string());
        let mut agent = sumito_agents::build(&self.player).map_err(|why| text(&why))?;
        agent.new_game(game.rules(), None);
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            let limits = Limits { stop: stop.clone(), ..Limits::default() };
            let m = agent.choose(&game, &limits, &mut |_| ()).map_err(|why| text(&why))?;
            if stop.is_requested() {
                return Err(LabError::Stopped);
            }
            game.play(m).map_err(|why| text(&why))?;
        }
        let plies = game.moves().len();
        let mut ending = ProvedEnding { game: number, plies, moves: 0, fen: String::new() };
        let Some(winner) = game.outcome().and_then(|outcome| outcome.winner) else { return Ok(ending) };
        for position in game.positions().iter().rev().filter(|position| position.turn() == winner) {
            let Some(moves) = forced_win(*position, nodes, stop)? else { break };
            if moves >= ending.moves {
                (ending.moves, ending.fen) = (moves, fen::write(position));
            }
        }
        Ok(ending)
    }
}

/// How many moves the side to move needs at least for a win that it can force; none if no such win is found.
fn forced_win(position: Position, nodes: u64, stop: &Stop) -> Result<Option<u32>, LabError> {
    let limits = ProofLimits {
        winner: Some(position.turn()),
        nodes: Some(nodes),
        stop: stop.clone(),
        ..ProofLimits::default()
    };
    let mut disproved = 0;
    let proof =
        Proof::search(&Game::new(Rules::OFFICIAL, position), &limits, &mut |info| disproved = info.disproved);
    if stop.is_requested() {
        return Err(LabError::Stopped);
    }
    Ok(match proof {
        Proof::Proved(win) => Some(if win.shortest { win.moves } else { disproved + 1 }),
        _ => None,
    })
}

/// The position with the most legal moves that climbing finds: marbles are moved one by one as long as that loses none.
fn most_moves(climbs: usize, seed: u64, stop: &Stop) -> Result<Position, LabError> {
    let mut best: Option<Position> = None;
    for climb in 0..climbs {
        if stop.is_requested() {
            return Err(LabError::Stopped);
        }
        let top = climb_from(&mut Rng::new(seed ^ Rng::new(climb as u64).next_u64()));
        if best.is_none_or(|best| count(&top) > count(&best)) {
            best = Some(top);
        }
    }
    best.ok_or_else(|| LabError::Work("expected at least one climb".to_string()))
}

fn count(position: &Position) -> usize {
    position.legal_moves().len()
}

fn climb_from(rng: &mut Rng) -> Position {
    let mut cells: Vec<Cell> = Bitboard::ALL.iter().collect();
    rng.shuffle(&mut cells);
    // The first 14 cells are Black's, the next White's, the others empty.
    let place = |cells: &[Cell]| {
        let set =
            |cells: &[Cell]| cells.iter().fold(Bitboard::EMPTY, |set, &cell| set | Bitboard::from(cell));
        let marbles = ByColor::new(set(&cells[..MARBLES]), set(&cells[MARBLES..2 * MARBLES]));
        Position::unvalidated(marbles, ByColor::new(0, 0), Color::Black)
    };
    let mut position = place(&cells);
    let (mut moves, mut waited) = (count(&position), 0);
    while waited < PATIENCE {
        let (one, other) = (rng.below(2 * MARBLES), rng.below(cells.len()));
        cells.swap(one, other);
        let next = place(&cells);
        let reached = count(&next);
        waited = if reached > moves { 0 } else { waited + 1 };
        if reached >= moves {
            (position, moves) = (next, reached);
        } else {
            cells.swap(one, other);
        }
    }
    position
}

fn sum_up(crowd: &Position, endings: &[ProvedEnding]) -> Measured {
    let mut values = Values::default();
    values.set("most-moves", MeasuredValue::exact(count(crowd) as f64));
    let won: Vec<&ProvedEnding> = endings.iter().filter(|ending| ending.moves > 0).collect();
    values.set("won-games", MeasuredValue::exact(won.len() as f64));
    let longest = won.iter().max_by_key(|ending| ending.moves);
    values.set("longest-win", MeasuredValue::exact(longest.map_or(0.0, |ending| f64::from(ending.moves))));
    let lengths: Vec<f64> = won.iter().map(|ending| f64::from(ending.moves)).collect();
    if let Some(mean) = MeasuredValue::mean(&lengths) {
        values.set("mean-win", mean);
    }
    let mut records = ReportTable::new("Records", &["what", "how many", "position"], 1);
    records.rows.push(vec![
        "most legal moves, 14 against 14".to_string(),
        count(crowd).to_string(),
        format!("`{}`", fen::write(crowd)),
    ]);
    if let Some(ending) = longest {
        let position = format!("`{}`", ending.fen);
        records.rows.push(vec![
            "longest forced win: moves that it takes at least".to_string(),
            ending.moves.to_string(),
            position,
        ]);
    }
    let mut data = ReportTable::new("", &["game", "plies", "forced_win_moves", "fen"], 1);
    for ProvedEnding { game, plies, moves, fen } in endings {
        data.rows.push(vec![(game + 1).to_string(), plies.to_string(), moves.to_string(), fen.clone()]);
    }
    Measured { file: "curiosities.csv", tables: vec![records], plots: Vec::new(), data, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_climb_ends_higher_than_any_layout_and_always_at_the_same_place() {
        let top = most_moves(2, 1, &Stop::default()).expect("a position");
        assert!(count(&top) > 90, "{}", count(&top));
        assert_eq!(Color::ALL.map(|color| top.marbles(color).len()), [MARBLES; 2]);
        assert_eq!(most_moves(2, 1, &Stop::default()).expect("a position"), top);
    }

    #[test]
    fn a_forced_win_is_not_longer_than_the_shortest() {
        // Black wins in 6 moves and no fewer, which takes a hundred million nodes to prove; a win in 12 is soon found.
        let position = fen::parse("5/6/2SS3/2S1S3/3SS4/2SSSsss/3SSss/2s1ss/2ss1 4 3 b 28 61").expect("a FEN");
        let moves = forced_win(position, 5_000_000, &Stop::default()).expect("not stopped").expect("a win");
        assert!((3..=6).contains(&moves), "{moves}");
    }

    #[test]
    fn the_last_move_of_a_won_game_is_a_forced_win() {
        let search = Curiosities {
            climbs: BySize::Same(1),
            games: BySize::Same(1),
            player: "greedy".to_string(),
            nodes: BySize::Same(1000),
        };
        let start = fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN");
        let ending = search.ending(0, Game::new(Rules::OFFICIAL, start), 1000, &Stop::default());
        assert_eq!(ending.expect("an ending").moves, 1);
    }
}

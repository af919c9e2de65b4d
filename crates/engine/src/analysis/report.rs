//! Findings and reviews as plain text and numbers, moves in a notation of choice: what programs get as JSON. With
//! the crate's feature `serde` every report can be serialised.
//!
//! Chances and losses are parts of 1, rounded to four digits; a draw counts half in an expected result.

use sumito_rules::{ByColor, Color, Move, Notation, Outcome, Position, fen};

use super::findings::{Findings, Line};
use super::judgement::Judgement;
use super::review::{Review, Reviewed, Tally};
use crate::score::{CAP_WIN, MAX_PLY, Score};
use crate::wdl::{Wdl, WdlModel};

/// A value for the side that it is told to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ScoreReport {
    /// How far it is ahead: with +1.00 and all marbles on the board, a side makes three quarters of the points among people.
    Lead(f64),
    /// The side wins in so many of its moves.
    WinIn(u32),
    /// The other side wins in so many of its moves.
    LossIn(u32),
    /// The rules' limit decides the game before marbles do: `win` or `loss`.
    AtCap(&'static str),
}

impl From<Score> for ScoreReport {
    fn from(score: Score) -> ScoreReport {
        const CAP: i32 = CAP_WIN - MAX_PLY as i32;
        match score {
            Score::Win(moves) if moves > 0 => ScoreReport::WinIn(moves.unsigned_abs()),
            Score::Win(moves) => ScoreReport::LossIn(moves.unsigned_abs()),
            Score::Marbles(CAP..) => ScoreReport::AtCap("win"),
            Score::Marbles(value) if value <= -CAP => ScoreReport::AtCap("loss"),
            Score::Marbles(value) => {
                ScoreReport::Lead(hundredths(f64::from(value) / WdlModel::PEOPLE.unit()))
            }
            Score::Value(value) => ScoreReport::Lead(value),
        }
    }
}

/// A number with two digits behind the point.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A side's chances.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WdlReport {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

impl From<Wdl> for WdlReport {
    fn from(wdl: Wdl) -> WdlReport {
        WdlReport { win: rounded(wdl.win), draw: rounded(wdl.draw), loss: rounded(wdl.loss) }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineReport {
    /// Its place among the lines, from 1.
    pub rank: usize,
    /// Plies searched completely.
    pub depth: u32,
    /// The value for the side to move.
    pub score: ScoreReport,
    /// The chances of the side to move.
    pub wdl: WdlReport,
    /// The result that the side to move can expect.
    pub expected: f64,
    /// The moves.
    pub moves: Vec<String>,
}

/// A position.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PositionReport {
    /// The position.
    pub fen: String,
    /// The side to move.
    pub turn: Color,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
    /// The best move; none if the game is over.
    pub best: Option<String>,
    /// The result that Black can expect.
    pub black: f64,
    /// Plies searched completely.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The lines, the best one first.
    pub lines: Vec<LineReport>,
}

/// A move of a reviewed game.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MoveReport {
    /// Its place in the game, from 1.
    pub ply: usize,
    /// Its number, as games are numbered: one for both players' first.
    pub number: u16,
    /// Who played it.
    pub mover: Color,
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub played: String,
    /// The best move.
    pub best: String,
    /// What the best move leads to, that move included.
    pub line: Vec<String>,
    /// The move's value for its player.
    pub score: ScoreReport,
    /// The best move's value.
    pub best_score: ScoreReport,
    /// The result that the player can expect after the move.
    pub expected: f64,
    /// The result after the best one.
    pub best_expected: f64,
    /// The difference.
    pub loss: f64,
    /// What that makes of the move.
    pub judgement: Judgement,
    /// The mark behind the move: empty, `?!`, `?` or `??`.
    pub mark: &'static str,
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReviewReport {
    /// Whether the whole game was reviewed.
    pub complete: bool,
    /// The plies before the first position here.
    pub first: usize,
    /// The positions, one more than the moves.
    pub positions: Vec<PositionReport>,
    /// The moves.
    pub moves: Vec<MoveReport>,
    /// Both sides summed up.
    pub sides: ByColor<Tally>,
}

impl Findings {
    /// The findings as text and numbers.
    pub fn report(&self, notation: Notation) -> PositionReport {
        let expected = self.wdl().expected();
        let line = |(rank, line): (usize, &Line)| LineReport {
            rank,
            depth: line.depth,
            score: line.score.into(),
            wdl: line.wdl.into(),
            expected: rounded(line.wdl.expected()),
            moves: written(&self.position, &line.moves, notation),
        };
        PositionReport {
            fen: fen::write(&self.position),
            turn: self.position.turn(),
            outcome: self.outcome,
            best: self.best().map(|m| notation.write(&self.position, m)),
            black: rounded(if self.position.turn() == Color::Black { expected } else { 1.0 - expected }),
            depth: self.depth(),
            seldepth: self.seldepth,
            nodes: self.nodes,
            seconds: self.time.as_secs_f64(),
            lines: (1..).zip(&self.lines).map(line).collect(),
        }
    }
}

impl Review {
    /// The review as text and numbers.
    pub fn report(&self, notation: Notation) -> ReviewReport {
        let tally = self.tally().map(|tally| Tally {
            accuracy: (tally.accuracy * 10.0).round() / 10.0,
            loss: rounded(tally.loss),
            ..tally
        });
        let moves = (self.first + 1..).zip(self.moves.iter().zip(&self.positions));
        ReviewReport {
            complete: self.is_complete(),
            first: self.first,
            positions: self.positions.iter().map(|findings| findings.report(notation)).collect(),
            moves: moves.map(|(ply, (m, before))| move_report(ply, m, before, notation)).collect(),
            sides: tally,
        }
    }
}

fn move_report(ply: usize, reviewed: &Reviewed, before: &Findings, notation: Notation) -> MoveReport {
    let position = &before.position;
    let line = before.lines.first().map_or(&[][..], |line| &line.moves);
    MoveReport {
        ply,
        number: position.move_number(),
        mover: reviewed.mover,
        played: notation.write(position, reviewed.played),
        best: notation.write(position, reviewed.best),
        line: written(position, line, notation),
        score: reviewed.score.into(),
        best_score: reviewed.best_score.into(),
        expected: rounded(reviewed.chance),
        best_expected: rounded(reviewed.best_chance),
        loss: rounded(reviewed.loss),
        judgement: reviewed.judgement,
        mark: reviewed.judgement.mark(),
    }
}

/// Moves that follow each other from a position. A line ends where its moves no longer fit.
pub fn written(position: &Position, moves: &[Move], notation: Notation) -> Vec<String> {
    let mut at = *position;
    let mut texts = Vec::with_capacity(moves.len());
    for &m in moves {
        let Ok(next) = at.play(m) else { break };
        texts.push(notation.write(&at, m));
        at = next;
    }
    texts
}

fn rounded(part: f64) -> f64 {
    (part * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::limits::Limits;
    use crate::options::EngineOptions;
    use sumito_rules::{Game, Layout, Rules};

    fn game() -> Game {
        let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
        for text in ["a1b2", "i5h5"] {
            let m = Notation::AbaPro.parse(game.position(), text).expect("a legal move");
            game.play(m).expect("the game goes on");
        }
        game
    }

    fn review() -> Review {
        let limits = Limits { depth: Some(2), ..Limits::default() };
        Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() }).review(
            &game(),
            &limits,
            &mut |_| (),
        )
    }

    #[test]
    fn values_are_told_by_what_they_mean() {
        let unit = WdlModel::PEOPLE.unit().round() as i32;
        assert_eq!(ScoreReport::from(Score::Marbles(unit)), ScoreReport::Lead(1.0));
        assert_eq!(ScoreReport::from(Score::Marbles(-unit / 2)), ScoreReport::Lead(-0.5));
        assert_eq!(ScoreReport::from(Score::Win(3)), ScoreReport::WinIn(3));
        assert_eq!(ScoreReport::from(Score::Win(-2)), ScoreReport::LossIn(2));
        assert_eq!(ScoreReport::from(Score::Marbles(CAP_WIN - 9)), ScoreReport::AtCap("win"));
        assert_eq!(ScoreReport::from(Score::Marbles(9 - CAP_WIN)), ScoreReport::AtCap("loss"));
    }

    #[test]
    fn moves_are_written_from_the_position_they_are_played_in() {
        let report = review().report(Notation::Nacre);
        assert_eq!((report.moves[0].played.as_str(), report.moves[0].ply), ("a1d4", 1));
        assert_eq!((report.moves[1].mover, report.moves[1].number), (Color::White, 1));
        for m in &report.moves {
            assert_eq!(m.line.first(), Some(&m.best));
        }
        assert_eq!(report.positions[0].best.as_ref(), report.positions[0].lines[0].moves.first());
    }

    #[test]
    fn blacks_expectation_does_not_depend_on_whose_turn_it_is() {
        let report = review().report(Notation::AbaPro);
        assert_eq!(report.positions[0].black, report.positions[0].lines[0].expected);
        assert!((report.positions[1].black - (1.0 - report.positions[1].lines[0].expected)).abs() < 1e-9);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_review_is_json_with_names_that_programs_can_rely_on() {
        let json = serde_json::to_value(review().report(Notation::AbaPro)).expect("plain data");
        assert_eq!(
            (&json["moves"][0]["move"], &json["moves"][0]["mover"]),
            (&"a1b2".into(), &"black".into())
        );
        assert_eq!(json["positions"].as_array().map(Vec::len), Some(3));
        assert!(json["positions"][0]["lines"][0]["score"]["lead"].is_number());
        assert!(json["sides"]["white"]["accuracy"].is_number() && json["complete"] == true);
        let sum = ["win", "draw", "loss"]
            .map(|part| json["positions"][0]["lines"][0]["wdl"][part].as_f64().expect("a number"));
        assert!((sum.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    }
}

//! Positions and moves with everything that a board needs to show and play them: the page knows no rules.

use serde::Serialize;
use sumito_rules::{ByColor, Cell, Color, Direction, Game, Move, MoveList, Notation, Position, fen};
use utoipa::ToSchema;

use super::words::{CellWord, ColorWord, DirectionWord, ReasonWord};
use crate::domain::game::GameEnding;
use crate::live::LiveTable;

/// The most moves of a request.
pub(crate) const MOST_MOVES: usize = 2000;

/// A number for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Pair {
    pub(crate) black: u8,
    pub(crate) white: u8,
}

/// A move, with every marble that it moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct MoveView {
    /// In Aba-Pro notation.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// The mover's marbles, the rearmost first.
    #[schema(value_type = Vec<CellWord>)]
    pub(crate) marbles: Vec<Cell>,
    /// Where they go.
    #[schema(value_type = DirectionWord)]
    pub(crate) direction: Direction,
    /// The other side's marbles that are pushed, the nearest first.
    #[schema(value_type = Vec<CellWord>)]
    pub(crate) pushed: Vec<Cell>,
    /// The one of them that leaves the board.
    #[schema(value_type = Option<CellWord>)]
    pub(crate) ejected: Option<Cell>,
}

impl MoveView {
    /// A move that is legal in the position.
    pub(crate) fn new(position: &Position, m: Move) -> MoveView {
        let direction = m.direction();
        let line = |from: Option<Cell>, count: usize| {
            std::iter::successors(from, move |cell| cell.step(direction)).take(count).collect::<Vec<_>>()
        };
        let marbles = if m.is_broadside() {
            let axis = m.line();
            std::iter::successors(Some(m.tail()), move |cell| cell.step(axis)).take(m.count()).collect()
        } else {
            line(Some(m.tail()), m.count())
        };
        let pushed = line(m.head().step(direction), position.pushed(m));
        let ejected = pushed.last().copied().filter(|cell| cell.step(direction).is_none());
        MoveView { text: Notation::AbaPro.write(position, m), marbles, direction, pushed, ejected }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OutcomeView {
    /// Nobody for a draw.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) winner: Option<Color>,
    #[schema(value_type = ReasonWord)]
    pub(crate) reason: String,
    /// In plain words.
    pub(crate) text: String,
}

impl From<GameEnding> for OutcomeView {
    fn from(ending: GameEnding) -> OutcomeView {
        OutcomeView { winner: ending.winner, reason: ending.reason, text: ending.text }
    }
}

/// A position.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PositionView {
    pub(crate) fen: String,
    /// The side to move.
    #[schema(value_type = ColorWord)]
    pub(crate) turn: Color,
    #[schema(value_type = Vec<CellWord>)]
    pub(crate) black: Vec<Cell>,
    #[schema(value_type = Vec<CellWord>)]
    pub(crate) white: Vec<Cell>,
    /// The marbles that each side has pushed off.
    pub(crate) score: Pair,
    /// Moves played so far.
    pub(crate) plies: usize,
    /// The move that led here.
    pub(crate) last: Option<MoveView>,
    /// The legal moves; none if the game is over.
    pub(crate) moves: Vec<MoveView>,
    /// Marbles that the other side could push off if it were to move.
    #[schema(value_type = Vec<CellWord>)]
    pub(crate) threatened: Vec<Cell>,
    pub(crate) outcome: Option<OutcomeView>,
}

impl PositionView {
    /// The current position of a game.
    pub(crate) fn new(game: &Game) -> PositionView {
        PositionView::at(
            game,
            game.moves().len(),
            game.outcome().map(|outcome| GameEnding::from(outcome).into()),
        )
    }

    /// A position of a game that is played here.
    pub(crate) fn of(table: &LiveTable, ply: usize) -> PositionView {
        let is_last = ply == table.game().moves().len();
        PositionView::at(table.game(), ply, table.outcome().filter(|_| is_last).map(OutcomeView::from))
    }

    /// The position of a game after so many of its moves; only the last one can be an end.
    pub(crate) fn at(game: &Game, plies: usize, outcome: Option<OutcomeView>) -> PositionView {
        let plies = plies.min(game.moves().len());
        let position = &game.positions()[plies];
        let last =
            plies.checked_sub(1).map(|before| MoveView::new(&game.positions()[before], game.moves()[before]));
        let legal = if outcome.is_some() { MoveList::new() } else { position.legal_moves() };
        let cells = |color| position.marbles(color).sorted().collect();
        PositionView {
            fen: fen::write(position),
            turn: position.turn(),
            black: cells(Color::Black),
            white: cells(Color::White),
            score: score(position),
            plies,
            last,
            moves: legal.into_iter().map(|m| MoveView::new(position, m)).collect(),
            threatened: threatened(position),
            outcome,
        }
    }
}

/// What each side has pushed off.
pub(crate) fn score(position: &Position) -> Pair {
    Pair { black: position.score(Color::Black), white: position.score(Color::White) }
}

/// The marbles that could be pushed off, whoever is to move.
fn threatened(position: &Position) -> Vec<Cell> {
    let both = ByColor::new(Color::Black, Color::White).map(|side| {
        let seen = position.with_turn(side);
        let mut list = MoveList::new();
        seen.add_ejections(&mut list);
        list.into_iter().filter_map(|m| MoveView::new(&seen, m).ejected).collect::<Vec<_>>()
    });
    let mut cells = [both.black, both.white].concat();
    cells.sort_unstable();
    cells.dedup();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{Layout, Rules};

    /// Everything that a view says about a move must lead to the position that the rules lead to.
    #[test]
    fn moving_the_marbles_of_a_view_by_one_step_plays_the_move() {
        let mut seen = [false; 3];
        for layout in Layout::all() {
            let mut position = layout.position();
            for turn in 0..40 {
                let moves = position.legal_moves();
                for m in &moves {
                    let view = MoveView::new(&position, m);
                    let next = position.play_unchecked(m);
                    let goes = |cells: &[Cell]| {
                        cells.iter().filter_map(|c| c.step(view.direction)).collect::<Vec<_>>()
                    };
                    assert!(goes(&view.marbles).iter().all(|&c| next.at(c) == Some(position.turn())));
                    assert!(goes(&view.pushed).iter().all(|&c| next.at(c) == Some(!position.turn())));
                    assert_eq!(
                        view.ejected.is_some(),
                        next.score(position.turn()) > position.score(position.turn())
                    );
                    seen[view.pushed.len()] = true;
                }
                let Some(&m) = moves.get((turn * 7919) % moves.len().max(1)) else { break };
                position = position.play_unchecked(m);
            }
        }
        assert_eq!(seen, [true; 3]);
    }

    #[test]
    fn threatened_marbles_are_those_that_could_be_pushed_off_next() {
        let position = fen::parse("5/6/7/8/9/8/7/6/SSs1s 0 0 w 0 1").expect("a FEN");
        assert_eq!(threatened(&position), []);
        let position = fen::parse("5/6/7/8/9/8/7/6/2SSs 0 0 w 0 1").expect("a FEN");
        assert_eq!(threatened(&position), ["a5".parse().expect("a cell")]);
    }

    #[test]
    fn a_view_of_a_game_that_is_over_has_no_moves() {
        let position = fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN");
        let mut game = Game::new(Rules::OFFICIAL, position);
        let m = Notation::AbaPro.parse(&position, "a3a4").expect("legal");
        game.play(m).expect("legal");
        let view = PositionView::new(&game);
        assert_eq!((view.moves.len(), view.plies), (0, 1));
        assert_eq!(view.outcome.map(|outcome| outcome.reason).as_deref(), Some("ejections"));
        assert_eq!(view.last.and_then(|last| last.ejected), Some("a5".parse().expect("a cell")));
        assert!(!PositionView::at(&game, 0, None).moves.is_empty());
    }
}

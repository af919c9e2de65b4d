//! Choosing marbles on the board: which of them are selected, and the moves that these can make.

use sumito_rules::{Bitboard, Cell, Direction, IllegalMove, Move, Position};

/// The selection after a marble of the mover was chosen, or chosen again. A marble that makes no line of three at
/// most with the others begins a new selection; a gap of one own marble is filled.
pub(super) fn toggled(position: &Position, selection: Bitboard, cell: Cell) -> Bitboard {
    let one = Bitboard::from(cell);
    if selection.contains(cell) {
        let rest = selection - one;
        return if ends(rest).is_some_and(|(low, high)| low.distance(high) > 1) {
            Bitboard::EMPTY
        } else {
            rest
        };
    }
    let Some((low, high)) = ends(selection | one) else { return one };
    let Some((line, steps)) = low.line_to(high) else { return one };
    let whole: Bitboard = (0..=steps).filter_map(|step| low.steps(line, step)).collect();
    let fits = steps <= 2 && whole.contains_all(selection) && position.own().contains_all(whole);
    if fits { whole } else { one }
}

/// The lowest and the highest cell.
fn ends(cells: Bitboard) -> Option<(Cell, Cell)> {
    Some((cells.sorted().next()?, cells.sorted().last()?))
}

/// The move of the selected marbles in a direction, or why there is none. In line, own marbles ahead come along:
/// without them there would be no move.
pub(super) fn in_direction(
    position: &Position,
    selection: Bitboard,
    direction: Direction,
) -> Option<Result<Move, IllegalMove>> {
    let (low, high) = ends(selection)?;
    let line = low.line_to(high).map_or(direction, |(line, _)| line);
    if !line.is_parallel(direction) {
        let off = [low, high].into_iter().find(|cell| cell.step(direction).is_none());
        let m = Move::broadside(low, high, direction);
        return Some(
            m.ok_or(IllegalMove::LeavesBoard(off.unwrap_or(low))).and_then(|m| checked(position, m)),
        );
    }
    let tail = if line == direction { low } else { high };
    let is_own = |cell: &Cell| position.own().contains(*cell);
    let own = std::iter::successors(Some(tail), |cell| cell.step(direction).filter(is_own)).count();
    let head = tail.steps(direction, own - 1).unwrap_or(tail);
    let m = match own {
        1..=3 => Move::inline(tail, direction, own).ok_or(IllegalMove::LeavesBoard(head)),
        _ => Err(IllegalMove::LineTooLong(tail)),
    };
    Some(m.and_then(|m| checked(position, m)))
}

fn checked(position: &Position, m: Move) -> Result<Move, IllegalMove> {
    position.check(m).map(|()| m)
}

/// The legal moves of the selected marbles.
pub(super) fn moves(position: &Position, selection: Bitboard) -> impl Iterator<Item = Move> {
    Direction::ALL.into_iter().filter_map(move |d| in_direction(position, selection, d)?.ok())
}

/// The cells to which a legal move's marbles come, pushed ones included.
pub(super) fn targets(position: &Position, m: Move) -> Bitboard {
    let mut cells = m.cells().shift(m.direction());
    let mut pushed = m.head();
    for _ in 0..position.pushed(m) {
        pushed = pushed.step(m.direction()).unwrap_or(pushed);
        cells |= Bitboard::from(pushed).shift(m.direction());
    }
    cells
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, fen};

    use super::*;

    fn cells(text: &str) -> Bitboard {
        text.split_whitespace().map(|cell| cell.parse::<Cell>().unwrap()).collect()
    }

    fn standard() -> Position {
        Layout::named("standard").unwrap().position()
    }

    fn toggle(before: &str, cell: &str) -> Bitboard {
        toggled(&standard(), cells(before), cell.parse().unwrap())
    }

    #[test]
    fn marbles_in_a_line_are_added_and_taken_away() {
        assert_eq!(toggle("c3", "c4"), cells("c3 c4"));
        assert_eq!(toggle("c3 c4", "c5"), cells("c3 c4 c5"));
        assert_eq!(toggle("c3 c4 c5", "c5"), cells("c3 c4"));
        assert_eq!(toggle("c3", "c3"), Bitboard::EMPTY);
    }

    #[test]
    fn the_marble_between_two_comes_along() {
        assert_eq!(toggle("a1", "c3"), cells("a1 b2 c3"));
    }

    #[test]
    fn taking_the_middle_away_leaves_nothing() {
        assert_eq!(toggle("c3 c4 c5", "c4"), Bitboard::EMPTY);
    }

    #[test]
    fn a_marble_out_of_line_begins_a_new_selection() {
        assert_eq!(toggle("c3 c4", "b2"), cells("b2"));
        assert_eq!(toggle("b1 b2 b3", "b4"), cells("b4"));
        assert_eq!(toggle("a1", "c5"), cells("c5"));
    }

    #[test]
    fn one_marble_takes_those_ahead_of_it_along() {
        let m = in_direction(&standard(), cells("a1"), Direction::NorthEast).unwrap().unwrap();
        assert_eq!((m.count(), m.tail().to_string()), (3, "a1".to_string()));
    }

    #[test]
    fn three_marbles_go_sideways_if_the_cells_are_free() {
        let legal: Vec<Direction> = moves(&standard(), cells("c3 c4 c5")).map(Move::direction).collect();
        assert_eq!(legal, [Direction::East, Direction::NorthEast, Direction::NorthWest, Direction::West]);
        let why = in_direction(&standard(), cells("c3 c4"), Direction::SouthEast).unwrap();
        assert!(matches!(why, Err(IllegalMove::NotEmpty(_))));
    }

    #[test]
    fn marbles_do_not_leave_the_board() {
        for direction in [Direction::SouthWest, Direction::West] {
            let why = in_direction(&standard(), cells("a1"), direction).unwrap();
            assert!(matches!(why, Err(IllegalMove::LeavesBoard(_))), "{direction}: {why:?}");
        }
    }

    #[test]
    fn targets_include_pushed_marbles_but_not_one_that_falls() {
        let position = fen::parse("5/6/7/8/SSSss4/8/7/6/2SSs 0 0 b 0 1").unwrap();
        let push = in_direction(&position, cells("e1 e2 e3"), Direction::East).unwrap().unwrap();
        assert_eq!(targets(&position, push), cells("e2 e3 e4 e5 e6"));
        let eject = in_direction(&position, cells("a3 a4"), Direction::East).unwrap().unwrap();
        assert_eq!(targets(&position, eject), cells("a4 a5"));
    }
}

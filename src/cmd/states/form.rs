//! A move as Chen et al. 2019 write it: as an action (section 1.5.2) and as what becomes of the cells (section 2.3).

use std::fmt;

use sumito_rules::{Cell, Color, Direction, Move, Notation, Position};

/// In which form moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// The course's notation, such as i-A1-3
    #[default]
    Notation,
    /// The paper's action: type of move, direction and cell, such as {n=2, direction=2, index=48}
    Action,
    /// The paper's game move: the next state of the cells, such as [1=0, 7=1, 14=1]
    Cells,
}

impl Form {
    /// A legal move of a position in this form.
    pub(super) fn write(self, position: &Position, m: Move) -> String {
        match self {
            Form::Notation => Notation::Bcit.write(position, m),
            Form::Action => Action::new(m).to_string(),
            Form::Cells => {
                let changes = changes(position, m);
                let texts: Vec<String> =
                    changes.iter().map(|(cell, state)| format!("{}={state}", number(*cell))).collect();
                format!("[{}]", texts.join(", "))
            }
        }
    }
}

/// One of the 3 x 6 x 61 actions.
///
/// In line (`n` is 1) the cell is that of the rearmost marble, and the board says how many go with it. Sideways `n`
/// marbles go, the others lie from the cell in the first or the second direction clockwise from that of the move. One
/// action does for both: where the first is an own marble, it stands on a cell that the second kind needs empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Action {
    n: usize,
    direction: usize,
    index: usize,
}

impl Action {
    fn new(m: Move) -> Action {
        let direction = m.direction();
        let (n, cell) = if m.is_broadside() {
            let from_tail = [5, 4].map(|sixths| direction.turned(sixths)).contains(&m.line());
            (m.count(), if from_tail { m.tail() } else { m.head() })
        } else {
            (1, m.tail())
        };
        Action { n, direction: clockwise(direction), index: number(cell) }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{n={}, direction={}, index={}}}", self.n, self.direction, self.index)
    }
}

/// The paper's number of a direction: 0 for West, then clockwise.
fn clockwise(direction: Direction) -> usize {
    (9 - direction.index()) % 6
}

/// The paper's number of a cell, 0 to 60: row I first, each row from left to right.
fn number(cell: Cell) -> usize {
    let before = |other: &Cell| {
        other.row() > cell.row() || other.row() == cell.row() && other.number() < cell.number()
    };
    Cell::ALL.iter().filter(|other| before(other)).count()
}

/// The paper's number of what is on a cell.
fn state(marble: Option<Color>) -> u8 {
    match marble {
        None => 0,
        Some(Color::White) => 1,
        Some(Color::Black) => 2,
    }
}

/// The cells that a move is about, in the paper's order, with their next states. In line these are all from the
/// rearmost marble to where the foremost one goes; sideways each marble's old cell and then its new one.
fn changes(position: &Position, m: Move) -> Vec<(Cell, u8)> {
    let next = position.play_unchecked(m);
    let cells: Vec<Cell> = if m.is_broadside() { sideways(m) } else { in_line(position, m) };
    cells.into_iter().map(|cell| (cell, state(next.at(cell)))).collect()
}

fn in_line(position: &Position, m: Move) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut cell = Some(m.tail());
    while let Some(at) = cell {
        cells.push(at);
        cell = position.at(at).and_then(|_| at.step(m.direction()));
    }
    cells
}

fn sideways(m: Move) -> Vec<Cell> {
    let first = number_to_cell(Action::new(m).index);
    let line = if first == m.tail() { m.line() } else { m.line().opposite() };
    let marbles = (0..m.count()).filter_map(|steps| first.steps(line, steps));
    marbles.flat_map(|cell| [Some(cell), cell.step(m.direction())]).flatten().collect()
}

fn number_to_cell(index: usize) -> Cell {
    Cell::ALL.into_iter().find(|&cell| number(cell) == index).expect("a number of a cell")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::Path;

    use sumito_rules::{PositionFormat, fen};

    use super::*;

    /// The positions of the state-space files.
    fn positions() -> Vec<Position> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/states");
        let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
        let inputs = files.filter(|path| path.extension().is_some_and(|extension| extension == "input"));
        let read = |path| PositionFormat::Bcit.parse(&fs::read_to_string(path).expect("a file"));
        inputs.map(|path| read(path).expect("a position")).collect()
    }

    /// The move that an action means in a position, by the rule of section 1.5.2 and the order of the two lines.
    fn meant(position: &Position, action: Action) -> Option<Move> {
        let cell = number_to_cell(action.index);
        let direction = Direction::West.turned(6 - action.direction);
        if action.n == 1 {
            return (1..=3)
                .find_map(|count| Move::inline(cell, direction, count).filter(|&m| position.is_legal(m)));
        }
        let own = |line: &Direction| cell.step(*line).is_some_and(|next| position.own().contains(next));
        let line = [5, 4].map(|sixths| direction.turned(sixths)).into_iter().find(own)?;
        Move::broadside(cell, cell.steps(line, action.n - 1)?, direction)
    }

    #[test]
    fn the_papers_examples_come_out() {
        // White on 48 and 55 goes up right sideways, and on 1 and 7 down right in line.
        let position = fen::parse("1s3/2s3/7/8/9/8/5s1/5s/5 0 0 w 0 1").expect("a FEN");
        let find = |action: &str| {
            let moves = position.legal_moves();
            let m = moves.iter().find(|&&m| Form::Action.write(&position, m) == action).copied();
            Form::Cells.write(&position, m.expect("the action"))
        };
        assert_eq!(find("{n=2, direction=2, index=48}"), "[48=0, 41=1, 55=0, 49=1]");
        assert_eq!(find("{n=1, direction=4, index=1}"), "[1=0, 7=1, 14=1]");
    }

    #[test]
    fn every_move_of_the_states_has_an_action_of_its_own_that_means_it() {
        for position in positions() {
            let mut seen = HashSet::new();
            for &m in position.legal_moves().iter() {
                let action = Action::new(m);
                assert!(seen.insert(action), "{action} twice in {position:?}");
                assert_eq!(meant(&position, action), Some(m), "{action} in {position:?}");
            }
        }
    }

    /// What is on each cell, by the paper's numbers.
    fn board(position: &Position) -> [u8; Cell::COUNT] {
        let mut board = [0; Cell::COUNT];
        Cell::ALL.into_iter().for_each(|cell| board[number(cell)] = state(position.at(cell)));
        board
    }

    #[test]
    fn the_next_states_of_the_cells_make_the_next_board_of_the_states() {
        for position in positions() {
            for &m in position.legal_moves().iter() {
                let mut next = board(&position);
                changes(&position, m).into_iter().for_each(|(cell, state)| next[number(cell)] = state);
                assert_eq!(next, board(&position.play_unchecked(m)), "{m:?} in {position:?}");
            }
        }
    }

    #[test]
    fn a_pushed_marble_is_among_the_cells_and_an_ejected_one_is_not() {
        // Black on E7 and E8 pushes E9 off: 32 to 34 in the paper's numbers. On C3 and C4 it pushes C5 on: 45 to 48.
        let position = fen::parse("5/6/7/8/6SSs/8/2SSs2/6/5 0 0 b 0 1").expect("a FEN");
        let texts: Vec<String> =
            position.legal_moves().iter().map(|&m| Form::Cells.write(&position, m)).collect();
        for text in ["[32=0, 33=2, 34=2]", "[45=0, 46=2, 47=2, 48=1]"] {
            assert!(texts.iter().any(|found| found == text), "{text} in {texts:?}");
        }
    }
}

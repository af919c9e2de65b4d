//! A second implementation of the rules, as slow and plain as it can be: marbles in a map by row and number,
//! moves tried one by one. It shares nothing with the library but the types it is compared with.

use std::collections::{BTreeMap, BTreeSet};

use sumito_rules::{Cell, Color, Position};

pub(crate) type Place = (i8, i8);
pub(crate) type Board = BTreeMap<Place, Color>;

const STEPS: [Place; 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

fn on_board((row, number): Place) -> bool {
    (1..=9).contains(&row) && (1..=9).contains(&number) && (row - number).abs() <= 4
}

fn add((row, number): Place, (rows, numbers): Place, times: i8) -> Place {
    (row + rows * times, number + numbers * times)
}

pub(crate) fn board(position: &Position) -> Board {
    let place = |cell: Cell| (cell.row() as i8, cell.number() as i8);
    Cell::ALL.into_iter().filter_map(|cell| position.at(cell).map(|color| (place(cell), color))).collect()
}

/// Every board that the side to move can reach, with the marbles of each color that are left.
pub(crate) fn successors(before: &Board, turn: Color) -> BTreeSet<Vec<(Place, bool)>> {
    let mut reached = BTreeSet::new();
    for (&first, _) in before.iter().filter(|(_, color)| **color == turn) {
        for line in STEPS {
            for count in 1..=3 {
                let group: Vec<Place> = (0..count).map(|i| add(first, line, i)).collect();
                if !group.iter().all(|place| before.get(place) == Some(&turn)) {
                    break;
                }
                for step in STEPS {
                    if let Some(after) = moved(before, &group, step, turn) {
                        reached.insert(
                            after.into_iter().map(|(place, color)| (place, color == Color::Black)).collect(),
                        );
                    }
                }
            }
        }
    }
    reached
}

/// The board after a group has moved, if it may.
fn moved(before: &Board, group: &[Place], step: Place, turn: Color) -> Option<Board> {
    let targets: Vec<Place> = group.iter().map(|&place| add(place, step, 1)).collect();
    if !targets.iter().all(|&place| on_board(place)) {
        return None;
    }
    let mut after = before.clone();
    after.retain(|place, _| !group.contains(place));
    let in_line =
        group.len() == 1 || targets.iter().filter(|target| group.contains(target)).count() == group.len() - 1;
    let ahead = *targets.iter().find(|target| !group.contains(target))?;
    match before.get(&ahead) {
        Some(color) if in_line && *color != turn => push(&mut after, ahead, step, group.len(), turn)?,
        _ if targets.iter().any(|target| after.contains_key(target)) => return None,
        _ => {}
    }
    after.extend(targets.into_iter().map(|target| (target, turn)));
    Some(after)
}

/// Pushes the enemy's marbles from a cell on, if there are fewer than `own` and there is room behind them.
fn push(board: &mut Board, first: Place, step: Place, own: usize, turn: Color) -> Option<()> {
    let mut enemies = Vec::new();
    let mut place = first;
    while board.get(&place) == Some(&!turn) {
        enemies.push(place);
        place = add(place, step, 1);
    }
    if enemies.len() >= own || board.contains_key(&place) {
        return None;
    }
    board.remove(&first);
    if on_board(place) {
        board.insert(place, !turn);
    }
    Some(())
}

//! The graph of a game on a terminal: Black's winning chance as columns of blocks, and the bad moves below.

use std::ops::Range;

use sumito_engine::analysis::{Findings, Judgement, Review};
use sumito_rules::Color;

/// Lines of the graph: an odd number, so that 50 % is in the middle of one.
const HEIGHT: usize = 9;
/// Left of the columns: `100 % ┤`.
const MARGIN: usize = 7;
/// Short games are stretched to this many columns.
const LEAST: usize = 48;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Black's winning chance in a position.
pub(super) fn black(findings: &Findings) -> f64 {
    let expected = findings.wdl().expected();
    if findings.position.turn() == Color::Black { expected } else { 1.0 - expected }
}

/// Draws a review in so many columns of the terminal.
pub(super) fn draw(review: &Review, width: usize) -> String {
    let points: Vec<f64> = review.positions.iter().map(black).collect();
    if points.is_empty() {
        return String::new();
    }
    let room = width.saturating_sub(MARGIN + 1).max(10);
    let columns = points.len().max(LEAST).min(room);
    let heights: Vec<f64> =
        (0..columns).map(|column| mean(&points[part(column, columns, points.len())])).collect();
    let mut out = String::from("Black's winning chance\n");
    for row in (0..HEIGHT).rev() {
        let line: String = heights.iter().map(|&height| block(height, row)).collect();
        out.push_str(&format!("{}{}\n", label(row), line.trim_end()));
    }
    out.push_str(&format!("{:>width$}└{}\n", "", "─".repeat(columns), width = MARGIN - 1));
    out.push_str(&numbers(review, columns));
    for side in Color::ALL {
        out.push_str(&marks(review, side, columns));
    }
    out.push_str(&format!("{:MARGIN$}· inaccuracy  ? mistake  × blunder\n", ""));
    out
}

/// The points that a column stands for: at least one.
fn part(column: usize, columns: usize, points: usize) -> Range<usize> {
    let start = column * points / columns;
    start..((column + 1) * points / columns).max(start + 1)
}

/// Whether no column before it stands for the same point.
fn is_first(column: usize, columns: usize, points: usize) -> bool {
    column == 0 || part(column - 1, columns, points).start != part(column, columns, points).start
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What is seen of a column in a row; rows count from the bottom.
fn block(height: f64, row: usize) -> char {
    let eighths = (height * (HEIGHT * 8) as f64).round() as usize;
    match eighths.saturating_sub(row * 8).min(8) {
        0 if row == HEIGHT / 2 => '┈',
        filled => BLOCKS[filled],
    }
}

fn label(row: usize) -> String {
    let percent = match row {
        0 => "0 %",
        row if row == HEIGHT / 2 => "50 %",
        row if row == HEIGHT - 1 => "100 %",
        _ => "",
    };
    let tick = if percent.is_empty() { '│' } else { '┤' };
    format!("{percent:>5} {tick}")
}

/// Move numbers below the columns, as many as fit.
fn numbers(review: &Review, columns: usize) -> String {
    const APART: usize = 6;
    let mut line = " ".repeat(MARGIN);
    for column in 0..columns {
        let due = part(column, columns, review.positions.len()).find(|&point| {
            let here = &review.positions[point].position;
            point == 0 || here.move_number().is_multiple_of(5) && here.turn() == Color::Black
        });
        let Some(point) = due.filter(|_| is_first(column, columns, review.positions.len())) else { continue };
        let number = review.positions[point].position.move_number();
        let text = number.to_string();
        let at = MARGIN + column;
        let free = column == 0 || line.len() + APART <= at + text.len();
        if free && at + text.len() <= MARGIN + columns + 1 {
            line.push_str(&" ".repeat(at - line.len()));
            line.push_str(&text);
        }
    }
    format!("{}  move\n", line.trim_end())
}

/// One side's bad moves, each below the position that it led to.
fn marks(review: &Review, side: Color, columns: usize) -> String {
    let mark = |column: usize| {
        let points = part(column, columns, review.positions.len());
        let moves = points.filter_map(|point| review.moves.get(point.checked_sub(1)?));
        let worst = moves.filter(|reviewed| reviewed.mover == side).map(|reviewed| reviewed.judgement).max();
        match worst.filter(|_| is_first(column, columns, review.positions.len())) {
            None | Some(Judgement::Good) => ' ',
            Some(Judgement::Inaccuracy) => '·',
            Some(Judgement::Mistake) => '?',
            Some(Judgement::Blunder) => '×',
        }
    };
    let line: String = (0..columns).map(mark).collect();
    format!("{:<MARGIN$}{}", format!("{side}"), line).trim_end().to_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_filled_up_to_its_height() {
        let column = |height| (0..HEIGHT).map(|row| block(height, row)).collect::<String>();
        assert_eq!(column(1.0), "█████████");
        assert_eq!(column(0.0), "    ┈    ");
        assert_eq!(column(0.5), "████▄    ");
        assert_eq!(column(0.25), "██▂ ┈    ");
    }

    #[test]
    fn every_point_is_in_exactly_one_column_if_there_are_more_points() {
        for (columns, points) in [(10, 10), (10, 37), (7, 100)] {
            let all: Vec<usize> = (0..columns).flat_map(|column| part(column, columns, points)).collect();
            assert_eq!(all, (0..points).collect::<Vec<_>>());
        }
        let stretched: Vec<usize> = (0..6).map(|column| part(column, 6, 3).start).collect();
        assert_eq!(stretched, [0, 0, 1, 1, 2, 2]);
        assert_eq!([0, 1, 2, 3].map(|column| is_first(column, 6, 3)), [true, false, true, false]);
    }
}

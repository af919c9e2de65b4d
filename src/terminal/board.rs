//! Draws the board: a hexagon with its marbles, coordinates, and marks for cursor, selection and moves. It has a
//! ground of its own, so that it looks the same on dark and on light terminals.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Place, Rect};
use ratatui::style::{Color as Paint, Modifier, Style};
use ratatui::widgets::Widget;
use sumito_rules::{Bitboard, Cell, Color, Position};

/// What is on the board beside the marbles. Each mark has a ground and a sign, for terminals without colours.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) cursor: Option<Cell>,
    pub(super) selected: Bitboard,
    /// Where selected marbles or those of a hint can go.
    pub(super) targets: Bitboard,
    /// The marbles of a hint.
    pub(super) hint: Bitboard,
    /// Where the marbles of the last move are now.
    pub(super) last: Bitboard,
    /// Where they were.
    pub(super) left: Bitboard,
}

/// A position to draw.
pub(super) struct Board<'a> {
    pub(super) position: &'a Position,
    pub(super) marks: Marks,
    pub(super) is_flipped: bool,
}

// Each ground is about equally far from black and from white, so that both marbles stand out on it.
const GROUND: Paint = Paint::Indexed(66);
const CURSOR: Paint = Paint::Indexed(32);
const SELECTED: Paint = Paint::Indexed(130);
const TARGET: Paint = Paint::Indexed(64);
const HINT: Paint = Paint::Indexed(133);
const LAST: Paint = Paint::Indexed(101);
const BLACK: Paint = Paint::Indexed(16);
const WHITE: Paint = Paint::Indexed(231);
const EMPTY: Paint = Paint::Indexed(152);

/// Half the columns between two cells of a row, and the lines between two rows.
#[derive(Clone, Copy)]
struct Scale {
    half: i32,
    rows: i32,
}

const SMALL: Scale = Scale { half: 2, rows: 2 };
const LARGE: Scale = Scale { half: 3, rows: 3 };

impl Scale {
    /// Columns and lines of the whole board with its coordinates.
    const fn size(self) -> (i32, i32) {
        (16 * self.half + 2 * (2 * self.half + 1) + 1, 8 * self.rows + 2 * (self.rows - 1))
    }

    /// The largest scale that fits.
    fn fitting(area: Rect) -> Scale {
        let (columns, lines) = LARGE.size();
        if i32::from(area.width) >= columns && i32::from(area.height) >= lines { LARGE } else { SMALL }
    }
}

/// Where the board is on the screen.
struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    scale: Scale,
    middle: (i32, i32),
    is_flipped: bool,
}

impl Widget for Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let scale = Scale::fitting(area);
        let spare = (i32::from(area.height) - scale.size().1).max(0);
        let top = i32::from(area.y) + spare / 2 + scale.rows / 2;
        let middle = (i32::from(area.x) + i32::from(area.width) / 2, top + 4 * scale.rows);
        let mut canvas = Canvas { buffer, area, scale, middle, is_flipped: self.is_flipped };
        canvas.ground();
        canvas.coordinates();
        for cell in Cell::ALL {
            canvas.cell(cell, self.position.at(cell), &self.marks);
        }
    }
}

impl Canvas<'_> {
    fn put(&mut self, x: i32, y: i32, text: &str, style: Style) {
        for (x, letter) in (x..).zip(text.chars()) {
            let place = Place { x: x as u16, y: y as u16 };
            if x >= 0 && y >= 0 && self.area.contains(place) {
                self.buffer[place].set_char(letter).set_style(style);
            }
        }
    }

    /// The middle of a place on the screen, given its half cells right of and rows above the middle of the board.
    fn at(&self, x: i32, rows: i32) -> (i32, i32) {
        (self.middle.0 + x * self.scale.half, self.middle.1 - rows * self.scale.rows)
    }

    /// Half cells right of and rows above the middle of the board.
    fn seen(&self, cell: Cell) -> (i32, i32) {
        let rows = i32::from(cell.row()) - 5;
        let x = 2 * (i32::from(cell.number()) - 5) - rows;
        if self.is_flipped { (-x, -rows) } else { (x, rows) }
    }

    /// The hexagon.
    fn ground(&mut self) {
        let Scale { half, rows } = self.scale;
        let rim = rows / 2;
        for line in -4 * rows - rim..=4 * rows + rim {
            let reach = 8 * half - line.abs().min(4 * rows) * half / rows + half;
            let blank = " ".repeat((2 * reach + 1) as usize);
            let (x, y) = self.middle;
            self.put(x - reach, y + line, &blank, Style::new().bg(GROUND));
        }
    }

    /// Letters left of the rows, numbers at the lower ends of the diagonals.
    fn coordinates(&mut self) {
        let style = Style::new().add_modifier(Modifier::BOLD);
        let half = self.scale.half;
        for index in 1..=9u8 {
            let row = || Cell::ALL.into_iter().filter(move |cell| cell.row() == index);
            let diagonal = || Cell::ALL.into_iter().filter(move |cell| cell.number() == index);
            if let Some((x, rows)) = row().map(|cell| self.seen(cell)).min() {
                let ((x, y), letter) = (self.at(x, rows), (b'A' + index - 1) as char);
                self.put(x - 2 * half - 1, y, &letter.to_string(), style);
            }
            if let Some((rows, x)) = diagonal().map(|cell| (self.seen(cell).1, self.seen(cell).0)).min() {
                let (x, y) = self.at(x + 1, rows - 1);
                // The lowest row's own numbers come closer: there is no row beside them.
                let (x, y) = if rows == -4 { (x, y - self.scale.rows / 2) } else { (x + half - 1, y) };
                self.put(x, y, &index.to_string(), style);
            }
        }
    }

    fn cell(&mut self, cell: Cell, marble: Option<Color>, marks: &Marks) {
        let (ground, [before, after]) = mark(cell, marks);
        let is_target = marks.targets.contains(cell);
        let (sign, paint) = match marble {
            Some(Color::Black) => ('●', BLACK),
            Some(Color::White) => ('○', WHITE),
            None if is_target => ('+', WHITE),
            None if marks.left.contains(cell) => ('∘', WHITE),
            None => ('·', EMPTY),
        };
        let style = Style::new().fg(paint).bg(ground).add_modifier(Modifier::BOLD);
        let (x, rows) = self.seen(cell);
        let (x, y) = self.at(x, rows);
        if self.scale.half == LARGE.half {
            let is_marble = marble.is_some();
            self.put(x - 2, y - 1, if is_marble { "╭───╮" } else { "     " }, style);
            self.put(x - 2, y + 1, if is_marble { "╰───╯" } else { "     " }, style);
            let side = if is_marble { "│" } else { " " };
            self.put(x - 2, y, side, style);
            self.put(x + 2, y, side, style);
        }
        self.put(x - 1, y, &format!("{before}{sign}{after}"), style);
    }
}

/// The ground and the signs around a cell.
fn mark(cell: Cell, marks: &Marks) -> (Paint, [char; 2]) {
    let has_cursor = marks.cursor == Some(cell);
    match (has_cursor, marks.selected.contains(cell)) {
        (true, true) => (CURSOR, ['{', '}']),
        (true, false) => (CURSOR, ['[', ']']),
        (false, true) => (SELECTED, ['(', ')']),
        _ if marks.hint.contains(cell) => (HINT, ['?', '?']),
        _ if marks.targets.contains(cell) => (TARGET, [' ', ' ']),
        _ if marks.last.contains(cell) => (LAST, ['‹', '›']),
        _ if marks.left.contains(cell) => (LAST, [' ', ' ']),
        _ => (GROUND, [' ', ' ']),
    }
}

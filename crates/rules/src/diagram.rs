//! Pictures of a position: as text for a terminal, and as SVG.

use std::fmt::Write;

use crate::bitboard::Bitboard;
use crate::cell::Cell;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;

/// Draws a position as text, with coordinates, the marbles pushed off, and the side to move. The marbles of a
/// move stand in brackets.
///
/// ```text
///       I   ○ ○ · ● ●
///      H   ○ ○ ○ ● ● ●
/// ```
///
/// ```
/// use sumito_rules::{Layout, diagram};
/// let start = Layout::named("belgian-daisy").expect("a layout").position();
/// assert!(diagram::text(&start, None).contains("Black ······ 0   to move"));
/// assert!(diagram::svg(&start, start.legal_moves().first().copied()).starts_with("<svg"));
/// ```
pub fn text(position: &Position, shown: Option<Move>) -> String {
    let moving = shown.map_or(Bitboard::EMPTY, Move::cells);
    let mut out = String::new();
    for row in (1..=9u8).rev() {
        let indent = usize::from(row.abs_diff(5));
        write!(out, "{:indent$}{} ", "", (b'A' + row - 1) as char).expect("writing to a string");
        let mut after = ' ';
        for cell in Cell::ALL.into_iter().filter(|cell| cell.row() == row) {
            let marble = match position.at(cell) {
                Some(Color::Black) => '●',
                Some(Color::White) => '○',
                None => '·',
            };
            let moves = moving.contains(cell);
            out.push(if moves { '[' } else { after });
            out.push(marble);
            after = if moves { ']' } else { ' ' };
        }
        out.push(after);
        if row < 5 {
            write!(out, " {}", row + 5).expect("writing to a string");
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out.push_str("       1 2 3 4 5\n");
    for (color, marble) in [(Color::Black, "○"), (Color::White, "●")] {
        let score = usize::from(position.score(color));
        let to_move = if position.turn() == color { "   to move" } else { "" };
        let tray = format!("{}{}", marble.repeat(score), "·".repeat(6usize.saturating_sub(score)));
        writeln!(out, "{color} {tray} {score}{to_move}").expect("writing to a string");
    }
    out
}

/// The distance between neighbouring cells in a picture.
const PITCH: f64 = 60.0;
/// The distance between rows: half the square root of three of it.
const ROW: f64 = 51.961_524;
const MARBLE: f64 = 25.0;

/// The middle of a cell; E5 is the origin, y grows downwards.
fn centre(cell: Cell) -> (f64, f64) {
    at(f64::from(cell.row()), f64::from(cell.number()))
}

fn at(row: f64, number: f64) -> (f64, f64) {
    ((number - 5.0) * PITCH - (row - 5.0) * PITCH / 2.0, (5.0 - row) * ROW)
}

/// Draws a position as an SVG picture of 680 by 620, with coordinates and trays of the marbles pushed off. A
/// move is drawn as arrows from where its marbles stand to where they go.
pub fn svg(position: &Position, shown: Option<Move>) -> String {
    let mut out = String::from(HEAD);
    writeln!(out, "<title>{}</title>", crate::fen::write(position)).expect("writing to a string");
    out.push_str(BOARD);
    let last = shown.map_or(Bitboard::EMPTY, Move::cells);
    for cell in Cell::ALL {
        circle(&mut out, centre(cell), "hole", 19.0);
        if let Some(color) = position.at(cell) {
            marble(&mut out, centre(cell), color);
        }
        if last.contains(cell) {
            circle(&mut out, centre(cell), "moving", MARBLE);
        }
    }
    coordinates(&mut out);
    trays(&mut out, position);
    if let Some(m) = shown {
        arrows(&mut out, position, m);
    }
    out.push_str("</svg>\n");
    out
}

const HEAD: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-340 -310 680 620" width="680" height="620" role="img">
<style>
.board{fill:#c9a26b;stroke:#7d5a2e;stroke-width:6;stroke-linejoin:round}
.hole{fill:#a98350;stroke:#8d6a3b;stroke-width:1.5}
.slot{fill:none;stroke:#9a9a9a;stroke-width:1.5;stroke-dasharray:3 3}
.black{fill:url(#black);stroke:#0b0b0d;stroke-width:1.5}
.white{fill:url(#white);stroke:#8a8a86;stroke-width:1.5}
.moving{fill:none;stroke:#1f7a4d;stroke-width:5}
.arrow{stroke:#1f7a4d;stroke-width:8;stroke-linecap:round;marker-end:url(#tip);opacity:.9}
text{font:600 20px system-ui,"DejaVu Sans",sans-serif;fill:#6b6b6b;text-anchor:middle}
.side{text-anchor:start}
</style>
<defs>
<radialGradient id="black" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#6a6d75"/><stop offset=".5" stop-color="#2a2c31"/><stop offset="1" stop-color="#101114"/></radialGradient>
<radialGradient id="white" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#ffffff"/><stop offset=".6" stop-color="#ecebe6"/><stop offset="1" stop-color="#c3c1b8"/></radialGradient>
<marker id="tip" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto"><path d="M0 0L10 5L0 10z" fill="#1f7a4d"/></marker>
</defs>
"##;

/// A hexagon around the cells, its corners left and right.
const BOARD: &str =
    "<polygon class=\"board\" points=\"-292,0 -146,-253 146,-253 292,0 146,253 -146,253\"/>\n";

fn circle(out: &mut String, (x, y): (f64, f64), class: &str, radius: f64) {
    writeln!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>")
        .expect("writing to a string");
}

fn marble(out: &mut String, place: (f64, f64), color: Color) {
    circle(out, place, if color == Color::Black { "black" } else { "white" }, MARBLE);
}

fn label(out: &mut String, (x, y): (f64, f64), class: &str, text: &str) {
    writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\">{text}</text>")
        .expect("writing to a string");
}

/// Letters left of the rows, numbers below the diagonals.
fn coordinates(out: &mut String) {
    for i in 1..=9u8 {
        let letter = ((b'A' + i - 1) as char).to_string();
        let (x, y) = at(i.into(), i.saturating_sub(4).max(1).into());
        label(out, (x - 70.0, y), "row", &letter);
        let (x, y) = at(i.saturating_sub(4).max(1).into(), i.into());
        label(out, (x + 36.0, y + 62.0), "number", &i.to_string());
    }
}

/// What White has pushed off stands at the top right, Black's catch at the bottom right.
fn trays(out: &mut String, position: &Position) {
    for (color, top) in [(Color::White, -284.0), (Color::Black, 244.0)] {
        for slot in 0..position.score(color).max(6) {
            let place = (218.0 + f64::from(slot % 3) * 46.0, top + f64::from(slot / 3) * 40.0);
            if slot < position.score(color) {
                circle(out, place, if color == Color::Black { "white" } else { "black" }, 17.0);
            } else {
                circle(out, place, "slot", 17.0);
            }
        }
        let marker = if position.turn() == color { " to move" } else { "" };
        label(out, (-328.0, top + 20.0), "side", &format!("{color}{marker}"));
    }
}

/// One arrow along a line that moves lengthwise, to where its foremost marble goes, pushed ones included; or
/// one arrow for each marble that moves sideways.
fn arrows(out: &mut String, position: &Position, m: Move) {
    let (rows, numbers) = m.direction().delta();
    let from_cell = |cell: Cell, steps: f64| {
        at(
            f64::from(cell.row()) + f64::from(rows) * steps,
            f64::from(cell.number()) + f64::from(numbers) * steps,
        )
    };
    if m.is_broadside() {
        m.cells().sorted().for_each(|cell| arrow(out, centre(cell), from_cell(cell, 0.8)));
    } else {
        let steps = (m.count() + position.pushed(m)) as f64;
        arrow(out, centre(m.tail()), from_cell(m.tail(), steps - 0.2));
    }
}

fn arrow(out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    writeln!(out, "<line class=\"arrow\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>")
        .expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::layout::Layout;
    use crate::notation::Notation;

    #[test]
    fn the_text_shows_rows_numbers_trays_and_the_move() {
        let position = fen::parse("ss1SS/sssSSS/1ss1SS1/8/9/8/1S2s2/SSSsss/S2ss 1 2 w 0 1").expect("a FEN");
        let m = Notation::AbaPro.parse(&position, "i5h5").expect("legal");
        let expected = "    I [○]○ · ● ●
   H  ○[○]○ ● ● ●
  G  · ○[○]· ● ● ·
 F  · · · · · · · ·
E  · · · · · · · · ·
 D  · · · · · · · ·  9
  C  · ● · · ○ · ·  8
   B  ● ● ● ○ ○ ○  7
    A  ● · · ○ ○  6
       1 2 3 4 5
Black ○····· 1
White ●●···· 2   to move
";
        assert_eq!(text(&position, Some(m)), expected);
    }

    #[test]
    fn the_picture_has_every_cell_marble_and_arrow() {
        let position = Layout::named("belgian-daisy").expect("a layout").position();
        let m = Notation::AbaPro.parse(&position, "c2c3d2").expect("legal");
        let picture = svg(&position, Some(m));
        let count = |what: &str| picture.matches(what).count();
        assert_eq!(
            (count("class=\"hole\""), count("class=\"black\""), count("class=\"white\"")),
            (61, 14, 14)
        );
        assert_eq!(
            (count("class=\"arrow\""), count("class=\"moving\""), count("class=\"slot\"")),
            (2, 2, 12)
        );
    }
}

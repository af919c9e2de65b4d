//! Texts for a position other than FEN, and one name for each.

use std::fmt::Write;
use std::str::FromStr;

use crate::bitboard::Bitboard;
use crate::cell::Cell;
use crate::color::{ByColor, Color};
use crate::cursor::{Cursor, quoted};
use crate::error::ParseError;
use crate::fen;
use crate::position::{MAX_MARBLES, Position};

/// The ways to write a position as text.
///
/// ```
/// use sumito_rules::{Layout, PositionFormat};
/// let start = Layout::named("standard").expect("a layout").position();
/// let text = PositionFormat::Kaa.write(&start);
/// assert_eq!(text, "0a12345b123456c345_0g567h456789i56789");
/// assert_eq!(PositionFormat::detect(&text), PositionFormat::Kaa);
/// assert!(PositionFormat::Kaa.parse(&text)?.same_board(&start));
/// # Ok::<(), sumito_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PositionFormat {
    /// The PlayStrategy FEN, see [`fen`].
    Fen,
    /// `0a12b123c23g78h789i89_0a45b456c56g45h456i56`: the black marbles lost, the black marbles by row, an
    /// underscore, the same for white. Does not say whose turn it is: Black's, when read.
    Kaa,
    /// Two lines: the side to move (`b` or `w`), and the marbles, `A1b,A2b,...,C5w`. Does not tell scores.
    Bcit,
    /// 61 characters, row I first, of `b`, `w` and `.`; after a blank, the side to move may follow.
    Cells,
}

impl PositionFormat {
    /// All formats.
    pub const ALL: [PositionFormat; 4] =
        [PositionFormat::Fen, PositionFormat::Kaa, PositionFormat::Bcit, PositionFormat::Cells];

    /// The name by which programs know it.
    pub const fn name(self) -> &'static str {
        match self {
            PositionFormat::Fen => "fen",
            PositionFormat::Kaa => "kaa",
            PositionFormat::Bcit => "bcit",
            PositionFormat::Cells => "cells",
        }
    }

    /// The format that a text seems to be in: each has a mark that no other can have near its start.
    pub fn detect(text: &str) -> PositionFormat {
        let text = text.trim();
        let first = text.split_whitespace().next().unwrap_or_default();
        if first.contains('/') {
            PositionFormat::Fen
        } else if first.contains('_') {
            PositionFormat::Kaa
        } else if first.chars().count() > 45 && first.chars().all(|c| "bw.".contains(c)) {
            PositionFormat::Cells
        } else if Color::from_letter(first.chars().next().unwrap_or(' ')).is_some() && first.len() == 1
            || text.contains(',')
        {
            PositionFormat::Bcit
        } else {
            PositionFormat::Fen
        }
    }

    /// Reads a position in this format.
    pub fn parse(self, text: &str) -> Result<Position, ParseError> {
        match self {
            PositionFormat::Fen => fen::parse(text),
            PositionFormat::Kaa => parse_kaa(text),
            PositionFormat::Bcit => parse_bcit(text),
            PositionFormat::Cells => parse_cells(text, Color::Black),
        }
    }

    /// Writes a position in this format, without a line end.
    pub fn write(self, position: &Position) -> String {
        match self {
            PositionFormat::Fen => fen::write(position),
            PositionFormat::Kaa => write_kaa(position),
            PositionFormat::Bcit => format!("{}\n{}", position.turn().letter(), write_marbles(position)),
            PositionFormat::Cells => write_cells(position),
        }
    }
}

impl FromStr for PositionFormat {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Self, ParseError> {
        PositionFormat::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| ParseError::new("a position format (fen, kaa, bcit, cells)", quoted(name), (1, 1)))
    }
}

/// The cells in the order of a printed board: row I first, each row from the left.
pub(crate) fn printed_order() -> impl Iterator<Item = Cell> {
    (1..=9u8).rev().flat_map(|row| Cell::ALL.into_iter().filter(move |cell| cell.row() == row))
}

/// Reads 61 characters; `turn` is to move unless the text says otherwise.
pub(crate) fn parse_cells(text: &str, turn: Color) -> Result<Position, ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blanks();
    let start = cursor.clone();
    let mut marbles = ByColor::<Bitboard>::default();
    for cell in printed_order() {
        match cursor.peek() {
            Some('.') => {}
            Some('b') => marbles.black.insert(cell),
            Some('w') => marbles.white.insert(cell),
            _ => return Err(cursor.error(format!("b, w or . for cell {cell}"))),
        }
        cursor.next();
    }
    if cursor.peek().is_some_and(|c| !c.is_whitespace()) {
        return Err(cursor.error("a blank after 61 cells"));
    }
    cursor.skip_blanks();
    let said =
        cursor.peek().map(|c| Color::from_letter(c).ok_or_else(|| cursor.error("the side to move (b or w)")));
    let turn = said.transpose()?.unwrap_or(turn);
    cursor.next();
    cursor.skip_blanks();
    cursor.end()?;
    Position::new(marbles, turn).map_err(|error| error.at(start.place()))
}

fn write_cells(position: &Position) -> String {
    printed_order().map(|cell| position.at(cell).map_or('.', Color::letter)).collect()
}

fn parse_kaa(text: &str) -> Result<Position, ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blanks();
    let start = cursor.clone();
    let mut marbles = ByColor::<Bitboard>::default();
    let mut lost = ByColor::<u8>::default();
    for color in Color::ALL {
        if color == Color::White {
            cursor.expect('_')?;
        }
        lost[color] = cursor.number(&format!("how many marbles {color} has lost"), MAX_MARBLES as u32)? as u8;
        while let Some(letter) = cursor.peek().filter(char::is_ascii_alphabetic) {
            parse_kaa_row(&mut cursor, letter, &mut marbles[color])?;
        }
    }
    cursor.skip_blanks();
    cursor.end()?;
    Position::with_score(marbles, lost.swapped(), Color::Black).map_err(|error| error.at(start.place()))
}

/// A row's letter and the numbers of its marbles.
fn parse_kaa_row(cursor: &mut Cursor<'_>, letter: char, set: &mut Bitboard) -> Result<(), ParseError> {
    if !matches!(letter.to_ascii_lowercase(), 'a'..='i') {
        return Err(cursor.error("a row (a to i)"));
    }
    cursor.next();
    let row = letter.to_ascii_lowercase() as u8 - b'a' + 1;
    if !cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        return Err(cursor.error(format!("the numbers of the marbles in row {letter}")));
    }
    while let Some(digit) = cursor.peek().filter(char::is_ascii_digit) {
        let cell = Cell::new(row, digit as u8 - b'0');
        let cell = cell.ok_or_else(|| cursor.error(format!("the number of a cell in row {letter}")))?;
        if set.contains(cell) {
            return Err(cursor.error(format!("each cell once, not {cell} again")));
        }
        set.insert(cell);
        cursor.next();
    }
    Ok(())
}

fn write_kaa(position: &Position) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let separator = if color == Color::White { "_" } else { "" };
        write!(text, "{separator}{}", position.score(!color)).expect("writing to a string");
        let mut row = 0;
        for cell in position.marbles(color).sorted() {
            if cell.row() != row {
                row = cell.row();
                text.push(cell.letter());
            }
            text.push_str(&cell.number().to_string());
        }
    }
    text
}

fn parse_bcit(text: &str) -> Result<Position, ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blanks();
    let start = cursor.clone();
    // A line of marbles alone begins with a cell, whose letter may be a b as well.
    let first = cursor.clone().word();
    let turn = match first.chars().next().and_then(Color::from_letter) {
        Some(turn) if first.len() == 1 => {
            cursor.next();
            cursor.skip_blanks();
            turn
        }
        _ => Color::Black,
    };
    let mut marbles = ByColor::<Bitboard>::default();
    while !cursor.is_at_end() {
        let at = cursor.clone();
        let cell = Cell::read(&mut cursor)?;
        let color = cursor.peek().and_then(Color::from_letter);
        let color =
            color.ok_or_else(|| cursor.error(format!("the marble's colour (b or w) after {cell:?}")))?;
        cursor.next();
        if (marbles.black | marbles.white).contains(cell) {
            return Err(at.error_at("each cell once", format!("{cell:?} again")));
        }
        marbles[color].insert(cell);
        cursor.skip_blanks();
        if !cursor.is_at_end() {
            cursor.expect(',')?;
            cursor.skip_blanks();
        }
    }
    if marbles.black.is_empty() && marbles.white.is_empty() {
        return Err(cursor.error("marbles such as A1b,A2b,C5w"));
    }
    Position::new(marbles, turn).map_err(|error| error.at(start.place()))
}

/// The marbles as the BCIT course lists them: `A1b,A2b,...,C5w`, black first, by row and number.
pub fn write_marbles(position: &Position) -> String {
    let list = |color: Color| {
        position.marbles(color).sorted().map(move |cell| format!("{cell:?}{}", color.letter()))
    };
    list(Color::Black).chain(list(Color::White)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;

    #[test]
    fn every_format_is_detected_and_read_back() {
        let start = Layout::named("belgian-daisy").expect("a layout").position();
        for format in PositionFormat::ALL {
            let text = format.write(&start);
            assert_eq!(PositionFormat::detect(&text), format, "{text}");
            assert_eq!(format.parse(&text).expect("our own text"), start, "{text}");
        }
    }

    #[test]
    fn the_published_kaa_text_of_the_belgian_daisy_is_written() {
        let start = Layout::named("belgian-daisy").expect("a layout").position();
        assert_eq!(PositionFormat::Kaa.write(&start), "0a12b123c23g78h789i89_0a45b456c56g45h456i56");
    }

    #[test]
    fn errors_say_what_and_where() {
        for (format, text, error) in [
            (
                PositionFormat::Bcit,
                "b\nA1b,A6w",
                "line 2, column 5: expected a cell of the board (a1-a5 to e1-e9 to i5-i9), found 'A6'",
            ),
            (PositionFormat::Bcit, "b\nA1b,A1w", "line 2, column 5: expected each cell once, found A1 again"),
            (
                PositionFormat::Kaa,
                "0a16_0",
                "line 1, column 4: expected the number of a cell in row a, found '6'",
            ),
            (
                PositionFormat::Cells,
                "bw",
                "line 1, column 3: expected b, w or . for cell i7, found the end of the text",
            ),
        ] {
            assert_eq!(format.parse(text).expect_err(text).to_string(), error);
        }
    }
}

//! The PlayStrategy FEN, our default text for a position.
//!
//! `ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1`: the rows I to A with `S` for black, `s` for
//! white and digits for empty cells; the scores of Black and White; the side to move; plies since the last
//! ejection; the move number. `b`/`w` are read for `S`/`s`, and fields missing at the end take these values.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::bitboard::Bitboard;
use crate::cell::Cell;
use crate::color::{ByColor, Color};
use crate::cursor::Cursor;
use crate::error::ParseError;
use crate::position::{MAX_MARBLES, MAX_MOVE_NUMBER, Position};

/// Reads a FEN.
///
/// ```
/// use sumito_rules::fen;
/// let text = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
/// let position = fen::parse(text)?;
/// assert_eq!(fen::write(&position), text);
/// let error = fen::parse("ss1SS/sssSSS/1ss1SS1/8").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 23: expected '/' and row E, found the end of the text");
/// # Ok::<(), sumito_rules::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Position, ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blanks();
    let start = cursor.clone();
    let marbles = parse_rows(&mut cursor)?;
    let black = parse_field(&mut cursor, "Black's score", MAX_MARBLES as u32, 0)?;
    let white = parse_field(&mut cursor, "White's score", MAX_MARBLES as u32, 0)?;
    let turn = parse_turn(&mut cursor)?;
    let quiet = parse_field(&mut cursor, "the plies since the last ejection", u16::MAX.into(), 0)?;
    let number = parse_field(&mut cursor, "the move number", MAX_MOVE_NUMBER.into(), 1)?;
    cursor.skip_blanks();
    cursor.end()?;
    let score = ByColor::new(black as u8, white as u8);
    let ply = (number.max(1) as u16 - 1) * 2 + turn.index() as u16;
    let position = Position::with_score(marbles, score, turn).map_err(|error| error.at(start.place()))?;
    Ok(position.with_counters(quiet as u16, ply))
}

fn parse_rows(cursor: &mut Cursor<'_>) -> Result<ByColor<Bitboard>, ParseError> {
    let mut marbles = ByColor::<Bitboard>::default();
    for row in (1..=9u8).rev() {
        let letter = (b'A' + row - 1) as char;
        if row < 9 && !cursor.eat('/') {
            return Err(cursor.error(format!("'/' and row {letter}")));
        }
        let mut cells = Cell::ALL.into_iter().filter(|cell| cell.row() == row);
        loop {
            let left = cells.clone().count();
            let wanted = || format!("{left} more cells of row {letter} (S, s or a number of empty cells)");
            match cursor.peek() {
                Some('S' | 's' | 'b' | 'w' | '1'..='9') if left == 0 => {
                    return Err(cursor.error(if row > 1 {
                        format!("'/' after row {letter}")
                    } else {
                        "a blank".into()
                    }));
                }
                Some(c @ '1'..='9') => {
                    let empty = c as usize - '0' as usize;
                    if empty > left {
                        return Err(cursor.error(wanted()));
                    }
                    cells.nth(empty - 1);
                }
                Some('S' | 'b') => cells.next().into_iter().for_each(|cell| marbles.black.insert(cell)),
                Some('s' | 'w') => cells.next().into_iter().for_each(|cell| marbles.white.insert(cell)),
                _ if left > 0 => return Err(cursor.error(wanted())),
                _ => break,
            }
            cursor.next();
        }
    }
    if cursor.peek().is_some_and(|c| !c.is_whitespace()) {
        return Err(cursor.error("a blank after row A"));
    }
    Ok(marbles)
}

/// The next field, or what it is when the text ends before it.
fn parse_field(cursor: &mut Cursor<'_>, what: &str, max: u32, missing: u32) -> Result<u32, ParseError> {
    cursor.skip_blanks();
    if cursor.is_at_end() { Ok(missing) } else { cursor.number(what, max) }
}

fn parse_turn(cursor: &mut Cursor<'_>) -> Result<Color, ParseError> {
    cursor.skip_blanks();
    let Some(letter) = cursor.peek() else { return Ok(Color::Black) };
    let turn = Color::from_letter(letter).ok_or_else(|| cursor.error("the side to move (b or w)"))?;
    cursor.next();
    Ok(turn)
}

/// Writes a position as FEN.
pub fn write(position: &Position) -> String {
    let mut text = String::with_capacity(72);
    for row in (1..=9u8).rev() {
        let mut empty = 0;
        for cell in Cell::ALL.into_iter().filter(|cell| cell.row() == row) {
            let Some(color) = position.at(cell) else {
                empty += 1;
                continue;
            };
            write_empty(&mut text, &mut empty);
            text.push(if color == Color::Black { 'S' } else { 's' });
        }
        write_empty(&mut text, &mut empty);
        text.push(if row > 1 { '/' } else { ' ' });
    }
    let (black, white) = (position.score(Color::Black), position.score(Color::White));
    let (turn, quiet, number) = (position.turn().letter(), position.quiet(), position.move_number());
    write!(text, "{black} {white} {turn} {quiet} {number}").expect("writing to a string");
    text
}

fn write_empty(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

impl fmt::Display for Position {
    /// The position as FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&write(self))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Position {
    type Err = ParseError;

    /// Reads a FEN.
    fn from_str(text: &str) -> Result<Position, ParseError> {
        parse(text)
    }
}

#[cfg(feature = "serde")]
crate::error::serde_as_text!(Position);

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text).expect_err("not a FEN").to_string()
    }

    #[test]
    fn errors_name_the_place_and_the_row() {
        assert_eq!(
            error("ss1S/sssSSS/7/8/9/8/7/6/5"),
            "line 1, column 5: expected 1 more cells of row I (S, s or a number of empty cells), found '/'"
        );
        assert_eq!(
            error("6/6/7/8/9/8/7/6/5 0 0 b"),
            "line 1, column 1: expected 5 more cells of row I (S, s or a number of empty cells), found '6'"
        );
        assert_eq!(
            error("5/6/7/8/9/8/7/6/5 0 0 x"),
            "line 1, column 23: expected the side to move (b or w), found 'x'"
        );
        assert_eq!(
            error("5/6/7/8/9/8/7/6/5 15"),
            "line 1, column 19: expected Black's score of at most 14, found '15'"
        );
        assert_eq!(
            error("5/6/7/8/9/8/7/6/5 0 0 b 0 1 9"),
            "line 1, column 29: expected the end of the text, found '9'"
        );
        assert_eq!(error("5s/6/7/8/9/8/7/6/5"), "line 1, column 2: expected '/' after row I, found 's'");
    }

    #[test]
    fn fifteen_marbles_are_too_many() {
        assert_eq!(
            error("SSSSS/SSSSSS/SSSS3/8/9/8/7/6/5 0 0 b 0 1"),
            "line 1, column 1: expected at most 14 marbles of Black, found 15"
        );
    }

    #[test]
    fn the_counters_stay_at_the_largest_that_can_be_read() {
        let rows = "5/6/7/8/4S4/8/7/6/s4";
        for (turn, ply) in [("b", 65_534), ("w", 65_535)] {
            let mut position = parse(&format!("{rows} 0 0 {turn} 65535 32768")).expect("a FEN");
            assert_eq!((position.ply(), position.quiet()), (ply, 65_535));
            for _ in 0..3 {
                position = position.play_unchecked(position.legal_moves()[0]);
                assert_eq!((position.move_number(), position.quiet()), (MAX_MOVE_NUMBER, 65_535));
                assert_eq!(parse(&write(&position)), Ok(position));
            }
        }
        assert!(error(&format!("{rows} 0 0 b 65536 1")).contains("of at most 65535"));
        assert!(error(&format!("{rows} 0 0 b 0 32769")).contains("of at most 32768"));
    }

    #[test]
    fn the_move_number_counts_both_players() {
        let position = parse("5/6/7/8/4S4/8/7/6/5 1 2 w 3 40").expect("a FEN");
        assert_eq!((position.ply(), position.quiet(), position.move_number()), (79, 3, 40));
    }
}

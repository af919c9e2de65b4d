//! A place in a text, from which the parsers read: it knows its line and column and words the errors.

use crate::error::ParseError;

/// Reads a text character by character.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Cursor::at(text, (1, 1))
    }

    /// A cursor on a piece of a larger text that begins at this line and column.
    pub(crate) fn at(text: &'a str, (line, column): (usize, usize)) -> Self {
        Cursor { rest: text, line, column }
    }

    pub(crate) fn place(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// What was not read yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// Takes the next character if it is this one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.next();
        }
        there
    }

    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), ParseError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error(format!("'{wanted}'"))) }
    }

    pub(crate) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// The longest run of characters that satisfy `keep`.
    pub(crate) fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let start = self.rest;
        while self.peek().is_some_and(&keep) {
            self.next();
        }
        &start[..start.len() - self.rest.len()]
    }

    /// The word up to the next white space.
    pub(crate) fn word(&mut self) -> &'a str {
        self.take_while(|c| !c.is_whitespace())
    }

    /// A number of at most `max`.
    pub(crate) fn number(&mut self, what: &str, max: u32) -> Result<u32, ParseError> {
        let before = self.clone();
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse::<u32>() {
            Ok(number) if number <= max => Ok(number),
            Ok(_) => Err(before.error_at(format!("{what} of at most {max}"), quoted(digits))),
            Err(_) if digits.is_empty() => Err(before.error(what)),
            Err(_) => Err(before.error_at(format!("{what} of at most {max}"), quoted(digits))),
        }
    }

    pub(crate) fn end(&self) -> Result<(), ParseError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error("the end of the text")) }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// An error here, about whatever stands here.
    pub(crate) fn error(&self, expected: impl Into<String>) -> ParseError {
        let found = match self.peek() {
            None => "the end of the text".to_string(),
            Some('\n' | '\r') => "the end of the line".to_string(),
            Some(c) => quoted(&c.to_string()),
        };
        self.error_at(expected, found)
    }

    /// An error here, about something that the caller names.
    pub(crate) fn error_at(&self, expected: impl Into<String>, found: impl Into<String>) -> ParseError {
        ParseError::new(expected, found, self.place())
    }
}

/// A piece of input as an error shows it: quoted, control characters escaped, at most forty characters.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(printable).collect();
    if text.chars().count() > 40 {
        shown.push('…');
    }
    format!("'{shown}'")
}

fn printable(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control() || c == char::REPLACEMENT_CHARACTER;
    let plain = (!escaped).then_some(c);
    plain.into_iter().chain(escaped.then(|| c.escape_default()).into_iter().flatten())
}

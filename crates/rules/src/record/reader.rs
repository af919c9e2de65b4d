//! Reads records from a stream, one at a time.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Read};

use super::writer::{SUFFIXES, in_a_tag};
use super::{GameResult, Limit, Line, Ply, Record, RecordLimits, Tag};
use crate::cursor::{Cursor, quoted};
use crate::error::ParseError;

/// Variations may be nested this deep.
pub const MAX_NESTING: usize = 64;

/// Why the next record could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The stream failed.
    Io(io::Error),
    /// The text is not well formed. The reader goes on with the next record.
    Syntax(ParseError),
    /// The record is beyond a limit from here on. The reader goes on with the next one.
    Limit(Limit, ParseError),
}

impl ReadError {
    /// The line at fault, if it is one's.
    pub fn line(&self) -> Option<usize> {
        match self {
            ReadError::Io(_) => None,
            ReadError::Syntax(error) | ReadError::Limit(_, error) => Some(error.line),
        }
    }
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> ReadError {
        ReadError::Syntax(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Syntax(error) | ReadError::Limit(_, error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

/// An iterator over the records of a stream; it holds no more than one of them and one line of text.
///
/// ```
/// use sumito_rules::record::Reader;
/// let file = "[Variant \"standard\"]\n\n1. a1b2 i5h5 *\n\n[Variant \"belgian\"]\n\n1. a1b2 1-0\n";
/// for record in Reader::new(file.as_bytes()) {
///     let game = record.expect("well formed").replay().expect("legal moves");
///     assert!(game.moves().len() <= 2);
/// }
/// ```
pub struct Reader<R> {
    input: R,
    line: usize,
    state: State,
    ready: VecDeque<Record>,
    /// After an error: skipping to the tags of the next record.
    lost: Option<Skip>,
    /// Whether the record ends with the line that was read last.
    over: bool,
    ended: bool,
}

/// Where a lost reader is: among the broken record's tags, or past them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    Tags,
    Moves,
}

impl<R: BufRead> Reader<R> {
    /// A reader on a stream. Give it a buffer.
    pub fn new(input: R) -> Reader<R> {
        let (state, ready) = (State::default(), VecDeque::new());
        Reader { input, line: 0, state, ready, lost: None, over: false, ended: false }
    }

    /// The same reader, which refuses records beyond these limits.
    #[must_use]
    pub fn with_limits(mut self, limits: RecordLimits) -> Reader<R> {
        self.state.limits = limits;
        self
    }

    /// The next line, without its end; `None` at the end of the stream.
    fn next_line(&mut self) -> Result<Option<String>, ReadError> {
        let mut bytes = Vec::new();
        let most = self.state.limits.line;
        let read =
            (&mut self.input).take(most as u64).read_until(b'\n', &mut bytes).map_err(ReadError::Io)?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        if read == most && bytes.last() != Some(&b'\n') {
            let error = self.bad_line(1, &format!("a line of less than {most} bytes"), "a longer one");
            return Err(ReadError::Limit(Limit::Line(most), error));
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let column = String::from_utf8_lossy(&error.as_bytes()[..valid]).chars().count() + 1;
            self.bad_line(column, "a text in UTF-8", &format!("the byte {:#04x}", error.as_bytes()[valid]))
        })?;
        match text.chars().position(|c| c == '\0') {
            Some(at) => Err(self.bad_line(at + 1, "a text", "a zero byte").into()),
            None => Ok(Some(text)),
        }
    }

    fn bad_line(&self, column: usize, expected: &str, found: &str) -> ParseError {
        ParseError::new(expected, found, (self.line, column))
    }

    /// Whether a lost reader has found the next record with this line.
    fn is_found(&mut self, text: &str) -> bool {
        let is_tag = begins_with_tag(text);
        match self.lost {
            Some(Skip::Tags) if !text.trim().is_empty() && (!is_tag || ends_record(text)) => {
                self.lost = Some(Skip::Moves);
            }
            Some(Skip::Moves) if is_tag => self.lost = None,
            _ => {}
        }
        self.lost.is_none()
    }

    fn step(&mut self) -> Result<(), ReadError> {
        match self.next_line()? {
            None => {
                self.ended = true;
                let rest = self.state.take();
                self.ready.extend(rest.finish()?);
            }
            Some(text) if self.is_found(&text) => {
                self.over = ends_record(&text);
                self.state.feed(&text, self.line, &mut self.ready)?;
            }
            Some(_) => {}
        }
        Ok(())
    }
}

/// Whether a line begins with a tag.
fn begins_with_tag(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Whether a line ends with a result, after which no line is of the same record.
fn ends_record(text: &str) -> bool {
    text.split_whitespace().next_back().is_some_and(|word| GameResult::parse(word).is_some())
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Some(Ok(record));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.step() {
                self.ended |= matches!(error, ReadError::Io(_));
                let already_lost = self.lost.is_some();
                let in_tags = self.state.is_in_tags() && !self.over;
                self.state.take();
                self.lost = Some(if in_tags { Skip::Tags } else { Skip::Moves });
                // One error for one broken record, however many bad lines it has.
                if !already_lost {
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The record that is being read.
#[derive(Default)]
struct State {
    record: Record,
    /// The variations that are open, the outermost first: where each began, and its moves so far.
    open: Vec<((usize, usize), Line)>,
    /// A comment in braces that is open: where it began, and its text so far.
    comment: Option<((usize, usize), String)>,
    /// Whether anything but tags has come.
    in_moves: bool,
    /// Bytes and moves so far, and what they may be.
    bytes: usize,
    moves: usize,
    limits: RecordLimits,
}

impl State {
    /// The record so far; the next one begins, with the same limits.
    fn take(&mut self) -> State {
        let fresh = State { limits: self.limits, ..State::default() };
        std::mem::replace(self, fresh)
    }

    /// Counts a line of text.
    fn grow(&mut self, text: &str, number: usize) -> Result<(), ReadError> {
        self.bytes = self.bytes.saturating_add(text.trim().len());
        let most = self.limits.bytes;
        if self.bytes > most {
            let expected = format!("a record of at most {most} bytes");
            let error = ParseError::new(expected, "a longer one", (number, 1));
            return Err(ReadError::Limit(Limit::Bytes(most), error));
        }
        Ok(())
    }

    fn is_in_tags(&self) -> bool {
        !self.in_moves && !self.record.tags.is_empty()
    }

    /// Whether the last tag stands on this line: a comment there is none on moves, and more tags may follow.
    fn is_beside_tag(&self, number: usize) -> bool {
        self.record.tags.last().is_some_and(|tag| tag.at_line == number)
    }

    fn is_empty(&self) -> bool {
        !self.in_moves && self.record.tags.is_empty()
    }

    /// The moves that are being added to.
    fn line(&mut self) -> &mut Line {
        self.open.last_mut().map_or(&mut self.record.line, |(_, line)| line)
    }

    /// Takes in one line of text; records that it completes go to `ready`.
    fn feed(&mut self, text: &str, number: usize, ready: &mut VecDeque<Record>) -> Result<(), ReadError> {
        if text.starts_with('%') && self.comment.is_none() {
            return Ok(());
        }
        // The line of a tag that ends the moves before it is the next record's.
        if self.comment.is_some() || !self.in_moves || !begins_with_tag(text) {
            self.grow(text, number)?;
        }
        let mut cursor = Cursor::at(text, (number, 1));
        loop {
            if self.comment.is_some() {
                self.continue_comment(&mut cursor);
            }
            cursor.skip_blanks();
            let Some(first) = cursor.peek() else { return Ok(()) };
            if first == '[' && self.in_moves {
                ready.extend(self.take().finish()?);
                self.grow(cursor.rest(), number)?;
            }
            if self.is_empty() {
                self.record.at_line = number;
            }
            if first == '[' {
                self.tag(&mut cursor)?;
            } else {
                self.token(&mut cursor, ready)?;
            }
        }
    }

    fn tag(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let (at_line, _) = cursor.place();
        cursor.expect('[')?;
        cursor.skip_blanks();
        let name = cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(cursor.error("the tag's name"));
        }
        cursor.skip_blanks();
        if !cursor.eat('"') {
            return Err(cursor.error(format!("the value of tag {name} in quotes")));
        }
        let mut value = String::new();
        loop {
            match cursor.peek() {
                None => {
                    return Err(cursor.error_at("'\"' at the end of the tag's value", "the end of the line"));
                }
                Some('"') => break,
                Some('\\') => {
                    cursor.next();
                    value.extend(cursor.peek().map(in_a_tag));
                }
                Some(c) => value.push(in_a_tag(c)),
            }
            cursor.next();
        }
        cursor.next();
        cursor.skip_blanks();
        cursor.expect(']')?;
        self.record.tags.push(Tag { name: name.to_string(), value, at_line });
        Ok(())
    }

    fn continue_comment(&mut self, cursor: &mut Cursor<'_>) {
        let Some((place, mut text)) = self.comment.take() else { return };
        if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(cursor.take_while(|c| c != '}').trim_start());
        if cursor.eat('}') {
            self.add_comment(text.trim());
        } else {
            text.truncate(text.trim_end().len());
            self.comment = Some((place, text));
        }
    }

    fn add_comment(&mut self, text: &str) {
        let line = self.line();
        let comments = line.plies.last_mut().map_or(&mut line.comments, |ply| &mut ply.comments);
        comments.push(text.to_string());
    }

    fn token(&mut self, cursor: &mut Cursor<'_>, ready: &mut VecDeque<Record>) -> Result<(), ReadError> {
        let place = cursor.place();
        match cursor.peek() {
            Some('{') => {
                cursor.next();
                self.comment = Some((place, String::new()));
                self.in_moves |= !self.is_beside_tag(place.0);
                return Ok(());
            }
            Some(';') => {
                cursor.next();
                let text = cursor.take_while(|_| true).trim();
                self.in_moves |= !self.is_beside_tag(place.0);
                self.add_comment(text);
                return Ok(());
            }
            Some('(') => self.open_variation(cursor)?,
            Some(')') if !self.open.is_empty() => {
                cursor.next();
                self.close_variation();
            }
            Some('$') => {
                cursor.next();
                let glyph = cursor.number("a glyph's number", 255)?;
                self.glyph(cursor, glyph as u8)?;
            }
            Some('!' | '?') => self.suffix(cursor)?,
            _ => return self.word(cursor, ready),
        }
        self.in_moves = true;
        Ok(())
    }

    fn open_variation(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        let place = cursor.place();
        if self.line().plies.is_empty() {
            return Err(cursor.error("a move before the variation").into());
        }
        if self.open.len() == MAX_NESTING {
            let error = cursor.error(format!("at most {MAX_NESTING} variations within each other"));
            return Err(ReadError::Limit(Limit::Nesting(MAX_NESTING), error));
        }
        cursor.next();
        self.open.push((place, Line::default()));
        Ok(())
    }

    fn close_variation(&mut self) {
        if let Some((_, variation)) = self.open.pop()
            && variation != Line::default()
            && let Some(ply) = self.line().plies.last_mut()
        {
            ply.variations.push(variation);
        }
    }

    fn glyph(&mut self, cursor: &Cursor<'_>, glyph: u8) -> Result<(), ParseError> {
        match self.line().plies.last_mut() {
            Some(ply) => ply.glyphs.push(glyph),
            None => return Err(cursor.error_at("a move before the glyph", format!("${glyph}"))),
        }
        Ok(())
    }

    /// `!`, `?` and their pairs.
    fn suffix(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let before = cursor.clone();
        let marks = cursor.take_while(|c| matches!(c, '!' | '?'));
        let glyph = SUFFIXES.iter().position(|suffix| *suffix == marks);
        match glyph {
            Some(glyph) => self.glyph(&before, glyph as u8 + 1),
            None => Err(before.error_at("one of ! ? !! ?? !? ?!", quoted(marks))),
        }
    }

    /// A result, a move number, or a move.
    fn word(&mut self, cursor: &mut Cursor<'_>, ready: &mut VecDeque<Record>) -> Result<(), ReadError> {
        let before = cursor.clone();
        let word = cursor.clone().take_while(|c| !c.is_whitespace() && !"{}()[];$!?".contains(c));
        if let Some(result) = GameResult::parse(word) {
            cursor.take_while(|c| !c.is_whitespace() && !"{}()[];$!?".contains(c));
            return Ok(self.result(&before, result, ready)?);
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(self.number(cursor, ready)?);
        }
        // What no notation can have in a move is not taken for one.
        let looks_right = word.chars().any(|c| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if !looks_right {
            let found = if word.is_empty() { before.error("").found } else { quoted(word) };
            return Err(before.error_at("a move, a comment, a variation or a result", found).into());
        }
        cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        self.in_moves = true;
        self.moves += 1;
        let most = self.limits.moves;
        if self.moves > most {
            let error = before.error_at(format!("a record of at most {most} moves"), "another one");
            return Err(ReadError::Limit(Limit::Moves(most), error));
        }
        self.line().plies.push(Ply { text: word.to_string(), place: before.place(), ..Ply::default() });
        Ok(())
    }

    /// A move's number and its dots. A first move after others begins another record: some files leave out
    /// both the result and the tags.
    fn number(&mut self, cursor: &mut Cursor<'_>, ready: &mut VecDeque<Record>) -> Result<(), ParseError> {
        let at_line = cursor.place().0;
        let number = cursor.number("a move number", 99_999)?;
        let dots = cursor.take_while(|c| c == '.').len();
        if number == 1 && dots == 1 && self.open.is_empty() && self.record.line.plies.len() > 1 {
            ready.extend(self.take().finish()?);
            self.record.at_line = at_line;
        }
        self.in_moves = true;
        Ok(())
    }

    fn result(
        &mut self,
        at: &Cursor<'_>,
        result: GameResult,
        ready: &mut VecDeque<Record>,
    ) -> Result<(), ParseError> {
        if !self.open.is_empty() {
            // Some writers end variations with a result; it says nothing about the game.
            return if result == GameResult::Unknown {
                Ok(())
            } else {
                Err(at.error("')' before the result"))
            };
        }
        let mut record = self.take().record;
        record.result = result;
        ready.push_back(record);
        Ok(())
    }

    /// The record so far, as the stream or the next record's tags end it.
    fn finish(self) -> Result<Option<Record>, ParseError> {
        if let Some((place, _)) = self.comment {
            return Err(ParseError::new("'}' to close the comment", "the end of the file", place));
        }
        if let Some((place, _)) = self.open.first() {
            return Err(ParseError::new("')' to close the variation", "the end of the file", *place));
        }
        if self.record.tags.is_empty() && !self.in_moves {
            return Ok(None);
        }
        let mut record = self.record;
        record.result = record.tag("Result").and_then(GameResult::parse).unwrap_or_default();
        // A comment alone is not a game.
        Ok((!record.tags.is_empty() || !record.line.plies.is_empty()).then_some(record))
    }
}

//! Writes a record as text, in lines of at most eighty characters.

use std::fmt;

use super::{Line, Record};
use crate::color::Color;

/// The glyphs 1 to 6 as people write them.
pub(super) const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
const WIDTH: usize = 80;

/// A tag's value stands on one line: control characters, line ends among them, are blanks to reader and writer alike.
pub(super) fn in_a_tag(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for tag in &self.tags {
            let value: String = tag.value.chars().map(in_a_tag).collect();
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{} \"{value}\"]", tag.name)?;
        }
        writeln!(f)?;
        let first = self.start().map_or(0, |start| start.ply().into());
        let mut words = Words::default();
        words.line(&self.line, first);
        words.push(&self.result.to_string());
        writeln!(f, "{}", words.text)
    }
}

/// Words with blanks and line ends between them.
#[derive(Default)]
struct Words {
    text: String,
    /// The characters of the last line.
    width: usize,
    /// Put before the next word, without a blank after it.
    glue: String,
}

impl Words {
    fn push(&mut self, word: &str) {
        let glue = std::mem::take(&mut self.glue);
        let length = glue.chars().count() + word.chars().count();
        if self.width > 0 && self.width + 1 + length > WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(&glue);
        self.text.push_str(word);
        self.width += length;
    }

    /// Puts a mark right behind the last word.
    fn close(&mut self, mark: char) {
        self.text.push(mark);
        self.width += 1;
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let text = comment.replace('}', ")");
            self.glue.push('{');
            for word in text.split_whitespace() {
                self.push(word);
            }
            if text.trim().is_empty() {
                self.push("");
            }
            self.close('}');
        }
    }

    /// The first glyph as a mark behind the move if it has one, the others by number.
    fn glyphs(&mut self, glyphs: &[u8]) {
        for (i, &glyph) in glyphs.iter().enumerate() {
            match SUFFIXES.get(usize::from(glyph).wrapping_sub(1)) {
                Some(suffix) if i == 0 => suffix.chars().for_each(|c| self.close(c)),
                _ => self.push(&format!("${glyph}")),
            }
        }
    }

    /// A line's moves, the first of them at this ply. A number stands before each of Black's moves, and before
    /// White's where something stands between.
    fn line(&mut self, line: &Line, first: usize) {
        self.comments(&line.comments);
        let mut interrupted = true;
        for (ply, written) in (first..).zip(&line.plies) {
            let (number, text) = (ply / 2 + 1, &written.text);
            if ply % 2 == Color::Black.index() {
                self.push(&format!("{number}. {text}"));
            } else if interrupted {
                self.push(&format!("{number}... {text}"));
            } else {
                self.push(text);
            }
            self.glyphs(&written.glyphs);
            self.comments(&written.comments);
            interrupted = !written.comments.is_empty();
            for variation in written.variations.iter().filter(|variation| **variation != Line::default()) {
                self.glue.push('(');
                self.line(variation, ply);
                self.close(')');
                interrupted = true;
            }
        }
    }
}

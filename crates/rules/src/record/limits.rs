//! How large a record may be.

/// What a record may have at most. A larger one is refused while it is being read, before it is in memory.
///
/// ```
/// use sumito_rules::record::{Reader, RecordLimits};
/// let limits = RecordLimits { moves: 2, ..RecordLimits::default() };
/// let mut games = Reader::new("1. a1b2 i5h5 2. a2b3 *\n\n[Black \"x\"]\n\n1. a1b2 *".as_bytes()).with_limits(limits);
/// assert!(games.next().expect("a record").is_err());
/// assert!(games.next().expect("the next one").is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLimits {
    /// Bytes of a line of text.
    pub line: usize,
    /// Bytes of a record's text, without blanks around lines.
    pub bytes: usize,
    /// Moves, those of variations included.
    pub moves: usize,
}

/// A limit that a record was beyond, and what it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of a line of text.
    Line(usize),
    /// Bytes of a record's text.
    Bytes(usize),
    /// Moves, those of variations included.
    Moves(usize),
    /// Variations within each other.
    Nesting(usize),
}

impl Default for RecordLimits {
    /// Lines of up to a megabyte, and as many of them as there are.
    fn default() -> RecordLimits {
        RecordLimits { line: 1 << 20, bytes: usize::MAX, moves: usize::MAX }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::{BufReader, Read};

    use super::*;
    use crate::record::{MAX_NESTING, ReadError, Reader};

    /// A game without an end, as long as someone reads it.
    struct Endless<'a>(&'a Cell<usize>, &'static [u8]);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let read = self.0.get();
            for (at, byte) in buffer.iter_mut().enumerate() {
                *byte = self.1[(read + at) % self.1.len()];
            }
            self.0.set(read + buffer.len());
            Ok(buffer.len())
        }
    }

    const SMALL: RecordLimits = RecordLimits { line: 1000, bytes: 5000, moves: 300 };

    #[test]
    fn a_record_beyond_a_limit_is_refused_before_it_is_read_to_its_end() {
        for (text, limit, expected) in [
            (&b"a1b2 i5h5\n"[..], Limit::Moves(300), "at most 300 moves"),
            (b"a1b2 (1. a1b2)\n", Limit::Moves(300), "at most 300 moves"),
            (b"a1b2 (\n", Limit::Nesting(MAX_NESTING), "at most 64 variations"),
            (b"{a comment that goes on and on\n", Limit::Bytes(5000), "at most 5000 bytes"),
            (b"[Name \"value\"]\n", Limit::Bytes(5000), "at most 5000 bytes"),
            (b"a1b2 ", Limit::Line(1000), "less than 1000 bytes"),
        ] {
            let read = Cell::new(0);
            let mut records = Reader::new(BufReader::new(Endless(&read, text))).with_limits(SMALL);
            let error = records.next().expect("an answer").expect_err("too long");
            assert!(error.to_string().contains(expected), "{error}");
            assert!(matches!(error, ReadError::Limit(found, _) if found == limit), "{error:?}");
            // A buffer of the stream may be read ahead.
            assert!(read.get() <= SMALL.bytes + 3 * 8192, "{} bytes were read", read.get());
        }
    }

    #[test]
    fn limits_hold_for_each_record_and_the_next_one_is_read_after_one_that_is_refused() {
        let long = format!("[Event \"long\"]\n\n{}*\n\n", "a1b2 i5h5\n".repeat(200));
        let short = format!("[Event \"short\"]\n\n{}*\n\n", "a1b2 i5h5\n".repeat(140));
        let text = [&short, &long, &short, &short, &"\n".repeat(9000), &short].map(String::as_str).concat();
        let read: Vec<bool> =
            Reader::new(text.as_bytes()).with_limits(SMALL).map(|record| record.is_ok()).collect();
        assert_eq!(read, [true, false, true, true, true]);
        assert!(Reader::new(text.as_bytes()).all(|record| record.is_ok()), "without limits all are read");
    }
}

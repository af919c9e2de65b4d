//! Lines of limited length, for whoever reads what somebody else writes: a line without an end must not fill the memory.

use std::io::{self, BufRead};

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A line, the last one perhaps without its end.
    Line,
    /// More than a line may have; its first part is there, the rest is still to be read.
    TooLong,
    /// Nothing more.
    End,
}

/// Reads the next line, with its end, in place of what is in `line`. Without its end it has at most `longest` bytes.
///
/// ```
/// use sumito_agents::lines::{Found, read_line, skip_line};
/// let (mut input, mut line) = (&b"short\na longer one\nend"[..], Vec::new());
/// let mut next = |input: &mut _| read_line(input, &mut line, 5).expect("memory can be read");
/// assert_eq!(next(&mut input), Found::Line);
/// assert_eq!(next(&mut input), Found::TooLong);
/// skip_line(&mut input).expect("memory can be read");
/// assert_eq!([next(&mut input), next(&mut input)], [Found::Line, Found::End]);
/// ```
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<Found> {
    line.clear();
    let read = io::Read::take(&mut *input, longest as u64 + 1).read_until(b'\n', line)?;
    Ok(match read {
        0 => Found::End,
        _ if read > longest && !line.ends_with(b"\n") => Found::TooLong,
        _ => Found::Line,
    })
}

/// Reads on to the end of a line without keeping it.
pub fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let part = input.fill_buf()?;
        let end = part.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(part.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

/// What is wrong with a line that is too long.
pub fn too_long(longest: usize) -> String {
    format!("expected lines of at most {longest} bytes, found a longer one")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in an input, with the lines' lengths.
    fn all(mut input: &[u8], longest: usize) -> Vec<(Found, usize)> {
        let (mut found, mut line) = (Vec::new(), Vec::new());
        loop {
            let next = read_line(&mut input, &mut line, longest).expect("memory can be read");
            if next == Found::End {
                return found;
            }
            found.push((next, line.len()));
            if next == Found::TooLong {
                skip_line(&mut input).expect("memory can be read");
            }
        }
    }

    #[test]
    fn a_line_may_have_exactly_the_bytes_allowed() {
        assert_eq!(all(b"123\n", 3), [(Found::Line, 4)]);
        assert_eq!(all(b"123", 3), [(Found::Line, 3)]);
        assert_eq!(all(b"1234\n", 3), [(Found::TooLong, 4)]);
        assert_eq!(all(b"1234", 3), [(Found::TooLong, 4)]);
        assert_eq!(all(b"\n\n", 0), [(Found::Line, 1); 2]);
    }

    #[test]
    fn the_line_after_one_that_is_too_long_is_heard() {
        assert_eq!(all(b"1234567890\nab\n", 3), [(Found::TooLong, 4), (Found::Line, 3)]);
    }
}

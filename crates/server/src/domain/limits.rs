//! How large a game from outside may be, in a file to import or in a text that someone pastes.

use sumito_rules::record::{Line, Record, RecordLimits};

use super::error::{AppError, Cause};

/// What is refused before it is in memory. The longest reviewed games have a fifth of this.
pub(crate) const RECORD: RecordLimits = RecordLimits { line: 256 << 10, bytes: 256 << 10, moves: MOST_NODES };
/// The most moves of a game with all its variations: what is made of them for the analysis board is some megabytes.
pub(crate) const MOST_NODES: usize = 20_000;
/// The most moves of a game without them.
const MOST_PLIES: usize = 5000;
/// The most tags, and the most letters of their names and values.
const MOST_TAGS: usize = 64;
const LONGEST_TAG: usize = 64;
const LONGEST_VALUE: usize = 1000;
/// The most letters of a player's name.
const LONGEST_NAME: usize = 200;
/// The most letters of a comment.
const LONGEST_COMMENT: usize = 10_000;

/// Says what is too large about a record, if something is.
pub(crate) fn check(record: &Record) -> Result<(), AppError> {
    let most = |part: &'static str, what: &str, most: usize, found: usize| {
        let error = || AppError::from(Cause::RecordTooLarge { part, most, found });
        let message = || format!("expected at most {most} {what}, found {found}");
        if found <= most { Ok(()) } else { Err(error().saying(message())) }
    };
    most("moves", "moves", MOST_PLIES, record.line.plies.len())?;
    most("tags", "tags", MOST_TAGS, record.tags.len())?;
    for tag in &record.tags {
        let shown: String = tag.name.chars().take(LONGEST_TAG).collect();
        let what = format!("letters in the tag's name {shown}");
        most("tag-name", &what, LONGEST_TAG, tag.name.chars().count())?;
        let is_player = ["Black", "White"].contains(&tag.name.as_str());
        let limit = if is_player { LONGEST_NAME } else { LONGEST_VALUE };
        most("tag", &format!("letters in the tag {shown}"), limit, tag.value.chars().count())?;
    }
    most("comment", "letters in a comment", LONGEST_COMMENT, longest_comment(&record.line))
}

/// The longest comment of a line and its variations. A record's nesting is bounded, and so is the recursion.
fn longest_comment(line: &Line) -> usize {
    let longest = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let plies = line.plies.iter().map(|ply| {
        let deeper = ply.variations.iter().map(longest_comment).max().unwrap_or(0);
        deeper.max(longest(&ply.comments))
    });
    plies.max().unwrap_or(0).max(longest(&line.comments))
}

/// How many moves a line has with its variations.
pub(crate) fn nodes(line: &Line) -> usize {
    let plies = line.plies.iter().map(|ply| 1 + ply.variations.iter().map(nodes).sum::<usize>());
    plies.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::record::Reader;

    fn told(text: &str) -> String {
        let record = Reader::new(text.as_bytes()).with_limits(RECORD).next().expect("a record");
        match record {
            Ok(record) => check(&record).err().map_or(String::new(), |error| error.to_string()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_game_that_is_too_large_is_refused_with_what_is_too_large_about_it() {
        let moves = |count: usize| format!("1. {}*", "a1b2 i5h5\n".repeat(count / 2));
        let long = |count: usize| "x".repeat(count);
        for (text, expected) in [
            (moves(MOST_PLIES), ""),
            (moves(MOST_PLIES + 2), "expected at most 5000 moves, found 5002"),
            (moves(4_000_000), "expected a record of at most 20000 moves"),
            (format!("1. a1b2 {}*", "(1. a2b3)\n".repeat(MOST_NODES)), "at most 20000 moves"),
            (format!("[Black \"{}\"]\n\n1. a1b2 *", long(LONGEST_NAME)), ""),
            (
                format!("[Black \"{}\"]\n\n1. a1b2 *", long(201)),
                "at most 200 letters in the tag Black, found 201",
            ),
            (format!("[Event \"{}\"]\n\n1. a1b2 *", long(1001)), "at most 1000 letters in the tag Event"),
            (format!("[{} \"x\"]\n\n1. a1b2 *", long(65)), "at most 64 letters in the tag's name xxx"),
            (format!("{}\n1. a1b2 *", "[A \"x\"]\n".repeat(65)), "at most 64 tags, found 65"),
            (format!("1. a1b2 {{{}}} *", long(10_001)), "at most 10000 letters in a comment"),
            (format!("1. a1b2 (1. a2b3 {{{}}}) *", long(10_001)), "at most 10000 letters in a comment"),
            (format!("1. a1b2 {} *", "{comment}\n".repeat(40_000)), "a record of at most 262144 bytes"),
        ] {
            let why = told(&text);
            assert!(why.contains(expected) && why.is_empty() == expected.is_empty(), "{expected}: {why}");
        }
    }

    #[test]
    fn moves_of_variations_count() {
        let record = Reader::new("1. a1b2 (1. a2b3 i5h5 (1... i6h5)) i5h5 *".as_bytes()).next();
        assert_eq!(nodes(&record.expect("a record").expect("well formed").line), 5);
    }
}

//! The table of all numbers that are quoted from the papers, `experiments/definitions/quoted.tsv`. A definition names them
//! `quoted.KEY`: in texts they stand as the paper prints them, in checks and pictures as numbers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sumito_agents::spelling::suggestion;

use super::paper::Paper;

/// What a key begins with where a definition names it.
pub(super) const PREFIX: &str = "quoted.";
/// The columns of the table.
const COLUMNS: [&str; 5] = ["key", "value", "document", "place", "fragment"];
/// A fragment shows where a number stands, and is no sentence.
const MOST_WORDS: usize = 12;

/// A number that a paper states.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedNumber {
    /// What definitions call it.
    pub key: String,
    /// As it is printed.
    pub printed: String,
    /// As a number; a score such as `244-98` is none.
    pub value: Option<f64>,
    /// The key of its document.
    pub document: String,
    /// The section, table or figure.
    pub place: String,
    /// A few words as they stand in the paper, among them the number.
    pub fragment: String,
}

/// A line of the table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("quoted.tsv, line {line}: {why}")]
pub struct QuotedError {
    /// Which line, from 1.
    pub line: usize,
    /// What was expected, and what is there.
    pub why: String,
}

/// The numbers by key.
pub type QuotedTable = BTreeMap<String, QuotedNumber>;

/// Reads a table: a line of column names, then a number in each line, with tabs between the columns. Empty lines and
/// those that begin with `#` say nothing.
pub fn parse(text: &str) -> Result<QuotedTable, QuotedError> {
    let mut table = QuotedTable::new();
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let error = |line: usize, why: String| QuotedError { line, why };
    match lines.next() {
        Some((_, head)) if head.split('\t').eq(COLUMNS) => {}
        Some((at, head)) => {
            return Err(error(at, format!("expected the columns {}, found '{head}'", COLUMNS.join(", "))));
        }
        None => return Err(error(1, format!("expected the columns {}, found nothing", COLUMNS.join(", ")))),
    }
    for (at, line) in lines {
        let number = QuotedNumber::parse(line).map_err(|why| error(at, why))?;
        if table.contains_key(&number.key) {
            return Err(error(at, format!("expected every key once, found '{}' again", number.key)));
        }
        table.insert(number.key.clone(), number);
    }
    Ok(table)
}

/// The table that comes with the program.
pub fn quoted() -> &'static QuotedTable {
    static TABLE: LazyLock<QuotedTable> =
        LazyLock::new(|| parse(&sumito_experiments::quoted()).expect("a test reads the table"));
    &TABLE
}

/// The number of a name that begins with `quoted.`.
pub(super) fn named(name: &str) -> Option<&'static QuotedNumber> {
    quoted().get(name.strip_prefix(PREFIX)?)
}

/// The names in the text of a definition that begin with `quoted.`, each with its line.
pub(super) fn names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(at, line)| {
        line.match_indices(PREFIX).map(move |(start, _)| {
            let rest = &line[start..];
            let end = rest.find(|c: char| !is_part_of_key(c) && c != '.').unwrap_or(rest.len());
            (at + 1, rest[..end].trim_end_matches('.'))
        })
    })
}

/// Refuses a definition that names a number which is not in the table.
pub(super) fn check(text: &str) -> Result<(), String> {
    for (line, name) in names(text) {
        if named(name).is_none() {
            let keys: Vec<&str> = quoted().keys().map(String::as_str).collect();
            let key = &name[PREFIX.len()..];
            return Err(format!(
                "line {line}: expected a key of quoted.tsv, found '{key}' ({})",
                suggestion(key, &keys)
            ));
        }
    }
    Ok(())
}

impl QuotedNumber {
    fn parse(line: &str) -> Result<QuotedNumber, String> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [key, printed, document, place, fragment] = cells[..] else {
            return Err(format!(
                "expected {} columns with tabs between them, found {}",
                COLUMNS.len(),
                cells.len()
            ));
        };
        if key.is_empty() || !key.chars().all(is_part_of_key) {
            return Err(format!("expected a key of small letters, digits and hyphens, found '{key}'"));
        }
        let value = number(printed);
        if value.is_none() && !printed.contains(|c: char| c.is_ascii_digit()) {
            return Err(format!("expected a number or a score as printed, found '{printed}'"));
        }
        let papers: Vec<&str> =
            Paper::ALL.iter().map(|paper| paper.key).filter(|key| *key != "ours").collect();
        if !papers.contains(&document) {
            return Err(format!("expected a document ({}), found '{document}'", papers.join(", ")));
        }
        if place.is_empty() {
            return Err("expected a place: a section, table or figure".to_string());
        }
        if !fragment.contains(printed) || fragment.split_whitespace().count() > MOST_WORDS {
            return Err(format!(
                "expected a fragment of at most {MOST_WORDS} words with '{printed}' in it, found '{fragment}'"
            ));
        }
        let [key, printed, document, place, fragment] =
            [key, printed, document, place, fragment].map(str::to_string);
        Ok(QuotedNumber { key, printed, value, document, place, fragment })
    }
}

fn is_part_of_key(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
}

/// Numbers that papers print as words.
const WORDS: [(&str, f64); 12] = [
    ("half", 0.5),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("tenfold", 10.0),
    ("twenty", 20.0),
];

/// A number as papers print it: `1,098` has a comma between thousands, `0,1` one before the fraction; or a word.
fn number(printed: &str) -> Option<f64> {
    if let Some((_, value)) = WORDS.iter().find(|(word, _)| *word == printed) {
        return Some(*value);
    }
    let is_thousands = |part: &str| part.len() == 3 && part.chars().all(|c| c.is_ascii_digit());
    let mut parts = printed.split(',');
    let first = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let is_grouped =
        first != "0" && rest.iter().all(|part| is_thousands(part.split('.').next().unwrap_or(part)));
    let text = if is_grouped { printed.replace(',', "") } else { printed.replace(',', ".") };
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "key\tvalue\tdocument\tplace\tfragment\n";

    fn refusal(lines: &str) -> String {
        parse(&format!("{HEAD}{lines}")).expect_err("refused").to_string()
    }

    #[test]
    fn a_number_is_read_with_its_place() {
        let line = "bcit-actions\t1,098\tbcit\tsection 1.5.2\tthere are 1,098 actions\n";
        let table = parse(&format!("# A comment\n\n{HEAD}{line}")).expect("a table");
        let number = &table["bcit-actions"];
        assert_eq!(
            (number.value, number.printed.as_str(), number.place.as_str()),
            (Some(1098.0), "1,098", "section 1.5.2")
        );
    }

    #[test]
    fn numbers_are_read_as_papers_print_them() {
        let printed = ["86", "9.6", ".21", "0,1", "1,098", "1,234,567", "12,5", "three"];
        let values = [86.0, 9.6, 0.21, 0.1, 1098.0, 1_234_567.0, 12.5, 3.0];
        assert_eq!(printed.map(number), values.map(Some));
        assert_eq!(["", "x", "1.2.3", "inf", "244-98"].map(number), [None; 5]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        assert_eq!(
            parse("key\tvalue\n").expect_err("refused").to_string(),
            "quoted.tsv, line 1: expected the columns key, value, document, place, fragment, found 'key\tvalue'"
        );
        assert!(refusal("a\t1\n").ends_with("line 2: expected 5 columns with tabs between them, found 2"));
        assert!(refusal("A b\t1\tbcit\ts\t1\n").contains("expected a key"));
        assert!(
            refusal("a\tmany\tbcit\ts\tmany\n")
                .contains("expected a number or a score as printed, found 'many'")
        );
        assert!(refusal("a\t1\tours\ts\t1\n").contains("expected a document (aba-pro, verloop"));
        assert!(refusal("a\t1\tbcit\t\t1\n").contains("expected a place"));
        assert!(refusal("a\t1\tbcit\ts\tnone here\n").contains("with '1' in it"));
    }

    #[test]
    fn a_key_stands_there_once() {
        let found = refusal("a\t1\tbcit\ts\t1\na\t2\tbcit\ts\t2\n");
        assert_eq!(found, "quoted.tsv, line 3: expected every key once, found 'a' again");
    }

    #[test]
    fn names_are_found_in_texts_and_checks() {
        let text = "paper = '{quoted.a-1} of {quoted.b}.'\ncheck = [{ value = 'x', near = \"quoted.c\" }]";
        let found: Vec<(usize, &str)> = names(text).collect();
        assert_eq!(found, [(1, "quoted.a-1"), (1, "quoted.b"), (2, "quoted.c")]);
    }

    #[test]
    fn the_table_of_the_program_is_readable() {
        let table = parse(&sumito_experiments::quoted()).expect("a good table");
        assert!(!table.is_empty());
    }
}

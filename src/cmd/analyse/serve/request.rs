//! A request as it comes in: one JSON object with the fields below, and no others.

use serde::Deserialize;
use serde_json::Value;
use sumito_rules::Notation;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verb {
    Analyse,
    Review,
    Stop,
    Cancel,
    Ping,
    Quit,
}

/// A request; what a verb does not need is absent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    #[serde(rename = "do")]
    pub(super) verb: Verb,
    #[serde(default, deserialize_with = "id")]
    pub(super) id: Option<Value>,
    pub(super) priority: Option<i32>,
    /// Whether reports on the way are wanted.
    #[serde(default)]
    pub(super) partial: bool,
    /// Whether everything is to be forgotten first, so that the answer depends on nothing before.
    #[serde(default)]
    pub(super) fresh: bool,
    pub(super) layout: Option<String>,
    /// A position in any format.
    pub(super) fen: Option<String>,
    /// A game record with start and moves.
    pub(super) apgn: Option<String>,
    pub(super) moves: Option<Moves>,
    pub(super) notation: Option<Notation>,
    pub(super) rules: Option<String>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) time_ms: Option<u64>,
    #[serde(default)]
    pub(super) infinite: bool,
    pub(super) mate: Option<u32>,
    pub(super) lines: Option<usize>,
    /// The moves to choose among.
    pub(super) only: Option<Moves>,
}

/// Moves as an array or as one text with blanks.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected moves: an array of strings, or one string with blanks between them")]
pub(super) enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Moves {
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Moves::List(list) => list.iter().map(String::as_str).collect(),
            Moves::Text(text) => text.split_whitespace().collect(),
        }
    }
}

impl Request {
    /// Reads a line, or says what was expected and where.
    pub(super) fn parse(line: &str) -> Result<Request, String> {
        serde_json::from_str(line).map_err(|error| {
            // It says line 1, whatever the line's number in the input.
            let text = error.to_string();
            let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
            format!(
                "expected a request such as {{\"do\":\"analyse\",\"id\":1}}; column {}: {what}",
                error.column()
            )
        })
    }
}

/// The id of a line that is no request, if it has one that can be told.
pub(super) fn id_of(line: &str) -> Value {
    let value: Value = serde_json::from_str(line).unwrap_or_default();
    value.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default()
}

fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_u64() || value.is_i64()
}

fn id<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    if !is_id(&value) {
        let why = format!("expected an id, a string or a whole number, found {value}");
        return Err(serde::de::Error::custom(why));
    }
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_a_list_or_a_text() {
        for line in [
            r#"{"do":"review","id":"x","moves":["a1b2","i5h5"]}"#,
            r#"{"do":"review","id":"x","moves":" a1b2  i5h5"}"#,
        ] {
            let request = Request::parse(line).expect("a request");
            assert_eq!(request.moves.expect("moves").texts(), ["a1b2", "i5h5"]);
        }
    }

    #[test]
    fn what_is_no_request_is_refused_with_what_was_expected() {
        for (line, expected) in [
            ("hello", "expected value"),
            ("{\"do\":\"analyse\"", "EOF"),
            ("[1]", "expected"),
            (r#"{"id":1}"#, "missing field `do`"),
            (r#"{"do":"dance"}"#, "expected one of `analyse`, `review`, `stop`, `cancel`, `ping`, `quit`"),
            (r#"{"do":"analyse","dept":3}"#, "unknown field `dept`, expected one of"),
            (r#"{"do":"analyse","depth":"x"}"#, "invalid type: string \"x\", expected u32"),
            (r#"{"do":"analyse","depth":-1}"#, "expected u32"),
            (r#"{"do":"analyse","id":[1]}"#, "expected an id, a string or a whole number, found [1]"),
            (r#"{"do":"analyse","id":null}"#, "found null"),
            (r#"{"do":"review","moves":7}"#, "expected moves: an array of strings"),
            (r#"{"do":"review","notation":"klingon"}"#, "expected one of `aba-pro`"),
        ] {
            let why = Request::parse(line).expect_err(line);
            assert!(why.contains(expected) && why.contains("column"), "{line}: {why}");
        }
    }

    #[test]
    fn the_id_of_a_bad_request_is_told_if_it_can_be() {
        assert_eq!(id_of(r#"{"id":"a","do":"dance"}"#), "a");
        assert_eq!(id_of(r#"{"id":7,"depth":"x"}"#), 7);
        assert_eq!(id_of(r#"{"id":{},"do":1}"#), Value::Null);
        assert_eq!(id_of("nonsense"), Value::Null);
    }
}

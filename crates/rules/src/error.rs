//! What can be wrong with a text: the one error of every parser here.

use std::fmt;

/// A text that could not be read: what was expected, what was found, and where.
///
/// ```
/// let wrong = "k5".parse::<sumito_rules::Cell>().expect_err("no such row");
/// assert_eq!((wrong.line, wrong.column), (1, 1));
/// assert!(wrong.to_string().starts_with("line 1, column 1: expected "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What a valid text would have had here.
    pub expected: String,
    /// What stood there instead.
    pub found: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl ParseError {
    /// An error at a place given as line and column, both from 1.
    pub fn new(
        expected: impl Into<String>,
        found: impl Into<String>,
        (line, column): (usize, usize),
    ) -> Self {
        ParseError { expected: expected.into(), found: found.into(), line, column }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { expected, found, line, column } = self;
        write!(f, "line {line}, column {column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for ParseError {}

/// Serialises a type by `Display` and `FromStr`.
#[cfg(feature = "serde")]
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
#[cfg(feature = "serde")]
pub(crate) use serde_as_text;

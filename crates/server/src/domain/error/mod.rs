//! The one error of the interface: a cause with its values, a message for people, and the field at fault.

mod cause;
mod rules;

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

#[cfg(test)]
pub(crate) use cause::ALL;
pub use cause::{Cause, Kind, Words};
pub(crate) use rules::{agent, illegal, position, record, unplayable, unreadable, word};

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct AppError {
    cause: Box<Cause>,
    /// The field of the request at fault.
    field: Option<String>,
    /// Another sentence than the cause's own, which says more.
    message: Option<String>,
    /// Seconds after which it is worth asking again.
    retry_after: Option<u32>,
}

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Fault {
    /// The code and its values.
    #[serde(flatten)]
    pub cause: Cause,
    /// What kind of trouble it is, which the status tells as well.
    pub kind: Kind,
    /// A sentence: what was expected, and what was found.
    pub message: String,
    /// The field of the request at fault.
    pub field: Option<String>,
}

/// The body of every answer that is an error.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: Fault,
}

impl From<Cause> for AppError {
    fn from(cause: Cause) -> AppError {
        let retry_after = match cause.kind() {
            Kind::TooMany => Some(1),
            Kind::Busy => Some(5),
            _ => None,
        };
        AppError { cause: Box::new(cause), field: None, message: None, retry_after }
    }
}

impl Cause {
    /// The error with the field at fault.
    #[must_use]
    pub(crate) fn at(self, field: impl Into<String>) -> AppError {
        AppError::from(self).at(field)
    }
}

impl AppError {
    /// A fault of ours.
    pub(crate) fn internal() -> AppError {
        Cause::Internal {}.into()
    }

    /// The same error with the field at fault.
    #[must_use]
    pub(crate) fn at(mut self, field: impl Into<String>) -> AppError {
        self.field = Some(field.into());
        self
    }

    /// The same error with a sentence that says more.
    #[must_use]
    pub(crate) fn saying(mut self, message: impl Into<String>) -> AppError {
        self.message = Some(message.into());
        self
    }

    /// The same error with the seconds after which it is worth asking again.
    #[must_use]
    pub(crate) fn retry_after(mut self, seconds: u32) -> AppError {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// Seconds after which it is worth asking again.
    pub(crate) fn seconds(&self) -> Option<u32> {
        self.retry_after
    }

    /// What kind of trouble it is.
    pub fn kind(&self) -> Kind {
        self.cause.kind()
    }

    /// What the client is told.
    pub fn fault(&self) -> Fault {
        Fault {
            cause: (*self.cause).clone(),
            kind: self.kind(),
            message: self.to_string(),
            field: self.field.clone(),
        }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => f.write_str(message),
            None => self.cause.fmt(f),
        }
    }
}

impl std::error::Error for AppError {}

/// Refuses a number that is not between two others.
pub(crate) fn within(field: &str, value: impl TryInto<u64>, least: u64, most: u64) -> Result<(), AppError> {
    let found = value.try_into().unwrap_or(u64::MAX);
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(Cause::NumberRange { least, most, found }.at(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_comes_with_its_values_and_the_rest() {
        let error = Cause::PlyStale { expected: 3, found: 1 }.at("ply");
        assert_eq!(
            serde_json::to_value(error.fault()).expect("plain data"),
            serde_json::json!({
                "code": "ply.stale", "values": { "expected": 3, "found": 1 }, "kind": "conflict", "field": "ply",
                "message": "expected 3, the moves played so far, found 1",
            })
        );
        let error = AppError::internal();
        assert_eq!(serde_json::to_value(error.fault()).expect("plain data")["values"], serde_json::json!({}));
    }

    /// The table in `docs/api.md` is this list.
    #[test]
    fn the_guide_has_every_code_with_its_values() {
        let guide = include_str!("../../../../../docs/api.md");
        let rows = cause::ALL.iter().map(|(code, kind, values, message)| {
            let values: Vec<String> = values.iter().map(|name| format!("`{name}`")).collect();
            format!("| `{code}` | {} | {} | {message} |\n", kind.status(), values.join(", "))
        });
        let table: String = rows.collect();
        assert!(guide.contains(&table), "expected this table in docs/api.md:\n{table}");
    }
}

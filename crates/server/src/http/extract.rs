//! Bodies, queries and paths of requests, read so that an error names the field.

use std::convert::Infallible;

use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRef, FromRequest, FromRequestParts, Path, Request};
use axum::http::header;
use axum::http::request::Parts;
use http_body_util::BodyExt;
use serde::Deserializer;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::domain::error::{AppError, Cause};
use crate::door::Door;
use crate::door::admit::SMALL;
use crate::door::caller::caller;

/// A body in JSON. No body at all counts as an empty object.
pub(crate) struct Body<T>(pub(crate) T);

/// A query string. A parameter without a value counts as absent.
pub(crate) struct QueryParams<T>(pub(crate) T);

/// The id in a path. One that is no text is that of nothing, as the empty one.
pub(crate) struct PathId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let id = Path::<String>::from_request_parts(parts, state).await;
        Ok(PathId(id.map(|Path(id)| id).unwrap_or_default()))
    }
}

/// Reads a body of at most so many bytes.
pub(crate) async fn read(request: Request, limit: usize) -> Result<Bytes, AppError> {
    let told = length(&request);
    if told.is_some_and(|told| told > limit) {
        return Err(Cause::BodyTooLarge { most: limit }.at("body"));
    }
    let mut body = request.into_body();
    // Each part is let go when it has been copied: a list of all parts takes twice the memory.
    let mut bytes = Vec::with_capacity(told.unwrap_or_default());
    while let Some(frame) = body.frame().await {
        let early = |error| Cause::BodyCut {}.at("body").saying(format!("the body ended too early: {error}"));
        let Ok(data) = frame.map_err(early)?.into_data() else { continue };
        if bytes.len() + data.len() > limit {
            return Err(Cause::BodyTooLarge { most: limit }.at("body"));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// How long a body is, if its client says so.
fn length(request: &Request) -> Option<usize> {
    request.body().size_hint().upper().map(|length| length as usize)
}

/// The type of a body without its parameters, in small letters; empty if there is none.
pub(crate) fn media_type(request: &Request) -> String {
    let value = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase()
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T>
where
    Door: FromRef<S>,
{
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        let door = Door::from_ref(state);
        let (kind, limit) = (media_type(&request), door.config.body_bytes);
        let longest = length(&request).unwrap_or(limit).min(limit);
        let client = caller(request.headers(), request.extensions(), &door.config);
        // A long body is counted while it comes in and is read: it may come slowly.
        let _held = match longest {
            0..=SMALL => None,
            _ => Some(door.shares.bytes.take(client, longest)?),
        };
        let bytes = read(request, limit).await?;
        if !bytes.is_empty() && kind != "application/json" {
            return Err(Cause::BodyType { expected: "application/json" }.at("content-type"));
        }
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        json(text).map(Body)
    }
}

/// Reads JSON; an error names the field.
pub(crate) fn json<T: DeserializeOwned>(text: &[u8]) -> Result<T, AppError> {
    strict(text).or_else(|error| {
        // In JSON 7.0 is a whole number, too.
        let mut value: Value = serde_json::from_slice(text).unwrap_or_default();
        if whole(&mut value) { named(value).or(Err(error)) } else { Err(error) }
    })
}

/// Writes whole numbers without a point; says whether there was one.
fn whole(value: &mut Value) -> bool {
    /// Up to here a number with a point says which whole number it is.
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        Value::Array(items) => items.iter_mut().fold(false, |found, item| whole(item) | found),
        Value::Object(fields) => fields.values_mut().fold(false, |found, field| whole(field) | found),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
                *value = Value::from(float as i64);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn strict<T: DeserializeOwned>(text: &[u8]) -> Result<T, AppError> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = named(&mut reader)?;
    reader.end().map_err(|error| unreadable("", &error.to_string(), "body"))?;
    Ok(value)
}

/// Reads a message: what its `type` says it is, and the rest of it for [`named`].
///
/// In two steps because a reader that chooses by a tag no longer knows where in the text it is.
pub(crate) fn message(text: &str) -> Result<(String, Value), AppError> {
    let mut fields: Map<String, Value> = json(text.as_bytes())?;
    match fields.remove("type") {
        Some(Value::String(kind)) => Ok((kind, Value::Object(fields))),
        Some(other) => Err(unreadable("type", &format!("expected a text, found {other}"), "body")),
        None => Err(unreadable("", "missing field `type`", "body")),
    }
}

/// Reads from anything in the shape of JSON; an error names the field.
pub(crate) fn named<'de, T: DeserializeOwned>(
    reader: impl Deserializer<'de, Error = serde_json::Error>,
) -> Result<T, AppError> {
    serde_path_to_error::deserialize(reader)
        .map_err(|error| unreadable(&error.path().to_string(), &error.inner().to_string(), "body"))
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        query(parts.uri.query().unwrap_or_default()).map(QueryParams)
    }
}

/// Reads a query string; an error names the parameter.
fn query<T: DeserializeOwned>(text: &str) -> Result<T, AppError> {
    let whole = |error: &dyn std::fmt::Display| unreadable("", &error.to_string(), "query");
    let pairs: Vec<(String, String)> =
        serde_urlencoded::from_str(text).map_err(|error: serde_urlencoded::de::Error| whole(&error))?;
    let given: Vec<_> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let text = serde_urlencoded::to_string(given).map_err(|error| whole(&error))?;
    let pairs = form_urlencoded::parse(text.as_bytes());
    serde_path_to_error::deserialize(serde_urlencoded::Deserializer::new(pairs))
        .map_err(|error| unreadable(&error.path().to_string(), &error.inner().to_string(), "query"))
}

/// The error for something that cannot be read: the reader tells the path to it, and in its message what is missing,
/// unknown or there twice.
fn unreadable(path: &str, message: &str, whole: &str) -> AppError {
    let name = |start: &str| {
        let name = message.split_once(start)?.1.split('`').next()?;
        Some(name.to_string()).filter(|name| !name.is_empty())
    };
    let (cause, named) = if let Some(name) = name("missing field `") {
        (Cause::FieldMissing { name: name.clone() }, Some(name))
    } else if let Some(name) = name("unknown field `") {
        (Cause::FieldUnknown { name: name.clone() }, Some(name))
    } else if let Some(name) = name("duplicate field `") {
        (Cause::FieldTwice { name: name.clone() }, Some(name))
    } else {
        let expected = message.split_once("expected ").map_or(message, |(_, expected)| expected);
        (Cause::FieldType { expected: expected.to_string() }, None)
    };
    cause.at(field(path, named.as_deref(), whole)).saying(message)
}

/// The name of the field at fault.
fn field(path: &str, named: Option<&str>, whole: &str) -> String {
    let path = path.trim_matches('.');
    match named {
        Some(name) if path.is_empty() || path == "?" => name.to_string(),
        // For unknown fields the path ends with their name already.
        Some(name) if path == name || path.ends_with(&format!(".{name}")) => path.to_string(),
        Some(name) => format!("{path}.{name}"),
        None if path.is_empty() || path == "?" => whole.to_string(),
        None => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        ply: u32,
        #[expect(dead_code, reason = "only read")]
        moves: Option<Vec<String>>,
    }

    fn at(text: &str) -> String {
        json::<Sample>(text.as_bytes()).expect_err(text).fault().field.clone().expect("a field")
    }

    #[test]
    fn an_error_in_a_body_names_its_field() {
        for (text, expected) in [
            (r#"{"ply":"x"}"#, "ply"),
            (r#"{"ply":-1}"#, "ply"),
            (r#"{"ply":1,"moves":["a",7]}"#, "moves[1]"),
            (r#"{"moves":[]}"#, "ply"),
            (r#"{"ply":1,"plyy":1}"#, "plyy"),
            (r#"{"ply":1,"ply":1}"#, "ply"),
            (r#"{"ply":1} x"#, "body"),
            ("[", "body"),
            ("", "body"),
            ("7", "body"),
            (r#"{"ply":1,"":1}"#, "body"),
        ] {
            assert_eq!(at(text), expected, "{text}");
        }
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let read = |text: &str| json::<Sample>(text.as_bytes()).map(|sample| sample.ply);
        assert_eq!(read(r#"{"ply":7.0}"#), Ok(7));
        assert_eq!(read(r#"{"ply":7e1}"#), Ok(70));
        assert!(read(r#"{"ply":7.5}"#).is_err() && read(r#"{"ply":-7.0}"#).is_err());
        assert_eq!(at(r#"{"plyy":7.0}"#), "plyy", "the error is that of the text");
        // A reader that tries one type after the other says nothing of a point.
        let rules: crate::view::rules::RulesRequest = json(br#"{"ply_cap":20.0}"#).expect("rules");
        assert_eq!(crate::view::rules::rules(Some(rules)).expect("rules").ply_cap, Some(20));
    }

    #[test]
    fn an_error_in_a_query_names_its_parameter_and_an_empty_one_is_absent() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Query {
            limit: Option<u32>,
        }
        assert_eq!(query::<Query>("limit=").expect("absent").limit, None);
        assert_eq!(query::<Query>("limit=7").expect("a number").limit, Some(7));
        for (text, expected) in [("limit=x", "limit"), ("limt=7", "limt"), ("limit=1&limit=2", "limit")] {
            let error = query::<Query>(text).expect_err(text);
            assert_eq!(error.fault().field.as_deref(), Some(expected), "{text}");
        }
    }
}

//! What a challenge asks for: the fields of a form or of JSON, whose keys have dots, as clients send them.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, Request};
use serde::Serialize;
use serde_json::Value;
use sumito_rules::{Color, Layout};
use utoipa::ToSchema;

use crate::api::find_layout;
use crate::api::lobby::any_layout;
use crate::domain::class::Class;
use crate::domain::error::{AppError, Cause, Words, within};
use crate::domain::game::ClockSetting;
use crate::http::extract::{json, media_type, read};
use crate::live::challenge::ChallengeTerms;
use crate::state::App;

/// The longest body.
const LONGEST: usize = 8 << 10;
/// Days for a move at most.
const MOST_DAYS: u64 = 14;
const DAY_MS: u64 = 86_400_000;
/// Seconds of the longest clock.
const LONGEST_CLOCK: u64 = 24 * 3600;

/// The fields of a body, a form or JSON. Those that are null or empty count as absent.
pub(crate) struct Fields(BTreeMap<String, Value>);

impl FromRequest<App> for Fields {
    type Rejection = AppError;

    async fn from_request(request: Request, _: &App) -> Result<Fields, AppError> {
        let kind = media_type(&request);
        let body = read(request, LONGEST).await?;
        let fields: BTreeMap<String, Value> = match kind.as_str() {
            _ if body.is_empty() => BTreeMap::new(),
            "application/json" => json(&body)?,
            "application/x-www-form-urlencoded" => {
                let pairs = form_urlencoded::parse(&body);
                pairs.map(|(name, value)| (name.into_owned(), Value::from(value.into_owned()))).collect()
            }
            _ => {
                let expected = "application/json or application/x-www-form-urlencoded";
                return Err(Cause::BodyType { expected }.at("content-type"));
            }
        };
        let is_given = |value: &Value| !value.is_null() && value.as_str() != Some("");
        Ok(Fields(fields.into_iter().filter(|(_, value)| is_given(value)).collect()))
    }
}

impl Fields {
    fn wrong(name: &str, expected: &str) -> AppError {
        Cause::FieldType { expected: expected.to_string() }.at(name)
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, AppError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Fields::wrong(name, "a text")),
        }
    }

    /// A number, also as a text.
    fn number(&mut self, name: &str) -> Result<Option<f64>, AppError> {
        let Some(value) = self.0.remove(name) else { return Ok(None) };
        let number = match &value {
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_f64(),
        };
        let number = number.filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| Fields::wrong(name, "a number"))
    }

    /// Yes or no, also as a text.
    fn flag(&mut self, name: &str) -> Result<Option<bool>, AppError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(Value::String(text)) if ["true", "1"].contains(&text.as_str()) => Ok(Some(true)),
            Some(Value::String(text)) if ["false", "0"].contains(&text.as_str()) => Ok(Some(false)),
            Some(_) => Err(Fields::wrong(name, "true or false")),
        }
    }

    /// Refuses what nobody has asked for.
    fn end(self) -> Result<(), AppError> {
        match self.0.into_keys().next() {
            Some(name) => Err(Cause::FieldUnknown { name: name.clone() }.at(name)),
            None => Ok(()),
        }
    }
}

/// A challenge.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct ChallengeRequest {
    /// Whether ratings change; they do not unless it is said.
    rated: Option<bool>,
    /// Seconds that a clock begins with.
    #[serde(rename = "clock.limit")]
    limit: Option<f64>,
    /// Seconds that a move adds.
    #[serde(rename = "clock.increment")]
    increment: Option<f64>,
    /// Days for a move, in place of a clock.
    days: Option<f64>,
    /// The challenger's: `black`, `white` or `random`.
    color: Option<String>,
    /// A layout's name, or `random`; the Belgian Daisy if it is not given.
    variant: Option<String>,
}

impl ChallengeRequest {
    pub(super) fn read(mut fields: Fields) -> Result<ChallengeRequest, AppError> {
        let request = ChallengeRequest {
            rated: fields.flag("rated")?,
            limit: fields.number("clock.limit")?,
            increment: fields.number("clock.increment")?,
            days: fields.number("days")?,
            color: fields.text("color")?,
            variant: fields.text("variant")?,
        };
        fields.end().map(|()| request)
    }

    pub(super) fn terms(self) -> Result<ChallengeTerms, AppError> {
        let clock = self.clock()?;
        // Without a class there is no rating.
        Class::of(Some(clock)).ok_or_else(AppError::internal)?;
        let layout = match self.variant.as_deref() {
            None => Layout::named("belgian-daisy").expect("a layout of ours"),
            Some("random") => any_layout(),
            Some(name) => find_layout(name).map_err(|error| error.at("variant"))?,
        };
        let color = match self.color.as_deref() {
            None | Some("random") => None,
            Some("black") => Some(Color::Black),
            Some("white") => Some(Color::White),
            Some(other) => {
                let known = Words(vec!["black", "white", "random"]);
                return Err(Cause::WordUnknown { known, found: other.to_string() }.at("color"));
            }
        };
        Ok(ChallengeTerms { layout, clock, rated: self.rated.unwrap_or(false), color })
    }

    fn clock(&self) -> Result<ClockSetting, AppError> {
        let seconds = |field: &str, value: f64, least: u64| {
            within(field, value.ceil().max(0.0) as u64, least, LONGEST_CLOCK)?;
            Ok::<_, AppError>((value.max(0.0) * 1000.0) as u64)
        };
        match (self.limit, self.days) {
            (Some(limit), None) => Ok(ClockSetting::Game {
                base_ms: seconds("clock.limit", limit, 1)?,
                increment_ms: seconds("clock.increment", self.increment.unwrap_or(0.0), 0)?,
            }),
            (None, Some(days)) => {
                within("days", days.max(0.0) as u64, 1, MOST_DAYS)?;
                Ok(ClockSetting::Move { ms: days as u64 * DAY_MS })
            }
            (Some(_), Some(_)) => Err(Cause::FieldUnknown { name: "days".to_string() }.at("days")),
            (None, None) => {
                let name = "clock.limit".to_string();
                Err(Cause::FieldMissing { name: name.clone() }.at(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::header;

    use super::*;

    fn terms(value: Value) -> Result<ChallengeTerms, AppError> {
        let Value::Object(fields) = value else { panic!("an object") };
        let given = |value: &Value| !value.is_null();
        let fields = Fields(fields.into_iter().filter(|(_, value)| given(value)).collect());
        ChallengeRequest::read(fields)?.terms()
    }

    #[test]
    fn fields_may_be_texts_and_what_is_null_is_absent() {
        let wish = serde_json::json!({ "rated": "true", "clock.limit": "300", "clock.increment": 2.0, "days": null, "color": "white",
            "variant": "standard", "fen": null });
        let found = terms(wish).expect("terms");
        assert_eq!(found.clock, ClockSetting::Game { base_ms: 300_000, increment_ms: 2000 });
        assert_eq!((found.layout.name, found.rated, found.color), ("standard", true, Some(Color::White)));
        let days = terms(serde_json::json!({ "days": 3 })).expect("terms");
        assert_eq!((days.clock, days.rated), (ClockSetting::Move { ms: 3 * DAY_MS }, false));
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_field() {
        for (wish, field, code) in [
            (serde_json::json!({}), "clock.limit", "field.missing"),
            (serde_json::json!({ "clock.limit": 0 }), "clock.limit", "number.range"),
            (serde_json::json!({ "clock.limit": 1e99 }), "clock.limit", "number.range"),
            (serde_json::json!({ "clock.limit": "x" }), "clock.limit", "field.type"),
            (
                serde_json::json!({ "clock.limit": 60, "clock.increment": 90_000 }),
                "clock.increment",
                "number.range",
            ),
            (serde_json::json!({ "clock.limit": 60, "days": 1 }), "days", "field.unknown"),
            (serde_json::json!({ "days": 15 }), "days", "number.range"),
            (serde_json::json!({ "clock.limit": 60, "color": "red" }), "color", "word.unknown"),
            (serde_json::json!({ "clock.limit": 60, "variant": "nowhere" }), "variant", "layout.unknown"),
            (serde_json::json!({ "clock.limit": 60, "rated": 7 }), "rated", "field.type"),
            (serde_json::json!({ "clock.limit": 60, "fen": "x" }), "fen", "field.unknown"),
        ] {
            let fault = terms(wish.clone()).expect_err("refused").fault();
            assert_eq!((fault.field.as_deref(), fault.cause.code()), (Some(field), code), "{wish}");
        }
    }

    #[tokio::test]
    async fn a_form_has_the_same_keys() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = crate::tests::config(&folder);
        let app = App::new(config).await.expect("a database");
        let form = "rated=false&clock.limit=60&clock.increment=1&color=";
        let request = Request::post("/").header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let request = request.body(Body::from(form)).expect("a request");
        let fields = Fields::from_request(request, &app).await.expect("fields");
        let found = ChallengeRequest::read(fields).expect("a challenge").terms().expect("terms");
        assert_eq!(found.clock, ClockSetting::Game { base_ms: 60_000, increment_ms: 1000 });
    }
}

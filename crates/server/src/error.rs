//! The one error of the interface: a status, a code for programs, a message for people, and the field at fault.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppError {
    status: StatusCode,
    fault: Fault,
    /// Seconds after which it is worth asking again.
    retry_after: Option<u32>,
}

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fault {
    /// A word for programs, such as `illegal_move`.
    #[schema(value_type = String)]
    pub code: &'static str,
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

impl AppError {
    fn new(status: StatusCode, code: &'static str, field: Option<&str>, message: impl Into<String>) -> Self {
        let fault = Fault { code, message: message.into(), field: field.map(str::to_string) };
        AppError { status, fault, retry_after: None }
    }

    /// A request that cannot be read.
    pub(crate) fn bad_request(field: &str, message: impl Into<String>) -> Self {
        AppError::new(StatusCode::BAD_REQUEST, "bad_request", Some(field), message)
    }

    /// A field of the right type with a value that does not fit.
    pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Self {
        AppError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", Some(field), message)
    }

    /// A move that the rules refuse.
    pub(crate) fn illegal_move(field: &str, message: impl Into<String>) -> Self {
        AppError::new(StatusCode::UNPROCESSABLE_ENTITY, "illegal_move", Some(field), message)
    }

    /// Something that needs a key that was not given.
    pub(crate) fn forbidden(field: &str, message: impl Into<String>) -> Self {
        AppError::new(StatusCode::FORBIDDEN, "forbidden", Some(field), message)
    }

    /// Something that does not exist.
    pub(crate) fn not_found(field: &str, message: impl Into<String>) -> Self {
        AppError::new(StatusCode::NOT_FOUND, "not_found", Some(field), message)
    }

    /// A path that leads nowhere.
    pub(crate) fn no_such_path() -> Self {
        let message = "expected a path of /api/v1/openapi.json";
        AppError::new(StatusCode::NOT_FOUND, "not_found", Some("path"), message)
    }

    /// A method that a path does not have.
    pub(crate) fn method() -> Self {
        let message = "expected a method of /api/v1/openapi.json for this path";
        AppError::new(StatusCode::METHOD_NOT_ALLOWED, "method", Some("method"), message)
    }

    /// A request that does not fit the state that its subject is in.
    pub(crate) fn conflict(field: &str, message: impl Into<String>) -> Self {
        AppError::new(StatusCode::CONFLICT, "conflict", Some(field), message)
    }

    /// A change to a game that is over.
    pub(crate) fn over(message: impl Into<String>) -> Self {
        AppError::new(StatusCode::CONFLICT, "over", Some("id"), message)
    }

    /// A game whose row in the database cannot be read.
    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        AppError::new(StatusCode::CONFLICT, "damaged", Some("id"), message)
    }

    /// A body that is too long.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("expected a body of at most {limit} bytes, found a longer one");
        AppError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", Some("body"), message)
    }

    /// A body of another kind.
    pub(crate) fn media_type(expected: &str) -> Self {
        let message = format!("expected a body of type {expected}");
        AppError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media_type", Some("content-type"), message)
    }

    /// More than one client may ask for.
    pub(crate) fn too_many(message: impl Into<String>) -> Self {
        let error = AppError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", None, message);
        AppError { retry_after: Some(1), ..error }
    }

    /// A request that took too long.
    pub(crate) fn timeout() -> Self {
        AppError::new(StatusCode::REQUEST_TIMEOUT, "timeout", None, "the request took too long")
    }

    /// The server is about to end.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        let error = AppError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", None, message);
        AppError { retry_after: Some(5), ..error }
    }

    /// The database is as large as it may be.
    pub(crate) fn no_room(mb: u64) -> Self {
        let message = format!("the database has the {mb} MB that it may have; nothing was changed");
        AppError::new(StatusCode::INSUFFICIENT_STORAGE, "quota", None, message)
    }

    /// The database cannot be written or read; nothing was changed.
    pub(crate) fn storage(message: impl Into<String>) -> Self {
        AppError::new(StatusCode::INSUFFICIENT_STORAGE, "storage", None, message)
    }

    /// A fault of ours.
    pub(crate) fn internal() -> Self {
        let message = "the server made a mistake; its log tells more";
        AppError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", None, message)
    }

    /// The same error with the seconds after which it is worth asking again.
    #[must_use]
    pub(crate) fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// The same error with another name for the field.
    #[must_use]
    pub(crate) fn at(mut self, field: impl Into<String>) -> Self {
        self.fault.field = Some(field.into());
        self
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// What the client is told.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    /// Whether it is the database that failed.
    pub(crate) fn is_storage(&self) -> bool {
        self.fault.code == "storage"
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: self.fault })).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl std::fmt::Display for AppError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.fault.message)
    }
}

impl std::error::Error for AppError {}

//! What every answer says about security, and which requests of other sites are refused.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::AppError;
use crate::state::App;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer, unless the answer sets its own.
const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("x-frame-options", "DENY"),
];

/// Adds the headers.
pub(crate) async fn secure(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if is_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

/// The host of a header such as `http://127.0.0.1:7161`, with its port.
fn host<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.split_once("://").map_or(value, |(_, host)| host))
}

/// A host without its port.
fn bare(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or(host),
    }
}

/// Refuses pages of other sites: they may neither change anything nor open a socket. A server for this machine alone
/// answers only to names of this machine, so that no foreign name can be made to point here.
pub(crate) async fn own_origin(State(app): State<App>, request: Request, next: Next) -> Response {
    match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check(app: &App, request: &Request) -> Result<(), AppError> {
    let headers = request.headers();
    let forwarded = host(headers, "x-forwarded-host").filter(|_| app.config.behind_proxy);
    let own = forwarded
        .or_else(|| host(headers, "host"))
        .or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let is_local = app.config.listen.is_loopback() && !app.config.behind_proxy;
    if let Some(own) = own.filter(|_| is_local) {
        let name = bare(own);
        let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        if !is_loopback && !name.eq_ignore_ascii_case("localhost") {
            return Err(AppError::forbidden("host", "expected a name of this machine, such as localhost"));
        }
    }
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    let opens = headers.contains_key(header::UPGRADE);
    let foreign = host(headers, "origin").is_some_and(|origin| Some(origin) != own);
    let cross = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    if (changes || opens) && (foreign || cross) {
        return Err(AppError::forbidden("origin", "expected a request of this site's own pages"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_told_from_its_port() {
        let bares = ["localhost:7161", "localhost", "127.0.0.1:1", "[::1]:7161", "[::1]"].map(bare);
        assert_eq!(bares, ["localhost", "localhost", "127.0.0.1", "::1", "::1"]);
    }
}

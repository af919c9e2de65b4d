//! What every answer says about security, and which requests of other sites are refused.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::config::{Config, bare};
use crate::domain::error::{AppError, Cause};
use crate::door::Door;
use crate::door::caller::peer;

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

/// Paths of the interface that pages of other sites may link to: they cost next to nothing.
fn is_linkable(path: &str) -> bool {
    let rest = path.strip_prefix("/api/").map(|rest| rest.strip_prefix("v1/").unwrap_or(rest));
    rest.is_none_or(|rest| {
        ["picture.svg", "openapi.json", "meta", "healthz"].contains(&rest)
            || rest.starts_with("games/") && ["/apgn", "/picture.png"].iter().any(|end| rest.ends_with(end))
    })
}

/// Refuses names that are not this server's, so that no foreign name can be made to point here, and pages of other
/// sites: they may neither change anything nor open a socket nor have the server search.
pub(crate) async fn own_origin(State(door): State<Door>, request: Request, next: Next) -> Response {
    match check(&door.config, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check(config: &Config, request: &Request) -> Result<(), AppError> {
    let headers = request.headers();
    let is_proxy = config.trusts(peer(request.extensions()));
    let forwarded = host(headers, "x-forwarded-host").filter(|_| is_proxy);
    let own = forwarded
        .or_else(|| host(headers, "host"))
        .or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    if own.is_some_and(|own| !config.answers_to(bare(own))) {
        return Err(Cause::HostUnknown {}.at("host"));
    }
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    let opens = headers.contains_key(header::UPGRADE);
    let costs = !is_linkable(request.uri().path());
    let origin = host(headers, "origin");
    let foreign = origin.is_some() && origin != own && origin != config.public_host();
    let cross = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    if (changes || opens || costs) && (foreign || cross) {
        return Err(Cause::OriginForeign {}.at("origin"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn refused(config: &Config, path: &str, headers: &[(&str, &str)]) -> Option<String> {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        let request = request.body(Body::empty()).expect("a request");
        check(config, &request).err().and_then(|error| error.fault().field.clone())
    }

    #[test]
    fn a_host_is_told_from_its_port() {
        let bares = ["localhost:7161", "localhost", "127.0.0.1:1", "[::1]:7161", "[::1]"].map(bare);
        assert_eq!(bares, ["localhost", "localhost", "127.0.0.1", "::1", "::1"]);
    }

    #[test]
    fn a_page_of_another_site_can_link_to_pages_and_pictures_and_have_nothing_else() {
        let config = Config::default();
        let cross = [("host", "localhost:7161"), ("sec-fetch-site", "cross-site")];
        for path in [
            "/",
            "/game/abc",
            "/api/v1/picture.svg?fen=x",
            "/api/v1/games/abc/apgn",
            "/api/v1/games/abc/picture.png",
            "/healthz",
        ] {
            assert_eq!(refused(&config, path, &cross), None, "{path}");
        }
        for path in [
            "/api/v1/opinion?agent=sumito&fen=x",
            "/api/v1/analysis",
            "/api/v1/games",
            "/api/v1/games/abc/tree",
            "/api/v1/games/abc/live",
            "/api/v1/games/abc/film.gif",
            "/api/v1/openings",
            "/api/v1/tournaments/abc/apgn",
        ] {
            assert_eq!(refused(&config, path, &cross).as_deref(), Some("origin"), "{path}");
            for site in ["same-origin", "none"] {
                let own = [("host", "localhost:7161"), ("sec-fetch-site", site)];
                assert_eq!(refused(&config, path, &own), None, "{path} {site}");
            }
        }
    }

    #[test]
    fn a_name_told_by_someone_who_is_no_proxy_does_not_count() {
        let hosts = vec!["sumito.example".to_string()];
        let told = [("host", "evil.example"), ("x-forwarded-host", "sumito.example")];
        let open = Config { listen: std::net::Ipv4Addr::UNSPECIFIED.into(), hosts, ..Config::default() };
        assert_eq!(refused(&open, "/", &told).as_deref(), Some("host"));
        let proxied = Config { behind_proxy: true, ..open };
        assert_eq!(refused(&proxied, "/", &told), None);
    }

    #[test]
    fn the_public_url_is_an_origin_of_our_own() {
        let public_url = Some("https://sumito.example".to_string());
        let config = Config { behind_proxy: true, public_url, ..Config::default() };
        let of = |origin| [("host", "127.0.0.1:7161"), ("origin", origin), ("upgrade", "websocket")];
        assert_eq!(refused(&config, "/api/v1/analysis", &of("https://sumito.example")), None);
        let other = refused(&config, "/api/v1/analysis", &of("https://evil.example"));
        assert_eq!(other.as_deref(), Some("origin"));
    }
}

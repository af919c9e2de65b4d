//! Requests to the server, in this process. Each is a line `METHOD PATH [KIND]` with its body below; a line of dashes
//! separates them. `$0` to `$4` in a path are games that are there, and bring their key along unless the method is in
//! small letters. Paths are those of the interface, or with `!` before them those of the pages. No search runs. No answer is a fault of
//! the server, and every refusal of the interface says why.
#![no_main]

use std::sync::{Mutex, PoisonError};

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use sumito_fuzz::{Site, fuzz_target};

/// Requests of one input.
const MOST: usize = 8;
/// Inputs for one server; then comes a new one with an empty database.
const INPUTS: usize = 2000;

/// It stays to the end: when threads are gone, a server cannot be closed.
static SITE: Mutex<(Option<Site>, usize)> = Mutex::new((None, 0));

/// The request that a text describes, unless it is none that HTTP knows.
fn request(site: &Site, text: &str) -> Option<Request<Body>> {
    let (line, body) = text.split_once('\n').unwrap_or((text, ""));
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?, words.next()?);
    let mut url = path.strip_prefix('!').map_or_else(|| format!("/api/v1{path}"), str::to_string);
    let mut builder = Request::builder().method(method.to_uppercase().as_str());
    for (number, (id, key)) in site.games.iter().enumerate() {
        let sign = format!("${number}");
        if url.contains(&sign) {
            url = url.replace(&sign, id);
            let key = if method.starts_with(char::is_uppercase) { key } else { "x" };
            builder = builder.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
    }
    let kind = words.next().unwrap_or("application/json");
    builder.uri(url).header(header::CONTENT_TYPE, kind).body(Body::from(body.to_string())).ok()
}

fuzz_target!(|text: &str| {
    let (site, inputs) = &mut *SITE.lock().unwrap_or_else(PoisonError::into_inner);
    if *inputs % INPUTS == 0 {
        *site = None;
    }
    *inputs += 1;
    let site = site.get_or_insert_with(|| Site::new(0));
    for one in text.split("\n---\n").take(MOST) {
        let Some(request) = request(site, one) else { continue };
        let is_page = !request.uri().path().starts_with("/api/");
        let (status, answer) = site.send(request);
        let is_busy = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::INSUFFICIENT_STORAGE].contains(&status);
        assert!(!status.is_server_error() || is_busy, "{status} {answer}: {one}");
        if status.is_client_error() && !is_page {
            let error = &answer["error"];
            assert!(error["code"].is_string() && error["message"].is_string(), "{status} {answer}: {one}");
        }
    }
    site.must_be_well();
});

//! The cookie by which a browser is known: readable by no script, sent to no other site's pages, and over HTTPS alone where
//! there is HTTPS.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::Config;

/// Seconds for which a browser keeps it: ninety days after it was last set.
const KEPT: u32 = 90 * 24 * 3600;

/// With this prefix a browser takes it only over HTTPS and from this very host.
fn name(config: &Config) -> &'static str {
    if config.is_secure() { "__Host-sumito" } else { "sumito" }
}

/// The token that a request brings.
pub(crate) fn token(headers: &HeaderMap, config: &Config) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.split_once('='));
    let (_, token) = pairs.find(|(key, _)| key.trim() == name(config))?;
    Some(token.trim().to_string()).filter(|token| !token.is_empty())
}

/// Gives a browser its token.
pub(crate) fn set(token: &str, config: &Config) -> HeaderValue {
    written(token, KEPT, config)
}

/// Takes the token away.
pub(crate) fn clear(config: &Config) -> HeaderValue {
    written("", 0, config)
}

fn written(token: &str, seconds: u32, config: &Config) -> HeaderValue {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let name = name(config);
    let text = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::try_from(text).expect("letters and digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_https_a_cookie_is_for_https_and_this_host_alone() {
        let (plain, url) = (Config::default(), Some("https://sumito.example".to_string()));
        let secure = Config { public_url: url, ..Config::default() };
        let shown = |config| set("t0ken", config).to_str().expect("a text").to_string();
        assert_eq!(shown(&plain), "sumito=t0ken; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict");
        assert!(shown(&secure).starts_with("__Host-sumito=t0ken; ") && shown(&secure).ends_with("; Secure"));
        assert!(clear(&plain).to_str().expect("a text").contains("sumito=; Path=/; Max-Age=0"));
    }

    #[test]
    fn a_token_is_found_among_other_cookies() {
        let mut headers = HeaderMap::new();
        assert_eq!(token(&headers, &Config::default()), None);
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; xsumito=no; sumito=yes; sumito=late"));
        assert_eq!(token(&headers, &Config::default()).as_deref(), Some("yes"));
        headers.insert(header::COOKIE, HeaderValue::from_static("sumito="));
        assert_eq!(token(&headers, &Config::default()), None);
    }
}

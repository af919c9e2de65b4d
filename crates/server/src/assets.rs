//! The pages: files of `web/`, kept in the program, sent compressed and cached by their content.
//!
//! Each file is at its own path, where browsers ask again whether it has changed, and below `/_/HASH/`, where they
//! keep it for good: the hash is that of all files together, so that modules which import each other by relative paths
//! are always of one version. The start page points there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::error::AppError;
use crate::ids::hex;
use crate::state::App;

#[derive(RustEmbed)]
#[folder = "../../web"]
#[exclude = "*.md"]
#[exclude = "package*.json"]
#[exclude = "node_modules/*"]
#[exclude = "tsconfig.json"]
struct Web;

/// Where the pages come from.
pub(crate) enum Assets {
    /// The program.
    Embedded { files: HashMap<String, File>, version: String },
    /// A folder, read anew for each request.
    Folder(PathBuf),
}

/// A file in memory.
pub(crate) struct File {
    plain: Bytes,
    tag: String,
    kind: HeaderValue,
    packed: bool,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

const INDEX: &str = "index.html";
const FOREVER: &str = "public, max-age=31536000, immutable";
const ASK: &str = "no-cache";

impl Assets {
    /// The files of the program.
    pub(crate) fn embedded() -> Assets {
        let contents = Web::iter().filter_map(|path| Some((path.to_string(), Web::get(&path)?.data)));
        Assets::from_files(contents)
    }

    fn from_files(contents: impl Iterator<Item = (String, Cow<'static, [u8]>)>) -> Assets {
        let mut contents: Vec<(String, Bytes)> =
            contents.map(|(path, data)| (path, Bytes::from(data.into_owned()))).collect();
        contents.sort();
        let mut all = Sha256::new();
        for (path, data) in &contents {
            all.update(path.as_bytes());
            all.update((data.len() as u64).to_le_bytes());
            all.update(data);
        }
        let version = hex(&all.finalize()[..8]);
        let paths: Vec<String> = contents.iter().map(|(path, _)| path.clone()).collect();
        let files = contents.into_iter().map(|(path, data)| {
            let data = if path == INDEX { pointed(&data, &paths, &version) } else { data };
            let file = File::new(&path, data);
            (path, file)
        });
        Assets::Embedded { files: files.collect(), version }
    }

    fn answer(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        match self {
            Assets::Embedded { files, version } => {
                // A page that was opened before the program was renewed still asks for the version that it knows.
                let (name, cache) = match path.strip_prefix("_/").and_then(|rest| rest.split_once('/')) {
                    Some((asked, name)) if asked == version => (name, FOREVER),
                    Some((_, name)) => (name, ASK),
                    None => (path, ASK),
                };
                Some(files.get(name)?.answer(headers, cache))
            }
            Assets::Folder(folder) => {
                let data = std::fs::read(inside(folder, path)?).ok()?;
                Some(File::new(path, data.into()).answer(headers, "no-store"))
            }
        }
    }
}

/// A file of a folder; nothing outside of it.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']);
    path.split('/').all(plain).then(|| folder.join(path))
}

/// The start page with its references to files made such that they can be kept for good.
fn pointed(page: &[u8], paths: &[String], version: &str) -> Bytes {
    let mut text = String::from_utf8_lossy(page).into_owned();
    for path in paths {
        for attribute in ["src", "href"] {
            let reference = format!("{attribute}=\"/{path}\"");
            text = text.replace(&reference, &format!("{attribute}=\"/_/{version}/{path}\""));
        }
    }
    text.into()
}

impl File {
    fn new(path: &str, plain: Bytes) -> File {
        let kind = mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream");
        let is_text = kind.starts_with("text/")
            || ["javascript", "json", "svg", "xml", "wasm"].iter().any(|part| kind.contains(part));
        let full =
            if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_string() };
        File {
            tag: hex(&Sha256::digest(&plain)[..12]),
            kind: HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("text/plain")),
            packed: is_text && plain.len() > 256,
            plain,
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
        }
    }

    /// The content in the best coding that the client takes, and the coding's name.
    fn coded(&self, headers: &HeaderMap) -> (Bytes, Option<&'static str>) {
        let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
        let takes = |name: &str| {
            accepted.unwrap_or_default().split(',').any(|coding| {
                let (coding, rest) = coding.split_once(';').unwrap_or((coding, ""));
                coding.trim() == name && !matches!(rest.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
            })
        };
        if self.packed && takes("br") {
            return (self.brotli.get_or_init(|| brotli(&self.plain)).clone(), Some("br"));
        }
        if self.packed && takes("gzip") {
            return (self.gzip.get_or_init(|| gzip(&self.plain)).clone(), Some("gzip"));
        }
        (self.plain.clone(), None)
    }

    fn answer(&self, headers: &HeaderMap, cache: &'static str) -> Response {
        let (content, coding) = self.coded(headers);
        let tag = format!("\"{}{}\"", self.tag, coding.map_or(String::new(), |name| format!("-{name}")));
        let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let is_known = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
        let mut response = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Response::new(Body::from(content))
        };
        let answer = response.headers_mut();
        answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        answer.insert(header::ETAG, HeaderValue::from_str(&tag).expect("a tag is hexadecimal"));
        if !is_known {
            answer.insert(header::CONTENT_TYPE, self.kind.clone());
            if let Some(coding) = coding {
                answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            }
        }
        response
    }
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    coder.write_all(plain).expect("memory takes everything");
    coder.finish().expect("memory takes everything").into()
}

fn brotli(plain: &[u8]) -> Bytes {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 9, ..Default::default() };
    brotli::BrotliCompress(&mut &plain[..], &mut packed, &parameters).expect("memory takes everything");
    packed.into()
}

/// Sends a file, or the start page for the paths that pages make up.
pub(crate) async fn serve(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return AppError::no_such_path().into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return AppError::method().into_response();
    }
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.') && !path.starts_with("_/");
    let wanted = if path.is_empty() { INDEX } else { path };
    let found = app.assets.answer(wanted, request.headers());
    let found = found.or_else(|| app.assets.answer(INDEX, request.headers()).filter(|_| is_page));
    found.unwrap_or_else(|| {
        AppError::not_found("path", "expected the path of a page or a file").into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assets() -> Assets {
        let long: &'static [u8] = "let marble = 1;\n".repeat(100).leak().as_bytes();
        let files = [
            ("index.html", b"<script src=\"/app.js\"></script><a href=\"/about\">".as_slice()),
            ("app.js", long),
        ];
        Assets::from_files(files.into_iter().map(|(path, data)| (path.to_string(), Cow::Borrowed(data))))
    }

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value"))).collect()
    }

    #[test]
    fn the_start_page_points_to_files_that_are_kept_for_good() {
        let assets = assets();
        let Assets::Embedded { files, version } = &assets else { panic!("in memory") };
        let page = String::from_utf8_lossy(&files[INDEX].plain).into_owned();
        assert_eq!(page, format!("<script src=\"/_/{version}/app.js\"></script><a href=\"/about\">"));
        let answer = assets.answer(&format!("_/{version}/app.js"), &HeaderMap::new()).expect("the file");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], FOREVER);
        let old = assets.answer("_/0123/app.js", &HeaderMap::new()).expect("the file as it is now");
        assert_eq!(old.headers()[header::CACHE_CONTROL], ASK);
    }

    #[test]
    fn a_file_is_compressed_as_the_client_likes_and_not_sent_twice() {
        let assets = assets();
        let of = |pairs: &[(header::HeaderName, &str)]| {
            assets.answer("app.js", &headers(pairs)).expect("the file")
        };
        let coding = |answer: &Response| {
            answer
                .headers()
                .get(header::CONTENT_ENCODING)
                .map(|value| value.to_str().expect("a name").to_string())
        };
        let best = of(&[(header::ACCEPT_ENCODING, "gzip, br;q=0.9")]);
        assert_eq!(coding(&best).as_deref(), Some("br"));
        assert_eq!(coding(&of(&[(header::ACCEPT_ENCODING, "gzip, br;q=0")])).as_deref(), Some("gzip"));
        assert_eq!(coding(&of(&[])), None);
        let tag = best.headers()[header::ETAG].to_str().expect("a tag");
        let again = of(&[(header::ACCEPT_ENCODING, "br"), (header::IF_NONE_MATCH, tag)]);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn what_is_compressed_unpacks_to_the_same() {
        let plain = b"marbles and more marbles ".repeat(50);
        let mut unpacked = Vec::new();
        brotli::BrotliDecompress(&mut &brotli(&plain)[..], &mut unpacked).expect("our own");
        assert_eq!(unpacked, plain);
        let mut unpacked = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&gzip(&plain)[..]), &mut unpacked)
            .expect("our own");
        assert_eq!(unpacked, plain);
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("web")).expect("a folder");
        std::fs::write(folder.path().join("secret"), "x").expect("a file");
        std::fs::write(folder.path().join("web/a.js"), "x").expect("a file");
        let assets = Assets::Folder(folder.path().join("web"));
        assert!(assets.answer("a.js", &HeaderMap::new()).is_some());
        for path in ["../secret", "./../secret", "x/../../secret", "/etc/passwd", "a.js/", "..\\secret"] {
            assert!(assets.answer(path, &HeaderMap::new()).is_none(), "{path}");
        }
    }
}

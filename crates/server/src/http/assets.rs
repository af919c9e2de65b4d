//! The pages: files of `web/`, kept in the program, sent compressed and cached by their content.
//!
//! Each file is at its own path, where browsers ask again whether it has changed, and below `/_/HASH/`, where they
//! keep it for good: the hash is that of all files together, so that they are always of one version. The start page
//! points there, to the modules that it needs in one file and all style sheets in another, and holds what it asks for first.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::domain::error::Cause;
use crate::domain::ids::hex;
use crate::http::pack::{self, PackError};

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
/// The module that the page starts; sent with what the first page needs in it.
const APP: &str = "app.js";
/// What is in it: the shell, the page that a visitor opens first, and the texts that every language falls back on.
const FIRST: [&str; 3] = [APP, "pages/play.js", "i18n/en.js"];
/// All other modules in one, as `pack.rs` asks for it.
const MORE: &str = "more.js";
/// All style sheets in one.
const SHEET: &str = "style/all.css";
/// What the paths of pages begin with, as `web/app.js` has it, and what may follow; a test compares.
pub(crate) const PAGES: [(&str, Rest); 17] = [
    ("game", Rest::Game),
    ("play", Rest::Game),
    ("watch", Rest::Game),
    ("analyse", Rest::Game),
    ("review", Rest::OnlyGame),
    ("games", Rest::Nothing),
    ("openings", Rest::Nothing),
    ("learn", Rest::Step),
    ("about", Rest::Nothing),
    ("reference", Rest::Nothing),
    ("account", Rest::Nothing),
    ("lobby", Rest::Nothing),
    ("people", Rest::Name),
    ("moderation", Rest::Nothing),
    ("tournaments", Rest::Nothing),
    ("tournament", Rest::Name),
    ("replay", Rest::Nothing),
];

/// What follows the name of a page in its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Nothing,
    /// A game's id, or nothing; `api/preview.rs` knows whether there is such a game.
    Game,
    /// A game's id in any case.
    OnlyGame,
    /// The number of a step, or nothing.
    Step,
    /// Somebody's name, or the id of a tournament.
    Name,
}

/// Whether there is a page at a path.
fn has_page(path: &str) -> bool {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let (first, second, more) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let page = PAGES.iter().find(|(name, _)| *name == first);
    let fits = |rest: Rest| match rest {
        Rest::Nothing => second.is_none(),
        Rest::Game => true,
        Rest::OnlyGame | Rest::Name => second.is_some(),
        Rest::Step => second.is_none_or(|step| step.bytes().all(|byte| byte.is_ascii_digit())),
    };
    more.is_none() && page.is_some_and(|(_, rest)| fits(*rest))
}
const FOREVER: &str = "public, max-age=31536000, immutable";
const ASK: &str = "no-cache";

impl Assets {
    /// The files of the program; `first` is JSON that the start page finds in itself instead of asking for it.
    pub(crate) fn embedded(first: &str) -> Assets {
        let contents = sumito_web::files();
        Assets::from_files(contents, first).expect("a test packs the files that are in the program")
    }

    fn from_files(
        contents: impl Iterator<Item = (String, Cow<'static, [u8]>)>,
        first: &str,
    ) -> Result<Assets, PackError> {
        let mut contents: BTreeMap<String, Bytes> =
            contents.map(|(path, data)| (path, Bytes::from(data.into_owned()))).collect();
        let texts: BTreeMap<&str, &str> = contents
            .iter()
            .filter_map(|(path, data)| Some((path.as_str(), std::str::from_utf8(data).ok()?)))
            .collect();
        let first_modules = FIRST.into_iter().filter(|name| texts.contains_key(name));
        let (app, more) = pack::modules(&texts, &first_modules.collect::<Vec<_>>())?;
        let (page, sheet) = pack::styles(texts.get(INDEX).copied().unwrap_or_default(), &texts, SHEET);
        contents.extend([(APP.into(), app.into()), (MORE.into(), more.into()), (SHEET.into(), sheet.into())]);
        let mut all = Sha256::new();
        for (path, data) in &contents {
            all.update(path.as_bytes());
            all.update((data.len() as u64).to_le_bytes());
            all.update(data);
        }
        let version = hex(&all.finalize()[..8]);
        let page = pointed(&page, contents.keys(), &version);
        contents.insert(INDEX.into(), with_first(&page, first).into());
        let files = contents.into_iter().map(|(path, data)| {
            let file = File::new(&path, data);
            (path, file)
        });
        Ok(Assets::Embedded { files: files.collect(), version })
    }

    /// Compresses what the first load needs, so that nobody waits for it.
    pub(crate) fn warm(&self) {
        if let Assets::Embedded { files, .. } = self {
            for file in [APP, SHEET, INDEX, MORE].iter().filter_map(|path| files.get(*path)) {
                file.brotli.get_or_init(|| brotli(&file.plain));
            }
        }
    }

    /// The start page as text.
    pub(crate) fn page(&self) -> Option<String> {
        self.text(INDEX)
    }

    /// A text of the pages in English: its file has one of them a line.
    pub(crate) fn english(&self, key: &str) -> Option<String> {
        let file = self.text("i18n/en.js")?;
        let line = file.lines().find_map(|line| line.trim().strip_prefix(&format!("\"{key}\": \"")))?;
        Some(line.trim_end_matches("\",").to_string())
    }

    fn text(&self, path: &str) -> Option<String> {
        match self {
            Assets::Embedded { files, .. } => String::from_utf8(files.get(path)?.plain.to_vec()).ok(),
            Assets::Folder(folder) => std::fs::read_to_string(folder.join(path)).ok(),
        }
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
fn pointed<'a>(page: &str, paths: impl Iterator<Item = &'a String>, version: &str) -> String {
    let mut text = page.to_string();
    for path in paths {
        for attribute in ["src", "href"] {
            let reference = format!("{attribute}=\"/{path}\"");
            text = text.replace(&reference, &format!("{attribute}=\"/_/{version}/{path}\""));
        }
    }
    text
}

/// The start page with data in it, which no browser takes for a script.
fn with_first(page: &str, first: &str) -> String {
    let data = first.replace('<', "\\u003c");
    let block = format!("<script type=\"application/json\" id=\"first\">{data}</script>\n</body>");
    page.replacen("</body>", &block, 1)
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
        let is_known = is_known(headers, &tag);
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

/// Whether a client has what has this tag.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
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

/// Sends a file, or the start page for the paths that pages make up. It also says that there is no such page, where
/// there is none.
pub(crate) async fn serve(State(assets): State<Arc<Assets>>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return Cause::PathUnknown {}.at("path").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Cause::MethodUnknown {}.at("method").into_response();
    }
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.') && !path.starts_with("_/");
    let wanted = if path.is_empty() { INDEX } else { path };
    let found = assets.answer(wanted, request.headers());
    let found = found
        .or_else(|| assets.answer(INDEX, request.headers()).filter(|_| is_page).map(|page| told(path, page)));
    found.unwrap_or_else(|| Cause::PageUnknown {}.at("path").into_response())
}

/// The start page in the place of the page at a path, with the status that it deserves.
fn told(path: &str, page: Response) -> Response {
    if has_page(path) { page } else { astray(page) }
}

/// A page that says that something is not there.
pub(crate) fn astray(mut page: Response) -> Response {
    if page.status() == StatusCode::OK {
        *page.status_mut() = StatusCode::NOT_FOUND;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assets() -> Assets {
        let long: &'static [u8] = "let marble = 1;\n".repeat(100).leak().as_bytes();
        let page = "<link rel=\"stylesheet\" href=\"/a.css\">\n<script src=\"/app.js\"></script><a href=\"/about\"></body>\n";
        let files = [("index.html", page.as_bytes()), ("app.js", long), ("a.css", b"a {}")];
        let files = files.into_iter().map(|(path, data)| (path.to_string(), Cow::Borrowed(data)));
        Assets::from_files(files, "{\"a\":\"</script>\"}").expect("plain files")
    }

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value"))).collect()
    }

    #[test]
    fn the_start_page_points_to_files_that_are_kept_for_good() {
        let assets = assets();
        let Assets::Embedded { files, version } = &assets else { panic!("in memory") };
        let page = String::from_utf8_lossy(&files[INDEX].plain).into_owned();
        let expected = format!(
            "<link rel=\"stylesheet\" href=\"/_/{version}/style/all.css\">\n<script src=\"/_/{version}/app.js\"></script>\
             <a href=\"/about\"><script type=\"application/json\" id=\"first\">{{\"a\":\"\\u003c/script>\"}}</script>\n</body>\n"
        );
        assert_eq!(page, expected);
        let answer = assets.answer(&format!("_/{version}/app.js"), &HeaderMap::new()).expect("the file");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], FOREVER);
        let old = assets.answer("_/0123/app.js", &HeaderMap::new()).expect("the file as it is now");
        assert_eq!(old.headers()[header::CACHE_CONTROL], ASK);
    }

    #[test]
    fn the_files_of_the_program_are_packed_whole() {
        let Assets::Embedded { files, .. } = Assets::embedded("{}") else { panic!("in memory") };
        let text = |path: &str| String::from_utf8_lossy(&files[path].plain).into_owned();
        let (app, more) = (text(APP), text(MORE));
        // What runs before the first paint and the demo of the board are their pages' own; types are for readers alone.
        let others = [MORE, "boot.js", "board/demo.js", "board/types.js", "lib/types.js"];
        let is_packed = |path: &&String| !others.contains(&path.as_str()) && !pack::is_apart(path);
        let modules = files.keys().filter(|path| path.ends_with(".js")).filter(is_packed).count();
        let packed = |file: &str| file.matches("\n$bodies.set(\"").count();
        assert_eq!(packed(&app) + packed(&more), modules, "every module of web/ is in one of the two files");
        let has = |file: &str, name: &str| file.contains(&format!("$bodies.set(\"{name}\""));
        for first in FIRST {
            assert!(has(&app, first) && !has(&more, first), "{first}");
        }
        for (page, _) in PAGES.iter().filter(|(page, _)| !["game", "play"].contains(page)) {
            let module = format!("pages/{page}.js");
            assert!(has(&more, &module) && !has(&app, &module), "{module}");
        }
        let page = text(INDEX);
        assert_eq!(page.matches("rel=\"stylesheet\"").count(), 1);
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

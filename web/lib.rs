//! The pages, as files in the program; in a debug build they are read from this folder.

use std::borrow::Cow;

#[derive(rust_embed::Embed)]
#[folder = "."]
struct Folder;

/// What is in the folder and is not for browsers.
const OTHERS: [&str; 5] = [".md", ".rs", ".toml", ".lock", "package.json"];

/// Every file of the pages, with its path below this folder.
pub fn files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    let is_page = |path: &str| !OTHERS.iter().any(|end| path.ends_with(end));
    let paths = Folder::iter().filter(move |path| is_page(path));
    paths.filter_map(|path| Some((path.to_string(), Folder::get(&path)?.data)))
}

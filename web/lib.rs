//! The pages, as files in the program; in a debug build they are read from this folder.

use std::borrow::Cow;

#[derive(rust_embed::Embed)]
#[folder = "."]
#[exclude = "*.md"]
#[exclude = "*.rs"]
#[exclude = "*.toml"]
#[exclude = "*.lock"]
#[exclude = "target/*"]
#[exclude = "package*.json"]
#[exclude = "node_modules/*"]
#[exclude = "tsconfig.json"]
struct Files;

/// Every file, with its path below this folder.
pub fn files() -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    Files::iter().filter_map(|path| Some((path.to_string(), Files::get(&path)?.data)))
}

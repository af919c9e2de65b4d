//! The definitions of the papers' experiments and our own, as files in the program; in a debug build they are read from
//! this folder.

#[derive(rust_embed::Embed)]
#[folder = "."]
#[include = "*/*.toml"]
#[exclude = "target/*"]
struct Files;

/// The names of all, `paper/experiment`.
pub fn names() -> Vec<String> {
    Files::iter().map(|path| path.trim_end_matches(".toml").to_string()).collect()
}

/// The text of the one of this name.
pub fn text(name: &str) -> Option<String> {
    let file = Files::get(&format!("{name}.toml"))?;
    String::from_utf8(file.data.into_owned()).ok()
}

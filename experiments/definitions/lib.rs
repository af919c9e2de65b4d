//! The definitions of the papers' experiments and our own, as files in the program; in a debug build they are read from
//! this folder.

#[derive(rust_embed::Embed)]
#[folder = "."]
struct Folder;

/// The names of all, `paper/experiment`.
pub fn names() -> Vec<String> {
    let name = |path: &str| path.strip_suffix(".toml").filter(|name| name.contains('/')).map(str::to_string);
    Folder::iter().filter_map(|path| name(&path)).collect()
}

/// The text of the one of this name.
pub fn text(name: &str) -> Option<String> {
    let file = Folder::get(&format!("{name}.toml"))?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The table of the numbers that are quoted from the papers, with tabs between its columns.
pub fn quoted() -> String {
    let file = Folder::get("quoted.tsv").expect("it lies in this folder");
    String::from_utf8_lossy(&file.data).into_owned()
}

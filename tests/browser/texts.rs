//! The files of texts: the same keys and values in every language, and every key that the pages use.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
}

/// Keys with their texts; a file has one of them a line.
fn texts(language: &str) -> BTreeMap<String, String> {
    let file = fs::read_to_string(web().join("i18n").join(format!("{language}.js"))).unwrap();
    let pairs = file.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": \""));
    pairs.map(|(key, text)| (key.to_string(), text.trim_end_matches("\",").to_string())).collect()
}

/// The `{names}` in a text.
fn values(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn sources(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|kind| kind == "js") {
            into.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn both_languages_have_the_same_keys_with_the_same_values() {
    let (english, french) = (texts("en"), texts("fr"));
    assert!(english.len() > 200, "only {} texts were read", english.len());
    assert_eq!(english.keys().collect::<Vec<_>>(), french.keys().collect::<Vec<_>>());
    for (key, text) in &english {
        assert_eq!(values(text), values(&french[key]), "{key}");
        assert_eq!(text.contains(" | "), french[key].contains(" | "), "{key}: one and many");
    }
}

#[test]
fn every_key_that_the_pages_name_is_there_and_none_is_forgotten() {
    let english = texts("en");
    let mut files = Vec::new();
    sources(&web(), &mut files);
    let pages: Vec<_> = files.iter().filter(|(path, _)| !path.starts_with(web().join("i18n"))).collect();
    for (path, source) in &pages {
        for (at, _) in source.match_indices("t(\"") {
            // `import("...` ends in the same letters.
            if source[..at].ends_with(char::is_alphabetic) {
                continue;
            }
            let key = source[at + 3..].split('"').next().unwrap();
            assert!(english.contains_key(key), "{}: there is no text '{key}'", path.display());
        }
    }
    let all: String = pages.iter().map(|(_, source)| source.as_str()).collect();
    for key in english.keys() {
        // Keys that are put together are known by their beginning: t(`color.${...}`).
        let ways = key.match_indices('.').map(|(dot, _)| format!("{}${{", &key[..=dot]));
        let named = all.contains(&format!("\"{key}\""));
        assert!(named || ways.into_iter().any(|way| all.contains(&way)), "no page uses '{key}'");
    }
}

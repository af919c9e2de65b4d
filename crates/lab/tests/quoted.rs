//! The numbers quoted from the papers, against the papers.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sumito_lab::experiment::Paper;
use sumito_lab::experiment::quoted::quoted;

/// The folder of the documents' texts.
fn papers() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/papers");
    std::env::var_os("PAPERS").map_or_else(beside, PathBuf::from)
}

/// Without tags, and with one space between words.
fn normalised(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('<') {
        plain.push_str(before);
        // A tag is short; anything else is a sign for less.
        match tail.split_once('>').filter(|(tag, _)| tag.len() < 40 && !tag.contains('<')) {
            Some((_, after)) => {
                plain.push(' ');
                rest = after;
            }
            None => {
                plain.push('<');
                rest = tail;
            }
        }
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The texts by the keys of their documents, each of which begins with its title.
fn texts() -> BTreeMap<&'static str, String> {
    let folder = papers();
    let files = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let files = files.map(|file| file.unwrap().path());
    let texts: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let find = |paper: &Paper| {
        let head = |text: &&String| letters(&text.chars().take(600).collect::<String>());
        let found: Vec<&String> =
            texts.iter().filter(|text| head(text).contains(&letters(paper.title))).collect();
        assert_eq!(found.len(), 1, "one text begins with the title '{}'", paper.title);
        normalised(found[0])
    };
    Paper::ALL.iter().filter(|paper| paper.key != "ours").map(|paper| (paper.key, find(paper))).collect()
}

#[test]
#[ignore = "needs the documents' texts: ../shared/papers, or the folder that PAPERS names"]
fn every_quoted_number_stands_in_its_document() {
    let texts = texts();
    for number in quoted().values() {
        let text = &texts[number.document.as_str()];
        assert!(
            text.contains(&number.fragment),
            "{}: expected '{}' in the text of {}",
            number.key,
            number.fragment,
            number.document
        );
    }
}

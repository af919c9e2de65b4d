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

/// The languages that have a file.
fn languages() -> Vec<String> {
    let files = fs::read_dir(web().join("i18n")).unwrap().map(|file| file.unwrap().path());
    let mut names: Vec<String> =
        files.map(|file| file.file_stem().unwrap().to_str().unwrap().into()).collect();
    names.sort_unstable();
    names
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
fn all_languages_have_the_same_keys_with_the_same_values_in_the_same_order() {
    let english = texts("en");
    assert!(english.len() > 200, "only {} texts were read", english.len());
    for language in languages() {
        let other = texts(&language);
        let lacks: Vec<_> = english.keys().filter(|key| !other.contains_key(*key)).collect();
        let has: Vec<_> = other.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(lacks.is_empty() && has.is_empty(), "{language} lacks {lacks:?} and alone has {has:?}");
        for (key, text) in &english {
            assert_eq!(values(text), values(&other[key]), "{language}: {key}");
            assert_eq!(text.contains(" | "), other[key].contains(" | "), "{language}: {key}: one and many");
        }
        assert_eq!(order(&language), order("en"), "{language}: keys of one group stay together");
    }
}

/// The keys as they follow each other in a file.
fn order(language: &str) -> Vec<String> {
    let file = fs::read_to_string(web().join("i18n").join(format!("{language}.js"))).unwrap();
    let keys =
        file.lines().filter_map(|line| Some(line.trim().strip_prefix('"')?.split_once("\": \"")?.0.into()));
    keys.collect()
}

#[test]
fn every_language_that_has_a_file_is_offered() {
    let source = fs::read_to_string(web().join("lib").join("i18n.js")).unwrap();
    let named = languages();
    assert!(named.len() >= 4, "{named:?}");
    for language in named {
        assert!(source.contains(&format!("import(\"../i18n/{language}.js\")")), "{language} is not offered");
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

/// A move is one turn of one player, and one text says how many there are. How soon a side wins are moves of its own.
#[test]
fn moves_are_counted_by_one_text() {
    let counts = |text: &str| text.contains("{n} move") || text.contains("moves: {n}");
    let english = texts("en");
    let found: Vec<_> =
        english.iter().filter(|(_, text)| counts(text)).map(|(key, _)| key.as_str()).collect();
    assert_eq!(found, ["moves.count", "score.wins-in"]);
    for language in languages() {
        for (key, text) in texts(&language) {
            let text = text.to_lowercase();
            let half = ["{n} plies", "350 plies", "350 halbz", "350 demi", "350 medias"];
            assert!(!half.iter().any(|word| text.contains(word)), "{language}: {key}: {text}");
        }
    }
}

#[test]
fn every_agent_has_a_name_and_a_sentence_in_every_language() {
    for language in languages() {
        let texts = texts(&language);
        for entry in sumito_agents::registry::entries() {
            for key in ["agent.NAME", "persona.NAME", "persona.NAME.text"] {
                let key = key.replace("NAME", entry.name);
                assert!(
                    texts.get(&key).is_some_and(|text| !text.is_empty()),
                    "{language}: there is no {key}"
                );
            }
        }
    }
}

/// The words of a text, without those of three letters or less.
fn words(text: &str) -> std::collections::BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.chars().count() > 3);
    words.map(str::to_lowercase).collect()
}

#[test]
fn a_game_with_a_friend_and_one_of_two_here_are_gone_on_with_by_other_words() {
    for language in languages() {
        let texts = texts(&language);
        let [friend, two] = ["setup.resume.friend", "setup.resume.two"].map(|key| words(&texts[key]));
        // "Continue" may be the same.
        assert!(friend.intersection(&two).count() <= 1, "{language}: {friend:?} {two:?}");
    }
}

/// Causes that only a program gives, as the pages' own requests never do: readers see one sentence for all of them.
const PROGRAMS: [&str; 12] = [
    "field.",
    "socket.",
    "id.form",
    "cursor.unknown",
    "host.unknown",
    "origin.foreign",
    "path.unknown",
    "metrics.elsewhere",
    "method.unknown",
    "word.unknown",
    "start.both",
    "friend.seats",
];

/// The codes of all causes with the names of their values, as `docs/api.md` lists them.
fn causes() -> BTreeMap<String, Vec<String>> {
    let file = fs::read_to_string(web().with_file_name("docs").join("api.md")).unwrap();
    let rows = file.lines().filter_map(|line| {
        // Those of kinds have one column less.
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        cells.get(5)?;
        let code = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        let is_status = cells.get(2)?.parse::<u16>().is_ok();
        let names = cells.get(3)?.split(", ").map(|name| name.trim_matches('`').to_string()).collect();
        is_status.then(|| (code.to_string(), names))
    });
    rows.collect()
}

#[test]
fn every_cause_that_a_reader_can_meet_has_a_sentence_of_its_own() {
    let (english, causes) = (texts("en"), causes());
    assert!(causes.len() > 70, "only {} causes were read", causes.len());
    for (code, names) in &causes {
        let programs = PROGRAMS.iter().any(|from| code.starts_with(from));
        let text = english.get(&format!("cause.{code}"));
        assert_eq!(text.is_none(), programs, "{code}");
        for value in text.map(|text| values(text)).unwrap_or_default() {
            assert!(names.iter().any(|name| name == value), "{code} has no value {value}");
        }
    }
    let known = |key: &str| key == "other" || causes.contains_key(key);
    let dead = english.keys().filter_map(|key| key.strip_prefix("cause.")).find(|key| !known(key));
    assert_eq!(dead, None, "no cause has this code");
}

//! The board as others use it: a folder of its own, with a demo.

use std::fs;
use std::path::{Path, PathBuf};

use crate::board;
use crate::page::{Look, Page};

fn files() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/board");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn nothing_in_the_folder_names_a_file_outside_of_it() {
    let files = files();
    let mut named = 0;
    for (path, text) in &files {
        // Imports of code and, in comments, of types; links of pages and style sheets.
        for before in [" from \"", "import \"", "import(\"", "src=\"", "href=\"", "url(", "@import \""] {
            for (at, _) in text.match_indices(before) {
                let file = text[at + before.len()..].split(['"', ')']).next().unwrap();
                let inside = file.strip_prefix("./").unwrap_or(file).trim_start_matches("board/");
                let known = files.iter().any(|(path, _)| path.ends_with(inside)) && !inside.contains('/');
                // A gradient of the same picture, and an empty icon.
                assert!(known || file.starts_with('#') || file == "data:,", "{}: {file}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 30, "only {named} names were found");
}

#[test]
fn every_property_and_attribute_has_an_example() {
    let files = files();
    let text = |name: &str| &files.iter().find(|(path, _)| path.ends_with(name)).unwrap().1;
    let is_comment = |line: &str| line.starts_with("/*") || line.starts_with('*');
    let mut checked = 0;
    for (name, starts) in [("board.js", "set "), ("board.js", "motion ="), ("attributes.js", "")] {
        let lines: Vec<&str> = text(name).lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            let is_field = if starts.is_empty() {
                line.contains(": (board, value) =>")
            } else {
                line.starts_with(starts)
            };
            if is_field {
                let comment: Vec<&str> =
                    lines[..at].iter().rev().take_while(|line| is_comment(line)).copied().collect();
                assert!(comment.iter().any(|line| line.contains("E.g. `")), "{name}: {line}");
                checked += 1;
            }
        }
    }
    for name in ["types.js", "labels.js"] {
        for line in text(name).lines().filter(|line| line.contains("@property") && !line.contains("Move")) {
            assert!(line.contains("e.g. `"), "{name}: {line}");
            checked += 1;
        }
    }
    assert!(checked > 25, "only {checked} fields were found");
}

#[test]
#[ignore = "needs Chromium"]
fn the_demo_is_played_on_turned_and_begun_again() {
    let mut page = Page::open("/about", Look::default());
    let url = format!("{}/board/demo.html", page.server.address);
    page.command("Page.navigate", serde_json::json!({ "url": url }));
    page.wait("document.querySelector('#game').own.length === 3");
    assert_eq!(page.number("document.querySelectorAll('#themes .board .marble').length"), 4.0 * 28.0 + 4.0);
    page.click("[name=motion]");
    let wanted = board::named(&mut page, "d4e5");
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('#log').textContent === 'black: d4e5'");
    assert_eq!(page.text("document.querySelector('#game').position.white.sort().join()"), "e7,g4,g7");
    assert_eq!(page.text("document.querySelector('[data-cell=g7]').ariaLabel"), "g7, white marble");
    let wanted = board::named(&mut page, "g4f4");
    let points = board::drag_points(&mut page, &wanted);
    page.drag(&points);
    page.wait("document.querySelectorAll('#log li').length === 2");
    let before = board::cell(&mut page, "a1");
    page.click("[name=flip]");
    let after = board::cell(&mut page, "a1");
    assert!(after.1 < before.1 && after.0 > before.0, "a1 lies above on the right: {before:?} {after:?}");
    page.click("#again");
    page.wait("document.querySelector('#game').own.length === 3 && !document.querySelector('#log li')");
    page.no_faults();
}

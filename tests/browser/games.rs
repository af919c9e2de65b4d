//! Importing, finding and exporting games.

use crate::page::{Look, Page};

const APGN: &str = r#"[Event "A test"]
[Date "2024.05.01"]
[Black "Anna"]
[White "Bert"]
[Variant "Belgian Daisy"]
[Result "1-0"]

1. a1b2 i5h5 2. a2b3 i6h6 3. b2c3 h4g4 1-0

[Event "A test"]
[Date "2024.05.02"]
[Black "Clara"]
[White "Dora"]
[Variant "Belgian Daisy"]
[Result "0-1"]

1. a2b3 i5h5 2. a1b2 i6h6 0-1
"#;

fn imported(path: &str) -> Page {
    let mut page = Page::open(path, Look::default());
    import(&mut page);
    page
}

fn import(page: &mut Page) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.apgn");
    std::fs::write(&file, APGN).unwrap();
    page.wait("document.querySelector('input[name=import]')");
    page.give_file("input[name=import]", &file);
    page.wait("document.querySelector('[data-import=done]') && document.querySelectorAll('[data-game]').length === 2");
}

/// The moves of a record, without its head, numbers and result.
fn moves(apgn: &str) -> Vec<String> {
    let body = apgn.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
    let known = |word: &&str| word.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    body.split_whitespace().filter(known).map(str::to_string).collect()
}

#[test]
#[ignore = "needs Chromium"]
fn an_imported_game_is_found_by_player_and_by_position_and_exported_with_the_same_moves() {
    let mut page = imported("/games");
    page.eval("document.querySelector('input[name=player]').focus()");
    page.type_text("anna");
    page.wait("document.querySelectorAll('[data-game]').length === 1");
    page.wait("document.querySelector('[data-game]').innerText.includes('Anna')");

    // Both games reach it, by another order of moves.
    let fen = page.text(
        "fetch('/api/v1/positions', { method: 'POST', headers: { 'content-type': 'application/json' }, \
         body: JSON.stringify({ layout: 'belgian-daisy', moves: ['a1b2', 'i5h5', 'a2b3', 'i6h6'] }) }) \
         .then((r) => r.json()).then((r) => r.position.fen)",
    );
    let query: String = fen.bytes().map(|byte| format!("%{byte:02x}")).collect();
    page.goto(&format!("/games?fen={query}"));
    page.wait("document.querySelectorAll('[data-game]').length === 2");
    page.goto(&format!("/games?fen={query}&player=Bert"));
    page.wait("document.querySelectorAll('[data-game]').length === 1");
    let id = page.text("document.querySelector('[data-game]').dataset.game");
    page.click("[data-game]");
    page.wait(
        "location.pathname.startsWith('/analyse/') && document.querySelectorAll('.tree button').length === 6",
    );

    page.goto(&format!("/game/{id}"));
    page.wait("document.querySelectorAll('.moves button').length === 6");
    let record = page.text("fetch(document.querySelector('[data-act=apgn]').href).then((r) => r.text())");
    let first = APGN.split("[Event").nth(1).unwrap();
    assert_eq!(moves(&record), moves(&format!("[Event{first}")));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_explorer_counts_both_games_and_walks_on() {
    let mut page = imported("/games");
    page.goto("/openings");
    page.wait("document.querySelectorAll('.explorer .choice').length >= 1");
    let games = page.number(
        "[...document.querySelectorAll('.explorer .choice td:nth-child(2)')] \
         .map((cell) => Number(cell.textContent)).reduce((a, b) => a + b)",
    );
    assert_eq!(games, 2.0);
    page.click(".explorer .choice button");
    page.wait("document.querySelector('sumito-board').position.turn === 'white'");
    page.wait("document.querySelectorAll('.explorer .choice').length >= 1");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_picture_of_a_position_can_be_made_as_svg_and_png() {
    let mut page = imported("/games");
    let id = page.text("document.querySelector('[data-game]').dataset.game");
    page.goto(&format!("/game/{id}"));
    page.wait("document.querySelector('[data-act=png]')");
    // What would be saved is caught at the link that saves it.
    page.eval(
        "window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]) }",
    );
    page.click("[data-act=svg]");
    page.wait("saved.length === 1");
    page.click("[data-act=png]");
    page.wait("saved.length === 2 && saved[1][1].startsWith('data:image/png;base64,') && saved[1][1].length > 10000");
    let svg = page.text("fetch(saved[0][1]).then((r) => r.text())");
    assert!(svg.starts_with("<svg"), "{svg}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn who_has_imported_a_game_can_delete_it() {
    let mut page = imported("/games");
    let id = page.text("document.querySelector('[data-game]').dataset.game");
    assert_eq!(page.number("document.querySelectorAll('[data-act=delete]').length"), 2.0);
    page.click(&format!("[data-act=delete][data-id=\"{id}\"]"));
    page.wait(&format!("document.querySelector('[data-act=delete][data-id=\"{id}\"]').dataset.sure"));
    assert_eq!(
        page.number("document.querySelectorAll('[data-game]').length"),
        2.0,
        "one click is not enough"
    );
    page.click(&format!("[data-act=delete][data-id=\"{id}\"]"));
    page.wait("document.querySelectorAll('[data-game]').length === 1");
    assert_eq!(page.number("fetch('/api/v1/games').then((r) => r.json()).then((r) => r.total)"), 1.0);
    // Another browser has no key, and is offered nothing.
    page.eval("localStorage.removeItem('sumito.keys')");
    page.goto("/games");
    page.wait("document.querySelectorAll('[data-game]').length === 1");
    assert_eq!(page.number("document.querySelectorAll('[data-act=delete]').length"), 0.0);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn links_and_pictures_that_are_shared_have_the_public_address() {
    let settings = [("SUMITO_PUBLIC_URL", "https://sumito.example")];
    let mut page = Page::open_at("/games", Look::default(), &settings);
    import(&mut page);
    let id = page.text("document.querySelector('[data-game]').dataset.game");
    page.goto(&format!("/game/{id}"));
    page.eval("window.copied = []; navigator.clipboard.writeText = async (text) => { copied.push(text) }");
    page.click("[data-act=link]");
    page.wait("copied.length === 1");
    page.click("[data-act=picture]");
    page.wait("copied.length === 2");
    assert_eq!(page.text("copied[0]"), format!("https://sumito.example/game/{id}"));
    let picture = page.text("copied[1]");
    assert!(picture.starts_with("https://sumito.example/api/v1/picture.svg?fen="), "{picture}");
    page.no_faults();
}

/// A third game, by itself.
const ANOTHER: &str = "[Date \"2025.01.31\"]\n[Black \"Eva\"]\n[White \"Fritz\"]\n\n1. a1b2 i5h5 *\n";

#[test]
#[ignore = "needs Chromium"]
fn files_that_are_dropped_on_the_page_are_imported_together() {
    let mut page = Page::open("/games", Look::default());
    page.wait("document.querySelector('.empty h2').textContent === 'No games yet'");
    page.eval(&format!(
        "(() => {{ const given = new DataTransfer(); \
         for (const [name, text] of [['a.apgn', {}], ['b.apgn', {}]]) given.items.add(new File([text], name)); \
         window.dispatchEvent(new DragEvent('drop', {{ dataTransfer: given, cancelable: true }})); }})()",
        serde_json::json!(APGN),
        serde_json::json!(ANOTHER)
    ));
    page.wait("document.querySelectorAll('[data-game]').length === 3");
    page.wait("document.querySelector('[data-import=done]').textContent.includes('3 games imported')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_name_and_tags_are_kept_on_this_device_alone_and_tags_are_looked_for() {
    let mut page = imported("/games");
    let id = page.text("document.querySelector('[data-game]').dataset.game");
    page.click(&format!("[data-act=note][data-id=\"{id}\"]"));
    page.wait("document.activeElement.name === 'called'");
    page.type_text("A lovely end");
    page.click("dialog [name=tagged]");
    page.type_text("final, club");
    page.click("dialog [data-act=keep]");
    page.wait(&format!(
        "document.querySelector('[data-game=\"{id}\"] .title').textContent === 'A lovely end'"
    ));
    page.goto("/games");
    page.wait("document.querySelectorAll('[data-game]').length === 2 && document.querySelectorAll('.tag').length === 2");
    page.click(".tag");
    page.wait("location.search === '?tag=final' && document.querySelectorAll('[data-game]').length === 1");
    assert_eq!(page.text("document.querySelector('[data-game]').dataset.game"), id);
    let told = page.text("fetch('/api/v1/games').then((r) => r.text())");
    assert!(!told.contains("lovely") && !told.contains("club"), "the server knows nothing of it: {told}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn all_games_that_were_found_are_saved_in_one_file() {
    let mut page = imported("/games");
    // What would be saved is caught where it becomes a file.
    page.eval(
        "window.saved = []; HTMLAnchorElement.prototype.click = () => {}; \
         URL.createObjectURL = (file) => { saved.push(file); return '#'; }",
    );
    page.click("[data-act=export]");
    page.wait("saved.length === 1");
    let file = page.text("saved[0].text()");
    let mut found: Vec<Vec<String>> =
        file.split("[Event").skip(1).map(|game| moves(&format!("[Event{game}"))).collect();
    let mut wanted: Vec<Vec<String>> =
        APGN.split("[Event").skip(1).map(|game| moves(&format!("[Event{game}"))).collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_card_tells_the_score_who_played_and_when() {
    let mut page = Page::open("/games", Look::default());
    page.eval(
        "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ \
         fen: '3SS/sssSSS/1ss1SS1/8/9/8/1SS4/SSSsss/3ss 4 2 b 0 1', black: { kind: 'human', name: 'Anna' }, \
         white: { kind: 'agent', spec: 'random' } }) })",
    );
    page.goto("/games");
    page.wait("document.querySelectorAll('[data-game] .score').length === 2");
    let told = page.eval("[...document.querySelectorAll('[data-game] .names > div')].map((each) => each.innerText.split('\\n').join(' '))");
    let told = told.as_array().unwrap();
    let line = |at: usize| told[at].as_str().unwrap().to_string();
    let mut scores =
        [line(0), line(1)].map(|text| text.chars().filter(char::is_ascii_digit).collect::<String>());
    scores.sort();
    assert_eq!(scores, ["2", "4"]);
    assert!(line(0).contains("The Dreamer") && line(1).contains("Anna"), "{told:?}");
    let year = page.number("new Date().getFullYear()");
    assert!(line(2).contains(&year.to_string()), "{told:?}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn my_games_are_those_that_were_begun_here() {
    let mut page = imported("/games");
    page.eval(
        "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, \
         body: JSON.stringify({ moves: ['a1b2'] }) }).then((r) => r.json()).then(({ key, game }) => { \
         const keys = JSON.parse(localStorage.getItem('sumito.keys')); \
         localStorage.setItem('sumito.keys', JSON.stringify({ ...keys, [game.id]: key })); })",
    );
    page.goto("/games");
    page.wait("document.querySelectorAll('[data-game]').length === 3");
    page.click("input[name=mine]");
    page.wait("location.search === '?mine=yes' && document.querySelectorAll('[data-game]').length === 1");
    page.no_faults();
}

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
    let said = page.text("document.querySelector('.game-panel').innerText");
    assert!(said.contains("This game was imported.") && !said.contains("watching"), "{said}");
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

/// What a file that is saved is caught in, where it becomes a file.
const CATCH: &str = "window.saved = []; HTMLAnchorElement.prototype.click = () => {}; \
     URL.createObjectURL = (file) => { saved.push(file); return '#'; }";

#[test]
#[ignore = "needs Chromium"]
fn names_and_tags_are_in_the_saved_file_and_come_back_with_it() {
    let mut page = imported("/games");
    let anna =
        "[...document.querySelectorAll('[data-game]')].find((each) => each.innerText.includes('Anna'))";
    let id = page.text(&format!("{anna}.dataset.game"));
    let name = "A \"lovely\" end \\o/";
    let note = serde_json::json!({ &id: { "name": name, "tags": ["final", "club"] } });
    page.eval(&format!("localStorage.setItem('sumito.shelf', JSON.stringify({note}))"));
    page.goto("/games");
    page.wait("document.querySelectorAll('.tag').length === 2");
    page.eval(CATCH);
    page.click("[data-act=export]");
    page.wait("saved.length === 1");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.apgn");
    std::fs::write(&file, page.text("saved[0].text()")).unwrap();
    // Once into the library that has the games, once after they were deleted there.
    for kept in ["2 were there already", "1 was there already"] {
        page.eval("localStorage.removeItem('sumito.shelf')");
        page.goto("/games");
        page.wait("document.querySelector('[data-game]') && !document.querySelector('.tag')");
        page.give_file("input[name=import]", &file);
        page.wait(&format!("document.querySelector('[data-import=done]')?.textContent.includes('{kept}')"));
        page.wait("document.querySelectorAll('.tag').length === 2");
        assert_eq!(page.text(&format!("{anna}.querySelector('.title').textContent")), name);
        let again = page.text(&format!("{anna}.dataset.game"));
        let key = format!("JSON.parse(localStorage.getItem('sumito.keys'))['{}']", &again[..10]);
        page.eval(&format!(
            "fetch('/api/v1/games/{again}', {{ method: 'DELETE', headers: {{ authorization: `Bearer ${{{key}}}` }} }})"
        ));
    }
    let told = page.text("fetch('/api/v1/games').then((r) => r.text())");
    assert!(!told.contains("lovely") && !told.contains("club"), "the server knows nothing of it: {told}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn all_games_that_were_found_are_saved_in_one_file() {
    let mut page = imported("/games");
    page.eval(CATCH);
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

/// Four games of which none can be taken: a move that is not legal, a position with a row too short, a layout that is none,
/// and a text that is no game.
const BAD: &str = "[Black \"a\"]\n\n1. a1b2 a1b2 *\n\n[FEN \"4/6/7/8/9/8/7/6/5 0 0 b 0 1\"]\n\n1. a1b2 *\n\n\
                   [Variant \"nowhere\"]\n\n1. a1b2 *\n\n[Black \"d\"]\n\n1. a1b2 ! ) *\n";

#[test]
#[ignore = "needs Chromium"]
fn what_an_import_refuses_is_said_in_the_readers_language() {
    let mut page = Page::open("/games", Look { language: "fr-FR", ..Look::default() });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.apgn");
    std::fs::write(&file, BAD).unwrap();
    page.wait("document.querySelector('input[name=import]')");
    page.give_file("input[name=import]", &file);
    page.wait("document.querySelector('[data-import=done]')");
    let told =
        page.eval("[...document.querySelectorAll('[data-import] li')].map((each) => each.textContent)");
    let told: Vec<&str> = told.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    for (line, part) in told.iter().zip([
        "Coup 2 : Blanc : pas de bille en a1.",
        "la rangée i a 4 cases, pas 5.",
        "Il n’y a pas de disposition « nowhere ».",
        "ce n’est pas le texte d’une partie.",
    ]) {
        assert!(line.starts_with("Partie ") && line.contains(part), "{part}: {told:?}");
    }
    assert_eq!(told.len(), 4, "{told:?}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_too_large_in_an_import_is_named_in_every_language() {
    let game = |moves: String| format!("[Black \"x\"]\n\n1. {moves} *\n\n");
    let deep = format!("a1b2 {}{}", "(1. a2b3 i5h5 ".repeat(65), ")".repeat(65));
    let games = game("a1b2 i5h5\n".repeat(10_001))
        + &game(deep)
        + &game("a1b2 {comment}\n".repeat(19_000))
        + &game(format!("a1b2 {{{}}}", "x".repeat(300_000)));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.apgn");
    std::fs::write(&file, games).unwrap();
    for (language, parts) in [
        (
            "en-GB",
            [
                "20,000 moves",
                "64 variations within each other",
                "262,144 letters in one game",
                "262,144 letters in one line",
            ],
        ),
        (
            "de-DE",
            [
                "20.000 Züge",
                "64 Varianten ineinander",
                "262.144 Zeichen in einer Partie",
                "262.144 Zeichen in einer Zeile",
            ],
        ),
        (
            "fr-FR",
            [
                "20 000 coups",
                "64 variantes imbriquées",
                "262 144 lettres dans une partie",
                "262 144 lettres sur une ligne",
            ],
        ),
        (
            "es-ES",
            [
                "20.000 jugadas",
                "64 variantes anidadas",
                "262.144 letras en una partida",
                "262.144 letras en una línea",
            ],
        ),
    ] {
        let mut page = Page::open("/games", Look { language, ..Look::default() });
        page.wait("document.querySelector('input[name=import]')");
        page.give_file("input[name=import]", &file);
        page.wait("document.querySelector('[data-import=done]')");
        // Some languages part thousands by narrow blanks.
        let told = page.eval(
            "[...document.querySelectorAll('[data-import] li')].map((each) => each.textContent.replace(/\\s/g, ' '))",
        );
        for (at, part) in parts.iter().enumerate() {
            assert!(told[at].as_str().is_some_and(|line| line.contains(part)), "{part}: {told}");
        }
        page.no_faults();
    }
}

/// Begins a game by the API and keeps its key in this browser; gives its id.
fn begun(page: &mut Page, body: &serde_json::Value) -> String {
    page.text(&format!(
        "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify({body}) }}) \
         .then((r) => r.json()).then(({{ key, game }}) => {{ const keys = JSON.parse(localStorage.getItem('sumito.keys') ?? '{{}}'); \
         localStorage.setItem('sumito.keys', JSON.stringify({{ ...keys, [game.id]: key }})); return game.id; }})"
    ))
}

#[test]
#[ignore = "needs Chromium"]
fn ones_own_games_are_found_however_many_came_after_them() {
    let mut page = Page::open("/games", Look::default());
    let id = begun(&mut page, &serde_json::json!({ "moves": ["a1b2"] }));
    page.eval(&format!(
        "localStorage.setItem('sumito.shelf', JSON.stringify({{ '{id}': {{ name: 'Mine', tags: ['club'] }} }}))"
    ));
    let many: String = (0..1050).map(|n| format!("[Event \"{n}\"]\n\n1. a1b2 *\n\n")).collect();
    page.eval(&format!(
        "fetch('/api/v1/imports', {{ method: 'POST', headers: {{ 'content-type': 'text/plain' }}, body: {} }})",
        serde_json::json!(many)
    ));
    for path in ["/games?mine=yes", "/games?tag=club", "/games?mine=yes&tag=club", "/games?player=mine"] {
        page.goto(path);
        if path == "/games?mine=yes" {
            let all = "fetch('/api/v1/games?limit=1').then((r) => r.json()).then((r) => r.total)";
            while page.number(all) < 1051.0 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            page.goto("/games?mine=yes");
        }
        page.wait(&format!("document.querySelector('[data-game]')?.dataset.game === '{id}'"));
        assert_eq!(page.number("document.querySelectorAll('[data-game]').length"), 1.0, "{path}");
    }
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn more_of_ones_own_games_come_page_by_page_and_in_order() {
    let mut page = Page::open("/games", Look::default());
    let ids: Vec<String> = (0..35)
        .map(|n| {
            let moves = ["a2a3", "g5g6", "a3a2", "g6g5"].iter().cycle().take(n).collect::<Vec<_>>();
            begun(&mut page, &serde_json::json!({ "moves": moves, "rules": { "repetition": "off" } }))
        })
        .collect();
    page.goto("/games?mine=yes&sort=longest");
    page.wait("document.querySelectorAll('[data-game]').length === 30");
    page.wait("document.querySelector('p.soft[role=status]').textContent === '35 games'");
    page.click("[data-act=more]");
    page.wait("document.querySelectorAll('[data-game]').length === 35 && document.querySelector('[data-act=more]').hidden");
    let found = page.eval("[...document.querySelectorAll('[data-game]')].map((each) => each.dataset.game)");
    let wanted: Vec<&String> = ids.iter().rev().collect();
    assert_eq!(found, serde_json::json!(wanted));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn keys_of_hundreds_of_games_are_kept() {
    let mut page = Page::open_modules("/about", Look::default());
    let kept = page.eval(
        "import('/lib/keys.js').then(({ keepKey, keyOf, keyed }) => { \
         for (let n = 0; n < 1500; n++) keepKey(`game${n}`, `key${n}`); return [keyOf('game0'), keyed().length, keyed()[0]]; })",
    );
    assert_eq!(kept, serde_json::json!(["key0", 1500, "game1499"]));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn games_are_found_by_the_names_that_the_page_shows() {
    let mut page = Page::open("/games", Look { language: "fr-FR", ..Look::default() });
    let human = serde_json::json!({ "kind": "human", "name": "" });
    let mut ids = ["aba-pro:depth=2", "sumito:level=3", "random"].map(|spec| {
        let agent = serde_json::json!({ "kind": "agent", "spec": spec });
        begun(&mut page, &serde_json::json!({ "black": human, "white": agent }))
    });
    ids.reverse();
    page.eval(&format!(
        "localStorage.setItem('sumito.shelf', JSON.stringify({{ '{}': {{ name: 'Un beau rêve' }} }}))",
        ids[0]
    ));
    for (name, wanted) in [("classique", &ids[2]), ("Apprenti", &ids[1]), ("beau rêve", &ids[0])] {
        page.goto("/games");
        page.wait("document.querySelectorAll('[data-game]').length === 3");
        page.eval("document.querySelector('input[name=player]').focus()");
        page.type_text(name);
        page.wait("document.querySelectorAll('[data-game]').length === 1");
        assert_eq!(&page.text("document.querySelector('[data-game]').dataset.game"), wanted, "{name}");
    }
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn an_opening_explorer_without_games_says_what_to_do() {
    let mut page = Page::open("/openings", Look::default());
    page.wait("document.querySelector('.side .empty h2').textContent === 'No game went this way yet'");
    assert_eq!(page.eval("document.querySelector('.explorer').checkVisibility()"), false);
    page.wait(
        "document.querySelector('.empty .mini') && document.querySelector('.empty a[href=\"/games\"]')",
    );
    page.eval(
        "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, \
         body: JSON.stringify({ moves: ['a1b2'] }) })",
    );
    page.goto("/openings");
    page.click(".explorer .choice button");
    page.wait("document.querySelector('.empty:not([hidden]) [data-act=start]')");
    page.click(".empty [data-act=start]");
    page.wait("document.querySelectorAll('.explorer .choice').length === 1 && document.querySelector('.empty').hidden");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_has_as_many_moves_wherever_they_are_counted() {
    let mut page = imported("/games");
    let card =
        "[...document.querySelectorAll('[data-game]')].find((each) => each.innerText.includes('Anna'))";
    assert!(page.text(&format!("{card}.innerText")).contains("· 6 moves\u{a0}·"));
    let id = page.text(&format!("{card}.dataset.game"));
    page.goto(&format!("/analyse/{id}"));
    page.click("[data-act=keep-study]");
    page.click("[data-act=studies]");
    page.wait("document.querySelector('[data-study]').innerText.includes('6 moves ·')");
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelector('.graph-last')?.textContent === '6 moves'");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_that_is_pasted_as_text_is_in_the_list() {
    let mut page = Page::open("/games", Look { width: 360, height: 740, touch: true, ..Look::default() });
    page.click("[data-act=paste]");
    page.wait("document.activeElement.name === 'pasted'");
    page.type_text("1. a1b2 i5h5 2. b2c3 h5g5 *");
    page.click("[data-act=read]");
    page.wait("document.querySelector('[data-import=done]') && document.querySelectorAll('[data-game]').length === 1");
    assert!(page.text("document.querySelector('[data-game]').textContent").contains("4"));
    page.no_faults();
}

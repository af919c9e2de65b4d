//! What is not there: pages that do not exist, and a server that goes away and comes back.

use crate::board;
use crate::page::{Look, Page};

#[test]
#[ignore = "needs Chromium"]
fn a_page_that_does_not_exist_says_so_and_leads_home() {
    let mut page = Page::open("/about", Look::default());
    let found = page
        .eval("Promise.all(['/nowhere', '/game/nobody', '/about', '/'].map((path) => fetch(path).then((r) => r.status)))");
    assert_eq!(found, serde_json::json!([404, 404, 200, 200]));
    for path in ["/review", "/games/x", "/about/x/y", "/learn/x", "/nowhere"] {
        page.goto(path);
        page.wait("document.querySelector('main h1').textContent === 'There is no such page'");
        assert_eq!(page.number("fetch(location.href).then((r) => r.status)"), 404.0, "{path}");
    }
    page.click("main a[href='/']");
    page.wait("location.pathname === '/' && document.querySelector('sumito-board').own.length > 0");
    page.forgive("404");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_that_does_not_exist_says_so_and_leads_home() {
    let mut page = Page::open("/about", Look::default());
    page.goto("/game/aaaaaaaaaa");
    page.wait("document.querySelector('main p').textContent.startsWith('There is no such game')");
    page.click("main a[href='/']");
    page.wait("document.querySelector('sumito-board').own.length > 0");
    page.forgive("404");
    page.no_faults();
}

/// Says that the server is gone, and keeps what it has; the rest is done after it is back.
fn gone(page: &mut Page, meanwhile: impl FnOnce(&mut Page)) {
    page.server.stop();
    meanwhile(page);
    page.wait("document.querySelector('#gone').textContent.includes('cannot be reached')");
    page.server.again();
}

/// The bar goes away, and nothing is a fault but that nobody answered.
fn back(mut page: Page) {
    page.wait("!document.querySelector('#gone').textContent");
    page.forgive("net::ERR_");
    page.no_faults();
}

const READY: &str = "document.querySelector('sumito-board').own.length > 0";

fn play(page: &mut Page, text: &str) {
    let wanted = board::named(page, text);
    board::by_clicks(page, &wanted);
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_goes_on_when_the_server_is_back() {
    let mut page = Page::open("/", Look::default());
    page.wait(READY);
    play(&mut page, "a1b2");
    page.wait("document.querySelector('sumito-board').position.plies === 2");
    page.wait(READY);
    let before = page.text("document.querySelector('sumito-board').position.fen");
    gone(&mut page, |_| ());
    page.wait("!document.querySelector('#gone').textContent");
    assert_eq!(page.text("document.querySelector('sumito-board').position.fen"), before);
    page.wait(READY);
    let wanted = board::choice(&mut page);
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('sumito-board').position.plies === 4");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_could_not_be_sent_is_put_back_and_can_be_made_again() {
    let mut page = Page::open("/", Look::default());
    page.wait(READY);
    gone(&mut page, |page| {
        play(page, "a1b2");
        page.wait("document.querySelector('.toast').textContent.includes('when it is back')");
        page.wait("document.querySelector('sumito-board').position.black.includes('a1')");
    });
    page.wait("!document.querySelector('#gone').textContent");
    page.wait(READY);
    play(&mut page, "a1b2");
    page.wait("document.querySelector('sumito-board').position.plies === 2");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_in_a_game_is_sent_when_the_server_is_back() {
    let mut page = Page::open("/", Look::default());
    page.wait(READY);
    play(&mut page, "a1b2");
    page.wait("document.querySelector('sumito-board').position.plies === 2");
    page.wait(READY);
    gone(&mut page, |page| {
        let wanted = board::choice(page);
        board::by_clicks(page, &wanted);
        page.wait("document.querySelectorAll('.moves button').length === 3");
    });
    page.wait("document.querySelector('sumito-board').position.plies === 4");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_search_for_games_is_answered_when_the_server_is_back() {
    let mut page = Page::open("/games", Look::default());
    let told = "document.querySelector('p.soft[role=status]').textContent";
    page.wait(&format!("{told} === '0 games'"));
    gone(&mut page, |page| {
        page.choose("select[name=layout]", "standard");
        page.wait(&format!("{told} === 'Searching …'"));
    });
    page.wait(&format!("{told} === '0 games'"));
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_lesson_is_judged_when_the_server_is_back() {
    let mut page = Page::open("/learn/3", Look::default());
    page.wait(READY);
    gone(&mut page, |page| play(page, "d4e5"));
    page.wait("document.querySelector('[data-told=done]')");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn the_engine_thinks_again_when_the_server_is_back() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelector('.engine-line .chip')?.textContent");
    gone(&mut page, |_| ());
    page.wait(READY);
    play(&mut page, "a1b2");
    page.wait("document.querySelector('sumito-board').position.turn === 'white'");
    page.wait("document.querySelector('.engine-line .chip')?.textContent");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn the_board_stays_under_the_finger_when_the_server_goes_and_comes_back() {
    for (width, height) in [(360, 740), (740, 360), (1400, 900)] {
        let look = Look { width, height, touch: width < 800, ..Look::default() };
        let mut page = Page::open("/analyse", look);
        page.wait("document.querySelector('.engine-line .chip')?.textContent");
        let before = board::cell(&mut page, "e5");
        gone(&mut page, |page| {
            page.wait("document.querySelector('#gone').textContent");
            assert_eq!(board::cell(page, "e5"), before, "gone, at {width} by {height}");
        });
        page.wait("!document.querySelector('#gone').textContent");
        assert_eq!(board::cell(&mut page, "e5"), before, "back, at {width} by {height}");
        back(page);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_opens_when_the_server_is_back() {
    let mut page = Page::open("/games", Look::default());
    page.click("nav a[href='/about']");
    page.wait("document.querySelector('.prose table')");
    gone(&mut page, |page| page.click("nav a[href='/games']"));
    page.wait("document.querySelector('p.soft[role=status]').textContent === '0 games'");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_whose_files_were_not_there_yet_opens_when_the_server_is_back() {
    let mut page = Page::open("/", Look::default());
    page.wait(READY);
    gone(&mut page, |page| page.click("nav a[href='/about']"));
    page.wait("document.querySelector('.prose table')");
    page.click("#settings");
    page.wait("document.querySelector('dialog.settings[open]')");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_note_never_covers_the_board() {
    for (width, height) in [(360, 740), (740, 360), (820, 1180), (1400, 900)] {
        for path in ["/", "/analyse", "/learn"] {
            let look = Look { width, height, touch: width < 800, ..Look::default() };
            let mut page = Page::open_modules(path, look);
            page.wait("document.querySelector('sumito-board').own.length > 0");
            page.never_after(5000);
            for kind in ["error", "note"] {
                let shared = page.number(
                    &"import('/lib/dom.js').then(({ toast }) => { \
                 toast('This is not a position: in row i there are 4 cells, not 5.', 'KIND'); \
                 const a = document.querySelector('.toast').getBoundingClientRect(); \
                 const b = document.querySelector('sumito-board svg').getBoundingClientRect(); \
                 const seen = a.left >= 0 && a.top >= 0 && a.right <= innerWidth && a.bottom <= innerHeight && a.width > 99; \
                 const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left); \
                 const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top); \
                 return seen ? Math.max(0, wide) * Math.max(0, high) : -1; })"
                        .replace("KIND", kind),
                );
                assert_eq!(shared, 0.0, "{kind} on {path} at {width} by {height}");
            }
            page.no_faults();
        }
    }
}

/// A game with a move of each side, in which the browser's sockets are kept and may hear nothing of an end.
fn watched(deaf: bool) -> Page {
    let mut page = Page::open("/about", Look::default());
    page.command(
        "Page.addScriptToEvaluateOnNewDocument",
        serde_json::json!({ "source": "window.sockets = []; const Real = WebSocket; window.WebSocket = class extends Real { \
            constructor(url) { super(url); window.sockets.push(this); } \
            set onmessage(hear) { super.onmessage = (event) => { \
                if (!DEAF || JSON.parse(event.data).type !== 'deleted') hear(event); }; } };"
            .replace("DEAF", &deaf.to_string()) }),
    );
    page.goto("/");
    page.wait(READY);
    play(&mut page, "a1b2");
    page.wait("location.pathname.startsWith('/game/') && document.querySelector('sumito-board').position.plies === 2");
    page
}

/// Deletes the game of the page, as another window would.
const DELETE: &str = "(() => { const id = location.pathname.split('/')[2], key = JSON.parse(localStorage.getItem('sumito.keys'))[id]; \
    return fetch(`/api/v1/games/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } }).then((r) => r.ok); })()";

#[test]
#[ignore = "needs Chromium"]
fn a_game_that_is_deleted_while_it_is_open_says_so_and_leads_home() {
    for deaf in [false, true] {
        let mut page = watched(deaf);
        assert_eq!(page.eval(DELETE), true);
        if deaf {
            page.eval("sockets.forEach((each) => each.close())");
        }
        page.wait("document.querySelector('main p').textContent.startsWith('There is no such game')");
        page.click("main a[href='/']");
        page.wait(READY);
        page.forgive("404");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn in_a_game_nothing_slides_when_the_server_goes_and_comes_back() {
    for (width, height) in [(360, 740), (740, 360), (1400, 900)] {
        let look = Look { width, height, touch: width < 800, ..Look::default() };
        let mut page = Page::open("/", look);
        page.wait(READY);
        page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
        page.wait(&format!("document.querySelectorAll('.moves button').length === 2 && {READY}"));
        let places = "['svg.board', '.strip', '.moves button', '.walk', '[data-act=takeback]'].map((each) => { \
             const { left, top, right, bottom } = document.querySelector(each).getBoundingClientRect(); \
             return [left, top, right, bottom].join(' '); }).join(', ')";
        let before = page.text(places);
        gone(&mut page, |page| {
            page.wait("document.querySelector('sumito-board .line').textContent.startsWith('No connection to the server')");
            page.wait("document.querySelector('#gone').textContent");
            assert_eq!(page.text(places), before, "gone, at {width} by {height}");
        });
        page.wait("document.querySelector('sumito-board .line').textContent === 'Your move'");
        assert_eq!(page.text(places), before, "back, at {width} by {height}");
        back(page);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_review_is_made_when_the_server_is_back() {
    let mut page = Page::open("/about", Look::default());
    let moves: Vec<&str> = ["a2a3", "g5g6", "a3a2", "g6g5"].into_iter().cycle().take(240).collect();
    let id = page.text(&format!(
        "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({{ moves: {}, rules: {{ repetition: 'off' }} }}) }}).then((r) => r.json()).then((r) => r.game.id)",
        serde_json::json!(moves)
    ));
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelector('[data-review=running] progress').value > 0");
    gone(&mut page, |page| {
        assert_eq!(page.eval("document.querySelector('[data-review=running]').hidden"), false);
    });
    page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2 && document.querySelector('[data-review=running]').hidden");
    page.wait("document.querySelector('[data-part=basis]').textContent.includes('network')");
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn agents_go_on_when_the_server_is_back() {
    let mut page = Page::open("/watch", Look::default());
    page.wait("document.querySelector('select[name=black]')");
    page.choose("select[name=black]", "random");
    page.choose("select[name=white]", "random");
    page.click("[data-act=watch]");
    page.wait("document.querySelectorAll('.moves button').length >= 2");
    gone(&mut page, |_| ());
    page.wait("!document.querySelector('#gone').textContent");
    let before = page.number("document.querySelectorAll('.moves button').length");
    page.wait("!document.querySelector('[data-act=pause]').disabled");
    let paused = page.eval("fetch('/api/v1/games/' + location.pathname.split('/').pop()).then((r) => r.json()).then((game) => game.paused)");
    if paused == true {
        page.click("[data-act=pause]");
    }
    page.wait(&format!("document.querySelectorAll('.moves button').length > {before}"));
    back(page);
}

#[test]
#[ignore = "needs Chromium"]
fn the_explorer_walks_on_when_the_server_is_back() {
    let mut page = Page::open("/openings", Look::default());
    page.wait(READY);
    gone(&mut page, |page| play(page, "a1b2"));
    page.wait("document.querySelector('sumito-board').position.turn === 'white'");
    page.wait(READY);
    back(page);
}

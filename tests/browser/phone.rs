//! The play page on a phone, upright and on its side: all that one needs is on one screen and stays where it is.

use serde_json::Value;

use crate::page::{Look, Page};

const SIZES: [(u32, u32); 2] = [(360, 740), (740, 360)];

/// A game of two people on one device, with one move made.
fn game(width: u32, height: u32) -> Page {
    let mut page = Page::open("/about", Look { width, height, touch: true, ..Look::default() });
    page.eval("localStorage.setItem('sumito.setup', JSON.stringify({ opponent: 'human' }))");
    page.goto("/");
    page.wait("document.querySelector('sumito-board').own.length > 0");
    play(&mut page, 1);
    page.wait("location.pathname.startsWith('/game/')");
    page
}

/// Moves until so many are made: quiet ones, which differ from turn to turn.
fn play(page: &mut Page, plies: usize) {
    for ply in 0..plies {
        let made = page.number("document.querySelectorAll('.moves button').length");
        page.eval(&format!(
            "(() => {{ const board = document.querySelector('sumito-board'); \
             const quiet = board.position.moves.filter((each) => !each.ejected); \
             board.choose(quiet[{ply} * 7 % quiet.length]); }})()"
        ));
        page.wait(&format!(
            "document.querySelectorAll('.moves button').length > {made} \
             && document.querySelector('sumito-board').own.length > 0"
        ));
    }
}

/// Left, top, right and bottom of the board, the moves and the bar, then the screen's and the page's size.
fn places(page: &mut Page) -> Value {
    page.eval(
        "[...['svg.board', '.strip', '.game-bar'].map((each) => { \
         const { left, top, right, bottom } = document.querySelector(each).getBoundingClientRect(); \
         return [left, top, right, bottom]; }), \
         [innerWidth, innerHeight, document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]]",
    )
}

#[test]
#[ignore = "needs Chromium"]
fn board_moves_and_bar_are_on_one_screen_and_stay_there_for_thirty_moves() {
    for (width, height) in SIZES {
        let mut page = game(width, height);
        let before = places(&mut page);
        let screen = &before[3];
        assert!(screen[3].as_f64() <= screen[1].as_f64(), "the page scrolls: {before}");
        for i in 0..3 {
            let place: Vec<f64> = (0..4).map(|j| before[i][j].as_f64().unwrap()).collect();
            assert!(place[0] >= 0.0 && place[1] >= 0.0, "{before}");
            assert!(place[2] <= f64::from(width) && place[3] <= f64::from(height), "{before}");
            assert!(place[2] > place[0] && place[3] > place[1], "{before}");
        }
        play(&mut page, 30);
        assert_eq!(places(&mut page), before, "{width} x {height}");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_tapped_in_a_game_is_as_large_as_a_thumb() {
    for (width, height) in SIZES {
        let mut page = game(width, height);
        play(&mut page, 3);
        page.tap("[data-act=more]");
        page.wait("document.querySelector('.sheet.open')");
        let small = page.eval(
            "[...document.querySelectorAll('.game-bar button, .moves button, .sheet button, .sheet a.button, .sheet input')] \
             .filter((each) => each.checkVisibility()).map((each) => [each.outerHTML, each.getBoundingClientRect()]) \
             .filter(([, { width, height }]) => Math.min(width, height) < 44).map(([text]) => text)",
        );
        assert_eq!(small, serde_json::json!([]), "{width} x {height}");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn coordinates_can_be_read_on_a_phone() {
    for (width, height) in SIZES {
        let mut page = game(width, height);
        let size = page.number(
            "(() => { const text = document.querySelector('.coordinates text'); \
             return parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a; })()",
        );
        assert!(size >= 11.0, "{width} x {height}: {size} pixels");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_told_for_a_moment_covers_neither_the_board_nor_anything_to_press() {
    for (width, height) in [(360, 740), (740, 360), (820, 1180), (1400, 900)] {
        let mut page = game(width, height);
        for open in [false, true] {
            if open && page.eval("document.querySelector('[data-act=more]')?.checkVisibility()") == true {
                page.tap("[data-act=more]");
            }
            page.eval(
                "(() => { const field = document.querySelector('[name=typed]'); field.value = 'nonsense'; \
                 document.querySelector('#toasts').replaceChildren(); field.form.requestSubmit(); })()",
            );
            page.wait("document.querySelector('.toast')");
            let covered = page.eval(
                "(() => { const a = document.querySelector('.toast').getBoundingClientRect(); \
                 return [...document.querySelectorAll('svg.board, a[href], button, input, select, summary')].filter((each) => { \
                     const b = each.getBoundingClientRect(); \
                     return each.checkVisibility() && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom \
                         && each.contains(document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)); \
                 }).map((each) => each.outerHTML.slice(0, 99)); })()",
            );
            assert_eq!(covered, serde_json::json!([]), "{width} x {height}, more {open}");
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn every_cause_is_told_within_its_two_lines_in_every_language() {
    let mut page = Page::open("/about", Look { width: 360, height: 740, touch: true, ..Look::default() });
    let languages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/web/i18n")).unwrap();
    let mut checked = 0;
    for file in languages {
        let language = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        page.eval(&format!(
            "localStorage.setItem('sumito.settings', JSON.stringify({{ language: '{language}' }}))"
        ));
        page.goto("/");
        page.wait("document.querySelector('sumito-board').own.length > 0");
        let high = page.eval(
            "(() => { const board = document.querySelector('sumito-board'), line = board.querySelector('.line'); \
             const alone = ['narrow', 'sideways', 'far', 'gap', 'line', 'which', 'empty', 'theirs', 'rules', 'edge', 'scroll']; \
             const still = ['outnumbered', 'blocked', 'own', 'taken', 'three']; \
             const all = [...alone.map((cause) => ({ cause })), \
                 ...still.flatMap((cause) => [false, true].map((arrows) => ({ cause, ours: 3, theirs: 3, join: true, arrows })))]; \
             return all.map((reason) => { board.tell(reason); return line.textContent; }) \
                 .filter((text) => { line.textContent = text; return line.scrollHeight > line.clientHeight; }); })()",
        );
        assert_eq!(high, serde_json::json!([]), "{language}");
        checked += 1;
    }
    assert!(checked >= 2, "only {checked} languages");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_end_of_a_game_leaves_the_board_in_sight_and_can_be_put_away() {
    for (width, height) in SIZES {
        let mut page = game(width, height);
        page.tap("[data-act=more]");
        page.tap("[data-act=resign]");
        page.wait("document.querySelector('[data-act=resign]').dataset.sure");
        // Not by a second tap: so soon after the first it would be a double one, which means nothing.
        page.eval("document.querySelector('[data-act=resign]').click()");
        page.wait("!document.querySelector('.result').hidden");
        assert_eq!(
            page.eval("document.querySelector('.sheet').checkVisibility()"),
            false,
            "it makes way for the end"
        );
        let covered = page.eval(
            "(() => { const a = document.querySelector('.result').getBoundingClientRect(); \
             const b = document.querySelector('svg.board .rim').getBoundingClientRect(); \
             return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; })()",
        );
        assert_eq!(covered, false, "{width} x {height}");
        page.tap(".result .away");
        page.wait("document.querySelector('.result').hidden");
        page.tap("[data-act=more]");
        page.tap("[data-act=again]");
        page.wait("location.pathname === '/'");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_tap_beside_what_more_has_opened_closes_it_and_does_what_it_lands_on() {
    for (width, height) in SIZES {
        let mut page = game(width, height);
        play(&mut page, 1);
        let ply = "document.querySelector('sumito-board').position.plies";
        let open = |page: &mut Page| {
            page.tap("[data-act=more]");
            page.wait("document.querySelector('.sheet').checkVisibility()");
        };
        let closed = "!document.querySelector('.sheet').checkVisibility()";
        open(&mut page);
        page.tap("[data-walk=back]");
        page.wait(&format!("{closed} && {ply} === 1"));
        open(&mut page);
        page.tap("[data-walk=next]");
        page.wait(&format!("{closed} && {ply} === 2"));
        open(&mut page);
        // The upper rows of the board are in sight above it.
        let marble = page.text("document.querySelector('sumito-board').own.toSorted().at(-1)");
        let at = crate::board::cell(&mut page, &marble);
        page.tap_at(at);
        page.wait(&format!(
            "{closed} && document.querySelector('sumito-board').selection.join() === '{marble}'"
        ));
        open(&mut page);
        // By keyboard there is no press that lands elsewhere.
        page.eval("document.querySelector('[data-walk=back]').focus()");
        page.key("Enter", "Enter");
        page.wait(&format!("{closed} && {ply} === 1"));
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_menu_is_within_reach_on_a_phone_on_its_side() {
    let mut page = game(740, 360);
    page.tap(".bar .menu");
    page.eval("document.querySelector('.bar nav a:last-child').scrollIntoView({ block: 'nearest' })");
    let reached = page.eval(
        "(() => { const last = document.querySelector('.bar nav a:last-child'); const box = last.getBoundingClientRect(); \
         return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === last; })()",
    );
    assert_eq!(reached, true, "the last entry can be scrolled to and is not covered");
    page.no_faults();
}

/// What there is to tap on a page, each with its smaller side, if that is less than a thumb needs.
const SMALL: &str = "[...document.querySelectorAll('main :is(button, a.button, select, summary, label.tick, .under a, input:not([type=range], [type=checkbox], [type=file]))')] \
    .filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => [each.outerHTML.slice(0, 200), each.getBoundingClientRect()]) \
    .filter(([, { width, height }]) => width > 1 && Math.min(width, height) < 43.9).map(([text, { width, height }]) => `${text} ${width} x ${height}`)";

#[test]
#[ignore = "needs Chromium"]
fn what_is_tapped_on_any_page_is_as_large_as_a_thumb() {
    for (width, height) in SIZES {
        let mut page = Page::open("/about", Look { width, height, touch: true, ..Look::default() });
        let id = page.text(
            "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, \
             body: JSON.stringify({ moves: ['a1b2', 'i5h5', 'a2b3', 'i6h6'] }) }).then((r) => r.json()).then((r) => r.game.id)",
        );
        page.eval(&format!(
            "localStorage.setItem('sumito.shelf', JSON.stringify({{ '{id}': {{ name: 'Mine', tags: ['club'] }} }}))"
        ));
        for (path, ready) in [
            ("/".to_string(), "document.querySelector('[data-act=quick]')"),
            ("/watch".to_string(), "document.querySelector('[data-act=watch]')"),
            (
                format!("/analyse/{id}"),
                "document.querySelectorAll('.tree button').length === 4 && document.querySelector('.lines .text button')",
            ),
            (format!("/review/{id}"), "document.querySelector('[data-accuracy] .big')"),
            ("/games".to_string(), "document.querySelector('[data-game]')"),
            ("/openings".to_string(), "document.querySelector('.explorer .choice')"),
            ("/learn/2".to_string(), "document.querySelector('.steps button')"),
        ] {
            page.goto(&path);
            page.wait(ready);
            page.eval("document.querySelectorAll('main details').forEach((each) => { each.open = true; })");
            let small = page.eval(SMALL);
            assert_eq!(small, serde_json::json!([]), "{path} at {width} x {height}");
        }
        page.no_faults();
    }
}

/// A finger that moves up on the list of moves, from its middle: how far the page goes, and how far it could.
fn scrolled(page: &mut Page) -> (f64, f64) {
    page.wait("document.querySelectorAll('.moves button').length >= 40");
    let (x, y) = page.middle(".moves");
    page.rest();
    let before = page.number("scrollY");
    let end = page.number("document.scrollingElement.scrollHeight - innerHeight");
    let points: Vec<(f64, f64)> = (0..=10).map(|step| (x, y - f64::from(step) * 20.0)).collect();
    page.swipe(&points);
    page.rest();
    (page.number("scrollY") - before, end - before)
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_on_the_moves_scrolls_the_page_in_review_and_watch() {
    for (width, height) in SIZES {
        let look = Look { width, height, touch: true, ..Look::default() };
        let mut page = Page::open("/about", look);
        let moves: Vec<&str> = ["a2a3", "g5g6", "a3a2", "g6g5"].into_iter().cycle().take(40).collect();
        let agent = serde_json::json!({ "kind": "agent", "spec": "random" });
        let body = serde_json::json!({ "moves": moves, "rules": { "repetition": "off" }, "black": agent, "white": agent, "paused": true });
        let id = page.text(&format!(
            "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
             body: JSON.stringify({body}) }}).then((r) => r.json()).then((r) => r.game.id)"
        ));
        for room in ["watch", "review"] {
            page.goto(&format!("/{room}/{id}"));
            let (far, most) = scrolled(&mut page);
            assert!(far >= 20.0 && far >= most.min(100.0), "{room} at {width} by {height}: {far} of {most}");
        }
        page.no_faults();
    }
}

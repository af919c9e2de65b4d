//! How marbles are moved by tap, drag and finger, on positions that are set for the purpose.

use crate::board::cell;
use crate::page::{Look, Page};

const PHONE: Look = Look { width: 360, height: 740, touch: true, dark: false, language: "en-GB" };

/// The start page's board with another position on it; moves are kept in `window.moved` and go no further.
fn board(look: Look, fen: &str) -> Page {
    let mut page = Page::open("/", look);
    page.wait("document.querySelector('sumito-board').own.length > 0");
    page.eval(
        "window.moved = []; document.addEventListener('move', (event) => { \
         window.moved.push(event.detail.move); event.stopImmediatePropagation(); }, true)",
    );
    page.eval(&format!(
        "fetch('/api/v1/positions', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({{ fen: '{fen}' }}) }}).then((r) => r.json()).then(({{ position }}) => {{ \
         const board = document.querySelector('sumito-board'); board.player = 'both'; board.position = position; }})"
    ));
    page
}

fn click(page: &mut Page, cells: &[&str]) {
    for each in cells {
        let at = cell(page, each);
        page.click_at(at);
    }
}

fn made(page: &mut Page) -> String {
    page.text("window.moved.join()")
}

fn said(page: &mut Page) -> String {
    page.text("document.querySelector('sumito-board .line').textContent")
}

const DAISY: &str = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
const TWO_AGAINST_TWO: &str = "5/6/7/8/2SSss3/8/7/6/5 0 0 b 0 1";
const THREE_AGAINST_TWO: &str = "5/6/7/8/1SSSss3/8/7/6/5 0 0 b 0 1";

#[test]
#[ignore = "needs Chromium"]
fn a_marble_that_cannot_move_alone_shows_those_that_can_join_it() {
    let mut page = board(Look::default(), DAISY);
    click(&mut page, &["a1"]);
    page.wait("document.querySelectorAll('.joining').length === 4");
    assert_eq!(page.number("document.querySelectorAll('.board .lines polyline').length"), 3.0);
    assert!(said(&mut page).starts_with("Your own marbles are in the way."), "{}", said(&mut page));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_hindmost_marble_shows_what_its_line_pushes_beside_its_own_moves() {
    let mut page = board(Look::default(), THREE_AGAINST_TWO);
    click(&mut page, &["e2"]);
    page.wait("document.querySelector('.handle[data-direction=east]')");
    assert!(page.number("document.querySelectorAll('.handle').length") > 1.0, "it can go elsewhere, too");
    page.click(".handle[data-direction=east]");
    assert_eq!(made(&mut page), "e2e3");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn two_marbles_show_the_move_that_their_third_makes() {
    let mut page = board(Look::default(), DAISY);
    click(&mut page, &["a1", "b2"]);
    page.wait("document.querySelectorAll('.joining').length === 1");
    page.click(".handle[data-direction=north-east]");
    assert_eq!(made(&mut page), "a1b2");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_rear_marble_and_a_far_target_are_one_move() {
    let mut page = board(Look::default(), DAISY);
    click(&mut page, &["a1", "d4"]);
    assert_eq!(made(&mut page), "a1b2");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_tap_on_an_enemy_marble_pushes_it() {
    for second in ["e5", "e6"] {
        let mut page = board(Look::default(), THREE_AGAINST_TWO);
        click(&mut page, &["e2", second]);
        assert_eq!(made(&mut page), "e2e3", "{second}");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_push_against_too_many_is_explained_to_eyes_and_ears_and_keeps_the_choice() {
    let mut page = board(Look::default(), TWO_AGAINST_TWO);
    click(&mut page, &["e3", "e4", "e5"]);
    assert_eq!(said(&mut page), "Two against two: no push.");
    assert_eq!(
        page.text("document.querySelector('sumito-board [aria-live]').textContent"),
        "Two against two: no push."
    );
    assert_eq!(page.number("document.querySelectorAll('.board .chosen').length"), 2.0);
    assert_eq!(made(&mut page), "");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_words_below_the_board_move_nothing() {
    let mut page = board(PHONE, TWO_AGAINST_TWO);
    let place = "(() => { const { x, y, width, height } = document.querySelector('svg.board').getBoundingClientRect(); \
                 return [x, y + scrollY, width, height, document.querySelector('.frame').offsetHeight].join(); })()";
    let before = page.text(place);
    for each in ["e3", "e4", "e5"] {
        let at = cell(&mut page, each);
        page.tap_at(at);
    }
    assert_eq!(said(&mut page), "Two against two: no push.");
    assert_eq!(page.text(place), before);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_drag_from_the_rear_marble_moves_the_line() {
    let mut page = board(Look::default(), DAISY);
    let (rear, next) = (cell(&mut page, "a1"), cell(&mut page, "b2"));
    let on = |part: f64| (rear.0 + (next.0 - rear.0) * part, rear.1 + (next.1 - rear.1) * part);
    page.drag(&[rear, on(0.3), on(0.6), on(0.9)]);
    assert_eq!(made(&mut page), "a1b2");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_key_pushes_the_whole_line_from_its_rear_marble() {
    let mut page = board(Look::default(), DAISY);
    page.eval("document.querySelector('sumito-board').focusOn('a1')");
    page.key("e", "KeyE");
    assert_eq!(made(&mut page), "a1b2");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_that_scrolls_over_the_board_plays_nothing() {
    let mut page = board(PHONE, DAISY);
    // Higher than the screen, wherever the page's own choices end.
    page.eval("document.body.style.minHeight = '2000px'");
    let way = |at: (f64, f64), by: f64| {
        (0..=10).map(|i| (at.0 + 2.0, at.1 + by * f64::from(i) / 10.0)).collect::<Vec<_>>()
    };
    // Up and down, from a marble that can go there, from one that is chosen nowhere, and with an arrow where the finger ends.
    for (first, from, by) in
        [("", "c3", -120.0), ("", "g7", 120.0), ("c3", "b2", -90.0), ("c3", "e5", 60.0), ("c3", "f4", 60.0)]
    {
        page.rest();
        page.eval("window.scrollTo(0, 100); document.querySelector('sumito-board').select([])");
        page.rest();
        if !first.is_empty() {
            let at = cell(&mut page, first);
            page.tap_at(at);
            page.wait("document.querySelector('.handle')");
        }
        let at = cell(&mut page, from);
        page.swipe(&way(at, by));
        page.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assert_eq!(made(&mut page), "", "{first} {from} {by}");
    }
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_carries_a_marble_that_it_has_chosen() {
    let mut page = board(PHONE, DAISY);
    let at = cell(&mut page, "c3");
    page.tap_at(at);
    page.wait("document.querySelector('.handle')");
    let to = cell(&mut page, "d3");
    let half = ((at.0 + to.0) / 2.0, (at.1 + to.1) / 2.0);
    page.swipe(&[at, half, to]);
    assert_eq!(made(&mut page), "c3d3");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_that_drags_a_marble_at_once_is_told_to_choose_it_first() {
    let mut page = board(PHONE, DAISY);
    page.eval("document.body.style.minHeight = '2000px'");
    let pitch = cell(&mut page, "e6").0 - cell(&mut page, "e5").0;
    for degrees in [0, 60, 120, 180, 240, 300] {
        page.rest();
        page.eval("window.scrollTo(0, 100); document.querySelector('sumito-board').select([])");
        page.rest();
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let at = cell(&mut page, "c3");
        let way: Vec<_> = (0..=8)
            .map(f64::from)
            .map(|i| (at.0 + cos * pitch * i / 8.0, at.1 - sin * pitch * i / 8.0))
            .collect();
        page.swipe(&way);
        page.wait("document.querySelector('sumito-board .line').textContent === 'Here a finger scrolls: tap the marble first, then drag it.'");
        assert_eq!(made(&mut page), "", "{degrees} degrees");
    }
    page.no_faults();
}

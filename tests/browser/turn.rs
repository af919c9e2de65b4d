//! Whose turn it is, and what one can do while it is the other's.

use serde_json::json;

use crate::page::{Look, Page};

const OWN: &str = "document.querySelector('sumito-board').own.length > 0";
const MOVES: &str = "document.querySelectorAll('.moves button').length";
const LINE: &str = "document.querySelector('sumito-board .line').textContent";

/// The start page with choices of one's own.
fn open(look: Look, setup: &str, settings: &str, script: &str) -> Page {
    let mut page = Page::open("/about", look);
    page.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    page.eval(&format!("localStorage.setItem('sumito.setup', JSON.stringify({setup}))"));
    page.eval(&format!("localStorage.setItem('sumito.settings', JSON.stringify({settings}))"));
    page.goto("/");
    page.wait(OWN);
    page
}

fn choose(page: &mut Page, which: &str) {
    page.eval(&format!(
        "(() => {{ const board = document.querySelector('sumito-board'); board.choose({which}); }})()"
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn whose_turn_it_is_stands_below_the_board_in_the_title_and_is_told_once() {
    let mut page = open(Look::default(), "{ level: 1 }", "{ motion: false }", "");
    assert_eq!(page.text(LINE), "Your move");
    let thinking = page.text(&format!(
        "(() => {{ const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); \
         return {LINE} + '/' + board.querySelector('.line').dataset.turn; }})()"
    ));
    assert_eq!(thinking, "Newcomer (level 1) is thinking/white");
    page.wait(&format!("{MOVES} === 2 && {OWN}"));
    assert_eq!(page.text(LINE), "Your move");
    assert_eq!(page.text("document.title"), "Your move · Sumito");
    let told = page.text("document.querySelector('#live').textContent");
    assert!(told.starts_with("White: ") && told.ends_with(". Your move"), "{told}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn who_plays_white_finds_the_first_move_made_and_the_board_turned() {
    let mut page = open(Look::default(), "{ level: 1, color: 'white' }", "{ motion: false }", "");
    assert_eq!(page.text("document.querySelector('sumito-board').position.turn"), "white");
    assert_eq!(page.eval("document.querySelector('sumito-board').flip"), true);
    assert_eq!(page.text("location.pathname"), "/", "nothing is stored before the person moves");
    choose(&mut page, "board.position.moves[0]");
    page.wait(&format!("{MOVES} >= 3 && {OWN}"));
    let game =
        page.eval("fetch('/api/v1/games/' + location.pathname.split('/').pop()).then((r) => r.json())");
    assert_eq!(game["black"]["kind"], "agent");
    assert_eq!(game["white"]["kind"], "human");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_by_finger_is_confirmed_if_one_wants_that() {
    let look = Look { width: 360, height: 740, touch: true, ..Look::default() };
    let mut page = open(look, "{ level: 1 }", "{ motion: false, confirm: true }", "");
    for (act, moves) in [("unconfirm", 0), ("confirm", 2)] {
        let at = crate::board::cell(&mut page, "c3");
        page.tap_at(at);
        page.tap(".handle");
        page.wait("!document.querySelector('.confirm').hidden && document.querySelector('.arrow')");
        assert_eq!(page.number(MOVES), 0.0);
        page.tap(&format!("[data-act={act}]"));
        page.wait(&format!("document.querySelector('.confirm').hidden && {MOVES} === {moves}"));
    }
    page.no_faults();
}

/// Holds the other side's moves back until `release()`, which may change them.
const HOLD: &str = "(() => { const Real = WebSocket; window.held = []; window.holding = false; \
    const move = (data) => data.type === 'move' && data.ply % 2 === 0; \
    window.WebSocket = class extends Real { set onmessage(hear) { super.onmessage = (event) => { \
        const data = JSON.parse(event.data); \
        if (window.holding && (move(data) || window.held.length) && data.type !== 'ack') window.held.push([data, hear]); \
        else hear(event); } } }; \
    window.release = (change) => { window.holding = false; \
        for (const [data, hear] of window.held.splice(0)) { if (move(data)) change(data); hear({ data: JSON.stringify(data) }); } }; })()";

/// A game in which the other side thinks until `release()`, with a move chosen ahead that is legal then.
fn ahead() -> (Page, String) {
    let mut page = open(Look::default(), "{ level: 1 }", "{ motion: false }", HOLD);
    choose(&mut page, "board.position.moves[0]");
    page.wait(&format!("{MOVES} === 2 && {OWN}"));
    page.eval("window.holding = true");
    choose(&mut page, "board.position.moves[0]");
    page.wait(&format!(
        "window.held.some(([data]) => data.type === 'move') && {MOVES} === 3 \
         && document.querySelector('sumito-board').choosable.length > 0"
    ));
    let wanted = page.text(
        "(() => { const then = window.held.find(([data]) => data.type === 'move')[0].position.moves.map(({ move }) => move); \
         return document.querySelector('sumito-board').position.moves.find(({ move }) => then.includes(move)).move; })()",
    );
    choose(&mut page, &format!("board.position.moves.find(({{ move }}) => move === '{wanted}')"));
    page.wait("document.querySelector('.arrow.premove')");
    assert_eq!(page.number(MOVES), 3.0, "it is not played yet");
    (page, wanted)
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_chosen_ahead_is_played_when_it_is_legal() {
    let (mut page, wanted) = ahead();
    page.eval("window.release(() => {})");
    page.wait(&format!("{MOVES} >= 6 && {OWN}"));
    assert_eq!(page.text("document.querySelectorAll('.moves button')[4].textContent"), wanted);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_chosen_ahead_that_is_not_legal_is_dropped_with_a_word() {
    let (mut page, wanted) = ahead();
    page.eval(&format!(
        "window.release((data) => {{ data.position.moves = data.position.moves.filter(({{ move }}) => move !== '{wanted}'); }})"
    ));
    page.wait(&format!("{MOVES} === 4 && {LINE} === '{wanted} is not possible any more.'"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_chosen_ahead_is_dropped_by_a_tap_elsewhere() {
    let (mut page, _) = ahead();
    let at = crate::board::cell(&mut page, "e5");
    page.click_at(at);
    page.wait("!document.querySelector('.arrow.premove')");
    page.eval("window.release(() => {})");
    page.wait(&format!("{MOVES} === 4 && {OWN}"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_chosen_ahead_is_dropped_by_escape() {
    let (mut page, _) = ahead();
    page.key("Escape", "Escape");
    page.wait("!document.querySelector('.arrow.premove')");
    page.eval("window.release(() => {})");
    page.wait(&format!("{MOVES} === 4 && {OWN}"));
    page.no_faults();
}

/// A marble of one's own that the held answer leaves where it is.
const UNTOUCHED: &str = "(() => { const { move } = window.held.find(([data]) => data.type === 'move')[0]; \
    return document.querySelector('sumito-board').position.black.find((cell) => !move.pushed.includes(cell)); })()";
const CHOSEN: &str = "document.querySelector('sumito-board').selection.join()";

#[test]
#[ignore = "needs Chromium"]
fn marbles_chosen_while_the_other_side_thinks_stay_chosen_when_it_answers() {
    let mut page = open(Look::default(), "{ level: 1 }", "{ motion: false }", HOLD);
    choose(&mut page, "board.position.moves[0]");
    page.wait(&format!("{MOVES} === 2 && {OWN}"));
    page.eval("window.holding = true");
    choose(&mut page, "board.position.moves[0]");
    page.wait("window.held.some(([data]) => data.type === 'move')");
    let marble = page.text(UNTOUCHED);
    let at = crate::board::cell(&mut page, &marble);
    page.click_at(at);
    assert_eq!(page.text(CHOSEN), marble);
    page.eval("window.release(() => {})");
    page.wait(&format!("{MOVES} === 4 && {OWN}"));
    assert_eq!(page.text(CHOSEN), marble);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_marble_can_be_chosen_while_ones_own_move_still_rolls() {
    let mut page = open(Look::default(), "{ level: 1 }", "{ motion: true }", HOLD);
    choose(&mut page, "board.position.moves[0]");
    page.wait(&format!("{MOVES} === 2 && {OWN}"));
    page.eval("window.holding = true");
    // Within one task, so that the marble has not come a pixel far.
    let chosen = page.text(&format!(
        "(() => {{ const board = document.querySelector('sumito-board'); \
         const move = board.position.moves.find((each) => each.marbles.length === 1); \
         const other = board.own.find((cell) => !move.marbles.includes(cell)); board.choose(move); board.tap(other); \
         return board.getAnimations({{ subtree: true }}).length ? {CHOSEN} + ' of ' + other : 'nothing rolls'; }})()"
    ));
    let (left, right) = chosen.split_once(" of ").expect("a marble that rolls");
    assert_eq!(left, right);
    page.wait("document.querySelector('sumito-board').choosable.length > 0");
    assert_eq!(page.text(CHOSEN), left, "its moves are told without a new choice");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn of_a_choice_stays_what_the_other_sides_move_has_left_in_line() {
    let mut page = Page::open_modules("/about", Look::default());
    let left = page.eval(
        "(async () => { await import('/board/board.js'); \
         const board = document.createElement('sumito-board'); document.body.append(board); \
         const white = ['e6', 'd6', 'f7', 'd4', 'f6']; \
         const answered = (selection, after, last) => { \
             Object.assign(board, { motion: false, player: 'black', ahead: true, position: null }); \
             board.position = { black: ['e3', 'e4', 'e5'], white, turn: 'black', moves: [] }; \
             board.select(selection); board.position = { ...after, turn: 'black', moves: [], last }; return board.selection; }; \
         const move = { move: 'a', ejected: null }; \
         return [answered(['e3', 'e4', 'e5'], { black: ['e2', 'e3', 'e4'], white: ['e5', 'd6', 'f7', 'd4', 'f6'] }, \
                     { ...move, marbles: ['e6'], direction: 'west', pushed: ['e5', 'e4', 'e3'] }), \
             answered(['e3', 'e4', 'e5'], { black: ['e3', 'f4', 'e5'], white: ['e6', 'd6', 'f7', 'e4', 'f6'] }, \
                     { ...move, marbles: ['d4'], direction: 'north-west', pushed: ['e4'] }), \
             answered(['e3', 'e4'], { black: ['e3', 'e4', 'e5'], white: ['e7', 'd6', 'f7', 'd4', 'f6'] }, \
                     { ...move, marbles: ['e6'], direction: 'east', pushed: [] })]; })()",
    );
    assert_eq!(left, json!([["e3", "e4"], [], ["e3", "e4"]]));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn who_plays_white_asks_for_another_beginning_in_every_game() {
    let mut page = open(Look::default(), "{ level: 1, color: 'white' }", "{ motion: false }", "");
    let asked = "performance.getEntriesByType('resource').map(({ name }) => new URL(name)) \
         .filter(({ pathname }) => pathname.endsWith('/opinion')).map((url) => url.searchParams.get('seed') ?? 'none').join()";
    let first = page.text(asked);
    page.goto("/");
    page.wait(OWN);
    let second = page.text(asked);
    assert!(first != second && first != "none", "{first} {second}");
    page.no_faults();
}

//! The analysis board.

use crate::board;
use crate::page::{Look, Page};
use serde_json::json;

const FEN: &str = "5/6/7/8/4SSs2/8/7/6/5 0 0 b 0 1";

fn paste(page: &mut Page, text: &str) {
    page.eval(
        "(() => { const e = document.querySelector('textarea[name=paste]'); e.value = ''; e.focus(); })()",
    );
    page.type_text(text);
    page.click("[data-act=paste]");
}

#[test]
#[ignore = "needs Chromium"]
fn lines_arrive_for_a_pasted_position_and_follow_the_moves() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelectorAll('.engine-line').length === 3");
    paste(&mut page, FEN);
    page.wait("document.querySelector('sumito-board').position.white.join() === 'e7'");
    page.wait(
        "document.querySelectorAll('.engine-line').length > 0 && document.querySelector('.arrow.best')",
    );
    page.wait("/[1-9]/.test(document.querySelector('[data-facts]').textContent)");
    page.wait("!document.querySelector('.wdl').hidden");
    let wanted = board::named(&mut page, "e5e6");
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelectorAll('.tree button').length === 1");
    page.wait("document.querySelector('sumito-board').position.turn === 'white'");
    page.wait("document.querySelectorAll('.engine-line').length > 0");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_pasted_game_becomes_a_tree_with_comments_and_variations() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelector('textarea[name=paste]')");
    paste(&mut page, "1. a1b2! {to the middle} i5h5 (1... i6h6 2. a2b3) 2. a2b3 *");
    page.wait("document.querySelectorAll('.tree button').length === 5");
    assert_eq!(page.number("document.querySelectorAll('.tree .branch').length"), 1.0);
    assert_eq!(page.text("document.querySelector('.tree .comment').textContent"), "to the middle");
    page.click("[data-walk=last]");
    page.wait("document.querySelector('.tree [aria-current]').textContent === 'a2b3'");
    page.wait("document.querySelector('sumito-board').position.moves.length > 0");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_in_one_line_keeps_its_moves_and_what_is_none_is_told() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelector('textarea[name=paste]')");
    paste(&mut page, "[White \"A\"][Black \"B\"] 1. a1b2 i5h5 2. a2b3 *");
    page.wait("document.querySelectorAll('.tree button').length === 3");
    paste(&mut page, "[Event \"x\"] 1. a1b2 and so on");
    page.wait("document.querySelector('[role=alert].told:not([hidden])')?.textContent.length > 10");
    page.forgive("422");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_no_position_is_refused_with_a_reason() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelector('textarea[name=paste]')");
    page.eval("document.querySelector('input[name=engine]').click()");
    paste(&mut page, "neither this nor that");
    page.wait("document.querySelector('[role=alert].told:not([hidden])')?.textContent.length > 10");
}

#[test]
#[ignore = "needs Chromium"]
fn a_position_from_the_editor_and_an_agents_opinion_of_it() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelector('[data-act=edit]')");
    page.click("[data-act=edit]");
    page.wait("document.querySelector('[data-act=clear]')");
    page.click("[data-act=clear]");
    for (brush, cells) in [("black", ["c3", "d4"]), ("white", ["e5", "h8"])] {
        page.click(&format!("[data-brush={brush}]"));
        for cell in cells {
            let at = board::cell(&mut page, cell);
            page.click_at(at);
        }
    }
    page.click("[data-act=edited]");
    page.wait("document.querySelector('sumito-board').position.fen.startsWith('5/4s1/7/8/4s4/3S4/2S4/6/5')");
    page.click("[data-part=opinion] summary");
    page.choose("select[name=opinion]", "aba-pro");
    page.click("[data-act=opinion]");
    page.wait(
        "document.querySelectorAll('.opinion tr').length >= 4 && document.querySelector('.arrow.hint')",
    );
    page.no_faults();
}

/// Scores of the lines as the side to move sees them.
const SCORES: &str = "[...document.querySelectorAll('.engine-line .chip')].map((each) => \
     (each.dataset.ahead === 'white' ? -1 : 1) * \
     parseFloat(each.querySelector('[aria-hidden]:not(.dot)').textContent))";

#[test]
#[ignore = "needs Chromium"]
fn lines_are_in_order_and_each_has_an_arrow() {
    let mut page = Page::open("/about", Look::default());
    page.eval(
        "localStorage.setItem('sumito.analyse', \
         JSON.stringify({ engine: true, lines: 6, agent: 'aba-pro' }))",
    );
    // A search that tells its lines in another order than that of their scores.
    page.command(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "{ const parse = JSON.parse; JSON.parse = (text) => { const data = parse(text); \
            if (data?.type === 'lines') data.lines.reverse(); return data; }; }" }),
    );
    page.goto("/analyse");
    page.wait("document.querySelectorAll('.engine-line').length === 6");
    let sorted = format!(
        "(() => {{ const all = {SCORES}; return all.every((each, i) => !i || all[i - 1] >= each); }})()"
    );
    assert_eq!(page.eval(&sorted), true);
    page.wait("document.querySelectorAll('.arrow').length === 6");
    let faint = page.number(
        "Math.min(...[...document.querySelectorAll('.arrow')] \
         .map((each) => Number(getComputedStyle(each).opacity)))",
    );
    assert!(faint > 0.35, "{faint}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_line_is_seen_under_the_mouse_and_played_through_by_a_click() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelectorAll('.engine-line').length === 3");
    let before = page.eval("document.querySelector('sumito-board').position.black");
    let third = page.middle(".engine-line:nth-child(2) button:nth-child(3)");
    page.command("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": third.0, "y": third.1 }));
    page.wait("document.querySelector('sumito-board').position.last !== null");
    assert_ne!(page.eval("document.querySelector('sumito-board').position.black"), before);
    page.command("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": 5, "y": 500 }));
    page.wait("document.querySelector('sumito-board').position.last === null");
    assert_eq!(page.eval("document.querySelector('sumito-board').position.black"), before, "put back");
    page.command("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": third.0, "y": third.1 }));
    page.wait("document.querySelector('sumito-board').position.last !== null");
    let shown = page.eval(
        "[...document.querySelectorAll('.engine-line:nth-child(2) button')].slice(0, 3) \
         .map((each) => each.textContent)",
    );
    page.click_at(third);
    page.wait("document.querySelectorAll('.tree button').length === 3");
    let played = page.eval("[...document.querySelectorAll('.tree button')].map((each) => each.textContent)");
    assert_eq!(played, shown);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_board_with_too_many_marbles_is_refused_in_the_readers_words() {
    let mut page = Page::open("/analyse", Look { language: "fr-FR", ..Look::default() });
    page.wait("document.querySelector('sumito-board').own.length > 0");
    page.click("[data-act=edit]");
    page.wait("document.querySelector('[data-brush=black]')");
    let at = board::cell(&mut page, "e5");
    page.click_at(at);
    page.wait("document.querySelector('sumito-board').position.black.length === 15");
    page.click("[data-act=edited]");
    page.wait("document.querySelector('.toast')");
    assert_eq!(
        page.text("document.querySelector('.toast').textContent"),
        "Ce n’est pas une position : Noir a 15 billes, éjectées comprises, et il n’y en a que 14."
    );
    page.forgive("422");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_pasted_game_says_which_move_cannot_be_played() {
    let mut page = Page::open("/analyse", Look { language: "de-DE", ..Look::default() });
    page.wait("document.querySelector('textarea[name=paste]')");
    paste(&mut page, "1. a1b2 i5h5 2. a1b2 *");
    page.wait("document.querySelector('[role=alert].told:not([hidden])')?.textContent === 'Zug 3: Schwarz hat auf a1 keine Kugel.'");
    page.forgive("422");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_the_editor_opens_with_board_and_tools_and_without_the_buttons_to_walk() {
    for (width, height) in [(360, 740), (740, 360)] {
        let mut page = Page::open("/analyse", Look { width, height, touch: true, ..Look::default() });
        page.wait("document.querySelector('sumito-board').own.length > 0");
        page.eval("document.querySelector('[data-act=edit]').scrollIntoView({ block: 'end' })");
        page.tap("[data-act=edit]");
        page.wait("document.querySelector('.editor')");
        page.rest();
        let sight = "(selector) => { const box = document.querySelector(selector).getBoundingClientRect(); \
             return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; }";
        for selector in ["svg.board", "[data-brush=empty]", "[data-turn=black]", "[data-act=edited]"] {
            assert_eq!(
                page.eval(&format!("({sight})('{selector}')")),
                true,
                "{selector}, {width} by {height}"
            );
        }
        assert_eq!(page.eval("document.querySelector('.walk').checkVisibility()"), false);
        page.tap("[data-act=edited]");
        page.wait("document.querySelector('.walk').checkVisibility()");
        assert_eq!(page.eval("document.querySelector('.brushes').checkVisibility()"), false);
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_line_that_comes_under_a_mouse_at_rest_is_not_looked_at_until_the_mouse_moves() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelectorAll('.engine-line').length === 3");
    let (x, y) = page.middle(".engine-line:nth-child(2) button:nth-child(3)");
    let mouse = |page: &mut Page, x: f64, y: f64| {
        page.command("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    };
    page.eval("document.querySelector('input[name=engine]').click()");
    page.wait("document.querySelectorAll('.engine-line').length === 0");
    mouse(&mut page, x - 20.0, y);
    mouse(&mut page, x, y);
    // The browser says that the mouse is on the line, as soon as the line is there.
    page.eval(
        "document.addEventListener('pointerenter', ({ target }) => { \
         window.entered ||= Boolean(target.closest?.('.engine-line')); }, true)",
    );
    page.eval("document.querySelector('input[name=engine]').click()");
    page.wait("window.entered");
    assert_eq!(page.eval("document.querySelector('sumito-board').position.last"), json!(null));
    mouse(&mut page, x + 2.0, y);
    page.wait("document.querySelector('sumito-board').position.last !== null");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_tap_on_the_head_of_an_arrow_plays_the_first_move_of_its_line() {
    for touch in [false, true] {
        let mut page = Page::open("/about", Look { width: 360, height: 740, touch, ..Look::default() });
        // No line changes any more between the look at it and the tap.
        page.command(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": "{ const parse = JSON.parse; JSON.parse = (text) => { const data = parse(text); \
                return window.still && data?.type === 'lines' ? {} : data; }; }" }),
        );
        page.goto("/analyse");
        page.wait("document.querySelectorAll('.engine-line').length === 3 && document.querySelectorAll('.arrow').length === 3");
        page.eval("window.still = true");
        page.wait("document.querySelector('sumito-board').own.length > 0");
        page.eval("scrollTo(0, 0)");
        page.rest();
        // The tip of the best one on the screen, and the moves of all, the best one last.
        let seen = page.eval(
            "(() => { const arrow = document.querySelector('.arrow.best path').getBBox(); \
             const matrix = document.querySelector('.arrow.best path').getScreenCTM(); \
             const tip = new DOMPoint(arrow.x + arrow.width - 8, 0).matrixTransform(matrix); \
             return [tip.x, tip.y, document.querySelector('sumito-board').arrows.map(({ move }) => move.move)]; })()",
        );
        let at = (seen[0].as_f64().unwrap(), seen[1].as_f64().unwrap());
        if touch {
            page.tap_at(at);
        } else {
            page.click_at(at);
        }
        page.wait("document.querySelectorAll('.tree button').length === 1");
        let played = page.text("document.querySelector('.tree button').textContent");
        assert_eq!(seen[2][2], played);
        page.no_faults();
    }
}

//! The analysis board.

use crate::board;
use crate::page::{Look, Page};

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

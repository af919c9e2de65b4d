//! An analysis that was left without being kept as a study: it can be gone back to.

use crate::page::{Look, Page};
use crate::study::analysis;

/// Follows the bar's link to a fresh analysis.
fn afresh(page: &mut Page) {
    page.click("nav a[href='/analyse']");
    page.wait("document.querySelectorAll('.tree button').length === 0 && location.hash === ''");
    page.wait("document.querySelector('sumito-board').own.length > 0");
}

const BACK: &str = "[data-act=back-to-draft]:not([hidden])";

#[test]
#[ignore = "needs Chromium"]
fn an_analysis_that_the_bar_replaced_is_one_click_away() {
    let mut page = analysis(Look::default());
    afresh(&mut page);
    page.wait(&format!(
        "document.querySelector('{BACK}').textContent === 'Go back to what you had: 5 moves'"
    ));
    page.click(BACK);
    page.wait("document.querySelectorAll('.tree button').length === 5");
    page.wait(
        "document.querySelector('.tree [aria-current]')?.textContent === 'a2b3' && location.hash.length > 50",
    );
    assert_eq!(page.eval(&format!("document.querySelector('{BACK}')")), serde_json::Value::Null);
    // It goes on as the same one, after a reload as well.
    let path = page.text("location.pathname + location.hash");
    page.goto("/about");
    page.goto(&path);
    page.wait("document.querySelectorAll('.tree button').length === 5");
    page.click("[data-walk=first]");
    page.wait("JSON.parse(localStorage.getItem('sumito.drafts'))[0].text.startsWith('-\\n')");
    assert_eq!(page.number("JSON.parse(localStorage.getItem('sumito.drafts')).length"), 1.0);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_was_left_is_in_the_list_of_studies_until_it_is_kept_or_deleted() {
    let mut page = analysis(Look::default());
    afresh(&mut page);
    page.click("[data-act=studies]");
    page.click("[data-draft] [data-act=open-study]");
    page.wait("document.querySelectorAll('.tree button').length === 5");
    page.click("[data-act=keep-study]");
    page.wait("location.search.startsWith('?study=')");
    assert_eq!(page.text("localStorage.getItem('sumito.drafts')"), "[]");
    // A position that was loaded over it is another one, and is deleted.
    page.eval("document.querySelector('textarea[name=paste]').value = '5/6/7/8/4SSs2/8/7/6/5 0 0 b 0 1'");
    page.click("[data-act=paste]");
    page.wait("JSON.parse(localStorage.getItem('sumito.drafts')).length === 1");
    afresh(&mut page);
    page.wait(&format!("document.querySelector('{BACK}')"));
    page.click("[data-act=studies]");
    page.wait("document.querySelectorAll('[data-study]').length === 1");
    page.click("[data-act=drop-draft]");
    page.click("[data-act=drop-draft]");
    page.wait("!document.querySelector('[data-draft]')");
    page.click("dialog header button");
    page.wait(&format!("!document.querySelector('{BACK}')"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_link_that_was_only_looked_at_takes_no_place_among_what_was_left() {
    let mut page = analysis(Look::default());
    page.wait("location.hash.length > 50");
    let link = page.text("location.pathname + location.hash");
    page.eval("localStorage.removeItem('sumito.drafts')");
    page.goto("/about");
    page.goto(&link);
    page.wait("document.querySelectorAll('.tree button').length === 5");
    page.click("[data-walk=first]");
    afresh(&mut page);
    assert_eq!(page.eval("localStorage.getItem('sumito.drafts')"), serde_json::Value::Null);
    // Who goes on with it has something to lose.
    page.goto("/about");
    page.goto(&link);
    page.wait("document.querySelector('sumito-board').own.length > 0 && document.querySelectorAll('.tree button').length === 5");
    page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    page.wait("document.querySelectorAll('.tree button').length === 6");
    afresh(&mut page);
    page.wait(&format!("document.querySelector('{BACK}').textContent.includes('6 moves')"));
    page.no_faults();
}

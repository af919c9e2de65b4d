//! The review of a game.

use crate::board;
use crate::page::{Look, Page};

/// Both sides need one more marble. White is far ahead, but in danger on the rim; it looks elsewhere and loses.
const GAME: &str = "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, \
    body: JSON.stringify({ fen: '5/6/1sss3/1ssss3/5SSs1/3S4/2S4/6/5 5 5 b 0 1', moves: ['e6e7', 'g6g7', 'e7e8'] }) }) \
    .then((r) => r.json()).then((r) => r.game.id)";

#[test]
#[ignore = "needs Chromium"]
fn a_short_game_is_reviewed_stored_and_its_mistakes_can_be_mended() {
    let mut page = Page::open("/about", Look::default());
    let id = page.text(GAME);
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2");
    let stored = page.eval(&format!("fetch('/api/v1/games/{id}/review').then((r) => r.json())"));
    assert_eq!(stored["state"], "done");
    let judged = stored["review"]["moves"].as_array().unwrap().clone();
    assert_eq!(judged.len(), 3);
    page.wait("document.querySelector('.graph .area')");
    let bad = &judged[1];
    assert_eq!((&bad["move"], &bad["judgement"]), (&"g6g7".into(), &"blunder".into()));
    page.click(".moves [data-ply=\"2\"]");
    page.wait("document.querySelector('[data-act=better]')");
    page.click("[data-act=better]");
    page.wait(
        "document.querySelector('[data-task]') && document.querySelector('sumito-board').own.length > 0",
    );
    let wanted = board::named(&mut page, bad["best"].as_str().unwrap());
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('.told.good')");
    page.no_faults();
}

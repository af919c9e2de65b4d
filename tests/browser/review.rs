//! The review of a game.

use crate::board;
use crate::page::{Look, Page};

/// A game in which Black wins; White gives marbles away.
const GAME: &str = "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, \
    body: JSON.stringify({ fen: '5/6/7/8/9/8/7/1SSs2/S3s 4 0 b 0 1', moves: MOVES }) }) \
    .then((r) => r.json()).then((r) => r.game.id)";

#[test]
fn a_short_game_is_reviewed_stored_and_its_mistakes_can_be_mended() {
    let Some(mut page) = Page::open("/about", Look::default()) else { return };
    // White stays beside the pushing line instead of leaving it: that loses a marble.
    let id = page.text(&GAME.replace("MOVES", "['b2b3', 'a5b6', 'b3b4', 'b6c7', 'a1b2']"));
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2");
    let stored = page.eval(&format!("fetch('/api/v1/games/{id}/review').then((r) => r.json())"));
    assert_eq!(stored["state"], "done");
    let judged = stored["review"]["moves"].as_array().unwrap().clone();
    assert_eq!(judged.len(), 5);
    page.wait("document.querySelector('.graph .area')");
    let bad = judged.iter().find(|each| each["judgement"] != "good").expect("a bad move");
    let ply = bad["ply"].as_u64().unwrap();
    page.click(&format!(".moves [data-ply=\"{ply}\"]"));
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

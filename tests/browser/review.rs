//! The review of a game.

use crate::board;
use crate::page::{Look, Page};
use serde_json::{Value, json};

/// Stores a game, reviews it and opens a task on one of its moves; gives the page and what is known of that move.
fn task(fen: &str, moves: &[&str], ply: usize) -> (Page, Value) {
    let mut page = Page::open("/about", Look::default());
    let body = json!({ "fen": fen, "moves": moves });
    let id = page.text(&format!(
        "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({body}) }}).then((r) => r.json()).then((r) => r.game.id)"
    ));
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2");
    page.wait("document.querySelector('.graph .area')");
    let stored = page.eval(&format!("fetch('/api/v1/games/{id}/review').then((r) => r.json())"));
    assert_eq!(stored["state"], "done");
    assert_eq!(stored["review"]["moves"].as_array().map(Vec::len), Some(moves.len()));
    let judged = stored["review"]["moves"][ply - 1].clone();
    assert_eq!((&judged["move"], &judged["judgement"]), (&moves[ply - 1].into(), &"blunder".into()));
    page.click(&format!(".moves [data-ply=\"{ply}\"]"));
    page.wait("document.querySelector('[data-act=better]')");
    page.click("[data-act=better]");
    page.wait(
        "document.querySelector('[data-task]') && document.querySelector('sumito-board').own.length > 0",
    );
    (page, judged)
}

/// Both sides need one more marble. White is far ahead, but in danger on the rim; it looks elsewhere and loses.
#[test]
#[ignore = "needs Chromium"]
fn a_short_game_is_reviewed_stored_and_its_mistakes_can_be_mended() {
    let fen = "5/6/1sss3/1ssss3/5SSs1/3S4/2S4/6/5 5 5 b 0 1";
    let (mut page, judged) = task(fen, &["e6e7", "g6g7", "e7e8"], 2);
    let wanted = board::named(&mut page, judged["best"].as_str().unwrap());
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('.told.good')");
    page.no_faults();
}

/// Both sides need one more marble, and Black can push one off in two places. It looks elsewhere and loses.
const TWO_WINS: (&str, [&str; 2]) = ("S4/1s4/2s4/8/6SSs/8/7/6/2SSs 5 5 b 0 1", ["e7d7", "g5h5"]);

#[test]
#[ignore = "needs Chromium"]
fn a_second_winning_move_is_as_good_as_the_first() {
    let (fen, moves) = TWO_WINS;
    let (mut page, judged) = task(fen, &moves, 1);
    let second = if judged["best"] == "e7e8" { "a3a4" } else { "e7e8" };
    let wanted = board::named(&mut page, second);
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('.told:is(.good, .bad)')");
    assert_eq!(page.eval("document.querySelector('.told').classList.contains('good')"), true);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_the_server_cannot_judge_is_not_called_bad() {
    let (fen, moves) = TWO_WINS;
    let (mut page, _) = task(fen, &moves, 1);
    // The search is asked about no position at all, and fails.
    page.eval(
        "(() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) { \
         send.call(this, text.replace(/\"fen\":\"[^\"]*\"/, '\"fen\":\"none\"')); }; })()",
    );
    let wanted = board::named(&mut page, "e8d8");
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('.toast, .told.bad')");
    assert_eq!(page.eval("Boolean(document.querySelector('.told:is(.good, .bad)'))"), false);
    assert_eq!(page.eval("document.querySelector('sumito-board').own.length > 0"), true, "another try");
    page.no_faults();
}

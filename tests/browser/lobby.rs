//! Two people find each other in the lobby and play a rated game, each in a browser of their own.

use crate::account::{ARENA, sign_up};
use crate::page::{Look, Page};

const OWN: &str = "document.querySelector('sumito-board')?.own.length > 0";
const OVER: &str = "document.querySelector('.result') && !document.querySelector('.result').hidden";

/// Somebody with an account, in the lobby.
pub(crate) fn enter(page: &mut Page, name: &str) {
    page.goto("/account");
    sign_up(page, name);
    page.goto("/lobby");
    page.wait("document.querySelectorAll('.clocks button').length === 8");
}

#[test]
#[ignore = "needs Chromium"]
fn two_people_find_each_other_and_a_rated_game_changes_their_ratings() {
    let phone = Look { width: 360, height: 740, touch: true, dark: false, language: "fr" };
    let mut anna = Page::open_at("/account", Look::default(), ARENA);
    let mut ben = anna.beside("/account", phone);
    enter(&mut anna, "Anna");
    enter(&mut ben, "Ben");
    assert_eq!(ben.eval("document.documentElement.scrollWidth <= innerWidth"), true);
    anna.click("[data-clock='5+3']");
    anna.wait("document.querySelector('[data-act=cancel]')");
    ben.wait("document.querySelector('.seeks button')?.textContent === 'Jouer'");
    assert!(ben.text("document.querySelector('.seeks li').textContent").contains("1500?"));
    ben.click(".seeks button");
    for page in [&mut anna, &mut ben] {
        page.wait("location.pathname.startsWith('/game/') && document.querySelector('.player .clock')");
    }
    let path = anna.text("location.pathname");
    assert_eq!(ben.text("location.pathname"), path);

    // Whoever has Black moves first; then each moves once by the account, without a key.
    let seat = "fetch(`/api/v1/games/${location.pathname.split('/')[2]}/seat`).then((r) => r.json()).then(({ color }) => color)";
    let (mut black, mut white) = if anna.text(seat) == "black" { (anna, ben) } else { (ben, anna) };
    for ply in 1..=2 {
        let (mover, other) = if ply == 1 { (&mut black, &mut white) } else { (&mut white, &mut black) };
        mover.wait(OWN);
        mover.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
        for page in [mover, other] {
            page.wait(&format!("document.querySelectorAll('.moves button').length === {ply}"));
        }
    }
    // A reload keeps the seat.
    black.goto(&path);
    black.wait(OWN);
    white.eval("fetch(`/api/v1/games/${location.pathname.split('/')[2]}/resign`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(() => 0)");
    for page in [&mut black, &mut white] {
        page.wait(OVER);
    }
    let winner = black.text("document.querySelector('#bar a.account').textContent");
    black.goto(&format!("/people/{winner}"));
    black.wait("document.querySelector('.person .list li')");
    let rating =
        black.number("parseInt(document.querySelector('.person .list li strong + span').textContent)");
    assert!(rating > 1500.0, "{winner} has won: {rating}");
    assert_eq!(black.number("document.querySelectorAll('.person a[href^=\\'/game/\\']').length"), 1.0);
    black.goto("/people/Nobody");
    black.wait("document.querySelector('.empty h1')");
    black.forgive("404");
    // The one with the server ends last.
    let (first, last) = if winner == "Anna" { (white, black) } else { (black, white) };
    first.no_faults();
    last.no_faults();
}

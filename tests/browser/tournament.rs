//! A tournament from its plan to its standings, with two people in a browser of their own each.

use crate::account::{ARENA, sign_up};
use crate::page::{Look, Page};

const OWN: &str = "document.querySelector('sumito-board')?.own.length > 0";
const FITS: &str = "document.documentElement.scrollWidth <= innerWidth";

/// Plans a Swiss tournament of one round by the form; its path.
pub(crate) fn plan(page: &mut Page) -> String {
    page.click("summary");
    page.click("[name=name]");
    page.type_text("Club evening");
    page.eval("document.querySelector('[name=number]').value = '1'");
    page.click("[type=submit]");
    page.wait("location.pathname.startsWith('/tournament/') && document.querySelector('[data-act=join]')");
    page.text("location.pathname")
}

/// Takes part in the tournament that is open.
pub(crate) fn join(page: &mut Page) {
    page.wait("document.querySelector('[data-act=join]')");
    page.click("[data-act=join]");
    page.wait("document.querySelector('[data-act=withdraw]')");
}

#[test]
#[ignore = "needs Chromium"]
fn a_tournament_is_planned_joined_played_and_stands() {
    let phone = Look { width: 360, height: 740, touch: true, dark: true, language: "fr" };
    let mut anna = Page::open_at("/account", Look::default(), ARENA);
    let mut ben = anna.beside("/account", phone);
    for (page, name) in [(&mut anna, "Anna"), (&mut ben, "Ben")] {
        page.goto("/account");
        sign_up(page, name);
        page.goto("/tournaments");
        page.wait("document.querySelector('.tournaments h2')");
    }
    assert_eq!(ben.eval(FITS), true);

    let path = plan(&mut anna);
    assert!(anna.text("document.querySelector('.when').textContent").starts_with("Begins in"));
    ben.goto("/tournaments");
    ben.wait("document.querySelector('.list a')?.textContent === 'Club evening'");
    ben.click(".list a");
    for page in [&mut anna, &mut ben] {
        join(page);
    }
    anna.wait("document.querySelectorAll('.standings tbody tr').length === 2");
    assert_eq!(ben.eval(FITS), true);
    assert_eq!(ben.eval("document.querySelector('[data-act=start]')"), serde_json::Value::Null);

    // Both are taken to their game.
    anna.click("[data-act=start]");
    for page in [&mut anna, &mut ben] {
        page.wait("location.pathname.startsWith('/game/') && document.querySelector('.player .clock')");
    }
    let seat = "fetch(`/api/v1/games/${location.pathname.split('/')[2]}/seat`).then((r) => r.json()).then(({ color }) => color)";
    let anna_is_black = anna.text(seat) == "black";
    let (mut black, mut white) = if anna_is_black { (anna, ben) } else { (ben, anna) };
    for ply in 1..=2 {
        let (mover, other) = if ply == 1 { (&mut black, &mut white) } else { (&mut white, &mut black) };
        mover.wait(OWN);
        mover.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
        for page in [mover, other] {
            page.wait(&format!("document.querySelectorAll('.moves button').length === {ply}"));
        }
    }
    // Who looks on sees the board on the tournament's page.
    let mut guest = black.beside(&path, Look::default());
    guest.wait("document.querySelector('.boards a .mini')");
    assert!(guest.text("document.querySelector('.standings').textContent").contains("plays"));
    white.eval("fetch(`/api/v1/games/${location.pathname.split('/')[2]}/resign`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(() => 0)");

    // The standings are there for everybody, and the way back from the game leads to them.
    guest.wait("document.querySelector('.standings tbody tr td:nth-child(3)').textContent === '1'");
    guest.wait("document.querySelector('.when').textContent.startsWith('Over since')");
    for page in [&mut black, &mut white] {
        page.wait("!document.querySelector('[data-act=tournament]').hidden");
        page.click("[data-act=tournament]");
        page.wait("document.querySelectorAll('.standings tbody tr').length === 2");
        assert_eq!(page.eval(FITS), true);
    }
    assert_eq!(black.eval("document.querySelector('.standings tr.own td').textContent === '1'"), true);
    guest.click("[data-part=cross] summary");
    guest.wait("document.querySelectorAll('.cross tbody tr').length === 2");
    assert_eq!(guest.text("document.querySelector('.cross tbody td:nth-child(3)').textContent"), "2b1");
    guest.click("[data-act=games]");
    guest.wait("document.querySelector('.games-of strong')?.textContent === '1–0'");
    let csv = guest.text("fetch(document.querySelector('a[href$=csv]').href).then((r) => r.text())");
    assert!(csv.starts_with("place,name,rating,points"), "{csv}");

    guest.no_faults();
    // The one with the server ends last.
    let (first, last) = if anna_is_black { (white, black) } else { (black, white) };
    first.no_faults();
    last.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_match_is_played_again_from_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.apgn");
    let game = |black: &str, white: &str, result: &str| {
        format!(
            "[Black \"{black}\"]\n[White \"{white}\"]\n[Result \"{result}\"]\n\n1. a1b2 {{+0.10/2}} i5h5 {result}\n\n"
        )
    };
    let games = [
        game("aba-pro", "greedy", "1-0"),
        game("greedy", "aba-pro", "1/2-1/2"),
        game("x:y=\\\"1\\\"", "greedy", "*"),
    ];
    std::fs::write(&file, games.concat()).expect("written");
    let mut page = Page::open("/replay", Look { width: 360, height: 740, ..Look::default() });
    page.wait("document.querySelector('[data-act=file]')");
    page.give_file("[name=file]", &file);
    page.wait("document.querySelectorAll('.cross tbody tr').length === 3");
    let row =
        "[...document.querySelector('.cross tbody tr').children].map((cell) => cell.textContent).join('|')";
    assert_eq!(page.text(row), "1|aba-pro|1.5|2|×|1.5|");
    assert!(page.text("document.querySelector('.cross').textContent").contains("x:y=\"1\""));
    assert_eq!(page.eval(FITS), true);
    page.eval("(() => { const slider = document.querySelector('[name=until]'); slider.value = '1'; slider.dispatchEvent(new Event('input')); })()");
    assert_eq!(page.text(row), "1|aba-pro|1|1|×|1");
    page.click("[data-act=play]");
    page.wait("document.querySelectorAll('.tournament .list li').length === 3");
    page.click(".tournament .list li:nth-child(2) button");
    page.wait("location.pathname === '/analyse' && document.querySelectorAll('.tree button').length >= 2");
    page.no_faults();
}

//! A server that is frozen: its connections stay open, and nobody answers on them.

use crate::account::ARENA;
use crate::board;
use crate::lobby::enter;
use crate::page::{Look, Page};

const READY: &str = "document.querySelector('sumito-board').own.length > 0";

/// Freezes the server until the page says that it is gone and this was done, and waits until the page says so no more.
fn frozen(page: &mut Page, meanwhile: impl FnOnce(&mut Page)) {
    page.server.freeze();
    meanwhile(page);
    page.wait("document.querySelector('#gone').textContent.includes('cannot be reached')");
    page.server.thaw();
    page.wait("!document.querySelector('#gone').textContent");
}

fn play(page: &mut Page) {
    page.wait(READY);
    let wanted = board::choice(page);
    board::by_clicks(page, &wanted);
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_says_that_nobody_answers_and_goes_on() {
    let mut page = Page::open("/", Look::default());
    play(&mut page);
    page.wait("document.querySelector('sumito-board').position.plies === 2");
    page.wait(READY);
    frozen(&mut page, |page| {
        page.wait("document.querySelector('sumito-board .line').textContent.startsWith('No connection')");
    });
    page.wait("document.querySelector('sumito-board .line').textContent === 'Your move'");
    play(&mut page);
    page.wait("document.querySelector('sumito-board').position.plies === 4");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_nobody_answered_stays_on_the_board_and_the_game_goes_on() {
    let mut page = Page::open("/", Look::default());
    play(&mut page);
    page.wait("document.querySelector('sumito-board').position.plies === 2");
    page.wait(READY);
    let moves = "document.querySelectorAll('.moves button').length";
    frozen(&mut page, |page| {
        play(page);
        page.wait("document.querySelector('sumito-board .line').textContent.startsWith('No connection')");
        assert_eq!(page.number(moves), 3.0, "nobody knows whether it was played");
    });
    // What was sent came to the server when it went on.
    page.wait("document.querySelector('sumito-board').position.plies === 4");
    assert_eq!(
        page.eval("document.querySelector('.toast')?.textContent ?? ''"),
        "",
        "and nothing is said of it"
    );
    play(&mut page);
    page.wait("document.querySelector('sumito-board').position.plies === 6");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_engine_thinks_again_after_nobody_answered() {
    let mut page = Page::open("/analyse", Look::default());
    page.wait("document.querySelector('.engine-line .chip')?.textContent");
    frozen(&mut page, |_| ());
    play(&mut page);
    page.wait("document.querySelector('sumito-board').position.turn === 'white'");
    page.wait("document.querySelector('.engine-line .chip')?.textContent");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_lobby_says_that_nobody_answers_and_goes_on() {
    let mut page = Page::open_at("/account", Look::default(), ARENA);
    enter(&mut page, "Anna");
    frozen(&mut page, |page| page.wait("document.querySelector('[data-clock=\"5+3\"]').disabled"));
    page.wait("!document.querySelector('[data-clock=\"5+3\"]').disabled");
    page.click("[data-clock='5+3']");
    page.wait("document.querySelector('[data-act=cancel]')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_was_asked_of_a_frozen_server_is_asked_again() {
    let mut page = Page::open("/games", Look::default());
    let told = "document.querySelector('p.soft[role=status]').textContent";
    page.wait(&format!("{told} === '0 games'"));
    frozen(&mut page, |page| {
        page.choose("select[name=layout]", "standard");
        page.wait(&format!("{told} === 'Searching …'"));
    });
    page.wait(&format!("{told} === '0 games'"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_that_asks_for_nothing_says_so_as_well() {
    let mut page = Page::open("/about", Look::default());
    frozen(&mut page, |_| ());
    page.no_faults();
}

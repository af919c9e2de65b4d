//! Clocks that run in a game which is not on the screen.

use crate::board;
use crate::looks::PAGES;
use crate::page::{Look, Page};

const READY: &str = "document.querySelector('sumito-board').own.length > 0";
const WORD: &str = "document.querySelector('.runs')";

/// A game against a level with half an hour for each side, in which both have moved; gives its path.
fn timed(look: Look) -> (Page, String) {
    let mut page = Page::open("/about", look);
    page.eval("localStorage.setItem('sumito.setup', JSON.stringify({ level: 1, clock: 'game', minutes: 30, increment: 0 }))");
    page.goto("/");
    play(&mut page);
    page.wait("location.pathname.startsWith('/game/') && document.querySelector('sumito-board').position.plies === 2");
    let path = page.text("location.pathname");
    (page, path)
}

fn play(page: &mut Page) {
    page.wait(READY);
    let wanted = board::named(page, "a1b2");
    board::by_clicks(page, &wanted);
}

#[test]
#[ignore = "needs Chromium"]
fn a_clock_that_runs_elsewhere_is_seen_on_every_page_with_the_way_back() {
    for language in ["en-GB", "de-DE", "fr-FR", "es-ES"] {
        let (mut page, path) = timed(Look { width: 360, height: 740, language, ..Look::default() });
        assert_eq!(page.eval(&format!("{WORD}.hidden")), true, "on the page of the game itself");
        for (place, _) in PAGES.into_iter().filter(|(place, _)| *place != "/nowhere") {
            page.goto(place);
            page.wait(&format!("/(29|30):\\d\\d/.test({WORD}.innerText)"));
            for width in [320, 360, 861, 1119, 1120, 1400] {
                page.hold(Look { width, height: 740, language, ..Look::default() });
                let inside = page.eval(&format!(
                    "(() => {{ const {{ left, right }} = {WORD}.getBoundingClientRect(), bar = document.querySelector('.bar'); \
                     const rest = [...bar.children].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect()); \
                     return left >= 0 && right <= innerWidth && document.documentElement.scrollWidth <= innerWidth \
                         && rest.every((a, i) => i === 0 || a.left >= rest[i - 1].right - 1) && bar.scrollHeight <= 60; }})()"
                ));
                assert_eq!(inside, true, "{place} at {width}, {language}");
            }
            page.hold(Look { width: 360, height: 740, language, ..Look::default() });
        }
        page.click(".runs");
        page.wait(&format!("location.pathname === '{path}' && {WORD}.hidden"));
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn another_game_is_begun_after_a_question_and_the_first_ones_clock_stays_in_sight() {
    let (mut page, path) = timed(Look::default());
    page.goto("/");
    page.click("[data-act=quick]");
    page.wait("document.querySelector('dialog[open]').textContent.includes('that game is lost')");
    page.click("[data-act=back-to-clock]");
    page.wait(&format!("location.pathname === '{path}' && !document.querySelector('dialog')"));
    page.goto("/");
    play(&mut page);
    page.wait("document.querySelector('dialog[open]')");
    page.key("Escape", "Escape");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.text("location.pathname"), "/", "nothing has begun");
    play(&mut page);
    page.click("[data-act=begin-anyway]");
    page.wait(&format!("location.pathname.startsWith('/game/') && location.pathname !== '{path}'"));
    page.wait(&format!("{WORD}.innerText.startsWith('Your clock: ')"));
    page.click(".runs");
    page.wait(&format!("location.pathname === '{path}'"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn whoever_loses_on_time_elsewhere_sees_it() {
    let mut page = Page::open("/about", Look::default());
    page.eval(
        "localStorage.setItem('sumito.setup', JSON.stringify({ level: 1, clock: 'move', seconds: 5 }))",
    );
    page.goto("/");
    play(&mut page);
    page.wait("location.pathname.startsWith('/game/') && document.querySelector('sumito-board').position.plies === 2");
    page.click("nav a[href='/about']");
    page.wait(&format!("{WORD}.dataset.state === 'over' && {WORD}.innerText.startsWith('Game over')"));
    page.click(".runs");
    page.wait("document.querySelector('.result strong')?.textContent.startsWith('You lost')");
    page.click("nav a[href='/about']");
    page.wait(&format!("location.pathname === '/about' && {WORD}.hidden"));
    page.no_faults();
}

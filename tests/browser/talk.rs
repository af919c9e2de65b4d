//! Around the moves of a game between two: they talk, one's line is lost and comes back, a draw; and games that take days.

use crate::account::{ARENA, sign_up};
use crate::friend::{OVER, OWN, paired_at, play};
use crate::page::{Look, Page};

const FRENCH: Look = Look { width: 360, height: 740, touch: true, dark: false, language: "fr" };
const SAID: &str = "[...document.querySelectorAll('.chat .said li')].map((li) => li.textContent)";

fn say(page: &mut Page, text: &str) {
    page.click(".chat input[name=say]");
    page.type_text(text);
    page.click(".chat form button");
}

fn fits(page: &mut Page) {
    assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth"), true);
}

#[test]
#[ignore = "needs Chromium"]
fn two_people_talk_one_goes_and_comes_back_and_they_agree_on_a_draw() {
    let (mut anna, mut ben, path) = paired_at(Look::default(), FRENCH);
    play(&mut anna, &mut ben);
    play(&mut ben, &mut anna);
    say(&mut anna, "Bonjour <b>toi</b>");
    anna.wait(&format!("{SAID}.includes('You Bonjour <b>toi</b>')"));
    // On a phone what is said is behind a button, which tells that there is news.
    ben.wait("document.querySelector('[data-act=talk]').classList.contains('news')");
    ben.click("[data-act=talk]");
    ben.wait(&format!("{SAID}.some((line) => line.endsWith('Bonjour <b>toi</b>'))"));
    ben.wait("document.activeElement.name === 'say'");
    fits(&mut ben);
    say(&mut ben, "Salut");
    ben.wait(&format!("{SAID}.includes('Vous Salut')"));
    anna.wait(&format!("{SAID}.length === 2"));
    // Who looks on hears nothing of it.
    let mut watcher = anna.beside(&path, Look::default());
    watcher.wait("document.querySelector('.chat .said')");
    watcher.wait(&format!("{SAID}[0] === 'Nothing has been said yet.'"));
    assert_eq!(watcher.eval("document.querySelector('.chat form').checkVisibility()"), false);
    // Off by one click, and it stays off.
    anna.click("[data-act=chat-off]");
    anna.goto(&path);
    anna.wait("document.querySelector('[data-act=chat-on]')");
    anna.click("[data-act=chat-on]");
    anna.wait(&format!("{SAID}.length === 2"));

    // The line of one is lost while it is their move; the other is told, and that they are back.
    play(&mut anna, &mut ben);
    ben.goto("/about");
    anna.wait("document.querySelector('.claim') && !document.querySelector('.claim').hidden");
    let told = anna.text("document.querySelector('.claim span').textContent");
    assert!(told.contains("is gone. If they stay away for"), "{told}");
    assert_eq!(anna.eval("document.querySelector('[data-act=claim-win]').checkVisibility()"), false);
    ben.goto(&path);
    ben.wait(OWN);
    anna.wait("document.querySelector('.claim').hidden");
    play(&mut ben, &mut anna);

    anna.click("[data-act=draw]");
    ben.wait("document.querySelector('[data-act=agree-draw]')");
    fits(&mut ben);
    ben.click("[data-act=agree-draw]");
    for page in [&mut anna, &mut ben, &mut watcher] {
        page.wait(OVER);
    }
    for page in [watcher, ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_of_days_waits_in_the_lobby_and_is_answered_as_planned() {
    let mut anna = Page::open_at("/account", Look::default(), ARENA);
    let mut ben = anna.beside("/account", FRENCH);
    for (page, name) in [(&mut anna, "Anna"), (&mut ben, "Ben")] {
        sign_up(page, name);
        page.goto("/lobby");
    }
    anna.click(".lobby details summary");
    anna.click("[data-days='3']");
    anna.wait("document.querySelector('[data-cancel]')");
    anna.goto("/about");
    ben.wait("document.querySelector('.seeks button')");
    assert!(ben.text("document.querySelector('.seeks li').textContent").contains("3 jours par coup"));
    fits(&mut ben);
    ben.click(".seeks button");
    ben.wait("location.pathname.startsWith('/game/') && document.querySelector('.player .clock')");
    let path = ben.text("location.pathname");
    // Whoever has searched finds the game among their own.
    anna.goto("/lobby");
    anna.wait("document.querySelector('.playing a')?.textContent.includes('Ben')");
    anna.click(".playing a");
    anna.wait("document.querySelector('.player .clock')?.textContent.includes('2 d 23 h')");
    assert_eq!(anna.text("location.pathname"), path);
    let seat = format!(
        "fetch('/api/v1{}/seat').then((r) => r.json()).then(({{ color }}) => color)",
        path.replace("/game/", "/games/")
    );
    let (mut black, mut white) = if anna.text(&seat) == "black" { (anna, ben) } else { (ben, anna) };
    white.wait(
        "document.querySelector('[data-part=plan]') && !document.querySelector('[data-part=plan]').hidden",
    );
    // Behind "more" on a phone.
    white.eval("document.querySelector('#more').classList.add('open')");
    white.eval("document.querySelector('[data-part=plan]').open = true");
    white.eval("document.querySelector('textarea[name=plan]').value = 'a1b2 i5h5'");
    white.click("[data-part=plan] button");
    white.wait("document.querySelector('.toast')");
    black.wait(OWN);
    black.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves.find((m) => m.move === 'a1b2')); })()");
    for page in [&mut black, &mut white] {
        page.wait("document.querySelectorAll('.moves button').length === 2");
    }
    // It is Black's move again: every page of theirs says so.
    black.goto("/about");
    black.wait("document.title.startsWith('(1) ')");
    black.wait("document.querySelector('#bar [data-turns]').dataset.turns === '1'");
    let first_is_black = black.text("document.querySelector('#bar a.account').textContent") == "Anna";
    let (first, last) = if first_is_black { (white, black) } else { (black, white) };
    first.no_faults();
    last.no_faults();
}

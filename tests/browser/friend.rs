//! A game with a friend by a link: two persons in two browsers that share nothing but the server, and a third who watches.

use crate::page::{Look, Page};

const PHONE: Look = Look { width: 360, height: 740, touch: true, dark: false, language: "en-GB" };
pub(crate) const OWN: &str = "document.querySelector('sumito-board').own.length > 0";
const MOVES: &str = "document.querySelectorAll('.moves button').length";
pub(crate) const OVER: &str =
    "document.querySelector('.result') && !document.querySelector('.result').hidden";
const LINE: &str = "document.querySelector('sumito-board .line').textContent";
const PATH: &str = "location.pathname";

/// Somebody begins a game with a friend and has its link.
fn invite(look: Look, color: &str) -> (Page, String) {
    let mut page = Page::open("/", look);
    page.click("[data-act=friend]");
    page.click(&format!("[data-choice=\"color-{color}\"]"));
    page.wait(&format!("document.querySelector('[data-choice=\"color-{color}\"]').ariaPressed === 'true'"));
    page.click("[data-act=invite]");
    page.wait("document.querySelector('.friend input[name=link]')?.value.includes('/game/')");
    let link = page.text("document.querySelector('.friend input[name=link]').value");
    let path = page.text(PATH);
    assert!(link.ends_with(&path), "{link}");
    (page, path)
}

/// Two browsers in one game, in which the first has Black.
///
/// The first has the server, and so its page ends last: the others would miss it.
fn paired(look: Look) -> (Page, Page, String) {
    paired_at(look, look)
}

/// The same with browsers that are held differently.
pub(crate) fn paired_at(look: Look, other: Look) -> (Page, Page, String) {
    let (mut anna, path) = invite(look, "black");
    let mut ben = anna.beside(&path, other);
    ben.click("[data-act=join]");
    ben.wait("document.querySelector('sumito-board').flip === true && document.querySelector('.game-panel')");
    anna.wait(OWN);
    (anna, ben, path)
}

/// Plays the first legal move, and sees it on the other side.
pub(crate) fn play(page: &mut Page, other: &mut Page) {
    page.wait(OWN);
    let before = page.number(MOVES);
    page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    for page in [page, other] {
        page.wait(&format!("{MOVES} === {}", before + 1.0));
    }
}

/// The server's word on the game.
fn game(page: &mut Page) -> serde_json::Value {
    page.eval("fetch('/api/v1/games/' + location.pathname.split('/')[2]).then((r) => r.json())")
}

/// Presses a button that asks once more.
fn surely(page: &mut Page, act: &str) {
    let selector = format!("[data-act={act}]");
    page.click(&selector);
    page.wait(&format!("document.querySelector('{selector}').dataset.sure === 'asked'"));
    page.click(&selector);
}

#[test]
#[ignore = "needs Chromium"]
fn two_people_play_by_a_link_from_the_invitation_to_the_end() {
    let (mut anna, path) = invite(Look::default(), "black");
    assert_eq!(anna.text(LINE), "Waiting for your friend");
    assert_eq!(anna.eval(OWN), false, "nobody moves alone");
    let mut ben = anna.beside(&path, Look::default());
    ben.wait("document.querySelector('[data-act=join]')?.textContent === 'Join as White'");
    assert_eq!(game(&mut ben)["pair"]["white"], "free", "to look is not to join");
    ben.click("[data-act=join]");
    ben.wait("document.querySelector('.player[data-color=white] .who').textContent === 'You'");
    assert_eq!(
        ben.eval("document.querySelector('sumito-board').flip"),
        true,
        "the board turns to one's side"
    );
    assert_eq!(ben.text(LINE), "Your friend is thinking");
    anna.wait("document.querySelector('.player[data-color=white] .presence[data-there=here]')");
    ben.wait("document.querySelector('.player[data-color=black] .presence[data-there=here]')");
    assert_eq!(anna.text("document.title"), "Your move · Sumito");
    for page in [&mut anna, &mut ben] {
        let hidden = page.eval("[...document.querySelectorAll('[data-act=hint], [data-part=graph]')].every((e) => !e.offsetParent)");
        assert_eq!(hidden, true, "the engine helps nobody");
    }
    play(&mut anna, &mut ben);
    play(&mut ben, &mut anna);
    let mut watcher = anna.beside(&path, Look::default());
    watcher.wait(&format!("{MOVES} === 2"));
    assert_eq!(watcher.eval(OWN), false);
    assert_eq!(watcher.eval("document.querySelector('[data-act=join]')"), serde_json::Value::Null);
    watcher.wait("document.querySelector('.game-panel').textContent.includes('You are watching this game.')");
    anna.wait("document.querySelector('.game-panel').textContent.includes('1 spectator')");
    surely(&mut ben, "resign");
    anna.wait(OVER);
    assert_eq!(anna.text("document.querySelector('.result strong').textContent"), "You won");
    ben.wait(OVER);
    assert_eq!(ben.text("document.querySelector('.result strong').textContent"), "You lost");
    watcher.wait(OVER);
    assert_eq!(watcher.text("document.querySelector('.result strong').textContent"), "Black wins");
    for page in [watcher, ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_reload_keeps_the_seat_and_the_other_side_sees_who_is_away() {
    let (mut anna, mut ben, path) = paired(Look::default());
    play(&mut anna, &mut ben);
    ben.goto(&path);
    ben.wait(OWN);
    assert_eq!(ben.eval("document.querySelector('sumito-board').flip"), true);
    play(&mut ben, &mut anna);
    ben.goto("/about");
    anna.wait("document.querySelector('.player[data-color=white] .presence')?.dataset.there === 'away'");
    ben.goto("/");
    ben.wait("document.querySelector('[data-act=resume]').textContent === 'Continue with your friend'");
    ben.click("[data-act=resume]");
    anna.wait("document.querySelector('.player[data-color=white] .presence').dataset.there === 'here'");
    play(&mut anna, &mut ben);
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_is_taken_back_when_the_other_side_agrees_and_a_draw_can_be_declined() {
    let (mut anna, mut ben, _) = paired(Look::default());
    play(&mut anna, &mut ben);
    anna.click("[data-act=takeback]");
    anna.wait("document.querySelector('[data-offer=takeback]').textContent.includes('You have asked')");
    ben.wait(
        "document.querySelector('[data-offer=takeback]').textContent.includes('Your friend would like')",
    );
    ben.click("[data-act=agree-takeback]");
    for page in [&mut anna, &mut ben] {
        page.wait(&format!("{MOVES} === 0 && document.querySelector('.offers').hidden"));
    }
    play(&mut anna, &mut ben);
    ben.click("[data-act=draw]");
    anna.click("[data-act=decline-draw]");
    ben.wait("document.querySelector('.offers').hidden");
    ben.wait("document.querySelector('#toasts').textContent === 'Your friend has declined.'");
    assert_eq!(game(&mut ben)["offer"], serde_json::Value::Null);
    play(&mut ben, &mut anna);
    ben.click("[data-act=draw]");
    anna.click("[data-act=agree-draw]");
    for page in [&mut anna, &mut ben] {
        page.wait(OVER);
        assert_eq!(page.text("document.querySelector('.result strong').textContent"), "A draw");
    }
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_rematch_leads_both_to_the_other_side_of_the_next_game() {
    let (mut anna, mut ben, path) = paired(Look::default());
    play(&mut anna, &mut ben);
    play(&mut ben, &mut anna);
    surely(&mut anna, "resign");
    ben.wait(OVER);
    ben.click("[data-act=rematch]");
    ben.wait("document.querySelector('[data-act=rematch]').dataset.rematch === 'asked'");
    anna.wait("document.querySelector('[data-act=rematch]').textContent === 'Accept the rematch'");
    anna.click("[data-act=rematch]");
    for page in [&mut anna, &mut ben] {
        page.wait(&format!("{PATH} !== '{path}' && {PATH}.startsWith('/game/') && {MOVES} === 0"));
    }
    assert_eq!(anna.text(PATH), ben.text(PATH));
    ben.wait("document.querySelector('.player[data-color=black] .who').textContent === 'You'");
    play(&mut ben, &mut anna);
    play(&mut anna, &mut ben);
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_rematch_that_is_declined_or_taken_back_is_told_as_that_and_the_other_side_may_still_offer_one() {
    let (mut anna, mut ben, _) = paired(Look::default());
    play(&mut anna, &mut ben);
    play(&mut ben, &mut anna);
    surely(&mut anna, "resign");
    let again = "document.querySelector('[data-act=rematch]')";
    let told = |state: &str, text: &str| {
        format!(
            "document.querySelector('p[data-rematch={state}]')?.textContent.startsWith('{text}') && !{again}"
        )
    };
    ben.wait(&format!("{OVER} && {again}.textContent === 'Rematch as Black'"));
    anna.wait(&format!("{OVER} && {again}.textContent === 'Rematch as White'"));
    ben.click("[data-act=rematch]");
    anna.wait(&format!("{again}.dataset.rematch === 'offered' && {again}.title === 'You will be White'"));
    anna.click("[data-act=decline-rematch]");
    ben.wait(&told("declined", "Your friend has declined"));
    anna.click("[data-act=rematch]");
    ben.wait(&format!("{again}?.dataset.rematch === 'offered'"));
    anna.click("[data-act=decline-rematch]");
    anna.wait(&told("withdrawn", "You have withdrawn"));
    ben.wait(&told("declined", "Your friend has declined"));
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn an_invitation_is_among_my_games_alone_and_marked_as_waiting_until_somebody_comes() {
    let (mut anna, path) = invite(Look::default(), "black");
    let id = path[6..].to_string();
    let card = format!("document.querySelector('[data-game=\"{id}\"]')");
    let listed = "document.querySelector('.page.games p.soft[role=status]')?.textContent";
    anna.goto("/games");
    anna.wait(&format!("{listed} === '0 games' && !{card}"));
    anna.goto("/games?mine=yes");
    anna.wait(&format!(
        "{card}?.innerText.includes('Waiting for your friend') && {card}.innerText.includes('Free seat')"
    ));
    let mut ben = anna.beside("/games?mine=yes", Look::default());
    ben.wait(&format!("{listed} === '0 games'"));
    assert_eq!(ben.eval(&card), serde_json::Value::Null, "nobody else is shown the way in");
    ben.goto(&path);
    ben.click("[data-act=join]");
    ben.wait("document.querySelector('.game-panel')");
    anna.goto("/games?mine=yes");
    anna.wait(&format!("{card} && !{card}.innerText.includes('Waiting')"));
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_that_is_called_off_is_gone_for_both() {
    let (mut anna, mut ben, path) = paired(Look::default());
    surely(&mut anna, "abort");
    for page in [&mut anna, &mut ben] {
        page.wait(&format!(
            "{PATH} === '/' && document.querySelector('[data-act=friend], [data-act=invite]')"
        ));
    }
    let status = ben.number(&format!("fetch('/api/v1/games/{}').then((r) => r.status)", &path[6..]));
    assert_eq!(status, 404.0);
    ben.forgive("404");
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_chosen_ahead_is_played_when_the_friend_has_moved() {
    let (mut anna, mut ben, _) = paired(Look::default());
    ben.wait("document.querySelector('sumito-board').choosable.length > 0");
    ben.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    ben.wait("document.querySelector('.arrow.premove')");
    anna.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    for page in [&mut anna, &mut ben] {
        page.wait(&format!("{MOVES} === 2"));
    }
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_all_of_it_fits_and_offers_are_under_the_thumb() {
    let fits = |page: &mut Page, what: &str| {
        let wide = page.number("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(wide, 0.0, "{what} is wider than the screen");
    };
    let mut anna = Page::open("/", PHONE);
    anna.tap("[data-act=friend]");
    anna.wait("document.querySelector('[data-act=invite]')");
    fits(&mut anna, "the choices");
    anna.tap("[data-act=invite]");
    anna.wait("document.querySelector('.friend input[name=link]')?.value.includes('/game/')");
    fits(&mut anna, "the link");
    let path = anna.text(PATH);
    let mut ben = anna.beside(&path, PHONE);
    ben.wait("document.querySelector('[data-act=join]')");
    fits(&mut ben, "the invitation");
    ben.tap("[data-act=join]");
    anna.wait(OWN);
    play(&mut anna, &mut ben);
    anna.tap("[data-act=takeback]");
    ben.wait("document.querySelector('[data-act=agree-takeback]')");
    fits(&mut ben, "an offer");
    let seen = ben.eval(
        "(() => { const r = document.querySelector('[data-act=agree-takeback]').getBoundingClientRect(); \
         const e = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2); \
         return r.bottom <= innerHeight && e?.closest('[data-act]')?.dataset.act === 'agree-takeback'; })()",
    );
    assert_eq!(seen, true, "the answer to an offer is in sight and nothing covers it");
    ben.tap("[data-act=agree-takeback]");
    anna.wait(&format!("{MOVES} === 0"));
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_with_a_friend_speaks_french() {
    let look = Look { language: "fr-FR", ..PHONE };
    let (mut anna, path) = invite(look, "white");
    anna.wait("document.querySelector('.friend').textContent.includes('Envoyez ce lien')");
    let mut ben = anna.beside(&path, look);
    ben.wait("document.querySelector('[data-act=join]')?.textContent === 'Jouer les noirs'");
    ben.tap("[data-act=join]");
    play(&mut ben, &mut anna);
    anna.tap("[data-act=more]");
    anna.tap("[data-act=draw]");
    ben.wait(
        "document.querySelector('[data-offer=draw]').textContent.includes('Votre ami propose la nulle.')",
    );
    for page in [ben, anna] {
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_review_of_a_game_that_two_people_play_waits_for_its_end_and_asks_for_nothing() {
    let (mut anna, mut ben, path) = paired(Look::default());
    play(&mut anna, &mut ben);
    play(&mut ben, &mut anna);
    let mut other = anna.beside("/about", Look::default());
    other.command(
        "Page.addScriptToEvaluateOnNewDocument",
        serde_json::json!({ "source": "window.asked = 0; window.lines = 0; { const ask = fetch, Line = WebSocket; \
            window.fetch = (path, init) => { if (init?.method === 'POST' && String(path).endsWith('/review')) asked += 1; return ask(path, init); }; \
            window.WebSocket = class extends Line { constructor(path) { super(path); this.addEventListener('open', () => (lines += 1)); } }; }" }),
    );
    other.goto(&path.replace("/game/", "/review/"));
    let told = "document.querySelector('[data-review=halted] strong')?.textContent";
    other.wait(&format!("{told} === 'The game is still running. Its review begins when it is over.'"));
    assert_eq!(other.eval("document.querySelector('[data-review] progress').checkVisibility()"), false);
    // The line is lost and comes back.
    other.wait("lines === 1");
    other.eval("dispatchEvent(new Event('pagehide'))");
    other.wait("lines === 2");
    assert_eq!(other.number("asked"), 0.0);
    surely(&mut ben, "resign");
    other.wait("document.querySelectorAll('[data-accuracy] .big').length === 2");
    assert_eq!(other.number("asked"), 1.0);
    other.no_faults();
    ben.no_faults();
    anna.no_faults();
}

//! The first visit: what the start page says, shows and offers.

use serde_json::json;

use crate::board;
use crate::page::{Look, Page};

const READY: &str = "document.querySelector('sumito-board').own.length > 0";

#[test]
#[ignore = "needs Chromium"]
fn a_visitor_is_told_what_the_game_is_and_can_learn_it() {
    let mut page = Page::open("/", Look { width: 360, height: 740, touch: true, ..Look::default() });
    page.wait("document.querySelector('.lead').textContent.includes('six marbles')");
    let folded = page.eval("document.querySelector('.more').open");
    assert_eq!(folded, false, "the many choices are folded away");
    page.tap("[data-act=learn]");
    page.wait("location.pathname === '/learn/1'");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn choices_stay_under_the_thumb_when_one_of_them_is_made() {
    let mut page = Page::open("/", Look { width: 360, height: 740, touch: true, ..Look::default() });
    page.tap("[data-act=more]");
    let clock = "[data-choice=\"clock-game\"]";
    let before = page.middle(clock);
    page.tap("[data-choice=\"color-white\"]");
    page.wait("document.querySelector('[data-act=begin]')");
    assert_eq!(page.middle(clock), before, "what is below stays where it is");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_quick_game_begins_with_one_tap_whatever_was_chosen_before() {
    let mut page = Page::open("/", Look::default());
    page.click("[data-choice=\"opponent-human\"]");
    page.wait("document.querySelector('[data-choice=\"opponent-human\"]').ariaPressed === 'true'");
    page.click("[data-act=quick]");
    page.wait("location.pathname.startsWith('/game/')");
    page.wait("document.querySelector('.player[data-color=white]').textContent.includes('level 2')");
    page.wait(READY);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_level_goes_down_after_a_loss_and_the_next_game_is_played_at_it() {
    let mut page = Page::open("/", Look::default());
    page.click("[data-act=quick]");
    page.wait("location.pathname.startsWith('/game/')");
    page.wait(READY);
    page.eval(
        "(async () => { const id = location.pathname.split('/')[2]; \
         const key = JSON.parse(localStorage.getItem('sumito.keys'))[id]; \
         await fetch(`/api/v1/games/${id}/resign`, { method: 'POST', body: '{}', \
         headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` } }); })()",
    );
    page.goto("/");
    page.wait("document.querySelector('[data-act=quick]').textContent.includes('level 1')");
    page.wait("document.querySelector('[data-choice=\"level-1\"]').ariaPressed === 'true'");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_level_follows_wins_and_losses_against_its_like() {
    let mut page = Page::open_modules("/", Look::default());
    page.wait(READY);
    let levels = page.eval(
        "import('/lib/adapt.js').then(({ after }) => { \
         localStorage.setItem('sumito.keys', JSON.stringify({ mine: 'key' })); \
         const human = { kind: 'human', name: '' }, agent = (level) => ({ kind: 'agent', spec: '', level }); \
         const game = (winner, level, id = 'mine') => ({ id, black: human, white: agent(level), position: { outcome: { winner } } }); \
         return [after(4, game('black', 4)), after(4, game('white', 4)), after(4, game(null, 4)), after(4, game('black', 2)), \
         after(4, game('white', 7)), after(12, game('black', 12)), after(1, game('white', 1)), after(4, game('black', 4, 'other'))]; })",
    );
    assert_eq!(levels, json!([5, 3, 4, 4, 4, 12, 1, 4]));
    page.no_faults();
}

/// The start page for someone whose marbles roll, with the lengths of all timers in `timers`.
fn rolling(features: &[(&str, &str)]) -> Page {
    let mut page = Page::open("/about", Look::default());
    let features: Vec<_> =
        features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    page.command("Emulation.setEmulatedMedia", json!({ "features": features }));
    page.eval("localStorage.setItem('sumito.settings', JSON.stringify({ motion: true }))");
    page.command(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "window.timers = []; const real = setTimeout; \
            window.setTimeout = (call, ms, ...more) => { timers.push(ms); return real(call, ms, ...more); };" }),
    );
    page.goto("/");
    page.wait("document.querySelector('[data-act=quick]')");
    page
}

/// The first of the demo's pauses, before it begins.
const DEMO: &str = "timers.includes(1200)";

#[test]
#[ignore = "needs Chromium"]
fn a_move_is_shown_once_on_the_board_and_put_back() {
    let mut page = rolling(&[]);
    page.wait(DEMO);
    page.wait("document.querySelector('.fingertip')");
    page.wait("document.querySelector('sumito-board').position.black.includes('d4')");
    page.wait("document.querySelector('sumito-board').position.black.includes('a1')");
    page.wait("!document.querySelector('.fingertip')");
    assert_eq!(page.text("location.pathname"), "/", "nothing was played");
    page.wait(READY);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_first_touch_ends_the_demo_and_counts() {
    let mut page = rolling(&[]);
    page.wait("document.querySelector('.fingertip')");
    let wanted = board::named(&mut page, "a2b3");
    board::by_clicks(&mut page, &wanted);
    page.wait("!document.querySelector('.fingertip') && location.pathname.startsWith('/game/')");
    page.wait("document.querySelector('.moves').textContent.includes('a2b3')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn nothing_moves_by_itself_where_motion_is_not_wanted() {
    let mut page = rolling(&[("prefers-reduced-motion", "reduce")]);
    page.wait(READY);
    assert_eq!(page.eval(DEMO), false);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn agents_have_names_and_their_specs_are_for_experts() {
    let mut page = Page::open("/", Look::default());
    page.click("[data-choice=\"opponent-agent\"]");
    page.wait("document.querySelector('select[name=agent]')");
    page.wait("document.querySelector('.player[data-color=white] .who').textContent === 'The Classic'");
    let names = page.eval("[...document.querySelectorAll('select[name=agent] option')].every((each) => !/[:=]/.test(each.textContent))");
    assert_eq!(names, true);
    assert_eq!(page.eval("document.querySelector('[name=agent-options]').closest('details').open"), false);
    page.click("[name=agent-options]");
    page.type_text("depth=2");
    page.click("[data-act=start]");
    page.wait(
        "document.querySelector('.player[data-color=white] .who').textContent === 'The Classic (depth=2)'",
    );
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn where_nothing_moves_by_itself_an_arrow_shows_how_until_the_first_touch() {
    let mut page = rolling(&[("prefers-reduced-motion", "reduce")]);
    page.wait("document.querySelector('.arrow.hint')");
    let seen = page.eval(
        "(() => { const box = document.querySelector('.arrow.hint').getBoundingClientRect(); \
         const [rear, hole] = ['a1', 'd4'].map((cell) => document.querySelector(`[data-cell=${cell}] .hit`).getBoundingClientRect()); \
         return box.width > 0 && box.left < rear.right && box.right > hole.left; })()",
    );
    assert_eq!(seen, true, "from the hindmost marble to the hole in front");
    page.key("Tab", "Tab");
    page.wait("!document.querySelector('.arrow')");
    page.no_faults();
}

const RESUME: &str = "document.querySelector('[data-act=resume]')";

#[test]
#[ignore = "needs Chromium"]
fn a_game_can_be_gone_on_with_whatever_was_begun_after_it() {
    let mut page = Page::open("/", Look::default());
    page.wait(READY);
    let wanted = board::named(&mut page, "a1b2");
    board::by_clicks(&mut page, &wanted);
    page.wait("location.pathname.startsWith('/game/') && document.querySelector('sumito-board').position.plies === 2");
    let path = page.text("location.pathname");
    page.goto("/watch");
    page.click("[data-act=watch]");
    page.wait("location.pathname.startsWith('/watch/')");
    page.goto("/");
    page.wait(&format!("{RESUME}?.pathname === '{path}'"));
    page.click("[data-act=quick]");
    page.wait(&format!("location.pathname.startsWith('/game/') && {READY}"));
    page.goto("/");
    page.wait(&format!("{RESUME}?.pathname === '{path}'"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_of_two_people_can_be_gone_on_with() {
    let mut page = Page::open("/about", Look::default());
    page.eval("localStorage.setItem('sumito.setup', JSON.stringify({ opponent: 'human' }))");
    page.goto("/");
    page.wait(READY);
    let wanted = board::named(&mut page, "a1b2");
    board::by_clicks(&mut page, &wanted);
    page.wait("location.pathname.startsWith('/game/')");
    let path = page.text("location.pathname");
    page.goto("/");
    page.wait(&format!("{RESUME}?.textContent === 'Continue the game of two'"));
    page.click("[data-act=resume]");
    page.wait(&format!("location.pathname === '{path}' && document.querySelector('sumito-board').position.turn === 'white' && {READY}"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn whoever_leaves_a_game_with_a_clock_hears_that_it_runs_and_sees_what_is_left() {
    let mut page = Page::open("/about", Look::default());
    page.eval("localStorage.setItem('sumito.setup', JSON.stringify({ level: 1, clock: 'game', minutes: 30, increment: 0 }))");
    page.goto("/");
    page.wait(READY);
    let wanted = board::named(&mut page, "a1b2");
    board::by_clicks(&mut page, &wanted);
    page.wait("location.pathname.startsWith('/game/') && document.querySelector('[data-clock=runs]').checkVisibility()");
    page.click("nav a[href=\"/about\"]");
    page.wait("document.querySelector('#toasts').textContent === 'The clock runs on while you are away.'");
    page.click("nav a[href=\"/\"]");
    page.wait(&format!("/: (29|30):\\d\\d left$/.test({RESUME}?.textContent)"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_whose_clock_ran_out_is_told_and_not_offered() {
    let mut page = Page::open("/about", Look::default());
    page.eval(
        "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ \
         moves: ['a1b2', 'i5h5'], clock: { kind: 'move', ms: 1500 }, white: { kind: 'agent', spec: 'random' } }) }) \
         .then((answer) => answer.json()).then(({ key, game }) => { const keep = (name, value) => \
         localStorage.setItem(`sumito.${name}`, JSON.stringify(value)); keep('keys', { [game.id]: key }); \
         keep('begun', [game.id]); keep('last', game.id); keep('timed', [game.id]); })",
    );
    page.goto("/");
    let lapsed = "document.querySelector('[data-act=lapsed]')";
    page.wait(&format!("{lapsed} && !{RESUME}"));
    let told = page.text(&format!("{lapsed}.innerText"));
    assert!(told.starts_with("You lost") && told.contains("The time is up. The Dreamer"), "{told}");
    page.click("[data-act=lapsed]");
    page.wait("document.querySelector('.result strong')?.textContent.startsWith('You lost')");
    page.click("nav a[href=\"/\"]");
    page.wait("location.pathname === '/'");
    assert_eq!(page.text("localStorage.getItem('sumito.timed')"), "[]", "what was seen is not told again");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn an_agents_first_move_alone_cannot_be_taken_back() {
    let mut page = Page::open("/", Look::default());
    page.click("[data-choice=\"color-white\"]");
    page.click("[data-act=begin]");
    page.wait("document.querySelectorAll('.moves button').length === 1 && document.querySelector('sumito-board').own.length > 0");
    assert_eq!(page.eval("document.querySelector('[data-act=takeback]').disabled"), true);
    page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    page.wait("document.querySelectorAll('.moves button').length === 3 && !document.querySelector('[data-act=takeback]').disabled");
    page.no_faults();
}

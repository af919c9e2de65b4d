//! Playing: whole games by mouse, by touch and by keyboard, and all that one can do in a game.

use crate::board::{self, Wanted};
use crate::page::{Look, Page};

const OVER: &str = "!document.querySelector('.result').hidden";
const MOVES: &str = "document.querySelectorAll('.moves button').length";

/// Chooses level 1 and rules with 30 moves for each side, so that every game ends.
fn set_up(page: &mut Page) {
    page.wait("document.querySelector('[data-choice=\"level-1\"]')");
    page.click("[data-choice=\"level-1\"]");
    page.choose("select[name=rules]", "bcit");
    page.wait("document.querySelector('[data-choice=\"level-1\"]').ariaPressed === 'true'");
    page.wait("document.querySelector('sumito-board').own.length > 0");
}

/// A game in which each side has made a move.
fn begun() -> Page {
    let mut page = Page::open("/", Look::default());
    set_up(&mut page);
    let wanted = board::choice(&mut page);
    board::by_clicks(&mut page, &wanted);
    page.wait(&format!("{MOVES} === 2 && document.querySelector('sumito-board').own.length > 0"));
    page
}

fn layout(page: &mut Page, name: &str) {
    page.click("[data-act=layout]");
    page.click(&format!("[data-layout={name}]"));
}

/// Plays to the end; each move is chosen by [`board::choice`] and made by hand.
fn whole_game(page: &mut Page, mut make: impl FnMut(&mut Page, &Wanted, usize)) -> usize {
    let mut made = 0;
    let ready = format!("document.querySelector('sumito-board').own.length > 0 || ({OVER})");
    while made < 40 {
        page.wait(&ready);
        if page.eval(&format!("document.querySelector('.result') !== null && {OVER}")) == true {
            return made;
        }
        let wanted = board::choice(page);
        let before = page.number(MOVES);
        make(page, &wanted, made);
        made += 1;
        page.wait(&format!("{MOVES} > {before}"));
        let played = page.text(&format!("document.querySelectorAll('.moves button')[{before}].textContent"));
        assert_eq!(played, wanted.text, "the move that was made by hand");
    }
    panic!("the game did not end");
}

/// The stored game has every move that was played, and the server's word on the end.
fn is_stored(page: &mut Page, made: usize) {
    let game =
        page.eval("fetch('/api/v1/games/' + location.pathname.split('/').pop()).then((r) => r.json())");
    let moves = game["moves"].as_array().unwrap().len();
    assert!(made > 0 && moves >= 2 * made - 1, "{made} of ours, {moves} in all");
    assert!(!game["position"]["outcome"].is_null());
    let shown = page.number(MOVES);
    assert_eq!(shown as usize, moves);
}

#[test]
#[ignore = "needs Chromium"]
fn a_whole_game_by_mouse_with_clicks_and_drags() {
    let mut page = Page::open("/", Look::default());
    set_up(&mut page);
    let made = whole_game(&mut page, |page, wanted, i| {
        if i % 2 == 0 {
            board::by_clicks(page, wanted);
        } else {
            let points = board::drag_points(page, wanted);
            page.drag(&points);
        }
    });
    is_stored(&mut page, made);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_whole_game_by_touch_on_a_phone() {
    let mut page = Page::open("/", Look { width: 360, height: 740, touch: true, ..Look::default() });
    set_up(&mut page);
    page.eval("window.scrollTo(0, 0)");
    let made = whole_game(&mut page, |page, wanted, i| {
        if i % 2 == 0 {
            board::by_taps(page, wanted);
        } else {
            let points = board::drag_points(page, wanted);
            page.swipe(&points);
        }
    });
    is_stored(&mut page, made);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_whole_game_by_keyboard_alone() {
    let mut page = Page::open("/", Look::default());
    set_up(&mut page);
    // The choices are kept; the keyboard begins at the top of the page.
    page.goto("/");
    page.wait("document.querySelector('sumito-board').own.length > 0");
    for _ in 0..30 {
        if page.eval("Boolean(document.activeElement.closest('svg.board'))") == true {
            break;
        }
        page.key("Tab", "Tab");
    }
    let made = whole_game(&mut page, |page, wanted, i| {
        if i % 5 == 4 {
            page.eval("document.querySelector('input[name=typed]').focus()");
            page.type_text(&wanted.text);
            page.key("Enter", "Enter");
            page.eval("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()");
        } else {
            board::by_keys(page, wanted);
        }
    });
    is_stored(&mut page, made);
    page.no_faults();
}

/// The board of before is still shown while another one is fetched; here its answer waits for as long as it takes.
#[test]
#[ignore = "needs Chromium"]
fn nobody_moves_on_a_board_that_is_being_replaced() {
    let mut page = Page::open("/", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    page.eval(
        "(() => { const real = fetch; window.held = []; window.fetch = (path, init) => \
         String(path).endsWith('/positions') ? new Promise((go) => held.push(() => go(real(path, init)))) : real(path, init); })()",
    );
    layout(&mut page, "standard");
    page.wait("held.length === 1");
    for marble in ["a1", "b2", "c3"] {
        let at = board::cell(&mut page, marble);
        page.click_at(at);
    }
    assert_eq!(page.eval("document.querySelectorAll('.handle').length"), 0, "no arrow to move by");
    // A second wish overtakes the first.
    layout(&mut page, "german-daisy");
    page.wait("held.length === 2");
    page.eval("held[1]()");
    page.wait("document.querySelector('sumito-board').own.length > 0");
    let shown = page.text("document.querySelector('sumito-board').position.fen");
    page.eval("(async () => { held[0](); await fetch('/api/v1/healthz'); await new Promise((done) => setTimeout(done, 200)); })()");
    assert_eq!(
        page.text("document.querySelector('sumito-board').position.fen"),
        shown,
        "the last wish counts"
    );
    let wanted = board::choice(&mut page);
    board::by_clicks(&mut page, &wanted);
    page.wait(&format!("{MOVES} >= 1"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_link_of_a_game_keeps_the_ply() {
    let mut page = begun();
    assert_eq!(page.eval("location.search"), "");
    page.click(".moves button");
    page.wait("location.search === '?ply=1'");
    let path = page.text("location.pathname + location.search");
    let shown = page.eval("document.querySelector('sumito-board').position.black");
    page.goto("/about");
    page.goto(&path);
    page.wait("document.querySelector('sumito-board').position?.plies === 1");
    assert_eq!(page.eval("document.querySelector('sumito-board').position.black"), shown);
    page.click("[data-walk=last]");
    page.wait("location.search === '' && document.querySelector('sumito-board').own.length > 0");
    page.no_faults();
}

/// Whoever looks at the chances plays with help.
#[test]
#[ignore = "needs Chromium"]
fn the_graph_of_a_game_is_there_when_it_is_wanted_and_counts_as_help() {
    let mut page = begun();
    assert_eq!(
        page.eval("document.querySelector('[data-part=graph]').open"),
        false,
        "nobody is helped unasked"
    );
    assert_eq!(page.eval("localStorage.getItem('sumito.rating')"), serde_json::Value::Null);
    page.click("[data-part=graph] summary");
    page.wait("document.querySelectorAll('[data-part=graph] .curve').length === 1");
    page.wait("localStorage.getItem('sumito.rating').includes(location.pathname.split('/')[2])");
    page.wait("document.querySelector('[data-part=graph] .graph-told').textContent.includes('%')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_question_stays_until_something_else_is_pressed_and_a_double_click_is_no_answer() {
    let mut page = begun();
    let asked = "document.querySelector('[data-act=resign]').dataset.sure === 'asked'";
    page.click("[data-act=resign]");
    page.wait(asked);
    page.eval("document.querySelector('[data-act=resign]').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))");
    assert_eq!((page.eval(asked), page.eval(OVER)), (true.into(), false.into()), "a double click is one");
    page.click(".game-panel .strip");
    assert_eq!(page.eval(asked), false, "who presses something else does not mean it");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn arrow_keys_walk_through_the_game_after_a_click_on_the_board() {
    let mut page = begun();
    let at = board::cell(&mut page, "e5");
    page.click_at(at);
    page.key("ArrowLeft", "ArrowLeft");
    page.wait("document.querySelector('sumito-board').position.plies === 1");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_name_of_the_settings_is_the_players_in_games() {
    let mut page = Page::open("/", Look::default());
    page.eval("localStorage.setItem('sumito.settings', JSON.stringify({ motion: false, name: 'Somebody' }))");
    page.goto("/");
    set_up(&mut page);
    page.click("[data-act=begin]");
    page.wait("location.pathname.startsWith('/game/')");
    let name = page.text("fetch(`/api/v1${location.pathname.replace('game', 'games')}`).then((r) => r.json()).then((game) => game.black.name)");
    assert_eq!(name, "Somebody");
    page.no_faults();
}

/// The server tells the game anew whenever something about it changes: here while the hint is being looked for.
#[test]
#[ignore = "needs Chromium"]
fn a_hint_is_shown_though_the_game_was_told_anew_meanwhile() {
    let mut page = begun();
    page.eval(
        "(() => { const real = fetch; window.fetch = async (path, init) => { const answer = await real(path, init); \
         if (!String(path).endsWith('/hint')) return answer; \
         const id = location.pathname.split('/')[2]; const key = JSON.parse(localStorage.getItem('sumito.keys'))[id]; \
         const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }; \
         await real(`/api/v1/games/${id}/draw`, { method: 'POST', body: '{}', headers }); \
         await new Promise((done) => setTimeout(done, 300)); return answer; }; })()",
    );
    page.click("[data-act=hint]");
    page.wait("document.querySelector('.arrow.hint')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn taking_back_a_hint_turning_the_board_resigning_and_a_rematch() {
    let mut page = Page::open("/", Look::default());
    set_up(&mut page);
    for _ in 0..2 {
        page.wait("document.querySelector('sumito-board').own.length > 0");
        let wanted = board::choice(&mut page);
        board::by_clicks(&mut page, &wanted);
        page.wait("document.querySelector('.moves button')");
    }
    page.wait(&format!("{MOVES} === 4 && document.querySelector('sumito-board').own.length > 0"));

    page.click("[data-act=takeback]");
    page.wait(&format!("{MOVES} === 2 && document.querySelector('sumito-board').own.length > 0"));

    page.click("[data-act=hint]");
    page.wait("document.querySelector('.arrow.hint')");

    let before = board::cell(&mut page, "a1");
    page.click("[data-act=flip]");
    let after = board::cell(&mut page, "a1");
    assert!(after.1 < before.1 && after.0 > before.0, "a1 lies above on the right: {before:?} {after:?}");
    let wanted = board::choice(&mut page);
    board::by_clicks(&mut page, &wanted);
    page.wait(&format!("{MOVES} === 4 && document.querySelector('sumito-board').own.length > 0"));

    page.click("[data-act=resign]");
    page.wait("document.querySelector('[data-act=resign]').dataset.sure");
    assert_eq!(page.eval(OVER), false, "one click is not enough");
    page.click("[data-act=resign]");
    page.wait(OVER);
    assert_eq!(
        page.text("document.querySelector('.result strong').textContent"),
        "You lost",
        "told to the person who played"
    );

    page.click("[data-act=rematch]");
    page.wait(&format!("{MOVES} === 1 && document.querySelector('sumito-board').own.length > 0"));
    let turn = page.text("document.querySelector('sumito-board').position.turn");
    assert_eq!(turn, "white", "colours are swapped");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_goes_on_after_the_page_was_left() {
    let mut page = Page::open("/", Look::default());
    set_up(&mut page);
    let wanted = board::choice(&mut page);
    board::by_clicks(&mut page, &wanted);
    page.wait(&format!("{MOVES} === 2 && location.pathname.startsWith('/game/')"));
    page.goto("/");
    page.wait("document.querySelector('[data-act=resume]')");
    page.click("[data-act=resume]");
    page.wait(&format!("{MOVES} === 2 && document.querySelector('sumito-board').own.length > 0"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn two_people_on_one_device_with_a_clock_and_another_layout() {
    let mut page = Page::open("/", Look::default());
    page.wait("document.querySelector('[data-choice=\"opponent-human\"]')");
    page.click("[data-choice=\"opponent-human\"]");
    page.wait("document.querySelector('[data-choice=\"opponent-human\"]').ariaPressed === 'true'");
    page.click("[data-choice=\"clock-game\"]");
    page.wait("document.querySelector('select[name=minutes]')");
    layout(&mut page, "standard");
    page.wait("document.querySelector('sumito-board').position.black.includes('a5')");
    for (ply, color) in ["black", "white", "black"].into_iter().enumerate() {
        page.wait(&format!(
            "document.querySelector('sumito-board').position.turn === '{color}' \
             && document.querySelector('sumito-board').own.length > 0"
        ));
        let wanted = board::choice(&mut page);
        board::by_clicks(&mut page, &wanted);
        page.wait(&format!("{MOVES} === {}", ply + 1));
    }
    page.wait("document.querySelector('.player[data-color=white] .clock.running')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn escape_and_a_click_elsewhere_drop_the_selection() {
    let mut page = Page::open("/", Look::default());
    set_up(&mut page);
    let wanted = board::choice(&mut page);
    for drop in ["key", "click"] {
        let at = board::cell(&mut page, &wanted.marbles[0]);
        page.click_at(at);
        page.wait("document.querySelectorAll('.board .chosen').length === 1");
        if drop == "key" {
            page.key("Escape", "Escape");
        } else {
            let at = board::cell(&mut page, "e5");
            page.click_at(at);
        }
        page.wait("document.querySelectorAll('.board .chosen, .handle').length === 0");
    }
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_is_taken_away_as_a_film() {
    let mut page = begun();
    let film = "document.querySelector('.share [data-act=film]')";
    let read = format!(
        "fetch({film}.href).then(async (r) => [r.headers.get('content-type'), (await r.text()).slice(0, 6), {film}.download.slice(-4), \
         new URL({film}.href).search])"
    );
    assert_eq!(page.eval(&read), serde_json::json!(["image/gif", "GIF89a", ".gif", ""]));
    page.click("[data-act=flip]");
    page.wait(&format!("new URL({film}.href).search === '?flip=true'"));
    page.goto("/analyse");
    page.wait(&format!("{film}?.hidden"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_hint_is_played_with_one_tap_and_makes_way_for_what_is_explained() {
    let mut page = begun();
    page.click("[data-act=hint]");
    page.wait("document.querySelector('[data-act=confirm]').checkVisibility()");
    let text = page.text("document.querySelector('[data-act=confirm]').textContent");
    let hinted = text.strip_prefix("Play ").expect("the move is named").to_string();
    let at = board::cell(&mut page, "e5");
    page.click_at(at);
    page.wait("document.querySelector('.line').textContent === 'Tap one of your marbles first.'");
    let seen =
        page.eval("['.line', '.confirm'].map((each) => document.querySelector(each).checkVisibility())");
    assert_eq!(seen, serde_json::json!([true, false]), "the cause is read first");
    page.eval("document.querySelector('sumito-board').select([])");
    page.click("[data-act=confirm]");
    page.wait(&format!("{MOVES} >= 3 && document.querySelector('.confirm').hidden"));
    assert_eq!(page.text("document.querySelectorAll('.moves button')[2].textContent"), hinted);
    page.no_faults();
}

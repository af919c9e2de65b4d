//! The review of a game.

use crate::board;
use crate::looks::contrast;
use crate::page::{Look, Page};
use serde_json::{Value, json};

/// Stores a game and opens its review; gives the page and what the review says.
fn reviewed(look: Look, body: &Value) -> (Page, Value) {
    let mut page = Page::open("/about", look);
    let id = page.text(&format!(
        "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({body}) }}).then((r) => r.json()).then((r) => r.game.id)"
    ));
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2");
    page.wait("document.querySelector('.graph .area')");
    let stored = page.eval(&format!("fetch('/api/v1/games/{id}/review').then((r) => r.json())"));
    assert_eq!(stored["state"], "done");
    let found = stored["review"]["moves"].as_array().map(Vec::len);
    assert_eq!(found, body["moves"].as_array().map(Vec::len));
    (page, stored["review"].clone())
}

/// The same, and opens a task on one of the moves; gives the page and what is known of that move.
fn task(fen: &str, moves: &[&str], ply: usize) -> (Page, Value) {
    let (mut page, review) = reviewed(Look::default(), &json!({ "fen": fen, "moves": moves }));
    let judged = review["moves"][ply - 1].clone();
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
const WHITE_ERRS: (&str, [&str; 3]) =
    ("5/6/1sss3/1ssss3/5SSs1/3S4/2S4/6/5 5 5 b 0 1", ["e6e7", "g6g7", "e7e8"]);

#[test]
#[ignore = "needs Chromium"]
fn a_short_game_is_reviewed_stored_and_its_mistakes_can_be_mended() {
    let (mut page, judged) = task(WHITE_ERRS.0, &WHITE_ERRS.1, 2);
    let wanted = board::named(&mut page, judged["best"].as_str().unwrap());
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('.told.good')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_task_says_what_the_move_cost_and_one_step_on_is_that_move() {
    let (mut page, judged) = task(WHITE_ERRS.0, &WHITE_ERRS.1, 2);
    let cost = format!("{}{}", judged["move"].as_str().unwrap(), judged["mark"].as_str().unwrap());
    assert!(page.text("document.querySelector('.told').textContent").starts_with(&cost));
    page.click("[data-walk=next]");
    page.wait("!document.querySelector('[data-task]') && document.querySelector('sumito-board').position.plies === 2");
    // And it is the worst one of its side.
    page.click("[data-walk=first]");
    page.wait("document.querySelector('sumito-board').position.plies === 0");
    page.click("[data-accuracy=white] [data-act=worst]");
    page.wait("document.querySelector('sumito-board').position.plies === 2");
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

#[test]
#[ignore = "needs Chromium"]
fn the_better_move_is_hidden_until_it_is_given_up() {
    let (fen, moves) = TWO_WINS;
    let (mut page, review) = reviewed(Look::default(), &json!({ "fen": fen, "moves": moves }));
    let best = review["moves"][0]["best"].as_str().unwrap().to_string();
    let told = format!("document.querySelector('main').textContent.includes('{best}')");
    page.click(".moves [data-ply=\"1\"]");
    page.wait("!document.querySelector('[data-act=better]').hidden");
    assert_eq!(page.eval(&told), false, "before the task");
    page.click("[data-act=better]");
    page.wait("document.querySelector('[data-task]') && document.querySelector('.arrow.bad')");
    assert_eq!(page.eval(&told), false, "in the task");
    assert_eq!(page.eval("document.querySelector('.arrow.hint')"), Value::Null);
    page.click("[data-act=show]");
    page.wait("document.querySelector('.arrow.hint')");
    assert_eq!(page.eval(&told), true, "given up");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn only_the_side_of_the_person_is_asked_about_until_the_other_is_wanted() {
    let (fen, moves) = WHITE_ERRS;
    let agent = json!({ "kind": "agent", "spec": "sumito:level=1" });
    let body = json!({ "fen": fen, "moves": moves, "black": { "kind": "human" }, "white": agent });
    let (mut page, review) = reviewed(Look::default(), &body);
    page.wait("document.querySelector('[data-side=black]').ariaPressed === 'true'");
    assert_eq!(page.eval("document.querySelector('[data-act=next-mistake]').hidden"), true);
    page.click(".moves [data-ply=\"2\"]");
    let best = review["moves"][1]["best"].as_str().unwrap();
    page.wait(&format!("document.querySelector('.told-move').textContent.includes('{best}')"));
    assert_eq!(page.eval("document.querySelector('[data-act=better]').hidden"), true);
    page.click("[data-side=white]");
    page.wait(&format!("!document.querySelector('.told-move').textContent.includes('{best}')"));
    page.click("[data-act=better]");
    page.wait("document.querySelector('[data-task]')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn in_a_game_between_people_the_page_asks_whose_mistakes_and_remembers_it() {
    let (fen, moves) = WHITE_ERRS;
    let (mut page, _) = reviewed(Look::default(), &json!({ "fen": fen, "moves": moves }));
    page.wait("document.querySelector('.told-move.asking')");
    assert_eq!(page.number("document.querySelectorAll('[data-side][aria-pressed=true]').length"), 0.0);
    page.click("[data-side=white]");
    page.wait("document.querySelector('[data-task]') && location.search === '?ply=2'");
    page.wait("document.querySelector('sumito-board').own.length > 0");
    let path = page.text("location.pathname + location.search");
    page.goto(&path);
    page.wait("document.querySelector('[data-side=white]').ariaPressed === 'true'");
    page.wait("document.querySelector('.moves [aria-current]').dataset.ply === '2'");
    page.no_faults();
}

/// Black overlooks a win twice.
const TWICE: [&str; 4] = ["e7d7", "e9d8", "d7d6", "g5h5"];

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_the_board_stays_in_view_from_mistake_to_mistake() {
    for (width, height) in [(360, 740), (740, 360)] {
        let look = Look { width, height, touch: true, ..Look::default() };
        let (mut page, _) = reviewed(look, &json!({ "fen": TWO_WINS.0, "moves": TWICE }));
        page.tap("[data-side=black]");
        page.wait("document.querySelector('[data-task]') && location.search === '?ply=1'");
        page.tap("[data-act=show]");
        page.wait("!document.querySelector('[data-act=next-mistake]').hidden");
        page.tap("[data-act=next-mistake]");
        page.wait("document.querySelector('[data-task]') && location.search === '?ply=3'");
        let seen = "(() => { const box = document.querySelector('svg.board').getBoundingClientRect(); \
                    return box.top >= 0 && box.bottom <= innerHeight; })()";
        assert_eq!(page.eval(seen), true, "{width} x {height}: in the task");
        page.eval("scrollTo(0, 1e6)");
        page.wait("scrollY > 0");
        assert_eq!(page.eval(seen), true, "{width} x {height}: at the end of the page");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_graph_has_words_marks_and_a_value_for_mouse_and_keyboard() {
    let (fen, moves) = WHITE_ERRS;
    let (mut page, _) = reviewed(Look::default(), &json!({ "fen": fen, "moves": moves }));
    let words = page.text("document.querySelector('.graph-box').innerText");
    assert!(words.contains("Black winning") && words.contains("White winning"), "{words}");
    page.wait("document.querySelector('.graph-mark.blunder').dataset.ply === '2'");
    let (x, y) = page.middle(".graph");
    let wide = page.number("document.querySelector('.graph').offsetWidth");
    // Two thirds of the way is after the second of three moves.
    page.command("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x + wide / 6.0, "y": y }));
    page.wait("/g6g7.*%/.test(document.querySelector('.graph-told').textContent)");
    assert_eq!(page.text("location.search"), "", "looking is not going there");
    page.eval("document.querySelector('.graph').focus()");
    page.key("ArrowRight", "ArrowRight");
    page.wait("document.querySelector('.graph').getAttribute('aria-valuenow') === '1'");
    page.wait("/e6e7.*%/.test(document.querySelector('.graph').getAttribute('aria-valuetext'))");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_graph_has_numbers_at_its_axes_and_can_be_read_in_both_lights() {
    let moves: Vec<&str> = ["a2a3", "g5g6", "a3a2", "g6g5"].into_iter().cycle().take(24).collect();
    for dark in [false, true] {
        let (mut page, _) = reviewed(
            Look { dark, ..Look::default() },
            &json!({ "moves": moves, "rules": { "repetition": "off" } }),
        );
        let words =
            |of: &str| format!("[...document.querySelectorAll('{of} span')].map((each) => each.textContent)");
        assert_eq!(page.eval(&words(".graph-shares")), json!(["75%", "50%", "25%"]));
        assert_eq!(page.eval(&words(".graph-numbers")), json!(["2", "4", "6", "8", "10", "12"]));
        // Each number is where its move is.
        let off = page.number(
            "Math.max(...[...document.querySelectorAll('.graph-numbers span')].map((each) => { \
             const a = each.getBoundingClientRect(), b = document.querySelector('.graph').getBoundingClientRect(); \
             return Math.abs((a.left + a.right) / 2 - b.left - b.width * (2 * Number(each.textContent) - 1) / 24); }))",
        );
        assert!(off < 3.0, "{off} pixels");
        let colour =
            |of: &str, what: &str| format!("getComputedStyle(document.querySelector('{of}')).{what}");
        let paper = page.text("getComputedStyle(document.documentElement).backgroundColor");
        let number = page.text(&colour(".graph-numbers span", "color"));
        assert!(contrast(&number, &paper) >= 4.5, "dark {dark}: {number} on {paper}");
        let (area, light) =
            (page.text(&colour(".graph .area", "fill")), page.text(&colour(".graph", "backgroundColor")));
        assert!(contrast(&area, &light) >= 4.5, "dark {dark}: {area} and {light}");
        for (line, least) in [(".graph .half", 1.8), (".graph .curve", 2.0)] {
            let line = page.text(&colour(line, "stroke"));
            for ground in [&area, &light] {
                assert!(contrast(&line, ground) >= least, "dark {dark}: {line} on {ground}");
            }
        }
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_review_that_could_not_be_kept_is_told_and_can_be_asked_for_again() {
    let mut page = Page::open("/about", Look::default());
    // What the server says when it cannot write: the review came to its end, and there is none.
    page.command(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "window.full = true; { const parse = JSON.parse, ask = fetch; \
            JSON.parse = (text) => { const data = parse(text); \
                if (full && data?.type === 'review' && data.state === 'done') data.state = 'none'; return data; }; \
            window.fetch = (path, init) => full && !init?.method && String(path).endsWith('/review') \
                ? Promise.resolve(new Response('{\"state\":\"none\",\"done\":0,\"whole\":0,\"review\":null,\"basis\":null}', \
                  { headers: { 'content-type': 'application/json' } })) : ask(path, init); }" }),
    );
    let body = json!({ "fen": WHITE_ERRS.0, "moves": WHITE_ERRS.1 });
    let id = page.text(&format!(
        "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({body}) }}).then((r) => r.json()).then((r) => r.game.id)"
    ));
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelector('[data-review=halted] [data-act=again]:not([hidden])')");
    assert_eq!(
        page.text("document.querySelector('[data-review] strong').textContent"),
        "The review could not be kept."
    );
    assert_eq!(page.eval("document.querySelector('[data-review] progress').checkVisibility()"), false);
    page.eval("window.full = false");
    page.click("[data-act=again]");
    page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2 && document.querySelector('[data-review]').hidden");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_shared_is_what_the_board_shows_also_in_a_task() {
    let (mut page, _) = task(WHITE_ERRS.0, &WHITE_ERRS.1, 2);
    page.eval("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } }); 0");
    page.click(".share [data-act=fen]");
    page.wait("window.copied");
    assert_eq!(page.eval("window.copied === document.querySelector('sumito-board').position.fen"), true);
    page.eval("window.copied = ''");
    page.click(".share [data-act=link]");
    page.wait("window.copied.includes('/review/')");
    assert!(page.text("window.copied").ends_with("?ply=1"), "the position before the second move");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_that_scrolls_over_the_graph_stays_at_its_move() {
    let look = Look { width: 360, height: 740, touch: true, ..Look::default() };
    let (mut page, _) = reviewed(look, &json!({ "fen": WHITE_ERRS.0, "moves": WHITE_ERRS.1 }));
    page.eval("document.querySelector('.graph').scrollIntoView({ block: 'center' }); 0");
    page.rest();
    let (x, y) = page.middle(".graph");
    let before = page.text("location.search");
    page.swipe(&[(x + 60.0, y), (x + 61.0, y - 40.0), (x + 62.0, y - 120.0)]);
    page.rest();
    assert_eq!(page.text("location.search"), before);
    let (x, y) = page.middle(".graph");
    page.tap_at((x - 20.0, y));
    page.wait("location.search === '?ply=1'");
    page.no_faults();
}

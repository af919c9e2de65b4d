//! What is kept of an analysis: in its address, in studies on the device, drawings included.

use serde_json::{Value, json};

use crate::board;
use crate::page::{Look, Page};

const GAME: &str = "1. a1b2! {to the middle} i5h5 (1... i6h6 2. a2b3) 2. a2b3 *";

/// An analysis with a variation and a comment, at its end.
pub(crate) fn analysis(look: Look) -> Page {
    let mut page = Page::open("/analyse", look);
    page.wait("document.querySelector('textarea[name=paste]')");
    page.eval("document.querySelector('input[name=engine]:checked')?.click()");
    page.eval(&format!("document.querySelector('textarea[name=paste]').value = {}", json!(GAME)));
    page.click("[data-act=paste]");
    page.wait("document.querySelectorAll('.tree button').length === 5");
    page.click("[data-walk=last]");
    page.wait("document.querySelector('.tree [aria-current]')?.textContent === 'a2b3'");
    page
}

/// A drag with the right button.
fn draw(page: &mut Page, from: &str, to: &str) {
    let (from, to) = (board::cell(page, from), board::cell(page, to));
    for (kind, (x, y), buttons) in
        [("mousePressed", from, 2), ("mouseMoved", to, 2), ("mouseReleased", to, 0)]
    {
        page.command(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": "right", "buttons": buttons, "clickCount": 1 }),
        );
    }
}

const SHAPES: &str = "document.querySelector('sumito-board').drawings.shapes \
     .map(({ from, to }) => from + to).toSorted().join()";

/// What is to be the same after a reload.
fn seen(page: &mut Page) -> Value {
    page.eval(&format!(
        "(() => {{ const [tree, board] = ['.tree', 'sumito-board'].map((each) => document.querySelector(each)); \
         return [tree.innerText, tree.querySelector('[aria-current]')?.textContent, board.flip, \
         board.position.black.toSorted(), {SHAPES}]; }})()"
    ))
}

/// Goes elsewhere and opens a link to the analysis: all is as it was.
fn comes_back(mut page: Page, link: &str, before: &Value) {
    page.goto("/about");
    page.goto(link);
    page.wait("document.querySelectorAll('.tree button').length === 5");
    assert_eq!(&seen(&mut page), before);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_reload_and_a_link_keep_moves_variations_comments_drawings_and_place() {
    let mut page = analysis(Look::default());
    draw(&mut page, "c3", "e5");
    draw(&mut page, "e5", "e5");
    page.wait(&format!("{SHAPES} === 'c3e5,e5e5'"));
    page.eval(
        "(() => { const field = document.querySelector('textarea[name=comment]'); field.value = 'é {so}\\n far'; \
         field.dispatchEvent(new Event('change')); })()",
    );
    page.click("[data-act=flip]");
    page.wait("document.querySelector('.tree').innerText.includes('é (so) far')");
    let before = seen(&mut page);
    // The address is written a moment later: what it holds is read here without the page's own code.
    page.eval(
        "window.found = false; void (async () => { while (!found) { \
         await new Promise((next) => setTimeout(next, 50)); \
         const letters = atob(location.hash.slice(2).replaceAll('-', '+').replaceAll('_', '/')); \
         const packed = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]).stream(); \
         const text = packed.pipeThrough(new DecompressionStream('deflate-raw')); \
         const kept = await new Response(text).text().catch(() => ''); \
         window.found = kept.startsWith('f0.0.0') && kept.includes('[%csl Be5] [%cal Bc3e5] é (so) far'); } })()",
    );
    page.wait("found");
    let link = page.text("location.pathname + location.hash");
    comes_back(page, &link, &before);
}

#[test]
#[ignore = "needs Chromium"]
fn a_fragment_that_cannot_be_read_is_told_and_the_board_is_there() {
    for fragment in ["1abcdefg", "2S0lNBQA", "nothing"] {
        let mut page = Page::open("/about", Look::default());
        page.goto(&format!("/analyse#{fragment}"));
        page.wait("document.querySelector('.told[role=alert]:not([hidden])').textContent.includes('cannot be read')");
        page.wait("document.querySelector('sumito-board').own.length > 0");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_that_rests_draws_and_moves_nothing() {
    let mut page = analysis(Look { width: 360, height: 740, touch: true, ..Look::default() });
    page.eval("scrollTo(0, 0)");
    let (from, to) = (board::cell(&mut page, "h6"), board::cell(&mut page, "e5"));
    let touch = |page: &mut Page, kind: &str, points: Value| {
        page.command("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    };
    touch(&mut page, "touchStart", json!([{ "x": from.0, "y": from.1 }]));
    page.wait("document.querySelector('.drawn')");
    touch(&mut page, "touchMove", json!([{ "x": to.0, "y": to.1 }]));
    touch(&mut page, "touchEnd", json!([]));
    page.wait(&format!("{SHAPES} === 'h6e5'"));
    assert_eq!(page.number("document.querySelectorAll('.tree button').length"), 5.0);
    assert_eq!(page.number("scrollY"), 0.0);
    page.click("[data-act=clear-drawings]");
    page.wait("!document.querySelector('.drawn')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn an_arrow_can_be_drawn_by_keyboard() {
    let mut page = analysis(Look::default());
    page.eval("document.querySelector('sumito-board').focusOn('e5')");
    let press = |page: &mut Page| {
        for kind in ["keyDown", "keyUp"] {
            page.command(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": "Enter", "windowsVirtualKeyCode": 13, "modifiers": 8 }),
            );
        }
    };
    press(&mut page);
    page.key("ArrowRight", "ArrowRight");
    press(&mut page);
    page.wait(&format!("{SHAPES} === 'e5e6'"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn studies_are_kept_renamed_opened_and_deleted_on_this_device() {
    let mut page = analysis(Look::default());
    page.click("[data-act=studies]");
    page.wait("document.querySelector('dialog [data-empty] svg')");
    page.click("[data-act=keep-first]");
    page.wait("location.search.startsWith('?study=') && location.hash.length > 50");
    // What is changed from now on is kept as well.
    draw(&mut page, "c3", "e5");
    page.wait("localStorage.getItem('sumito.studies').includes('%cal Bc3e5')");
    page.click("[data-act=studies]");
    page.wait("document.querySelector('[name=study-name]')");
    page.eval("document.querySelector('[name=study-name]').select()");
    page.click("[name=study-name]");
    page.eval("document.querySelector('[name=study-name]').select()");
    page.type_text("The middle");
    page.key("Enter", "Enter");
    page.wait("localStorage.getItem('sumito.studies').includes('The middle')");
    page.goto("/analyse");
    page.wait("document.querySelector('.tree').innerText.includes('Play a move')");
    page.click("[data-act=studies]");
    page.wait("document.querySelector('[name=study-name]').value === 'The middle'");
    page.click("[data-act=open-study]");
    page.wait("document.querySelectorAll('.tree button').length === 5");
    page.wait(&format!("{SHAPES} === 'c3e5'"));
    page.click("[data-act=studies]");
    page.click("[data-act=drop-study]");
    page.click("[data-act=drop-study]");
    page.wait("document.querySelector('dialog [data-empty]')");
    assert_eq!(page.text("localStorage.getItem('sumito.studies')"), "[]");
    page.wait("!location.search.includes('study') && location.hash.length > 50");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_study_is_taken_away_as_a_record_with_its_drawings() {
    let mut page = analysis(Look::default());
    draw(&mut page, "c3", "e5");
    page.click("[data-act=studies]");
    page.click("[data-act=keep-first]");
    page.wait("localStorage.getItem('sumito.studies')?.includes('%cal Bc3e5')");
    // What the browser would write to its folder.
    page.eval(
        "(() => { URL.createObjectURL = (blob) => { window.saved = blob.text(); return 'about:blank'; }; \
         HTMLAnchorElement.prototype.click = function () { window.named = this.download; }; })()",
    );
    page.click("[data-act=studies]");
    page.click("[data-act=export-study]");
    page.wait("window.named");
    let record = page.text("saved");
    assert!(page.text("named").ends_with(".apgn"));
    assert!(record.contains("[%cal Bc3e5]"), "{record}");
    // It is read again by the library.
    let read = page.eval(
        "fetch('/api/v1/parse', { method: 'POST', body: JSON.stringify({ text: await_saved }), headers: { 'content-type': 'application/json' } }) \
         .then((r) => r.status)"
            .replace("await_saved", &serde_json::json!(record).to_string())
            .as_str(),
    );
    assert_eq!(read, 200, "{record}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn on_paper_there_are_the_board_and_the_moves_and_no_buttons() {
    let mut page = analysis(Look { dark: true, ..Look::default() });
    page.command("Emulation.setEmulatedMedia", serde_json::json!({ "media": "print" }));
    let seen = "(selector) => [...document.querySelectorAll(selector)].some((e) => e.checkVisibility())";
    for (selector, wanted) in [
        ("svg.board", true),
        (".tree", true),
        ("#bar", false),
        (".share", false),
        (".engine-line", false),
        (".unit", false),
        ("textarea", false),
    ] {
        assert_eq!(page.eval(&format!("({seen})('{selector}')")), wanted, "{selector}");
    }
    let paper = page.text("getComputedStyle(document.body).backgroundColor");
    assert_eq!(paper, "rgb(255, 255, 255)", "ink is not wasted on a dark ground");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_the_board_of_an_analysis_stays_in_view() {
    for (width, height) in [(360, 740), (740, 360)] {
        let mut page = analysis(Look { width, height, touch: true, ..Look::default() });
        page.eval("scrollTo(0, 1e6)");
        page.wait("scrollY > 0");
        let seen = page.eval(
            "(() => { const box = document.querySelector('svg.board').getBoundingClientRect(); \
             return box.top >= 0 && box.bottom <= innerHeight && box.width >= 240; })()",
        );
        assert_eq!(seen, true, "{width} x {height}");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_png_shows_the_board_as_it_is_on_the_screen() {
    let mut page = Page::open_modules("/analyse", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    // The colour on the right of the circle around e5, in a picture twice as large as the board's measure.
    let colour = "import('/parts/picture.js') \
         .then(({ boardPng }) => boardPng(document.querySelector('sumito-board'))) \
         .then((url) => new Promise((done) => { const image = new Image(); image.onload = () => { \
         const canvas = document.createElement('canvas'); \
         canvas.width = image.width; canvas.height = image.height; \
         const pen = canvas.getContext('2d'); pen.drawImage(image, 0, 0); \
         done([...pen.getImageData(2 * (326 + 27), 2 * 290, 1, 1).data]); }; image.src = url; }))";
    let plain = page.eval(colour);
    assert!(plain[0].as_u64() > plain[2].as_u64(), "wood is not blue: {plain}");
    draw(&mut page, "e5", "e5");
    page.wait(&format!("{SHAPES} === 'e5e5'"));
    let drawn = page.eval(colour);
    assert!(drawn[2].as_u64() > drawn[0].as_u64(), "the circle is blue: {drawn}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_study_that_is_too_long_for_a_link_is_there_after_a_reload() {
    let mut page = analysis(Look::default());
    page.click("[data-act=studies]");
    page.click("[data-act=keep-first]");
    page.wait("location.search.startsWith('?study=')");
    // Letters that cannot be packed.
    page.eval(
        "(() => { let state = 1; const letter = () => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return (state >>> 16) % 36; }; \
         const words = Array.from({ length: 8000 }, () => Array.from({ length: 6 }, () => letter().toString(36)).join('')); \
         const field = document.querySelector('textarea[name=comment]'); field.value = words.join(' '); \
         field.dispatchEvent(new Event('change')); })()",
    );
    page.wait("localStorage.getItem('sumito.studies').length > 50000 && location.hash === ''");
    assert_eq!(page.eval("document.querySelector('.told[role=alert]').hidden"), true, "nothing is lost");
    let before = seen(&mut page);
    let link = page.text("location.pathname + location.search");
    comes_back(page, &link, &before);
}

#[test]
#[ignore = "needs Chromium"]
fn a_study_that_is_not_on_this_device_is_told_and_the_board_is_there() {
    let mut page = Page::open("/about", Look::default());
    page.goto("/analyse?study=deleted1");
    page.wait("document.querySelector('.told[role=alert]:not([hidden])').textContent.includes('not on this device')");
    page.wait("document.querySelector('sumito-board').own.length > 0");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn back_leads_to_the_analysis_that_another_one_replaced() {
    let mut page = analysis(Look::default());
    for way in ["load", "editor"] {
        // Its last change is on its way into the address still.
        draw(&mut page, "c3", if way == "load" { "e5" } else { "e6" });
        let before = seen(&mut page);
        if way == "load" {
            page.eval(
                "document.querySelector('textarea[name=paste]').value = '5/6/7/8/4SSs2/8/7/6/5 0 0 b 0 1'",
            );
            page.click("[data-act=paste]");
        } else {
            page.click("[data-act=edit]");
            page.click("[data-act=edited]");
        }
        page.wait("document.querySelectorAll('.tree button').length === 0 && location.hash.length > 10");
        page.wait("document.querySelector('sumito-board').own.length > 0");
        page.eval("history.back()");
        page.wait("document.querySelectorAll('.tree button').length === 5");
        assert_eq!(seen(&mut page), before, "{way}");
    }
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_study_that_nobody_named_is_called_in_the_language_of_the_reader() {
    let mut page = analysis(Look::default());
    page.click("[data-act=keep-study]");
    page.wait("document.querySelector('[data-kept]').textContent.includes('Study, 5 moves')");
    let id = page.text(
        "fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, \
         body: JSON.stringify({ moves: ['a1b2'], white: { kind: 'agent', spec: 'sumito:level=3' } }) }) \
         .then((r) => r.json()).then((r) => r.game.id)",
    );
    page.goto(&format!("/analyse/{id}"));
    page.click("[data-act=keep-study]");
    page.wait("location.search.startsWith('?study=')");
    page.eval("localStorage.setItem('sumito.settings', JSON.stringify({ motion: false, language: 'de' }))");
    page.goto("/analyse");
    page.click("[data-act=studies]");
    let names = "[...document.querySelectorAll('[name=study-name]')].map((each) => each.value)";
    page.wait("document.querySelectorAll('[name=study-name]').length === 2");
    assert_eq!(page.eval(names), json!(["Spieler – Lehrling (Stufe 3)", "Studie, 5 Züge"]));
    // A name of one's own stays as it is, and wiped out it is gone.
    for (typed, shown) in [("The middle", "The middle"), ("", "Studie, 5 Züge")] {
        page.eval(&format!(
            "(() => {{ const field = document.querySelectorAll('[name=study-name]')[1]; field.value = '{typed}'; \
             field.dispatchEvent(new Event('change')); }})()"
        ));
        assert_eq!(page.eval(&format!("{names}[1]")), shown);
    }
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn one_button_of_an_analysis_is_about_its_record_and_says_that_it_saves_a_file() {
    let mut page = analysis(Look::default());
    let buttons = "[...document.querySelectorAll('main :is(button, a)')].filter((each) => each.textContent.includes('APGN'))";
    assert_eq!(page.number(&format!("{buttons}.length")), 1.0);
    assert_eq!(page.text(&format!("{buttons}[0].textContent")), "APGN file");
    page.eval(
        "(() => { URL.createObjectURL = (blob) => { window.saved = blob.text(); return 'about:blank'; }; \
         HTMLAnchorElement.prototype.click = function () { window.named = this.download; }; })()",
    );
    page.click("[data-act=apgn]");
    page.wait("window.named === 'sumito.apgn'");
    assert!(page.text("saved").contains("1. a1b2! {to the middle}"));
    page.no_faults();
}

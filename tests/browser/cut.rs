//! No text is cut off on the narrowest phones, in any language: buttons, headings, labels, choices and placeholders.

use serde_json::{Value, json};

use crate::page::{Look, Page};

/// The texts that are wider than their place, each with how wide both are.
const CUT: &str = r#"(() => {
    document.querySelectorAll("details").forEach((each) => (each.open = true));
    const pen = document.createElement("canvas").getContext("2d");
    const wide = (text, style) => { pen.font = style.font; return pen.measureText(text).width; };
    const room = (e, style) => e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const seen = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility() && !e.closest(".unseen, [aria-hidden=true], .scroll"));
    const cut = [];
    const tell = (what, text, needs, has) => needs > has && cut.push(`${what} '${text.trim()}': ${Math.round(needs)} in ${Math.round(has)}`);
    for (const e of seen("button, .button, summary, label > span, .field > .label, h1, h2, h3, th, .tag, nav a")) {
        if (getComputedStyle(e).display !== "inline") tell(e.localName, e.textContent, e.scrollWidth, e.clientWidth + 1);
    }
    for (const e of seen("input[placeholder]")) tell("placeholder", e.placeholder, wide(e.placeholder, getComputedStyle(e)), room(e, getComputedStyle(e)));
    for (const e of seen("textarea[placeholder]")) {
        const had = e.value;
        e.value = e.placeholder;
        tell("placeholder", e.placeholder, e.scrollHeight, e.clientHeight + 1);
        e.value = had;
    }
    // An arrow stands beside what was chosen.
    for (const e of seen("select")) tell("choice", e.selectedOptions[0]?.textContent ?? "", wide(e.selectedOptions[0]?.textContent ?? "", getComputedStyle(e)) + 16, room(e, getComputedStyle(e)));
    return cut;
})()"#;

struct Narrow {
    page: Page,
    language: &'static str,
}

impl Narrow {
    /// Nothing is cut off here.
    fn look(&mut self, place: &str) {
        assert_eq!(self.page.eval(CUT), json!([]), "{}: {place}", self.language);
    }

    fn press(&mut self, selector: &str) {
        self.page.wait(&format!("document.querySelector('{selector}')"));
        self.page.eval(&format!("document.querySelector('{selector}').click()"));
    }

    fn load(&mut self, text: &str, moves: usize) {
        self.page.wait("document.querySelector('textarea[name=paste]')");
        self.page.eval(&format!("document.querySelector('textarea[name=paste]').value = {}", json!(text)));
        self.press("[data-act=paste]");
        self.page.wait(&format!("document.querySelectorAll('.tree button').length === {moves}"));
    }

    /// Begins a game that this device may play on; gives its id.
    fn begin(&mut self, body: &Value) -> String {
        self.page.text(&format!(
            "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify({body}) }}) \
             .then((r) => r.json()).then(({{ key, game }}) => {{ \
             localStorage.setItem('sumito.keys', JSON.stringify({{ [game.id]: key }})); return game.id; }})"
        ))
    }
}

#[test]
#[ignore = "needs Chromium"]
fn no_text_is_cut_off_at_360_in_any_language() {
    for language in ["en-GB", "de-DE", "fr-FR", "es-ES"] {
        let look = Look { width: 360, height: 740, touch: true, language, ..Look::default() };
        let mut narrow = Narrow { page: Page::open("/", look), language };
        pages(&mut narrow);
        analysis(&mut narrow);
        games(&mut narrow);
        narrow.page.no_faults();
        arena(look, language);
    }
}

/// Where people meet.
fn arena(look: Look, language: &'static str) {
    let (page, paths) = crate::looks::arena(look);
    let mut narrow = Narrow { page, language };
    for (path, seen) in paths {
        narrow.page.goto(&path);
        narrow.page.wait(&format!("document.querySelector('{seen}')"));
        narrow.look(&path);
    }
    narrow.page.no_faults();
}

fn pages(narrow: &mut Narrow) {
    for (path, seen) in crate::looks::PAGES {
        if path == "/nowhere" {
            continue;
        }
        narrow.page.goto(path);
        narrow.page.wait(&format!("document.querySelector('{seen}')"));
        narrow.look(path);
    }
    narrow.press("#settings");
    narrow.page.wait("document.querySelector('dialog.settings[open]')");
    narrow.look("the settings");
}

fn analysis(narrow: &mut Narrow) {
    narrow.page.goto("/analyse");
    narrow.load("1. a1b2! {to the middle} i5h5 2. a2b3 *", 3);
    narrow.press("[data-walk=last]");
    narrow.look("an analysis");
    narrow.press("[data-act=keep-study]");
    narrow.page.wait("location.search.startsWith('?study=')");
    narrow.look("a study");
    narrow.load("1. a1b2 *", 1);
    narrow.page.wait("localStorage.getItem('sumito.drafts').length > 10");
    narrow.page.goto("/analyse");
    narrow.page.wait("document.querySelector('[data-act=back-to-draft]:not([hidden])')");
    narrow.look("after an analysis that was left");
    narrow.press("[data-act=studies]");
    narrow.page.wait("document.querySelector('[data-study]')");
    narrow.look("the studies");
    narrow.press("[data-act=drop-study]");
    narrow.look("a study that is deleted");
    narrow.press("dialog header button");
    narrow.press("[data-act=edit]");
    narrow.page.wait("document.querySelector('.editor')");
    narrow.look("the editor");
}

fn games(narrow: &mut Narrow) {
    let level = json!({ "kind": "agent", "spec": "sumito:level=1" });
    let id = narrow.begin(&json!({ "moves": ["a1b2", "i5h5"], "white": level }));
    let note = json!({ &id: { "name": "A lovely end", "tags": ["final", "club"] } });
    narrow.page.eval(&format!("localStorage.setItem('sumito.shelf', JSON.stringify({note}))"));
    narrow.page.goto("/games");
    narrow.page.wait("document.querySelectorAll('.tag').length === 2");
    narrow.look("a game in the list");
    narrow.press("[data-act=delete]");
    narrow.look("a game that is deleted");
    narrow.press("[data-act=note]");
    narrow.page.wait("document.querySelector('dialog [name=tagged]')");
    narrow.look("the name of a game");
    narrow.page.goto(&format!("/game/{id}"));
    narrow.page.wait("document.querySelectorAll('.moves button').length >= 2");
    narrow.look("a game");
    narrow.press(".game-bar button:last-child");
    narrow.look("more of a game");
    let lost =
        json!({ "fen": "5/6/1sss3/1ssss3/5SSs1/3S4/2S4/6/5 5 5 b 0 1", "moves": ["e6e7", "g6g7", "e7e8"] });
    let id = narrow.begin(&lost);
    narrow.page.goto(&format!("/review/{id}"));
    narrow.page.wait("document.querySelectorAll('[data-accuracy] .big').length === 2");
    narrow.look("a review");
    narrow.press("[data-side=white]");
    narrow.page.wait("document.querySelector('[data-task]')");
    narrow.look("a task");
}

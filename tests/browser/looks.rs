//! How pages look and load: languages, dark, narrow, themes, bytes.

use crate::account::ARENA;
use crate::page::{Look, Page};

/// Every page that a server without accounts has, with what must be seen on it.
pub(crate) const PAGES: [(&str, &str); 9] = [
    ("/", ".levels button"),
    ("/watch", "[data-act=watch]"),
    ("/analyse", ".engine-line"),
    ("/games", "form[role=search]"),
    ("/openings", ".explorer thead"),
    ("/learn", ".lesson h1"),
    ("/about", "table"),
    ("/reference", ".endpoint"),
    ("/nowhere", "main h1"),
];

/// The pages of a place where people meet, with what must be seen on each; `{}` is a tournament.
const ARENA_PAGES: [(&str, &str); 6] = [
    ("/lobby", ".clocks button"),
    ("/people/Anna", ".person h1"),
    ("/tournaments", ".tournaments .list a"),
    ("/tournament/{}", "[data-act=join]"),
    ("/moderation", ".reports [data-act=settle]"),
    ("/replay", "[data-act=file]"),
];

/// Makes two accounts, of which the first is logged in, a tournament and a report; gives the tournament.
const INHABIT: &str = r#"(async () => {
    const ask = async (path, body, credentials = "same-origin") => {
        const answer = await fetch(`/api/v1${path}`, {
            method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), credentials,
        });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.status === 204 ? null : answer.json();
    };
    const person = (name) => ({ name, password: "six marbles off" });
    await ask("/account", person("Ben"), "omit");
    await ask("/account", person("Anna"));
    await ask("/reports", { person: "Ben", reason: "abuse", text: "Bad words in the chat" });
    const clock = { kind: "game", base_ms: 180000, increment_ms: 2000 };
    const { id } = await ask("/tournaments", { name: "Club evening", system: { kind: "swiss", rounds: 5 }, starts: Date.now() + 3600000, clock });
    return id;
})()"#;

/// A moderator's page on a server with accounts, and the paths with what must be seen there.
pub(crate) fn arena(look: Look) -> (Page, Vec<(String, &'static str)>) {
    let mut page = Page::open_at("/about", look, ARENA);
    let tournament = page.text(INHABIT);
    page.server.admin(&["role", "Anna", "moderator"]);
    let paths = ARENA_PAGES.map(|(path, seen)| (path.replace("{}", &tournament), seen));
    (page, paths.into())
}

/// What goes over the wire before the start page can be played on, compressed: the promise is 150 KB.
const FIRST_LOAD: f64 = 150_000.0;

fn visit_all(look: Look, check: impl Fn(&mut Page, &str)) {
    let mut page = Page::open("/", look);
    for (path, seen) in PAGES {
        if path == "/nowhere" {
            // Asked of the server it is a 404, which the console tells as a fault.
            page.eval(
                "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))",
            );
        } else {
            page.goto(path);
        }
        must_fit(&mut page, path, seen);
        check(&mut page, path);
    }
    page.no_faults();
    let (mut page, pages) = arena(look);
    for (path, seen) in pages {
        page.goto(&path);
        must_fit(&mut page, &path, seen);
        check(&mut page, &path);
    }
    page.no_faults();
}

/// What must be seen is there, and nothing is wider than the screen.
fn must_fit(page: &mut Page, path: &str, seen: &str) {
    page.wait(&format!("document.querySelector('{seen}')"));
    let wide = page.number("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(wide, 0.0, "{path} is wider than the screen");
}

#[test]
#[ignore = "needs Chromium"]
fn what_the_first_page_does_not_need_comes_once_with_another_page() {
    let mut page = Page::open("/", Look::default());
    let more =
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/more.js')).length";
    assert_eq!(page.number(more), 0.0);
    page.click("nav a[href='/about']");
    page.wait("document.querySelector('.prose table')");
    page.goto("/analyse");
    page.wait("document.querySelector('.engine-line')");
    page.click("#settings");
    page.wait("document.querySelector('dialog.settings[open]')");
    assert_eq!(page.number(more), 1.0);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_fits_a_screen_of_360_and_of_320() {
    for width in [360, 320] {
        visit_all(Look { width, height: 700, touch: true, ..Look::default() }, |_, _| ());
    }
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_speaks_french_to_a_french_browser() {
    every_page_speaks("fr", "fr-FR", "Apprendre");
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_speaks_german_to_a_german_browser() {
    every_page_speaks("de", "de-AT", "Lernen");
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_speaks_spanish_to_a_spanish_browser() {
    every_page_speaks("es", "es-MX", "Aprender");
}

/// A word of the bar shows the language, which is narrow enough for a phone in every one.
fn every_page_speaks(tag: &str, language: &'static str, word: &str) {
    visit_all(Look { width: 360, height: 740, language, ..Look::default() }, |page, path| {
        assert_eq!(page.text("document.documentElement.lang"), tag, "{path}");
        let seen = page.text("document.querySelector('nav').textContent");
        assert!(seen.contains(word), "{path}: {seen}");
        // A key that no file of texts has shows itself.
        let keys = page.eval(
            "[...document.querySelectorAll('body *')].filter((e) => !e.children.length && !e.closest('.reference')) \
             .map((e) => e.textContent.trim()).filter((text) => /^[a-z]+(\\.[a-z-]+)+$/.test(text) \
             && !text.endsWith('.json'))",
        );
        assert_eq!(keys, serde_json::json!([]), "{path}");
    });
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_is_dark_where_the_system_is() {
    visit_all(Look { dark: true, ..Look::default() }, |page, path| {
        let paper = page.text("getComputedStyle(document.documentElement).backgroundColor");
        assert_eq!(paper, "rgb(22, 20, 18)", "{path}");
    });
}

#[test]
#[ignore = "needs Chromium"]
fn language_theme_and_light_can_be_chosen_and_are_kept() {
    let mut page = Page::open("/", Look::default());
    page.click("#settings");
    page.wait("document.querySelector('dialog.settings[open]')");
    page.click("dialog [data-theme=night]");
    page.choose("dialog select[name=mode]", "dark");
    page.choose("dialog select[name=language]", "fr");
    page.wait("document.querySelector('nav').innerText.includes('Jouer')");
    page.wait("document.querySelector('dialog.settings[open] h2')?.innerText === 'Réglages'");
    assert_eq!(page.text("document.activeElement.name"), "language", "where one was");
    page.goto("/");
    page.wait("document.documentElement.lang === 'fr' && document.documentElement.dataset.mode === 'dark'");
    assert_eq!(page.text("document.documentElement.dataset.theme"), "night");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn cells_and_moves_have_labels_and_moves_are_told() {
    let mut page = Page::open("/", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    assert_eq!(page.text("document.querySelector('[data-cell=a1]').ariaLabel"), "a1, black marble");
    assert_eq!(page.text("document.querySelector('[data-cell=e5]').ariaLabel"), "e5, empty");
    let at = crate::board::cell(&mut page, "c3");
    page.click_at(at);
    page.wait("document.querySelector('.handle')");
    let labels = page
        .eval("[...document.querySelectorAll('.handle')].every((each) => each.ariaLabel.startsWith('c3 '))");
    assert_eq!(labels, true);
    page.click(".handle");
    page.wait("document.querySelector('#live').textContent.startsWith('Black: c3 ')");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_told_is_told_again_when_it_happens_again_and_is_gone_when_it_was_heard() {
    let mut page = Page::open_modules("/about", Look::default());
    let told = page.eval(
        "import('/lib/dom.js').then(async ({ say }) => { const live = document.querySelector('#live'), told = []; \
         new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((each) => told.push(each.textContent)))) \
             .observe(live, { childList: true, subtree: true, characterData: true }); \
         for (let i = 0; i < 2; i++) { say('Black: a1 up right'); await new Promise((done) => setTimeout(done)); } \
         return [...told, live.textContent]; })",
    );
    assert_eq!(told, serde_json::json!(["Black: a1 up right", "Black: a1 up right", "Black: a1 up right"]));
    page.wait("document.querySelector('#live').textContent === ''");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_first_load_is_small_and_stays_on_this_machine() {
    let mut page = Page::open("/", Look::default());
    page.wait(
        "document.querySelector('.levels button') && document.querySelector('sumito-board').own.length > 0",
    );
    page.wait("performance.getEntriesByName('interactive').length === 1");
    let ready = page.number("performance.getEntriesByName('interactive')[0].startTime");
    let parsed = page.number("performance.getEntriesByType('navigation')[0].domInteractive");
    println!(
        "first load: {} requests, {:.1} KB over the wire, interactive after {parsed:.0} ms (Chromium's own mark), \
         board drawn and ready for a move after {ready:.0} ms",
        page.requests,
        page.bytes / 1000.0
    );
    assert!(page.requests < 8, "{} requests", page.requests);
    assert!(page.bytes > 10_000.0, "nothing was measured: {}", page.bytes);
    assert!(page.bytes < FIRST_LOAD, "{} bytes", page.bytes);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_wrong_with_a_position_is_told_in_the_readers_words() {
    for (language, told) in [
        ("en-GB", "This is not a position: row i has 4 cells, not 5."),
        ("fr-FR", "Ce n’est pas une position : la rangée i a 4 cases, pas 5."),
    ] {
        let mut page = Page::open_modules("/analyse", Look { language, ..Look::default() });
        let wrong = "import('/lib/api.js').then(({ position }) => position({ fen: '4/6/7/8/9/8/7/6/5 0 0 b 0 1' }))\
                     .then(() => '', (error) => error.message)";
        assert_eq!(page.text(wrong), told);
    }
}

/// The contrast of two colours as the browser names them, such as `rgb(1, 2, 3)`.
pub(crate) fn contrast(a: &str, b: &str) -> f64 {
    let light = |colour: &str| {
        let parts = colour.trim_start_matches("rgb(").trim_end_matches(')').split(", ");
        let linear = parts
            .map(|part| part.parse::<f64>().expect("a number") / 255.0)
            .map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
        linear.zip([0.2126, 0.7152, 0.0722]).map(|(part, share)| part * share).sum::<f64>() + 0.05
    };
    let (a, b) = (light(a), light(b));
    (a / b).max(b / a)
}

#[test]
#[ignore = "needs Chromium"]
fn black_marbles_and_bars_stand_out_from_the_paper_in_both_lights() {
    for dark in [false, true] {
        let mut page = Page::open("/", Look { dark, ..Look::default() });
        for (path, selector) in [("/", ".dot.black"), ("/", ".dot.white"), ("/analyse", ".evaluation")] {
            page.goto(path);
            page.wait(&format!("document.querySelector('{selector}')"));
            let paper = page.text("getComputedStyle(document.documentElement).backgroundColor");
            let edge =
                page.text(&format!("getComputedStyle(document.querySelector('{selector}')).borderTopColor"));
            assert!(contrast(&paper, &edge) >= 3.0, "{selector}, dark {dark}: {edge} on {paper}");
        }
        page.no_faults();
    }
}

/// A colour differs enough from the one around it; both are expressions.
fn stands_out(page: &mut Page, what: &str, colour: &str, around: &str) {
    let colour = page.text(colour);
    let around = page.text(around);
    let ratio = contrast(&colour, &around);
    assert!(ratio >= 3.0, "{what}: {colour} in {around} is {ratio:.2} to 1");
}

fn paint(selector: &str, property: &str) -> String {
    format!("getComputedStyle(document.querySelector('{selector}')).{property}")
}

#[test]
#[ignore = "needs Chromium"]
fn black_chances_and_what_is_chosen_stand_out_from_what_is_around_them() {
    for dark in [false, true] {
        for theme in ["wood", "night", "contrast", "colour-blind"] {
            let mut page = Page::open("/about", Look { dark, ..Look::default() });
            page.eval(&format!(
                "localStorage.setItem('sumito.settings', JSON.stringify({{ motion: false, theme: '{theme}' }}))"
            ));
            page.goto("/");
            page.wait("document.querySelector('.segments [aria-pressed=true]')");
            let told = format!("{theme}, dark {dark}");
            let ring = paint(".segments [aria-pressed=true]", "boxShadow");
            assert!(page.text(&ring).contains("2px inset"), "{told}: the ring is seen");
            stands_out(
                &mut page,
                &told,
                &format!("{ring}.match(/^rgb.*?\\)/)[0]"),
                &paint(".segments", "backgroundColor"),
            );
            page.goto("/analyse");
            page.wait("document.querySelector('.wdl .b')");
            let bar = paint(".evaluation", "backgroundColor");
            stands_out(&mut page, &told, &bar, "getComputedStyle(document.documentElement).backgroundColor");
            stands_out(&mut page, &told, &bar, &paint(".white-part", "backgroundColor"));
            let chances = paint(".wdl .b", "backgroundColor");
            stands_out(
                &mut page,
                &told,
                &chances,
                "getComputedStyle(document.querySelector('.wdl').closest('.card')).backgroundColor",
            );
            page.no_faults();
        }
    }
}

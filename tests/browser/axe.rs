//! Every page as axe-core sees it, in light and dark: nothing that keeps anyone out. The file `axe.min.js` is not ours and
//! not in the repository: the variable `AXE` names it, and CI takes it from npm.

use serde_json::Value;

use crate::account;
use crate::board;
use crate::page::{Look, Page};
use crate::tournament;

/// What axe-core objects to on the page as it is now, a line each.
fn objections(page: &mut Page, axe: &str) -> Vec<String> {
    page.eval(&format!("void (window.axe ?? (() => {{ {axe} }})())"));
    let found = page.eval(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap((each) => \
         each.nodes.map((node) => `${each.id}: ${node.target.join(' ')}: ${node.failureSummary}`)))",
    );
    let lines = found.as_array().expect("a list").iter().filter_map(Value::as_str);
    lines.map(str::to_string).collect()
}

/// The source of axe-core.
fn source() -> String {
    let path = std::env::var("AXE").expect("the variable AXE names axe-core's axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("AXE, {path}: {error}"))
}

/// Paths with what must be seen there first.
const PAGES: [(&str, &str); 8] = [
    ("/", "document.querySelector('.levels button')"),
    ("/watch", "document.querySelector('[data-act=watch]')"),
    ("/analyse", "document.querySelector('.engine-line .chip')?.textContent"),
    ("/games", "document.querySelector('form[role=search]')"),
    ("/openings", "document.querySelector('.explorer thead')"),
    ("/learn", "document.querySelector('sumito-board').own.length > 0"),
    ("/about", "document.querySelector('table')"),
    ("/reference", "document.querySelector('.endpoint')"),
];

fn no_page_keeps_anyone_out(look: Look) {
    let axe = source();
    let mut page = Page::open("/", look);
    let mut all = Vec::new();
    let mut look_at = |page: &mut Page, name: &str| {
        all.extend(objections(page, &axe).into_iter().map(|line| format!("{name}: {line}")));
    };
    for (path, seen) in PAGES {
        page.goto(path);
        page.wait(seen);
        look_at(&mut page, path);
    }
    page.eval("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))");
    page.wait("document.querySelector('.empty h1')");
    look_at(&mut page, "no such page");

    page.goto("/");
    page.wait("document.querySelector('.levels button')");
    page.eval("for (const each of document.querySelectorAll('details')) each.open = true");
    look_at(&mut page, "the choices");
    page.click("#settings");
    page.wait("document.querySelector('dialog.settings[open]')");
    look_at(&mut page, "the settings");
    page.click("dialog header button");
    page.wait("!document.querySelector('dialog')");

    page.click("[data-act=quick]");
    page.wait(
        "document.querySelector('sumito-board').own.length > 0 && location.pathname.startsWith('/game/')",
    );
    let wanted = board::named(&mut page, "a1b2");
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('sumito-board').position.plies === 2");
    let at = board::cell(&mut page, "a2");
    page.click_at(at);
    look_at(&mut page, "a game with a marble chosen");
    let id = page.text("location.pathname.split('/')[2]");
    page.eval(&format!(
        "fetch('/api/v1/games/{id}/resign', {{ method: 'POST', body: '{{}}', headers: {{ 'content-type': 'application/json', \
         authorization: `Bearer ${{JSON.parse(localStorage.getItem('sumito.keys'))['{id}']}}` }} }})"
    ));
    page.wait("document.querySelector('sumito-board').position.outcome");
    look_at(&mut page, "a game that is over");
    page.goto(&format!("/review/{id}"));
    page.wait("document.querySelector('.graph')");
    look_at(&mut page, "a review");
    page.goto("/games");
    page.wait("document.querySelector('[data-game]')");
    look_at(&mut page, "a list of games");
    assert!(all.is_empty(), "{} objections:\n{}", all.len(), all.join("\n\n"));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn an_account_keeps_nobody_out() {
    let axe = source();
    for dark in [false, true] {
        let look = Look { dark, ..Look::default() };
        let mut page = Page::open_at("/account", look, &[("SUMITO_ARENA", "true")]);
        let mut all = Vec::new();
        for (act, seen) in
            [("way-new", "[name=password]"), ("way-lost", "[name=code]"), ("way-in", "[name=password]")]
        {
            page.click(&format!("[data-act={act}]"));
            page.wait(&format!("document.querySelector('main {seen}')"));
            all.extend(objections(&mut page, &axe));
        }
        account::sign_up(&mut page, "Anna");
        all.extend(objections(&mut page, &axe));
        page.click("[data-act=codes-kept]");
        page.wait("document.querySelector('[data-act=log-out]')");
        page.eval("for (const each of document.querySelectorAll('details')) each.open = true");
        all.extend(objections(&mut page, &axe));
        assert!(all.is_empty(), "{} objections:\n{}", all.len(), all.join("\n\n"));
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn a_tournament_keeps_nobody_out() {
    let axe = source();
    for look in [Look::default(), Look { width: 360, height: 740, dark: true, ..Look::default() }] {
        let mut anna = Page::open_at("/account", look, account::ARENA);
        let mut ben = anna.beside("/account", Look::default());
        for (page, name) in [(&mut anna, "Anna"), (&mut ben, "Ben")] {
            account::sign_up(page, name);
            page.goto("/tournaments");
            page.wait("document.querySelector('.tournaments summary')");
        }
        let path = tournament::plan(&mut anna);
        let mut all = objections(&mut anna, &axe);
        ben.goto(&path);
        tournament::join(&mut ben);
        tournament::join(&mut anna);
        anna.goto("/tournaments");
        anna.wait("document.querySelector('.list a')");
        anna.click("summary");
        all.extend(objections(&mut anna, &axe));
        anna.goto(&path);
        anna.wait("document.querySelector('[data-act=start]')");
        anna.click("[data-act=start]");
        anna.wait("location.pathname.startsWith('/game/') && document.querySelector('.player .clock')");
        anna.goto(&path);
        anna.wait("document.querySelector('.boards a .mini')");
        anna.click("[data-part=cross] summary");
        anna.click("[data-act=games]");
        anna.wait("document.querySelector('.cross') && document.querySelector('.games-of li')");
        all.extend(objections(&mut anna, &axe));
        assert!(all.is_empty(), "{} objections:\n{}", all.len(), all.join("\n\n"));
        ben.no_faults();
        anna.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn no_page_keeps_anyone_out_in_the_light() {
    no_page_keeps_anyone_out(Look::default());
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn no_page_keeps_anyone_out_in_the_dark() {
    no_page_keeps_anyone_out(Look { dark: true, ..Look::default() });
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn no_page_keeps_anyone_out_on_a_phone() {
    no_page_keeps_anyone_out(Look { width: 360, height: 740, ..Look::default() });
}

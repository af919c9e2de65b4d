//! Watching two agents.

use crate::page::{Look, Page};

const MOVES: &str = "document.querySelectorAll('.moves button').length";

#[test]
#[ignore = "needs Chromium"]
fn two_agents_play_think_aloud_pause_and_step() {
    let mut page = Page::open("/watch", Look::default());
    page.wait("document.querySelector('select[name=black]')");
    page.choose("select[name=black]", "sumito:level=12");
    page.choose("select[name=white]", "aba-pro");
    page.click("[data-act=watch]");
    page.wait(&format!("{MOVES} >= 3"));
    for color in ["black", "white"] {
        page.wait(&format!(
            "/\\d/.test(document.querySelector('.mind[data-color={color}] [data-facts]').innerText)"
        ));
    }
    page.click("[data-act=pause]");
    page.wait("!document.querySelector('[data-act=step]').disabled");
    // No move comes once the server has paused the game; one from before may still be on its way to the page.
    let before = page.number(
        "fetch('/api/v1/games/' + location.pathname.split('/').pop()).then((r) => r.json()) \
         .then((game) => game.paused && game.thinking === null ? game.moves.length : -1)",
    );
    page.wait(&format!("{MOVES} === {before}"));
    page.click("[data-act=step]");
    page.wait(&format!("{MOVES} === {}", before + 1.0));
    let made = |color: &str| {
        format!(
            "Number(document.querySelector('.mind[data-color={color}] [data-moves]').innerText.match(/\\d+/)[0])"
        )
    };
    let counted = (page.number(&made("black")), page.number(&made("white")));
    assert_eq!(counted, (((before + 1.0) / 2.0).ceil(), ((before + 1.0) / 2.0).floor()));
    page.click("[data-act=pause]");
    page.wait(&format!("{MOVES} > {}", before + 2.0));
    let bar = page.number("Number(document.querySelector('.evaluation').getAttribute('aria-valuenow'))");
    assert!((0.0..=100.0).contains(&bar));
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn each_side_has_a_thinking_time_of_its_own() {
    let mut page = Page::open("/watch", Look::default());
    page.wait("document.querySelector('select[name=black]')");
    page.eval(
        "const sliders = [...document.querySelectorAll('.card input[type=range]')]; \
         sliders[0].value = 0; sliders[1].value = 2; sliders.forEach((each) => each.dispatchEvent(new Event('input')))",
    );
    page.click("[data-act=watch]");
    page.wait("/watch\\/./.test(location.pathname)");
    let times = page.text(
        "fetch('/api/v1/games/' + location.pathname.split('/').pop()).then((r) => r.json()) \
         .then((game) => `${game.think_ms} ${game.white_think_ms}`)",
    );
    assert_eq!(times, "50 200");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn what_an_agents_numbers_mean_is_said_and_the_graph_measures_all_alike() {
    let mut page = Page::open("/watch", Look::default());
    page.wait("document.querySelector('select[name=black]')");
    page.choose("select[name=black]", "aba-pro");
    page.choose("select[name=white]", "sumito:level=3");
    page.click("[data-act=watch]");
    let unit = |color: &str| {
        format!(
            "document.querySelector('.mind[data-color={color}] [data-unit]:not([hidden])')?.textContent ?? ''"
        )
    };
    page.wait(&format!("({}).startsWith('This agent counts in its own units')", unit("black")));
    page.wait(&format!("({}).startsWith('With +1.00')", unit("white")));
    page.click("[data-part=graph] summary");
    page.wait("document.querySelector('.graph .curve')?.points.length >= 3");
    page.wait("/Black .*%/.test(document.querySelector('.graph-told').textContent)");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn the_bar_is_seen_only_where_somebody_knows_the_chances() {
    let mut page = Page::open("/watch", Look::default());
    page.wait("document.querySelector('select[name=black]')");
    page.choose("select[name=black]", "aba-pro");
    page.choose("select[name=white]", "random");
    let seen = "document.querySelector('.evaluation').checkVisibility({ visibilityProperty: true })";
    assert_eq!(page.eval(seen), false, "before the game");
    page.click("[data-act=watch]");
    page.wait(&format!("{MOVES} >= 4"));
    page.click("[data-act=pause]");
    page.wait("!document.querySelector('[data-act=step]').disabled");
    assert_eq!(page.eval(seen), false, "neither knows its chances");
    page.click("[data-part=graph] summary");
    page.wait("document.querySelector('.graph .curve')?.points.length >= 4");
    page.wait(seen);
    page.click("[data-walk=back]");
    page.wait(seen);
    let told = page.text("document.querySelector('.graph-told').textContent");
    let bar = page.text("document.querySelector('.evaluation').getAttribute('aria-valuenow')");
    assert!(told.ends_with(&format!("Black {bar}%")), "{told}: the bar has {bar}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_that_scrolls_over_a_slider_leaves_it_as_it_was_and_one_that_draws_it_does_not() {
    const SLIDER: &str = "document.querySelector('input[type=range]')";
    let value = format!("Number({SLIDER}.value)");
    let mut page = Page::open("/watch", Look { width: 360, height: 740, touch: true, ..Look::default() });
    page.wait(SLIDER);
    // Where the board, which stays on top, does not cover it.
    let ends = |page: &mut Page| {
        page.eval(&format!("{SLIDER}.scrollIntoView({{ block: 'center' }})"));
        page.rest();
        let at = page.eval(&format!(
            "(() => {{ const {{ left, right, top, height }} = {SLIDER}.getBoundingClientRect(); return [left, right, top + height / 2]; }})()"
        ));
        [0, 1, 2].map(|i| at[i].as_f64().unwrap())
    };
    let before = page.number(&value);
    let [_, right, y] = ends(&mut page);
    let up: Vec<_> = (0..=8).map(|i| (right - 20.0, y - 20.0 * f64::from(i))).collect();
    let from = page.number("scrollY");
    page.swipe(&up);
    page.wait(&format!("scrollY > {from} + 50"));
    page.rest();
    assert_eq!(page.number(&value), before, "the page was scrolled");
    let told = page.text(&format!("{SLIDER}.getAttribute('aria-valuetext')"));
    let [left, right, y] = ends(&mut page);
    let along: Vec<_> =
        (0..=8).map(|i| (right - 20.0 - f64::from(i) * (right - left - 40.0) / 8.0, y)).collect();
    page.swipe(&along);
    page.wait(&format!("{value} === 0 && {SLIDER}.getAttribute('aria-valuetext') !== '{told}'"));
    let [_, right, y] = ends(&mut page);
    page.tap_at((right - 12.0, y));
    page.wait(&format!("{value} === Number({SLIDER}.max)"));
    page.no_faults();
}

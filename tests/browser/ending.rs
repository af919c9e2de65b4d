//! The end of a game: what is told, what it does to one's rating, and where one can go from there.

use crate::page::{Look, Page};

const OWN: &str = "document.querySelector('sumito-board').own.length > 0";
const OVER: &str = "!document.querySelector('.result').hidden";
/// Black has pushed five off and can push a sixth; White has four.
const LAST_PUSH: &str = "5/6/7/8/6SSs/8/7/6/ss3 5 4 b 0 1";

/// A game from a position, against level 1, with its key in the browser.
fn game(fen: &str, motion: bool) -> Page {
    let mut page = Page::open("/about", Look::default());
    page.eval(&format!("localStorage.setItem('sumito.settings', JSON.stringify({{ motion: {motion} }}))"));
    let id = page.text(&format!(
        "fetch('/api/v1/games', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({{ fen: '{fen}', black: {{ kind: 'human' }}, white: {{ kind: 'agent', spec: 'sumito:level=1' }} }}) }}) \
         .then((r) => r.json()).then(({{ key, game }}) => {{ \
         localStorage.setItem('sumito.keys', JSON.stringify({{ [game.id]: key }})); return game.id; }})"
    ));
    page.goto(&format!("/game/{id}"));
    page.wait(OWN);
    page
}

const PUSH: &str = "(() => { const board = document.querySelector('sumito-board'); \
    board.choose(board.position.moves.find(({ ejected }) => ejected)); })()";

#[test]
#[ignore = "needs Chromium"]
fn a_win_is_told_with_its_score_after_the_last_marble_has_rolled_off() {
    let mut page = game(LAST_PUSH, true);
    // Whether the end was told while a marble was rolling.
    page.eval(
        "window.early = false; new MutationObserver(() => { if (document.querySelector('svg.board .marble') \
         && document.getAnimations().some((each) => each.effect.target.closest('.marble')) && !document.querySelector('.result').hidden) \
         window.early = true; }).observe(document.body, { subtree: true, childList: true, attributes: true })",
    );
    page.eval(PUSH);
    page.wait(OVER);
    assert_eq!(page.text("document.querySelector('.result strong').textContent"), "You won, 6 to 4");
    assert_eq!(page.eval("window.early"), false);
    assert_eq!(page.text("document.title"), "You won, 6 to 4 · Sumito");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn after_a_win_one_goes_on_to_the_next_level() {
    let mut page = game(LAST_PUSH, false);
    page.eval(PUSH);
    page.wait(OVER);
    let acts = page
        .text("[...document.querySelectorAll('.result [data-act]')].map((each) => each.dataset.act).join()");
    assert_eq!(acts, "rematch,review,next-level,share");
    page.click("[data-act=next-level]");
    page.wait(&format!("location.pathname === '/' && {OWN}"));
    let name = page.text("document.querySelector('.player[data-color=white] .who').textContent");
    assert_eq!(name, "Beginner (level 2)");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn back_from_a_rematch_leads_to_the_game_before_it() {
    let mut page = game(LAST_PUSH, false);
    page.eval(PUSH);
    page.wait(OVER);
    let path = page.text("location.pathname");
    page.click("[data-act=rematch]");
    page.wait(&format!("location.pathname !== '{path}' && document.querySelector('.result').hidden"));
    page.eval("history.back()");
    page.wait(&format!("location.pathname === '{path}' && {OVER}"));
    page.no_faults();
}

/// Makes moves of both sides, then gives up.
fn lose(page: &mut Page) {
    for _ in 0..2 {
        page.wait(OWN);
        page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    }
    page.wait(OWN);
    page.click("[data-act=resign]");
    page.click("[data-act=resign]");
    page.wait(OVER);
}

const DAISY: &str = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
const RATED: &str = "JSON.parse(localStorage.getItem('sumito.rating') ?? '{}').games?.length ?? 0";

#[test]
#[ignore = "needs Chromium"]
fn a_game_against_a_level_counts_for_the_rating_once() {
    let mut page = game(DAISY, false);
    lose(&mut page);
    page.wait("document.querySelector('.result .rating')");
    assert_eq!(page.number(RATED), 1.0);
    let path = page.text("location.pathname");
    counts_once_at(page, &path);
}

/// Opens a game that was lost: it has counted once.
fn counts_once_at(mut page: Page, path: &str) {
    page.goto(path);
    page.wait("document.querySelector('.result .rating')");
    assert_eq!(page.number(RATED), 1.0);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_with_hints_does_not_count_for_the_rating() {
    let mut page = game(DAISY, false);
    page.click("[data-act=hint]");
    page.wait("document.querySelector('.arrow.hint')");
    lose(&mut page);
    page.wait("document.querySelector('.result').textContent.includes('does not change your rating')");
    assert_eq!(page.number(RATED), 0.0);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn ratings_follow_the_formula_of_elo() {
    let mut page = Page::open("/about", Look::default());
    let ours = page.eval(
        "import(new URL('lib/rating.js', document.querySelector('script[type=module]').src)).then(({ after }) => { \
         const games = [[860, 1], [1060, 1], [1060, 0], [1060, 0.5], [860, 1], [1270, 0], [1270, 1]]; \
         const all = []; for (const [elo, score] of games) all.push(after(all, elo, score)); return all; })",
    );
    // Steps of 80 for five games, then of 40; the first game begins at the opponent's 860.
    let games = [
        (860.0, 1.0),
        (1060.0, 1.0),
        (1060.0, 0.0),
        (1060.0, 0.5),
        (860.0, 1.0),
        (1270.0, 0.0),
        (1270.0, 1.0),
    ];
    let mut rating = 860.0_f64;
    for (i, (elo, score)) in games.into_iter().enumerate() {
        let expected = 1.0 / (1.0 + 10.0_f64.powf((elo - rating) / 400.0));
        rating = (rating + if i < 5 { 80.0 } else { 40.0 } * (score - expected)).round();
        assert_eq!(ours[i].as_f64(), Some(rating), "game {i}: {ours}");
    }
    let lost = page.number(
        "import(new URL('lib/rating.js', document.querySelector('script[type=module]').src)).then(({ after }) => after([], 2890, 0))",
    );
    assert!((990.0..=1000.0).contains(&lost), "who loses to the strongest at once is no master: {lost}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_new_game_in_the_middle_of_one_asks_first() {
    let mut page = game(DAISY, false);
    page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    page.wait(&format!("document.querySelectorAll('.moves button').length === 2 && {OWN}"));
    page.click("[data-act=again]");
    page.wait("document.querySelector('[data-act=again]').dataset.sure");
    assert!(page.text("location.pathname").starts_with("/game/"));
    page.click("[data-act=again]");
    page.wait("location.pathname === '/'");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_second_rematch_leads_into_the_first() {
    let mut page = game(LAST_PUSH, false);
    page.eval(PUSH);
    page.wait(OVER);
    let path = page.text("location.pathname");
    page.click("[data-act=rematch]");
    page.wait(&format!("location.pathname !== '{path}'"));
    let next = page.text("location.pathname");
    page.eval("history.back()");
    page.wait(&format!("location.pathname === '{path}' && {OVER}"));
    page.click("[data-act=rematch]");
    let black =
        "document.querySelector('.player[data-color=black] .who').textContent === 'Newcomer (level 1)'";
    page.wait(&format!("location.pathname === '{next}' && {black}"));
    assert_eq!(page.eval("document.querySelector('.toast')"), serde_json::Value::Null);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn an_old_game_does_not_count_when_it_is_looked_at() {
    let mut page = game(DAISY, false);
    lose(&mut page);
    page.wait("document.querySelector('.result .rating')");
    // So many were counted since that this one is not in the list any more.
    page.eval("localStorage.setItem('sumito.rating', JSON.stringify({ games: [], helped: [] }))");
    let path = page.text("location.pathname");
    page.goto(&path);
    page.wait(OVER);
    assert_eq!(page.number(RATED), 0.0);
    assert_eq!(page.eval("document.querySelector('.result').textContent.includes('rating')"), false);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_that_ended_while_its_page_was_closed_counts_when_it_is_opened() {
    let mut page = game(DAISY, false);
    page.eval("(() => { const board = document.querySelector('sumito-board'); board.choose(board.position.moves[0]); })()");
    page.wait(&format!("document.querySelectorAll('.moves button').length === 2 && {OWN}"));
    let path = page.text("location.pathname");
    page.goto("/about");
    page.eval(&format!(
        "(() => {{ const id = '{path}'.split('/')[2], key = JSON.parse(localStorage.getItem('sumito.keys'))[id]; \
         localStorage.setItem('sumito.begun', JSON.stringify([id])); \
         return fetch(`/api/v1/games/${{id}}/resign`, {{ method: 'POST', body: '{{}}', \
         headers: {{ 'content-type': 'application/json', authorization: `Bearer ${{key}}` }} }}).then(() => true); }})()"
    ));
    counts_once_at(page, &path);
}

#[test]
#[ignore = "needs Chromium"]
fn a_rematch_says_the_colour_that_one_will_have() {
    let mut page = game(DAISY, false);
    lose(&mut page);
    for (said, color) in [("Rematch as White", "white"), ("Rematch as Black", "black")] {
        assert_eq!(page.text("document.querySelector('[data-act=rematch]').textContent"), said);
        let before = page.text("location.pathname");
        page.click("[data-act=rematch]");
        page.wait(&format!("location.pathname !== '{before}' && {OWN}"));
        let who =
            page.text(&format!("document.querySelector('.player[data-color={color}] .who').textContent"));
        assert_eq!(who, "You");
        page.click("[data-act=resign]");
        page.wait("document.querySelector('[data-act=resign]').dataset.sure");
        page.click("[data-act=resign]");
        page.wait(OVER);
    }
    page.no_faults();
}

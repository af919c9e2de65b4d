//! The lessons, each solved on the board.

use crate::board;
use crate::page::{Look, Page};

/// The moves that solve each lesson.
const SOLUTIONS: [&[&str]; 11] = [
    &["d7d6", "c3d4"],
    &["d3d5e3"],
    &["d4e5"],
    &["c3d4"],
    &["c3d4"],
    &["c3c4"],
    &["e7e8"],
    &["g5h5"],
    &["d7e8"],
    &["e1d1"],
    &["f3e2", "d2e2"],
];

/// Whether an element is wholly on the screen as it stands.
fn in_sight(page: &mut Page, selector: &str) -> bool {
    page.eval(&format!(
        "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); \
         return box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; }})()"
    )) == true
}

#[test]
#[ignore = "needs Chromium"]
fn on_a_phone_board_task_and_next_step_are_in_sight() {
    for (width, height) in [(360, 740), (740, 360)] {
        let look = Look { width, height, touch: true, ..Look::default() };
        let mut page = Page::open("/learn", look);
        for (i, moves) in SOLUTIONS.iter().enumerate() {
            page.goto(&format!("/learn/{}", i + 1));
            page.wait("document.querySelector('sumito-board').own.length > 0");
            for selector in ["svg.board", ".lesson strong"] {
                assert!(in_sight(&mut page, selector), "{selector}, lesson {}, {width} by {height}", i + 1);
            }
            for text in *moves {
                page.wait(&format!(
                    "document.querySelector('sumito-board').position?.moves.some((each) => each.move === '{text}')"
                ));
                let wanted = board::named(&mut page, text);
                board::by_taps(&mut page, &wanted);
            }
            page.wait("document.querySelector('[data-told=done]')");
            for selector in ["svg.board", "[data-told=done]", ".lesson .main"] {
                assert!(in_sight(&mut page, selector), "{selector}, lesson {}, {width} by {height}", i + 1);
            }
        }
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn all_lessons_are_solved_from_the_first_to_the_last() {
    let mut page = Page::open("/learn", Look::default());
    for (i, moves) in SOLUTIONS.iter().enumerate() {
        page.wait(&format!("location.pathname === '/learn/{}'", i + 1));
        for text in *moves {
            page.wait(&format!(
                "document.querySelector('sumito-board').position?.moves.some((each) => each.move === '{text}') \
                 && document.querySelector('[data-told]').dataset.told !== 'done'"
            ));
            let wanted = board::named(&mut page, text);
            board::by_clicks(&mut page, &wanted);
        }
        page.wait("document.querySelector('[data-told=done]')");
        if i + 1 < SOLUTIONS.len() {
            page.click("[data-act=next]");
        }
    }
    assert_eq!(page.number("document.querySelectorAll('.steps .done').length"), 11.0);
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn lessons_are_listed_by_their_titles_and_one_that_is_chosen_there_begins_on_top() {
    for (width, height) in [(360, 740), (740, 360), (820, 1100)] {
        let mut page = Page::open("/learn/3", Look { width, height, touch: true, ..Look::default() });
        page.wait("document.querySelectorAll('.steps button').length === 11");
        let titles = page.eval("[...document.querySelectorAll('.steps button')].map((each) => each.innerText.replace(/\\s+/g, ' ').trim())");
        assert_eq!(
            (&titles[5], &titles[8]),
            (&"6 What cannot be pushed".into(), &"1 Two threats at once".into())
        );
        page.eval("scrollTo(0, 1e6)");
        page.tap(".steps:last-child li:nth-child(2) button");
        page.wait("document.querySelector('.lesson h1').textContent === 'Out of danger'");
        page.rest();
        for selector in ["svg.board", ".lesson strong"] {
            assert!(in_sight(&mut page, selector), "{selector}, {width} by {height}");
        }
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_wrong_move_is_told_and_put_back() {
    let mut page = Page::open("/learn/3", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    let wanted = board::named(&mut page, "d4d5");
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('[data-told=wrong]')");
    page.wait("document.querySelector('sumito-board').position.black.includes('d4')");
    assert_eq!(page.number("document.querySelectorAll('.steps .done').length"), 0.0);
    page.no_faults();
}

/// Whoever has met a goal, by whatever move, can meet the next one.
#[test]
#[ignore = "needs Chromium"]
fn every_answer_to_a_lesson_leaves_the_next_task_possible() {
    let mut page = Page::open_modules("/learn", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    let script = "(async () => {
        const [{ LESSONS }, { first, met, onward }, { position }] =
            await Promise.all(['/pages/lessons.js', '/pages/learn.js', '/lib/api.js'].map((path) => import(path)));
        const good = async (goal, at) => {
            const all = await Promise.all(at.moves.map(async (move) => {
                const after = await position({ fen: at.fen, moves: [move.move] });
                return met(goal, move, after) ? after : null;
            }));
            return all.filter(Boolean);
        };
        let answers = 0;
        const dead = [];
        for (const lesson of LESSONS) {
            const afters = await good(lesson.goals[0], await first(lesson));
            answers += afters.length;
            if (!afters.length) dead.push(lesson.name);
            if (lesson.goals.length === 1) continue;
            for (const after of afters) {
                const left = await onward(lesson, 0, after).then((next) => good(lesson.goals[1], next), () => []);
                if (!left.length) dead.push(`${lesson.name} after ${after.last?.move}`);
            }
        }
        return { answers, dead, most: Math.max(...LESSONS.map((lesson) => lesson.goals.length)) };
    })()";
    let checked = page.eval(script);
    assert_eq!(checked["dead"], serde_json::json!([]));
    assert_eq!(checked["most"], 2, "a third goal would have to be looked at, too");
    assert!(checked["answers"].as_u64() >= Some(30), "each answer was tried: {checked}");
    page.no_faults();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_cannot_be_judged_is_put_back_and_can_be_made_again() {
    // The first refusal is about the move, the second about the answer to it.
    for (lesson, answered, moves) in [(3, 0, ["d4e5"].as_slice()), (11, 1, &["f3e2", "d2e2"])] {
        let mut page = Page::open(&format!("/learn/{lesson}"), Look::default());
        page.wait("document.querySelector('sumito-board').own.length > 0");
        page.eval(&format!(
            "(() => {{ let answered = {answered}; const real = fetch; window.fetch = (path, init) => {{ \
             if (!String(path).endsWith('/positions') || answered-- !== 0) return real(path, init); \
             const refusal = JSON.stringify({{ error: {{ code: 'rate.requests', values: {{}} }} }}); \
             return Promise.resolve(new Response(refusal, {{ status: 429, headers: {{ 'content-type': 'application/json' }} }})); }}; }})()"
        ));
        let before = page.text("document.querySelector('sumito-board').position.fen");
        let wanted = board::named(&mut page, moves[0]);
        board::by_clicks(&mut page, &wanted);
        page.wait("document.querySelector('.toast').textContent.startsWith('Too fast')");
        page.wait(&format!(
            "document.querySelector('sumito-board').own.length > 0 && document.querySelector('sumito-board').position.fen === '{before}'"
        ));
        for text in moves {
            page.wait(&format!(
                "document.querySelector('sumito-board').position?.moves.some((each) => each.move === '{text}')"
            ));
            let wanted = board::named(&mut page, text);
            board::by_clicks(&mut page, &wanted);
        }
        page.wait("document.querySelector('[data-told=done]')");
        page.no_faults();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_solved_lesson_stays_solved_when_the_language_changes() {
    let mut page = Page::open("/learn/2", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    let wanted = board::named(&mut page, SOLUTIONS[1][0]);
    board::by_clicks(&mut page, &wanted);
    page.wait("document.querySelector('[data-told]').dataset.told !== 'open'");
    assert_eq!(page.text("document.querySelector('[data-told]').dataset.told"), "done");
    page.click("#settings");
    page.wait("document.querySelector('dialog.settings[open]')");
    page.choose("dialog select[name=language]", "fr");
    page.wait("document.documentElement.lang === 'fr' && document.querySelector('[data-act=next]')");
    assert_eq!(page.text("document.querySelector('[data-told]').dataset.told"), "done");
    page.no_faults();
}

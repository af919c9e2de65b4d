//! Somebody who does not know the rules and taps on marbles, cells and arrows: no tap may be a dead end.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::board::cell;
use crate::page::{Look, Page};
use crate::truth::{Cell, Truth, cells, name, read};

const SEEDS: u32 = 200;
/// So many taps in a row may be without a move and without a word.
const PATIENCE: usize = 6;

/// Taps at random until a move is made, on the page's own board; what the page would do with the move is held back.
const TAPS: &str = r"(async () => {
    const board = document.querySelector('sumito-board');
    const line = board.querySelector('.line');
    let reason = null, moved = null;
    document.addEventListener('move', (event) => { moved = event.detail.move; event.stopImmediatePropagation(); }, true);
    board.addEventListener('reason', (event) => { reason = event.detail; });
    const middle = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { clientX: x + width / 2, clientY: y + height / 2 };
    };
    const tap = (element) => {
        const at = middle(element);
        for (const type of ['pointerdown', 'pointerup']) {
            const event = { ...at, pointerId: 1, pointerType: 'mouse', button: 0, bubbles: true };
            document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new PointerEvent(type, event));
        }
    };
    const begin = board.position;
    const games = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
        let state = seed * 2654435761;
        const random = (below) => {
            state = (Math.imul(state ^ (state >>> 15), state | 1) + seed * 7919) | 0;
            state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
            return ((state ^ (state >>> 14)) >>> 0) % below;
        };
        board.select([]);
        const taps = [];
        moved = null;
        while (!moved && taps.length < 500) {
            const before = [...board.selection];
            const arrows = [...board.querySelectorAll('.handle')];
            const chance = random(100);
            const all = [...board.querySelectorAll('[data-cell]')];
            const mine = all.filter((each) => board.own.includes(each.dataset.cell));
            const others = all.filter((each) => !board.own.includes(each.dataset.cell));
            const pool = chance < 50 ? mine : arrows.length && chance < 75 ? arrows.map((each) => each.querySelector('.disc')) : others;
            const chosen = pool[random(pool.length)];
            reason = null;
            tap(chosen);
            taps.push({
                before, after: [...board.selection], cell: chosen.dataset.cell ?? null, reason, moved,
                text: line.textContent, arrows: board.querySelectorAll('.handle').length, joining: board.querySelectorAll('.joining').length,
            });
        }
        games.push(taps);
    }
    return { games, own: begin.black, foe: begin.white, legal: begin.moves.map(({ move }) => move) };
})()";

/// What a sentence must say for its cause.
fn words(cause: &str) -> String {
    let count = |digit: &str| ["", "one", "two", "three", "four", "five"][digit.parse::<usize>().unwrap()];
    let text = match cause.split(' ').collect::<Vec<_>>()[..] {
        ["outnumbered", ours, theirs] => {
            return format!("{} against {}: no push", count(ours), count(theirs));
        }
        ["blocked"] => "your own marble is behind",
        ["own"] => "your own marbles are in the way",
        ["taken"] => "no free cell",
        ["three"] => "only three in line",
        ["narrow"] => "every cell must be free",
        ["sideways"] => "straight ahead",
        ["far"] => "too far",
        ["gap"] => "a gap",
        ["line"] => "not in one line",
        ["which"] => "two moves",
        ["empty"] => "your marbles first",
        ["theirs"] => "not your marble",
        ["scroll"] => "tap the marble first",
        _ => panic!("no words for {cause}"),
    };
    text.to_string()
}

fn told(reason: &Value) -> Option<String> {
    let cause = reason["cause"].as_str()?;
    match (reason["ours"].as_u64(), reason["theirs"].as_u64()) {
        (Some(ours), Some(theirs)) => Some(format!("{cause} {ours} {theirs}")),
        _ => Some(cause.to_string()),
    }
}

fn list(value: &Value) -> Vec<Cell> {
    let mut all: Vec<Cell> =
        value.as_array().unwrap().iter().map(|cell| read(cell.as_str().unwrap())).collect();
    all.sort_unstable();
    all
}

/// What should have been said to a tap that made no move.
fn expected(truth: &Truth, tap: &Value) -> Option<String> {
    let (before, after) = (list(&tap["before"]), list(&tap["after"]));
    let cell = read(tap["cell"].as_str().expect("an arrow makes a move"));
    if !truth.ours.contains(&cell) {
        let other = if truth.theirs.contains(&cell) { "theirs" } else { "empty" };
        return if before.is_empty() { Some(other.to_string()) } else { truth.there(&before, cell) };
    }
    let alone = !before.is_empty() && !before.contains(&cell) && after == [cell];
    let still = if after.is_empty() { None } else { truth.still(&after) };
    still.or_else(|| if alone { truth.joined(&before, cell) } else { None })
}

#[test]
#[ignore = "needs Chromium"]
fn a_newcomer_is_never_left_without_a_move_or_the_true_cause() {
    let mut page = Page::open("/", Look::default());
    page.wait("document.querySelector('sumito-board').own.length > 0");
    let played = page.eval(&TAPS.replace("SEEDS", &SEEDS.to_string()));
    let truth = Truth {
        ours: list(&played["own"]).into_iter().collect(),
        theirs: list(&played["foe"]).into_iter().collect(),
    };
    let legal: BTreeSet<&str> =
        played["legal"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let mut counts = Vec::new();
    let mut causes = BTreeSet::new();
    for (seed, taps) in played["games"].as_array().unwrap().iter().enumerate() {
        let taps = taps.as_array().unwrap();
        let mut silent = 0;
        for tap in taps {
            let reason = told(&tap["reason"]);
            if let Some(made) = tap["moved"].as_str() {
                assert!(legal.contains(made), "seed {seed}: {made}");
                continue;
            }
            assert_eq!(reason, expected(&truth, tap), "seed {seed}: {tap}");
            if let Some(cause) = &reason {
                let text = tap["text"].as_str().unwrap().to_lowercase();
                assert!(text.contains(&words(cause)), "{cause}: {text}");
                causes.insert(cause.clone());
            }
            let live = tap["arrows"] != 0 || tap["after"] == json!([]);
            assert!(
                reason.is_some() || live,
                "seed {seed}: a choice without an arrow and without a word: {tap}"
            );
            silent = if reason.is_some() { 0 } else { silent + 1 };
            assert!(silent <= PATIENCE, "seed {seed}: {silent} taps that led nowhere: {taps:?}");
        }
        assert!(taps.last().is_some_and(|tap| tap["moved"].is_string()), "seed {seed} made no move");
        counts.push(taps.len());
    }
    counts.sort_unstable();
    println!(
        "{SEEDS} newcomers: median {} taps to the first move, at most {}; told: {causes:?}",
        counts[counts.len() / 2],
        counts[counts.len() - 1]
    );
    page.no_faults();
}

/// Numbers below a bound that look random, the same for the same seed.
fn dice(seed: u32) -> impl FnMut(usize) -> usize {
    let mut state = u64::from(seed) * 0x9E37_79B9_7F4A_7C15 + 1;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    }
}

const FINGERS: u32 = 20;

/// What a finger has before it and what became of the last one, on a page whose moves are held back.
const BEFORE_FINGER: &str = r"(() => {
    const board = document.querySelector('sumito-board');
    if (!window.told) {
        window.told = { reason: null, moved: null };
        document.addEventListener('move', (event) => { told.moved = event.detail.move; event.stopImmediatePropagation(); }, true);
        board.addEventListener('reason', (event) => { told.reason = event.detail; });
        board.drawings.on = false;
    }
    Object.assign(told, { reason: null, moved: null });
    return { before: [...board.selection], directions: [...board.querySelectorAll('.handle')].map((each) => each.dataset.direction) };
})()";
const AFTER_FINGER: &str = r"(() => {
    const board = document.querySelector('sumito-board');
    return { ...told, after: [...board.selection], text: board.querySelector('.line').textContent,
        arrows: board.querySelectorAll('.handle').length };
})()";

/// The same on a page that scrolls, by a finger that drags as well.
#[test]
#[ignore = "needs Chromium"]
fn a_newcomers_finger_is_never_left_without_a_move_or_the_true_cause_where_the_page_scrolls() {
    let mut page = Page::open("/analyse", Look { width: 360, height: 740, touch: true, ..Look::default() });
    page.wait("document.querySelector('sumito-board').own.length > 0");
    page.eval("document.querySelector('input[name=engine]:checked')?.click()");
    let begin = page.eval("(({ black, white, moves }) => ({ black, white, moves: moves.map(({ move }) => move) }))(document.querySelector('sumito-board').position)");
    let truth = Truth {
        ours: list(&begin["black"]).into_iter().collect(),
        theirs: list(&begin["white"]).into_iter().collect(),
    };
    let ours: Vec<Cell> = truth.ours.iter().copied().collect();
    let others: Vec<Cell> = cells().into_iter().filter(|cell| !truth.ours.contains(cell)).collect();
    let pitch = cell(&mut page, "e6").0 - cell(&mut page, "e5").0;
    let mut causes = BTreeSet::new();
    let mut counts = Vec::new();
    for seed in 1..=FINGERS {
        let mut draw = dice(seed);
        let mut silent = 0;
        page.eval("(() => { const board = document.querySelector('sumito-board'); board.preview(null); board.select([]); })()");
        for count in 1.. {
            assert!(count < 300, "seed {seed} made no move");
            let seen = page.eval(BEFORE_FINGER);
            let chance = draw(100);
            let (mut tapped, mut held) = (None, true);
            let arrows = seen["directions"].as_array().unwrap();
            if chance < 30 {
                let from = ours[draw(ours.len())];
                held = list(&seen["before"]).contains(&from);
                let at = cell(&mut page, &name(from));
                let (sin, cos) = (60.0 * draw(6) as f64).to_radians().sin_cos();
                let way: Vec<_> = (0..=8)
                    .map(f64::from)
                    .map(|i| (at.0 + cos * pitch * i / 8.0, at.1 - sin * pitch * i / 8.0))
                    .collect();
                page.swipe(&way);
                page.rest();
            } else if chance < 50 && !arrows.is_empty() {
                let towards = arrows[draw(arrows.len())].as_str().unwrap();
                page.tap(&format!(".handle[data-direction=\"{towards}\"] .disc"));
            } else {
                let pool = if chance < 80 { &ours } else { &others };
                let chosen = pool[draw(pool.len())];
                let at = cell(&mut page, &name(chosen));
                page.tap_at(at);
                tapped = Some(chosen);
            }
            let mut after = page.eval(AFTER_FINGER);
            let reason = told(&after["reason"]);
            if let Some(made) = after["moved"].as_str() {
                assert!(held, "seed {seed}: a finger that may scroll has played {made}");
                assert!(begin["moves"].as_array().unwrap().iter().any(|each| each == made), "{made}");
                counts.push(count);
                break;
            }
            after["before"] = seen["before"].clone();
            match tapped {
                Some(chosen) => {
                    after["cell"] = json!(name(chosen));
                    assert_eq!(reason, expected(&truth, &after), "seed {seed}: {after}");
                }
                None if !held => assert_eq!(reason.as_deref(), Some("scroll"), "seed {seed}: {after}"),
                None => assert_eq!(reason, truth.still(&list(&after["after"])), "seed {seed}: {after}"),
            }
            if let Some(cause) = &reason {
                let text = after["text"].as_str().unwrap().to_lowercase();
                assert!(text.contains(&words(cause)), "{cause}: {text}");
                causes.insert(cause.clone());
            }
            let live = after["arrows"] != 0 || after["after"] == json!([]);
            assert!(reason.is_some() || live, "seed {seed}: neither an arrow nor a word: {after}");
            silent = if reason.is_some() { 0 } else { silent + 1 };
            assert!(silent <= PATIENCE, "seed {seed}: {silent} touches that led nowhere");
        }
    }
    counts.sort_unstable();
    println!(
        "{FINGERS} fingers: median {} touches to the first move, at most {}; told: {causes:?}",
        counts[counts.len() / 2],
        counts[counts.len() - 1]
    );
    assert!(causes.contains("scroll"), "{causes:?}");
    page.no_faults();
}

/// A board with so many marbles, the same for the same seed.
fn scattered(seed: u32) -> Truth {
    let mut draw = dice(seed);
    let mut free = cells();
    let mut take = |count: usize| (0..count).map(|_| free.swap_remove(draw(free.len()))).collect();
    Truth { ours: take(14), theirs: take(14) }
}

#[test]
#[ignore = "needs Chromium"]
fn causes_agree_with_a_second_classification_on_crowded_boards() {
    let mut page = Page::open("/about", Look::default());
    let names = |cells: &[Cell]| cells.iter().map(|&cell| name(cell)).collect::<Vec<_>>();
    let mut seen = BTreeSet::new();
    for seed in 0..24 {
        let truth = scattered(seed);
        let ours: Vec<Cell> = truth.ours.iter().copied().collect();
        let theirs: Vec<Cell> = truth.theirs.iter().copied().collect();
        let choices = truth.choices();
        let script = "(async () => {
            const { whyStill, whyNotThere, whyNotJoined } = await import(new URL('board/reason.js', document.querySelector('script[type=module]').src));
            const around = { own: OWN, foe: FOE };
            const text = ({ cause, ours, theirs }) => ours ? `${cause} ${ours} ${theirs}` : cause;
            return CHOICES.map((chosen) => [
                text(whyStill(chosen, around)),
                CELLS.map((cell) => text(around.own.includes(cell) ? whyNotJoined(chosen, cell, around.own) : whyNotThere(chosen, cell, around))),
            ]);
        })()"
            .replace("OWN", &json!(names(&ours)).to_string())
            .replace("FOE", &json!(names(&theirs)).to_string())
            .replace("CHOICES", &json!(choices.iter().map(|each| names(each)).collect::<Vec<_>>()).to_string())
            .replace("CELLS", &json!(names(&cells())).to_string());
        let answers = page.eval(&script);
        for (i, chosen) in choices.iter().enumerate() {
            if let Some(cause) = truth.still(chosen) {
                assert_eq!(answers[i][0], cause, "seed {seed}: {:?}", names(chosen));
                seen.insert(cause);
            }
            for (j, &cell) in cells().iter().enumerate().filter(|(_, cell)| !chosen.contains(cell)) {
                let own = truth.ours.contains(&cell);
                let cause = if own { truth.joined(chosen, cell) } else { truth.there(chosen, cell) };
                let Some(cause) = cause.filter(|cause| cause != "which") else { continue };
                assert_eq!(answers[i][1][j], cause, "seed {seed}: {:?} {}", names(chosen), name(cell));
                seen.insert(cause);
            }
        }
    }
    let kinds: BTreeSet<&str> = seen.iter().map(|cause| cause.split(' ').next().unwrap()).collect();
    let all = ["blocked", "far", "gap", "line", "narrow", "outnumbered", "own", "sideways", "taken", "three"];
    assert!(all.iter().all(|kind| kinds.contains(kind)), "only {kinds:?} were met");
    page.no_faults();
}

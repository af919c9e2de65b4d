//! Moves on the board, by mouse, finger and keyboard.

use serde_json::Value;

use crate::page::Page;

/// What a move needs to be made by hand.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) text: String,
    pub(crate) marbles: Vec<String>,
    pub(crate) direction: String,
}

/// Chooses among the legal moves: one that pushes a marble off, one that pushes, or a quiet one; which one of
/// them changes from turn to turn, so that games do not repeat themselves.
pub(crate) fn choice(page: &mut Page) -> Wanted {
    let moves = page.eval("document.querySelector('sumito-board').position.moves");
    let plies = page.number("document.querySelector('sumito-board').position.plies");
    let moves = moves.as_array().unwrap();
    let of =
        |wanted: &dyn Fn(&Value) -> bool| -> Vec<&Value> { moves.iter().filter(|m| wanted(m)).collect() };
    let ejecting = of(&|m| !m["ejected"].is_null());
    let pushing = of(&|m| m["pushed"].as_array().is_some_and(|pushed| !pushed.is_empty()));
    let pool = [ejecting, pushing, moves.iter().collect()].into_iter().find(|pool| !pool.is_empty()).unwrap();
    wanted(pool[(plies as usize * 7) % pool.len()])
}

/// A move by its text.
pub(crate) fn named(page: &mut Page, text: &str) -> Wanted {
    let found = page.eval(&format!(
        "document.querySelector('sumito-board').position.moves.find((each) => each.move === '{text}') ?? null"
    ));
    assert!(!found.is_null(), "{text} is not legal here");
    wanted(&found)
}

fn wanted(view: &Value) -> Wanted {
    Wanted {
        text: view["move"].as_str().unwrap().to_string(),
        marbles: view["marbles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|cell| cell.as_str().unwrap().to_string())
            .collect(),
        direction: view["direction"].as_str().unwrap().to_string(),
    }
}

pub(crate) fn cell(page: &mut Page, cell: &str) -> (f64, f64) {
    page.middle(&format!("[data-cell=\"{cell}\"] .hit"))
}

fn arrow(wanted: &Wanted) -> String {
    format!(".handle[data-direction=\"{}\"]", wanted.direction)
}

/// Both ends of the line, then the arrow.
pub(crate) fn by_clicks(page: &mut Page, wanted: &Wanted) {
    for marble in ends(wanted) {
        let at = cell(page, marble);
        page.click_at(at);
    }
    page.click(&arrow(wanted));
}

pub(crate) fn by_taps(page: &mut Page, wanted: &Wanted) {
    for marble in ends(wanted) {
        let at = cell(page, marble);
        page.tap_at(at);
    }
    page.tap(&arrow(wanted));
}

fn ends(wanted: &Wanted) -> Vec<&str> {
    let first = wanted.marbles.first().unwrap().as_str();
    let last = wanted.marbles.last().unwrap().as_str();
    if first == last { vec![first] } else { vec![first, last] }
}

/// Along the line to select it, and on in the move's direction to push.
pub(crate) fn drag_points(page: &mut Page, wanted: &Wanted) -> Vec<(f64, f64)> {
    let first = cell(page, &wanted.marbles[0]);
    let last = cell(page, wanted.marbles.last().unwrap());
    let neighbours = (cell(page, "e5"), cell(page, "e6"));
    let pitch = (neighbours.1.0 - neighbours.0.0).hypot(neighbours.1.1 - neighbours.0.1);
    let turned = if neighbours.1.0 < neighbours.0.0 { 180.0 } else { 0.0 };
    let degrees: f64 = match wanted.direction.as_str() {
        "east" => 0.0,
        "north-east" => 60.0,
        "north-west" => 120.0,
        "west" => 180.0,
        "south-west" => 240.0,
        _ => 300.0,
    };
    let (sin, cos) = (degrees + turned).to_radians().sin_cos();
    let on = |part: f64| (last.0 + cos * pitch * part, last.1 - sin * pitch * part);
    let half = ((first.0 + last.0) / 2.0, (first.1 + last.1) / 2.0);
    vec![first, half, last, on(0.3), on(0.8)]
}

/// Walks there with the arrow keys, selects with the space bar, moves with the key of the direction.
pub(crate) fn by_keys(page: &mut Page, wanted: &Wanted) {
    for marble in ends(wanted) {
        walk(page, marble);
        page.key(" ", "Space");
    }
    let (key, code) = match wanted.direction.as_str() {
        "east" => ("d", "KeyD"),
        "north-east" => ("e", "KeyE"),
        "north-west" => ("w", "KeyW"),
        "west" => ("a", "KeyA"),
        "south-west" => ("z", "KeyZ"),
        _ => ("x", "KeyX"),
    };
    page.key(key, code);
}

/// Rows with up and down, numbers with left and right; near the rim one leads around the other.
fn walk(page: &mut Page, target: &str) {
    for _ in 0..40 {
        let now = page.text("document.activeElement.dataset.cell ?? ''");
        let (row, number) = place(&now);
        let (to_row, to_number) = place(target);
        // Up keeps the number, so the number is set first where the row allows it.
        let key = match () {
            () if (row, number) == (to_row, to_number) => return,
            () if number != to_number && (row - to_number).abs() <= 4 => {
                if number < to_number {
                    "ArrowRight"
                } else {
                    "ArrowLeft"
                }
            }
            () if row < to_row || (row == to_row && number < to_number) => "ArrowUp",
            () => "ArrowDown",
        };
        page.key(key, key);
    }
    panic!("the keyboard did not get to {target}");
}

fn place(cell: &str) -> (i32, i32) {
    let bytes = cell.as_bytes();
    assert_eq!(bytes.len(), 2, "the keyboard is on no cell but '{cell}'");
    (i32::from(bytes[0] - b'a') + 1, i32::from(bytes[1] - b'0'))
}

//! Games of a match as APGN text, each move with its player's evaluation, depth, nodes and time in a comment.

use std::fmt::Write;

use sumito_rules::{Color, Layout, Notation, Position, fen};

use crate::referee::{GameResult, MoveRecord};

/// Lines are broken before this column.
const WIDTH: usize = 100;

/// Writes one game, with an empty line at its end.
pub fn write(result: &GameResult) -> String {
    let mut text = tags(result);
    text.push('\n');
    let mut column = 0;
    for token in tokens(result) {
        if column + token.len() >= WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&token);
        column += token.len();
    }
    text.push_str("\n\n");
    text
}

fn tags(result: &GameResult) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to a string");
    };
    tag("Event", "Sumito match");
    tag("Date", "????.??.??");
    tag("Round", &(result.index + 1).to_string());
    tag("Black", &result.players.black);
    tag("White", &result.players.white);
    match layout(&result.opening.start) {
        Some(layout) => tag("Variant", layout.name),
        None => {
            tag("Variant", "custom");
            tag("SetUp", "1");
            tag("Position", &fen::write(&result.opening.start));
        }
    }
    tag("Opening", &result.opening.name);
    tag("Result", score(result));
    tag("Notation", Notation::AbaPro.tag());
    tag("Termination", &result.reason);
    text
}

fn layout(start: &Position) -> Option<&'static Layout> {
    Layout::all().iter().find(|layout| layout.position() == *start)
}

/// `1-0` is a win of Black, who moves first.
fn score(result: &GameResult) -> &'static str {
    match result.outcome.winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    }
}

/// Move numbers, moves and comments, and the result.
fn tokens(result: &GameResult) -> Vec<String> {
    let opening = result.opening.move_texts().into_iter().map(|text| (text, "{opening}".to_string()));
    let played = result.moves.iter().map(|m| (m.text.clone(), comment(m)));
    let first = result.opening.start.ply() as usize;
    let mut tokens = Vec::with_capacity(3 * result.plies() + 1);
    for (ply, (text, comment)) in (first..).zip(opening.chain(played)) {
        if ply % 2 == 0 {
            tokens.push(format!("{}.", ply / 2 + 1));
        } else if ply == first {
            tokens.push(format!("{}...", ply / 2 + 1));
        }
        tokens.push(text);
        tokens.push(comment);
    }
    tokens.push(score(result).to_string());
    tokens
}

/// `{+1.50/6 12345n 0.098s}`: value for the mover, depth, nodes and time, as far as they are known. A seen win
/// in three moves is `+W3`.
fn comment(m: &MoveRecord) -> String {
    let value = match (m.win, m.score) {
        (Some(moves), _) => Some(format!("{}W{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs())),
        (None, Some(value)) => Some(format!("{value:+.2}")),
        (None, None) => None,
    };
    let depth = m.depth.map(|depth| format!("/{depth}"));
    let judged = [value, depth].into_iter().flatten().collect::<String>();
    let nodes = m.nodes.map(|nodes| format!("{nodes}n"));
    let time = format!("{:.3}s", m.time_us as f64 / 1e6);
    let parts = [Some(judged).filter(|text| !text.is_empty()), nodes, Some(time)];
    format!("{{{}}}", parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use sumito_rules::{ByColor, Outcome, Reason};

    use super::*;
    use crate::opening::{self, Opening};

    fn result(opening: Opening, moves: Vec<MoveRecord>) -> GameResult {
        GameResult {
            index: 4,
            players: ByColor::new("a:x=\"1\"".into(), "b".into()),
            opening,
            moves,
            outcome: Outcome { winner: Some(Color::White), reason: Reason::Time },
            fault: None,
            reason: "Black lost on time: 5 s used of 1 s".into(),
            score: ByColor::new(1, 2),
            overstep_us: ByColor::default(),
        }
    }

    #[test]
    fn a_game_has_its_tags_numbers_and_comments() {
        let m = |text: &str| MoveRecord { text: text.into(), time_us: 98_000, ..MoveRecord::default() };
        let moves = vec![
            MoveRecord { score: Some(1.5), depth: Some(6), nodes: Some(12345), ..m("a1b2") },
            MoveRecord { win: Some(-3), ..m("i5h5") },
            m("a2b3"),
        ];
        let opening = opening::layouts("belgian-daisy").expect("a layout").remove(0);
        let expected = r#"[Event "Sumito match"]
[Date "????.??.??"]
[Round "5"]
[Black "a:x=\"1\""]
[White "b"]
[Variant "belgian-daisy"]
[Opening "belgian-daisy"]
[Result "0-1"]
[Notation "Aba-Pro"]
[Termination "Black lost on time: 5 s used of 1 s"]

1. a1b2 {+1.50/6 12345n 0.098s} i5h5 {-W3 0.098s} 2. a2b3 {0.098s} 0-1

"#;
        assert_eq!(write(&result(opening, moves)), expected);
    }

    #[test]
    fn a_game_from_a_position_with_white_to_move_is_numbered_from_there() {
        let opening = opening::from_fens("5/6/7/8/4S4/8/7/6/4s 0 0 w 0 40").expect("a position").remove(0);
        let text = write(&result(opening, vec![MoveRecord { text: "a5a4".into(), ..MoveRecord::default() }]));
        assert!(text.contains("[SetUp \"1\"]\n[Position \"5/6/7/8/4S4/8/7/6/4s 0 0 w 0 40\"]"), "{text}");
        assert!(text.ends_with("\n40... a5a4 {0.000s} 0-1\n\n"), "{text}");
    }

    #[test]
    fn no_line_of_moves_is_too_long() {
        let opening = opening::layouts("standard").expect("a layout");
        let opening = opening::randomised(&opening, 80, 1, 1).expect("an opening").remove(0);
        let text = write(&result(opening, Vec::new()));
        let (_, moves) = text.split_once("\n\n").expect("tags, then moves");
        assert!(moves.lines().count() > 5 && moves.lines().all(|line| line.len() <= WIDTH));
    }
}

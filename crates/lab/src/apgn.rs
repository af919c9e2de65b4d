//! Games of a match as APGN text, each move with its player's evaluation, depth, nodes and time in a comment.

use sumito_rules::Notation;
use sumito_rules::record::{GameResult as Result, Ply, Record};

use crate::referee::{GameRecord, MoveRecord};

/// Writes one game, with an empty line at its end.
pub fn write(result: &GameRecord) -> String {
    let mut record = Record { result: Result::of(Some(result.outcome)), ..Record::default() };
    record.set_tag("Event", "Sumito match");
    record.set_tag("Date", "????.??.??");
    record.set_tag("Round", (result.index + 1).to_string());
    record.set_tag("Black", &*result.players.black);
    record.set_tag("White", &*result.players.white);
    record.set_start(&result.opening.start);
    record.set_tag("Opening", &*result.opening.name);
    record.set_tag("Result", record.result.to_string());
    record.set_tag("Notation", Notation::AbaPro.tag());
    record.set_tag("Termination", &*result.reason);
    let opening = result.opening.move_texts().into_iter().map(|text| (text, "opening".to_string()));
    let played = result.moves.iter().map(|m| (m.text.clone(), comment(m)));
    let ply = |(text, comment)| Ply { text, comments: vec![comment], ..Ply::default() };
    record.line.plies = opening.chain(played).map(ply).collect();
    format!("{record}\n")
}

/// `+1.50/6 12345n 0.098s`: value for the mover, depth, nodes and time, as far as they are known. A seen win
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
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use sumito_rules::{ByColor, Color, Outcome, Reason};

    use sumito_rules::record::Reader;

    use super::*;
    use crate::opening::{self, Opening};

    fn result(opening: Opening, moves: Vec<MoveRecord>) -> GameRecord {
        GameRecord {
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

1. a1b2 {+1.50/6 12345n 0.098s} 1... i5h5 {-W3 0.098s} 2. a2b3 {0.098s} 0-1

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
    fn what_is_written_replays_to_the_same_position() {
        let opening = opening::layouts("standard").expect("a layout");
        let opening = opening::randomised(&opening, 80, 1, 1).expect("an opening").remove(0);
        let end = opening.end();
        let text = write(&result(opening, Vec::new()));
        let record = Reader::new(text.as_bytes()).next().expect("a game").expect("well formed");
        assert_eq!(record.replay().expect("legal").position(), &end);
    }
}

//! The `info` line: what a search tells about itself.

use std::fmt::Write;
use std::time::Duration;

use sumito_rules::{Move, Notation, Position};

use crate::agent::{Info, Score};

/// Writes what is known about a search in this position.
pub(crate) fn write(info: &Info, position: &Position) -> String {
    let mut line = format!("info depth {}", info.depth);
    let mut add = |text: String| line.push_str(&text);
    match info.score {
        Some(Score::Value(value)) => add(format!(" score cp {}", (value * 100.0).round() as i64)),
        Some(Score::Win(moves)) => add(format!(" score mate {moves}")),
        None => {}
    }
    let nps = info.nodes as f64 / info.time.as_secs_f64().max(0.001);
    add(format!(" nodes {} nps {} time {}", info.nodes, nps as u64, info.time.as_millis()));
    if !info.line.is_empty() {
        line.push_str(" pv");
        write_line(&mut line, &info.line, *position);
    }
    line
}

fn write_line(text: &mut String, moves: &[Move], mut position: Position) {
    for &m in moves {
        let Ok(next) = position.play(m) else { return };
        write!(text, " {}", Notation::AbaPro.write(&position, m)).expect("writing to a string");
        position = next;
    }
}

/// Reads what follows `info`. `None` if nothing in it is of use, as in `info string ...`, or if it is about
/// a line other than the best.
pub(crate) fn parse(mut tokens: &[&str], position: &Position) -> Option<Info> {
    let mut info = Info::default();
    let mut is_useful = false;
    loop {
        tokens = match tokens {
            [] | ["string", ..] => break,
            ["multipv", n, ..] if *n != "1" => return None,
            ["pv", line @ ..] => {
                info.line = parse_line(line, *position);
                is_useful |= !info.line.is_empty();
                break;
            }
            ["score", "cp", value, rest @ ..] => {
                info.score = value.parse().ok().map(|cp: i64| Score::Value(cp as f64 / 100.0));
                is_useful |= info.score.is_some();
                rest
            }
            ["score", "mate", value, rest @ ..] => {
                info.score = value.parse().ok().map(Score::Win);
                is_useful |= info.score.is_some();
                rest
            }
            [name @ ("depth" | "nodes" | "time"), value, rest @ ..] => {
                if let Ok(value) = value.parse::<u64>() {
                    is_useful = true;
                    match *name {
                        "depth" => info.depth = value.min(u32::MAX.into()) as u32,
                        "nodes" => info.nodes = value,
                        _ => info.time = Duration::from_millis(value),
                    }
                }
                rest
            }
            [_, rest @ ..] => rest,
        };
    }
    is_useful.then_some(info)
}

/// The moves as far as they are legal.
fn parse_line(tokens: &[&str], mut position: Position) -> Vec<Move> {
    let mut moves = Vec::new();
    for token in tokens {
        let Ok(m) = Notation::AbaPro.parse(&position, token) else { break };
        position = position.play_unchecked(m);
        moves.push(m);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ugi::position::startpos;

    fn read(line: &str) -> Option<Info> {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        parse(&tokens, &startpos())
    }

    #[test]
    fn what_is_written_reads_back() {
        for line in [
            "depth 7 score cp -123 nodes 4000 nps 2000 time 2000 pv a1b2 i5h5",
            "depth 9 score mate -3 nodes 10 nps 10000 time 0 pv a1b2",
            "depth 1 nodes 1 nps 1 time 1000",
        ] {
            let info = read(line).expect("useful");
            assert_eq!(write(&info, &startpos()), format!("info {line}"));
        }
    }

    #[test]
    fn a_text_is_not_read_as_values() {
        assert_eq!(read("string depth 5 nodes 7"), None);
    }

    #[test]
    fn lines_other_than_the_best_are_passed_over() {
        assert_eq!(read("depth 5 multipv 2 score cp 3 pv a1b2"), None);
        assert_eq!(read("depth 5 multipv 1 score cp 3 pv a1b2").map(|info| info.depth), Some(5));
    }

    #[test]
    fn a_line_ends_at_its_first_illegal_move() {
        let info = read("depth 2 pv a1b2 a1b2 i5h5").expect("useful");
        assert_eq!(info.line.len(), 1);
    }

    #[test]
    fn unknown_and_broken_fields_do_not_hide_the_others() {
        let info = read("seldepth 9 depth x hashfull 3 nodes 12 score cp abc time").expect("useful");
        assert_eq!((info.depth, info.nodes, info.score), (0, 12, None));
    }
}

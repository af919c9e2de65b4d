//! The `info` line: what a search tells about itself.

use std::fmt::Write;
use std::time::Duration;

use sumito_engine::Wdl;
use sumito_rules::{Move, Notation, Position};

use crate::agent::{Info, Score};

/// Writes what is known about a search in this position.
pub(crate) fn write(info: &Info, position: &Position) -> String {
    let mut line = format!("info depth {}", info.depth);
    let mut add = |text: String| line.push_str(&text);
    if info.seldepth > 0 {
        add(format!(" seldepth {}", info.seldepth));
    }
    add(format!(" multipv {}", info.rank + 1));
    match info.score {
        Some(Score::Marbles(value)) => add(format!(" score cp {value}")),
        Some(Score::Value(value)) => add(format!(" score cp {}", (value * 100.0).round() as i64)),
        Some(Score::Win(moves)) => add(format!(" score mate {moves}")),
        None => {}
    }
    if let Some([win, draw, loss]) = info.wdl.map(per_mille) {
        add(format!(" wdl {win} {draw} {loss}"));
    }
    let nps = info.nodes as f64 / info.time.as_secs_f64().max(0.001);
    add(format!(" nodes {} nps {}", info.nodes, nps as u64));
    if let Some(hashfull) = info.hashfull {
        add(format!(" hashfull {hashfull}"));
    }
    add(format!(" time {}", info.time.as_millis()));
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

/// Chances in thousandths that add up to a thousand.
fn per_mille(chances: Wdl) -> [u32; 3] {
    let win = (chances.win * 1000.0).round() as u32;
    let loss = ((chances.loss * 1000.0).round() as u32).min(1000 - win);
    [win, 1000 - win - loss, loss]
}

/// Reads what follows `info`. `None` if nothing in it is of use, as in `info string ...`.
pub(crate) fn parse(mut tokens: &[&str], position: &Position) -> Option<Info> {
    let mut info = Info::default();
    let mut is_useful = false;
    loop {
        tokens = match tokens {
            [] | ["string", ..] => break,
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
            ["wdl", win, draw, loss, rest @ ..] => {
                info.wdl = parse_chances([win, draw, loss]);
                rest
            }
            [name @ ("depth" | "seldepth" | "multipv" | "nodes" | "hashfull" | "time"), value, rest @ ..] => {
                if let Ok(value) = value.parse::<u64>() {
                    is_useful |= matches!(*name, "depth" | "nodes" | "time");
                    set(&mut info, name, value);
                }
                rest
            }
            [_, rest @ ..] => rest,
        };
    }
    is_useful.then_some(info)
}

fn set(info: &mut Info, name: &str, value: u64) {
    let small = value.min(u32::MAX.into()) as u32;
    match name {
        "depth" => info.depth = small,
        "seldepth" => info.seldepth = small,
        "multipv" => info.rank = small.saturating_sub(1) as usize,
        "nodes" => info.nodes = value,
        "hashfull" => info.hashfull = Some(small),
        _ => info.time = Duration::from_millis(value),
    }
}

/// Chances that are numbers and add up to a thousand.
fn parse_chances(texts: [&str; 3]) -> Option<Wdl> {
    let read = |text: &str| text.parse::<u32>().ok().filter(|&part| part <= 1000);
    let [win, draw, loss] = [read(texts[0])?, read(texts[1])?, read(texts[2])?];
    let chance = |part: u32| f64::from(part) / 1000.0;
    (win + draw + loss == 1000).then(|| Wdl { win: chance(win), draw: chance(draw), loss: chance(loss) })
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
    use crate::protocol::position::startpos;

    fn read(line: &str) -> Option<Info> {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        parse(&tokens, &startpos())
    }

    #[test]
    fn what_is_written_reads_back() {
        for line in [
            "depth 7 seldepth 12 multipv 3 score cp -123 wdl 201 130 669 nodes 4000 nps 2000 hashfull 7 time 2000 \
             pv a1b2 i5h5",
            "depth 9 multipv 1 score mate -3 nodes 10 nps 10000 time 0 pv a1b2",
            "depth 1 multipv 1 nodes 1 nps 1 time 1000",
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
    fn the_best_line_has_rank_zero() {
        let rank = |line| read(line).expect("useful").rank;
        assert_eq!(rank("depth 5 multipv 2 score cp 3 pv a1b2"), 1);
        assert_eq!(rank("depth 5 multipv 1 score cp 3 pv a1b2"), 0);
        assert_eq!(rank("depth 5 score cp 3 pv a1b2"), 0);
    }

    #[test]
    fn chances_add_up_to_a_thousand() {
        for win in (0..=2000).map(|i| f64::from(i) / 2000.0) {
            assert_eq!(per_mille(Wdl { win, draw: 0.0, loss: 1.0 - win }).iter().sum::<u32>(), 1000, "{win}");
        }
    }

    #[test]
    fn chances_that_do_not_add_up_are_passed_over() {
        for line in ["depth 1 wdl 500 500 500", "depth 1 wdl -1 1 1000", "depth 1 wdl a b c", "depth 1 wdl 1"]
        {
            assert_eq!(read(line).expect("useful").wdl, None, "{line}");
        }
    }

    #[test]
    fn a_line_ends_at_its_first_illegal_move() {
        let info = read("depth 2 pv a1b2 a1b2 i5h5").expect("useful");
        assert_eq!(info.line.len(), 1);
    }

    #[test]
    fn unknown_and_broken_fields_do_not_hide_the_others() {
        let info = read("colour red depth x hashfull 3 nodes 12 score cp abc time").expect("useful");
        assert_eq!((info.depth, info.nodes, info.score), (0, 12, None));
    }
}

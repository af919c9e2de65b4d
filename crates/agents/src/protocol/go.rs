//! The `go` line: the limits of a search.

use std::fmt::Write;
use std::time::Duration;

use sumito_rules::{ByColor, Move, Notation, Position};

use crate::agent::{Clock, Limits, Ponder};

/// Reads what follows `go` in this position. The second value names words that were passed over.
pub(crate) fn parse(mut tokens: &[&str], position: &Position) -> Result<(Limits, Vec<String>), String> {
    let mut limits = Limits::default();
    let mut left = ByColor::<Option<Duration>>::default();
    let mut increment = ByColor::<Option<Duration>>::default();
    let mut ignored = Vec::new();
    loop {
        tokens = match tokens {
            [] => break,
            ["infinite", rest @ ..] => {
                limits.infinite = true;
                rest
            }
            ["ponder", rest @ ..] => {
                limits.ponder = Some(Ponder::default());
                rest
            }
            ["searchmoves", rest @ ..] => {
                let end = rest.iter().position(|word| is_known(word)).unwrap_or(rest.len());
                limits.moves = moves(&rest[..end], position)?;
                &rest[end..]
            }
            // Known from chess; it means nothing here.
            ["movestogo", _, rest @ ..] => rest,
            [name, value, rest @ ..] if takes_number(name) => {
                match *name {
                    "movetime" => limits.move_time = Some(time(name, value)?),
                    "p1time" | "btime" => left.black = Some(time(name, value)?),
                    "p2time" | "wtime" => left.white = Some(time(name, value)?),
                    "p1inc" | "binc" => increment.black = Some(time(name, value)?),
                    "p2inc" | "winc" => increment.white = Some(time(name, value)?),
                    "mate" => limits.mate = Some(count(name, value)?),
                    "nodes" => limits.nodes = Some(number(name, value)?.max(1)),
                    _ => limits.depth = Some(count(name, value)?),
                }
                rest
            }
            [name] if takes_number(name) => return Err(format!("go: expected a number after '{name}'")),
            [other, rest @ ..] => {
                ignored.push((*other).to_string());
                rest
            }
        };
    }
    limits.clock = clocks(left, increment);
    Ok((limits, ignored))
}

fn takes_number(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "movetime", "nodes", "depth", "mate", "p1time", "p2time", "p1inc", "p2inc", "btime", "wtime", "binc",
        "winc",
    ];
    NAMES.contains(&name)
}

fn is_known(word: &str) -> bool {
    takes_number(word) || ["infinite", "ponder", "searchmoves", "movestogo"].contains(&word)
}

/// The moves to choose among.
fn moves(texts: &[&str], position: &Position) -> Result<Vec<Move>, String> {
    if texts.is_empty() {
        return Err("go: expected moves after 'searchmoves'".into());
    }
    let read = |text: &&str| {
        Notation::AbaPro.parse(position, text).map_err(|why| format!("go searchmoves: '{text}': {why}"))
    };
    texts.iter().map(read).collect()
}

fn count(name: &str, value: &str) -> Result<u32, String> {
    Ok(number(name, value)?.clamp(1, u32::MAX.into()) as u32)
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("go: expected a whole number after '{name}', found '{value}'"))
}

/// Milliseconds. Some runners let a clock fall below zero, which is no time at all.
fn time(name: &str, value: &str) -> Result<Duration, String> {
    let below_zero = value.parse().is_ok_and(|ms: i64| ms < 0);
    let ms = if below_zero { 0 } else { number(name, value)? };
    // A day is more than any move takes, and keeps sums of times far from overflow.
    Ok(Duration::from_millis(ms).min(Duration::from_secs(24 * 3600)))
}

/// Both clocks; a player without one has the other's.
fn clocks(left: ByColor<Option<Duration>>, increment: ByColor<Option<Duration>>) -> Option<ByColor<Clock>> {
    let any = left.black.or(left.white)?;
    let clock = |left: Option<Duration>, increment: Option<Duration>| Clock {
        left: left.unwrap_or(any),
        increment: increment.unwrap_or_default(),
    };
    Some(ByColor::new(clock(left.black, increment.black), clock(left.white, increment.white)))
}

/// Writes the line for these limits in a position.
pub(crate) fn write(limits: &Limits, position: &Position) -> String {
    let mut line = String::from(if limits.is_pondering() { "go ponder" } else { "go" });
    let mut add = |name: &str, value: u128| {
        write!(line, " {name} {value}").expect("writing to a string");
    };
    if let Some(clock) = limits.clock {
        add("p1time", clock.black.left.as_millis());
        add("p2time", clock.white.left.as_millis());
        add("p1inc", clock.black.increment.as_millis());
        add("p2inc", clock.white.increment.as_millis());
    }
    if let Some(time) = limits.move_time {
        add("movetime", time.as_millis());
    }
    if let Some(nodes) = limits.nodes {
        add("nodes", nodes.into());
    }
    if let Some(depth) = limits.depth {
        add("depth", depth.into());
    }
    if let Some(moves) = limits.mate {
        add("mate", moves.into());
    }
    if limits.infinite {
        line.push_str(" infinite");
    }
    if !limits.moves.is_empty() {
        line.push_str(" searchmoves");
    }
    for &m in &limits.moves {
        write!(line, " {}", Notation::AbaPro.write(position, m)).expect("writing to a string");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::position::startpos;

    fn error(line: &str) -> String {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        parse(&tokens, &startpos()).expect_err("refused")
    }

    fn read(line: &str) -> Limits {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        parse(&tokens, &startpos()).expect("limits").0
    }

    #[test]
    fn all_limits_combine() {
        let limits = read("depth 4 nodes 900 movetime 250 p1time 1000 p2time 2000 p1inc 10 p2inc 20");
        assert_eq!(
            (limits.depth, limits.nodes, limits.move_time),
            (Some(4), Some(900), Some(Duration::from_millis(250)))
        );
        let clock = |left, increment| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        assert_eq!(limits.clock, Some(ByColor::new(clock(1000, 10), clock(2000, 20))));
    }

    #[test]
    fn the_names_of_chess_clocks_are_synonyms() {
        let (ours, chess) =
            (read("p1time 5 p2time 6 p1inc 7 p2inc 8"), read("btime 5 wtime 6 binc 7 winc 8"));
        assert_eq!(ours.clock, chess.clock);
    }

    #[test]
    fn what_is_written_reads_back() {
        for line in [
            "depth 3",
            "ponder p1time 1 p2time 2 p1inc 3 p2inc 4 movetime 5 nodes 6 depth 7 mate 8 infinite \
             searchmoves a1b2 a2b3",
            "infinite",
        ] {
            assert_eq!(write(&read(line), &startpos()), format!("go {line}"));
        }
    }

    #[test]
    fn the_moves_to_choose_among_end_at_the_next_limit() {
        let limits = read("searchmoves a1b2 a2b3 depth 5");
        assert_eq!((limits.moves.len(), limits.depth), (2, Some(5)));
    }

    #[test]
    fn moves_to_choose_among_must_be_legal() {
        assert!(error("searchmoves a1b2 e5e6 depth 5").starts_with("go searchmoves: 'e5e6': "));
        assert_eq!(error("searchmoves depth 5"), "go: expected moves after 'searchmoves'");
    }

    #[test]
    fn pondering_lasts_until_its_flag_is_taken_back() {
        let limits = read("ponder movetime 5");
        assert!(limits.is_pondering());
        limits.ponder.as_ref().expect("a flag").hit();
        assert_eq!((limits.is_pondering(), write(&limits, &startpos())), (false, "go movetime 5".into()));
    }

    #[test]
    fn a_clock_below_zero_is_empty() {
        assert_eq!(read("p1time -30 p2time 10").clock.map(|clock| clock.black.left), Some(Duration::ZERO));
    }

    #[test]
    fn a_word_in_place_of_a_number_is_an_error() {
        assert_eq!(error("depth x"), "go: expected a whole number after 'depth', found 'x'");
        assert_eq!(error("nodes"), "go: expected a number after 'nodes'");
    }

    #[test]
    fn unknown_words_are_passed_over_and_named() {
        let (limits, ignored) = parse(&["fast", "depth", "2"], &startpos()).expect("limits");
        assert_eq!((limits.depth, ignored), (Some(2), vec!["fast".to_string()]));
    }
}

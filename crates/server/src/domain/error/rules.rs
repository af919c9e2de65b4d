//! Causes from what the rules and the agents say: which marble, which row, which option.

use serde::Serialize;
use sumito_agents::options::{Kind, OptionError};
use sumito_agents::{SpecError, registry};
use sumito_rules::record::{Limit, ReadError, Record, RecordError};
use sumito_rules::{Color, IllegalMove, MoveError, Notation, ParseError, PlayError, PositionFormat, Refusal};

use super::{AppError, Cause, Words};

/// A move that cannot be read, or is against the rules.
pub(crate) fn illegal(error: &MoveError) -> AppError {
    let cause = match error {
        MoveError::Syntax(ParseError { expected, found, line, column }) => {
            let (expected, found) = (expected.clone(), found.clone());
            Cause::MoveSyntax { line: *line, column: *column, expected, found }
        }
        MoveError::Illegal { why, .. } => match *why {
            Refusal::Rule(why) => against(why),
            Refusal::NotNeighbours(from, to)
            | Refusal::NotSideways(from, to, _)
            | Refusal::NoLine(from, to) => Cause::MoveNoLine { from: from.to_string(), to: to.to_string() },
        },
    };
    AppError::from(cause).saying(error.to_string())
}

/// A move that a game does not take.
pub(crate) fn unplayable(error: &PlayError) -> AppError {
    match error {
        PlayError::Over(outcome) => {
            Cause::MoveAfterEnd { reason: word(&outcome.reason) }.at("move").saying(error.to_string())
        }
        PlayError::Illegal(why) => AppError::from(against(*why)).saying(why.to_string()),
    }
}

fn against(why: IllegalMove) -> Cause {
    match why {
        IllegalMove::NoMarble { cell, turn } => {
            Cause::MoveNoMarble { cell: cell.to_string(), turn: word(&turn) }
        }
        IllegalMove::LineTooLong(cell) => Cause::MoveLineTooLong { cell: cell.to_string() },
        IllegalMove::OwnInTheWay(cell) => Cause::MoveOwnInTheWay { cell: cell.to_string() },
        IllegalMove::NotEmpty(cell) => Cause::MoveNotEmpty { cell: cell.to_string() },
        IllegalMove::TooWeak { own, enemy } => Cause::MoveTooWeak { own, cell: enemy.to_string() },
        IllegalMove::PushBlocked(cell) => Cause::MovePushBlocked { cell: cell.to_string() },
        IllegalMove::LeavesBoard(cell) => Cause::MoveLeavesBoard { cell: cell.to_string() },
    }
}

/// A value by the word that stands for it in the interface.
pub(crate) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).ok();
    value.and_then(|value| value.as_str().map(str::to_string)).unwrap_or_default()
}

/// A text that is no position.
pub(crate) fn position(text: &str, error: &ParseError) -> AppError {
    let ParseError { expected, found, line, column } = error.clone();
    let cause = match PositionFormat::detect(text) {
        PositionFormat::Fen => rows(text).or_else(|| marbles(text)).unwrap_or_else(|| Cause::FenField {
            part: field(text, column),
            line,
            column,
            expected,
            found,
        }),
        format => Cause::PositionUnreadable { format: format.name(), line, column, expected, found },
    };
    AppError::from(cause).saying(error.to_string())
}

/// Marbles of a side, on the board and off it.
const MOST_MARBLES: usize = 14;

/// Whether a FEN whose rows are right has too many marbles of a side.
fn marbles(text: &str) -> Option<Cause> {
    let mut fields = text.split_whitespace();
    let board = fields.next()?;
    let mut score = || fields.next().and_then(|field| field.parse::<usize>().ok()).unwrap_or(0);
    let (black, white) = (score(), score());
    // A side has lost what the other one has pushed off.
    [(Color::Black, ['S', 'b'], white), (Color::White, ['s', 'w'], black)].into_iter().find_map(
        |(color, letters, lost)| {
            let found = board.matches(letters).count() + lost.min(MOST_MARBLES);
            let color = word(&color);
            (found > MOST_MARBLES).then_some(Cause::FenMarbles { color, most: MOST_MARBLES, found })
        },
    )
}

/// What a FEN should have in this column, after its rows.
fn field(text: &str, column: usize) -> &'static str {
    let before: String = text.chars().take(column.saturating_sub(1)).collect();
    let begun = before.split_whitespace().count();
    // In the middle of a field it is that one.
    let at = if before.ends_with(|c: char| !c.is_whitespace()) { begun.saturating_sub(1) } else { begun };
    ["rows", "score-black", "score-white", "turn", "quiet", "number"].get(at).unwrap_or(&"end")
}

/// A record that cannot be read.
pub(crate) fn unreadable(error: &ReadError) -> AppError {
    match error {
        ReadError::Syntax(error) => {
            let ParseError { expected, found, line, column } = error.clone();
            Cause::RecordSyntax { line, column, expected, found }.into()
        }
        ReadError::Limit(limit, error) => beyond(*limit).saying(error.to_string()),
        ReadError::Io(_) => AppError::internal(),
    }
}

/// A record that is too large to be read to its end.
fn beyond(limit: Limit) -> AppError {
    let (part, most) = match limit {
        Limit::Line(most) => ("line", most),
        Limit::Bytes(most) => ("bytes", most),
        Limit::Moves(most) => ("moves", most),
        Limit::Nesting(most) => ("nesting", most),
    };
    Cause::RecordLimit { part, most }.into()
}

/// A record that cannot be played; the field is the move at fault.
pub(crate) fn record(record: &Record, error: &RecordError) -> AppError {
    let fault = match error {
        RecordError::Tag { name, .. } if name == "Notation" => {
            let known = Words(Notation::ALL.map(Notation::name).to_vec());
            Cause::NotationUnknown { known, found: short(record.tag(name)) }.into()
        }
        RecordError::Tag { name, error } => position(record.tag(name).unwrap_or_default(), error),
        RecordError::Layout { error, .. } => {
            Cause::LayoutUnknown { found: short(Some(&error.name)), near: Words(error.near_misses()) }.into()
        }
        RecordError::Move { ply, error } => illegal(error).at(format!("moves[{ply}]")),
        RecordError::Over { ply, reason, .. } => {
            Cause::MoveAfterEnd { reason: word(reason) }.at(format!("moves[{ply}]"))
        }
    };
    fault.saying(error.to_string())
}

/// So much of a text as an error quotes.
fn short(text: Option<&str>) -> String {
    text.unwrap_or_default().chars().take(40).collect()
}

/// What is wrong with the rows of a FEN, if it is they.
fn rows(text: &str) -> Option<Cause> {
    let board = text.split_whitespace().next()?;
    let found = board.split('/').count();
    for (row, cells) in ('A'..='I').rev().zip(board.split('/')) {
        let expected = 9 - usize::from((row as u8).abs_diff(b'E'));
        let mut count = 0;
        for letter in cells.chars() {
            count += match letter {
                'S' | 's' | 'b' | 'w' => 1,
                '1'..='9' => letter as usize - '0' as usize,
                found => return Some(Cause::FenLetter { row, found }),
            };
        }
        if count != expected {
            return Some(Cause::FenRow { row, expected, cells: count });
        }
    }
    (found != 9).then_some(Cause::FenRows { expected: 9, found })
}

/// A spec that names no agent.
pub(crate) fn agent(error: &SpecError) -> AppError {
    let cause = match error {
        SpecError::UnknownAgent { name } => Cause::AgentUnknown { name: name.clone() },
        SpecError::Option { agent, why: OptionError::Unknown { name, .. } } => {
            Cause::AgentOption { agent: agent.to_string(), option: name.clone() }
        }
        SpecError::Option { agent, why: OptionError::Value { name, expected, found } } => {
            misfit(agent, name, (expected, found))
        }
        SpecError::Closed { agent, option, .. } => {
            Cause::AgentClosed { agent: agent.to_string(), option: option.to_string() }
        }
        SpecError::Build { why, .. } => Cause::AgentFailed { why: why.clone() },
    };
    cause.at("agent").saying(error.to_string())
}

/// A value that does not fit, with those that do.
fn misfit(agent: &str, name: &str, (expected, found): (&str, &str)) -> Cause {
    let (agent, option, found) = (agent.to_string(), name.to_string(), found.to_string());
    let options = registry::entry(&agent).map_or(&[][..], |entry| entry.options);
    let Some(kind) = options.iter().find(|option| option.name == name).map(|option| option.kind) else {
        return Cause::AgentValue { agent, option, expected: expected.to_string(), found };
    };
    let range = kind.whole().map(|range| (*range.start() as f64, *range.end() as f64));
    match (kind, range) {
        (_, Some((least, most))) | (Kind::Float { min: least, max: most, .. }, _) => {
            Cause::AgentRange { agent, option, least, most, found }
        }
        (Kind::Flag(_), _) => Cause::AgentWord { agent, option, known: Words(vec!["on", "off"]), found },
        (Kind::Choice(words), _) => Cause::AgentWord { agent, option, known: Words(words.to_vec()), found },
        _ => Cause::AgentValue { agent, option, expected: expected.to_string(), found },
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::record::Reader;

    use super::*;

    #[test]
    fn a_fen_says_which_row_is_at_fault() {
        for (text, expected) in [
            ("ss1S/6/7/8/9/8/7/6/5 0 0 b", Some(Cause::FenRow { row: 'I', expected: 5, cells: 4 })),
            ("5/6/7/8/9/8/7/6/6", Some(Cause::FenRow { row: 'A', expected: 5, cells: 6 })),
            ("5/6/7/8/8/8/7/6/5", Some(Cause::FenRow { row: 'E', expected: 9, cells: 8 })),
            ("5/6/7/x7/9/8/7/6/5", Some(Cause::FenLetter { row: 'F', found: 'x' })),
            ("5/6/7", Some(Cause::FenRows { expected: 9, found: 3 })),
            ("5/6/7/8/9/8/7/6/5/1", Some(Cause::FenRows { expected: 9, found: 10 })),
        ] {
            let error = PositionFormat::Fen.parse(text).expect_err(text);
            let fault = position(text, &error).fault();
            assert_eq!(fault.message, error.to_string());
            assert_eq!(Some(fault.cause), expected, "{text}");
        }
    }

    #[test]
    fn a_fen_with_good_rows_says_which_side_has_too_many_marbles_or_what_comes_next() {
        for (text, side, count) in [
            ("SSSSS/SSSSSS/SSSS3/8/9/8/7/6/5 0 0 b 0 1", "black", 15),
            ("SSSSS/SSSSSS/SSS4/8/9/8/7/6/5 0 1 b 0 1", "black", 15),
            ("sssss/ssssss/sss4/8/9/8/7/6/5 3 0 b 0 1", "white", 17),
        ] {
            let error = PositionFormat::Fen.parse(text).expect_err(text);
            let expected = Cause::FenMarbles { color: side.to_string(), most: 14, found: count };
            assert_eq!(position(text, &error).fault().cause, expected, "{text}");
        }
        let empty = "5/6/7/8/9/8/7/6/5";
        for (rest, expected) in [
            (" x", "score-black"),
            (" 15", "score-black"),
            (" 0 x", "score-white"),
            (" 0 0 x", "turn"),
            (" 0 0 bx", "turn"),
            (" 0 0 b -1", "quiet"),
            (" 0 0 b 0 99999", "number"),
            (" 0 0 b 0 1 x", "end"),
        ] {
            let text = format!("{empty}{rest}");
            let error = PositionFormat::Fen.parse(&text).expect_err(&text);
            match position(&text, &error).fault().cause {
                Cause::FenField { part, .. } => assert_eq!(part, expected, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_record_says_which_move_or_tag_is_at_fault() {
        let fault = |text: &str| {
            let read = Reader::new(text.as_bytes()).next().expect("a record").expect("well formed");
            let fault = record(&read, &read.replay().expect_err(text)).fault();
            (fault.cause.code(), fault.field)
        };
        let at = |ply: usize| Some(format!("moves[{ply}]"));
        assert_eq!(fault("1. a1b2 a1b2 *"), ("move.no_marble", at(1)));
        assert_eq!(fault("1. a1b2 i5h5 2. a1a3 *").1, at(2));
        assert_eq!(fault("[Variant \"nowhere\"]\n\n1. a1b2 *"), ("layout.unknown", None));
        assert_eq!(fault("[Notation \"Klingon\"]\n\n1. a1b2 *"), ("notation.unknown", None));
        assert_eq!(fault("[FEN \"5/6\"]\n\n1. a1b2 *"), ("fen.rows", None));
        let won = "[FEN \"S4/1s4/2s4/8/6SSs/8/7/6/2SSs 6 5 b 0 1\"]\n\n1. e7e8 *";
        assert_eq!(fault(won), ("move.after_end", at(0)));
    }

    #[test]
    fn a_value_of_an_agent_is_refused_with_those_that_fit() {
        let cause = |spec: &str| {
            let spec = spec.parse::<sumito_agents::AgentSpec>();
            agent(&spec.and_then(|spec| spec.resolve().map(drop)).expect_err("refused")).fault().cause
        };
        for (spec, code) in [
            ("aba-pro:depth=999", "agent.range"),
            ("greedy:eval=x", "agent.word"),
            ("nobody", "agent.unknown"),
            ("aba-pro:dept=3", "agent.option"),
        ] {
            assert_eq!(cause(spec).code(), code, "{spec}");
        }
    }
}

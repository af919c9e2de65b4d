//! Causes from what the rules and the agents say: which marble, which row, which option.

use serde::Serialize;
use sumito_agents::SpecError;
use sumito_agents::options::OptionError;
use sumito_rules::{IllegalMove, MoveError, ParseError, PlayError, PositionFormat, Refusal};

use super::{AppError, Cause};

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
    let rows = match PositionFormat::detect(text) {
        PositionFormat::Fen => rows(text),
        _ => None,
    };
    let cause = rows.unwrap_or_else(|| {
        let ParseError { expected, found, line, column } = error.clone();
        Cause::FenField { line, column, expected, found }
    });
    AppError::from(cause).saying(error.to_string())
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
            let (expected, found) = (expected.clone(), found.clone());
            Cause::AgentValue { agent: agent.to_string(), option: name.clone(), expected, found }
        }
        SpecError::Closed { agent, option, .. } => {
            Cause::AgentClosed { agent: agent.to_string(), option: option.to_string() }
        }
        SpecError::Build { why, .. } => Cause::AgentFailed { why: why.clone() },
    };
    cause.at("agent").saying(error.to_string())
}

#[cfg(test)]
mod tests {
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
            ("5/6/7/8/9/8/7/6/5 x", None),
        ] {
            let error = PositionFormat::Fen.parse(text).expect_err(text);
            let fault = position(text, &error).fault();
            assert_eq!(fault.message, error.to_string());
            match expected {
                Some(cause) => assert_eq!(fault.cause, cause, "{text}"),
                None => assert!(matches!(fault.cause, Cause::FenField { .. }), "{text}"),
            }
        }
    }
}

//! The words that stand for types of the rules, for the description of the interface: it must name every one of them.

use std::borrow::Cow;

use sumito_rules::{Direction, Reason};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::error::word;
use crate::domain::game::UNKNOWN;

/// Describes a type that is one of some words.
fn one_of(description: &str, words: Vec<String>) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    object.enum_values(Some(words)).into()
}

/// A cell, `a1` to `i9`.
#[derive(ToSchema)]
#[schema(as = Cell, value_type = String, pattern = "^[a-i][1-9]$")]
#[expect(dead_code, reason = "only described")]
pub(crate) struct CellWord(String);

/// A side.
#[derive(ToSchema)]
#[schema(as = Color, rename_all = "lowercase")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum ColorWord {
    Black,
    White,
}

/// Where marbles go.
pub(crate) struct DirectionWord;

impl PartialSchema for DirectionWord {
    fn schema() -> RefOr<Schema> {
        one_of("Where marbles go.", Direction::ALL.iter().map(word).collect())
    }
}

impl ToSchema for DirectionWord {
    fn name() -> Cow<'static, str> {
        "Direction".into()
    }
}

/// How a game came out.
#[derive(ToSchema)]
#[schema(as = Result, rename_all = "lowercase")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum ResultWord {
    Black,
    White,
    Draw,
}

/// Why a game is over.
pub(crate) struct ReasonWord;

impl PartialSchema for ReasonWord {
    fn schema() -> RefOr<Schema> {
        // Of an imported game perhaps only the result is known.
        let words = Reason::ALL.iter().map(word).chain([UNKNOWN.to_string()]);
        one_of("Why a game is over.", words.collect())
    }
}

impl ToSchema for ReasonWord {
    fn name() -> Cow<'static, str> {
        "Reason".into()
    }
}

/// What becomes of a position that comes again.
#[derive(ToSchema)]
#[schema(as = Repetition, rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum RepetitionWord {
    Off,
    Threefold,
    MakeAndUndo,
}

/// What decides a game at a limit of its plies.
#[derive(ToSchema)]
#[schema(as = AtCap, rename_all = "lowercase")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum AtCapWord {
    Ejections,
    Draw,
}

/// What a move of a reviewed game was.
#[derive(ToSchema)]
#[schema(as = Judgement, rename_all = "lowercase")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum JudgementWord {
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use serde_json::{Value, json};
    use sumito_rules::{AtCap, Cell, Color, Repetition};

    fn words<T: PartialSchema>() -> Vec<Value> {
        let schema = serde_json::to_value(T::schema()).expect("plain data");
        schema["enum"].as_array().expect("words").clone()
    }

    fn written(all: &[impl Serialize]) -> Vec<Value> {
        all.iter().map(|one| json!(one)).collect()
    }

    #[test]
    fn every_type_has_just_the_words_that_are_described() {
        assert_eq!(words::<ColorWord>(), written(&Color::ALL));
        let repetitions = [Repetition::Off, Repetition::Threefold, Repetition::MakeAndUndo];
        assert_eq!(words::<RepetitionWord>(), written(&repetitions));
        assert_eq!(words::<AtCapWord>(), written(&[AtCap::Ejections, AtCap::Draw]));
        assert!(Cell::ALL.iter().all(|cell| cell.to_string().len() == 2));
    }
}

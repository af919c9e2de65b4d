//! The words that stand for types of the rules, for the description of the interface: it must name every one of them.

use utoipa::ToSchema;

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
#[derive(ToSchema)]
#[schema(as = Direction, rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum DirectionWord {
    East,
    NorthEast,
    NorthWest,
    West,
    SouthWest,
    SouthEast,
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
#[derive(ToSchema)]
#[schema(as = Reason, rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum ReasonWord {
    Ejections,
    NoMoves,
    Repetition,
    PlyCap,
    QuietCap,
    Resignation,
    Agreement,
    Time,
    Forfeit,
    /// An imported game of which only the result is known.
    Unknown,
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
    use sumito_rules::{AtCap, Cell, Color, Direction, Reason, Repetition};
    use utoipa::PartialSchema;

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
        let mut directions = written(&Direction::ALL);
        directions.sort_by_key(|word| words::<DirectionWord>().iter().position(|known| known == word));
        assert_eq!(words::<DirectionWord>(), directions);
        let repetitions = [Repetition::Off, Repetition::Threefold, Repetition::MakeAndUndo];
        assert_eq!(words::<RepetitionWord>(), written(&repetitions));
        assert_eq!(words::<AtCapWord>(), written(&[AtCap::Ejections, AtCap::Draw]));
        let reasons = [
            Reason::Ejections,
            Reason::NoMoves,
            Reason::Repetition,
            Reason::PlyCap,
            Reason::QuietCap,
            Reason::Resignation,
            Reason::Agreement,
            Reason::Time,
            Reason::Forfeit,
        ];
        assert_eq!(words::<ReasonWord>()[..reasons.len()], written(&reasons));
        assert!(Cell::ALL.iter().all(|cell| cell.to_string().len() == 2));
    }
}

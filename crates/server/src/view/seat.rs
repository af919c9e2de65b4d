//! Players as requests name them.

use serde::Deserialize;
use sumito_engine::Level;
use sumito_rules::Color;
use utoipa::ToSchema;

use crate::domain::error::{AppError, Cause};
use crate::domain::ids;
use crate::domain::seat::{Seat, Spec};

/// A player as a request names it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum SeatRequest {
    /// A person.
    Human { name: Option<String> },
    /// An agent, such as `sumito:level=3`.
    Agent { spec: String, name: Option<String> },
}

/// Which seat somebody wants.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatChoice {
    Black,
    White,
    /// Either, by chance.
    Random,
}

impl SeatChoice {
    /// The seat.
    pub(crate) fn color(self) -> Color {
        match self {
            SeatChoice::Black => Color::Black,
            SeatChoice::White => Color::White,
            SeatChoice::Random => Color::ALL[usize::from(ids::coin())],
        }
    }
}

/// A game with a friend: whoever begins it has a key for one seat, the other is for whoever joins first.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FriendRequest {
    /// The seat of the one who begins.
    pub(crate) color: SeatChoice,
    /// Their name in the game.
    pub(crate) name: Option<String>,
}

/// The longest name.
const LONGEST: usize = 80;

impl SeatRequest {
    /// The player, if there is one like this.
    pub(crate) fn seat(self, field: &str) -> Result<Seat, AppError> {
        match self {
            SeatRequest::Human { name } => {
                Ok(Seat::Human { name: checked_name(name.unwrap_or_default(), &format!("{field}.name"))? })
            }
            SeatRequest::Agent { spec, name } => {
                let spec = Spec::new(&spec).map_err(|error| error.at(format!("{field}.spec")))?;
                let name = match name {
                    Some(name) => checked_name(name, &format!("{field}.name"))?,
                    None => spec.title(),
                };
                Ok(Seat::Agent { level: spec.level.map(Level::number), spec: spec.text, name })
            }
        }
    }
}

/// A name that fits into a list.
pub(crate) fn checked_name(name: String, field: &str) -> Result<String, AppError> {
    let name = name.trim().to_string();
    if name.chars().count() > LONGEST || name.chars().any(char::is_control) {
        return Err(Cause::TextTooLong { most: LONGEST }.at(field));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_called_by_its_name() {
        let seat =
            SeatRequest::Agent { spec: "sumito:level=4".into(), name: None }.seat("black").expect("an agent");
        assert_eq!((seat.name(), seat.spec()), ("Sumito, level 4: casual player", Some("sumito:level=4")));
    }
}

//! The interface: one file for each group of paths.

pub(crate) mod account;
pub(crate) mod analysis;
pub(crate) mod asked;
pub(crate) mod boards;
pub(crate) mod bot;
pub(crate) mod bots;
pub(crate) mod chat;
pub(crate) mod feed;
pub(crate) mod friend;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod imports;
pub(crate) mod live;
pub(crate) mod lobby;
pub(crate) mod me;
pub(crate) mod meta;
pub(crate) mod openapi;
pub(crate) mod openings;
pub(crate) mod opinion;
pub(crate) mod peace;
pub(crate) mod picture;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod preview;
pub(crate) mod records;
pub(crate) mod review;
pub(crate) mod socket;
pub(crate) mod tournaments;

use sumito_rules::{Game, Layout, Notation, Position, PositionFormat};

use crate::domain::error::{self, AppError, Cause, Words};
use crate::view::position::MOST_MOVES;

/// The position that a request names: a layout or a position in any format; the Belgian Daisy if neither.
pub(crate) fn start(layout: Option<&str>, fen: Option<&str>) -> Result<Position, AppError> {
    match (layout, fen) {
        (Some(_), Some(_)) => Err(Cause::StartBoth {}.at("fen")),
        (Some(layout), None) => find_layout(layout).map(Layout::position),
        (None, Some(fen)) => position(fen),
        (None, None) => Ok(Layout::all()[0].position()),
    }
}

/// The layout with this name.
pub(crate) fn find_layout(name: &str) -> Result<&'static Layout, AppError> {
    Layout::find(name).map_err(|error| {
        let cause = Cause::LayoutUnknown { found: error.name.clone(), near: Words(error.near_misses()) };
        cause.at("layout").saying(error.to_string())
    })
}

/// A position in any format.
pub(crate) fn position(text: &str) -> Result<Position, AppError> {
    PositionFormat::detect(text).parse(text).map_err(|error| error::position(text, &error).at("fen"))
}

/// The notation with this name, Aba-Pro if there is none.
pub(crate) fn notation(name: Option<&str>) -> Result<Notation, AppError> {
    let known = || Words(Notation::ALL.map(Notation::name).to_vec());
    name.map_or(Ok(Notation::default()), |name| {
        name.parse()
            .map_err(|_| Cause::WordUnknown { known: known(), found: name.to_string() }.at("notation"))
    })
}

/// Plays moves; the error names the one at fault.
pub(crate) fn play_all(
    game: &mut Game,
    moves: &[String],
    notation: Notation,
    field: &str,
) -> Result<(), AppError> {
    if moves.len() > MOST_MOVES {
        return Err(Cause::MovesTooMany { most: MOST_MOVES, found: moves.len() }.at(field));
    }
    for (number, text) in moves.iter().enumerate() {
        let at = || format!("{field}[{number}]");
        let m = notation.parse(game.position(), text).map_err(|error| error::illegal(&error).at(at()))?;
        game.play(m).map_err(|error| error::unplayable(&error).at(at()))?;
    }
    Ok(())
}

//! The interface: one file for each group of paths.

pub(crate) mod analysis;
pub(crate) mod boards;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod imports;
pub(crate) mod live;
pub(crate) mod meta;
pub(crate) mod openings;
pub(crate) mod opinion;
pub(crate) mod picture;
pub(crate) mod play;
pub(crate) mod records;
pub(crate) mod review;
pub(crate) mod socket;

use axum::http::{HeaderMap, header};
use sumito_rules::{Game, Layout, Notation, Position, PositionFormat};

use crate::error::{self, AppError, Cause, Words};
use crate::live::MOST_MOVES;

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

/// The key of a game that a request brings.
pub(crate) fn key(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(|key| key.trim().to_string()).filter(|key| !key.is_empty())
}

/// A moment as a date, `2016.09.19`.
pub(crate) fn date(ms: i64) -> String {
    let days = ms.div_euclid(86_400_000);
    // Days since the first of March of a year that is a multiple of 400: leap days come last then.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let rest = day - (365 * year + year / 4 - year / 100);
    let month = (5 * rest + 2) / 153;
    let (day, month) = (rest - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// A date as a moment.
pub(crate) fn moment(date: &str) -> Option<i64> {
    let mut parts = date.split(['.', '-', '/']).map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some()
        || !(1..=9999).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
    {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_moments_are_one_to_one() {
        for date in ["1970.01.01", "2000.02.29", "2016.09.19", "1900.03.01", "2026.12.31"] {
            assert_eq!(super::date(moment(date).expect("a date")), date);
        }
        assert_eq!((moment("1970.01.02"), moment("1969.12.31")), (Some(86_400_000), Some(-86_400_000)));
        assert!(
            ["", "????.??.??", "2016", "2016.13.01", "2016.1.1.1"].iter().all(|text| moment(text).is_none())
        );
    }
}

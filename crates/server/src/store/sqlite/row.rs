//! Rows of the database.

use sqlx::Row;
use sqlx::sqlite::{Sqlite, SqliteRow};
use sumito_rules::{ByColor, Color, Move};

use super::json::{StoredClock, StoredPlan, StoredRules, StoredValue};
use crate::domain::client::Owner;
use crate::domain::error::word;
use crate::domain::game::{Source, color};
use crate::domain::kept::{GameState, KeptGame, KeptReview, Offers, PlyNote, TakebackOffer};
use crate::domain::keys::{GameKeys, Holder};
use crate::domain::person::PersonId;
use crate::domain::plan::Plan;
use crate::domain::seat::Seat;

/// Moves as bytes.
pub(crate) fn bytes(moves: &[Move]) -> Vec<u8> {
    moves.iter().flat_map(|m| m.bits().to_le_bytes()).collect()
}

/// Bytes as moves.
pub(super) fn moves(bytes: &[u8]) -> Result<Vec<Move>, sqlx::Error> {
    let pairs = bytes.chunks_exact(2).map(|pair| Move::from_bits(u16::from_le_bytes([pair[0], pair[1]])));
    pairs.collect::<Option<Vec<_>>>().ok_or_else(|| wrong("moves"))
}

pub(super) fn wrong(column: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("expected a value that this program writes in column {column}").into())
}

pub(crate) fn seat(row: &SqliteRow, side: Color) -> Result<Seat, sqlx::Error> {
    let name = word(&side);
    let spec: Option<String> = row.try_get(format!("{name}_agent").as_str())?;
    let level: Option<u8> = row.try_get(format!("{name}_level").as_str())?;
    let name: String = row.try_get(name.as_str())?;
    Ok(match spec {
        Some(spec) => Seat::Agent { spec, name, level },
        None => Seat::Human { name },
    })
}

pub(crate) fn source(row: &SqliteRow) -> Result<Source, sqlx::Error> {
    Source::named(row.try_get("source")?).ok_or_else(|| wrong("source"))
}

/// A column that a database of an earlier version, which is checked or exported as it is, does not have.
fn newer<'r, T: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>>(
    row: &'r SqliteRow,
    column: &str,
) -> Result<Option<T>, sqlx::Error> {
    match row.try_get(column) {
        Err(sqlx::Error::ColumnNotFound(_)) => Ok(None),
        found => found,
    }
}

/// What is kept of a game's keys.
pub(super) fn keys(row: &SqliteRow) -> Result<GameKeys, sqlx::Error> {
    let one: Option<Vec<u8>> = row.try_get("key")?;
    let person = |column| Ok::<_, sqlx::Error>(newer::<i64>(row, column)?.map(PersonId));
    let (black, white) = (person("black_person")?, person("white_person")?);
    let holder = |key: Option<Vec<u8>>, person| key.map(|key| Holder { key, person });
    let each = ByColor::new(holder(newer(row, "black_key")?, black), holder(newer(row, "white_key")?, white));
    Ok(match one {
        Some(key) => GameKeys::One(Holder { key, person: black.or(white) }),
        None if each.black.is_some() || each.white.is_some() => GameKeys::Each(each),
        None => GameKeys::None,
    })
}

/// What one of two persons offers the other.
fn offers(row: &SqliteRow) -> Result<Offers, sqlx::Error> {
    let side = |column: &str| Ok::<_, sqlx::Error>(newer::<&str>(row, column)?.and_then(color));
    let (by, plies) = (side("undo_by")?, newer::<u32>(row, "undo_plies")?);
    let takeback = by.zip(plies).map(|(by, plies)| TakebackOffer { by, plies: plies as usize });
    Ok(Offers { takeback, rematch: side("rematch_by")? })
}

/// What a side will answer. A plan that cannot be read is none: it is only a help.
fn plan(row: &SqliteRow, column: &str) -> Result<Plan, sqlx::Error> {
    let stored = newer::<&str>(row, column)?.and_then(|text| serde_json::from_str::<StoredPlan>(text).ok());
    Ok(stored.and_then(|stored| stored.plan()).unwrap_or_default())
}

/// A game.
pub(super) fn game(row: &SqliteRow) -> Result<KeptGame, sqlx::Error> {
    let clock: Option<&str> = row.try_get("clock")?;
    let clock = clock.map(serde_json::from_str::<StoredClock>).transpose().map_err(|_| wrong("clock"))?;
    let rules: StoredRules = serde_json::from_str(row.try_get("rules")?).map_err(|_| wrong("rules"))?;
    let offer: Option<&str> = row.try_get("offer")?;
    let think_ms: i64 = row.try_get("think_ms")?;
    let white_think_ms: Option<i64> = newer(row, "white_think_ms")?;
    Ok(KeptGame {
        num: row.try_get("num")?,
        id: row.try_get("id")?,
        keys: keys(row)?,
        digest: row.try_get("digest")?,
        source: source(row)?,
        layout: row.try_get("layout")?,
        start: row.try_get("start")?,
        rules: rules.into(),
        black: seat(row, Color::Black)?,
        white: seat(row, Color::White)?,
        clock: clock.map(Into::into),
        created: row.try_get("created")?,
        tags: serde_json::from_str(row.try_get("tags")?).map_err(|_| wrong("tags"))?,
        record: row.try_get("record")?,
        owner: Owner(row.try_get("owner")?),
        rated: newer(row, "rated")?.unwrap_or(false),
        tournament: newer(row, "tournament")?,
        state: GameState {
            updated: row.try_get("updated")?,
            moves: moves(row.try_get("moves")?)?,
            fen: row.try_get("fen")?,
            result: row.try_get("result")?,
            reason: row.try_get("reason")?,
            offer: offer.and_then(color),
            black_ms: row.try_get("black_ms")?,
            white_ms: row.try_get("white_ms")?,
            paused: row.try_get("paused")?,
            delay_ms: row.try_get("delay_ms")?,
            think_ms: ByColor::new(think_ms, white_think_ms.unwrap_or(think_ms)),
            next: row.try_get("next")?,
            offers: offers(row)?,
            due: newer(row, "due")?,
            plans: ByColor::new(plan(row, "black_plan")?, plan(row, "white_plan")?),
        },
    })
}

/// What is known about a move.
pub(super) fn ply(row: &SqliteRow) -> Result<PlyNote, sqlx::Error> {
    let value: Option<&str> = row.try_get("score")?;
    // A value that cannot be read is none.
    let value = value.and_then(|text| serde_json::from_str::<StoredValue>(text).ok());
    Ok(PlyNote {
        ply: row.try_get("ply")?,
        ms: row.try_get("ms")?,
        value: value.map(Into::into),
        depth: row.try_get("depth")?,
        nodes: row.try_get("nodes")?,
    })
}

/// A game's review.
pub(super) fn review(row: &SqliteRow) -> Result<KeptReview, sqlx::Error> {
    Ok(KeptReview {
        nodes: row.try_get("nodes")?,
        time_ms: row.try_get("time_ms")?,
        plies: row.try_get("plies")?,
        report: row.try_get("report")?,
    })
}

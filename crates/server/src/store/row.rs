//! Rows of the database.

use std::collections::BTreeMap;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use sumito_rules::{Color, Move};

use crate::client::Owner;
use crate::view::game::{ClockView, Source};
use crate::view::rules::RulesView;
use crate::view::seat::Seat;

/// A game.
#[derive(Clone, Debug)]
pub(crate) struct GameRow {
    /// Its number in the database; any for a new one.
    pub(crate) num: i64,
    pub(crate) id: String,
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) digest: Option<Vec<u8>>,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) start: String,
    pub(crate) rules: RulesView,
    pub(crate) black: Seat,
    pub(crate) white: Seat,
    pub(crate) clock: Option<ClockView>,
    pub(crate) created: i64,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) record: Option<String>,
    pub(crate) owner: Owner,
    pub(crate) state: Change,
}

/// What changes as a game goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Change {
    pub(crate) updated: i64,
    pub(crate) moves: Vec<Move>,
    pub(crate) fen: String,
    pub(crate) result: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) offer: Option<Color>,
    pub(crate) black_ms: Option<i64>,
    pub(crate) white_ms: Option<i64>,
    pub(crate) paused: bool,
    pub(crate) delay_ms: i64,
    pub(crate) think_ms: i64,
    pub(crate) next: Option<String>,
}

/// What is known about a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PlyRow {
    pub(crate) ply: u32,
    pub(crate) ms: Option<i64>,
    /// JSON.
    pub(crate) score: Option<String>,
    pub(crate) depth: Option<i64>,
    pub(crate) nodes: Option<i64>,
}

/// A game's review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReviewRow {
    pub(crate) nodes: Option<i64>,
    pub(crate) time_ms: Option<i64>,
    /// How many moves the game had.
    pub(crate) plies: i64,
    /// JSON.
    pub(crate) report: String,
}

/// Moves as bytes.
pub(crate) fn bytes(moves: &[Move]) -> Vec<u8> {
    moves.iter().flat_map(|m| m.bits().to_le_bytes()).collect()
}

/// Bytes as moves.
fn moves(bytes: &[u8]) -> Result<Vec<Move>, sqlx::Error> {
    let pairs = bytes.chunks_exact(2).map(|pair| Move::from_bits(u16::from_le_bytes([pair[0], pair[1]])));
    pairs.collect::<Option<Vec<_>>>().ok_or_else(|| wrong("moves"))
}

fn wrong(column: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("expected a value that this program writes in column {column}").into())
}

pub(crate) fn color(name: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| color_name(color) == name)
}

pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(crate) fn seat(row: &SqliteRow, side: Color) -> Result<Seat, sqlx::Error> {
    let name = color_name(side);
    let spec: Option<String> = row.try_get(format!("{name}_agent").as_str())?;
    let level: Option<u8> = row.try_get(format!("{name}_level").as_str())?;
    let name: String = row.try_get(name)?;
    Ok(match spec {
        Some(spec) => Seat::Agent { spec, name, level },
        None => Seat::Human { name },
    })
}

pub(crate) fn source(row: &SqliteRow) -> Result<Source, sqlx::Error> {
    Source::named(row.try_get("source")?).ok_or_else(|| wrong("source"))
}

impl GameRow {
    pub(crate) fn read(row: &SqliteRow) -> Result<GameRow, sqlx::Error> {
        let clock: Option<&str> = row.try_get("clock")?;
        let clock = clock.map(serde_json::from_str).transpose().map_err(|_| wrong("clock"))?;
        let offer: Option<&str> = row.try_get("offer")?;
        Ok(GameRow {
            num: row.try_get("num")?,
            id: row.try_get("id")?,
            key: row.try_get("key")?,
            digest: row.try_get("digest")?,
            source: source(row)?,
            layout: row.try_get("layout")?,
            start: row.try_get("start")?,
            rules: serde_json::from_str(row.try_get("rules")?).map_err(|_| wrong("rules"))?,
            black: seat(row, Color::Black)?,
            white: seat(row, Color::White)?,
            clock,
            created: row.try_get("created")?,
            tags: serde_json::from_str(row.try_get("tags")?).map_err(|_| wrong("tags"))?,
            record: row.try_get("record")?,
            owner: Owner(row.try_get("owner")?),
            state: Change {
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
                think_ms: row.try_get("think_ms")?,
                next: row.try_get("next")?,
            },
        })
    }
}

impl PlyRow {
    pub(crate) fn read(row: &SqliteRow) -> Result<PlyRow, sqlx::Error> {
        Ok(PlyRow {
            ply: row.try_get("ply")?,
            ms: row.try_get("ms")?,
            score: row.try_get("score")?,
            depth: row.try_get("depth")?,
            nodes: row.try_get("nodes")?,
        })
    }
}

impl ReviewRow {
    pub(crate) fn read(row: &SqliteRow) -> Result<ReviewRow, sqlx::Error> {
        Ok(ReviewRow {
            nodes: row.try_get("nodes")?,
            time_ms: row.try_get("time_ms")?,
            plies: row.try_get("plies")?,
            report: row.try_get("report")?,
        })
    }
}

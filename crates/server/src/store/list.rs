//! Games by what is asked for: players, layout, result, length, opening, a position in any symmetric form.

use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{QueryBuilder, Row};
use sumito_rules::{Color, fen};

use super::row::{seat, source};
use super::{Store, failure};
use crate::error::AppError;
use crate::view::game::{GameSummary, ReviewStage, Source};
use crate::view::position::{self, Pair};
use crate::view::seat::Seat;

/// Which games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Part of a player's name.
    pub(crate) player: Option<String>,
    /// Part of an agent's spec.
    pub(crate) agent: Option<String>,
    pub(crate) layout: Option<String>,
    pub(crate) result: Option<ResultFilter>,
    pub(crate) source: Option<Source>,
    pub(crate) min_plies: Option<u32>,
    pub(crate) max_plies: Option<u32>,
    /// A position's hash, and the ply at which it must occur.
    pub(crate) opening: Option<(i64, u32)>,
    /// A position's hash, at any ply.
    pub(crate) place: Option<i64>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultFilter {
    Black,
    White,
    Draw,
    /// It runs, or nobody knows.
    None,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    Newest,
    Oldest,
    Longest,
    Shortest,
}

impl Order {
    const fn column(self) -> &'static str {
        match self {
            Order::Newest | Order::Oldest => "game.updated",
            Order::Longest | Order::Shortest => "game.plies",
        }
    }

    const fn falls(self) -> bool {
        matches!(self, Order::Newest | Order::Longest)
    }
}

/// Where a page of a list begins: after the game with this key and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) key: i64,
    pub(crate) num: i64,
}

impl Cursor {
    pub(crate) fn parse(text: &str) -> Option<Cursor> {
        let (key, num) = text.split_once('-')?;
        Some(Cursor { key: key.parse().ok()?, num: num.parse().ok()? })
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.key, self.num)
    }
}

/// A part of a name, as a pattern in which no letter has a meaning of its own.
fn pattern(part: &str) -> String {
    let escaped: String =
        part.chars().flat_map(|c| if "%_\\".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
    format!("%{escaped}%")
}

impl Filter {
    /// Whether it is all games.
    pub(super) fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Adds the conditions on the table `game`, each after an `AND`.
    pub(super) fn push(&self, query: &mut QueryBuilder<Sqlite>) {
        for (part, [black, white]) in
            [(&self.player, ["black", "white"]), (&self.agent, ["black_agent", "white_agent"])]
        {
            if let Some(part) = part {
                query.push(format!(" AND (game.{black} LIKE ")).push_bind(pattern(part)).push(" ESCAPE '\\'");
                query.push(format!(" OR game.{white} LIKE ")).push_bind(pattern(part)).push(" ESCAPE '\\')");
            }
        }
        if let Some(layout) = &self.layout {
            query.push(" AND game.layout = ").push_bind(layout.clone());
        }
        match self.result {
            Some(ResultFilter::Black) => query.push(" AND game.result = 'black'"),
            Some(ResultFilter::White) => query.push(" AND game.result = 'white'"),
            Some(ResultFilter::Draw) => query.push(" AND game.result = 'draw'"),
            Some(ResultFilter::None) => query.push(" AND game.result IS NULL"),
            None => query,
        };
        if let Some(source) = self.source {
            query.push(" AND game.source = ").push_bind(source.name());
        }
        if let Some(least) = self.min_plies {
            query.push(" AND game.plies >= ").push_bind(least);
        }
        if let Some(most) = self.max_plies {
            query.push(" AND game.plies <= ").push_bind(most);
        }
        if let Some((hash, ply)) = self.opening {
            query.push(" AND game.num IN (SELECT game FROM place WHERE hash = ").push_bind(hash);
            query.push(" AND ply = ").push_bind(ply).push(")");
        }
        if let Some(hash) = self.place {
            query.push(" AND game.num IN (SELECT game FROM place WHERE hash = ").push_bind(hash).push(")");
        }
    }
}

fn summary(row: &SqliteRow) -> Result<GameSummary, sqlx::Error> {
    let text: String = row.try_get("fen")?;
    let position = fen::parse(&text).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let reviewed: bool = row.try_get("reviewed")?;
    Ok(GameSummary {
        id: row.try_get("id")?,
        created: row.try_get("created")?,
        updated: row.try_get("updated")?,
        source: source(row)?,
        layout: row.try_get("layout")?,
        black: seat(row, Color::Black)?,
        white: seat(row, Color::White)?,
        result: row.try_get("result")?,
        reason: row.try_get("reason")?,
        plies: row.try_get("plies")?,
        score: position::score(&position),
        fen: text,
        review: if reviewed { ReviewStage::Done } else { ReviewStage::None },
        ply: row.try_get("at")?,
        damaged: false,
    })
}

/// What can be told of a game whose row this program would not have written.
fn damaged(row: &SqliteRow, error: &sqlx::Error) -> Option<GameSummary> {
    let id: String = row.try_get("id").ok()?;
    tracing::warn!(id, %error, "a game in the database is damaged");
    let seat = |side| seat(row, side).unwrap_or(Seat::person());
    Some(GameSummary {
        created: row.try_get("created").unwrap_or(0),
        updated: row.try_get("updated").unwrap_or(0),
        source: source(row).unwrap_or(Source::Import),
        layout: row.try_get("layout").unwrap_or_default(),
        black: seat(Color::Black),
        white: seat(Color::White),
        result: None,
        reason: None,
        plies: row.try_get("plies").unwrap_or(0),
        score: Pair::default(),
        fen: String::new(),
        review: ReviewStage::None,
        ply: None,
        damaged: true,
        id,
    })
}

impl Store {
    /// A page of games, how many there are in all, and where the next page begins.
    pub(crate) async fn list(
        &self,
        filter: &Filter,
        order: Order,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<(Vec<GameSummary>, u64, Option<Cursor>), AppError> {
        let mut connection = self.searcher().await?;
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new("SELECT count(*) FROM game WHERE 1");
        filter.push(&mut query);
        let total: i64 =
            query.build_query_scalar().fetch_one(&mut *connection).await.map_err(|error| failure(&error))?;

        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new("SELECT game.*, ");
        match filter.place {
            Some(hash) => {
                query.push("(SELECT min(ply) FROM place WHERE hash = ").push_bind(hash);
                query.push(" AND game = game.num) AS at");
            }
            None => {
                query.push("NULL AS at");
            }
        }
        query.push(
            ", EXISTS (SELECT 1 FROM review WHERE review.game = game.num) AS reviewed FROM game WHERE 1",
        );
        filter.push(&mut query);
        let (column, sign, way) =
            if order.falls() { (order.column(), "<", "DESC") } else { (order.column(), ">", "ASC") };
        if let Some(Cursor { key, num }) = after {
            query
                .push(format!(" AND ({column}, game.num) {sign} ("))
                .push_bind(key)
                .push(", ")
                .push_bind(num)
                .push(")");
        }
        query.push(format!(" ORDER BY {column} {way}, game.num {way} LIMIT ")).push_bind(limit + 1);
        let rows = query.build().fetch_all(&mut *connection).await.map_err(|error| failure(&error))?;
        let shown = &rows[..rows.len().min(limit as usize)];
        let games = shown
            .iter()
            .filter_map(|row| summary(row).or_else(|error| damaged(row, &error).ok_or(error)).ok());
        let games = games.collect();
        let next = shown
            .last()
            .filter(|_| rows.len() > shown.len())
            .map(|row| Cursor { key: row.get(column.trim_start_matches("game.")), num: row.get("num") });
        Ok((games, total as u64, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_name_mean_themselves() {
        assert_eq!(pattern("50%_a\\b"), "%50\\%\\_a\\\\b%");
    }

    #[test]
    fn a_cursor_reads_back() {
        let cursor = Cursor { key: 1_700_000_000_000, num: 7 };
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        assert!(["", "7", "x-1", "1-", "--"].iter().all(|text| Cursor::parse(text).is_none()));
    }
}

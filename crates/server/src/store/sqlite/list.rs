//! Games by what is asked for: players, layout, result, length, opening, a position in any symmetric form.

use sqlx::sqlite::{Sqlite as Db, SqliteRow};
use sqlx::{QueryBuilder, Row};
use sumito_engine::analysis::BASIS;
use sumito_rules::{ByColor, Color, fen};

use super::row::{seat, source};
use super::{Sqlite, WAITING_GAME, failure};
use crate::domain::error::AppError;
use crate::domain::game::Source;
use crate::domain::person::PersonId;
use crate::domain::seat::Seat;
use crate::store::query::{Called, Filter, ListOrder, ListedGame, Page, PageCursor, PageQuery, ResultFilter};

/// The column that a list is ordered by, and whether it falls. When an imported game was made, its own date says, if it has one.
const fn column(order: ListOrder) -> (&'static str, bool) {
    match order {
        ListOrder::Newest => ("game.created", true),
        ListOrder::Oldest => ("game.created", false),
        ListOrder::Longest => ("game.plies", true),
        ListOrder::Shortest => ("game.plies", false),
    }
}

/// A part of a name, as a pattern in which no letter has a meaning of its own.
fn pattern(part: &str) -> String {
    let escaped: String =
        part.chars().flat_map(|c| if "%_\\".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
    format!("%{escaped}%")
}

/// Adds the conditions on the table `game`, each after an `AND`.
pub(super) fn push(filter: &Filter, query: &mut QueryBuilder<Db>) {
    if let Some(ids) = &filter.ids {
        query.push(" AND game.id IN (");
        push_ids(ids, query);
    }
    for (part, sides, called) in [
        (&filter.player, ["black", "white"], Some(&filter.called)),
        (&filter.agent, ["black_agent", "white_agent"], None),
    ] {
        let Some(part) = part else { continue };
        query.push(" AND (0");
        for side in sides {
            query.push(format!(" OR game.{side} LIKE ")).push_bind(pattern(part)).push(" ESCAPE '\\'");
        }
        if let Some(Called { agents, ids }) = called {
            agents.iter().for_each(|spec| push_agent(spec, query));
            query.push(" OR game.id IN (");
            push_ids(ids, query);
        }
        query.push(")");
    }
    if let Some(PersonId(person)) = filter.person {
        query.push(" AND (game.black_person = ").push_bind(person);
        query.push(" OR game.white_person = ").push_bind(person).push(")");
    }
    if let Some(layout) = &filter.layout {
        query.push(" AND game.layout = ").push_bind(layout.clone());
    }
    match filter.result {
        Some(ResultFilter::Black) => query.push(" AND game.result = 'black'"),
        Some(ResultFilter::White) => query.push(" AND game.result = 'white'"),
        Some(ResultFilter::Draw) => query.push(" AND game.result = 'draw'"),
        Some(ResultFilter::None) => query.push(" AND game.result IS NULL"),
        None => query,
    };
    if let Some(source) = filter.source {
        query.push(" AND game.source = ").push_bind(source.name());
    }
    if let Some(least) = filter.min_plies {
        query.push(" AND game.plies >= ").push_bind(least);
    }
    if let Some(most) = filter.max_plies {
        query.push(" AND game.plies <= ").push_bind(most);
    }
    if let Some((hash, ply)) = filter.opening {
        query.push(" AND game.num IN (SELECT game FROM place WHERE hash = ").push_bind(hash);
        query.push(" AND ply = ").push_bind(ply).push(")");
    }
    if let Some(hash) = filter.place {
        query.push(" AND game.num IN (SELECT game FROM place WHERE hash = ").push_bind(hash).push(")");
    }
}

/// The same, and that the game is one for everybody: the id of one that waits for a second person is an invitation. They
/// are few, so that an index over them is quicker than a look at each game.
fn shown(filter: &Filter, query: &mut QueryBuilder<Db>) {
    query.push(format!(" AND game.num NOT IN (SELECT num FROM game WHERE {WAITING_GAME})"));
    push(filter, query);
}

/// The rest of a list of ids.
fn push_ids(ids: &[String], query: &mut QueryBuilder<Db>) {
    let mut list = query.separated(", ");
    ids.iter().for_each(|id| {
        list.push_bind(id.clone());
    });
    list.push_unseparated(")");
}

/// Or an agent with this spec plays, whatever its other options. An agent without options is none of its levels.
fn push_agent(spec: &str, query: &mut QueryBuilder<Db>) {
    let begins = |with: &str| {
        let pattern = pattern(&format!("{spec}{with}"));
        pattern.trim_start_matches('%').to_string()
    };
    let more = if spec.contains(':') { "," } else { ":" };
    for side in ["black_agent", "white_agent"] {
        query.push(format!(" OR game.{side} = ")).push_bind(spec.to_string());
        query.push(format!(" OR (game.{side} LIKE ")).push_bind(begins(more)).push(" ESCAPE '\\'");
        query.push(format!(" AND game.{side} NOT LIKE ")).push_bind(begins(":level=")).push(" ESCAPE '\\')");
    }
}

pub(super) fn listed(row: &SqliteRow) -> Result<ListedGame, sqlx::Error> {
    let fen: String = row.try_get("fen")?;
    let position = fen::parse(&fen).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(ListedGame {
        id: row.try_get("id")?,
        created: row.try_get("created")?,
        updated: row.try_get("updated")?,
        source: source(row)?,
        layout: row.try_get("layout")?,
        seats: ByColor::new(seat(row, Color::Black)?, seat(row, Color::White)?),
        result: row.try_get("result")?,
        reason: row.try_get("reason")?,
        plies: row.try_get("plies")?,
        position: Some(position),
        fen,
        reviewed: row.try_get("reviewed")?,
        at: row.try_get("at")?,
    })
}

/// What can be told of a game whose row this program would not have written.
fn damaged(row: &SqliteRow, error: &sqlx::Error) -> Option<ListedGame> {
    let id: String = row.try_get("id").ok()?;
    tracing::warn!(id, %error, "a game in the database is damaged");
    let seat = |side| seat(row, side).unwrap_or(Seat::person());
    Some(ListedGame {
        created: row.try_get("created").unwrap_or(0),
        updated: row.try_get("updated").unwrap_or(0),
        source: source(row).unwrap_or(Source::Import),
        layout: row.try_get("layout").unwrap_or_default(),
        seats: ByColor::new(seat(Color::Black), seat(Color::White)),
        result: None,
        reason: None,
        plies: row.try_get("plies").unwrap_or(0),
        position: None,
        fen: String::new(),
        reviewed: false,
        at: None,
        id,
    })
}

impl Sqlite {
    /// A page of games, how many there are in all, and where the next page begins.
    pub(crate) async fn list(&self, page: &PageQuery) -> Result<Page, AppError> {
        let PageQuery { filter, order, after, limit } = page;
        let mut connection = self.searcher().await?;
        let mut query: QueryBuilder<Db> = QueryBuilder::new("SELECT count(*) FROM game WHERE 1");
        shown(filter, &mut query);
        let total: i64 =
            query.build_query_scalar().fetch_one(&mut *connection).await.map_err(|error| failure(&error))?;

        let mut query: QueryBuilder<Db> = QueryBuilder::new("SELECT game.*, ");
        match filter.place {
            Some(hash) => {
                query.push("(SELECT min(ply) FROM place WHERE hash = ").push_bind(hash);
                query.push(" AND game = game.num) AS at");
            }
            None => {
                query.push("NULL AS at");
            }
        }
        query.push(", EXISTS (SELECT 1 FROM review WHERE review.game = game.num AND basis = ");
        query.push_bind(BASIS.as_str()).push(") AS reviewed FROM game WHERE 1");
        shown(filter, &mut query);
        let (column, falls) = column(*order);
        let (sign, way) = if falls { ("<", "DESC") } else { (">", "ASC") };
        if let Some(PageCursor { key, num }) = *after {
            query
                .push(format!(" AND ({column}, game.num) {sign} ("))
                .push_bind(key)
                .push(", ")
                .push_bind(num)
                .push(")");
        }
        query.push(format!(" ORDER BY {column} {way}, game.num {way} LIMIT ")).push_bind(limit + 1);
        let rows = query.build().fetch_all(&mut *connection).await.map_err(|error| failure(&error))?;
        let first = &rows[..rows.len().min(*limit as usize)];
        let games = first
            .iter()
            .filter_map(|row| listed(row).or_else(|error| damaged(row, &error).ok_or(error)).ok());
        let games = games.collect();
        let next = first
            .last()
            .filter(|_| rows.len() > first.len())
            .map(|row| PageCursor { key: row.get(column.trim_start_matches("game.")), num: row.get("num") });
        Ok(Page { games, total: total as u64, next })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_name_mean_themselves() {
        assert_eq!(pattern("50%_a\\b"), "%50\\%\\_a\\\\b%");
    }
}

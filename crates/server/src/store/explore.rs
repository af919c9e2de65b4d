//! What was played from a position, in all games that have it or a symmetric form of it.

use sqlx::sqlite::Sqlite;
use sqlx::{QueryBuilder, Row};

use super::list::Filter;
use super::{Store, failure};
use crate::error::AppError;

/// A move that was played from a position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tried {
    /// Its number in the position's canonical form.
    pub(crate) m: u16,
    pub(crate) games: u32,
    pub(crate) black_wins: u32,
    pub(crate) white_wins: u32,
    pub(crate) draws: u32,
    pub(crate) average_plies: f64,
}

impl Store {
    /// The moves from a position, the most played first.
    pub(crate) async fn explore(&self, hash: i64, filter: &Filter) -> Result<Vec<Tried>, AppError> {
        // A game that comes to the position twice counts once for each move that it tries.
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new(
            "SELECT move, count(*) AS games, sum(result IS 'black') AS black, sum(result IS 'white') AS white,
                 sum(result IS 'draw') AS draws, avg(plies) AS plies
             FROM (SELECT DISTINCT place.move, game.num, game.result, game.plies
                   FROM place JOIN game ON game.num = place.game WHERE place.move > 0 AND place.hash = ",
        );
        query.push_bind(hash);
        filter.push(&mut query);
        query.push(") GROUP BY move ORDER BY games DESC, move");
        let rows = query.build().fetch_all(&self.reads).await.map_err(|error| failure(&error))?;
        let tried = rows.iter().map(|row| {
            Ok(Tried {
                m: row.try_get("move")?,
                games: row.try_get("games")?,
                black_wins: row.try_get("black")?,
                white_wins: row.try_get("white")?,
                draws: row.try_get("draws")?,
                average_plies: row.try_get("plies")?,
            })
        });
        tried.collect::<Result<Vec<_>, sqlx::Error>>().map_err(|error| failure(&error))
    }

    /// How many games have a position and a move from it.
    pub(crate) async fn occurrences(&self, hash: i64, filter: &Filter) -> Result<u32, AppError> {
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new(
            "SELECT count(DISTINCT place.game) FROM place JOIN game ON game.num = place.game WHERE place.move > 0 AND place.hash = ",
        );
        query.push_bind(hash);
        filter.push(&mut query);
        query.build_query_scalar().fetch_one(&self.reads).await.map_err(|error| failure(&error))
    }
}

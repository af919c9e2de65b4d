//! What was played from a position, in all games that have it or a symmetric form of it.
//!
//! The first plies, which every game has, are counted when games are written (the table `opening`, kept by triggers).
//! A position that occurs within them is answered from there; a later one, and any with a filter, from the games.

use sqlx::sqlite::{Sqlite as Db, SqliteRow};
use sqlx::{FromRow, QueryBuilder, Row};

use super::list::push;
use super::{Sqlite, failure};
use crate::domain::error::AppError;
use crate::store::query::{Filter, Tried};

impl FromRow<'_, SqliteRow> for Tried {
    fn from_row(row: &SqliteRow) -> Result<Tried, sqlx::Error> {
        let (ended, plies): (i64, i64) = (row.try_get("ended")?, row.try_get("plies")?);
        Ok(Tried {
            m: row.try_get("move")?,
            games: row.try_get("games")?,
            black_wins: row.try_get("black")?,
            white_wins: row.try_get("white")?,
            draws: row.try_get("draws")?,
            average_plies: (ended > 0).then(|| plies as f64 / ended as f64),
        })
    }
}

impl Sqlite {
    /// How many games have a position and a move from it, and the moves, the most played first.
    pub(crate) async fn explore(&self, hash: i64, filter: &Filter) -> Result<(u32, Vec<Tried>), AppError> {
        let mut all = if filter.is_empty() { self.counted(hash).await? } else { Vec::new() };
        if all.is_empty() {
            all = self.count(hash, filter).await?;
        }
        let whole = all.iter().position(|tried| tried.m == 0).map(|at| all.remove(at));
        Ok((whole.map_or(0, |whole| whole.games), all))
    }

    /// What is kept of a position in the first plies.
    async fn counted(&self, hash: i64) -> Result<Vec<Tried>, AppError> {
        let query = sqlx::query_as("SELECT * FROM opening WHERE hash = ? ORDER BY games DESC, move");
        query.bind(hash).fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }

    /// The same from the games themselves.
    async fn count(&self, hash: i64, filter: &Filter) -> Result<Vec<Tried>, AppError> {
        // A game that comes to the position twice counts once for each move that it tries.
        let mut query: QueryBuilder<Db> = QueryBuilder::new(
            "WITH found AS (SELECT DISTINCT place.move, game.num
                 FROM place JOIN game ON game.num = place.game WHERE place.move > 0 AND place.hash = ",
        );
        query.push_bind(hash);
        push(filter, &mut query);
        query.push(
            ") SELECT move, sum(games) AS games, sum(black) AS black, sum(white) AS white, sum(draws) AS draws,
                   sum(ended) AS ended, sum(plies) AS plies
               FROM (SELECT move, num FROM found UNION ALL SELECT DISTINCT 0, num FROM found) JOIN counted USING (num)
               GROUP BY move ORDER BY games DESC, move",
        );
        let mut connection = self.searcher().await?;
        query.build_query_as().fetch_all(&mut *connection).await.map_err(|error| failure(&error))
    }
}

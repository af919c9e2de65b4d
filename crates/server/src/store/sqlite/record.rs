//! How somebody has done: against whom, and with which openings.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use sumito_rules::Color;

use super::{Sqlite, failure, row};
use crate::domain::error::AppError;
use crate::domain::game::color;
use crate::domain::person::PersonId;
use crate::store::record::{Against, FavouriteOpening, Score};

/// The most of each that are told.
const MOST: i64 = 50;
/// Moves of an opening: two of each side.
const OPENING: i64 = 4;

/// The ended games of a person, from their side: `side`, the columns of the other side as `other`, and what they got.
fn games(columns: &str, condition: &str) -> String {
    let of = |own: &str, other: &str| {
        format!(
            "SELECT game.num, '{own}' AS side, {other}_person AS other_person, {other} AS other_name,
                 {other}_agent AS other_agent, result = '{own}' AS won, result = 'draw' AS drawn, created AS begun {columns}
             FROM game {condition} AND {own}_person = ? AND coalesce({other}_person, 0) <> ?
                 AND result IS NOT NULL AND source = 'play'"
        )
    };
    format!("{} UNION ALL {}", of("black", "white"), of("white", "black"))
}

fn score(row: &SqliteRow) -> Result<Score, sqlx::Error> {
    let count = |name: &str| row.try_get::<i64, _>(name).map(|count| count as u64);
    let (games, won, drawn) = (count("games")?, count("wins")?, count("draws")?);
    Ok(Score { won, drawn, lost: games - won - drawn })
}

impl Sqlite {
    /// How somebody has done against each person and each agent, those first who were met most often.
    pub(crate) async fn against(&self, person: PersonId) -> Result<Vec<Against>, AppError> {
        let sql = format!(
            "SELECT other_person, other_agent, person.name AS name, count(*) AS games, sum(won) AS wins, sum(drawn) AS draws
             FROM ({}) LEFT JOIN person ON person.num = other_person
             GROUP BY other_person, other_agent ORDER BY games DESC, max(begun) DESC LIMIT {MOST}",
            games("", "WHERE 1")
        );
        let mut connection = self.searcher().await?;
        let query = sqlx::query(sqlx::AssertSqlSafe(sql));
        let query = query.bind(person.0).bind(person.0).bind(person.0).bind(person.0);
        let rows = query.fetch_all(&mut *connection).await.map_err(|error| failure(&error))?;
        let against = |row: &SqliteRow| {
            Ok(Against { name: row.try_get("name")?, agent: row.try_get("other_agent")?, score: score(row)? })
        };
        rows.iter().map(against).collect::<Result<_, _>>().map_err(|error: sqlx::Error| failure(&error))
    }

    /// The openings that somebody has played most, by the position after some moves, in any of its symmetric forms.
    pub(crate) async fn favourites(&self, person: PersonId) -> Result<Vec<FavouriteOpening>, AppError> {
        let place = format!(
            "JOIN place ON place.game = game.num AND place.ply = {OPENING} AND place.ply < 12 WHERE layout IS NOT NULL"
        );
        // The columns beside a single minimum are those of its row.
        let sql = format!(
            "SELECT side, layout, min(num) AS first, start, substr(moves, 1, {}) AS moves, count(*) AS games,
                 sum(won) AS wins, sum(drawn) AS draws
             FROM ({}) GROUP BY side, layout, hash ORDER BY games DESC LIMIT {MOST}",
            2 * OPENING,
            games(", layout, start, moves, place.hash", &place)
        );
        let mut connection = self.searcher().await?;
        let query = sqlx::query(sqlx::AssertSqlSafe(sql));
        let query = query.bind(person.0).bind(person.0).bind(person.0).bind(person.0);
        let rows = query.fetch_all(&mut *connection).await.map_err(|error| failure(&error))?;
        let favourite = |row: &SqliteRow| {
            Ok(FavouriteOpening {
                color: color(row.try_get("side")?).unwrap_or(Color::Black),
                layout: row.try_get("layout")?,
                start: row.try_get("start")?,
                moves: row::moves(row.try_get("moves")?)?,
                score: score(row)?,
            })
        };
        rows.iter().map(favourite).collect::<Result<_, _>>().map_err(|error: sqlx::Error| failure(&error))
    }
}

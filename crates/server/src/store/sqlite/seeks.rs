//! Searches that wait without whoever searches, and games that wait for somebody's move, in the database.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteQueryResult, SqliteRow};
use sumito_rules::Color;

use super::json::StoredClock;
use super::{Sqlite, failure, list, people, row, writer};
use crate::domain::error::{AppError, word};
use crate::domain::game::color;
use crate::domain::person::{Person, PersonId};
use crate::store::seeks::{KeptSeek, SeekWrite};
use crate::store::{ListedGame, PlayingGame, Reply};

pub(super) async fn execute(
    connection: &mut SqliteConnection,
    write: &SeekWrite,
) -> Result<Reply, sqlx::Error> {
    let done = match write {
        SeekWrite::New { seek, most } => {
            let own = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM seek WHERE person = ?");
            if own.bind(seek.person.0).fetch_one(&mut *connection).await? as usize >= *most {
                return Ok(Reply::Full);
            }
            add(connection, seek).await?
        }
        SeekWrite::End { id, person } => {
            let query = sqlx::query("DELETE FROM seek WHERE id = ? AND person = ?").bind(id).bind(person.0);
            query.execute(connection).await?
        }
        SeekWrite::TakeUp { id, game, places } => {
            let query = sqlx::query("DELETE FROM seek WHERE id = ?").bind(id);
            if query.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(Reply::Refused);
            }
            return writer::create(connection, game, places).await;
        }
        SeekWrite::Expire { before } => {
            sqlx::query("DELETE FROM seek WHERE created < ?").bind(before).execute(connection).await?;
            return Ok(Reply::Done);
        }
    };
    Ok(if done.rows_affected() == 1 { Reply::Done } else { Reply::Refused })
}

/// Adds a search, unless the account was closed meanwhile.
async fn add(connection: &mut SqliteConnection, seek: &KeptSeek) -> Result<SqliteQueryResult, sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO seek (id, person, created, layout, clock, rated, color, least, most)
         SELECT ?, num, ?, ?, ?, ?, ?, ?, ? FROM person WHERE num = ? AND name IS NOT NULL",
    );
    let clock = serde_json::to_string(&StoredClock::from(seek.clock)).expect("plain data");
    let query = query.bind(&seek.id).bind(seek.created).bind(&seek.layout).bind(clock);
    let query = query.bind(seek.rated).bind(seek.color.map(|color| word(&color)));
    query.bind(seek.range.0).bind(seek.range.1).bind(seek.person.0).execute(connection).await
}

fn seek(row: &SqliteRow) -> Result<(KeptSeek, Person), sqlx::Error> {
    let clock =
        serde_json::from_str::<StoredClock>(row.try_get("clock")?).map_err(|_| row::wrong("clock"))?;
    let (person, _) = people::person(row)?;
    let seek = KeptSeek {
        id: row.try_get("seek_id")?,
        person: person.id,
        created: row.try_get("begun")?,
        layout: row.try_get("layout")?,
        clock: clock.into(),
        rated: row.try_get("rated")?,
        color: row.try_get::<Option<&str>, _>("color")?.and_then(color),
        range: (row.try_get("least")?, row.try_get("most")?),
    };
    Ok((seek, person))
}

impl Sqlite {
    /// All searches that wait without whoever searches, the oldest first.
    pub(crate) async fn seeks(&self) -> Result<Vec<(KeptSeek, Person)>, AppError> {
        let query = sqlx::query(
            "SELECT seek.id AS seek_id, seek.created AS begun, seek.layout, seek.clock, seek.rated, seek.color, seek.least,
                 seek.most, person.* FROM seek JOIN person ON person.num = seek.person
             WHERE person.name IS NOT NULL ORDER BY seek.created",
        );
        let rows = query.fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(seek).collect()).map_err(|error| failure(&error))
    }

    /// Games by correspondence in which somebody's time is up by then, some after a number: their numbers and ids.
    pub(crate) async fn overdue(&self, by: i64, after: i64) -> Result<Vec<(i64, String)>, AppError> {
        let query = "SELECT num, id FROM game WHERE due <= ? AND num > ? ORDER BY num LIMIT 200";
        let query = sqlx::query_as(query).bind(by).bind(after);
        query.fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }

    /// Games between two in which somebody has moved since then, those between the strongest first.
    pub(crate) async fn played_now(&self, since: i64, most: u32) -> Result<Vec<ListedGame>, AppError> {
        let query = sqlx::query(
            "SELECT game.*, NULL AS at, 0 AS reviewed,
                 coalesce((SELECT max(value) FROM rating WHERE person = black_person), 0)
                 + coalesce((SELECT max(value) FROM rating WHERE person = white_person), 0) AS strength
             FROM game WHERE updated > ? AND result IS NULL AND source = 'play'
                 AND black_key IS NOT NULL AND white_key IS NOT NULL
             ORDER BY strength DESC, updated DESC LIMIT ?",
        );
        let rows = query.bind(since).bind(most).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(list::listed).collect()).map_err(|error| failure(&error))
    }

    /// Games that somebody plays now against others, those that wait for longest first.
    pub(crate) async fn playing(&self, person: PersonId) -> Result<Vec<PlayingGame>, AppError> {
        let side = |side: &str| {
            format!(
                "SELECT game.*, NULL AS at, 0 AS reviewed, '{side}' AS side FROM game
                 WHERE {side}_person = ? AND result IS NULL AND source = 'play' AND key IS NULL"
            )
        };
        let sql = format!("{} UNION ALL {} ORDER BY updated LIMIT 100", side("black"), side("white"));
        let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(person.0).bind(person.0);
        let rows = query.fetch_all(&self.reads).await.map_err(|error| failure(&error))?;
        let playing = |row: &SqliteRow| {
            let clock: Option<&str> = row.try_get("clock")?;
            let clock = clock.and_then(|text| serde_json::from_str::<StoredClock>(text).ok()).map(Into::into);
            let side = color(row.try_get("side")?).unwrap_or(Color::Black);
            Ok(PlayingGame { game: list::listed(row)?, color: side, clock, due: row.try_get("due")? })
        };
        rows.iter().map(playing).collect::<Result<_, _>>().map_err(|error: sqlx::Error| failure(&error))
    }
}

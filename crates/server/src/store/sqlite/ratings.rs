//! Ratings in the database: a game is rated in the transaction that ends it, and all ratings follow from the rated games.

use std::collections::HashMap;

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sumito_rules::ByColor;

use super::json::StoredClock;
use super::{Sqlite, failure, row};
use crate::domain::anchor::{ANCHORS, Anchor};
use crate::domain::class::{ADVANTAGES, Class};
use crate::domain::error::AppError;
use crate::domain::game::winner;
use crate::domain::ladder::{RatedResult, Standing};
use crate::domain::person::PersonId;
use crate::domain::rating::Rating;

/// Rates a game that is over, if it is to be rated and has not been. One of a tournament to which somebody did not come was not played.
pub(super) async fn rate(connection: &mut SqliteConnection, game: i64) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "SELECT result, clock, layout, updated, black_person, white_person FROM game
         WHERE num = ? AND rated AND result IS NOT NULL AND (tournament IS NULL OR plies >= 2) AND num NOT IN (SELECT game FROM rated WHERE game = ?)",
    );
    let found = query.bind(game).bind(game).fetch_optional(&mut *connection).await?;
    let Some(result) = found.map(|row| ended(&row)).transpose()?.flatten() else { return Ok(()) };
    let before = ByColor::new(
        standing(connection, result.players.black, &result).await?,
        standing(connection, result.players.white, &result).await?,
    );
    let after = result.rated(before);
    put(connection, result.players.black, result.class, after.black).await?;
    put(connection, result.players.white, result.class, after.white).await?;
    let query = sqlx::query(
        "INSERT INTO rated
             (game, at, class, layout, advantages, anchors, black, white, points, black_value, white_value)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    let query = query.bind(game).bind(result.at).bind(result.class.name()).bind(&result.layout);
    let query = query.bind(result.advantages).bind(result.anchors);
    let query = query.bind(result.players.black.0).bind(result.players.white.0);
    let query = query.bind(result.points).bind(after.black.rating.value).bind(after.white.rating.value);
    query.execute(connection).await.map(|_| ())
}

/// A game that has just ended, unless a player of it has no account any more.
fn ended(row: &SqliteRow) -> Result<Option<RatedResult>, sqlx::Error> {
    let clock: Option<&str> = row.try_get("clock")?;
    let clock = clock.and_then(|text| serde_json::from_str::<StoredClock>(text).ok()).map(Into::into);
    let person = |column| Ok::<_, sqlx::Error>(row.try_get::<Option<i64>, _>(column)?.map(PersonId));
    let (Some(black), Some(white)) = (person("black_person")?, person("white_person")?) else {
        return Ok(None);
    };
    let (Some(class), Some(winner)) = (Class::of(clock), winner(row.try_get("result")?)) else {
        return Ok(None);
    };
    let points = match winner {
        None => 0.5,
        Some(sumito_rules::Color::Black) => 1.0,
        Some(sumito_rules::Color::White) => 0.0,
    };
    Ok(Some(RatedResult {
        at: row.try_get("updated")?,
        class,
        layout: row.try_get("layout")?,
        advantages: ADVANTAGES,
        anchors: ANCHORS,
        players: ByColor::new(black, white),
        points,
    }))
}

/// A person's rating in the class of a game.
async fn standing(
    connection: &mut SqliteConnection,
    person: PersonId,
    result: &RatedResult,
) -> Result<Standing, sqlx::Error> {
    let query = sqlx::query("SELECT * FROM rating WHERE person = ? AND class = ?");
    let row = query.bind(person.0).bind(result.class.name()).fetch_optional(connection).await?;
    row.map_or(Ok(Standing::new(result.at)), |row| kept(&row))
}

fn kept(row: &SqliteRow) -> Result<Standing, sqlx::Error> {
    let (value, deviation) = (row.try_get("value")?, row.try_get("deviation")?);
    let rating = Rating { value, deviation, volatility: row.try_get("volatility")? };
    Ok(Standing { rating, games: row.try_get("games")?, updated: row.try_get("updated")? })
}

async fn put(
    connection: &mut SqliteConnection,
    person: PersonId,
    class: Class,
    standing: Standing,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT OR REPLACE INTO rating (person, class, value, deviation, volatility, games, updated)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    let Standing { rating, games, updated } = standing;
    let query = query.bind(person.0).bind(class.name()).bind(rating.value).bind(rating.deviation);
    query.bind(rating.volatility).bind(games).bind(updated).execute(connection).await.map(|_| ())
}

/// Gives a player of known strength its rating in every class.
pub(super) async fn put_anchor(
    connection: &mut SqliteConnection,
    person: PersonId,
    spec: &str,
) -> Result<(), sqlx::Error> {
    let anchor = Anchor::of(spec).ok_or_else(|| row::wrong("anchor"))?;
    let rating = anchor.rating(ANCHORS);
    for class in Class::ALL {
        let query = sqlx::query(
            "INSERT INTO rating (person, class, value, deviation, volatility, games, updated)
             SELECT num, ?, ?, ?, ?, 0, created FROM person WHERE num = ?
             ON CONFLICT (person, class) DO UPDATE SET value = excluded.value, deviation = excluded.deviation",
        );
        let query = query.bind(class.name()).bind(rating.value).bind(rating.deviation);
        query.bind(rating.volatility).bind(person.0).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The players of known strength, and since when they are here.
async fn anchors(
    connection: &mut SqliteConnection,
) -> Result<Vec<(PersonId, &'static Anchor, i64)>, sqlx::Error> {
    let query = "SELECT person, anchor, created FROM bot JOIN person ON person.num = bot.person WHERE anchor IS NOT NULL";
    let rows = sqlx::query(query).fetch_all(connection).await?;
    let anchor = |row: &SqliteRow| {
        let anchor = Anchor::of(row.try_get("anchor")?).ok_or_else(|| row::wrong("anchor"))?;
        Ok((PersonId(row.try_get("person")?), anchor, row.try_get("created")?))
    };
    rows.iter().map(anchor).collect()
}

/// All ratings as the rated games give them.
async fn recomputed(
    connection: &mut SqliteConnection,
) -> Result<HashMap<(PersonId, Class), Standing>, sqlx::Error> {
    let anchors = anchors(connection).await?;
    let mut all: HashMap<(PersonId, Class), Standing> = HashMap::new();
    for (person, anchor, created) in &anchors {
        let standing = Standing { rating: anchor.rating(ANCHORS), games: 0, updated: *created };
        all.extend(Class::ALL.map(|class| ((*person, class), standing)));
    }
    let rows = sqlx::query("SELECT * FROM rated ORDER BY num").fetch_all(connection).await?;
    for row in &rows {
        let class = Class::named(row.try_get("class")?).ok_or_else(|| row::wrong("class"))?;
        let players = ByColor::new(PersonId(row.try_get("black")?), PersonId(row.try_get("white")?));
        let result = RatedResult {
            at: row.try_get("at")?,
            class,
            layout: row.try_get("layout")?,
            advantages: row.try_get("advantages")?,
            anchors: row.try_get("anchors")?,
            players,
            points: row.try_get("points")?,
        };
        let before = players.map(|person| {
            let known = all.get(&(person, class)).copied().unwrap_or_else(|| Standing::new(result.at));
            match anchors.iter().find(|(own, ..)| *own == person) {
                // As strong as it was taken for then.
                Some((_, anchor, _)) => Standing { rating: anchor.rating(result.anchors), ..known },
                None => known,
            }
        });
        let after = result.rated(before);
        all.insert((players.black, class), after.black);
        all.insert((players.white, class), after.white);
    }
    Ok(all)
}

/// Computes all ratings again from the rated games; gives how many there are, and how many were kept otherwise. Those are put
/// right.
pub(super) async fn put_right(connection: &mut SqliteConnection) -> Result<(usize, usize), sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let all = recomputed(connection).await?;
    let rows = sqlx::query("SELECT * FROM rating").fetch_all(&mut *connection).await?;
    let mut wrong = 0;
    let mut known = HashMap::new();
    for row in &rows {
        let class = Class::named(row.try_get("class")?).ok_or_else(|| row::wrong("class"))?;
        known.insert((PersonId(row.try_get("person")?), class), kept(row)?);
    }
    for ((person, class), standing) in &all {
        if known.remove(&(*person, *class)) != Some(*standing) {
            put(connection, *person, *class, *standing).await?;
            wrong += 1;
        }
    }
    for (person, class) in known.into_keys() {
        let query = sqlx::query("DELETE FROM rating WHERE person = ? AND class = ?");
        query.bind(person.0).bind(class.name()).execute(&mut *connection).await?;
        wrong += 1;
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok((all.len(), wrong))
}

impl Sqlite {
    /// A person's ratings by class.
    pub(crate) async fn standings(&self, person: PersonId) -> Result<Vec<(Class, Standing)>, AppError> {
        let query = sqlx::query("SELECT * FROM rating WHERE person = ?").bind(person.0);
        let rows = query.fetch_all(&self.reads).await.map_err(|error| failure(&error))?;
        let standing = |row: &SqliteRow| {
            let class = Class::named(row.try_get("class")?).ok_or_else(|| row::wrong("class"))?;
            Ok((class, kept(row)?))
        };
        rows.iter().map(standing).collect::<Result<_, _>>().map_err(|error: sqlx::Error| failure(&error))
    }

    /// What a person's rating in a class was after each of the last games: when, and how much.
    pub(crate) async fn curve(&self, person: PersonId, class: Class) -> Result<Vec<(i64, f64)>, AppError> {
        let query = sqlx::query_as(
            "SELECT at, value FROM
                 (SELECT num, at, CASE WHEN black = ? THEN black_value ELSE white_value END AS value FROM rated
                  WHERE (black = ? OR white = ?) AND class = ? ORDER BY num DESC LIMIT 200)
             ORDER BY num",
        );
        let query = query.bind(person.0).bind(person.0).bind(person.0).bind(class.name());
        query.fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }
}

//! Ratings in the database: a game is rated in the transaction that ends it, and all ratings follow from the rated games.

use std::collections::HashMap;

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sumito_rules::{ByColor, Color};

use super::json::StoredClock;
use super::{Sqlite, failure, peace, row};
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
    if is_farmed(connection, &result).await? {
        return Ok(());
    }
    let before = ByColor::new(
        standing(connection, result.players.black, &result).await?,
        standing(connection, result.players.white, &result).await?,
    );
    let after = result.rated(before);
    put(connection, result.players.black, result.class, after.black).await?;
    put(connection, result.players.white, result.class, after.white).await?;
    let query = sqlx::query(
        "INSERT INTO rated
             (game, at, class, layout, advantages, anchors, black, white, points, black_value, white_value, black_change,
              white_change)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    let query = query.bind(game).bind(result.at).bind(result.class.name()).bind(&result.layout);
    let query = query.bind(result.advantages).bind(result.anchors);
    let query = query.bind(result.players.black.0).bind(result.players.white.0);
    let query = query.bind(result.points).bind(after.black.rating.value).bind(after.white.rating.value);
    let change = |color| after[color].rating.value - before[color].rating.value;
    let query = query.bind(change(Color::Black)).bind(change(Color::White));
    query.execute(&mut *connection).await?;
    let loser = match result.points {
        0.0 => Some(result.players.black),
        1.0 => Some(result.players.white),
        _ => None,
    };
    match loser {
        Some(loser) => peace::watch(connection, (loser, game, result.at)).await,
        None => Ok(()),
    }
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

/// Ratings as they come about.
#[derive(Default)]
struct Ladder {
    all: HashMap<(PersonId, Class), Standing>,
    anchors: Vec<(PersonId, &'static Anchor, i64)>,
    /// The numbers of the last rated game and the last refund that are in it.
    last: (i64, i64),
}

/// Something that a rating was changed by besides a game.
struct Refund {
    num: i64,
    after: i64,
    person: PersonId,
    class: Class,
    points: f64,
}

/// The refunds after the one with this number, in their order.
async fn refunds(connection: &mut SqliteConnection, since: i64) -> Result<Vec<Refund>, sqlx::Error> {
    let query = sqlx::query("SELECT * FROM refund WHERE num > ? ORDER BY after, num").bind(since);
    let rows = query.fetch_all(connection).await?;
    let refund = |row: &SqliteRow| {
        let class = Class::named(row.try_get("class")?).ok_or_else(|| row::wrong("class"))?;
        let (num, after, points) = (row.try_get("num")?, row.try_get("after")?, row.try_get("points")?);
        Ok(Refund { num, after, person: PersonId(row.try_get("person")?), class, points })
    };
    rows.iter().map(refund).collect()
}

impl Ladder {
    /// Goes on with the rated games and what happened to them since it was last here; all of them the first time.
    async fn go_on(&mut self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        self.anchors = anchors(connection).await?;
        for (person, anchor, created) in &self.anchors {
            let standing = Standing { rating: anchor.rating(ANCHORS), games: 0, updated: *created };
            for class in Class::ALL {
                self.all.entry((*person, class)).or_insert(standing);
            }
        }
        let mut refunds = refunds(connection, self.last.1).await?.into_iter().peekable();
        let query = sqlx::query("SELECT * FROM rated WHERE num > ? ORDER BY num").bind(self.last.0);
        let rows = query.fetch_all(connection).await?;
        let mut rows = rows.iter();
        loop {
            while let Some(refund) = refunds.next_if(|refund| refund.after <= self.last.0) {
                self.refund(&refund);
            }
            let Some(row) = rows.next() else { return Ok(()) };
            self.play(row)?;
            self.last.0 = row.try_get("num")?;
        }
    }

    fn refund(&mut self, refund: &Refund) {
        if let Some(standing) = self.all.get_mut(&(refund.person, refund.class)) {
            *standing = standing.refunded(refund.points);
        }
        self.last.1 = self.last.1.max(refund.num);
    }

    /// A rated game.
    fn play(&mut self, row: &SqliteRow) -> Result<(), sqlx::Error> {
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
            let known = self.all.get(&(person, class)).copied().unwrap_or_else(|| Standing::new(result.at));
            match self.anchors.iter().find(|(own, ..)| *own == person) {
                // As strong as it was taken for then.
                Some((_, anchor, _)) => Standing { rating: anchor.rating(result.anchors), ..known },
                None => known,
            }
        });
        let after = result.rated(before);
        self.all.insert((players.black, class), after.black);
        self.all.insert((players.white, class), after.white);
        Ok(())
    }
}

/// Takes back what a game did to the ratings of both players. False if it did nothing, or that was taken back already.
pub(super) async fn void(connection: &mut SqliteConnection, id: &str, at: i64) -> Result<bool, sqlx::Error> {
    let query = sqlx::query(
        "SELECT rated.* FROM rated JOIN game ON game.num = rated.game
         WHERE game.id = ? AND rated.game NOT IN (SELECT game FROM refund)",
    );
    let Some(row) = query.bind(id).fetch_optional(&mut *connection).await? else { return Ok(false) };
    let (game, name): (i64, &str) = (row.try_get("game")?, row.try_get("class")?);
    let class = Class::named(name).ok_or_else(|| row::wrong("class"))?;
    // What is fixed was not changed by the game, and its row says that it was taken back.
    for (player, change) in [("black", "black_change"), ("white", "white_change")] {
        let (person, points) = (PersonId(row.try_get(player)?), -row.try_get::<f64, _>(change)?);
        let query = sqlx::query(
            "INSERT INTO refund (after, at, game, person, class, points)
             VALUES ((SELECT max(num) FROM rated), ?, ?, ?, ?, ?)",
        );
        let query = query.bind(at).bind(game).bind(person.0).bind(name).bind(points);
        query.execute(&mut *connection).await?;
        let query = sqlx::query("SELECT * FROM rating WHERE person = ? AND class = ?");
        let known = query.bind(person.0).bind(name).fetch_optional(&mut *connection).await?;
        if let Some(known) = known {
            put(connection, person, class, kept(&known)?.refunded(points)).await?;
        }
    }
    Ok(true)
}

/// A game that goes leaves what it did to ratings behind, under a number that no game has: its own may be given out again.
pub(super) async fn leave(connection: &mut SqliteConnection, game: i64) -> Result<(), sqlx::Error> {
    for query in [
        "UPDATE refund SET game = -(SELECT num FROM rated WHERE rated.game = refund.game) WHERE game = ?",
        "UPDATE rated SET game = -num WHERE game = ?",
    ] {
        sqlx::query(query).bind(game).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Rated games of the same two within a day: more of them are played, and not rated, so that nobody gains by an account of a friend.
const MOST_OF_A_PAIR: i64 = 12;

/// Whether these two have had their rated games of the day.
async fn is_farmed(connection: &mut SqliteConnection, result: &RatedResult) -> Result<bool, sqlx::Error> {
    const DAY: i64 = 24 * 3_600_000;
    let query = sqlx::query_scalar(
        "SELECT count(*) FROM rated WHERE (black = ? AND white = ? OR black = ? AND white = ?) AND at > ?",
    );
    let ByColor { black, white } = result.players;
    let query = query.bind(black.0).bind(white.0).bind(white.0).bind(black.0).bind(result.at - DAY);
    let games: i64 = query.fetch_one(connection).await?;
    Ok(games >= MOST_OF_A_PAIR)
}

/// Computes all ratings again from the rated games; gives how many there are, and how many were kept otherwise. Those are put
/// right.
pub(super) async fn put_right(connection: &mut SqliteConnection) -> Result<(usize, usize), sqlx::Error> {
    let mut ladder = Ladder::default();
    // Nearly all of it from how things stood at one moment, so that nobody waits who writes meanwhile; the rest alone.
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    ladder.go_on(connection).await?;
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    ladder.go_on(connection).await?;
    let Ladder { all, .. } = ladder;
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

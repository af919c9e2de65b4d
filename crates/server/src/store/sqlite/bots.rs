//! Programs' accounts and their tokens in the database.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::{Sqlite, failure, people, ratings, row};
use crate::domain::bot::{Capabilities, Scope};
use crate::domain::error::AppError;
use crate::domain::person::{Person, PersonId, PersonName, Role};
use crate::store::Reply;
use crate::store::bots::{Bot, BotWrite, KeptToken};

pub(super) async fn execute(
    connection: &mut SqliteConnection,
    write: &BotWrite,
) -> Result<Reply, sqlx::Error> {
    match write {
        BotWrite::New { name, owner, at, most } => {
            let query = sqlx::query_scalar("SELECT count(*) FROM bot WHERE owner = ?").bind(owner.0);
            let count: i64 = query.fetch_one(&mut *connection).await?;
            if count as usize >= *most {
                return Ok(Reply::Full);
            }
            let Some(bot) = put_person(connection, name, *at).await? else { return Ok(Reply::Refused) };
            put_bot(connection, bot, (Some(*owner), None), &Capabilities::default()).await?;
            Ok(Reply::Person(bot))
        }
        BotWrite::House { name, anchor, accepts, at } => {
            let query = sqlx::query_scalar("SELECT person FROM bot WHERE anchor = ?").bind(anchor);
            let known: Option<i64> = query.fetch_optional(&mut *connection).await?;
            let bot = match known.map(PersonId) {
                Some(bot) => bot,
                None => match put_person(connection, name, *at).await? {
                    Some(bot) => bot,
                    None => return Ok(Reply::Refused),
                },
            };
            put_bot(connection, bot, (None, Some(anchor)), accepts).await?;
            ratings::put_anchor(connection, bot, anchor).await?;
            Ok(Reply::Person(bot))
        }
        BotWrite::Accepts { bot, accepts } => {
            let query = sqlx::query("UPDATE bot SET accepts = ? WHERE person = ?");
            query.bind(json(accepts)).bind(bot.0).execute(connection).await.map(|_| Reply::Done)
        }
        BotWrite::Token { bot, hash, token, most } => {
            let query = sqlx::query("DELETE FROM token WHERE person = ? AND expires <= ?");
            query.bind(bot.0).bind(token.created).execute(&mut *connection).await?;
            let query = sqlx::query_scalar("SELECT count(*) FROM token WHERE person = ?").bind(bot.0);
            let count: i64 = query.fetch_one(&mut *connection).await?;
            if count as usize >= *most {
                return Ok(Reply::Refused);
            }
            let query = sqlx::query(
                "INSERT INTO token (hash, id, person, note, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
            );
            let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.name()).collect();
            let query = query.bind(hash).bind(&token.id).bind(bot.0).bind(&token.note).bind(scopes.join(" "));
            query.bind(token.created).bind(token.expires).execute(connection).await.map(|_| Reply::Done)
        }
        BotWrite::Revoke { bot, token } => {
            let query = sqlx::query("DELETE FROM token WHERE person = ? AND id = ?").bind(bot.0).bind(token);
            let done = query.execute(connection).await?;
            Ok(if done.rows_affected() == 1 { Reply::Done } else { Reply::Refused })
        }
        BotWrite::Used { hash, at } => {
            let query = sqlx::query("UPDATE token SET seen = ? WHERE hash = ?").bind(at).bind(hash);
            query.execute(connection).await.map(|_| Reply::Done)
        }
    }
}

fn json(accepts: &Capabilities) -> String {
    serde_json::to_string(accepts).expect("plain data")
}

/// A new account that nobody can log in to; nothing if the name is taken.
async fn put_person(
    connection: &mut SqliteConnection,
    name: &PersonName,
    at: i64,
) -> Result<Option<PersonId>, sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO person (name, role, created) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
    );
    let done = query.bind(name.as_str()).bind(Role::Bot.name()).bind(at).execute(connection).await?;
    Ok((done.rows_affected() == 1).then(|| PersonId(done.last_insert_rowid())))
}

async fn put_bot(
    connection: &mut SqliteConnection,
    bot: PersonId,
    (owner, anchor): (Option<PersonId>, Option<&str>),
    accepts: &Capabilities,
) -> Result<(), sqlx::Error> {
    let query =
        sqlx::query("INSERT OR REPLACE INTO bot (person, owner, accepts, anchor) VALUES (?, ?, ?, ?)");
    let query = query.bind(bot.0).bind(owner.map(|owner| owner.0)).bind(json(accepts)).bind(anchor);
    query.execute(connection).await.map(|_| ())
}

/// The programs of a person whose account is closed.
pub(super) async fn owned(
    connection: &mut SqliteConnection,
    owner: PersonId,
) -> Result<Vec<PersonId>, sqlx::Error> {
    let query = sqlx::query_scalar("SELECT person FROM bot WHERE owner = ?").bind(owner.0);
    let all: Vec<i64> = query.fetch_all(connection).await?;
    Ok(all.into_iter().map(PersonId).collect())
}

/// Whether somebody is one of the house's players, whose strength is known.
pub(super) async fn is_anchor(
    connection: &mut SqliteConnection,
    person: PersonId,
) -> Result<bool, sqlx::Error> {
    let query = sqlx::query("SELECT 1 FROM bot WHERE person = ? AND anchor IS NOT NULL").bind(person.0);
    query.fetch_optional(connection).await.map(|row| row.is_some())
}

/// Takes away what opens an account that is closed, and what waits for it.
pub(super) async fn close(connection: &mut SqliteConnection, person: PersonId) -> Result<(), sqlx::Error> {
    for query in [
        // All ratings are computed from those of the house's players.
        "DELETE FROM bot WHERE person = ? AND anchor IS NULL",
        "DELETE FROM token WHERE person = ?",
        "DELETE FROM challenge WHERE challenger = ?",
        "DELETE FROM challenge WHERE dest = ?",
    ] {
        sqlx::query(query).bind(person.0).execute(&mut *connection).await?;
    }
    Ok(())
}

const BOT: &str = "SELECT person.*, bot.accepts, bot.anchor FROM bot JOIN person ON person.num = bot.person";

fn bot(row: &SqliteRow) -> Result<Bot, sqlx::Error> {
    let (person, _) = people::person(row)?;
    let accepts = serde_json::from_str(row.try_get("accepts")?).map_err(|_| row::wrong("accepts"))?;
    Ok(Bot { person, accepts, anchor: row.try_get("anchor")? })
}

fn token(row: &SqliteRow) -> Result<KeptToken, sqlx::Error> {
    let scopes: &str = row.try_get("scopes")?;
    let scopes: Option<Vec<Scope>> = scopes.split_whitespace().map(Scope::named).collect();
    Ok(KeptToken {
        id: row.try_get("token_id")?,
        note: row.try_get("note")?,
        scopes: scopes.ok_or_else(|| row::wrong("scopes"))?,
        created: row.try_get("token_created")?,
        expires: row.try_get("expires")?,
        seen: row.try_get("seen")?,
    })
}

const TOKEN: &str = "token.id AS token_id, token.note, token.scopes, token.created AS token_created, token.expires, token.seen";

impl Sqlite {
    /// The program with this number.
    pub(crate) async fn bot(&self, person: PersonId) -> Result<Option<Bot>, AppError> {
        let query = sqlx::query(sqlx::AssertSqlSafe(format!("{BOT} WHERE bot.person = ?"))).bind(person.0);
        let row = query.fetch_optional(&self.reads).await;
        row.and_then(|row| row.as_ref().map(bot).transpose()).map_err(|error| failure(&error))
    }

    /// A person's programs, by name; without a person those of the house.
    pub(crate) async fn bots_of(&self, owner: Option<PersonId>) -> Result<Vec<Bot>, AppError> {
        let query = format!("{BOT} WHERE bot.owner IS ? ORDER BY person.name");
        let query = sqlx::query(sqlx::AssertSqlSafe(query)).bind(owner.map(|owner| owner.0));
        let rows = query.fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(bot).collect()).map_err(|error| failure(&error))
    }

    /// Whose token this is the hash of.
    pub(crate) async fn token(&self, hash: &[u8]) -> Result<Option<(Person, KeptToken)>, AppError> {
        let query = format!(
            "SELECT person.*, {TOKEN} FROM token JOIN person ON person.num = token.person WHERE token.hash = ?"
        );
        let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(hash).fetch_optional(&self.reads).await;
        let known = |row: &SqliteRow| Ok((people::person(row)?.0, token(row)?));
        row.and_then(|row| row.as_ref().map(known).transpose()).map_err(|error| failure(&error))
    }

    /// A program's tokens, the oldest first.
    pub(crate) async fn tokens(&self, person: PersonId) -> Result<Vec<KeptToken>, AppError> {
        let query = format!("SELECT {TOKEN} FROM token WHERE person = ? ORDER BY created");
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).bind(person.0).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(token).collect()).map_err(|error| failure(&error))
    }

    /// The person with a number.
    pub(crate) async fn person_by_id(&self, id: PersonId) -> Result<Option<Person>, AppError> {
        let query = sqlx::query("SELECT * FROM person WHERE num = ? AND name IS NOT NULL").bind(id.0);
        let row = query.fetch_optional(&self.reads).await;
        let known = |row: &SqliteRow| people::person(row).map(|(person, _)| person);
        row.and_then(|row| row.as_ref().map(known).transpose()).map_err(|error| failure(&error))
    }

    /// The games that somebody plays now, the oldest first.
    pub(crate) async fn running(&self, person: PersonId) -> Result<Vec<String>, AppError> {
        let query = sqlx::query_scalar(
            "SELECT id FROM
                 (SELECT num, id FROM game WHERE result IS NULL AND black_person = ? AND white_key IS NOT NULL UNION
                  SELECT num, id FROM game WHERE result IS NULL AND white_person = ? AND black_key IS NOT NULL)
             ORDER BY num",
        );
        let query = query.bind(person.0).bind(person.0);
        query.fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }

    /// When a program began its games with other programs since a moment, the first first.
    pub(crate) async fn bot_games(&self, bot: PersonId, since: i64) -> Result<Vec<i64>, AppError> {
        let query = sqlx::query_scalar(
            "SELECT created FROM game WHERE black_person = ? AND created > ? AND white_person IN (SELECT person FROM bot)
             UNION ALL
             SELECT created FROM game WHERE white_person = ? AND created > ? AND black_person IN (SELECT person FROM bot)
             ORDER BY created",
        );
        let query = query.bind(bot.0).bind(since).bind(bot.0).bind(since);
        query.fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }
}

//! Persons, their sessions and their codes in the database.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::{Sqlite, bots, failure, row, tournaments};
use crate::domain::client::Owner;
use crate::domain::error::AppError;
use crate::domain::keys::KeyHash;
use crate::domain::person::{Person, PersonId, Role};
use crate::store::Reply;
use crate::store::people::{KeptSession, NewSession, PersonWrite, Session};

/// Sessions of a person; the one that was not seen for longest gives way to a new one.
const SESSIONS: i64 = 50;

pub(super) async fn execute(
    connection: &mut SqliteConnection,
    write: &PersonWrite,
) -> Result<Reply, sqlx::Error> {
    match write {
        PersonWrite::New { name, role, password, recovery, session } => {
            let query = sqlx::query(
                "INSERT INTO person (name, role, password, created) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
            );
            let query = query.bind(name.as_str()).bind(role.name()).bind(password).bind(session.at);
            let done = query.execute(&mut *connection).await?;
            if done.rows_affected() == 0 {
                return Ok(Reply::Refused);
            }
            let person = PersonId(done.last_insert_rowid());
            put_recovery(connection, person, recovery).await?;
            put_session(connection, person, session).await?;
            Ok(Reply::Person(person))
        }
        PersonWrite::LogIn { person, session } => put_session(connection, *person, session).await,
        PersonWrite::Seen { session, at } => {
            let query = sqlx::query("UPDATE session SET seen = ? WHERE hash = ?").bind(at).bind(session);
            query.execute(connection).await.map(|_| Reply::Done)
        }
        PersonWrite::LogOut { person, session } => {
            let query = sqlx::query("DELETE FROM session WHERE person = ? AND id = ?");
            let done = query.bind(person.0).bind(session).execute(connection).await?;
            Ok(if done.rows_affected() == 1 { Reply::Done } else { Reply::Refused })
        }
        PersonWrite::LogOutElsewhere { person, session } => {
            end_sessions(connection, *person, session).await.map(|()| Reply::Done)
        }
        PersonWrite::Password { person, password, session } => {
            put_password(connection, *person, password).await?;
            end_sessions(connection, *person, session).await.map(|()| Reply::Done)
        }
        PersonWrite::Recovery { person, recovery } => {
            put_recovery(connection, *person, recovery).await.map(|()| Reply::Done)
        }
        PersonWrite::Recover { person, code, password, session } => {
            let query = sqlx::query("DELETE FROM recovery WHERE person = ? AND hash = ?");
            let used = query.bind(person.0).bind(code).execute(&mut *connection).await?;
            if used.rows_affected() == 0 {
                return Ok(Reply::Refused);
            }
            put_password(connection, *person, password).await?;
            end_sessions(connection, *person, "").await?;
            put_session(connection, *person, session).await
        }
        PersonWrite::Role { person, role } => {
            let query =
                sqlx::query("UPDATE person SET role = ? WHERE num = ?").bind(role.name()).bind(person.0);
            query.execute(connection).await.map(|_| Reply::Done)
        }
        PersonWrite::Close { person, at } => {
            if bots::is_anchor(connection, *person).await? {
                return Ok(Reply::Refused);
            }
            // Programs go with whoever they belong to.
            for bot in bots::owned(connection, *person).await? {
                close(connection, bot, *at).await?;
            }
            close(connection, *person, *at).await.map(|()| Reply::Done)
        }
    }
}

/// Takes the name of an account away, and all that opens it.
async fn close(connection: &mut SqliteConnection, person: PersonId, at: i64) -> Result<(), sqlx::Error> {
    let query = sqlx::query("UPDATE person SET name = NULL, password = NULL, closed = ? WHERE num = ?");
    query.bind(at).bind(person.0).execute(&mut *connection).await?;
    for query in [
        "UPDATE game SET black = '', black_person = NULL WHERE black_person = ?",
        "UPDATE game SET white = '', white_person = NULL WHERE white_person = ?",
        "DELETE FROM seek WHERE person = ?",
        "DELETE FROM block WHERE person = ?",
        "DELETE FROM block WHERE other = ?",
        "UPDATE chat SET name = '', person = NULL WHERE person = ?",
    ] {
        sqlx::query(query).bind(person.0).execute(&mut *connection).await?;
    }
    bots::close(connection, person).await?;
    tournaments::forget(connection, person).await?;
    put_recovery(connection, person, &[]).await?;
    end_sessions(connection, person, "").await
}

async fn put_session(
    connection: &mut SqliteConnection,
    person: PersonId,
    session: &NewSession,
) -> Result<Reply, sqlx::Error> {
    let query = sqlx::query(
        "DELETE FROM session WHERE hash IN
             (SELECT hash FROM session WHERE person = ? ORDER BY seen DESC LIMIT -1 OFFSET ?)",
    );
    query.bind(person.0).bind(SESSIONS - 1).execute(&mut *connection).await?;
    let query = sqlx::query(
        "INSERT INTO session (hash, id, person, created, seen, owner, device) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    let query = query.bind(&session.hash).bind(&session.id).bind(person.0).bind(session.at).bind(session.at);
    query.bind(session.owner.0).bind(&session.device).execute(connection).await.map(|_| Reply::Done)
}

/// Ends all sessions of a person but the one with this id.
async fn end_sessions(
    connection: &mut SqliteConnection,
    person: PersonId,
    but: &str,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query("DELETE FROM session WHERE person = ? AND id <> ?").bind(person.0).bind(but);
    query.execute(connection).await.map(|_| ())
}

async fn put_password(
    connection: &mut SqliteConnection,
    person: PersonId,
    password: &str,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query("UPDATE person SET password = ? WHERE num = ?").bind(password).bind(person.0);
    query.execute(connection).await.map(|_| ())
}

/// Puts these codes in the place of those that there were.
async fn put_recovery(
    connection: &mut SqliteConnection,
    person: PersonId,
    codes: &[KeyHash],
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM recovery WHERE person = ?").bind(person.0).execute(&mut *connection).await?;
    for code in codes {
        let query =
            sqlx::query("INSERT INTO recovery (person, hash) VALUES (?, ?)").bind(person.0).bind(code);
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// A person with what is kept of the password.
pub(super) fn person(row: &SqliteRow) -> Result<(Person, Option<String>), sqlx::Error> {
    let role = Role::named(row.try_get("role")?).ok_or_else(|| row::wrong("role"))?;
    let id = PersonId(row.try_get("num")?);
    let person = Person { id, name: row.try_get("name")?, role, created: row.try_get("created")? };
    Ok((person, row.try_get("password")?))
}

impl Sqlite {
    /// Whose token this is the hash of.
    pub(crate) async fn session(&self, hash: &[u8]) -> Result<Option<Session>, AppError> {
        let query = sqlx::query(
            "SELECT session.id, session.seen, person.num, person.name, person.role, person.password, person.created
             FROM session JOIN person ON person.num = session.person WHERE session.hash = ?",
        );
        let found = query.bind(hash).fetch_optional(&self.reads).await;
        let session = |row: SqliteRow| {
            let (person, password) = person(&row)?;
            Ok(Session { id: row.try_get("id")?, seen: row.try_get("seen")?, person, password })
        };
        found.and_then(|row| row.map(session).transpose()).map_err(|error| failure(&error))
    }

    /// Where a person is logged in, the latest first.
    pub(crate) async fn sessions(&self, person: PersonId) -> Result<Vec<KeptSession>, AppError> {
        let query = sqlx::query(
            "SELECT id, created, seen, owner, device FROM session WHERE person = ? ORDER BY seen DESC",
        );
        let kept = |row: &SqliteRow| {
            Ok(KeptSession {
                id: row.try_get("id")?,
                created: row.try_get("created")?,
                seen: row.try_get("seen")?,
                owner: Owner(row.try_get("owner")?),
                device: row.try_get("device")?,
            })
        };
        let rows = query.bind(person.0).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(kept).collect()).map_err(|error| failure(&error))
    }

    /// The person with a name, and what is kept of the password.
    pub(crate) async fn person(&self, name: &str) -> Result<Option<(Person, Option<String>)>, AppError> {
        let query = sqlx::query("SELECT num, name, role, password, created FROM person WHERE name = ?");
        let row = query.bind(name).fetch_optional(&self.reads).await;
        row.and_then(|row| row.as_ref().map(self::person).transpose()).map_err(|error| failure(&error))
    }

    /// How many codes a person has left with which a lost password is replaced.
    pub(crate) async fn recovery_codes(&self, person: PersonId) -> Result<u64, AppError> {
        let query = sqlx::query_scalar("SELECT count(*) FROM recovery WHERE person = ?").bind(person.0);
        let count: Result<i64, _> = query.fetch_one(&self.reads).await;
        count.map(|count| count as u64).map_err(|error| failure(&error))
    }
}

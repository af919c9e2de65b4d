//! The database: SQLite in a file, with a write-ahead log. All writes go through one connection that groups them into
//! transactions; reads have a few connections of their own and never wait for a write.
//!
//! A write is answered after its transaction is committed. The log is written with `synchronous=NORMAL`: what was
//! committed survives the end of the process at any moment, `kill -9` included; a loss of power can take the last
//! transactions, but never leaves half of one.

mod bots;
mod challenges;
mod chat;
mod explore;
mod health;
mod json;
mod list;
mod lock;
pub(crate) mod maintain;
mod peace;
mod people;
mod ratings;
mod record;
mod row;
mod seeks;
mod tournaments;
mod writer;

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    Sqlite as Db, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Row as _, SqlStr};
use sumito_engine::analysis::BASIS;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

pub(crate) use health::StoreHealth;

use super::{Kept, Reply, StoreError, Write};
use crate::domain::client::Owner;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::kept::KeptReview;
use crate::domain::keys::GameKeys;
use crate::metrics::Metrics;
use lock::{DatabaseLock, beside};
use writer::Writer;

/// Writes that may wait before those who want to write wait themselves.
const WAITING: usize = 4096;
/// Connections that read single games.
const READERS: u32 = 4;
/// Connections that look through many games: lists and openings. They are few, so that others need not wait for them.
const SEARCHERS: u32 = 2;
/// How long a query waits for a connection, and how long it may then take.
const WAIT: Duration = Duration::from_secs(5);
const QUERY: Duration = Duration::from_secs(5);
/// How many steps of its machine SQLite does before it asks whether there is time left.
const STEPS: i32 = 10_000;
/// Games that are looked up at a time to be deleted: so few that others need not wait for long.
const SOME: u32 = 200;
/// Whether a game waits for a second person; in the words of the index over such games.
const WAITING_GAME: &str = "(black_key IS NULL) <> (white_key IS NULL)";
/// A database up to this size is checked before it is used, a larger one meanwhile.
const CHECKED_FIRST: u64 = 256 << 20;

/// What brings the tables from any version to this one.
///
/// Listed here instead of by `sqlx::migrate!`: the macro would have all of sqlx, SQLite included, built a second time.
static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let scripts = [
        (1, "games", include_str!("../../../migrations/0001_games.sql")),
        (2, "owners", include_str!("../../../migrations/0002_owners.sql")),
        (3, "openings", include_str!("../../../migrations/0003_openings.sql")),
        (4, "basis", include_str!("../../../migrations/0004_basis.sql")),
        (5, "think", include_str!("../../../migrations/0005_think.sql")),
        (6, "seats", include_str!("../../../migrations/0006_seats.sql")),
        (7, "dates", include_str!("../../../migrations/0007_dates.sql")),
        (8, "people", include_str!("../../../migrations/0008_people.sql")),
        (9, "bots", include_str!("../../../migrations/0009_bots.sql")),
        (10, "tournaments", include_str!("../../../migrations/0010_tournaments.sql")),
        (11, "people", include_str!("../../../migrations/0011_people.sql")),
        (12, "peace", include_str!("../../../migrations/0012_peace.sql")),
        (13, "changes", include_str!("../../../migrations/0013_changes.sql")),
    ];
    let migration = |(version, name, sql): (i64, &'static str, &'static str)| {
        Migration::new(version, name.into(), MigrationType::Simple, SqlStr::from_static(sql), false)
    };
    Migrator::with_migrations(scripts.into_iter().map(migration).collect())
});

/// The database.
pub(crate) struct Sqlite {
    reads: SqlitePool,
    searches: SqlitePool,
    writes: mpsc::Sender<writer::Command>,
    /// Of which owners' numbers are made.
    secret: Vec<u8>,
    health: Arc<StoreHealth>,
    lock: Mutex<Option<DatabaseLock>>,
}

/// SQLite's kind of an error: the low byte of its code.
fn kind(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.and_then(|code| code.parse::<u32>().ok()).map(|code| code & 0xff)
}

/// Whether no write can succeed now, whatever it is.
fn is_of_the_disk(error: &sqlx::Error) -> bool {
    matches!(kind(error), Some(8 | 10 | 11 | 13 | 14 | 26)) || matches!(error, sqlx::Error::Io(_))
}

/// What the database says, as a client is told.
pub(crate) fn failure(error: &sqlx::Error) -> AppError {
    let busy = match error {
        sqlx::Error::RowNotFound => return Cause::GameGone {}.at("id"),
        sqlx::Error::PoolTimedOut => Some(Cause::DatabaseCrowded {}),
        _ if kind(error) == Some(9) => Some(Cause::DatabaseSlow {}),
        _ => None,
    };
    if let Some(cause) = busy {
        tracing::warn!(%error, "{cause}");
        return cause.into();
    }
    let what = match kind(error) {
        Some(5 | 6) => "the database is in use by another program",
        Some(8) => "the database is read-only",
        Some(10) => "the disk cannot be read or written",
        Some(11 | 26) => "the database is damaged",
        Some(13) => "the disk is full",
        Some(14) => "the database's file cannot be opened",
        _ => "the database failed",
    };
    tracing::error!(%error, "{what}");
    Cause::DatabaseFailed { what }.into()
}

/// How every connection is opened that does not change the kind of the file.
fn plain(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(Duration::from_secs(5))
        .pragma("cache_size", "-16000")
        .disable_statement_logging()
}

fn options(file: &Path) -> SqliteConnectOptions {
    // The writer removes what belongs to a game itself, see `writer::delete`.
    plain(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(false)
}

async fn readers(file: &Path, most: u32) -> Result<SqlitePool, sqlx::Error> {
    let pool = SqlitePoolOptions::new().max_connections(most).acquire_timeout(WAIT);
    pool.connect_with(options(file).pragma("query_only", "true")).await
}

impl Sqlite {
    /// Opens the database, makes or renews its tables, and starts the writer. The task ends when all writes are done
    /// after the store was closed. The writer has these pragmas besides its own.
    pub(crate) async fn open(
        file: &Path,
        pragmas: &'static [(&'static str, &'static str)],
        metrics: Arc<Metrics>,
    ) -> Result<(Sqlite, JoinHandle<()>), StoreError> {
        let lock = DatabaseLock::take(file)?;
        let wrong = |error: sqlx::Error| open_error(file, &error);
        let mut connection = options(file).connect().await.map_err(wrong)?;
        let health = Arc::new(StoreHealth::default());
        check_first(file, &mut connection, &health).await?;
        renew(file, &mut connection).await?;
        // A database that can be read but not written is found out now, and not by the first game.
        let probe = sqlx::query("UPDATE game SET num = num WHERE num = -1").execute(&mut connection).await;
        probe.map_err(wrong)?;
        let secret = sqlx::query_scalar("SELECT value FROM secret WHERE name = 'owner'");
        let secret = secret.fetch_one(&mut connection).await.map_err(wrong)?;
        connection.close().await.map_err(wrong)?;
        let (reads, searches) =
            (readers(file, READERS).await.map_err(wrong)?, readers(file, SEARCHERS).await.map_err(wrong)?);
        let options = pragmas.iter().fold(options(file), |all, (name, value)| all.pragma(*name, *value));
        let writer = Writer { options, connection: None, metrics, health: Arc::clone(&health) };
        let (writes, inbox) = mpsc::channel(WAITING);
        tokio::spawn(health::probe(Arc::clone(&health), writes.downgrade()));
        let task = tokio::spawn(writer.run(inbox));
        Ok((Sqlite { reads, searches, writes, secret, health, lock: Mutex::new(Some(lock)) }, task))
    }

    /// Tells others who has the database.
    pub(crate) fn say(&self, who: &str) {
        if let Some(lock) = &mut *self.lock.lock().unwrap_or_else(PoisonError::into_inner) {
            lock.say(who);
        }
    }

    /// Gives the database free for others, after the writer has ended.
    pub(crate) fn release(&self) {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether the database takes writes.
    pub(crate) fn health(&self) -> &StoreHealth {
        &self.health
    }

    /// A connection for queries that look through many games, each of which has so much time.
    async fn searcher(&self) -> Result<PoolConnection<Db>, AppError> {
        let mut connection = self.searches.acquire().await.map_err(|error| failure(&error))?;
        let until = Instant::now() + QUERY;
        let mut handle = connection.lock_handle().await.map_err(|error| failure(&error))?;
        handle.set_progress_handler(STEPS, move || Instant::now() < until);
        drop(handle);
        Ok(connection)
    }

    pub(crate) fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// Writes, and comes back when it is committed.
    pub(crate) async fn write(&self, write: Write) -> Result<Reply, AppError> {
        let (done, reply) = oneshot::channel();
        let ended = |_| AppError::from(Cause::ServerEnding {});
        self.writes.send(writer::Command::Write(Box::new((write, done)))).await.map_err(|_| ended(()))?;
        reply.await.map_err(|_| ended(()))?
    }

    /// Ends the writer after all writes that came before.
    pub(crate) async fn close(&self) {
        // If the writer is gone already, there is nothing to end.
        let _ = self.writes.send(writer::Command::Close).await;
        self.reads.close().await;
        self.searches.close().await;
    }

    /// A game with what is kept about its moves, and how many moves it had when it was reviewed.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<Kept>, AppError> {
        let found = sqlx::query("SELECT * FROM game WHERE id = ?").bind(id).fetch_optional(&self.reads).await;
        let Some(row) = found.map_err(|error| failure(&error))? else { return Ok(None) };
        let game = row::game(&row).map_err(|error| {
            tracing::warn!(id, %error, "a game in the database is damaged");
            Cause::GameDamaged { what: error.to_string() }.at("id")
        })?;
        let plies = sqlx::query("SELECT ply, ms, score, depth, nodes FROM ply WHERE game = ? ORDER BY ply")
            .bind(game.num)
            .fetch_all(&self.reads)
            .await
            .and_then(|rows| rows.iter().map(row::ply).collect::<Result<Vec<_>, _>>())
            .map_err(|error| failure(&error))?;
        let review = sqlx::query_scalar("SELECT plies FROM review WHERE game = ? AND basis = ?");
        let review = review.bind(game.num).bind(BASIS.as_str());
        let review = review.fetch_optional(&self.reads).await.map_err(|error| failure(&error))?;
        Ok(Some(Kept { game, plies, reviewed: review }))
    }

    /// A game's review, if it would be made like that today.
    pub(crate) async fn review(&self, game: i64) -> Result<Option<KeptReview>, AppError> {
        let query =
            sqlx::query("SELECT nodes, time_ms, plies, report FROM review WHERE game = ? AND basis = ?");
        let query = query.bind(game).bind(BASIS.as_str());
        let row = query.fetch_optional(&self.reads).await.map_err(|error| failure(&error))?;
        row.map(|row| row::review(&row)).transpose().map_err(|error| failure(&error))
    }

    /// The games that agents have still to play on, the latest first.
    pub(crate) async fn unfinished(&self, most: u32) -> Result<Vec<String>, AppError> {
        let query = sqlx::query(
            "SELECT id FROM game WHERE result IS NULL AND source = 'play' AND NOT paused
             AND (black_agent IS NOT NULL OR white_agent IS NOT NULL OR clock IS NOT NULL AND due IS NULL)
             ORDER BY updated DESC LIMIT ?",
        );
        let rows = query.bind(most).fetch_all(&self.reads).await.map_err(|error| failure(&error))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Some of the games that were played here and have not changed since a moment: ids and numbers.
    pub(crate) async fn unchanged_since(&self, before: i64) -> Result<Vec<(String, i64)>, AppError> {
        let query = sqlx::query_as(
            "SELECT id, num FROM game WHERE updated < ? AND source <> 'import' ORDER BY updated LIMIT ?",
        );
        let mut connection = self.searcher().await?;
        query.bind(before).bind(SOME).fetch_all(&mut *connection).await.map_err(|error| failure(&error))
    }

    /// The bytes that are in use in the database's file.
    pub(crate) async fn size(&self) -> Result<u64, AppError> {
        let query = sqlx::query_scalar(
            "SELECT (page_count - freelist_count) * page_size
             FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
        );
        let size: i64 = query.fetch_one(&self.reads).await.map_err(|error| failure(&error))?;
        Ok(size as u64)
    }

    /// A game's number and what is kept of its keys.
    pub(crate) async fn keys(&self, id: &str) -> Result<Option<(i64, GameKeys)>, AppError> {
        let query = sqlx::query(
            "SELECT num, key, black_key, white_key, black_person, white_person FROM game WHERE id = ?",
        )
        .bind(id);
        let row = query.fetch_optional(&self.reads).await.map_err(|error| failure(&error))?;
        let known = |row: SqliteRow| Ok((row.try_get("num")?, row::keys(&row)?));
        row.map(known).transpose().map_err(|error| failure(&error))
    }

    /// How many games of an owner wait for a second person.
    pub(crate) async fn waiting(&self, owner: Owner) -> Result<u64, AppError> {
        let query = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "SELECT count(*) FROM game WHERE owner = ? AND {WAITING_GAME}"
        )));
        let count: i64 = query.bind(owner.0).fetch_one(&self.reads).await.map_err(|error| failure(&error))?;
        Ok(count as u64)
    }

    /// Some of the games that have waited for a second person since before a moment: ids and numbers.
    pub(crate) async fn waiting_since(&self, before: i64) -> Result<Vec<(String, i64)>, AppError> {
        let query = sqlx::query_as(sqlx::AssertSqlSafe(format!(
            "SELECT id, num FROM game WHERE {WAITING_GAME} AND created < ? LIMIT {SOME}"
        )));
        query.bind(before).fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }
}

fn open_error(file: &Path, error: &sqlx::Error) -> StoreError {
    match kind(error) {
        Some(11) => StoreError::Damaged { file: file.to_path_buf(), what: error.to_string() },
        _ => StoreError::Open { file: file.to_path_buf(), why: error.to_string() },
    }
}

/// Looks through the whole file for damage: at once if that is quick, else while the server runs.
async fn check_first(
    file: &Path,
    connection: &mut SqliteConnection,
    health: &Arc<StoreHealth>,
) -> Result<(), StoreError> {
    let size = std::fs::metadata(file).map_or(0, |data| data.len());
    if size <= CHECKED_FIRST {
        return match maintain::quick_check(connection).await.map_err(|error| open_error(file, &error))? {
            None => Ok(()),
            Some(what) => Err(StoreError::Damaged { file: file.to_path_buf(), what }),
        };
    }
    let (options, health) = (plain(file), Arc::clone(health));
    tokio::spawn(async move {
        let Ok(mut connection) = options.connect().await else { return };
        match maintain::quick_check(&mut connection).await {
            Ok(None) => tracing::info!("the database was checked and is sound"),
            Ok(Some(what)) => {
                tracing::error!(what, "the database is damaged");
                health.damaged(format!("the database is damaged ({what})"));
            }
            Err(error) => tracing::warn!(%error, "the database could not be checked"),
        }
    });
    Ok(())
}

/// Brings the tables up to this version of the program, after a copy of what was there.
async fn renew(file: &Path, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let wrong = |why: String| StoreError::Open { file: file.to_path_buf(), why };
    let newest = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    let version = maintain::version(connection).await.map_err(|error| open_error(file, &error))?;
    if let Some(version) = version.filter(|&version| version < newest) {
        let copy = beside(file, &format!(".version-{version}-{}", now()));
        tracing::info!(version, newest, copy = %copy.display(), "the database is renewed, after a copy of it");
        maintain::copy(connection, &copy).await.map_err(|why| {
            wrong(format!("it is of version {version}, and a copy before its renewal failed: {why}"))
        })?;
    }
    MIGRATIONS.run(connection).await.map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::error::Kind;

    async fn store(folder: &tempfile::TempDir) -> Sqlite {
        let (store, _) =
            Sqlite::open(&folder.path().join("games.db"), &[], Arc::default()).await.expect("a database");
        store
    }

    #[tokio::test]
    async fn a_query_that_finds_no_connection_is_told_to_come_again_and_single_games_are_still_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        let taken = (store.searcher().await.expect("one"), store.searcher().await.expect("another"));
        let error = store.searcher().await.expect_err("none is left");
        assert_eq!(error.kind(), Kind::Busy);
        assert!(store.game("none").await.expect("read").is_none());
        drop(taken);
        assert!(store.searcher().await.is_ok());
    }

    #[tokio::test]
    async fn a_query_that_takes_too_long_is_ended_and_its_connection_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        let endless =
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
        let mut connection = store.searcher().await.expect("a connection");
        let ended = sqlx::query(endless).execute(&mut *connection).await.expect_err("it has no end");
        assert_eq!(failure(&ended).kind(), Kind::Busy, "{ended}");
        drop(connection);
        let mut connection = store.searcher().await.expect("a connection");
        sqlx::query("SELECT count(*) FROM game").execute(&mut *connection).await.expect("time enough");
    }
}

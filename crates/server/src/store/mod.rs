//! The database: SQLite in a file, with a write-ahead log. All writes go through one connection that groups them into
//! transactions; reads have a few connections of their own and never wait for a write.
//!
//! A write is answered after its transaction is committed. The log is written with `synchronous=NORMAL`: what was
//! committed survives the end of the process at any moment, `kill -9` included; a loss of power can take the last
//! transactions, but never leaves half of one.

pub(crate) mod canonical;
pub(crate) mod explore;
pub(crate) mod list;
mod row;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Row as _};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

pub(crate) use row::{Change, GameRow, PlyRow, ReviewRow};
pub(crate) use writer::{Reply, Write, winner};

use crate::error::AppError;
use crate::metrics::Metrics;

/// Writes that may wait before those who want to write wait themselves.
const WAITING: usize = 4096;
/// Connections that read.
const READERS: u32 = 4;

/// The database.
pub(crate) struct Store {
    reads: SqlitePool,
    writes: mpsc::Sender<writer::Command>,
}

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened, or is of a later version of the program.
    #[error("the database {} cannot be used: {why}", .file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        why: String,
    },
}

/// What the database says, as a client is told.
pub(crate) fn failure(error: &sqlx::Error) -> AppError {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .and_then(|code| code.parse::<u32>().ok());
    // The low byte is the kind of the error.
    let what = match code.map(|code| code & 0xff) {
        Some(5 | 6) => "the database is in use by another program",
        Some(8) => "the database is read-only",
        Some(10) => "the disk cannot be read or written",
        Some(11 | 26) => "the database is damaged",
        Some(13) => "the disk is full",
        Some(14) => "the database's file cannot be opened",
        _ => "the database failed",
    };
    tracing::error!(%error, "{what}");
    AppError::storage(format!("{what}; nothing was changed"))
}

fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .pragma("cache_size", "-16000")
        .disable_statement_logging()
}

impl Store {
    /// Opens the database, makes or renews its tables, and starts the writer. The task ends when all writes are done
    /// after the store was closed. The writer has these pragmas besides its own.
    pub(crate) async fn open(
        file: &Path,
        pragmas: &'static [(&'static str, &'static str)],
        metrics: Arc<Metrics>,
    ) -> Result<(Store, JoinHandle<()>), StoreError> {
        let wrong = |why: String| StoreError::Open { file: file.to_path_buf(), why };
        let mut connection = options(file).connect().await.map_err(|error| wrong(error.to_string()))?;
        let migrations = sqlx::migrate!("./migrations");
        migrations.run(&mut connection).await.map_err(|error| wrong(error.to_string()))?;
        // A database that can be read but not written is found out now, and not by the first game.
        let probe = sqlx::query("UPDATE game SET num = num WHERE num = -1").execute(&mut connection).await;
        probe.map_err(|error| wrong(error.to_string()))?;
        let reads = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(Duration::from_secs(10))
            .connect_with(options(file).pragma("query_only", "true"))
            .await
            .map_err(|error| wrong(error.to_string()))?;
        for (name, value) in pragmas {
            let pragma = sqlx::AssertSqlSafe(format!("PRAGMA {name} = {value}"));
            sqlx::raw_sql(pragma).execute(&mut connection).await.map_err(|error| wrong(error.to_string()))?;
        }
        let (writes, inbox) = mpsc::channel(WAITING);
        let task = tokio::spawn(async move {
            writer::run(&mut connection, inbox, &metrics).await;
            if let Err(error) = connection.close().await {
                tracing::error!(%error, "the database was not closed well");
            }
        });
        Ok((Store { reads, writes }, task))
    }

    /// Writes, and comes back when it is committed.
    pub(crate) async fn write(&self, write: Write) -> Result<Reply, AppError> {
        let (done, reply) = oneshot::channel();
        let ended = |_| AppError::busy("the server is about to end");
        self.writes.send(writer::Command::Write(Box::new((write, done)))).await.map_err(|_| ended(()))?;
        reply.await.map_err(|_| ended(()))?
    }

    /// Ends the writer after all writes that came before.
    pub(crate) async fn close(&self) {
        // If the writer is gone already, there is nothing to end.
        let _ = self.writes.send(writer::Command::Close).await;
        self.reads.close().await;
    }

    /// A game with what is kept about its moves, and how many moves it had when it was reviewed.
    pub(crate) async fn game(
        &self,
        id: &str,
    ) -> Result<Option<(GameRow, Vec<PlyRow>, Option<i64>)>, AppError> {
        let found = sqlx::query("SELECT * FROM game WHERE id = ?").bind(id).fetch_optional(&self.reads).await;
        let Some(row) = found.map_err(|error| failure(&error))? else { return Ok(None) };
        let game = GameRow::read(&row).map_err(|error| failure(&error))?;
        let plies = sqlx::query("SELECT ply, ms, score, depth, nodes FROM ply WHERE game = ? ORDER BY ply")
            .bind(game.num)
            .fetch_all(&self.reads)
            .await
            .and_then(|rows| rows.iter().map(PlyRow::read).collect::<Result<Vec<_>, _>>())
            .map_err(|error| failure(&error))?;
        let review = sqlx::query_scalar("SELECT plies FROM review WHERE game = ?").bind(game.num);
        let review = review.fetch_optional(&self.reads).await.map_err(|error| failure(&error))?;
        Ok(Some((game, plies, review)))
    }

    /// A game's review.
    pub(crate) async fn review(&self, game: i64) -> Result<Option<ReviewRow>, AppError> {
        let query = sqlx::query("SELECT nodes, time_ms, plies, report FROM review WHERE game = ?").bind(game);
        let row = query.fetch_optional(&self.reads).await.map_err(|error| failure(&error))?;
        row.map(|row| ReviewRow::read(&row)).transpose().map_err(|error| failure(&error))
    }

    /// The games that agents have still to play on, the latest first.
    pub(crate) async fn unfinished(&self, most: u32) -> Result<Vec<String>, AppError> {
        let query = sqlx::query(
            "SELECT id FROM game WHERE result IS NULL AND source = 'play' AND NOT paused
             AND (black_agent IS NOT NULL OR white_agent IS NOT NULL OR clock IS NOT NULL)
             ORDER BY updated DESC LIMIT ?",
        );
        let rows = query.bind(most).fetch_all(&self.reads).await.map_err(|error| failure(&error))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Whether the database answers.
    pub(crate) async fn is_alive(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.reads).await.is_ok()
    }
}

//! Care for a database: checks, copies, putting a copy in its place. All but the last work beside a running server.

use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions, Connection, Row};

use super::lock::{DatabaseLock, beside};
use super::row::game;
use super::writer::Writer;
use super::{MIGRATIONS, open_error, options, people, plain, ratings};
use crate::domain::canonical::places;
use crate::domain::date::{Month, now};
use crate::domain::person::{Person, PersonId};
use crate::domain::record::Written;
use crate::store::peace::PeaceWrite;
use crate::store::people::PersonWrite;
use crate::store::{Reply, StoreError, Write};

/// The version of a database's tables; none if it has none yet.
pub(super) async fn version(connection: &mut SqliteConnection) -> Result<Option<i64>, sqlx::Error> {
    let known = sqlx::query("SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations'");
    if known.fetch_optional(&mut *connection).await?.is_none() {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(connection).await
}

/// Looks through the file for damage of its pages, without comparing indexes with their tables: the first thing found.
pub(super) async fn quick_check(connection: &mut SqliteConnection) -> Result<Option<String>, sqlx::Error> {
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(connection).await?;
    Ok(Some(found).filter(|found| found != "ok"))
}

/// Writes a copy that is consistent, whoever writes meanwhile. A copy that did not succeed is removed.
pub(super) async fn copy(connection: &mut SqliteConnection, to: &Path) -> Result<(), String> {
    let partial = beside(to, "-partial");
    let name = partial.to_str().ok_or("expected a name that is Unicode")?;
    let made = sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await;
    let made = made.map(|_| ()).map_err(|error| error.to_string());
    let made = made.and_then(|()| {
        // The copy must be on the disk before it has its name.
        std::fs::File::open(&partial).and_then(|file| file.sync_all()).map_err(|error| error.to_string())?;
        std::fs::rename(&partial, to).map_err(|error| error.to_string())
    });
    if made.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    made
}

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// The version of the tables.
    pub version: i64,
    /// Games that can be read and replayed.
    pub games: u64,
    /// What is wrong with the file, as SQLite says it.
    pub faults: Vec<String>,
    /// Games that cannot be read or replayed: their ids, and why.
    pub damaged: Vec<(String, String)>,
}

impl CheckReport {
    /// Whether all is well.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty() && self.damaged.is_empty()
    }
}

/// Faults that are told one by one.
const TOLD: u32 = 100;

async fn open_existing(file: &Path) -> Result<SqliteConnection, StoreError> {
    let options = plain(file).create_if_missing(false).pragma("query_only", "true");
    let mut connection = options.connect().await.map_err(|error| open_error(file, &error))?;
    let wrong = |why: String| StoreError::Open { file: file.to_path_buf(), why };
    let newest = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    match version(&mut connection).await.map_err(|error| open_error(file, &error))? {
        None => Err(wrong("expected a database of games, found another one".to_string())),
        Some(version) if version > newest => {
            Err(wrong(format!("expected version {newest} or less, found {version}, of a later program")))
        }
        Some(_) => Ok(connection),
    }
}

/// Checks everything: pages, indexes, references, and that every game can be replayed.
pub(crate) async fn check(file: &Path) -> Result<CheckReport, StoreError> {
    let mut connection = open_existing(file).await?;
    let wrong = |error: sqlx::Error| open_error(file, &error);
    let mut report = CheckReport {
        version: version(&mut connection).await.map_err(wrong)?.unwrap_or(0),
        ..CheckReport::default()
    };
    let pragma = sqlx::AssertSqlSafe(format!("PRAGMA integrity_check({TOLD})"));
    let found: Vec<String> = sqlx::query_scalar(pragma).fetch_all(&mut connection).await.map_err(wrong)?;
    report.faults.extend(found.into_iter().filter(|line| line != "ok"));
    let lost = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await.map_err(wrong)?;
    report.faults.extend(lost.iter().take(TOLD as usize).map(|row| {
        let table: String = row.try_get(0).unwrap_or_default();
        format!("a row of table {table} belongs to a game that is not there")
    }));
    let mut visit = |id: &str, game: Result<Written, String>| match game {
        Ok(_) => report.games += 1,
        Err(why) => report.damaged.push((id.to_string(), why)),
    };
    each(&mut connection, &mut visit).await.map_err(wrong)?;
    Ok(report)
}

/// Games that are read at a time.
const PAGE: i64 = 200;

/// Goes through all games in the order of their numbers.
async fn each(
    connection: &mut SqliteConnection,
    visit: &mut impl FnMut(&str, Result<Written, String>),
) -> Result<(), sqlx::Error> {
    let mut after = i64::MIN;
    loop {
        // A database of an earlier version has no owners.
        let query = sqlx::query("SELECT *, 0 AS owner FROM game WHERE num > ? ORDER BY num LIMIT ?");
        let rows = query.bind(after).bind(PAGE).fetch_all(&mut *connection).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.try_get("num")?;
        for row in &rows {
            let id: String = row.try_get("id").unwrap_or_default();
            let kept = game(row).map_err(|error| error.to_string());
            visit(&id, kept.and_then(|kept| kept.written().map_err(|error| error.to_string())));
        }
    }
}

/// How people did against an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleResult {
    /// The agent's spec.
    pub agent: String,
    /// Games that people won.
    pub won: u64,
    /// Games that were drawn.
    pub drawn: u64,
    /// Games that people lost.
    pub lost: u64,
}

/// How people did against each agent, in the games that were played here and are over.
pub(crate) async fn people(file: &Path) -> Result<Vec<PeopleResult>, StoreError> {
    let wrong = |error: sqlx::Error| open_error(file, &error);
    let mut connection = open_existing(file).await?;
    let query = sqlx::query(
        "SELECT agent, sum(result = person) AS won, sum(result = 'draw') AS drawn, count(*) AS games FROM
             (SELECT coalesce(black_agent, white_agent) AS agent, result,
                 CASE WHEN black_agent IS NULL THEN 'black' ELSE 'white' END AS person
             FROM game WHERE source = 'play' AND result IS NOT NULL
                 AND (black_agent IS NULL) <> (white_agent IS NULL))
         GROUP BY agent ORDER BY agent",
    );
    let rows = query.fetch_all(&mut connection).await.map_err(wrong)?;
    let result = |row: &sqlx::sqlite::SqliteRow| {
        let count = |name: &str| row.try_get::<i64, _>(name).map(|count| count as u64);
        let (won, drawn, games) = (count("won")?, count("drawn")?, count("games")?);
        Ok(PeopleResult { agent: row.try_get("agent")?, won, drawn, lost: games - won - drawn })
    };
    rows.iter().map(result).collect::<Result<_, sqlx::Error>>().map_err(wrong)
}

/// Copies a database to a new file, beside a running server.
pub(crate) async fn backup(file: &Path, to: &Path) -> Result<(), StoreError> {
    let wrong = |why: String| StoreError::Open { file: to.to_path_buf(), why };
    if to.exists() {
        return Err(wrong("expected a name that is free, found a file".to_string()));
    }
    let options = plain(file).create_if_missing(false);
    drop(open_existing(file).await?);
    let mut connection = options.connect().await.map_err(|error| open_error(file, &error))?;
    copy(&mut connection, to).await.map_err(wrong)
}

/// Puts a copy in a database's place, after a check of it, while no server runs. Gives the name that the old file has got,
/// if there was one.
pub(crate) async fn restore(copy_of: &Path, file: &Path) -> Result<Option<PathBuf>, StoreError> {
    let _lock = DatabaseLock::take(file)?;
    let report = check(copy_of).await?;
    if let Some(what) = report.faults.first() {
        return Err(StoreError::Damaged { file: copy_of.to_path_buf(), what: what.clone() });
    }
    let wrong = |why: String| StoreError::Open { file: file.to_path_buf(), why };
    let fresh = beside(file, "-restored");
    if fresh.exists() {
        std::fs::remove_file(&fresh).map_err(|error| wrong(error.to_string()))?;
    }
    backup(copy_of, &fresh).await?;
    let aside = file.exists().then(|| beside(file, &format!(".before-restore-{}", now())));
    if let Some(aside) = &aside {
        // The log belongs to its file: both get the same name, and the old database can be opened by it.
        for suffix in ["-wal", ""] {
            let (from, to) = (beside(file, suffix), beside(aside, suffix));
            if from.exists() {
                std::fs::rename(&from, &to).map_err(|error| wrong(error.to_string()))?;
            }
        }
        let _ = std::fs::remove_file(beside(file, "-shm"));
    }
    std::fs::rename(&fresh, file).map_err(|error| wrong(error.to_string()))?;
    Ok(aside)
}

/// Deletes a game by its id, beside a running server. False if there is none.
pub(crate) async fn delete(file: &Path, id: &str) -> Result<bool, StoreError> {
    let wrong = |error: sqlx::Error| open_error(file, &error);
    drop(open_existing(file).await?);
    let mut connection = options(file).create_if_missing(false).connect().await.map_err(wrong)?;
    let found = sqlx::query("SELECT *, 0 AS owner FROM game WHERE id = ?").bind(id);
    let Some(row) = found.fetch_optional(&mut connection).await.map_err(wrong)? else { return Ok(false) };
    let game: i64 = row.try_get("num").map_err(wrong)?;
    let replayed = self::game(&row).ok().and_then(|kept| kept.replay().ok());
    let places = replayed.map(|replayed| places(&replayed.game, 0));
    Writer::once(&mut connection, &Write::Delete { game, places }).await.map_err(wrong)?;
    connection.close().await.map_err(wrong)?;
    Ok(true)
}

/// Writes all games as records; gives how many were written, and which could not be read and why.
pub(crate) async fn export(
    file: &Path,
    month: Option<Month>,
    out: &mut dyn std::io::Write,
) -> Result<CheckReport, StoreError> {
    let mut connection = open_existing(file).await?;
    let (mut report, mut failed) = (CheckReport::default(), None);
    let mut visit = |id: &str, game: Result<Written, String>| match game {
        Ok(written) if month.is_some_and(|month| !month.has(written.created)) => {}
        Ok(written) if failed.is_none() => match writeln!(out, "{}", written.record()) {
            Ok(()) => report.games += 1,
            Err(error) => failed = Some(error.to_string()),
        },
        Ok(_) => {}
        Err(why) => report.damaged.push((id.to_string(), why)),
    };
    each(&mut connection, &mut visit).await.map_err(|error| open_error(file, &error))?;
    match failed {
        Some(why) => {
            Err(StoreError::Open { file: file.to_path_buf(), why: format!("the export failed: {why}") })
        }
        None => Ok(report),
    }
}

/// The first version of a release whose tables have accounts.
const PEOPLE: i64 = 12;

/// Everybody with an account, by name.
pub(crate) async fn persons(file: &Path) -> Result<Vec<Person>, StoreError> {
    let wrong = |error: sqlx::Error| open_error(file, &error);
    let mut connection = open_existing(file).await?;
    if version(&mut connection).await.map_err(wrong)? < Some(PEOPLE) {
        return Ok(Vec::new());
    }
    let query = sqlx::query("SELECT * FROM person WHERE name IS NOT NULL ORDER BY name");
    let rows = query.fetch_all(&mut connection).await.map_err(wrong)?;
    rows.iter()
        .map(|row| people::person(row).map(|(person, _)| person))
        .collect::<Result<_, _>>()
        .map_err(wrong)
}

/// Changes somebody's account, beside a running server. False if nobody has the name, or it may not be changed so.
pub(crate) async fn change_person(
    file: &Path,
    name: &str,
    change: impl FnOnce(PersonId) -> PersonWrite,
) -> Result<bool, StoreError> {
    let wrong = |error: sqlx::Error| open_error(file, &error);
    if version(&mut open_existing(file).await?).await.map_err(wrong)? < Some(PEOPLE) {
        return Ok(false);
    }
    let mut connection = options(file).create_if_missing(false).connect().await.map_err(wrong)?;
    let found = sqlx::query_scalar("SELECT num FROM person WHERE name = ?").bind(name);
    let found: Option<i64> = found.fetch_optional(&mut connection).await.map_err(wrong)?;
    let mut done = false;
    if let Some(about) = found.map(PersonId) {
        let write = PeaceWrite::AtMachine { about, change: change(about), at: now() };
        let reply = Writer::once(&mut connection, &Write::Peace(Box::new(write))).await.map_err(wrong)?;
        done = reply != Reply::Refused;
    }
    connection.close().await.map_err(wrong)?;
    Ok(done)
}

/// Computes all ratings again from the rated games, beside a running server; gives how many there are, and how many were kept
/// otherwise and are put right.
pub(crate) async fn ratings(file: &Path) -> Result<(usize, usize), StoreError> {
    let wrong = |error: sqlx::Error| open_error(file, &error);
    if version(&mut open_existing(file).await?).await.map_err(wrong)? < Some(PEOPLE) {
        return Ok((0, 0));
    }
    let mut connection = options(file).create_if_missing(false).connect().await.map_err(wrong)?;
    let counts = ratings::put_right(&mut connection).await.map_err(wrong)?;
    connection.close().await.map_err(wrong)?;
    Ok(counts)
}

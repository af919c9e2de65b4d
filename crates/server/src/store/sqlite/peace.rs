//! Blocks, reports and what moderators do, in the database.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::{Sqlite, failure, people, ratings, row};
use crate::domain::error::{AppError, word};
use crate::domain::ids;
use crate::domain::person::PersonId;
use crate::store::Reply;
use crate::store::peace::{AuditLine, KeptReport, NewReport, PeaceWrite, ReportReason};
use crate::store::people::PersonWrite;

/// Lines of a list.
const MOST: i64 = 200;

pub(super) async fn execute(
    connection: &mut SqliteConnection,
    write: &PeaceWrite,
) -> Result<Reply, sqlx::Error> {
    match write {
        PeaceWrite::Block { person, other, at, most } => {
            let query = sqlx::query_scalar("SELECT count(*) FROM block WHERE person = ? AND other <> ?");
            let count: i64 = query.bind(person.0).bind(other.0).fetch_one(&mut *connection).await?;
            if count >= *most {
                return Ok(Reply::Refused);
            }
            let query = sqlx::query("INSERT OR IGNORE INTO block (person, other, at) VALUES (?, ?, ?)");
            query.bind(person.0).bind(other.0).bind(at).execute(connection).await?;
        }
        PeaceWrite::Unblock { person, other } => {
            let query = sqlx::query("DELETE FROM block WHERE person = ? AND other = ?");
            query.bind(person.0).bind(other.0).execute(connection).await?;
        }
        PeaceWrite::Report(report) => put_report(connection, report).await?,
        PeaceWrite::Settle { by, report, at } => {
            let query = sqlx::query(
                "UPDATE report SET done = ?, done_by = ? WHERE id = ? AND done IS NULL AND about <> ?
                     AND about NOT IN (SELECT person FROM bot WHERE owner = ?)",
            );
            let query = query.bind(at).bind(by.0).bind(report).bind(by.0).bind(by.0);
            let done = query.execute(&mut *connection).await?;
            if done.rows_affected() == 0 {
                return Ok(Reply::Refused);
            }
            log(connection, (Some(*by), *at), "settle", None, report).await?;
        }
        PeaceWrite::Mute { by, about, until, at } => {
            let query = match until {
                Some(until) => sqlx::query("INSERT OR REPLACE INTO mute (person, until) VALUES (?, ?)")
                    .bind(about.0)
                    .bind(until),
                None => sqlx::query("DELETE FROM mute WHERE person = ?").bind(about.0),
            };
            query.execute(&mut *connection).await?;
            let days = until.map(|until| format!("{} h", (until - at) / 3_600_000)).unwrap_or_default();
            let action = if until.is_some() { "mute" } else { "unmute" };
            log(connection, (Some(*by), *at), action, Some(*about), &days).await?;
        }
        PeaceWrite::Close { by, about, at } => {
            let close = PersonWrite::Close { person: *about, at: *at };
            if people::execute(connection, &close).await? == Reply::Refused {
                return Ok(Reply::Refused);
            }
            log(connection, (Some(*by), *at), "close", Some(*about), "").await?;
        }
        PeaceWrite::Void { by, game, at } => {
            if !ratings::void(connection, game, *at).await? {
                return Ok(Reply::Refused);
            }
            log(connection, (Some(*by), *at), "void", None, game).await?;
        }
        PeaceWrite::Manage { by, maker, tournament, action, at } => {
            log(connection, (Some(*by), *at), action, Some(*maker), tournament).await?;
        }
        PeaceWrite::AtMachine { about, change, at } => {
            if people::execute(connection, change).await? == Reply::Refused {
                return Ok(Reply::Refused);
            }
            let (action, detail) = match change {
                PersonWrite::Role { role, .. } => ("role", role.name()),
                PersonWrite::Recovery { .. } => ("recovery", ""),
                PersonWrite::Close { .. } => ("close", ""),
                _ => ("account", ""),
            };
            log(connection, (None, *at), action, Some(*about), detail).await?;
        }
    }
    Ok(Reply::Done)
}

async fn put_report(connection: &mut SqliteConnection, report: &NewReport) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO report (id, at, person, about, game, reason, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    let query = query.bind(&report.id).bind(report.at).bind(report.by.0).bind(report.about.0);
    let query = query.bind(&report.game).bind(word(&report.reason)).bind(&report.text);
    query.execute(connection).await.map(|_| ())
}

/// A line in the log of what moderators do, and whoever is at the machine.
async fn log(
    connection: &mut SqliteConnection,
    (by, at): (Option<PersonId>, i64),
    action: &str,
    about: Option<PersonId>,
    detail: &str,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query("INSERT INTO audit (at, person, action, about, detail) VALUES (?, ?, ?, ?, ?)");
    let query =
        query.bind(at).bind(by.map(|by| by.0)).bind(action).bind(about.map(|about| about.0)).bind(detail);
    query.execute(connection).await.map(|_| ())
}

fn report(row: &SqliteRow) -> Result<KeptReport, sqlx::Error> {
    let reason: &str = row.try_get("reason")?;
    let all = [ReportReason::Engine, ReportReason::Farming, ReportReason::Abuse, ReportReason::Other];
    let reason = all.into_iter().find(|known| word(known) == reason).ok_or_else(|| row::wrong("reason"))?;
    Ok(KeptReport {
        id: row.try_get("id")?,
        at: row.try_get("at")?,
        by: row.try_get("by_name")?,
        about: row.try_get("about_name")?,
        all: row.try_get("reports")?,
        game: row.try_get("game")?,
        reason,
        text: row.try_get("text")?,
    })
}

impl Sqlite {
    /// Whom somebody does not meet: those they have blocked, and those who have blocked them.
    pub(crate) async fn strangers(&self, person: PersonId) -> Result<Vec<PersonId>, AppError> {
        let query = sqlx::query_scalar(
            "SELECT other FROM block WHERE person = ? UNION SELECT person FROM block WHERE other = ?",
        );
        let all: Result<Vec<i64>, _> = query.bind(person.0).bind(person.0).fetch_all(&self.reads).await;
        all.map(|all| all.into_iter().map(PersonId).collect()).map_err(|error| failure(&error))
    }

    /// The names of those whom somebody has blocked.
    pub(crate) async fn blocked(&self, person: PersonId) -> Result<Vec<String>, AppError> {
        let query = sqlx::query_scalar(
            "SELECT name FROM block JOIN person ON num = other WHERE block.person = ? AND name IS NOT NULL ORDER BY name",
        );
        query.bind(person.0).fetch_all(&self.reads).await.map_err(|error| failure(&error))
    }

    /// Whether somebody may not say anything at a moment.
    pub(crate) async fn is_mute(&self, person: PersonId, at: i64) -> Result<bool, AppError> {
        let query = sqlx::query("SELECT 1 FROM mute WHERE person = ? AND until > ?").bind(person.0).bind(at);
        query.fetch_optional(&self.reads).await.map(|row| row.is_some()).map_err(|error| failure(&error))
    }

    /// The reports that wait for this moderator, the oldest first: none about themselves or their programs.
    pub(crate) async fn reports(&self, by: PersonId) -> Result<Vec<KeptReport>, AppError> {
        let query = sqlx::query(
            "SELECT report.*, coalesce(one.name, '') AS by_name, coalesce(other.name, '') AS about_name,
                 (SELECT count(*) FROM report AS more WHERE more.about = report.about) AS reports
             FROM report LEFT JOIN person AS one ON one.num = report.person
             LEFT JOIN person AS other ON other.num = report.about
             WHERE done IS NULL AND about <> ? AND about NOT IN (SELECT person FROM bot WHERE owner = ?)
             ORDER BY report.num LIMIT ?",
        );
        let rows = query.bind(by.0).bind(by.0).bind(MOST).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(report).collect()).map_err(|error| failure(&error))
    }

    /// What moderators have done, the latest first.
    pub(crate) async fn audit(&self) -> Result<Vec<AuditLine>, AppError> {
        let query = sqlx::query(
            "SELECT audit.at, audit.action, audit.detail, coalesce(one.name, '') AS by_name,
                 coalesce(other.name, '') AS about_name
             FROM audit LEFT JOIN person AS one ON one.num = audit.person
             LEFT JOIN person AS other ON other.num = audit.about ORDER BY audit.num DESC LIMIT ?",
        );
        let line = |row: &SqliteRow| {
            Ok(AuditLine {
                at: row.try_get("at")?,
                by: row.try_get("by_name")?,
                action: row.try_get("action")?,
                about: row.try_get("about_name")?,
                detail: row.try_get("detail")?,
            })
        };
        let rows = query.bind(MOST).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(line).collect()).map_err(|error| failure(&error))
    }
}

/// Games of this few moves that are lost are very short.
const SHORT: i64 = 10;
/// Of so many last rated games, so many very short losses are a case for the moderators. As a large chess server has it.
const LOOKED_AT: i64 = 7;
const SUSPICIOUS: i64 = 4;

/// Tells the moderators of somebody who loses on purpose, as it seems, unless they know already.
pub(super) async fn watch(
    connection: &mut SqliteConnection,
    (loser, game, at): (PersonId, i64, i64),
) -> Result<(), sqlx::Error> {
    let query = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT game.plies, (rated.black = ? AND points = 0 OR rated.white = ? AND points = 1) AS lost
             FROM rated JOIN game ON game.num = rated.game WHERE rated.black = ? OR rated.white = ?
             ORDER BY rated.num DESC LIMIT ?)
         WHERE lost AND plies < ?",
    );
    let query = query.bind(loser.0).bind(loser.0).bind(loser.0).bind(loser.0).bind(LOOKED_AT).bind(SHORT);
    let short: i64 = query.fetch_one(&mut *connection).await?;
    if short < SUSPICIOUS {
        return Ok(());
    }
    let query = sqlx::query(
        "INSERT INTO report (id, at, person, about, game, reason, text)
         SELECT ?, ?, 0, ?, (SELECT id FROM game WHERE num = ?), ?, ?
         WHERE NOT EXISTS (SELECT 1 FROM report WHERE about = ? AND reason = ? AND (done IS NULL OR done > ?))",
    );
    const WEEK: i64 = 7 * 24 * 3_600_000;
    let reason = word(&ReportReason::Farming);
    let text = format!("{short} of the last {LOOKED_AT} rated games lost within {SHORT} moves");
    let query = query.bind(ids::id()).bind(at).bind(loser.0).bind(game).bind(&reason).bind(text);
    query.bind(loser.0).bind(&reason).bind(at - WEEK).execute(connection).await.map(|_| ())
}

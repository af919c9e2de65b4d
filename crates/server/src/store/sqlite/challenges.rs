//! Challenges in the database.

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Row};
use sumito_rules::Layout;

use super::json::StoredClock;
use super::{Sqlite, failure, row, writer};
use crate::domain::challenge::{Challenge, ChallengeState};
use crate::domain::error::{AppError, word};
use crate::domain::game::color;
use crate::domain::person::{Person, PersonId, Role};
use crate::store::Reply;
use crate::store::bots::ChallengeWrite;

pub(super) async fn execute(
    connection: &mut SqliteConnection,
    write: &ChallengeWrite,
) -> Result<Reply, sqlx::Error> {
    match write {
        ChallengeWrite::New { challenge, sent, received } => {
            let open = async |connection: &mut SqliteConnection, query: &'static str, person: &Person| {
                let query = sqlx::query_scalar::<_, i64>(query).bind(person.id.0);
                query.fetch_one(connection).await.map(|count| count as usize)
            };
            let by = "SELECT count(*) FROM challenge WHERE challenger = ? AND state = 'open'";
            let to = "SELECT count(*) FROM challenge WHERE dest = ? AND state = 'open'";
            if open(connection, by, &challenge.challenger).await? >= *sent {
                return Ok(Reply::Full);
            }
            if open(connection, to, &challenge.dest).await? >= *received {
                return Ok(Reply::Refused);
            }
            insert(connection, challenge).await.map(|()| Reply::Done)
        }
        ChallengeWrite::Accept { id, game, places } => {
            let query = sqlx::query("DELETE FROM challenge WHERE id = ? AND state = 'open'").bind(id);
            if query.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(Reply::Refused);
            }
            writer::create(connection, game, places).await
        }
        ChallengeWrite::Close { id, state, at } => {
            let query =
                sqlx::query("UPDATE challenge SET state = ?, changed = ? WHERE id = ? AND state = 'open'");
            let done = query.bind(state.word()).bind(at).bind(id).execute(connection).await?;
            Ok(if done.rows_affected() == 1 { Reply::Done } else { Reply::Refused })
        }
        ChallengeWrite::Forget { before } => {
            let query =
                sqlx::query("DELETE FROM challenge WHERE changed < ? AND state <> 'open'").bind(before);
            query.execute(connection).await.map(|_| Reply::Done)
        }
    }
}

async fn insert(connection: &mut SqliteConnection, challenge: &Challenge) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO challenge (id, challenger, dest, layout, clock, rated, color, created, state, changed)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    let clock = serde_json::to_string(&StoredClock::from(challenge.clock)).expect("plain data");
    let query = query.bind(&challenge.id).bind(challenge.challenger.id.0).bind(challenge.dest.id.0);
    let query = query.bind(challenge.layout.name).bind(clock).bind(challenge.rated);
    let query = query.bind(challenge.color.map(|color| word(&color))).bind(challenge.created);
    query.bind(challenge.state.word()).bind(challenge.created).execute(connection).await.map(|_| ())
}

/// With both persons; one of a closed account is none.
const CHALLENGE: &str =
    "SELECT challenge.*, a.name AS a_name, a.role AS a_role, a.created AS a_created, b.name AS b_name, b.role AS b_role,
         b.created AS b_created
     FROM challenge JOIN person AS a ON a.num = challenge.challenger JOIN person AS b ON b.num = challenge.dest";

fn challenge(row: &SqliteRow) -> Result<Challenge, sqlx::Error> {
    let person = |column: &str, letter: char| {
        let role: &str = row.try_get(format!("{letter}_role").as_str())?;
        Ok::<_, sqlx::Error>(Person {
            id: PersonId(row.try_get(column)?),
            name: row.try_get(format!("{letter}_name").as_str())?,
            role: Role::named(role).ok_or_else(|| row::wrong("role"))?,
            created: row.try_get(format!("{letter}_created").as_str())?,
        })
    };
    let clock =
        serde_json::from_str::<StoredClock>(row.try_get("clock")?).map_err(|_| row::wrong("clock"))?;
    let wish: Option<&str> = row.try_get("color")?;
    Ok(Challenge {
        id: row.try_get("id")?,
        challenger: person("challenger", 'a')?,
        dest: person("dest", 'b')?,
        layout: Layout::named(row.try_get("layout")?).ok_or_else(|| row::wrong("layout"))?,
        clock: clock.into(),
        rated: row.try_get("rated")?,
        color: wish.and_then(color),
        created: row.try_get("created")?,
        state: ChallengeState::named(row.try_get("state")?).ok_or_else(|| row::wrong("state"))?,
    })
}

impl Sqlite {
    /// A challenge.
    pub(crate) async fn challenge(&self, id: &str) -> Result<Option<Challenge>, AppError> {
        let query = sqlx::query(AssertSqlSafe(format!("{CHALLENGE} WHERE challenge.id = ?"))).bind(id);
        let row = query.fetch_optional(&self.reads).await;
        row.and_then(|row| row.as_ref().map(challenge).transpose()).map_err(|error| failure(&error))
    }

    /// The challenges that somebody has sent and received, the oldest first, with those that were answered.
    pub(crate) async fn challenges(&self, person: PersonId) -> Result<Vec<Challenge>, AppError> {
        let query = format!("{CHALLENGE} WHERE challenger = ? OR dest = ? ORDER BY challenge.num");
        let query = sqlx::query(AssertSqlSafe(query)).bind(person.0).bind(person.0);
        let rows = query.fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(challenge).collect()).map_err(|error| failure(&error))
    }

    /// Whether there are challenges that were answered before a moment.
    pub(crate) async fn has_old_challenges(&self, before: i64) -> Result<bool, AppError> {
        let query = sqlx::query("SELECT 1 FROM challenge WHERE changed < ? AND state <> 'open' LIMIT 1");
        let row = query.bind(before).fetch_optional(&self.reads).await;
        row.map(|row| row.is_some()).map_err(|error| failure(&error))
    }

    /// Open challenges that were made before a moment.
    pub(crate) async fn stale_challenges(&self, before: i64) -> Result<Vec<Challenge>, AppError> {
        let query = format!("{CHALLENGE} WHERE state = 'open' AND challenge.created < ?");
        let rows = sqlx::query(AssertSqlSafe(query)).bind(before).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(challenge).collect()).map_err(|error| failure(&error))
    }
}

//! What people said to each other, in the database.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::{Sqlite, failure, row};
use crate::domain::chat::{ChatLine, ChatRoom, MOST_LINES};
use crate::domain::error::{AppError, word};
use crate::domain::game::color;
use crate::domain::person::PersonId;
use crate::store::Reply;

/// Adds a line, unless its room is full; refused if the game is no more. The number alone does not tell: another game may have it by now.
pub(super) async fn add(
    connection: &mut SqliteConnection,
    (game, id): (i64, &str),
    line: &ChatLine,
) -> Result<Reply, sqlx::Error> {
    let known = sqlx::query("SELECT 1 FROM game WHERE num = ? AND id = ?").bind(game).bind(id);
    if known.fetch_optional(&mut *connection).await?.is_none() {
        return Ok(Reply::Refused);
    }
    let query = sqlx::query(
        "INSERT INTO chat (game, room, at, side, person, name, text) SELECT ?, ?, ?, ?, ?, ?, ?
         WHERE (SELECT count(*) FROM chat WHERE game = ? AND room = ?) < ?",
    );
    let query = query.bind(game).bind(line.room.name()).bind(line.at).bind(line.side.map(|side| word(&side)));
    let query = query.bind(line.person.map(|person| person.0)).bind(&line.name).bind(&line.text);
    let query = query.bind(game).bind(line.room.name()).bind(MOST_LINES as i64);
    let done = query.execute(connection).await?;
    Ok(if done.rows_affected() == 1 { Reply::Done } else { Reply::Full })
}

pub(super) fn line(row: &SqliteRow) -> Result<ChatLine, sqlx::Error> {
    Ok(ChatLine {
        room: ChatRoom::named(row.try_get("room")?).ok_or_else(|| row::wrong("room"))?,
        at: row.try_get("at")?,
        side: row.try_get::<Option<&str>, _>("side")?.and_then(color),
        person: row.try_get::<Option<i64>, _>("person")?.map(PersonId),
        name: row.try_get("name")?,
        text: row.try_get("text")?,
    })
}

impl Sqlite {
    /// What somebody has said anywhere, the oldest first, each with the id of its game.
    pub(crate) async fn said_by(&self, person: PersonId) -> Result<Vec<(String, ChatLine)>, AppError> {
        let query = sqlx::query(
            "SELECT chat.*, game.id AS game_id FROM chat JOIN game ON game.num = chat.game WHERE person = ? ORDER BY chat.num",
        );
        let said = |row: &SqliteRow| Ok((row.try_get("game_id")?, line(row)?));
        let rows = query.bind(person.0).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(said).collect()).map_err(|error| failure(&error))
    }

    /// What was said in a room of a game.
    pub(crate) async fn chat(&self, game: i64, room: ChatRoom) -> Result<Vec<ChatLine>, AppError> {
        let query = sqlx::query("SELECT * FROM chat WHERE game = ? AND room = ? ORDER BY num");
        let rows = query.bind(game).bind(room.name()).fetch_all(&self.reads).await;
        rows.and_then(|rows| rows.iter().map(line).collect()).map_err(|error| failure(&error))
    }
}

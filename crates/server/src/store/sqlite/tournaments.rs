//! Tournaments in the database. A decision is written only to the version that it was made for, in one transaction with all that belongs to it; the
//! result of a game is taken in the transaction that ends the game. So no end of the process leaves half of a round, or loses a result.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sumito_rules::Layout;

use super::json::StoredClock;
use super::writer::json;
use super::{Sqlite, failure, row};
use crate::domain::error::AppError;
use crate::domain::game::winner;
use crate::domain::pairing::{Pairing, PairingResult, PlayerId, Points, Rest, Resting};
use crate::domain::person::{PersonId, Role};
use crate::domain::tournament::change::PairedRound;
use crate::domain::tournament::settings::{Settings, System, Welcome};
use crate::domain::tournament::{
    Board, Change, Player, Stage, Times, Tournament, result_name, result_named, result_of,
};
use crate::store::Reply;
use crate::store::tournaments::{ListedTournament, NewTournament, TournamentList, TournamentWrite};

/// The tournaments that are not over; in the words of the index over stages.
const OPEN: &str = "stage IN ('planned', 'running', 'paused')";

/// The words for rests.
const RESTS: [(&str, Rest); 4] =
    [("bye", Rest::Bye), ("free", Rest::Free), ("half", Rest::HalfPointBye), ("away", Rest::Away)];

pub(super) async fn execute(
    connection: &mut SqliteConnection,
    write: &TournamentWrite,
) -> Result<Reply, sqlx::Error> {
    match write {
        TournamentWrite::New { new, most, most_of_one } => {
            let (all, own) = open(connection, new.by).await?;
            if own >= *most_of_one {
                return Ok(Reply::Refused);
            }
            if all >= *most {
                return Ok(Reply::Full);
            }
            insert(connection, new).await
        }
        TournamentWrite::Change { tournament, version, change } => {
            let query =
                sqlx::query("UPDATE tournament SET version = version + 1 WHERE num = ? AND version = ?");
            let done = query.bind(tournament).bind(version).execute(&mut *connection).await?;
            if done.rows_affected() == 0 {
                return Ok(Reply::Refused);
            }
            make(connection, *tournament, change).await.map(|()| Reply::Done)
        }
    }
}

/// How many tournaments are not over: all, and those that somebody has made.
async fn open(connection: &mut SqliteConnection, by: PersonId) -> Result<(u64, u64), sqlx::Error> {
    let text = format!("SELECT count(*), count(*) FILTER (WHERE by = ?) FROM tournament WHERE {OPEN}");
    let query = sqlx::query_as(sqlx::AssertSqlSafe(text)).bind(by.0);
    let (all, own): (i64, i64) = query.fetch_one(connection).await?;
    Ok((all as u64, own as u64))
}

async fn insert(connection: &mut SqliteConnection, new: &NewTournament) -> Result<Reply, sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO tournament (id, name, by, system, number, layout, clock, rated, welcome, late, stage, seed, created, starts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?, ?)",
    );
    let settings = &new.settings;
    let (system, number) = settings.system.parts();
    let query = query.bind(&new.id).bind(&settings.name).bind(new.by.0).bind(system).bind(number);
    let query = query.bind(settings.layout.map(|layout| layout.name));
    let query = query.bind(json(&StoredClock::from(settings.clock))).bind(settings.rated);
    let query = query.bind(settings.welcome.name()).bind(settings.late).bind(new.seed as i64);
    let done = query.bind(new.created).bind(new.starts).execute(connection).await?;
    Ok(Reply::Created(done.last_insert_rowid()))
}

async fn make(connection: &mut SqliteConnection, num: i64, change: &Change) -> Result<(), sqlx::Error> {
    let query = match change {
        Change::Enter(player) => sqlx::query(
            "INSERT INTO tournament_player (tournament, number, person, rating, head_start, since, here)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(num)
        .bind(player.number)
        .bind(player.person.0)
        .bind(player.rating)
        .bind(player.head_start.0)
        .bind(player.since)
        .bind(player.here),
        Change::Presence { player, here, at } => sqlx::query(
            "UPDATE tournament_player SET here = ?, since = ? WHERE tournament = ? AND number = ?",
        )
        .bind(here)
        .bind(at)
        .bind(num)
        .bind(player),
        Change::Bye { player, round } => {
            sqlx::query("UPDATE tournament_player SET bye = ? WHERE tournament = ? AND number = ?")
                .bind(round)
                .bind(num)
                .bind(player)
        }
        Change::Stage(stage, times) => {
            sqlx::query("UPDATE tournament SET stage = ?, began = ?, paused = ?, ends = ? WHERE num = ?")
                .bind(stage.name())
                .bind(times.began)
                .bind(times.paused)
                .bind(times.ends)
                .bind(num)
        }
        Change::Round(paired) => return put_round(connection, num, paired).await,
    };
    query.execute(connection).await.map(|_| ())
}

async fn put_round(
    connection: &mut SqliteConnection,
    num: i64,
    paired: &PairedRound,
) -> Result<(), sqlx::Error> {
    for board in &paired.boards {
        let query = sqlx::query(
            "INSERT INTO tournament_board (tournament, round, board, black, white, layout, game, result, paired, ended)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        );
        let query = query.bind(num).bind(board.round).bind(board.number).bind(board.pairing.black.0);
        let query = query.bind(board.pairing.white.0).bind(&board.layout).bind(&board.game);
        let query = query.bind(board.pairing.result.map(result_name)).bind(board.paired).bind(board.ended);
        query.execute(&mut *connection).await?;
    }
    for resting in &paired.resting {
        let word = RESTS.iter().find(|(_, rest)| *rest == resting.rest).map_or("away", |(word, _)| word);
        let query =
            sqlx::query("INSERT INTO tournament_rest (tournament, round, player, rest) VALUES (?, ?, ?, ?)");
        let query = query.bind(num).bind(paired.round).bind(resting.player.0).bind(word);
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Takes the result of a game that is over into its tournament, once. Who did not come to it plays no further game until they come back.
pub(super) async fn take(connection: &mut SqliteConnection, game: i64) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "SELECT game.id, game.result, game.plies, game.updated, tournament.num FROM game
         JOIN tournament ON tournament.id = game.tournament WHERE game.num = ? AND game.result IS NOT NULL",
    );
    let Some(found) = query.bind(game).fetch_optional(&mut *connection).await? else { return Ok(()) };
    let (id, num): (String, i64) = (found.try_get("id")?, found.try_get("num")?);
    let Some(winner) = winner(found.try_get("result")?) else { return Ok(()) };
    let plies: i64 = found.try_get("plies")?;
    let result = result_of(winner, plies as usize);
    let query =
        sqlx::query("UPDATE tournament_board SET result = ?, ended = ? WHERE game = ? AND result IS NULL");
    let query = query.bind(result_name(result)).bind(found.try_get::<i64, _>("updated")?).bind(&id);
    if query.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    if let PairingResult::Forfeited(side) = result {
        let query = match side {
            sumito_rules::Color::Black => {
                "UPDATE tournament_player SET here = 0 WHERE tournament = ? AND number =
                     (SELECT black FROM tournament_board WHERE game = ?)"
            }
            sumito_rules::Color::White => {
                "UPDATE tournament_player SET here = 0 WHERE tournament = ? AND number =
                     (SELECT white FROM tournament_board WHERE game = ?)"
            }
        };
        sqlx::query(query).bind(num).bind(&id).execute(&mut *connection).await?;
    }
    let query = sqlx::query("UPDATE tournament SET version = version + 1 WHERE num = ?").bind(num);
    query.execute(connection).await.map(|_| ())
}

/// Withdraws somebody whose account is closed.
pub(super) async fn forget(connection: &mut SqliteConnection, person: PersonId) -> Result<(), sqlx::Error> {
    let query = sqlx::query("UPDATE tournament_player SET here = 0 WHERE person = ?").bind(person.0);
    query.execute(&mut *connection).await?;
    let query = sqlx::query(
        "UPDATE tournament SET version = version + 1
         WHERE num IN (SELECT tournament FROM tournament_player WHERE person = ?)",
    );
    query.bind(person.0).execute(connection).await.map(|_| ())
}

fn settings(row: &SqliteRow) -> Result<Settings, sqlx::Error> {
    let system = System::from_parts(row.try_get("system")?, row.try_get("number")?);
    let clock: StoredClock = serde_json::from_str(row.try_get("clock")?).map_err(|_| row::wrong("clock"))?;
    let layout: Option<&str> = row.try_get("layout")?;
    Ok(Settings {
        name: row.try_get("name")?,
        system: system.ok_or_else(|| row::wrong("system"))?,
        // One that is gone from the program since is as good as none.
        layout: layout.and_then(Layout::named),
        clock: clock.into(),
        rated: row.try_get("rated")?,
        welcome: Welcome::named(row.try_get("welcome")?).ok_or_else(|| row::wrong("welcome"))?,
        late: row.try_get("late")?,
    })
}

fn stage(row: &SqliteRow) -> Result<Stage, sqlx::Error> {
    Stage::named(row.try_get("stage")?).ok_or_else(|| row::wrong("stage"))
}

fn times(row: &SqliteRow) -> Result<Times, sqlx::Error> {
    Ok(Times {
        created: row.try_get("created")?,
        starts: row.try_get("starts")?,
        began: row.try_get("began")?,
        paused: row.try_get("paused")?,
        ends: row.try_get("ends")?,
    })
}

fn player(row: &SqliteRow) -> Result<Player, sqlx::Error> {
    let name: Option<String> = row.try_get("name")?;
    let role: Option<&str> = row.try_get("role")?;
    Ok(Player {
        number: row.try_get("number")?,
        person: PersonId(row.try_get("person")?),
        name: name.unwrap_or_default(),
        is_bot: role.and_then(Role::named).is_some_and(Role::is_bot),
        rating: row.try_get("rating")?,
        head_start: Points(row.try_get("head_start")?),
        since: row.try_get("since")?,
        here: row.try_get("here")?,
        bye: row.try_get("bye")?,
    })
}

fn board(row: &SqliteRow) -> Result<Board, sqlx::Error> {
    let result: Option<&str> = row.try_get("result")?;
    Ok(Board {
        round: row.try_get("round")?,
        number: row.try_get("board")?,
        pairing: Pairing {
            black: PlayerId(row.try_get("black")?),
            white: PlayerId(row.try_get("white")?),
            result: result.map(|word| result_named(word).ok_or_else(|| row::wrong("result"))).transpose()?,
        },
        layout: row.try_get("layout")?,
        game: row.try_get("game")?,
        paired: row.try_get("paired")?,
        ended: row.try_get("ended")?,
    })
}

fn resting(row: &SqliteRow) -> Result<(u32, Resting), sqlx::Error> {
    let word: &str = row.try_get("rest")?;
    let rest = RESTS.iter().find(|(known, _)| *known == word).map(|(_, rest)| *rest);
    let rest = rest.ok_or_else(|| row::wrong("rest"))?;
    Ok((row.try_get("round")?, Resting { player: PlayerId(row.try_get("player")?), rest }))
}

/// A tournament at one moment: all of it is read in one transaction.
async fn read(connection: &mut SqliteConnection, id: &str) -> Result<Option<Tournament>, sqlx::Error> {
    let query = sqlx::query(
        "SELECT tournament.*, person.name AS by_name FROM tournament LEFT JOIN person ON person.num = tournament.by
         WHERE id = ?",
    );
    let Some(found) = query.bind(id).fetch_optional(&mut *connection).await? else { return Ok(None) };
    let num: i64 = found.try_get("num")?;
    let players = sqlx::query(
        "SELECT tournament_player.*, person.name, person.role FROM tournament_player
         LEFT JOIN person ON person.num = tournament_player.person WHERE tournament = ? ORDER BY number",
    );
    let players = players.bind(num).fetch_all(&mut *connection).await?;
    let boards = sqlx::query("SELECT * FROM tournament_board WHERE tournament = ? ORDER BY round, board");
    let boards = boards.bind(num).fetch_all(&mut *connection).await?;
    let rests = sqlx::query("SELECT * FROM tournament_rest WHERE tournament = ? ORDER BY round, player");
    let rests = rests.bind(num).fetch_all(connection).await?;
    Ok(Some(Tournament {
        num,
        id: found.try_get("id")?,
        by: PersonId(found.try_get("by")?),
        by_name: found.try_get::<Option<String>, _>("by_name")?.unwrap_or_default(),
        settings: settings(&found)?,
        stage: stage(&found)?,
        version: found.try_get("version")?,
        seed: found.try_get::<i64, _>("seed")? as u64,
        times: times(&found)?,
        players: players.iter().map(player).collect::<Result<_, _>>()?,
        boards: boards.iter().map(board).collect::<Result<_, _>>()?,
        resting: rests.iter().map(resting).collect::<Result<_, _>>()?,
    }))
}

fn listed(row: &SqliteRow) -> Result<ListedTournament, sqlx::Error> {
    Ok(ListedTournament {
        id: row.try_get("id")?,
        by: row.try_get::<Option<String>, _>("by_name")?.unwrap_or_default(),
        settings: settings(row)?,
        stage: stage(row)?,
        times: times(row)?,
        players: row.try_get::<i64, _>("players")? as u64,
    })
}

impl Sqlite {
    /// A tournament, as it was at one moment.
    pub(crate) async fn tournament(&self, id: &str) -> Result<Option<Tournament>, AppError> {
        let wrong = |error: sqlx::Error| failure(&error);
        let mut transaction = self.reads.begin().await.map_err(wrong)?;
        let found = read(&mut transaction, id).await.map_err(wrong)?;
        transaction.commit().await.map_err(wrong)?;
        Ok(found)
    }

    /// Tournaments in a list, so many at most.
    pub(crate) async fn tournaments(
        &self,
        list: TournamentList,
        most: u32,
    ) -> Result<Vec<ListedTournament>, AppError> {
        const LISTED: &str = "SELECT tournament.*, person.name AS by_name,
                 (SELECT count(*) FROM tournament_player WHERE tournament = tournament.num) AS players
             FROM tournament LEFT JOIN person ON person.num = tournament.by";
        let rows = match list {
            TournamentList::Open => {
                let text = format!("{LISTED} WHERE {OPEN} ORDER BY starts, tournament.num LIMIT ?");
                sqlx::query(sqlx::AssertSqlSafe(text)).bind(most).fetch_all(&self.reads).await
            }
            TournamentList::Over { before } => {
                let text = format!(
                    "{LISTED} WHERE NOT {OPEN} AND ends < ? ORDER BY ends DESC, tournament.num DESC LIMIT ?"
                );
                sqlx::query(sqlx::AssertSqlSafe(text)).bind(before).bind(most).fetch_all(&self.reads).await
            }
        };
        rows.and_then(|rows| rows.iter().map(listed).collect()).map_err(|error| failure(&error))
    }
}

//! The one who writes: takes what waits, up to a limit, into one transaction, and answers when it is committed. So a
//! thousand moves a second cost a few dozen commits.

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteConnection};
use sqlx::{Connection, QueryBuilder};
use sumito_rules::Color;
use tokio::sync::{mpsc, oneshot};

use super::canonical::Place;
use super::failure;
use super::row::{Change, GameRow, PlyRow, ReviewRow, bytes, color_name};
use crate::error::AppError;
use crate::metrics::Metrics;
use crate::view::seat::Seat;

/// Something to write.
#[derive(Debug)]
pub(crate) enum Write {
    /// A new game, with what is known about its moves, and its places.
    Create(Box<GameRow>, Vec<Place>),
    /// A change, with a move if there is one and the places that it alters.
    Change {
        game: i64,
        change: Box<Change>,
        ply: Option<PlyRow>,
        /// New places, or ones that have got a move.
        places: Vec<Place>,
        /// Places that are taken back.
        gone: Vec<Place>,
    },
    /// Games of a file.
    Import(Vec<(GameRow, Vec<Place>)>),
    /// A review.
    Review { game: i64, review: ReviewRow, created: i64 },
}

impl Write {
    /// When a change was made.
    pub(crate) fn moment(&self) -> i64 {
        match self {
            Write::Change { change, .. } => change.updated,
            Write::Create(game, _) => game.state.updated,
            Write::Review { created, .. } => *created,
            Write::Import(_) => 0,
        }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It is written.
    Done,
    /// The number of the new game.
    Created(i64),
    /// How many games were new, and how many moves they have.
    Imported { games: usize, plies: usize },
}

pub(super) enum Command {
    Write(Box<Waiting>),
    Close,
}

/// The most writes in a transaction.
const GROUP: usize = 256;
/// Rows in one statement; SQLite takes 32,766 values.
const ROWS: usize = 500;

type Waiting = (Write, oneshot::Sender<Result<Reply, AppError>>);

/// Writes until told to close, or nobody is left.
pub(super) async fn run(
    connection: &mut SqliteConnection,
    mut inbox: mpsc::Receiver<Command>,
    metrics: &Metrics,
) {
    let mut open = true;
    while open {
        let Some(first) = inbox.recv().await else { return };
        let mut group: Vec<Waiting> = Vec::new();
        let mut next = Some(first);
        while let Some(command) = next {
            match command {
                Command::Write(waiting) => group.push(*waiting),
                Command::Close => {
                    open = false;
                    inbox.close();
                }
            }
            next = if group.len() < GROUP { inbox.try_recv().ok() } else { None };
        }
        commit(connection, group, metrics).await;
    }
    // What came before the end is still written.
    while let Some(command) = inbox.recv().await {
        if let Command::Write(waiting) = command {
            commit(connection, vec![*waiting], metrics).await;
        }
    }
}

async fn commit(connection: &mut SqliteConnection, group: Vec<Waiting>, metrics: &Metrics) {
    if group.is_empty() {
        return;
    }
    let writes: Vec<&Write> = group.iter().map(|(write, _)| write).collect();
    match transaction(connection, &writes).await {
        Ok(replies) => {
            metrics.commits.add(1);
            for ((_, done), reply) in group.into_iter().zip(replies) {
                // Whoever asked may have left.
                let _ = done.send(Ok(reply));
            }
        }
        Err(error) if group.len() == 1 => {
            metrics.failed_writes.add(1);
            for (_, done) in group {
                let _ = done.send(Err(failure(&error)));
            }
        }
        Err(_) => {
            // One of them is to blame: each has a transaction of its own then.
            for one in group {
                Box::pin(commit(connection, vec![one], metrics)).await;
            }
        }
    }
}

async fn transaction(
    connection: &mut SqliteConnection,
    writes: &[&Write],
) -> Result<Vec<Reply>, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    let mut replies = Vec::with_capacity(writes.len());
    for write in writes {
        replies.push(execute(&mut transaction, write).await?);
    }
    transaction.commit().await?;
    Ok(replies)
}

async fn execute(connection: &mut SqliteConnection, write: &Write) -> Result<Reply, sqlx::Error> {
    match write {
        Write::Create(game, places) => {
            let num = insert(connection, game).await?.ok_or(sqlx::Error::RowNotFound)?;
            put_places(connection, num, places).await?;
            Ok(Reply::Created(num))
        }
        Write::Change { game, change, ply, places, gone } => {
            update(connection, *game, change).await?;
            for place in gone {
                let query = sqlx::query("DELETE FROM place WHERE hash = ? AND game = ? AND ply = ?");
                query.bind(place.hash).bind(game).bind(place.ply).execute(&mut *connection).await?;
            }
            if !gone.is_empty() {
                let query = sqlx::query("DELETE FROM ply WHERE game = ? AND ply >= ?");
                query.bind(game).bind(change.moves.len() as i64).execute(&mut *connection).await?;
            }
            put_places(connection, *game, places).await?;
            if let Some(ply) = ply {
                put_ply(connection, *game, ply).await?;
            }
            Ok(Reply::Done)
        }
        Write::Import(games) => {
            let (mut added, mut plies) = (0, 0);
            for (game, places) in games {
                if let Some(num) = insert(connection, game).await? {
                    put_places(connection, num, places).await?;
                    added += 1;
                    plies += game.state.moves.len();
                }
            }
            Ok(Reply::Imported { games: added, plies })
        }
        Write::Review { game, review, created } => {
            let query = sqlx::query(
                "INSERT OR REPLACE INTO review (game, nodes, time_ms, plies, created, report) VALUES (?, ?, ?, ?, ?, ?)",
            );
            let query = query.bind(game).bind(review.nodes).bind(review.time_ms).bind(review.plies);
            query.bind(created).bind(&review.report).execute(connection).await?;
            Ok(Reply::Done)
        }
    }
}

fn agent(seat: &Seat) -> (Option<&str>, Option<u8>) {
    match seat {
        Seat::Human { .. } => (None, None),
        Seat::Agent { spec, level, .. } => (Some(spec), *level),
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

/// Adds a game and gives its number; nothing if the same record is there already.
async fn insert(connection: &mut SqliteConnection, game: &GameRow) -> Result<Option<i64>, sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO game (id, key, digest, source, layout, start, rules, black, black_agent, black_level,
             white, white_agent, white_level, clock, created, tags, record, updated, moves, plies, fen, result,
             reason, offer, black_ms, white_ms, paused, delay_ms, think_ms, next)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (digest) DO NOTHING",
    );
    let ((black_agent, black_level), (white_agent, white_level)) = (agent(&game.black), agent(&game.white));
    let query = query
        .bind(&game.id)
        .bind(&game.key)
        .bind(&game.digest)
        .bind(game.source.name())
        .bind(&game.layout)
        .bind(&game.start)
        .bind(json(&game.rules))
        .bind(game.black.name())
        .bind(black_agent)
        .bind(black_level)
        .bind(game.white.name())
        .bind(white_agent)
        .bind(white_level)
        .bind(game.clock.as_ref().map(json))
        .bind(game.created)
        .bind(json(&game.tags))
        .bind(&game.record);
    let done = bind(query, &game.state).execute(connection).await?;
    Ok((done.rows_affected() > 0).then(|| done.last_insert_rowid()))
}

/// What changes in a game, in the order in which both statements name it.
fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    state: &'q Change,
) -> Query<'q, Sqlite, SqliteArguments> {
    query
        .bind(state.updated)
        .bind(bytes(&state.moves))
        .bind(state.moves.len() as i64)
        .bind(&state.fen)
        .bind(&state.result)
        .bind(&state.reason)
        .bind(state.offer.map(color_name))
        .bind(state.black_ms)
        .bind(state.white_ms)
        .bind(state.paused)
        .bind(state.delay_ms)
        .bind(state.think_ms)
        .bind(&state.next)
}

async fn update(connection: &mut SqliteConnection, game: i64, state: &Change) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "UPDATE game SET updated = ?, moves = ?, plies = ?, fen = ?, result = ?, reason = ?, offer = ?, black_ms = ?,
             white_ms = ?, paused = ?, delay_ms = ?, think_ms = ?, next = ?
         WHERE num = ?",
    );
    let done = bind(query, state).bind(game).execute(connection).await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}

async fn put_ply(connection: &mut SqliteConnection, game: i64, ply: &PlyRow) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT OR REPLACE INTO ply (game, ply, ms, score, depth, nodes) VALUES (?, ?, ?, ?, ?, ?)",
    );
    let query = query.bind(game).bind(ply.ply).bind(ply.ms).bind(&ply.score).bind(ply.depth).bind(ply.nodes);
    query.execute(connection).await.map(|_| ())
}

async fn put_places(
    connection: &mut SqliteConnection,
    game: i64,
    places: &[Place],
) -> Result<(), sqlx::Error> {
    for some in places.chunks(ROWS) {
        let mut query: QueryBuilder<Sqlite> =
            QueryBuilder::new("INSERT OR REPLACE INTO place (hash, game, ply, move) ");
        query.push_values(some, |mut row, place| {
            row.push_bind(place.hash).push_bind(game).push_bind(place.ply).push_bind(place.m);
        });
        // Statements for few rows come again and again; those for many do not.
        query.build().persistent(some.len() <= 2).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The side that a result names, and none for a draw.
pub(crate) fn winner(result: &str) -> Option<Option<Color>> {
    match result {
        "draw" => Some(None),
        name => super::row::color(name).map(Some),
    }
}

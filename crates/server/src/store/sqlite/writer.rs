//! The one who writes: takes what waits, up to a limit, into one transaction, and answers when it is committed. So a
//! thousand moves a second cost a few dozen commits.
//!
//! SQLite ends a transaction by itself when the disk is full, and then a savepoint's release is no commit any more. So
//! there are only plain transactions here, whose end fails if they are gone, and a connection on which anything has
//! failed is thrown away.

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection, QueryBuilder};
use sumito_engine::analysis::BASIS;
use sumito_rules::{ByColor, Color};
use tokio::sync::{mpsc, oneshot};

use std::sync::Arc;

use super::health::StoreHealth;
use super::json::{StoredClock, StoredPlan, StoredRules, StoredValue};
use super::row::bytes;
use super::{bots, challenges, chat, failure, is_of_the_disk, peace, people, ratings, seeks, tournaments};
use crate::domain::canonical::Place;
use crate::domain::error::{AppError, Kind, word};
use crate::domain::game::Source;
use crate::domain::kept::{GameState, KeptGame, PlyNote};
use crate::domain::keys::{GameKeys, Holder};
use crate::domain::seat::Seat;
use crate::metrics::Metrics;
use crate::store::{Reply, Write};

pub(super) enum Command {
    Write(Box<Waiting>),
    Close,
}

/// The most writes in a transaction.
const GROUP: usize = 256;
/// Rows in one statement; SQLite takes 32,766 values.
const ROWS: usize = 500;

type Waiting = (Write, oneshot::Sender<Result<Reply, AppError>>);

/// The connection that writes, and what it needs to make another one.
pub(super) struct Writer {
    pub(super) options: SqliteConnectOptions,
    pub(super) connection: Option<SqliteConnection>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) health: Arc<StoreHealth>,
}

impl Writer {
    /// Writes until told to close, or nobody is left.
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<Command>) {
        let mut open = true;
        while open {
            let Some(first) = inbox.recv().await else { break };
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
            self.commit(group).await;
        }
        // What came before the end is still written.
        while let Some(command) = inbox.recv().await {
            if let Command::Write(waiting) = command {
                self.commit(vec![*waiting]).await;
            }
        }
        if let Some(connection) = self.connection
            && let Err(error) = connection.close().await
        {
            tracing::error!(%error, "the database was not closed well");
        }
    }

    async fn commit(&mut self, group: Vec<Waiting>) {
        if group.is_empty() {
            return;
        }
        let writes: Vec<&Write> = group.iter().map(|(write, _)| write).collect();
        match self.transaction(&writes).await {
            Ok(replies) => {
                self.metrics.commits.add(1);
                self.health.wrote();
                for ((_, done), reply) in group.into_iter().zip(replies) {
                    // Whoever asked may have left.
                    let _ = done.send(Ok(reply));
                }
            }
            Err(error) if group.len() == 1 || is_of_the_disk(&error) => {
                self.metrics.failed_writes.add(group.len() as u64);
                let told = failure(&error);
                if told.kind() == Kind::Storage {
                    self.health.failed(&told.to_string());
                }
                for (_, done) in group {
                    let _ = done.send(Err(told.clone()));
                }
            }
            Err(_) => {
                // One of them is to blame: each has a transaction of its own then.
                for one in group {
                    Box::pin(self.commit(vec![one])).await;
                }
            }
        }
    }

    /// One write by itself, on a connection of the caller's.
    pub(super) async fn once(connection: &mut SqliteConnection, write: &Write) -> Result<Reply, sqlx::Error> {
        all(connection, &[write]).await.map(|replies| replies[0])
    }

    /// All of these writes, or none.
    async fn transaction(&mut self, writes: &[&Write]) -> Result<Vec<Reply>, sqlx::Error> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(self.options.connect().await?),
        };
        let result = all(connection, writes).await;
        if result.is_err()
            && let Some(connection) = self.connection.take()
        {
            // It may be within a transaction, or no longer; another one certainly is not.
            let _ = connection.close().await;
        }
        result
    }
}

async fn all(connection: &mut SqliteConnection, writes: &[&Write]) -> Result<Vec<Reply>, sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let mut replies = Vec::with_capacity(writes.len());
    for write in writes {
        replies.push(execute(connection, write).await?);
    }
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(replies)
}

async fn execute(connection: &mut SqliteConnection, write: &Write) -> Result<Reply, sqlx::Error> {
    match write {
        Write::Create(game, places) => create(connection, game, places).await,
        Write::Next { game, places, last } => {
            let created = create(connection, game, places).await?;
            Box::pin(execute(connection, last)).await?;
            Ok(created)
        }
        Write::Change { game, change, ply, places, gone } => {
            // What follows from an end follows once, and not from every change after it.
            let ends = change.result.is_some() && !is_over(connection, *game).await?;
            update(connection, *game, change).await?;
            remove_places(connection, *game, gone).await?;
            if !gone.is_empty() {
                let query = sqlx::query("DELETE FROM ply WHERE game = ? AND ply >= ?");
                query.bind(game).bind(change.moves.len() as i64).execute(&mut *connection).await?;
            }
            put_places(connection, *game, places).await?;
            if let Some(ply) = ply {
                put_ply(connection, *game, ply).await?;
            }
            if ends {
                ratings::rate(connection, *game).await?;
                tournaments::take(connection, *game).await?;
            }
            Ok(Reply::Done)
        }
        Write::Join { game, color, name, holder, updated } => {
            join(connection, *game, (*color, name, holder), *updated).await
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
                "INSERT OR REPLACE INTO review (game, nodes, time_ms, plies, created, report, basis)
                 VALUES (?, ?, ?, ?, ?, ?, ?)",
            );
            let query = query.bind(game).bind(review.nodes).bind(review.time_ms).bind(review.plies);
            query.bind(created).bind(&review.report).bind(BASIS.as_str()).execute(connection).await?;
            Ok(Reply::Done)
        }
        Write::Delete { game, places } => delete(connection, *game, places.as_deref()).await,
        Write::Peace(write) => peace::execute(connection, write).await,
        Write::Seek(write) => seeks::execute(connection, write).await,
        Write::Chat { game, id, line } => chat::add(connection, (*game, id), line).await,
        Write::Person(write) => people::execute(connection, write).await,
        Write::Tournament(write) => tournaments::execute(connection, write).await,
        Write::Bot(write) => bots::execute(connection, write).await,
        Write::Challenge(write) => challenges::execute(connection, write).await,
        Write::Probe(at) => {
            let query = sqlx::query(
                "INSERT INTO probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
            );
            query.bind(at).execute(connection).await?;
            Ok(Reply::Done)
        }
    }
}

/// Adds a new game.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    game: &KeptGame,
    places: &[Place],
) -> Result<Reply, sqlx::Error> {
    let num = insert(connection, game).await?.ok_or(sqlx::Error::RowNotFound)?;
    put_places(connection, num, places).await?;
    Ok(Reply::Created(num))
}

/// Gives a free seat to a person. The row is the judge of whether it is free.
async fn join(
    connection: &mut SqliteConnection,
    game: i64,
    (color, name, holder): (Color, &str, &Holder),
    updated: i64,
) -> Result<Reply, sqlx::Error> {
    let query = match color {
        Color::Black => {
            "UPDATE game SET black_key = ?, black_person = ?, black = ?, updated = ? WHERE num = ? AND black_key IS NULL"
        }
        Color::White => {
            "UPDATE game SET white_key = ?, white_person = ?, white = ?, updated = ? WHERE num = ? AND white_key IS NULL"
        }
    };
    let query = sqlx::query(query).bind(&holder.key).bind(holder.person.map(|person| person.0));
    let query = query.bind(name).bind(updated).bind(game);
    let done = query.execute(connection).await?;
    if done.rows_affected() == 1 { Ok(Reply::Done) } else { Err(sqlx::Error::RowNotFound) }
}

/// Takes a game out. Foreign keys would look through all places for it, so they are off for the writer and this is all
/// they would do.
async fn delete(
    connection: &mut SqliteConnection,
    game: i64,
    places: Option<&[Place]>,
) -> Result<Reply, sqlx::Error> {
    match places {
        Some(places) => remove_places(connection, game, places).await?,
        None => {
            sqlx::query("DELETE FROM place WHERE game = ?").bind(game).execute(&mut *connection).await?;
        }
    }
    sqlx::query("DELETE FROM ply WHERE game = ?").bind(game).execute(&mut *connection).await?;
    sqlx::query("DELETE FROM chat WHERE game = ?").bind(game).execute(&mut *connection).await?;
    sqlx::query("DELETE FROM review WHERE game = ?").bind(game).execute(&mut *connection).await?;
    ratings::leave(connection, game).await?;
    let done = sqlx::query("DELETE FROM game WHERE num = ?").bind(game).execute(connection).await?;
    if done.rows_affected() == 1 { Ok(Reply::Done) } else { Err(sqlx::Error::RowNotFound) }
}

async fn remove_places(
    connection: &mut SqliteConnection,
    game: i64,
    places: &[Place],
) -> Result<(), sqlx::Error> {
    for place in places {
        let query = sqlx::query("DELETE FROM place WHERE hash = ? AND game = ? AND ply = ?");
        query.bind(place.hash).bind(game).bind(place.ply).execute(&mut *connection).await?;
    }
    Ok(())
}

fn agent(seat: &Seat) -> (Option<&str>, Option<u8>) {
    match seat {
        Seat::Human { .. } => (None, None),
        Seat::Agent { spec, level, .. } => (Some(spec), *level),
    }
}

pub(super) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

/// Whether an import is a game of this database that comes back as it was exported: `Site` names it, by its id or with its public
/// address. One that comes back with notes is a game of its own.
async fn was_exported_here(connection: &mut SqliteConnection, game: &KeptGame) -> Result<bool, sqlx::Error> {
    let is_plain_import = game.source == Source::Import && game.record.is_none();
    let Some(site) = game.tags.get("Site").filter(|_| is_plain_import) else { return Ok(false) };
    let id = site.rsplit('/').next().unwrap_or_default();
    let same = sqlx::query("SELECT 1 FROM game WHERE id = ? AND start = ? AND moves = ?");
    let same = same.bind(id).bind(&game.start).bind(bytes(&game.state.moves));
    Ok(same.fetch_optional(connection).await?.is_some())
}

/// Adds a game and gives its number; nothing if the same record is there already.
async fn insert(connection: &mut SqliteConnection, game: &KeptGame) -> Result<Option<i64>, sqlx::Error> {
    if was_exported_here(connection, game).await? {
        return Ok(None);
    }
    let query = sqlx::query(
        "INSERT INTO game (id, key, digest, source, layout, start, rules, black, black_agent, black_level,
             white, white_agent, white_level, clock, created, tags, record, owner, black_key, white_key, black_person, white_person, rated, tournament, updated, moves,
             plies, fen, result, reason, offer, black_ms, white_ms, paused, delay_ms, think_ms, white_think_ms, next,
             undo_by, undo_plies, rematch_by, due, black_plan, white_plan)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (digest) DO NOTHING",
    );
    let ((black_agent, black_level), (white_agent, white_level)) = (agent(&game.black), agent(&game.white));
    let (one, each) = match &game.keys {
        GameKeys::None => (None, ByColor::default()),
        GameKeys::One(holder) => (Some(&holder.key), ByColor::default()),
        GameKeys::Each(holders) => (None, holders.clone()),
    };
    let key = |color: Color| each[color].as_ref().map(|holder| holder.key.clone());
    let person = |color: Color| match &game.keys {
        GameKeys::One(holder) if game.seat(color).is_human() => holder.person,
        _ => each[color].as_ref().and_then(|holder| holder.person),
    };
    let person = |color: Color| person(color).map(|person| person.0);
    let query = query
        .bind(&game.id)
        .bind(one)
        .bind(&game.digest)
        .bind(game.source.name())
        .bind(&game.layout)
        .bind(&game.start)
        .bind(json(&StoredRules::from(&game.rules)))
        .bind(game.black.name())
        .bind(black_agent)
        .bind(black_level)
        .bind(game.white.name())
        .bind(white_agent)
        .bind(white_level)
        .bind(game.clock.map(|clock| json(&StoredClock::from(clock))))
        .bind(game.created)
        .bind(json(&game.tags))
        .bind(&game.record)
        .bind(game.owner.0)
        .bind(key(Color::Black))
        .bind(key(Color::White))
        .bind(person(Color::Black))
        .bind(person(Color::White))
        .bind(game.rated)
        .bind(&game.tournament);
    let done = bind(query, &game.state).execute(connection).await?;
    Ok((done.rows_affected() > 0).then(|| done.last_insert_rowid()))
}

/// What changes in a game, in the order in which both statements name it.
fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    state: &'q GameState,
) -> Query<'q, Sqlite, SqliteArguments> {
    query
        .bind(state.updated)
        .bind(bytes(&state.moves))
        .bind(state.moves.len() as i64)
        .bind(&state.fen)
        .bind(&state.result)
        .bind(&state.reason)
        .bind(state.offer.map(|color| word(&color)))
        .bind(state.black_ms)
        .bind(state.white_ms)
        .bind(state.paused)
        .bind(state.delay_ms)
        .bind(state.think_ms.black)
        .bind(state.think_ms.white)
        .bind(&state.next)
        .bind(state.offers.takeback.map(|offer| word(&offer.by)))
        .bind(state.offers.takeback.map(|offer| offer.plies as i64))
        .bind(state.offers.rematch.map(|color| word(&color)))
        .bind(state.due)
        .bind(StoredPlan::of(&state.plans.black).map(|plan| json(&plan)))
        .bind(StoredPlan::of(&state.plans.white).map(|plan| json(&plan)))
}

/// Whether a game has a result.
async fn is_over(connection: &mut SqliteConnection, game: i64) -> Result<bool, sqlx::Error> {
    let query = sqlx::query_scalar("SELECT result IS NOT NULL FROM game WHERE num = ?").bind(game);
    Ok(query.fetch_optional(connection).await?.unwrap_or(false))
}

async fn update(connection: &mut SqliteConnection, game: i64, state: &GameState) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "UPDATE game SET updated = ?, moves = ?, plies = ?, fen = ?, result = ?, reason = ?, offer = ?, black_ms = ?,
             white_ms = ?, paused = ?, delay_ms = ?, think_ms = ?, white_think_ms = ?, next = ?, undo_by = ?, undo_plies = ?,
             rematch_by = ?, due = ?, black_plan = ?, white_plan = ?
         WHERE num = ?",
    );
    let done = bind(query, state).bind(game).execute(connection).await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}

async fn put_ply(connection: &mut SqliteConnection, game: i64, ply: &PlyNote) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT OR REPLACE INTO ply (game, ply, ms, score, depth, nodes) VALUES (?, ?, ?, ?, ?, ?)",
    );
    let query = query
        .bind(game)
        .bind(ply.ply)
        .bind(ply.ms)
        .bind(ply.value.map(|value| json(&StoredValue::from(value))))
        .bind(ply.depth)
        .bind(ply.nodes);
    query.execute(connection).await.map(|_| ())
}

async fn put_places(
    connection: &mut SqliteConnection,
    game: i64,
    places: &[Place],
) -> Result<(), sqlx::Error> {
    for some in places.chunks(ROWS) {
        let mut query: QueryBuilder<Sqlite> = QueryBuilder::new("INSERT INTO place (hash, game, ply, move) ");
        query.push_values(some, |mut row, place| {
            row.push_bind(place.hash).push_bind(game).push_bind(place.ply).push_bind(place.m);
        });
        // Not a replacement, of which the triggers that count openings would not hear.
        query.push(" ON CONFLICT (hash, game, ply) DO UPDATE SET move = excluded.move");
        // Statements for few rows come again and again; those for many do not.
        query.build().persistent(some.len() <= 2).execute(&mut *connection).await?;
    }
    Ok(())
}

//! What all games share: the store, the threads that search, the games in memory, and how much a client may add.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;

use super::event::Event;
use super::feed::Feed;
use super::feeds::{Feeds, Shut};
use super::game::LiveGame;
use super::games::LiveGames;
use super::lobby::Lobby;
use super::tournaments::Tournaments;
use crate::config::Config;
use crate::domain::client::{Client, Owner};
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::person::{Person, PersonId};
use crate::door::builds::Builds;
use crate::door::growth::Growth;
use crate::metrics::Metrics;
use crate::search::pool::{Pool, Sizes};
use crate::store::peace::PeaceWrite;
use crate::store::people::PersonWrite;
use crate::store::{GameStore, Reply, Write};

/// The hall in which games are played; cheap to clone.
#[derive(Clone)]
pub struct Hall(Arc<Rooms>);

/// What [`Hall`] holds.
pub struct Rooms {
    pub(crate) store: GameStore,
    pub(crate) games: LiveGames,
    pub(crate) lobby: Lobby,
    pub(crate) feed: Feed,
    pub(crate) tournaments: Tournaments,
    pub(crate) feeds: Feeds,
    pub(crate) pool: Pool,
    pub(crate) builds: Builds,
    pub(crate) metrics: Arc<Metrics>,
    growth: Growth,
    /// Megabytes that the database may have.
    most_mb: u64,
    /// Days for which games are kept that nobody changes; 0 for ever.
    keep_days: u32,
    /// Whether there are accounts.
    arena: bool,
    /// Games that two programs may begin with each other in a day.
    pub(super) bot_games: usize,
    render: Render,
}

/// How what happens in a game is told to those who watch it. It is given from above, and made once for all of them.
pub(crate) type Render = fn(&Event<'_>) -> Utf8Bytes;

impl Deref for Hall {
    type Target = Rooms;

    fn deref(&self) -> &Rooms {
        &self.0
    }
}

/// Games that are taken up at once when the server starts; others are when someone asks for them.
const RESUMED: u32 = 64;

const DAY: i64 = 24 * 3600 * 1000;
/// So long a game waits for a second person.
const INVITED_DAYS: i64 = 14;

impl Hall {
    pub(crate) fn new(config: &Config, store: GameStore, metrics: Arc<Metrics>, render: Render) -> Hall {
        let sizes = Sizes {
            threads: config.threads(),
            hash: config.hash_mb,
            per_client: config.searches,
            in_all: config.queue,
        };
        Hall(Arc::new(Rooms {
            pool: Pool::new(sizes, Arc::clone(&metrics)),
            games: LiveGames::default(),
            lobby: Lobby::default(),
            feed: Feed::default(),
            tournaments: Tournaments::default(),
            feeds: Feeds::default(),
            arena: config.arena,
            bot_games: config.bot_games,
            builds: Builds::default(),
            growth: Growth::new(config.growth_mb),
            most_mb: config.database_mb,
            keep_days: config.keep_days,
            store,
            metrics,
            render,
        }))
    }

    pub(super) fn render(&self) -> Render {
        self.render
    }

    /// A game, from memory or else from the database.
    pub(crate) async fn game(&self, id: &str) -> Result<Arc<LiveGame>, AppError> {
        self.games.get(self, id).await
    }

    /// Somebody with an account.
    pub(crate) async fn person(&self, name: &str) -> Result<Person, AppError> {
        let found = self.store.person(name).await?;
        found.map(|(person, _)| person).ok_or_else(|| Cause::PersonUnknown {}.at("person"))
    }

    /// Closes an account and those of its programs, by a moderator or by whoever has it; it is to be seen through. False for the house's
    /// players.
    pub(crate) async fn close_person(
        &self,
        person: PersonId,
        by: Option<PersonId>,
    ) -> Result<bool, AppError> {
        let (bots, at) = (self.store.bots_of(Some(person)).await?, now());
        let write = match by {
            Some(by) => Write::Peace(Box::new(PeaceWrite::Close { by, about: person, at })),
            None => Write::Person(Box::new(PersonWrite::Close { person, at })),
        };
        if self.store.write(write).await? == Reply::Refused {
            return Ok(false);
        }
        for person in bots.into_iter().map(|bot| bot.person.id).chain([person]) {
            self.games.forget(person).await;
            self.lobby.forget(person);
            self.feeds.shut(Shut::Person(person));
        }
        self.tournaments_changed();
        Ok(true)
    }

    /// A client as the database knows it.
    pub(crate) fn owner(&self, client: Client) -> Owner {
        client.owner(self.store.secret())
    }

    /// Makes room for so many bytes more of a client's. The owner of the machine has no limit.
    pub(crate) async fn grow(&self, client: Client, bytes: u64) -> Result<(), AppError> {
        if client.is_local() {
            return Ok(());
        }
        self.charge(client, bytes)?;
        if self.store.size().await? + bytes > self.most_mb << 20 {
            return Err(Cause::DatabaseFull { mb: self.most_mb }.into());
        }
        Ok(())
    }

    /// Takes bytes out of a client's share of the database's growth.
    pub(crate) fn charge(&self, client: Client, bytes: u64) -> Result<(), AppError> {
        if client.is_free() { Ok(()) } else { self.growth.take(self.owner(client), bytes, Instant::now()) }
    }

    /// Deletes games that nobody has changed for as long as the settings say, and those to which nobody came.
    pub(crate) async fn expire(&self) {
        if let Err(error) = self.games.call_off(self, now() - INVITED_DAYS * DAY).await {
            tracing::warn!(%error, "games that wait for a second person were not deleted");
        }
        if self.arena
            && let Err(error) = self.expire_challenges().await
        {
            tracing::warn!(%error, "challenges that nobody answers were not called off");
        }
        if let Err(error) = self.expire_seeks().await {
            tracing::warn!(%error, "searches that nobody takes up were not ended");
        }
        let days = i64::from(self.keep_days);
        if days == 0 {
            return;
        }
        let mut deleted = 0;
        loop {
            match self.games.expire(self, now() - days * DAY).await {
                Ok(0) => break,
                Ok(some) => deleted += some,
                Err(error) => return tracing::warn!(%error, "old games were not deleted"),
            }
        }
        if deleted > 0 {
            tracing::info!(deleted, days, "games that have not changed for so many days were deleted");
        }
    }

    /// Goes on with games in which an agent is to move.
    pub(crate) async fn resume(&self) {
        if let Err(error) = self.resume_seeks().await {
            tracing::warn!(%error, "searches for games were not taken up again");
        }
        let ids = match self.store.unfinished(RESUMED).await {
            Ok(ids) => ids,
            Err(error) => return tracing::warn!(%error, "no game was taken up again"),
        };
        for id in &ids {
            match self.game(id).await {
                Ok(live) => live.touch(self).await,
                Err(error) => tracing::warn!(id, %error, "a game was not taken up again"),
            }
        }
        tracing::info!(games = ids.len(), "games taken up again");
    }
}

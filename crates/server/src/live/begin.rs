//! How a game begins.

use std::sync::Arc;

use sumito_rules::{ByColor, Color, Game, Layout, Rules};

use super::game::LiveGame;
use super::hall::Hall;
use super::table::LiveTable;
use crate::domain::canonical::{Place, places};
use crate::domain::client::{Client, Owner};
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::game::{ClockSetting, GameEnding, Source, layout_of};
use crate::domain::ids;
use crate::domain::kept::{GameState, KeptGame};
use crate::domain::keys::{GameKeys, Holder};
use crate::domain::person::{Person, PersonId};
use crate::domain::seat::Seat;
use crate::door::growth::game_bytes;
use crate::store::{Reply, Write};

/// The moves that a game between agents counts with when it begins. Those of persons count one by one.
const AGENTS_PLIES: usize = 500;

/// Games of one client that may wait for a second person: a household with many children has room, and nobody fills the
/// database with games that never begin.
const MOST_INVITATIONS: u64 = 20;
/// Seconds after which somebody may have come, or a game was called off.
const INVITE_LATER: u32 = 60;

/// What a new game begins with.
pub(crate) struct GameSetup {
    pub(crate) game: Game,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) paused: bool,
    pub(crate) delay_ms: u64,
    pub(crate) think_ms: ByColor<u64>,
    pub(crate) seating: Seating,
    pub(crate) rated: bool,
}

/// Where in a tournament a game is played.
pub(crate) struct BoardOf<'a> {
    /// The id of the game, which follows from the rest.
    pub(crate) game: &'a str,
    /// The tournament's id.
    pub(crate) tournament: &'a str,
    /// Its name.
    pub(crate) event: &'a str,
    /// Round and board, as records name them.
    pub(crate) round: String,
}

/// Whose keys open the seats of persons.
pub(crate) enum Seating {
    /// One key opens all of them, and the account of whoever begins.
    Shared(Option<PersonId>),
    /// Whoever begins has this one; the other waits for a second person.
    Friend(Color, Option<PersonId>),
    /// Each seat belongs to somebody with an account, who needs no key.
    Pair(ByColor<PersonId>),
    /// Both persons keep the keys that they have; one of them begins, with this key if they have one.
    Again { keys: GameKeys, own: Option<String> },
}

impl Seating {
    /// What is kept of the keys, and the key of the one who begins.
    fn keys(self) -> (GameKeys, Option<String>) {
        match self {
            Seating::Shared(person) => {
                let key = ids::key();
                (GameKeys::One(Holder::new(&key, person)), Some(key))
            }
            Seating::Friend(color, person) => {
                let key = ids::key();
                (GameKeys::begun(color, Holder::new(&key, person)), Some(key))
            }
            Seating::Pair(persons) => {
                let holders = persons.map(|person| Some(Holder::new(&ids::key(), Some(person))));
                (GameKeys::Each(holders), None)
            }
            Seating::Again { keys, own } => (keys, own),
        }
    }
}

impl GameSetup {
    /// A game between two who have accounts and have agreed on it.
    pub(super) fn between(
        players: ByColor<Person>,
        layout: &Layout,
        clock: ClockSetting,
        rated: bool,
    ) -> GameSetup {
        GameSetup {
            game: Game::new(Rules::PLAYSTRATEGY, layout.position()),
            seats: players.clone().map(|person| Seat::Human { name: person.name }),
            clock: Some(clock),
            paused: false,
            delay_ms: 0,
            think_ms: ByColor::new(1000, 1000),
            seating: Seating::Pair(players.map(|person| person.id)),
            rated,
        }
    }

    fn has_person(&self) -> bool {
        self.seats.black.is_human() || self.seats.white.is_human()
    }

    /// The game as it is kept, and the key of the one who begins it.
    fn kept(self, id: String, owner: Owner) -> (KeptGame, Option<String>) {
        let (at, start) = (now(), *self.game.start());
        let ending = self.game.outcome().map(GameEnding::from);
        let source = if self.has_person() { Source::Play } else { Source::Watch };
        let (keys, key) = self.seating.keys();
        // Where moves take days the time of the first one runs as well, once both are there.
        let slow =
            self.clock.filter(|_| keys.is_pair() && keys.free().is_none()).and_then(ClockSetting::slow);
        let due = slow.filter(|_| ending.is_none()).map(|ms| at + ms as i64);
        let kept = KeptGame {
            num: 0,
            id,
            keys,
            digest: None,
            source,
            layout: layout_of(&start),
            start: start.to_string(),
            rules: *self.game.rules(),
            clock: self.clock,
            created: at,
            tags: Default::default(),
            record: None,
            owner,
            rated: self.rated,
            tournament: None,
            state: GameState {
                updated: at,
                moves: self.game.moves().to_vec(),
                fen: self.game.position().to_string(),
                result: ending.as_ref().map(GameEnding::result),
                reason: ending.map(|ending| ending.reason),
                paused: self.paused,
                delay_ms: self.delay_ms as i64,
                think_ms: self.think_ms.map(|ms| ms as i64),
                due,
                ..GameState::default()
            },
            black: self.seats.black,
            white: self.seats.white,
        };
        (kept, key)
    }
}

impl Hall {
    /// Refuses a client of whose games too many wait for a second person. The owner of the machine has no limit.
    async fn check_invitations(&self, client: Client) -> Result<(), AppError> {
        if client.is_local() || self.store.waiting(self.owner(client)).await? < MOST_INVITATIONS {
            return Ok(());
        }
        Err(AppError::from(Cause::RateInvitations { most: MOST_INVITATIONS }).retry_after(INVITE_LATER))
    }

    /// Begins a game and gives it with the key of whoever begins it.
    pub(crate) async fn begin(
        &self,
        setup: GameSetup,
        client: Client,
    ) -> Result<(Arc<LiveGame>, Option<String>), AppError> {
        self.begin_by(setup, client, ids::id(), Write::Create).await
    }

    /// Begins a game with this id by a write that may depend on more, and be refused.
    pub(super) async fn begin_by(
        &self,
        setup: GameSetup,
        client: Client,
        id: String,
        write: impl FnOnce(Box<KeptGame>, Vec<Place>) -> Write,
    ) -> Result<(Arc<LiveGame>, Option<String>), AppError> {
        let plies = if setup.has_person() { 0 } else { AGENTS_PLIES };
        self.grow(client, game_bytes(plies + setup.game.moves().len(), 0)).await?;
        if matches!(setup.seating, Seating::Friend(..)) {
            self.check_invitations(client).await?;
        }
        let (kept, key) = setup.kept(id, self.owner(client));
        Ok((self.create(kept, write).await?, key))
    }

    /// Begins a game of a tournament.
    pub(super) async fn begin_board(&self, setup: GameSetup, of: BoardOf<'_>) -> Result<(), AppError> {
        // Nobody's share of the database: the tournament was planned within limits of its own.
        let (mut kept, _) = setup.kept(of.game.to_string(), Owner::UNKNOWN);
        kept.tournament = Some(of.tournament.to_string());
        kept.tags = [("Event", of.event.to_string()), ("Round", of.round)]
            .map(|(name, value)| (name.to_string(), value))
            .into();
        self.create(kept, Write::Create).await.map(|_| ())
    }

    /// Writes a new game and takes it into memory.
    async fn create(
        &self,
        mut kept: KeptGame,
        write: impl FnOnce(Box<KeptGame>, Vec<Place>) -> Write,
    ) -> Result<Arc<LiveGame>, AppError> {
        let places = places(&kept.replay()?.game, 0);
        let write = write(Box::new(kept.clone()), places);
        let gone = if matches!(write, Write::Seek(_)) { Cause::SeekGone {} } else { Cause::ChallengeGone {} };
        kept.num = match self.store.write(write).await? {
            Reply::Created(num) => num,
            Reply::Refused => return Err(gone.at("id")),
            _ => return Err(AppError::internal()),
        };
        let owner = kept.owner;
        let table = LiveTable::load(kept, Vec::new(), None)?;
        let live = Arc::new(LiveGame::new(table, owner, self.render()));
        self.games.add(&live);
        let mut table = live.lock().await;
        live.drive(self, &mut table);
        self.feeds.game(&table, false);
        self.feed.begun(&table);
        drop(table);
        Ok(live)
    }
}

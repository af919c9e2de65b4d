//! How a game begins.

use std::sync::Arc;

use sumito_rules::{ByColor, Game};

use super::game::LiveGame;
use super::hall::Hall;
use super::table::LiveTable;
use crate::domain::canonical::places;
use crate::domain::client::{Client, Owner};
use crate::domain::date::now;
use crate::domain::error::AppError;
use crate::domain::game::{ClockSetting, GameEnding, Source, layout_of};
use crate::domain::ids;
use crate::domain::kept::{GameState, KeptGame};
use crate::domain::seat::Seat;
use crate::door::growth::game_bytes;
use crate::store::{Reply, Write};

/// The moves that a game between agents counts with when it begins. Those of persons count one by one.
const AGENTS_PLIES: usize = 500;

/// What a new game begins with.
pub(crate) struct GameSetup {
    pub(crate) game: Game,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) paused: bool,
    pub(crate) delay_ms: u64,
    pub(crate) think_ms: ByColor<u64>,
}

impl GameSetup {
    fn has_person(&self) -> bool {
        self.seats.black.is_human() || self.seats.white.is_human()
    }

    fn kept(self, id: String, key: &str, owner: Owner) -> KeptGame {
        let (at, start) = (now(), *self.game.start());
        let ending = self.game.outcome().map(GameEnding::from);
        KeptGame {
            num: 0,
            id,
            key: Some(ids::hashed(key)),
            digest: None,
            source: if self.has_person() { Source::Play } else { Source::Watch },
            layout: layout_of(&start),
            start: start.to_string(),
            rules: *self.game.rules(),
            clock: self.clock,
            created: at,
            tags: Default::default(),
            record: None,
            owner,
            state: GameState {
                updated: at,
                moves: self.game.moves().to_vec(),
                fen: self.game.position().to_string(),
                result: ending.as_ref().map(GameEnding::result),
                reason: ending.map(|ending| ending.reason),
                paused: self.paused,
                delay_ms: self.delay_ms as i64,
                think_ms: self.think_ms.map(|ms| ms as i64),
                ..GameState::default()
            },
            black: self.seats.black,
            white: self.seats.white,
        }
    }
}

impl Hall {
    /// Begins a game and gives it with its key.
    pub(crate) async fn begin(
        &self,
        setup: GameSetup,
        client: Client,
    ) -> Result<(Arc<LiveGame>, String), AppError> {
        let plies = if setup.has_person() { 0 } else { AGENTS_PLIES };
        self.grow(client, game_bytes(plies + setup.game.moves().len(), 0)).await?;
        let (key, places) = (ids::key(), places(&setup.game, 0));
        let mut kept = setup.kept(ids::id(), &key, self.owner(client));
        let write = Write::Create(Box::new(kept.clone()), places);
        let Reply::Created(num) = self.store.write(write).await? else { return Err(AppError::internal()) };
        kept.num = num;
        let owner = kept.owner;
        let table = LiveTable::load(kept, Vec::new(), None)?;
        let live = Arc::new(LiveGame::new(table, owner, self.render()));
        self.games.add(&live);
        live.drive(self, &mut *live.lock().await);
        Ok((live, key))
    }
}

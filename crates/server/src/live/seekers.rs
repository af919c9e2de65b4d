//! Searches that wait without whoever searches, and what else the calendar decides.

use std::sync::Arc;

use sumito_rules::Layout;

use super::begin::GameSetup;
use super::game::LiveGame;
use super::hall::Hall;
use super::lobby::{Pairing, Seek, Terms};
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::ids;
use crate::domain::person::PersonId;
use crate::store::seeks::{KeptSeek, SeekWrite};
use crate::store::{Reply, Write};

/// Searches of one person that wait without them.
const MOST_OWN: usize = 5;
/// So long they wait.
const LONGEST: i64 = 30 * 24 * 3600 * 1000;

impl KeptSeek {
    pub(crate) fn new(seek: &Seek) -> KeptSeek {
        let Terms { layout, clock, rated, color, range } = seek.terms.clone();
        let (id, person, layout) = (seek.id.clone(), seek.by.person.id, layout.name.to_string());
        KeptSeek { id, person, created: seek.created, layout, clock, rated, color, range }
    }
}

impl Hall {
    /// Takes up the searches again that have waited while no server ran.
    pub(super) async fn resume_seeks(&self) -> Result<(), AppError> {
        let mut all = Vec::new();
        for (kept, person) in self.store.seeks().await? {
            let KeptSeek { id, created, layout, clock, rated, color, range, .. } = kept;
            // A layout that the program no longer has is nothing to look for.
            let Some(layout) = Layout::named(&layout) else { continue };
            let by = self.seeker(person, clock).await?;
            all.push(Seek::kept((id, created), by, Terms { layout, clock, rated, color, range }));
        }
        self.lobby.put(all);
        Ok(())
    }

    async fn write_seek(&self, write: SeekWrite) -> Result<Reply, AppError> {
        self.store.write(Write::Seek(Box::new(write))).await
    }

    /// Writes a search that waits without whoever searches, and shows it to everybody then.
    pub(crate) async fn keep_seek(&self, seek: Seek) -> Result<(), AppError> {
        match self.write_seek(SeekWrite::New { seek: KeptSeek::new(&seek), most: MOST_OWN }).await? {
            Reply::Full => Err(Cause::RateHeld { what: "searches for a game", most: MOST_OWN }.into()),
            Reply::Refused => Err(Cause::AccountMissing {}.into()),
            _ => {
                self.lobby.put(vec![seek]);
                Ok(())
            }
        }
    }

    /// Somebody ends a search of theirs that waits without them.
    pub(crate) async fn end_seek(&self, id: String, person: PersonId) -> Result<(), AppError> {
        if self.write_seek(SeekWrite::End { id: id.clone(), person }).await? == Reply::Refused {
            return Err(Cause::SeekGone {}.at("seek"));
        }
        self.lobby.end(&id);
        Ok(())
    }

    /// Ends the searches that nobody has taken up for long.
    pub(super) async fn expire_seeks(&self) -> Result<(), AppError> {
        let before = now() - LONGEST;
        if self.lobby.expire(before) {
            self.write_seek(SeekWrite::Expire { before }).await?;
        }
        Ok(())
    }

    /// Begins the game of two who have found each other. A search that is kept goes in one write with it; if the game does not begin, the
    /// search is there again.
    pub(crate) async fn begin_sought(
        &self,
        pairing: Pairing,
        client: Client,
    ) -> Result<Arc<LiveGame>, AppError> {
        let Pairing { seek, players } = pairing;
        let Terms { layout, clock, rated, .. } = seek.terms;
        let setup = GameSetup::between(players, layout, clock, rated);
        let kept = seek.is_kept().then(|| seek.id.clone());
        let write = |game, places| match kept {
            Some(id) => Write::Seek(Box::new(SeekWrite::TakeUp { id, game, places })),
            None => Write::Create(game, places),
        };
        match self.begin_by(setup, client, ids::id(), write).await {
            Ok((live, _)) => {
                seek.tell(&live.id);
                Ok(live)
            }
            Err(error) => {
                if !matches!(error.fault().cause, Cause::SeekGone {}) {
                    self.lobby.put(vec![seek]);
                }
                Err(error)
            }
        }
    }

    /// Ends the games by correspondence in which somebody's time is up.
    pub(crate) async fn end_overdue(&self) {
        let (by, mut after) = (now(), 0);
        loop {
            let games = match self.store.overdue(by, after).await {
                Ok(games) => games,
                Err(error) => return tracing::warn!(%error, "games whose time is up were not looked for"),
            };
            // Those that cannot be ended stay, and the next ones come after them.
            let Some(&(last, _)) = games.last() else { return };
            after = last;
            for (_, id) in games {
                let ended = async {
                    let live = self.game(&id).await?;
                    let mut table = live.lock().await;
                    live.flag(self, &mut table).await
                };
                if let Err(error) = ended.await {
                    tracing::warn!(id, %error, "a game that is over on time could not be written");
                }
            }
        }
    }
}

//! Searches that wait without whoever searches, and what else the calendar decides.

use super::hall::Hall;
use super::lobby::{Seek, Terms};
use crate::domain::date::now;
use crate::domain::error::AppError;
use crate::store::seeks::KeptSeek;
use sumito_rules::Layout;

impl KeptSeek {
    pub(crate) fn new(seek: &Seek) -> KeptSeek {
        let Terms { layout, clock, rated, color, range } = seek.terms.clone();
        let (id, person, layout) = (seek.id.clone(), seek.by.person.id, layout.name.to_string());
        KeptSeek { id, person, created: now(), layout, clock, rated, color, range }
    }
}

impl Hall {
    /// Takes up the searches again that have waited while no server ran.
    pub(super) async fn resume_seeks(&self) -> Result<(), AppError> {
        let mut all = Vec::new();
        for (kept, person) in self.store.seeks().await? {
            let KeptSeek { id, layout, clock, rated, color, range, .. } = kept;
            // A layout that the program no longer has is nothing to look for.
            let Some(layout) = Layout::named(&layout) else { continue };
            let by = self.seeker(person, clock).await?;
            all.push(Seek::kept(id, by, Terms { layout, clock, rated, color, range }));
        }
        self.lobby.put(all);
        Ok(())
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

//! A player whose line is lost: after a while the other side may end the game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use sumito_rules::Color;
use utoipa::ToSchema;

use super::game::{LiveGame, Seen};
use super::hall::Hall;
use super::presence::Audience;
use super::table::LiveTable;
use crate::domain::absence::patience;
use crate::domain::error::{AppError, Cause};
use crate::domain::keys::{Credentials, Speaker};

/// Whoever is to move has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Absence {
    pub(crate) color: Color,
    /// After so long the other side may end the game.
    pub(crate) wait: Duration,
}

/// What somebody claims whose opponent has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ClaimKind {
    Win,
    Draw,
}

/// The least moves of a game that can be claimed: one that has hardly begun is called off instead.
const LEAST_PLIES: usize = 2;

impl LiveTable {
    /// Who is to move and has gone. Only whoever is to move can be: the other side need not be there to be waited for.
    pub(crate) fn absence(&self, audience: &Audience, at: Instant) -> Option<Absence> {
        let color = self.game().turn();
        let goes_on = self.keys.is_pair() && self.keys.free().is_none() && self.outcome().is_none();
        let patience =
            patience(self.clock).filter(|_| goes_on && self.game().moves().len() >= LEAST_PLIES)?;
        let gone = audience.gone[color]?.max(self.since);
        Some(Absence { color, wait: patience.saturating_sub(at.saturating_duration_since(gone)) })
    }
}

impl LiveGame {
    /// Tells that whoever is to move now has gone, if so: the others may have a right by that.
    pub(super) fn look_who_is_away(self: &Arc<Self>, table: &LiveTable) {
        if table.absence(&self.audience(), Instant::now()).is_some() {
            self.people_changed();
        }
    }

    /// Ends the game for somebody whose opponent is to move and has gone for long enough.
    pub(crate) async fn claim(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        kind: ClaimKind,
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        let speaker = Self::check_player(&table, who)?;
        table.refuse_if_waiting()?;
        table.refuse_if_over()?;
        let absence = table.absence(&self.audience(), Instant::now());
        let absence = absence.filter(|absence| speaker == Speaker::Seat(!absence.color));
        let Absence { color, wait } = absence.ok_or_else(|| Cause::ClaimNone {}.at("id"))?;
        if !wait.is_zero() {
            let seconds = wait.as_secs() + 1;
            return Err(Cause::ClaimEarly { seconds }.at("id").retry_after(seconds as u32));
        }
        let mut next = table.table.clone();
        match kind {
            ClaimKind::Win => next.forfeit(color),
            // Whoever has gone has no say.
            ClaimKind::Draw => [color, !color].into_iter().for_each(|side| next.offer_draw(side)),
        }
        self.change(hall, &mut table, next).await?;
        Ok(table)
    }

    /// As if whoever sits there had been gone for so long, with the turn.
    #[cfg(test)]
    pub(crate) async fn long_gone(&self, color: Color, time: Duration) {
        self.presence.long_gone(color, time);
        let mut table = self.lock().await;
        table.since = table.since.checked_sub(time).unwrap_or(table.since);
    }
}

//! How it stands between two persons with a key each: who is there, what they offer each other.

use std::time::Instant;

use serde::Serialize;
use sumito_rules::{ByColor, Color};
use utoipa::ToSchema;

use super::words::ColorWord;
use crate::domain::keys::GameKeys;
use crate::live::{Absence, Audience, LiveTable};

/// Whether somebody sits there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Presence {
    /// Nobody has taken the seat.
    #[default]
    Free,
    /// It is taken, and no socket of its player is open.
    Away,
    /// Its player follows the game.
    Here,
}

/// An offer to take moves back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TakebackView {
    #[schema(value_type = ColorWord)]
    pub(crate) by: Color,
    pub(crate) plies: usize,
}

/// Whoever is to move has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct AbsentView {
    #[schema(value_type = ColorWord)]
    pub(crate) color: Color,
    /// After so long the other side may end the game.
    pub(crate) claim_in_ms: u64,
}

/// A game between two persons with a key each.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PairView {
    pub(crate) black: Presence,
    pub(crate) white: Presence,
    /// Those who look on.
    pub(crate) spectators: usize,
    /// Whoever is to move, if they have gone.
    pub(crate) absent: Option<AbsentView>,
    /// The offer to take moves back that stands.
    pub(crate) takeback: Option<TakebackView>,
    /// Who offers another game.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) rematch: Option<Color>,
}

/// Who is there; nothing in a game of one key.
pub(crate) fn people(table: &LiveTable, audience: Audience) -> Option<ByColor<Presence>> {
    let GameKeys::Each(keys) = &table.keys else { return None };
    let of = |color: Color| match (&keys[color], audience.here[color]) {
        (None, _) => Presence::Free,
        (Some(_), false) => Presence::Away,
        (Some(_), true) => Presence::Here,
    };
    Some(ByColor::new(of(Color::Black), of(Color::White)))
}

/// Whoever is to move, if they have gone.
pub(crate) fn absent(table: &LiveTable, audience: Audience) -> Option<AbsentView> {
    let Absence { color, wait } = table.absence(&audience, Instant::now())?;
    Some(AbsentView { color, claim_in_ms: wait.as_millis() as u64 })
}

impl PairView {
    pub(crate) fn new(table: &LiveTable, audience: Audience) -> Option<PairView> {
        let ByColor { black, white } = people(table, audience)?;
        let takeback = table.offers.takeback.map(|offer| TakebackView { by: offer.by, plies: offer.plies });
        let (spectators, rematch) = (audience.spectators, table.offers.rematch);
        let absent = absent(table, audience);
        Some(PairView { black, white, spectators, absent, takeback, rematch })
    }
}

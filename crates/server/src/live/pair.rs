//! What two persons with a key each do besides moving: the second one comes, they make each other offers, and one who has
//! hardly begun leaves again.

use std::sync::Arc;
use std::time::Instant;

use sumito_rules::{Color, Game};

use super::begin::{GameSetup, Seating};
use super::game::{LiveGame, Seen};
use super::hall::Hall;
use super::table::LiveTable;
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::ids;
use crate::domain::kept::{OfferKind, Offers, TakebackOffer};
use crate::domain::keys::{Credentials, Holder, Speaker};
use crate::store::Write;

/// What came of the wish for another game.
pub(crate) enum Rematch {
    /// It has begun; the key is that of whoever asked, if they have one.
    Begun(Arc<LiveGame>, Option<String>),
    /// The other side is asked.
    Offered,
}

impl LiveGame {
    /// Somebody takes the free seat and gets its key. Whoever has an account is called by its name.
    pub(crate) async fn join(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        name: String,
    ) -> Result<(Seen<'_>, String), AppError> {
        let mut table = self.lock().await;
        if let Ok(Speaker::Seat(_)) = table.keys.speaker(who) {
            return Err(Cause::SeatOwn {}.at("key"));
        }
        let color = table.keys.free().ok_or_else(|| Cause::SeatTaken {}.at("id"))?;
        let (own, updated) = (ids::key(), now());
        let holder = Holder::new(&own, who.person);
        let write =
            Write::Join { game: table.num, color, name: name.clone(), holder: holder.clone(), updated };
        hall.store.write(write).await?;
        table.join(color, name, holder, updated, Instant::now());
        hall.feed.begun(&table);
        self.drive(hall, &mut table);
        self.tell_game(&table);
        self.changed();
        hall.feeds.game(&table, false);
        Ok((table, own))
    }

    /// Asks the other side to take moves back, or agrees to its wish.
    pub(super) async fn ask_takeback<'a>(
        self: &'a Arc<Self>,
        hall: &Hall,
        mut table: Seen<'a>,
        color: Color,
        plies: Option<usize>,
    ) -> Result<Seen<'a>, AppError> {
        table.refuse_if_in_tournament()?;
        table.refuse_if_waiting()?;
        table.refuse_if_over()?;
        let played = table.game().moves().len();
        let offer = match table.offers.takeback {
            Some(offer) => {
                let agreed = offer.plies as u64;
                within("plies", plies.unwrap_or(offer.plies), agreed, agreed)?;
                offer
            }
            None => {
                table.refuse_if_declined(OfferKind::Takeback, color)?;
                // Back to one's own last move: that is two ago if it is one's turn.
                let usual = if table.game().turn() == color { 2 } else { 1 };
                let plies = plies.unwrap_or(usual);
                if played < usual {
                    return Err(Cause::GameNoMoves {}.at("plies"));
                }
                within("plies", plies, 1, played as u64)?;
                TakebackOffer { by: color, plies }
            }
        };
        if table.offers.takeback.is_none() {
            let offers = Offers { takeback: Some(offer), ..table.offers };
            self.offer(hall, &mut table, offers).await?;
        } else if offer.by != color {
            self.undo(hall, &mut table, offer.plies).await?;
        }
        Ok(table)
    }

    /// Offers another game, or accepts the other side's offer. Each side keeps its key, which opens the other seat there:
    /// nobody has to be given one, so that nobody else can get it.
    pub(super) async fn ask_rematch(
        self: &Arc<Self>,
        hall: &Hall,
        mut table: Seen<'_>,
        (color, key): (Color, Option<String>),
        client: Client,
    ) -> Result<Rematch, AppError> {
        table.refuse_if_in_tournament()?;
        if table.offers.rematch != Some(!color) {
            if table.offers.rematch.is_none() {
                table.refuse_if_declined(OfferKind::Rematch, color)?;
                let offers = Offers { rematch: Some(color), ..table.offers };
                self.offer(hall, &mut table, offers).await?;
            }
            return Ok(Rematch::Offered);
        }
        let seating = Seating::Again { keys: table.keys.clone().swapped(), own: key };
        self.begin_again(hall, &mut table, seating, client).await.map(|(live, key)| Rematch::Begun(live, key))
    }

    /// Begins the game after this one, with the colours exchanged.
    pub(super) async fn begin_again(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        seating: Seating,
        client: Client,
    ) -> Result<(Arc<LiveGame>, Option<String>), AppError> {
        let setup = GameSetup {
            game: Game::new(*table.game().rules(), *table.game().start()),
            seats: table.seats.clone().swapped(),
            clock: table.clock,
            paused: false,
            delay_ms: table.delay_ms,
            think_ms: table.think_ms.swapped(),
            seating,
            rated: table.rated,
        };
        let id = ids::id();
        table.next = Some(id.clone());
        let (same, offers) = (table.table.clone(), Offers::default());
        let last = Box::new(table.prepare_end(&same, offers));
        let updated = last.moment();
        // Both or neither, so that no game is there that nobody finds.
        let begun = hall.begin_by(setup, client, id, |game, places| Write::Next { game, places, last }).await;
        match begun {
            Ok(begun) => {
                self.made(hall, table, same, (offers, updated));
                Ok(begun)
            }
            Err(error) => {
                table.next = None;
                Err(error)
            }
        }
    }

    /// Declines the other side's offer, or takes one's own back. The same side may make another one after another move.
    pub(crate) async fn decline(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        kind: OfferKind,
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, who)?;
        let (mut next, mut offers) = (table.table.clone(), table.offers);
        let by = match kind {
            OfferKind::Draw => table.game().draw_offer(),
            OfferKind::Takeback => offers.takeback.map(|offer| offer.by),
            OfferKind::Rematch => offers.rematch,
        };
        let by = by.ok_or_else(|| Cause::OfferNone {}.at("offer"))?;
        match kind {
            OfferKind::Draw => next.drop_draw_offer(),
            OfferKind::Takeback => offers.takeback = None,
            OfferKind::Rematch => offers.rematch = None,
        }
        self.change_with(hall, &mut table, next, offers).await?;
        if table.keys.is_pair() {
            table.declined.push((kind, by));
        }
        Ok(table)
    }

    /// Keeps an offer and tells everyone.
    async fn offer(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        offers: Offers,
    ) -> Result<(), AppError> {
        let same = table.table.clone();
        self.change_with(hall, table, same, offers).await
    }
}

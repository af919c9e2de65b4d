//! What persons may wish in a game besides a move: take back, resign, agree on a draw, play again, pause.

use std::sync::Arc;
use std::time::Instant;

use sumito_agents::Table;
use sumito_rules::{ByColor, Color};

use super::begin::Seating;
use super::game::{LiveGame, Seen};
use super::hall::Hall;
use super::pair::Rematch;
use super::table::LiveTable;
use crate::domain::client::Client;
use crate::domain::error::{self, AppError, Cause, within};
use crate::domain::kept::OfferKind;
use crate::domain::keys::{Credentials, Speaker};

/// How a game between agents goes on; what is not given stays.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Control {
    pub(crate) paused: Option<bool>,
    pub(crate) delay_ms: Option<u64>,
    pub(crate) think_ms: ByColor<Option<u64>>,
    /// Play one move of an agent while the game is paused.
    pub(crate) step: bool,
}

impl LiveGame {
    pub(crate) async fn take_back(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        plies: Option<usize>,
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        if let Speaker::Seat(color) = Self::check_player(&table, who)? {
            return self.ask_takeback(hall, table, color, plies).await;
        }
        let played = table.game().moves().len();
        if played == 0 {
            return Err(Cause::GameNoMoves {}.at("plies"));
        }
        let count = match plies {
            Some(count) => within("plies", count, 1, played as u64).map(|()| count)?,
            None => usual_takeback(&table),
        };
        self.undo(hall, &mut table, count).await?;
        Ok(table)
    }

    /// Takes so many moves back.
    pub(super) async fn undo(
        self: &Arc<Self>,
        hall: &Hall,
        table: &mut LiveTable,
        count: usize,
    ) -> Result<(), AppError> {
        let (next, write) = table.prepare_takeback(count);
        let updated = write.moment();
        hall.store.write(write).await?;
        table.apply_takeback(next, updated, Instant::now());
        self.drive(hall, table);
        self.tell_game(table);
        hall.feed.taken_back(table);
        self.changed();
        Ok(())
    }

    pub(crate) async fn resign(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        color: Option<Color>,
    ) -> Result<Seen<'_>, AppError> {
        let table = self.lock().await;
        let color = Self::person(&table, who, color)?;
        self.end(hall, table, |_, next| next.resign(color)).await
    }

    pub(crate) async fn draw(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        color: Option<Color>,
    ) -> Result<Seen<'_>, AppError> {
        let table = self.lock().await;
        let color = Self::person(&table, who, color)?;
        if table.keys.is_pair() && table.game().draw_offer().is_none() {
            table.refuse_if_declined(OfferKind::Draw, color)?;
        }
        self.end(hall, table, |table, next| {
            next.offer_draw(color);
            if table.seats[!color].spec().is_some() {
                if agent_accepts(table, !color) {
                    next.offer_draw(!color);
                } else {
                    next.drop_draw_offer();
                }
            }
        })
        .await
    }

    /// What may end a game that goes on without a move, at a person's wish.
    async fn end<'a>(
        self: &'a Arc<Self>,
        hall: &Hall,
        mut table: Seen<'a>,
        wish: impl FnOnce(&LiveTable, &mut Table),
    ) -> Result<Seen<'a>, AppError> {
        let mut next = table.table.clone();
        let (runs, at) = (next.is_running(), table.moment(Instant::now()));
        next.stop_clock(at);
        wish(&table, &mut next);
        if runs {
            next.start_clock(at);
        }
        self.change(hall, &mut table, next).await?;
        Ok(table)
    }

    /// The side that a person speaks for, in a game that goes on: with the key of a seat its own, with that of all persons
    /// the one that is named or else the one to move.
    fn person(table: &LiveTable, who: &Credentials, color: Option<Color>) -> Result<Color, AppError> {
        let speaker = Self::check_player(table, who)?;
        table.refuse_if_waiting()?;
        table.refuse_if_over()?;
        if let Speaker::Seat(own) = speaker {
            speaker.check(color.unwrap_or(own))?;
            return Ok(own);
        }
        let turn = table.game().turn();
        let color = color.unwrap_or(if table.seats[turn].is_human() { turn } else { !turn });
        if table.seats[color].is_human() {
            Ok(color)
        } else {
            Err(Cause::ColorAgent { color: error::word(&color) }.at("color"))
        }
    }

    /// Begins another game with the colours exchanged; of two persons with a key each the other one has to agree.
    pub(crate) async fn rematch(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        client: Client,
    ) -> Result<Rematch, AppError> {
        let mut table = self.lock().await;
        let speaker = Self::check_player(&table, who)?;
        if let Some(next) = &table.next {
            return Err(Cause::RematchExists { id: next.clone() }.at("id"));
        }
        if table.outcome().is_none() {
            return Err(Cause::GameRunning {}.at("id"));
        }
        if let Speaker::Seat(color) = speaker {
            return self.ask_rematch(hall, table, (color, who.key.clone()), client).await;
        }
        let seating = Seating::Shared(who.person);
        let (live, key) = self.begin_again(hall, &mut table, seating, client).await?;
        Ok(Rematch::Begun(live, key))
    }

    pub(crate) async fn control(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        control: Control,
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, who)?;
        if table.keys.is_pair() {
            // A pause would stop the other person's clock.
            return Err(Cause::GameTwo {}.at("id"));
        }
        if control.step && table.agent_to_move().is_none() {
            return Err(Cause::StepNoAgent {}.at("step"));
        }
        let before = (table.paused, table.delay_ms, table.think_ms);
        let at = Instant::now();
        if let Some(paused) = control.paused {
            table.pause(paused, at);
        }
        table.delay_ms = control.delay_ms.unwrap_or(table.delay_ms);
        for color in Color::ALL {
            table.think_ms[color] = control.think_ms[color].unwrap_or(table.think_ms[color]);
        }
        let same = table.table.clone();
        table.step |= control.step && table.paused;
        if let Err(error) = self.change(hall, &mut table, same).await {
            table.pause(before.0, at);
            (table.delay_ms, table.think_ms, table.step) = (before.1, before.2, false);
            return Err(error);
        }
        Ok(table)
    }
}

/// The moves to take back so that a person is to move before their last one.
fn usual_takeback(table: &LiveTable) -> usize {
    let (played, turn) = (table.game().moves().len(), table.game().turn());
    if table.seats.black.is_human() == table.seats.white.is_human() {
        return 1;
    }
    let count = if table.seats[turn].is_human() { 2 } else { 1 };
    count.min(played)
}

/// Whether an agent takes a draw: late in the game, if it does not think that it is ahead.
fn agent_accepts(table: &LiveTable, side: Color) -> bool {
    const LATE: usize = 80;
    let position = table.game().position();
    let ahead = match table.expected[side] {
        Some(expected) => expected > 0.52,
        None => position.score(side) > position.score(!side),
    };
    table.game().moves().len() >= LATE && !ahead
}

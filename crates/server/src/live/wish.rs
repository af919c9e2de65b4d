//! What persons may wish in a game besides a move: take back, resign, agree on a draw, play again, pause.

use std::sync::Arc;
use std::time::Instant;

use sumito_agents::Table;
use sumito_rules::{ByColor, Color, Game};

use super::begin::GameSetup;
use super::game::{LiveGame, Seen};
use super::hall::Hall;
use super::table::LiveTable;
use crate::domain::client::Client;
use crate::domain::error::{self, AppError, Cause, within};

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
        key: Option<&str>,
        plies: Option<usize>,
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        let played = table.game().moves().len();
        if played == 0 {
            return Err(Cause::GameNoMoves {}.at("plies"));
        }
        let count = match plies {
            Some(count) => within("plies", count, 1, played as u64).map(|()| count)?,
            None => usual_takeback(&table),
        };
        let (next, write) = table.prepare_takeback(count);
        let updated = write.moment();
        hall.store.write(write).await?;
        table.apply_takeback(next, updated, Instant::now());
        self.drive(hall, &mut table);
        self.tell_game(&table);
        Ok(table)
    }

    pub(crate) async fn resign(
        self: &Arc<Self>,
        hall: &Hall,
        key: Option<&str>,
        color: Option<Color>,
    ) -> Result<Seen<'_>, AppError> {
        self.end(hall, key, color, |_, next, color| next.resign(color)).await
    }

    pub(crate) async fn draw(
        self: &Arc<Self>,
        hall: &Hall,
        key: Option<&str>,
        color: Option<Color>,
    ) -> Result<Seen<'_>, AppError> {
        self.end(hall, key, color, |table, next, color| {
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
    async fn end(
        self: &Arc<Self>,
        hall: &Hall,
        key: Option<&str>,
        color: Option<Color>,
        wish: impl FnOnce(&LiveTable, &mut Table, Color),
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        table.refuse_if_over()?;
        let color = person(&table, color)?;
        let mut next = table.table.clone();
        let (runs, at) = (next.is_running(), table.moment(Instant::now()));
        next.stop_clock(at);
        wish(&table, &mut next, color);
        if runs {
            next.start_clock(at);
        }
        self.change(hall, &mut table, next).await?;
        Ok(table)
    }

    /// Begins another game with the colours exchanged.
    pub(crate) async fn rematch(
        self: &Arc<Self>,
        hall: &Hall,
        key: Option<&str>,
        client: Client,
    ) -> Result<(Arc<LiveGame>, String), AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
        if let Some(next) = &table.next {
            return Err(Cause::RematchExists { id: next.clone() }.at("id"));
        }
        if table.outcome().is_none() {
            return Err(Cause::GameRunning {}.at("id"));
        }
        let setup = GameSetup {
            game: Game::new(*table.game().rules(), *table.game().start()),
            seats: table.seats.clone().swapped(),
            clock: table.clock,
            paused: false,
            delay_ms: table.delay_ms,
            think_ms: table.think_ms.swapped(),
        };
        let (live, key) = hall.begin(setup, client).await?;
        table.next = Some(live.id.clone());
        let same = table.table.clone();
        if let Err(error) = self.change(hall, &mut table, same).await {
            table.next = None;
            return Err(error);
        }
        Ok((live, key))
    }

    pub(crate) async fn control(
        self: &Arc<Self>,
        hall: &Hall,
        key: Option<&str>,
        control: Control,
    ) -> Result<Seen<'_>, AppError> {
        let mut table = self.lock().await;
        Self::check_player(&table, key)?;
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

/// The side that a person speaks for.
fn person(table: &LiveTable, color: Option<Color>) -> Result<Color, AppError> {
    let turn = table.game().turn();
    let color = color.unwrap_or(if table.seats[turn].is_human() { turn } else { !turn });
    if table.seats[color].is_human() {
        Ok(color)
    } else {
        Err(Cause::ColorAgent { color: error::word(&color) }.at("color"))
    }
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

//! Conditional moves in a game: told beforehand, and played when the other side has made the move that they answer.

use std::sync::Arc;

use sumito_rules::{Color, Move, Notation};

use super::game::LiveGame;
use super::hall::Hall;
use super::table::{AgentReport, LiveTable};
use crate::domain::class::Class;
use crate::domain::error::{AppError, Cause};
use crate::domain::keys::{Credentials, Speaker};
use crate::domain::plan::Plan;

impl LiveGame {
    /// The seat of somebody who may plan moves in this game.
    fn planner(table: &LiveTable, who: &Credentials) -> Result<Color, AppError> {
        let is_slow = matches!(Class::of(table.clock), None | Some(Class::Correspondence));
        match Self::check_player(table, who)? {
            Speaker::Seat(color) if is_slow => Ok(color),
            _ => Err(Cause::PlanNone {}.at("id")),
        }
    }

    /// What somebody has planned, as moves in Aba-Pro.
    pub(crate) async fn plan(&self, who: &Credentials) -> Result<Vec<Vec<String>>, AppError> {
        let table = self.lock().await;
        let color = Self::planner(&table, who)?;
        // A plan that is about to be carried out begins before the last move.
        let game = table.game();
        let start =
            if game.turn() == color { game.moves().len().saturating_sub(1) } else { game.moves().len() };
        let written = |line: &Vec<Move>| {
            let mut position = game.positions()[start];
            let text = |&m: &Move| {
                let text = Notation::AbaPro.write(&position, m);
                position = position.play_unchecked(m);
                text
            };
            line.iter().map(text).collect()
        };
        Ok(table.plans[color].0.iter().map(written).collect())
    }

    /// Plans moves, in the place of what was planned before.
    pub(crate) async fn set_plan(
        self: &Arc<Self>,
        hall: &Hall,
        who: &Credentials,
        lines: &[Vec<String>],
    ) -> Result<(), AppError> {
        let mut table = self.lock().await;
        let color = Self::planner(&table, who)?;
        table.refuse_if_waiting()?;
        table.refuse_if_over()?;
        let plan = Plan::new(table.game(), color, lines)?;
        let before = std::mem::replace(&mut table.plans[color], plan);
        let (same, offers) = (table.table.clone(), table.offers);
        let write = table.prepare_end(&same, offers);
        // Nobody is told: a plan is the planner's own.
        if let Err(error) = hall.store.write(write).await {
            table.plans[color] = before;
            return Err(error);
        }
        Ok(())
    }

    /// Plays the answer that the side to move has planned to the last move, if there is one: not here, where the game is being changed.
    pub(super) fn answer_as_planned(self: &Arc<Self>, hall: &Hall, table: &LiveTable) {
        if table.planned().is_none() {
            return;
        }
        let (live, hall) = (Arc::clone(self), hall.clone());
        tokio::spawn(async move {
            let mut table = live.lock().await;
            let Some(m) = table.planned() else { return };
            if let Err(error) = live.make(&hall, &mut table, m, AgentReport::default()).await {
                // It is tried again when somebody asks for the game.
                tracing::warn!(id = live.id, %error, "a planned move was not played");
            }
        });
    }
}

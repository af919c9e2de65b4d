//! A game as it is kept. What keeps it, and in which form, is the store's matter.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use sumito_rules::{ByColor, Color, Game, Move, Rules, fen};
use utoipa::ToSchema;

use super::client::Owner;
use super::error::{AppError, Cause};
use super::game::{ClockSetting, GameEnding, Source, UNKNOWN, winner};
use super::keys::GameKeys;
use super::plan::Plan;
use super::record::Written;
use super::seat::Seat;
use super::value::Value;

/// The most moves of a game: with rules that do not end it, it ends here.
pub(crate) const MOST_PLIES: usize = 10_000;

/// A game.
#[derive(Clone, Debug)]
pub(crate) struct KeptGame {
    /// Its number in the store; any for a new one.
    pub(crate) num: i64,
    pub(crate) id: String,
    pub(crate) keys: GameKeys,
    /// The hash of an imported record, so that none is kept twice.
    pub(crate) digest: Option<Vec<u8>>,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) start: String,
    pub(crate) rules: Rules,
    pub(crate) black: Seat,
    pub(crate) white: Seat,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) created: i64,
    pub(crate) tags: BTreeMap<String, String>,
    /// The annotated record of an imported game, if it has comments, glyphs or variations.
    pub(crate) record: Option<String>,
    pub(crate) owner: Owner,
    /// Whether it changes the ratings of its players.
    pub(crate) rated: bool,
    /// The id of the tournament that it belongs to.
    pub(crate) tournament: Option<String>,
    pub(crate) state: GameState,
}

/// What changes as a game goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GameState {
    pub(crate) updated: i64,
    pub(crate) moves: Vec<Move>,
    pub(crate) fen: String,
    pub(crate) result: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) offer: Option<Color>,
    pub(crate) black_ms: Option<i64>,
    pub(crate) white_ms: Option<i64>,
    pub(crate) paused: bool,
    pub(crate) delay_ms: i64,
    /// The time of agents for a move.
    pub(crate) think_ms: ByColor<i64>,
    pub(crate) next: Option<String>,
    pub(crate) offers: Offers,
    /// When the time of the side to move is up, in a game by correspondence.
    pub(crate) due: Option<i64>,
    /// What each side will answer.
    pub(crate) plans: ByColor<Plan>,
}

/// What one of two persons has offered the other, besides a draw, of which the rules know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offers {
    pub(crate) takeback: Option<TakebackOffer>,
    /// Who offers another game.
    pub(crate) rematch: Option<Color>,
}

/// What can be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OfferKind {
    Draw,
    Takeback,
    Rematch,
}

/// An offer to take moves back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TakebackOffer {
    pub(crate) by: Color,
    pub(crate) plies: usize,
}

/// What is known about a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PlyNote {
    pub(crate) ply: u32,
    pub(crate) ms: Option<i64>,
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<i64>,
    pub(crate) nodes: Option<i64>,
}

/// A game's review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptReview {
    pub(crate) nodes: Option<i64>,
    pub(crate) time_ms: Option<i64>,
    /// How many moves the game had.
    pub(crate) plies: i64,
    /// The engine's report in JSON.
    pub(crate) report: String,
}

/// A game that was played again from what is kept of it.
pub(crate) struct Replayed {
    pub(crate) game: Game,
    /// An end that a record tells and the marbles do not.
    pub(crate) declared: Option<GameEnding>,
}

impl KeptGame {
    /// Who plays a side.
    pub(crate) fn seat(&self, color: Color) -> &Seat {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Plays the moves again.
    pub(crate) fn replay(&self) -> Result<Replayed, AppError> {
        let damaged = |what: String| {
            tracing::warn!(id = self.id, what, "a game in the database cannot be replayed");
            Cause::GameDamaged { what }.at("id")
        };
        let start = fen::parse(&self.start).map_err(|error| damaged(format!("its start: {error}")))?;
        let found = self.state.moves.len();
        if found > MOST_PLIES {
            return Err(Cause::MovesTooMany { most: MOST_PLIES, found }.at("id"));
        }
        let mut game = Game::new(self.rules, start);
        for (ply, &m) in self.state.moves.iter().enumerate() {
            game.play(m).map_err(|error| damaged(format!("its move {}: {error}", ply + 1)))?;
        }
        let declared = self.end(&mut game);
        if let Some(by) = self.state.offer {
            game.offer_draw(by);
        }
        Ok(Replayed { game, declared })
    }

    /// Ends a replayed game as it was ended, unless the marbles have ended it already. What the rules do not know is
    /// given back.
    fn end(&self, game: &mut Game) -> Option<GameEnding> {
        let winner = winner(self.state.result.as_deref()?)?;
        if game.outcome().is_some() {
            return None;
        }
        match (self.state.reason.as_deref(), winner) {
            (Some("resignation"), Some(winner)) => game.resign(!winner),
            (Some("time"), Some(winner)) => game.lose_on_time(!winner),
            (Some("forfeit"), Some(winner)) => game.forfeit(!winner),
            (Some("agreement"), None) => {
                game.offer_draw(Color::Black);
                game.offer_draw(Color::White);
            }
            _ => {
                let text = self.tags.get("Termination").cloned();
                let text = text.unwrap_or_else(|| "as the record says".to_string());
                return Some(GameEnding { winner, reason: UNKNOWN.to_string(), text });
            }
        }
        None
    }

    /// What the game's record is made of.
    pub(crate) fn written(self) -> Result<Written, AppError> {
        let Replayed { game, declared } = self.replay()?;
        let outcome = game.outcome().map(GameEnding::from).or(declared);
        Ok(Written {
            id: self.id,
            source: self.source,
            created: self.created,
            seats: ByColor::new(self.black, self.white),
            tags: self.tags,
            record: self.record.map(Arc::from),
            game,
            winner: outcome.map(|outcome| outcome.winner),
        })
    }
}

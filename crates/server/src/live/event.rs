//! What happens in a game, for everyone who watches it. How it is told is decided above.

use sumito_agents::Info;
use sumito_rules::Position;

use super::presence::Audience;
use super::table::LiveTable;
use crate::domain::chat::ChatLine;
use crate::domain::game::ReviewStage;

/// What happens.
pub(crate) enum Event<'a> {
    /// The whole game: first, and after every change that is not a move.
    Game { table: &'a LiveTable, audience: Audience },
    /// A move, the last one.
    Move { table: &'a LiveTable },
    /// Somebody came or left, in a game between two persons.
    People { table: &'a LiveTable, audience: Audience },
    /// Somebody has said something.
    Chat { line: &'a ChatLine },
    /// What an agent thinks.
    Thinking { ply: usize, position: &'a Position, info: &'a Info },
    /// The game is no more.
    Deleted,
    /// How far the review is.
    Review { done: usize, whole: usize, state: ReviewStage },
}

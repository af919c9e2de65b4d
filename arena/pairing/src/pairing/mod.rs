//! Who plays whom in a tournament, and how it stands: round robin, Swiss and arena. Pure: what was recorded comes in, a decision goes out; time is
//! an argument, and the same input with the same seed gives the same answer, in whatever order the players are listed.

pub mod arena;
pub mod card;
pub mod colors;
pub mod cross;
pub mod lot;
pub mod matching;
pub mod record;
pub mod round_robin;
pub mod standings;
pub mod streak;
pub mod swiss;
#[cfg(test)]
mod tests;
pub mod tiebreak;
pub mod weight;

pub use record::{Color, Entrant, Pairing, PairingResult, PlayerId, Points, Presence, Rest, Resting, Round};

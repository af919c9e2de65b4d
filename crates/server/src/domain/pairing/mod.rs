//! Who plays whom in a tournament, and how it stands: round robin, Swiss and arena. Pure: what was recorded comes in, a decision goes out; time is
//! an argument, and the same input with the same seed gives the same answer, in whatever order the players are listed.

pub(crate) mod arena;
pub(crate) mod card;
pub(crate) mod colors;
pub(crate) mod cross;
pub(crate) mod lot;
pub(crate) mod matching;
pub(crate) mod record;
pub(crate) mod round_robin;
pub(crate) mod standings;
pub(crate) mod streak;
pub(crate) mod swiss;
#[cfg(test)]
mod tests;
pub(crate) mod tiebreak;
pub(crate) mod weight;

pub(crate) use record::{Entrant, Pairing, PairingResult, PlayerId, Points, Presence, Rest, Resting, Round};

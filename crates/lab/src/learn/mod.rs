//! TD(lambda) by self-play for the network of Lee and Noh's agent (`cornell-td`).
//!
//! [`LearnSettings`] has every parameter of their report, [`Learner`] plays and learns and keeps it in a folder, and
//! [`LearnReport`] tells what came out. One seed makes one network, also if the run was interrupted in between.
//!
//! Both players of a game share the network, which is changed at every move. Each has its own way through the game:
//! the positions after its own moves, which are what the player of the network chooses among. With r the reward on
//! the way from one of them, x, to the next, y, and V the network's value for that player,
//!
//! * the error is r + gamma V(y) - V(x), and all parameters move by alpha times the error times the trace,
//! * the trace falls by gamma lambda at each step and has the gradient of V at each position added to it.
//!
//! The network sees the counts of section 2.3 divided by the most that they can be. As they are is [`InputScale::Raw`], the plain reading of
//! the text; at the report's learning rates (0.05, 0.005 and 0.0005) such a network is soon at the ends of its sigmoids and
//! loses to random moves, where the report's won 98 of 100 games, so that it is not the default. The pushes of both sides (section 5) and the marbles on each half of the board (section 1)
//! are the report's own wishes for more inputs.
//!
//! At the end the next value is left out, and the reward is the final one. Readings where the report is open:
//! * Reward: not given. By default the lead in marbles of six, at every step, and for the end that of a game that
//!   stays as it ended for ever: 1 / (1 - gamma) times the lead, or times 1 for six marbles. The player of the network
//!   compares values alone, so what a move wins at once must lie in the value of the position after it: it does, because
//!   a lead lasts. A reward for the ejection alone is paid before that position and says nothing about it.
//!   [`Reward::Ejections`] and [`Reward::Result`] are the other readings.
//! * Risk: section 2.3 multiplies the reward; [`Risk::Error`] multiplies the error, as Mihatsch and Neuneier do.
//! * Epsilon falls to nine tenths with every game until it is 0.01; "decreasing it 90 %" to a tenth is
//!   `epsilon_decay` 0.1, and [`Pace::Move`] lets it fall with every move.
//! * Random moves are learned from like any other.
//! * A game that is cut short counts as its lead says, not as won or lost.

mod exam;
mod lesson;
mod pupil;
mod run;
mod settings;
mod store;
#[cfg(test)]
mod tests;

pub use exam::Exam;
pub use run::{LearnProgress, LearnReport, Learner, Point};
pub use settings::{InputScale, LearnSettings, Pace, Reward, Risk, StopRule};
pub use store::LearnError;

//! Tuning: better values for the numbers of an agent.

pub mod plot;
pub mod spsa;

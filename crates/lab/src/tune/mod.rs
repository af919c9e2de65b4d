//! Tuning: better values for the numbers of an agent.

pub mod evolve;
pub mod games;
pub mod param;
pub mod plot;
pub mod spsa;
pub mod steps;
pub mod texel;

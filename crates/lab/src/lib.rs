//! The laboratory.

pub mod limit;
pub mod opening;
pub mod referee;
pub mod schedule;
pub mod sprt;
pub mod stats;

//! The laboratory: matches between agents, and what they say about strength.
//!
//! A [`config::MatchConfig`] decides every game of a match, [`runner::Runner`] plays it and keeps it on disk,
//! [`tally::MatchReport`] sums it up, and [`rating`] compares the players of any number of matches. [`data`] makes positions
//! to learn from, [`tune`] looks for better values of an agent's numbers, and [`experiment`] runs the papers' experiments
//! again.

pub mod apgn;
pub mod config;
pub mod counter;
pub mod csv;
pub mod data;
pub mod datagen;
pub mod experiment;
pub mod learn;
pub mod limit;
pub mod opening;
pub mod rating;
pub mod referee;
pub mod reviews;
pub mod run;
pub mod runner;
pub mod schedule;
mod settings;
pub mod sprt;
pub mod stats;
pub mod tally;
pub mod train;
pub mod tune;
pub mod work;

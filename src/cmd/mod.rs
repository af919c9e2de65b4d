//! The subcommands: each file has its arguments and a function that runs it.

pub(crate) mod agents;
pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod check_engine;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod data;
pub(crate) mod datagen;
pub(crate) mod eval;
pub(crate) mod evolve;
pub(crate) mod layouts;
pub(crate) mod learn;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod rate;
pub(crate) mod replay;
pub(crate) mod setting;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod states;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod ugi;

//! What clients see: positions, moves, games and scores as plain data. `api.md` in `docs/` describes them.

pub(crate) mod bot;
pub(crate) mod chat;
pub(crate) mod event;
pub(crate) mod game;
pub(crate) mod lobby;
pub(crate) mod meta;
pub(crate) mod pair;
pub(crate) mod person;
pub(crate) mod playing;
pub(crate) mod position;
pub(crate) mod raster;
pub(crate) mod record;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod score;
pub(crate) mod seat;
pub(crate) mod tournament;
pub(crate) mod tree;
pub(crate) mod words;

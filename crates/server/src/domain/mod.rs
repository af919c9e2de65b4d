//! What the server is about, without a database, a network or a thread: games, players, clients, causes of refusals.

pub(crate) mod anchor;
pub(crate) mod bot;
pub(crate) mod canonical;
pub(crate) mod challenge;
pub(crate) mod class;
pub(crate) mod client;
pub(crate) mod date;
pub(crate) mod error;
pub(crate) mod game;
pub(crate) mod ids;
pub(crate) mod kept;
pub(crate) mod keys;
pub(crate) mod ladder;
pub(crate) mod limits;
pub(crate) mod pairing;
pub(crate) mod password;
pub(crate) mod permit;
pub(crate) mod person;
pub(crate) mod rating;
pub(crate) mod record;
pub(crate) mod seat;
pub(crate) mod tournament;
pub(crate) mod value;
pub(crate) mod work;

//! Searches: threads of their own, never those that answer requests, and a queue that is fair to every client.

pub(crate) mod bench;
mod guest;
mod job;
pub(crate) mod pool;
mod queue;
pub(crate) mod thought;
mod turns;

//! Searches: threads of their own, never those that answer requests, and a queue that is fair to every client.

pub(crate) mod bench;
pub(crate) mod pool;
pub(crate) mod queue;

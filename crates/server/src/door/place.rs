//! A connection's place among all that are open.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::quota::Held;
use crate::domain::client::Client;
use crate::metrics::Metrics;

/// A connection's place among all. It is held by the connection, and by the socket that it may become.
#[derive(Clone)]
pub(crate) struct ConnectionPlace(#[expect(dead_code, reason = "held for its drop")] Arc<Open>);

impl ConnectionPlace {
    pub(crate) fn new(
        metrics: Arc<Metrics>,
        held: Held<Client>,
        open: mpsc::Sender<Infallible>,
    ) -> ConnectionPlace {
        metrics.connections.add(1);
        ConnectionPlace(Arc::new(Open { metrics, _held: held, _open: open }))
    }
}

struct Open {
    metrics: Arc<Metrics>,
    _held: Held<Client>,
    _open: mpsc::Sender<Infallible>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.metrics.connections.add(-1);
    }
}

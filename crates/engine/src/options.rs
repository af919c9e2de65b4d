//! How an engine is made.

use std::sync::Arc;

use crate::ideas::Ideas;
use crate::network::Network;
use crate::params::Params;

/// What an engine is made with.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The table's size in megabytes.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// What a draw is worse than level, for the side that thinks, in hundredths of a marble.
    pub contempt: i32,
    /// The search's tunable numbers.
    pub params: Params,
    /// The ideas that it uses.
    pub ideas: Ideas,
    /// What judges positions: a network, or the hand-written evaluation if there is none.
    pub network: Option<Arc<Network>>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            hash: 64,
            threads: 1,
            contempt: 0,
            params: Params::default(),
            ideas: Ideas::ALL,
            network: Some(Network::shipped()),
        }
    }
}
